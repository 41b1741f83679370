//! Rows of colours: what is drawn when there is more than one thing to a pixel.
//!
//! Must not sample: a column tells about all that it hides.

use super::Inks;
use crate::protocol::{Cell, IDLE, Segment, Span};
use crate::timeline::scale::{Scale, count_px, to_index, to_px};
use crate::timeline::shape::is_guest;
use crate::timeline::theme::Colour;
use std::rc::Rc;

/// A guest that ran at all is seen at least this much, in 255ths.
const SHARE_MIN: u8 = 72;
/// Stretches of the same guest are told apart by a gap from this width on, in px.
const GAP_FROM: f64 = 3.0;
const NOTHING: Cell = Cell { busy: 0, vcpu: IDLE, count: 0 };

/// Which columns hold nothing of the spans.
pub fn clear_of(spans: &[(u64, u64)], scale: &Scale, count: usize) -> Vec<bool> {
    let rgba = span_colours(spans, scale, count, Colour::hex(0), 1.0);
    rgba.chunks_exact(4).map(|pixel| pixel[3] == 0).collect()
}

/// How many columns of the screen's own pixels a scale has.
#[must_use]
pub fn column_count(scale: &Scale, dpr: f64) -> usize {
    to_index((scale.width * dpr).round()).max(1)
}

/// Cells of a stretch of time, laid over a scale.
#[derive(Clone, Copy, Debug)]
pub struct Laid<'a> {
    /// The scale that they are laid over.
    pub scale: &'a Scale,
    /// Columns of the scale.
    pub count: usize,
    /// The cells' time; known up to its end.
    pub span: Span,
    /// Each is 2 to the power of this many ns long.
    pub shift: u32,
}

impl Laid<'_> {
    /// The mean of a value of cells under each column, weighted by how much of the column each
    /// covers, and how much of the column is known, as a share. So a picture that is moved or
    /// zoomed changes by as much as it moves: nothing leaps from one column to the next.
    fn means<const N: usize>(&self, cells: &[[u8; N]]) -> Vec<([f64; N], f64)> {
        let size = to_px(1 << self.shift);
        let start_ns = self.span.from_ns >> self.shift << self.shift;
        let of = |ns: u64| (to_px(i128::from(ns) - i128::from(start_ns))) / size;
        let (known_from, known_to) = (of(self.span.from_ns), of(self.span.to_ns));
        let (origin, step) =
            (of(self.scale.span.from_ns), self.scale.ns_per_px() * self.scale.width / size);
        let step = step / count_px(self.count);
        let column = |at: usize| {
            let from = (origin + count_px(at) * step).max(known_from);
            let to = (origin + count_px(at + 1) * step).min(known_to);
            let mut sum = [0.0; N];
            if to <= from {
                return (sum, 0.0);
            }
            for (at, cell) in
                cells.iter().enumerate().take(to_index(to.ceil())).skip(to_index(from))
            {
                let part = (to.min(count_px(at + 1)) - from.max(count_px(at))).max(0.0);
                for (sum, value) in sum.iter_mut().zip(cell) {
                    *sum += part * f64::from(*value);
                }
            }
            (sum.map(|sum| sum / (to - from)), (to - from) / step)
        };
        (0..self.count).map(column).collect()
    }

    /// The colours of cells: the busier, the stronger; what is not known stays clear. Cells that
    /// are `alike` beside are grey.
    pub fn cells(&self, cells: &[Cell], inks: &Inks, alike: impl Fn(usize) -> bool) -> Rc<[u8]> {
        let cells = cells.iter().enumerate();
        let colours: Vec<[u8; 3]> =
            cells.map(|(at, cell)| cell_colour(cell, inks, alike(at)).rgb).collect();
        let pixel = |([r, g, b], known): ([f64; 3], f64)| {
            [level(r), level(g), level(b), level(known * 255.0)]
        };
        self.means(&colours).into_iter().flat_map(pixel).collect()
    }

    /// Shares of cells as a colour's opacity; what is there at all has at least the share `least`.
    pub fn shares(&self, shares: &[u8], colour: Colour, least: u8) -> Rc<[u8]> {
        let floor = |share: &u8| [if *share > 0 { (*share).max(least) } else { 0 }];
        let shares: Vec<[u8; 1]> = shares.iter().map(floor).collect();
        let pixel =
            |([share], known): ([f64; 1], f64)| bytes(colour.with_alpha(level(share * known)));
        self.means(&shares).into_iter().flat_map(pixel).collect()
    }
}

/// A level of colour: a byte, rounded.
fn level(value: f64) -> u8 {
    u8::try_from(to_index(value + 0.5)).unwrap_or(u8::MAX)
}

fn cell_colour(cell: &Cell, inks: &Inks, alike: bool) -> Colour {
    let idle = inks.palette.idle;
    let fill = match cell.vcpu {
        IDLE => return idle,
        vcpu if alike => inks.greyed(inks.fill(vcpu)),
        vcpu => inks.fill(vcpu),
    };
    idle.mixed(fill.ground, cell.busy.max(SHARE_MIN))
}

