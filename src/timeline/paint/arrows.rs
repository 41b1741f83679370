//! What goes from one row to another: tickles, steals, migrations.

use super::{DrawList, Picture, Tile};
use crate::protocol::{Arrow, ArrowKind};
use crate::timeline::draw::{DrawOp, Pen, Point};
use crate::timeline::layout::Layout;
use crate::timeline::scale::Scale;

/// Arrows that are not lit; beyond that they would cover what they are about.
const ARROWS_MAX: usize = 120;
/// From so many on they step back behind what they are about.
const ARROWS_MANY: usize = 40;

/// Draws the arrows that are not lit.
pub fn paint(picture: &Picture, tile: &Tile, list: &mut DrawList) {
    let scale = picture.scale();
    let plain = tile.arrows.iter().filter(|arrow| !picture.lit.contains(&arrow.record));
    let plain = plain.filter_map(|arrow| Some((arrow, curve(picture.layout, &scale, arrow)?)));
    let plain: Vec<_> = plain.take(ARROWS_MAX + 1).collect();
    if plain.len() > ARROWS_MAX {
        return;
    }
    let many = plain.len() >= ARROWS_MANY;
    for (arrow, points) in plain {
        let pen = pen(picture, arrow, many);
        let head = picture.inks.sizes.mark * if many { 0.8 } else { 1.0 };
        list.ops.push(DrawOp::Arrow { points, pen, head });
    }
}

/// Draws the arrows of the selected record and of its chain, in the one colour to look at.
pub fn paint_lit(picture: &Picture, tile: &Tile, list: &mut DrawList) {
    let scale = picture.scale();
    for arrow in tile.arrows.iter().filter(|arrow| picture.lit.contains(&arrow.record)) {
        let Some(points) = curve(picture.layout, &scale, arrow) else { continue };
        let chosen = picture.selected.is_some_and(|selected| selected.record == arrow.record);
        let width = picture.inks.sizes.line * if chosen { 1.7 } else { 1.2 };
        let colour = picture.inks.palette.hot;
        let colour = if chosen { colour } else { colour.with_alpha(190) };
        let pen = Pen { width, colour, dash: dash(arrow.kind) };
        let head = picture.inks.sizes.mark * if chosen { 1.5 } else { 1.2 };
        list.ops.push(DrawOp::Arrow { points, pen, head });
    }
}

/// The way of an arrow; none if it is not in view, or stays on its row and is too short to draw.
#[must_use]
pub fn curve(layout: &Layout, scale: &Scale, arrow: &Arrow) -> Option<[Point; 4]> {
    if arrow.end_ns < scale.span.from_ns || arrow.start_ns > scale.span.to_ns {
        return None;
    }
    let (from, to) = (layout.row(arrow.from), layout.row(arrow.to));
    let (x0, x1) = (scale.x_within(arrow.start_ns), scale.x_within(arrow.end_ns));
    if arrow.from == arrow.to {
        return own_row(layout, arrow, (x0, x1));
    }
    let any = from.or(to)?;
    let out_of_sight = |pcpu| if pcpu < any.pcpu { layout.plot.y } else { layout.plot.bottom() };
    let down = arrow.to > arrow.from;
    let y0 = from.map_or_else(|| out_of_sight(arrow.from), |row| row.bar.middle());
    let y1 = to.map_or_else(
        || out_of_sight(arrow.to),
        |row| if down { row.bar.y } else { row.belief.bottom() },
    );
    let bulge = ((y1 - y0).abs() * 0.3).clamp(6.0, 24.0);
    // A tickle and the move that made it often join the same rows: they bow to different sides.
    let to_right = if arrow.kind == ArrowKind::Tickle {
        x0.max(x1) + bulge + 2.0 <= scale.right()
    } else {
        x0.min(x1) - bulge - 2.0 < scale.left
    };
    let bulge = if to_right { bulge } else { -bulge };
    let reach = (x1 - x0) * 0.35;
    let rise = (y1 - y0) * 0.4;
    Some([
        Point { x: x0, y: y0 },
        Point { x: (x0 + reach + bulge).clamp(scale.left, scale.right()), y: y0 },
        Point { x: (x1 - reach + bulge).clamp(scale.left, scale.right()), y: y1 - rise },
        Point { x: x1, y: y1 },
    ])
}

/// A tickle of oneself: a bow over the bar, if it takes long enough to be seen.
fn own_row(layout: &Layout, arrow: &Arrow, (x0, x1): (f64, f64)) -> Option<[Point; 4]> {
    let row = layout.row(arrow.from).filter(|_| x1 - x0 >= 8.0)?;
    let (low, high) = (row.bar.middle(), row.bar.y + 2.0);
    let third = (x1 - x0) / 3.0;
    Some([
        Point { x: x0, y: low },
        Point { x: x0 + third, y: high },
        Point { x: x1 - third, y: high },
        Point { x: x1, y: low },
    ])
}

fn pen(picture: &Picture, arrow: &Arrow, many: bool) -> Pen {
    let palette = picture.inks.palette;
    let alike = arrow.start_ns < picture.alike_until_ns;
    let colour = match arrow.kind {
        _ if alike => palette.muted,
        ArrowKind::Tickle => palette.accent,
        _ => palette.text,
    };
    let width = picture.inks.sizes.line * if many { 0.75 } else { 1.0 };
    let colour = colour.with_alpha(if many || alike { 150 } else { 205 });
    Pen { width, colour, dash: dash(arrow.kind) }
}

/// How an arrow is dashed, in px.
#[must_use]
pub const fn dash(kind: ArrowKind) -> f64 {
    match kind {
        ArrowKind::Tickle => 0.0,
        ArrowKind::Steal => 5.0,
        ArrowKind::Migrate => 2.0,
    }
}
