//! Where two pictures of the same rows tell different things.
//!
//! Exact as long as both show segments; where cells hide several, a cell differs if what it tells
//! does. Cells of one length lie on one grid, so those of two runs can be told apart one by one.
//! Must not know how it is drawn.

use super::paint::cells_of;
use super::scale::{Scale, count_px};
use crate::protocol::{Cell, LaneTile, Overview, RunLane, Segment, Span, Tile};

/// Where two pictures differ, row by row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Differences {
    /// Per row, its pCPU and the stretches in which it differs, in ns, in order.
    rows: Vec<(u16, Spans)>,
}

/// Stretches in ns, in order.
type Spans = Vec<(u64, u64)>;

impl Differences {
    /// The differences of two tiles within what both know of the view; none elsewhere.
    #[must_use]
    pub fn of([a, b]: [&Tile; 2], view: Span) -> Self {
        let from_ns = view.from_ns.max(a.span.from_ns).max(b.span.from_ns);
        let to_ns = view.to_ns.min(a.span.to_ns).min(b.span.to_ns);
        let known = Span { from_ns, to_ns: to_ns.min(a.reached_ns).min(b.reached_ns) };
        if known.from_ns >= known.to_ns {
            return Self::default();
        }
        let row = |lane: &LaneTile| {
            let other = b.lanes.iter().find(|other| other.pcpu == lane.pcpu)?;
            let spans = match (&lane.run, &other.run) {
                (RunLane::Segments(one), RunLane::Segments(other)) => between(one, other, known),
                (one, other) => cells([(a, one), (b, other)], known),
            };
            Some((lane.pcpu, clipped(spans, known)))
        };
        Self { rows: a.lanes.iter().filter_map(row).collect() }
    }

    /// The stretches in which a pCPU's rows differ, in ns, in order.
    #[must_use]
    pub fn on(&self, pcpu: u16) -> &[(u64, u64)] {
        self.rows.iter().find(|(row, _)| *row == pcpu).map_or(&[], |(_, spans)| spans)
    }

    /// Those that touch a stretch.
    pub fn within(&self, pcpu: u16, from_ns: u64, to_ns: u64) -> &[(u64, u64)] {
        let all = self.on(pcpu);
        let first = all.partition_point(|(_, to)| *to <= from_ns);
        let behind = all.partition_point(|(from, _)| *from < to_ns);
        &all[first.min(behind)..behind]
    }

    /// Whether a pCPU's rows differ at a moment.
    #[must_use]
    pub fn at(&self, pcpu: u16, time_ns: u64) -> bool {
        !self.within(pcpu, time_ns, time_ns.saturating_add(1)).is_empty()
    }
}

/// The time of a cell of a tile, in ns.
#[must_use]
pub fn cell_span(tile: &Tile, cell: usize) -> (u64, u64) {
    let number = (tile.span.from_ns >> tile.shift) + cell as u64;
    (number << tile.shift, (number + 1) << tile.shift)
}

/// Which cells of a pCPU's overviews differ.
#[must_use]
pub fn differing_cells([a, b]: [&Overview; 2], pcpu: usize) -> Vec<bool> {
    let (Some(one), Some(other)) = (a.lanes.get(pcpu), b.lanes.get(pcpu)) else {
        return Vec::new();
    };
    if a.shift != b.shift {
        return Vec::new();
    }
    one.iter().zip(other).map(|(one, other)| one != other).collect()
}

/// The stretches in which two rows of segments run different things.
fn between(one: &[Segment], other: &[Segment], known: Span) -> Spans {
    let (mut one, mut other) = (one.iter().peekable(), other.iter().peekable());
    let (mut left, mut right) = (None, None);
    let mut spans = Spans::new();
    let mut since = None;
    loop {
        let next = |row: &mut std::iter::Peekable<std::slice::Iter<'_, Segment>>| {
            row.peek().map_or(u64::MAX, |segment| segment.start_ns)
        };
        let time_ns = next(&mut one).min(next(&mut other));
        if time_ns >= known.to_ns {
            break;
        }
        if let Some(segment) = one.next_if(|segment| segment.start_ns == time_ns) {
            left = Some(segment.vcpu);
        }
        if let Some(segment) = other.next_if(|segment| segment.start_ns == time_ns) {
            right = Some(segment.vcpu);
        }
        match (left == right, since) {
            (false, None) => since = Some(time_ns),
            (true, Some(from)) => {
                spans.push((from, time_ns));
                since = None;
            }
            _ => {}
        }
    }
    spans.extend(since.map(|from| (from, known.to_ns)));
    spans
}