/// The cells of a row of segments within `known`; none outside of it.
#[must_use]
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

/// Leaves a column idle where a guest ends and at once begins anew, if both stretches are wide
/// enough to be told apart.
pub fn part_equals(cells: &mut [Option<Cell>], segments: &[Segment], known: Span, scale: &Scale) {
    let per_px = count_px(cells.len()) / scale.width;
    let column = |time_ns: u64| (scale.x_within(time_ns) - scale.left) * per_px;
    for (at, pair) in segments.windows(2).enumerate() {
        if pair[0].vcpu != pair[1].vcpu || !is_guest(pair[0].vcpu) {
            continue;
        }
        let end_ns = segments.get(at + 2).map_or(known.to_ns, |next| next.start_ns);
        let border = column(pair[1].start_ns);
        let narrower = (border - column(pair[0].start_ns)).min(column(end_ns) - border);
        let last = to_index(border.round()).saturating_sub(1);
        if narrower >= GAP_FROM * per_px
            && let Some(cell) = cells.get_mut(last)
        {
            *cell = Some(NOTHING);
        }
    }
}

/// The colours of columns; what is not known stays clear. Columns that are `alike` beside are grey.
pub fn column_colours(
    columns: &[Option<Cell>],
    inks: &Inks,
    alike: impl Fn(usize) -> bool,
) -> Rc<[u8]> {
    let colour = |(at, cell): (usize, &Option<Cell>)| match cell {
        None => [0; 4],
        Some(cell) => bytes(cell_colour(cell, inks, alike(at))),
    };
    columns.iter().enumerate().flat_map(colour).collect()
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
    use crate::timeline::sample::below;

    fn scale(from_ns: u64, to_ns: u64) -> Scale {
        Scale { span: Span { from_ns, to_ns }, left: 52.0, width: 10.0 }
    }

    fn laid(scale: &Scale, span: Span, shift: u32) -> Laid<'_> {
        Laid { scale, count: 10, span, shift }
    }

    fn alphas(rgba: &[u8]) -> Vec<u8> {
        rgba.chunks_exact(4).map(|pixel| pixel[3]).collect()
    }

    /// Goal: cells laid over their own stretch of time come out as they are; over half of it each
    /// comes twice; beyond it nothing is known; two under one column become their mean.
    #[test]
    fn cells_are_laid_where_they_belong() {
        let shares: Vec<u8> = (1..=10).map(|at| at * 20).collect();
        let span = Span { from_ns: 10 << 10, to_ns: 20 << 10 };
        let colours = |from: u64, to: u64| {
            let scale = scale(from, to);
            alphas(&laid(&scale, span, 10).shares(&shares, Colour::hex(0), 0))
        };
        assert_eq!(colours(10 << 10, 20 << 10), shares);
        assert_eq!(colours(15 << 10, 20 << 10), [120, 120, 140, 140, 160, 160, 180, 180, 200, 200]);
        assert_eq!(colours(15 << 10, 25 << 10), [120, 140, 160, 180, 200, 0, 0, 0, 0, 0]);
        assert_eq!(colours(0, 20 << 10), [0, 0, 0, 0, 0, 30, 70, 110, 150, 190]);
    }

    /// Goal: no shimmer: while a picture is moved by parts of a pixel and zoomed by a hair, no
    /// column changes by more than what moved into it, and the sum of all stays. Method: random
    /// shares, moved by a twentieth of a column at a time, and laid over a grid half as fine.
    #[test]
    fn nothing_leaps_while_a_picture_moves() {
        let mut state = 5;
        let shares: Vec<u8> =
            (0..64).map(|_| u8::try_from(below(&mut state, 256)).expect("a byte")).collect();
        let halves: Vec<u8> = shares
            .chunks_exact(2)
            .map(|pair| {
                u8::try_from((u16::from(pair[0]) + u16::from(pair[1])) / 2).expect("a byte")
            })
            .collect();
        let span = Span { from_ns: 0, to_ns: 64 << 10 };
        let mut before: Option<Vec<u8>> = None;
        for step in 0..200u64 {
            let from = (16 << 10) + step * 102;
            let scale = scale(from, from + (20 << 10));
            let here = alphas(&laid(&scale, span, 10).shares(&shares, Colour::hex(0), 0));
            let coarse = alphas(&laid(&scale, span, 11).shares(&halves, Colour::hex(0), 0));
            let sum = |of: &[u8]| of.iter().map(|share| i32::from(*share)).sum::<i32>();
            assert!((sum(&here) - sum(&coarse)).abs() <= 300, "{here:?}, coarser {coarse:?}");
            if let Some(before) = &before {
                for (old, new) in before.iter().zip(&here) {
                    assert!(old.abs_diff(*new) <= 14, "{before:?} became {here:?}");
                }
            }
            before = Some(here);
        }
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
