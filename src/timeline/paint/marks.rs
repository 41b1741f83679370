//! What happened on a row: small signs that stay even when what they stand for is too short to
//! draw.

use super::raster::{column_count, span_colours};
use super::{Align, DrawList, Picture, Tile};
use crate::protocol::{LaneTile, Mark, MarkKind, Span};
use crate::timeline::draw::{Area, DrawOp, Point, Sign};
use crate::timeline::layout::RowBox;
use crate::timeline::scale::{count_px, to_ns};
use crate::timeline::theme::Colour;

/// Signs over all rows; above that a kind is drawn as a strip.
const MARKS_MAX: usize = 400;
/// Parts of time whose signs of a kind are one, in widths of a sign at least.
const JOIN: f64 = 0.9;
/// A count is written if the next sign of its kind is at least so far away, in letters.
const COUNT_LETTERS: f64 = 5.0;

/// Something that happened colours its pixel wholly.
const LEAST: f64 = 1.0;
const KINDS: [MarkKind; 6] = [
    MarkKind::Account,
    MarkKind::Migrate,
    MarkKind::Steal,
    MarkKind::Kick,
    MarkKind::Tickled,
    MarkKind::Wake,
];

/// Marks of a kind that stand for one place on the screen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shown {
    /// The first of them, with how many they are.
    pub mark: Mark,
    /// Where it is drawn.
    pub at: Point,
    /// From side to side, in px.
    pub size: f64,
}

/// The marks of a row as they are drawn, left to right for each kind.
#[must_use]
pub fn shown_marks(picture: &Picture, row: &RowBox, lane: &LaneTile, known: Span) -> Vec<Shown> {
    let scale = picture.scale();
    // In a low row a sign is small and sits on the edge, so that names stay readable.
    let size = picture.inks.sizes.mark.min(row.bar.h * 0.4).max(4.0);
    // Signs that are one lie in one part of a grid that begins at 0: which are one does not change
    // while the picture moves.
    let part = to_ns(scale.ns_per_px() * size * JOIN).max(1).next_power_of_two();
    let mut shown: Vec<Shown> = Vec::new();
    let mut last_of_kind: [Option<usize>; MarkKind::ALL.len()] = [None; MarkKind::ALL.len()];
    for mark in &lane.marks {
        if !(known.from_ns..=known.to_ns).contains(&mark.time_ns) {
            continue;
        }
        let x = scale.x_of(mark.time_ns);
        let last = &mut last_of_kind[mark.kind as usize];
        match last.map(|at| &mut shown[at]) {
            Some(near) if near.mark.time_ns / part == mark.time_ns / part => {
                near.mark.count = near.mark.count.saturating_add(mark.count);
            }
            _ => {
                *last = Some(shown.len());
                let at = Point { x, y: height(mark.kind, row, size) };
                shown.push(Shown { mark: *mark, at, size });
            }
        }
    }
    shown
}

/// Draws the marks of each row.
pub fn paint(picture: &Picture, tile: &Tile, known: Span, list: &mut DrawList) {
    let rows = tile.lanes.iter().filter_map(|lane| {
        let row = picture.layout.row(lane.pcpu)?;
        Some((row, lane, shown_marks(picture, row, lane, known)))
    });
    let rows: Vec<_> = rows.collect();
    // All rows alike: a row with strips beside one with signs would look as if it had none.
    let many = rows.iter().any(|(_, lane, _)| !lane.counts.is_empty())
        || rows.iter().map(|(_, _, shown)| shown.len()).sum::<usize>() > MARKS_MAX;
    for (row, lane, shown) in rows {
        if many {
            strips(picture, tile, row, lane, list);
        } else {
            signs(picture, row, &shown, list);
        }
    }
    selected(picture, list);
}

fn signs(picture: &Picture, row: &RowBox, shown: &[Shown], list: &mut DrawList) {
    for kind in KINDS {
        // Signs of a kind in a row: whoever draws can draw them at once.
        let of_kind: Vec<&Shown> = shown.iter().filter(|one| one.mark.kind == kind).collect();
        of_kind.iter().for_each(|one| sign(picture, one, list));
        for (at, one) in of_kind.iter().enumerate() {
            count(picture, row, one, of_kind.get(at + 1).copied(), list);
        }
    }
}

fn sign(picture: &Picture, one: &Shown, list: &mut DrawList) {
    let palette = picture.inks.palette;
    list.ops.push(DrawOp::Glyph {
        sign: sign_of(one.mark.kind),
        at: one.at,
        size: one.size,
        colour: colour(picture, one.mark),
        rim: palette.panel,
    });
}

