//! What is under the pointer.
//!
//! The inverse of [`super::paint`]: it looks where that draws. Must not decide what a click does.

use super::below::Told;
use super::draw::Point;
use super::paint::{Picture, curve, shown_marks};
use crate::protocol::{Arrow, Cell, LaneTile, Mark, RunLane, Span, Tile};

/// What is under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// On which row (pCPU).
    pub pcpu: u16,
    /// At which moment, in ns; that of a mark is its own.
    pub time_ns: u64,
    /// What.
    pub what: What,
}

/// What can be under the pointer.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// The row's name.
    Name,
    /// Nothing that is known.
    Nothing,
    /// A stretch of one vCPU, of idling or of a context switch.
    Segment {
        /// Who.
        vcpu: u16,
        /// From when until when as far as it is in the picture, in ns.
        span: Span,
    },
    /// A pixel that hides several.
    Cell(Cell),
    /// A mark, with how many it stands for.
    Mark(Mark),
    /// An arrow.
    Arrow(Arrow),
    /// A lane below the rows: its levels, and from where to where they are as far as it is known.
    Levels(Vec<Told>),
}

/// What is at a point: an arrow or a mark within `reach` px, otherwise what runs there.
#[must_use]
pub fn hit(picture: &Picture, at: Point, reach: f64) -> Option<Hit> {
    let layout = picture.layout;
    let inside = at.y >= layout.plot.y && at.y < layout.plot.bottom();
    let row = layout.row_at(at.y).filter(|_| inside)?;
    let scale = layout.scale(picture.span);
    let time_ns = scale.ns_under(at.x);
    let here = |what| Some(Hit { pcpu: row.pcpu, time_ns, what });
    if at.x < layout.plot.x - 2.0 {
        return here(What::Name);
    }
    let Some(tile) = picture.tile else { return here(What::Nothing) };
    let lane = tile.lanes.iter().find(|lane| lane.pcpu == row.pcpu);
    let known = picture_known(picture, tile);
    let (Some(lane), Some(known)) = (lane, known) else { return here(What::Nothing) };
    let mark = nearest_mark(picture, lane, known, at, reach);
    let arrow = nearest_arrow(picture, tile, at, reach);
    match (mark, arrow) {
        (Some((away, mark)), other) if other.is_none_or(|(far, _)| away <= far) => {
            Some(Hit { pcpu: row.pcpu, time_ns: mark.time_ns, what: What::Mark(mark) })
        }
        (_, Some((_, arrow))) => here(What::Arrow(arrow)),
        _ => here(under(lane, tile, known, time_ns)),
    }
}

fn picture_known(picture: &Picture, tile: &Tile) -> Option<Span> {
    let from_ns = tile.span.from_ns.max(picture.span.from_ns);
    let to_ns = tile.span.to_ns.min(picture.span.to_ns).min(tile.reached_ns);
    (from_ns < to_ns).then_some(Span { from_ns, to_ns })
}

fn nearest_mark(
    picture: &Picture,
    lane: &LaneTile,
    known: Span,
    at: Point,
    reach: f64,
) -> Option<(f64, Mark)> {
    let row = picture.layout.row(lane.pcpu)?;
    let away = |point: Point| (point.x - at.x).hypot(point.y - at.y);
    let shown = shown_marks(picture, row, lane, known);
    let near = shown.iter().map(|one| ((away(one.at) - one.size / 2.0).max(0.0), one.mark));
    near.filter(|(away, _)| *away <= reach).min_by(|a, b| a.0.total_cmp(&b.0))
}

fn nearest_arrow(picture: &Picture, tile: &Tile, at: Point, reach: f64) -> Option<(f64, Arrow)> {
    let scale = picture.layout.scale(picture.span);
    let near = tile.arrows.iter().filter_map(|arrow| {
        let away = distance(&curve(picture.layout, &scale, arrow)?, at);
        (away <= reach).then_some((away, *arrow))
    });
    near.min_by(|a, b| a.0.total_cmp(&b.0))
}

/// How far a point is from a curve, in px; measured at 24 places of it.
fn distance(points: &[Point; 4], at: Point) -> f64 {
    let places = (0..=24u8).map(|step| {
        let t = f64::from(step) / 24.0;
        let on = |pick: fn(&Point) -> f64| {
            let [a, b, c, d] = points.each_ref().map(pick);
            let u = 1.0 - t;
            u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
        };
        (on(|p| p.x) - at.x).hypot(on(|p| p.y) - at.y)
    });
    places.fold(f64::INFINITY, f64::min)
}

