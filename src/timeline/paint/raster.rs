//! Rows of colours: what is drawn when there is more than one thing to a pixel.
//!
//! Must not sample: a column tells about all that it hides.

use super::Inks;
use crate::protocol::{Cell, IDLE, Segment, Span};
use crate::timeline::scale::{Scale, count_px, to_index};
use crate::timeline::shape::is_guest;
use crate::timeline::theme::Colour;
use std::rc::Rc;

/// A guest that ran at all is seen at least this much, in 255ths.
const SHARE_MIN: u8 = 64;
const NOTHING: Cell = Cell { busy: 0, vcpu: IDLE, count: 0 };

/// How many columns of the screen's own pixels a scale has.
pub fn column_count(scale: &Scale, dpr: f64) -> usize {
    to_index((scale.width * dpr).round()).max(1)
}

/// The columns of a row of cells that covers `span`, laid where they belong; none where the cells
/// know nothing.
pub fn resampled(cells: &[Cell], span: Span, scale: &Scale, count: usize) -> Vec<Option<Cell>> {
    let of = Scale { span, left: 0.0, width: count_px(cells.len()) };
    let step = scale.width / count_px(count);
    let edge = |at: usize| {
        // Both ends are held apart from the border between cells, so that a picture laid over
        // itself gives itself.
        let ns = count_px(at) * step * scale.ns_per_px();
        of.x_of(scale.span.from_ns) + ns / of.ns_per_px()
    };
    let column = |at: usize| {
        let (from, to) = (edge(at) + 1e-6, edge(at + 1) - 1e-6);
        if to <= 0.0 || from >= of.width {
            return None;
        }
        let first = to_index(from.max(0.0));
        let last = to_index(to).clamp(first, cells.len() - 1);
        cells.get(first..=last).map(joined)
    };
    (0..count).map(column).collect()
}

fn joined(cells: &[Cell]) -> Cell {
    let busy: u32 = cells.iter().map(|cell| u32::from(cell.busy)).sum();
    let parts = u32::try_from(cells.len()).expect("columns are few");
    let busiest =
        cells.iter().max_by_key(|cell| (cell.vcpu != IDLE, cell.busy)).unwrap_or(&NOTHING);
    let count = cells.iter().fold(0u16, |sum, cell| sum.saturating_add(cell.count));
    Cell { busy: u8::try_from(busy / parts).expect("a mean of bytes"), vcpu: busiest.vcpu, count }
}

/// The cells of a row of segments within `known`; none outside of it.
pub fn cells_of(
    segments: &[Segment],
    known: Span,
    scale: &Scale,
    count: usize,
) -> Vec<Option<Cell>> {
    let column =
        |time_ns: u64| (scale.x_within(time_ns) - scale.left) / scale.width * count_px(count);
    let mut cells: Vec<Option<Cell>> = vec![None; count];
    let last = count - 1;
    let first = to_index(column(known.from_ns)).min(last);
    cells[first..=to_index(column(known.to_ns)).min(last)].fill(Some(NOTHING));
    let mut busy = vec![0.0f64; count];
    let mut longest = vec![0.0f64; count];
    for (at, segment) in segments.iter().enumerate() {
        let end_ns = segments.get(at + 1).map_or(known.to_ns, |next| next.start_ns);
        if end_ns < known.from_ns || segment.start_ns >= known.to_ns {
            continue;
        }
        let (from, to) = (column(segment.start_ns), column(end_ns.min(known.to_ns)));
        let guest = is_guest(segment.vcpu);
        for at in to_index(from).min(last)..=to_index(to).min(last) {
            let edge = count_px(at);
            let part = to.min(edge + 1.0) - from.max(edge);
            let Some(cell) = cells[at].as_mut().filter(|_| guest && part >= 0.0) else { continue };
            busy[at] += part;
            if part >= longest[at] {
                longest[at] = part;
                cell.vcpu = segment.vcpu;
            }
            cell.busy = u8::try_from(to_index(busy[at].min(1.0) * 255.0)).expect("below 256");
            cell.count = cell.count.saturating_add(1);
        }
    }
    cells
}

/// The colours of cells: the busier, the stronger; what is not known stays clear.
pub fn cell_colours(cells: &[Option<Cell>], inks: &Inks) -> Rc<[u8]> {
    let idle = inks.palette.idle;
    let colour = |cell: &Option<Cell>| match cell {
        None => [0; 4],
        Some(cell) if cell.vcpu == IDLE => bytes(idle),
        Some(cell) => bytes(idle.mixed(inks.fill(cell.vcpu).ground, cell.busy.max(SHARE_MIN))),
    };
    cells.iter().flat_map(colour).collect()
}

