//! What runs: a bar for each segment, or a row of colours when there are too many.

use super::raster::{cells_of, clear_of, column_colours, column_count, part_equals};
use super::{Align, Area, DrawList, Picture, Tile};
use crate::protocol::{IDLE, LaneTile, RunLane, Segment, Span};
use crate::timeline::differ::cell_span;
use crate::timeline::draw::{DrawOp, Point};
use crate::timeline::layout::RowBox;
use crate::timeline::scale::count_px;
use crate::timeline::theme::{Fill, Texture};

/// Bars over all rows; above that rows are drawn as images.
const BARS_MAX: usize = 900;

/// Height of letters and digits, in sizes of their type.
const LETTERS: f64 = 0.85;
/// Segments in view of a picture that is calm: its bars are rounded, which costs a canvas ten times
/// as much as a rectangle.
const CALM: usize = 160;
/// A surface's lines and its name are drawn over a row of colours from this width on, in px.
const TOLD_APART: f64 = 14.0;

/// Draws what runs on each row; gives the names, which stand above what is drawn in between.
pub fn paint(picture: &Picture, tile: &Tile, known: Span, list: &mut DrawList) -> Vec<DrawOp> {
    let per_row = BARS_MAX / picture.layout.rows.len().max(1);
    let scale = picture.scale();
    let count = column_count(&scale, picture.dpr);
    let mut names = DrawList::new(list.width, list.height);
    let seen = |lane: &LaneTile| match &lane.run {
        RunLane::Segments(segments) => in_view(segments, known).len(),
        RunLane::Cells(_) => CALM,
    };
    let calm = tile.lanes.iter().map(seen).sum::<usize>() <= CALM;
    for lane in &tile.lanes {
        let Some(row) = picture.layout.row(lane.pcpu) else { continue };
        let alike = picture.differs.map(|all| clear_of(all.on(lane.pcpu), &scale, count));
        let alike = |at: usize| alike.as_ref().is_some_and(|alike| alike[at]);
        match &lane.run {
            RunLane::Cells(cells) => {
                let grey = |cell: usize| {
                    let (from, to) = cell_span(tile, cell);
                    picture.differs.is_some_and(|all| all.within(lane.pcpu, from, to).is_empty())
                };
                let rgba = picture.laid(tile, &scale, count).cells(cells, picture.inks, grey);
                list.ops.push(DrawOp::ImageRow { area: row.bar, rgba });
            }
            RunLane::Segments(segments) => {
                let seen = in_view(segments, known);
                let bars = seen.len() <= per_row;
                if bars {
                    let span = (known.from_ns, known.to_ns);
                    let ground = picture.stretch(&scale, span, &row.bar, 0.0);
                    push_bar(list, ground, Fill::plain(picture.inks.palette.idle), calm);
                } else {
                    let mut cells = cells_of(seen, known, &scale, count);
                    part_equals(&mut cells, seen, known, &scale);
                    let rgba = column_colours(&cells, picture.inks, alike);
                    list.ops.push(DrawOp::ImageRow { area: row.bar, rgba });
                }
                let look = Look { bars, calm };
                segment_bars(picture, row, (seen, known, look), list, &mut names);
            }
        }
    }
    names.ops
}

/// The segments that touch a stretch of time.
fn in_view(segments: &[Segment], known: Span) -> &[Segment] {
    let from = segments.partition_point(|segment| segment.start_ns <= known.from_ns);
    let to = segments.partition_point(|segment| segment.start_ns < known.to_ns);
    &segments[from.saturating_sub(1).min(to)..to]
}

/// How segments are drawn.
#[derive(Clone, Copy)]
struct Look {
    /// As bars; otherwise only what tells the wide ones apart.
    bars: bool,
    /// With round corners.
    calm: bool,
}