/// Writes how many a sign stands for, where there is room.
fn count(picture: &Picture, row: &RowBox, one: &Shown, next: Option<&Shown>, list: &mut DrawList) {
    let sizes = picture.inks.sizes;
    let told = matches!(one.mark.kind, MarkKind::Wake | MarkKind::Tickled);
    let text = format!("×{}", one.mark.count);
    let room = sizes.letter * COUNT_LETTERS;
    let free_to = next.map_or(row.bar.right(), |next| next.at.x);
    if !told || one.mark.count < 2 || row.bar.h < 3.0 * sizes.text || free_to - one.at.x < room {
        return;
    }
    let height = sizes.text;
    let y = match one.mark.kind {
        MarkKind::Wake => row.bar.bottom() - height / 2.0 - 2.0,
        _ => row.bar.y + height / 2.0 + 2.0,
    };
    let x = one.at.x + one.size * 0.8;
    let width = (count_px(text.chars().count()) * sizes.letter + 3.0).min(row.bar.right() - x);
    let plate = Area { x: x - 1.5, y: y - height / 2.0, w: width, h: height };
    let at = Point { x, y };
    list.rect(plate, picture.inks.palette.panel.with_alpha(220));
    list.text(text, at, picture.inks.type_(Align::Start), picture.inks.palette.text);
}

/// One strip for wake-ups below the bar, one for everything else above it.
fn strips(picture: &Picture, tile: &Tile, row: &RowBox, lane: &LaneTile, list: &mut DrawList) {
    let scale = picture.scale();
    let count = column_count(&scale, picture.dpr);
    let h = row.belief.y - row.bar.bottom();
    let foot = Area { y: row.bar.bottom(), h, ..row.bar };
    let head = Area { y: row.bar.y - h, h, ..row.bar };
    let palette = picture.inks.palette;
    for (wakes, area, colour) in [(true, foot, palette.text), (false, head, palette.accent)] {
        let of = lane.marks.iter().filter(|mark| (mark.kind == MarkKind::Wake) == wakes);
        let spans: Vec<_> = of.map(|mark| (mark.time_ns, mark.time_ns)).collect();
        if !spans.is_empty() {
            let rgba = span_colours(&spans, &scale, count, colour, LEAST);
            list.ops.push(DrawOp::ImageRow { area, rgba });
        }
        let counts = lane.counts.iter().filter(|(kind, _)| (*kind == MarkKind::Wake) == wakes);
        let mut there: Vec<u8> = Vec::new();
        for (_, counts) in counts {
            there.resize(counts.len().max(there.len()), 0);
            for (there, count) in there.iter_mut().zip(counts) {
                *there = (*there).max(if *count > 0 { u8::MAX } else { 0 });
            }
        }
        if !there.is_empty() {
            let rgba = picture.laid(tile, &scale, count).shares(&there, colour, 0);
            list.ops.push(DrawOp::ImageRow { area, rgba });
        }
    }
}

/// The selected record's own place, in the one colour to look at.
fn selected(picture: &Picture, list: &mut DrawList) {
    let Some(place) = picture.selected.map(|record| record.place) else { return };
    let inside = (picture.span.from_ns..=picture.span.to_ns).contains(&place.time_ns);
    let Some(row) = picture.layout.row(place.pcpu).filter(|_| inside) else { return };
    let size = (picture.inks.sizes.mark * 1.4).min(row.bar.h);
    let x = picture.scale().x_of(place.time_ns);
    list.ops.push(DrawOp::Glyph {
        sign: Sign::Up,
        at: Point { x, y: row.bar.bottom() - size * 0.3 },
        size,
        colour: picture.inks.palette.hot,
        rim: picture.inks.palette.panel,
    });
}

fn height(kind: MarkKind, row: &RowBox, size: f64) -> f64 {
    let inwards = if row.bar.h < 24.0 { 0.1 } else { 0.3 };
    match kind {
        MarkKind::Wake | MarkKind::Account => row.bar.bottom() - size * inwards,
        MarkKind::Tickled => row.bar.y + size * inwards,
        MarkKind::Kick | MarkKind::Steal | MarkKind::Migrate => row.bar.y + size * inwards * 1.6,
    }
}

/// The sign of a kind of mark.
#[must_use]
pub const fn sign_of(kind: MarkKind) -> Sign {
    match kind {
        MarkKind::Wake => Sign::Up,
        MarkKind::Tickled => Sign::Down,
        MarkKind::Kick => Sign::Left,
        MarkKind::Steal => Sign::Diamond,
        MarkKind::Migrate => Sign::Right,
        MarkKind::Account => Sign::Bar,
    }
}

fn colour(picture: &Picture, mark: Mark) -> Colour {
    let palette = picture.inks.palette;
    match mark.kind {
        _ if mark.time_ns < picture.alike_until_ns => palette.muted.with_alpha(120),
        MarkKind::Tickled => palette.accent,
        MarkKind::Account => palette.muted,
        _ => palette.text,
    }
}
