//! The overview strip: the whole run, and which part of it is shown.

use super::Inks;
use super::raster::{Laid, column_count};
use crate::protocol::{Overview, Span};
use crate::timeline::differ::differing_cells;
use crate::timeline::draw::{Area, DrawList, DrawOp, Pen, Point};
use crate::timeline::scale::{Scale, count_px};
use crate::timeline::theme::{Fill, Texture};
use std::rc::Rc;

/// Above the first lane and below the last, in px.
const MARGIN: f64 = 5.0;
/// The brush is never narrower, in px.
const BRUSH_MIN: f64 = 3.0;

/// What an overview strip shows.
#[derive(Clone, Copy, Debug)]
pub struct OverviewPicture<'a> {
    /// Colours and names.
    pub inks: &'a Inks,
    /// The whole run laid over the strip.
    pub scale: Scale,
    /// Width and height of the strip, in px.
    pub size: (f64, f64),
    /// Each pCPU's colours; see [`overview_rows`].
    pub rows: &'a [Rc<[u8]>],
    /// Up to where the run has come, in ns.
    pub reached_ns: u64,
    /// The part that is shown.
    pub brush: Span,
    /// The cursor, in ns.
    pub cursor_ns: u64,
    /// When the two runs part, if there are two, in ns.
    pub parting_ns: Option<u64>,
}

/// How high the strip is for so many pCPUs, in px.
#[must_use]
pub fn overview_height(rows: usize) -> f64 {
    let lane = match rows {
        0..=5 => 8.0,
        6..=16 => 3.0,
        _ => 1.0,
    };
    (count_px(rows) * lane + 2.0 * MARGIN).max(36.0)
}

/// Each pCPU's row of colours. Made apart from the strip, because it changes far more seldom than
/// the brush and the cursor do.
#[must_use]
pub fn overview_rows(overview: &Overview, scale: &Scale, inks: &Inks, dpr: f64) -> Vec<Rc<[u8]>> {
    let laid = laid(overview, scale, dpr);
    overview.lanes.iter().map(|cells| laid.cells(cells, inks, |_| false)).collect()
}

/// The same of two runs: each pCPU's A above its B, grey where they are alike.
#[must_use]
pub fn overview_rows_of_both(
    both: [&Overview; 2],
    scale: &Scale,
    inks: &Inks,
    dpr: f64,
) -> Vec<Rc<[u8]>> {
    let pcpus = both[0].lanes.len().min(both[1].lanes.len());
    let rows = (0..pcpus).flat_map(|pcpu| {
        let differs = differing_cells(both, pcpu);
        let alike = |at: usize| !differs.get(at).copied().unwrap_or(false);
        both.map(|one| laid(one, scale, dpr).cells(&one.lanes[pcpu], inks, alike))
    });
    rows.collect()
}

fn laid<'a>(overview: &Overview, scale: &'a Scale, dpr: f64) -> Laid<'a> {
    let to_ns = overview.span.to_ns.min(overview.reached_ns).max(overview.span.from_ns);
    let span = Span { to_ns, ..overview.span };
    Laid { scale, count: column_count(scale, dpr), span, shift: overview.shift }
}

/// Draws an overview strip.
#[must_use]
pub fn paint_overview(picture: &OverviewPicture) -> DrawList {
    let (width, height) = picture.size;
    let mut list = DrawList::new(width, height);
    let scale = picture.scale;
    let palette = picture.inks.palette;
    let lane_h = (height - 2.0 * MARGIN) / count_px(picture.rows.len().max(1));
    let gap = if lane_h >= 5.0 { 1.5 } else { 0.0 };
    for (at, rgba) in picture.rows.iter().enumerate() {
        let y = MARGIN + count_px(at) * lane_h;
        let area = Area { x: scale.left, y, w: scale.width, h: lane_h - gap };
        list.ops.push(DrawOp::ImageRow { area, rgba: Rc::clone(rgba) });
    }
    let reached = picture.reached_ns;
    if reached < scale.span.to_ns {
        let x = scale.x_within(reached);
        let area = Area { x, y: MARGIN, w: scale.right() - x, h: height - 2.0 * MARGIN };
        let ink = palette.muted.with_alpha(70);
        let fill = Fill { ground: palette.panel, texture: Texture::Stripes, ink };
        list.ops.push(DrawOp::Rect { area, radius: 0.0, fill });
    }
    brush(picture, &mut list);
    if let Some(parting_ns) = picture.parting_ns {
        let x = scale.x_within(parting_ns);
        let (from, to) = (Point { x, y: 0.0 }, Point { x, y: height });
        list.line(from, to, Pen::solid(picture.inks.sizes.line, palette.text));
    }
    let x = scale.x_within(picture.cursor_ns);
    let (from, to) = (Point { x, y: 0.0 }, Point { x, y: height });
    list.line(from, to, Pen::solid(picture.inks.sizes.line, palette.hot));
    list
}

fn brush(picture: &OverviewPicture, list: &mut DrawList) {
    let scale = picture.scale;
    let accent = picture.inks.palette.accent;
    let height = picture.size.1;
    let (left, right) =
        (scale.x_within(picture.brush.from_ns), scale.x_within(picture.brush.to_ns));
    let w = (right - left).max(BRUSH_MIN);
    let x = left.min(scale.right() - w);
    let area = Area { x, y: 0.0, w, h: height };
    let fill = Fill::plain(accent.with_alpha(46));
    list.ops.push(DrawOp::Rect { area, radius: 3.0, fill });
    for x in [area.x, area.right()] {
        let (from, to) = (Point { x, y: 1.0 }, Point { x, y: height - 1.0 });
        list.line(from, to, Pen::solid(picture.inks.sizes.line, accent));
    }
}
