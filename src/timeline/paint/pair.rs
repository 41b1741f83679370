//! Two runs in one picture: each row doubled, A above B, and between them where they differ.
//!
//! What differs keeps its colour, the rest is grey. Must not work out differences.

use super::raster::{column_count, span_colours};
use super::{Area, Differences, DrawList, Picture, frame, lanes};
use crate::protocol::{Record, Tile};
use crate::timeline::draw::DrawOp;
use crate::timeline::layout::Layout;

/// One side of the picture.
#[derive(Clone, Copy, Debug)]
pub struct Half<'a> {
    /// Its halves of the rows.
    pub layout: &'a Layout,
    /// What is known of its run.
    pub tile: Option<&'a Tile>,
    /// The record selected in it.
    pub selected: Option<Record>,
    /// Records whose arrows are lit.
    pub lit: &'a [u32],
}

/// What a timeline of two runs shows.
#[derive(Clone, Copy, Debug)]
pub struct PairPicture<'a> {
    /// What both share, on the doubled rows. Its tile is not looked at.
    pub whole: Picture<'a>,
    /// A and B.
    pub halves: [Half<'a>; 2],
    /// When they part, in ns.
    pub parting_ns: Option<u64>,
}

/// A bit of difference colours its pixel wholly: nothing that differs is hidden.
const LEAST: f64 = 1.0;

/// Draws a timeline of two runs.
#[must_use]
pub fn paint_pair(pair: &PairPicture) -> DrawList {
    let whole = &pair.whole;
    let mut list = DrawList::new(whole.layout.width, whole.layout.height);
    frame::grid(whole, &mut list);
    frame::names(whole, &mut list);
    for half in &pair.halves {
        lanes(&half_picture(whole, half), &mut list);
    }
    if let Some(differs) = whole.differs {
        strips(pair, differs, &mut list);
    }
    let reached = |half: &&Half| half.tile.map_or(0, |tile| tile.reached_ns);
    let behind = pair.halves.iter().min_by_key(reached).and_then(|half| half.tile);
    frame::rest(&Picture { tile: behind, ..*whole }, &mut list);
    frame::range(whole, &mut list);
    if let Some(parting_ns) = pair.parting_ns {
        frame::parting(whole, parting_ns, &mut list);
    }
    frame::cursor(whole, &mut list);
    list
}

/// The picture of one side.
#[must_use]
pub fn half_picture<'a>(whole: &Picture<'a>, half: &Half<'a>) -> Picture<'a> {
    let Half { layout, tile, selected, lit } = *half;
    Picture { layout, tile, selected, lit, ..*whole }
}

/// Between the halves of each row: where they differ.
fn strips(pair: &PairPicture, differs: &Differences, list: &mut DrawList) {
    let whole = &pair.whole;
    let scale = whole.scale();
    let count = column_count(&scale, whole.dpr);
    let [a, b] = pair.halves.map(|half| half.layout);
    for (above, below) in a.rows.iter().zip(&b.rows) {
        let spans = differs.on(above.pcpu);
        if spans.is_empty() {
            continue;
        }
        let room = below.bar.y - above.belief.bottom();
        let h = if room > 4.0 { room - 2.0 } else { room };
        let y = above.belief.bottom() + (room - h) / 2.0;
        let colour = whole.inks.palette.text;
        let rgba = span_colours(spans, &scale, count, colour, LEAST);
        list.ops.push(DrawOp::ImageRow { area: Area { y, h, ..above.bar }, rgba });
    }
}