/// Bars and names of segments.
fn segment_bars(
    picture: &Picture,
    row: &RowBox,
    (segments, known, look): (&[Segment], Span, Look),
    list: &mut DrawList,
    names: &mut DrawList,
) {
    let scale = picture.scale();
    let pixel = 1.0 / picture.dpr;
    for (at, segment) in segments.iter().enumerate() {
        if segment.vcpu == IDLE {
            continue;
        }
        let end_ns = segments.get(at + 1).map_or(known.to_ns, |next| next.start_ns);
        let span = (segment.start_ns.max(known.from_ns), end_ns);
        let mut area = picture.stretch(&scale, span, &row.bar, pixel);
        let next = segments.get(at + 1).map(|next| next.vcpu);
        let fill = picture.inks.fill(segment.vcpu);
        // A gap, so that neighbours are told apart whatever their colours; between equal ones as
        // soon as there are two pixels of the screen.
        let narrow = if next == Some(segment.vcpu) { 2.0 * pixel } else { 4.0 };
        if area.w >= narrow && end_ns < known.to_ns {
            area.w -= if area.w >= 4.0 { 1.0 } else { pixel };
        }
        if look.bars || (area.w >= TOLD_APART && fill.texture != Texture::Plain) {
            match picture.differs {
                None => push_bar(list, area, fill, look.calm),
                Some(differs) => {
                    push_bar(list, area, picture.inks.greyed(fill), look.calm);
                    for part in differs.within(row.pcpu, span.0, span.1) {
                        let part = (part.0.max(span.0), part.1.min(span.1));
                        let of = picture.stretch(&scale, part, &row.bar, pixel);
                        let w = of.w.min((area.right() - of.x).max(pixel));
                        push_bar(list, Area { w, ..of }, fill, look.calm && w >= area.w);
                    }
                }
            }
        }
        push_label(picture, names, (row.pcpu, &area), segment.vcpu);
    }
}

fn push_bar(list: &mut DrawList, area: Area, fill: Fill, calm: bool) {
    let radius = if calm && area.w >= 8.0 && area.h >= 12.0 { 3.0 } else { 0.0 };
    list.ops.push(DrawOp::Rect { area, radius, fill });
}

fn push_label(picture: &Picture, list: &mut DrawList, (pcpu, area): (u16, &Area), vcpu: u16) {
    let Some((name, colour)) = picture.inks.label(vcpu) else { return };
    let sizes = picture.inks.sizes;
    let width = count_px(name.len()) * sizes.letter;
    if area.w < width + 6.0 || area.h < sizes.text * LETTERS {
        return;
    }
    let at = Point { x: clear_of_cursor(picture, area, width), y: area.middle() };
    let (mut fill, mut colour) = (picture.inks.fill(vcpu), colour);
    let under = picture.scale().ns_under(at.x);
    if picture.differs.is_some_and(|differs| !differs.at(pcpu, under)) {
        fill = picture.inks.greyed(fill);
        colour = picture.inks.palette.text;
    }
    if fill.texture != Texture::Plain {
        let h = (sizes.text + 4.0).min(area.h);
        let plate = Area { x: at.x - width / 2.0 - 3.0, y: at.y - h / 2.0, w: width + 6.0, h };
        list.rect(plate, fill.ground);
    }
    list.text(name, at, picture.inks.bold(Align::Middle), colour);
}

/// The middle of a name: that of its bar, or of the bar's larger part beside the cursor's line if
/// that would strike the name through.
fn clear_of_cursor(picture: &Picture, area: &Area, width: f64) -> f64 {
    let middle = area.x + area.w / 2.0;
    let inside = (picture.span.from_ns..=picture.span.to_ns).contains(&picture.cursor_ns);
    let cursor = picture.scale().x_of(picture.cursor_ns);
    let struck = inside && (cursor - middle).abs() < width / 2.0 + 4.0;
    let beside = if cursor > middle {
        f64::midpoint(area.x, cursor)
    } else {
        f64::midpoint(cursor, area.right())
    };
    let fits = (cursor - beside).abs() >= width / 2.0 + 4.0;
    if struck && fits { beside } else { middle }
}