/// The stretches of cells that differ; none while the two tiles have cells of different lengths.
fn cells([a, b]: [(&Tile, &RunLane); 2], known: Span) -> Spans {
    let shift = a.0.shift;
    if shift != b.0.shift {
        return Spans::new();
    }
    let (first, behind) = (known.from_ns >> shift, ((known.to_ns - 1) >> shift) + 1);
    let grid = Span { from_ns: first << shift, to_ns: behind << shift };
    let count = usize::try_from(behind - first).unwrap_or(0);
    let of = |(tile, run): (&Tile, &RunLane)| -> Vec<Option<Cell>> {
        match run {
            RunLane::Cells(cells) => {
                let skip = first - (tile.span.from_ns >> shift);
                let skip = usize::try_from(skip).unwrap_or(usize::MAX);
                cells.iter().copied().map(Some).skip(skip).take(count).collect()
            }
            RunLane::Segments(all) => {
                let scale = Scale { span: grid, left: 0.0, width: count_px(count) };
                cells_of(all, known, &scale, count)
            }
        }
    };
    let (one, other) = (of(a), of(b));
    // Cells made here out of segments are rounded otherwise than those that came as cells.
    let exact = matches!((a.1, b.1), (RunLane::Cells(_), RunLane::Cells(_)));
    let differ = |one: &Option<Cell>, other: &Option<Cell>| match (one, other) {
        (Some(one), Some(other)) if exact => one != other,
        (Some(one), Some(other)) => one.vcpu != other.vcpu || one.busy.abs_diff(other.busy) > 3,
        _ => false,
    };
    let mut spans = Spans::new();
    for (number, (one, other)) in (first..behind).zip(one.iter().zip(&other)) {
        let (from, to) = (number << shift, (number + 1) << shift);
        match spans.last_mut() {
            _ if !differ(one, other) => {}
            Some(last) if last.1 == from => last.1 = to,
            _ => spans.push((from, to)),
        }
    }
    spans
}

fn clipped(spans: Spans, known: Span) -> Spans {
    let held = |(from, to): (u64, u64)| (from.max(known.from_ns), to.min(known.to_ns));
    spans.into_iter().map(held).filter(|(from, to)| from < to).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Belief, IDLE, RunId};

    fn tile(run: RunLane) -> Tile {
        let (idler, tickled) = (Belief::Spans(vec![]), Belief::Spans(vec![]));
        let lane = LaneTile { pcpu: 3, run, idler, tickled, marks: vec![], counts: vec![] };
        Tile {
            run: RunId(1),
            span: Span { from_ns: 0, to_ns: 1_024 },
            shift: 7,
            first: 3,
            lanes: vec![lane],
            arrows: vec![],
            reached_ns: 900,
        }
    }

    fn segments(all: &[(u64, u16)]) -> Tile {
        let segment = |(start_ns, vcpu): &(u64, u16)| Segment { start_ns: *start_ns, vcpu: *vcpu };
        tile(RunLane::Segments(all.iter().map(segment).collect()))
    }

    fn spans(a: &Tile, b: &Tile) -> Spans {
        Differences::of([a, b], Span { from_ns: 100, to_ns: 1_000 }).on(3).to_vec()
    }

    /// Goal: segments differ from where one side runs something else to where both run the same
    /// again, to the ns, clipped to what is seen and known of both.
    #[test]
    fn segments_differ_to_the_ns() {
        let a = segments(&[(0, 1), (300, IDLE), (500, 2), (800, 1)]);
        assert_eq!(spans(&a, &a), []);
        let b = segments(&[(0, 1), (317, IDLE), (500, 2), (700, 3)]);
        assert_eq!(spans(&a, &b), [(300, 317), (700, 900)]);
        assert_eq!(spans(&a, &b), spans(&b, &a));
        let early = segments(&[(0, 7), (120, 1), (300, IDLE), (500, 2), (800, 1)]);
        assert_eq!(spans(&a, &early), [(100, 120)]);
    }

    /// Goal: a cell that hides several differs if what it tells does; one made out of segments
    /// differs only by more than its rounding.
    #[test]
    fn cells_differ_by_what_they_tell() {
        let cell = |busy| Cell { busy, vcpu: 1, count: 2 };
        let a = tile(RunLane::Cells(vec![cell(9); 8]));
        let mut other = vec![cell(9); 8];
        (other[3], other[4]) = (cell(10), Cell { count: 3, ..cell(9) });
        let b = tile(RunLane::Cells(other));
        assert_eq!(spans(&a, &b), [(384, 640)]);
        assert_eq!(spans(&a, &a), []);
        let whole = tile(RunLane::Cells(vec![Cell { busy: 255, vcpu: 1, count: 0 }; 8]));
        let idle = |from| segments(&[(0, 1), (from, IDLE)]);
        assert_eq!(spans(&whole, &idle(640)), [(640, 900)]);
        assert_eq!(cell_span(&whole, 3), (384, 512));
    }
}
