//! What the scheduler believes: idler bit and tickled bit, under the bar that tells what is so.

use super::raster::{column_count, span_colours};
use super::{DrawList, Picture, Tile};
use crate::protocol::{Belief, Span};
use crate::timeline::draw::{Area, DrawOp};
use crate::timeline::theme::{Colour, Fill, Texture};

/// Spans of one kind over all rows; above that lanes are drawn as images.
const SPANS_MAX: usize = 500;
/// A bit set for a moment colours its pixel by this share.
const LEAST: f64 = 0.25;
/// The same for a cell, in 255ths.
const SHARE_LEAST: u8 = 64;

/// Draws the belief lanes.
pub fn paint(picture: &Picture, tile: &Tile, known: Span, list: &mut DrawList) {
    let palette = picture.inks.palette;
    let told = Fill {
        ground: palette.told,
        texture: Texture::Stripes,
        ink: palette.panel.with_alpha(150),
    };
    for lane in &tile.lanes {
        let Some(row) = picture.layout.row(lane.pcpu) else { continue };
        let believed = Fill::plain(palette.believed);
        for (belief, fill) in [(&lane.idler, believed), (&lane.tickled, told)] {
            match belief {
                Belief::Spans(all) => spans(picture, all, known, &row.belief, fill, list),
                Belief::Shares(shares) => {
                    let scale = picture.scale();
                    let laid = picture.laid(tile, &scale, column_count(&scale, picture.dpr));
                    let colour = Colour { alpha: 255, ..fill.ground };
                    let rgba = laid.shares(shares, colour, SHARE_LEAST);
                    list.ops.push(DrawOp::ImageRow { area: row.belief, rgba });
                }
            }
        }
    }
}

fn spans(
    picture: &Picture,
    spans: &[(u64, u64)],
    known: Span,
    band: &Area,
    fill: Fill,
    list: &mut DrawList,
) {
    let scale = picture.scale();
    let from = spans.partition_point(|(_, to)| *to <= known.from_ns);
    let to = spans.partition_point(|(from, _)| *from < known.to_ns);
    let seen = &spans[from.min(to)..to];
    if seen.len() > SPANS_MAX / picture.layout.rows.len().max(1) {
        let count = column_count(&scale, picture.dpr);
        let rgba = span_colours(seen, &scale, count, Colour { alpha: 255, ..fill.ground }, LEAST);
        list.ops.push(DrawOp::ImageRow { area: *band, rgba });
        return;
    }
    for (from, to) in seen {
        let span = (*from.max(&known.from_ns), *to.min(&known.to_ns));
        // A bit that was set for less than a pixel was set.
        let area = picture.stretch(&scale, span, band, 2.0);
        let fill = if area.w < 6.0 { Fill::plain(fill.ground) } else { fill };
        let alike = *to <= picture.alike_until_ns;
        let fill = if alike { picture.inks.greyed(fill) } else { fill };
        list.ops.push(DrawOp::Rect { area, radius: 0.0, fill });
    }
}