fn under(lane: &LaneTile, tile: &Tile, known: Span, time_ns: u64) -> What {
    if !(known.from_ns..=known.to_ns).contains(&time_ns) {
        return What::Nothing;
    }
    match &lane.run {
        RunLane::Segments(segments) => {
            let next = segments.partition_point(|segment| segment.start_ns <= time_ns);
            let Some(segment) = next.checked_sub(1).map(|at| segments[at]) else {
                return What::Nothing;
            };
            let end = tile.span.to_ns.min(tile.reached_ns);
            let to_ns = segments.get(next).map_or(end, |next| next.start_ns);
            let span = Span { from_ns: segment.start_ns, to_ns };
            What::Segment { vcpu: segment.vcpu, span }
        }
        RunLane::Cells(cells) => {
            let at = tile.span.cell_at(tile.shift, time_ns);
            let cell = cells.get(at).or(cells.last());
            cell.map_or(What::Nothing, |cell| What::Cell(*cell))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::draw::{Area, DrawOp, Sign};
    use crate::timeline::paint::paint;
    use crate::timeline::sample::{Sample, at, below, crowded, known, nearby};
    use crate::timeline::theme::Fill;

    fn what(sample: &Sample, x: f64, y: f64) -> What {
        hit(&sample.picture(sample.tile.span), at(x, y), 6.0).expect("within the rows").what
    }

    /// Goal: what is painted is found where it is painted. Method: every bar that is wide enough
    /// to be met, every sign of the row, in crowded pictures; marks and arrows may lie above.
    #[test]
    fn what_is_painted_is_found_where_it_is_painted() {
        let (mut bars, mut signs) = (0, 0);
        for seed in 0..24 {
            let sample = crowded(seed);
            let mut state = seed;
            for span in [sample.tile.span, nearby(&mut state, sample.tile.span)] {
                let picture = sample.picture(span);
                for op in paint(&picture).ops {
                    match op {
                        DrawOp::Rect { area, fill, .. } if area.w >= 3.0 => {
                            bars += u32::from(finds_bar(&picture, &area, fill, seed));
                        }
                        DrawOp::Glyph { sign, at, .. } if sign != Sign::Up => {
                            signs += u32::from(finds_mark(&picture, at, seed));
                        }
                        _ => {}
                    }
                }
            }
        }
        assert!(bars > 200 && signs > 200, "only {bars} bars and {signs} signs were met");
    }

    fn finds_bar(picture: &Picture, area: &Area, fill: Fill, seed: u64) -> bool {
        let on = |bar: &Area| (area.y, area.h) == (bar.y, bar.h);
        let row = picture.layout.rows.iter().find(|row| on(&row.bar));
        let guest = (0..80).any(|vcpu| picture.inks.fill(vcpu) == fill);
        let Some(row) = row.filter(|_| guest && fill.ground != picture.inks.palette.muted) else {
            return false;
        };
        let middle = at(area.x + area.w / 2.0, area.middle());
        match hit(picture, middle, 0.0).map(|hit| (hit.pcpu, hit.what)) {
            Some((pcpu, What::Segment { vcpu, .. })) => {
                assert_eq!((pcpu, picture.inks.fill(vcpu)), (row.pcpu, fill), "seed {seed}");
                true
            }
            Some((_, What::Mark(_) | What::Arrow(_))) => false,
            other => panic!("seed {seed}: {other:?} at {middle}, where a bar is painted"),
        }
    }

    fn finds_mark(picture: &Picture, place: Point, seed: u64) -> bool {
        let found = hit(picture, place, 1.0).map(|hit| hit.what);
        match found {
            Some(What::Mark(_)) => true,
            Some(What::Arrow(_)) => false,
            other => panic!("seed {seed}: {other:?} at {place}, where a sign is painted"),
        }
    }

    /// Goal: the pointer's moment and row are those of the picture. Method: seeded points.
    #[test]
    fn moments_and_rows_are_those_of_the_picture() {
        for seed in 0..200 {
            let mut sample = known();
            sample.tile.arrows.clear();
            sample.tile.lanes.iter_mut().for_each(|lane| lane.marks.clear());
            let mut state = seed;
            let row = sample.layout.rows[usize::try_from(below(&mut state, 2)).expect("0 or 1")];
            let time = sample.tile.span.from_ns + below(&mut state, 1_000_000);
            let scale = sample.layout.scale(sample.tile.span);
            let place = at(scale.x_of(time), row.area.y + 1.0);
            let hit = hit(&sample.picture(sample.tile.span), place, 0.0).expect("on a row");
            assert_eq!(hit.pcpu, row.pcpu);
            assert!(hit.time_ns.abs_diff(time) <= 1, "seed {seed}: {time} is {}", hit.time_ns);
        }
    }

    /// Goal: marks and arrows come before what runs; names and the unknown are told.
    #[test]
    fn the_nearest_thing_is_found() {
        let sample = known();
        let rows = &sample.layout.rows;
        let x = sample.layout.scale(sample.tile.span).x_of(10_400_000);
        let wake = what(&sample, x + 2.0, rows[0].bar.bottom() - 2.0);
        assert!(matches!(wake, What::Mark(mark) if mark.kind == crate::protocol::MarkKind::Wake));
        let arrow = what(&sample, x + 9.0, rows[0].bar.bottom() + 6.0);
        assert!(matches!(arrow, What::Arrow(arrow) if arrow.record == 7), "{arrow:?}");
        let far = what(&sample, x + 90.0, rows[0].bar.middle());
        assert!(matches!(far, What::Segment { vcpu: 2, .. }), "{far:?}");
        assert_eq!(what(&sample, 5.0, rows[1].bar.middle()), What::Name);
        let beyond = Span { from_ns: 20_000_000, to_ns: 21_000_000 };
        let nothing = hit(&sample.picture(beyond), at(x, rows[0].bar.middle()), 6.0);
        assert_eq!(nothing.expect("on a row").what, What::Nothing);
        assert_eq!(hit(&sample.picture(sample.tile.span), at(x, 3.0), 6.0), None);
    }
}