/// Shares of columns that spans cover, as a colour's opacity; what is there at all has at least the
/// share `least`.
pub fn span_colours(
    spans: &[(u64, u64)],
    scale: &Scale,
    count: usize,
    colour: Colour,
    least: f64,
) -> Rc<[u8]> {
    let column =
        |time_ns: u64| (scale.x_within(time_ns) - scale.left) / scale.width * count_px(count);
    let mut shares = vec![0.0f64; count];
    for (from, to) in spans {
        if *to < scale.span.from_ns || *from > scale.span.to_ns {
            continue;
        }
        let (from, to) = (column(*from), column(*to));
        let (first, last) = (to_index(from).min(count - 1), to_index(to).min(count - 1));
        for (at, share) in shares.iter_mut().enumerate().take(last + 1).skip(first) {
            let part = to.min(count_px(at) + 1.0) - from.max(count_px(at));
            *share += part.max(least);
        }
    }
    let alpha = |share: &f64| {
        let alpha = u8::try_from(to_index(share.min(1.0) * 255.0)).expect("below 256");
        bytes(colour.with_alpha(alpha))
    };
    shares.iter().flat_map(alpha).collect()
}

fn bytes(colour: Colour) -> [u8; 4] {
    let [r, g, b] = colour.rgb;
    [r, g, b, colour.alpha]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(from_ns: u64, to_ns: u64) -> Scale {
        Scale { span: Span { from_ns, to_ns }, left: 52.0, width: 10.0 }
    }

    fn cell(busy: u8, vcpu: u16) -> Cell {
        Cell { busy, vcpu, count: 1 }
    }

    /// Goal: cells laid over their own stretch of time come out as they are; over half of it each
    /// comes twice; beyond it nothing is known.
    #[test]
    fn cells_are_laid_where_they_belong() {
        let cells: Vec<_> = (0..10).map(|at| cell(at * 20, u16::from(at))).collect();
        let span = Span { from_ns: 7_000, to_ns: 8_000 };
        let same = resampled(&cells, span, &scale(7_000, 8_000), 10);
        assert_eq!(same, cells.iter().copied().map(Some).collect::<Vec<_>>());
        let half = resampled(&cells, span, &scale(7_500, 8_000), 10);
        assert_eq!(half[0], Some(cells[5]));
        assert_eq!(half[0], half[1]);
        assert_eq!(half[9], Some(cells[9]));
        let beside = resampled(&cells, span, &scale(7_500, 8_500), 10);
        assert_eq!((beside[0], beside[4], beside[5]), (Some(cells[5]), Some(cells[9]), None));
    }

    /// Goal: two cells under one column become their mean, with the guest of the busier one.
    #[test]
    fn a_column_tells_about_all_that_it_hides() {
        let cells: Vec<_> = (0..20).map(|at| cell(if at % 2 == 0 { 255 } else { 0 }, at)).collect();
        let span = Span { from_ns: 0, to_ns: 1_000 };
        let half = resampled(&cells, span, &scale(0, 1_000), 10);
        assert_eq!(half[3], Some(Cell { busy: 127, vcpu: 6, count: 2 }));
    }

    /// Goal: segments become cells with the right share, guest and count.
    #[test]
    fn segments_become_cells() {
        let segment = |start_ns, vcpu| Segment { start_ns, vcpu };
        let segments = [segment(0, IDLE), segment(250, 3), segment(310, 4), segment(320, IDLE)];
        let known = Span { from_ns: 0, to_ns: 500 };
        let cells = cells_of(&segments, known, &scale(0, 1_000), 10);
        assert_eq!(cells[0], Some(NOTHING));
        assert_eq!(cells[2], Some(Cell { busy: 127, vcpu: 3, count: 1 }));
        let third = cells[3].expect("known");
        assert_eq!((third.vcpu, third.count), (4, 2));
        assert!((48..=52).contains(&third.busy), "{third:?}");
        assert_eq!(cells[7], None);
    }
    /// Goal: a column is as strong as the share of it that spans cover, and what is there for a
    /// moment is seen.
    #[test]
    fn spans_become_shares() {
        let spans = [(0, 150), (320, 321), (700, 700)];
        let colour = Colour::hex(0x10_20_30);
        let alphas = |least| {
            let rgba = span_colours(&spans, &scale(0, 1_000), 10, colour, least);
            rgba.chunks_exact(4).map(|pixel| pixel[3]).collect::<Vec<u8>>()
        };
        assert_eq!(alphas(0.25), [255, 127, 0, 63, 0, 0, 0, 63, 0, 0]);
        assert_eq!(alphas(1.0), [255, 255, 0, 255, 0, 0, 0, 255, 0, 0]);
    }
}
