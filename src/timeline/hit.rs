//! What is under the pointer.
//!
//! The inverse of [`super::paint`]: it looks where that draws. Must not decide what a click does.

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
}

/// What is at a point: an arrow or a mark within `reach` px, otherwise what runs there.
#[must_use]
pub fn hit(picture: &Picture, at: Point, reach: f64) -> Option<Hit> {
    let layout = picture.layout;
    let inside = at.y >= layout.plot.y && at.y < layout.height;
    let row = layout.row_at(at.y).filter(|_| inside)?;
    let scale = layout.scale(picture.span);
    let time_ns = scale.time_at(at.x);
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
            let len = u128::from((tile.span.to_ns - tile.span.from_ns).max(1));
            let offset = u128::from(time_ns - tile.span.from_ns);
            let at = usize::try_from(offset * cells.len() as u128 / len).expect("below its length");
            cells
                .get(at.min(cells.len().saturating_sub(1)))
                .map_or(What::Nothing, |c| What::Cell(*c))
        }
    }
}
