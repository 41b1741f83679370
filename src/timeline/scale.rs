//! Time ↔ pixels: zoom, pan, clamp.
//!
//! Times are whole ns; pixels are CSS pixels. Must not know rows.

use crate::protocol::Span;

/// The shortest stretch of time that can be shown, in ns.
pub const SPAN_NS_MIN: u64 = 200;

/// A stretch of time laid over a stretch of pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The time shown.
    pub span: Span,
    /// Where it starts, in px.
    pub left: f64,
    /// How wide it is, in px.
    pub width: f64,
}

impl Scale {
    /// Where a moment is, in px; outside the picture too.
    #[must_use]
    pub fn x_of(&self, time_ns: u64) -> f64 {
        let from_start = to_px(i128::from(time_ns) - i128::from(self.span.from_ns));
        self.left + from_start * self.width / to_px(i128::from(self.len_ns()))
    }

    /// Like [`Scale::x_of`], held within the picture.
    #[must_use]
    pub fn x_within(&self, time_ns: u64) -> f64 {
        self.x_of(time_ns).clamp(self.left, self.right())
    }

    /// The moment at a pixel, held within the picture, in ns.
    #[must_use]
    pub fn time_at(&self, x: f64) -> u64 {
        let share = ((x - self.left) / self.width).clamp(0.0, 1.0);
        (self.span.from_ns + to_ns(share * to_px(i128::from(self.len_ns())))).min(self.span.to_ns)
    }

    /// The ns that a pixel lies in, in whole ns; unlike [`Scale::time_at`] never the next one.
    #[must_use]
    pub fn ns_under(&self, x: f64) -> u64 {
        let time_ns = self.time_at(x);
        // A little to the right, so that the pixel of a moment lies in it.
        if self.x_of(time_ns) > x + 1e-6 { time_ns.saturating_sub(1) } else { time_ns }
    }

    /// Where the picture ends, in px.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    /// How long a pixel is, in ns.
    #[must_use]
    pub fn ns_per_px(&self) -> f64 {
        to_px(i128::from(self.len_ns())) / self.width
    }

    /// The stretch of time shown, in ns; never 0.
    #[must_use]
    pub fn len_ns(&self) -> u64 {
        self.span.to_ns.saturating_sub(self.span.from_ns).max(1)
    }

    /// The stretch to show after zooming by `factor` (above 1 shows more) with the moment under
    /// `x` held where it is, to half a ns.
    #[must_use]
    pub fn zoomed(&self, x: f64, factor: f64, duration_ns: u64) -> Span {
        let len = to_px(i128::from(self.len_ns()));
        let share = ((x - self.left) / self.width).clamp(0.0, 1.0);
        let longest = duration_ns.max(SPAN_NS_MIN);
        let len_new = to_ns(len * factor).clamp(SPAN_NS_MIN, longest);
        let shift = share * (len - to_px(i128::from(len_new)));
        shifted(self.span.from_ns, shift, len_new, duration_ns)
    }

    /// The stretch to show after dragging the picture by `dx` px to the right.
    #[must_use]
    pub fn panned(&self, dx: f64, duration_ns: u64) -> Span {
        shifted(self.span.from_ns, -dx * self.ns_per_px(), self.len_ns(), duration_ns)
    }
}

/// The stretch held within the run and no shorter than can be shown.
#[must_use]
pub fn clamped(span: Span, duration_ns: u64) -> Span {
    let len = span.to_ns.saturating_sub(span.from_ns).max(SPAN_NS_MIN);
    shifted(span.from_ns, 0.0, len.min(duration_ns.max(SPAN_NS_MIN)), duration_ns)
}

/// The stretch of this length around a moment, held within the run.
#[must_use]
pub fn centred(time_ns: u64, len_ns: u64, duration_ns: u64) -> Span {
    let len_ns = len_ns.clamp(SPAN_NS_MIN, duration_ns.max(SPAN_NS_MIN));
    shifted(time_ns.saturating_sub(len_ns / 2), 0.0, len_ns, duration_ns)
}

fn shifted(from_ns: u64, shift_ns: f64, len_ns: u64, duration_ns: u64) -> Span {
    let forth = to_ns(shift_ns.max(0.0));
    let back = to_ns((-shift_ns).max(0.0));
    let from_ns = from_ns.saturating_add(forth).saturating_sub(back);
    let from_ns = from_ns.min(duration_ns.saturating_sub(len_ns));
    Span { from_ns, to_ns: from_ns + len_ns }
}

/// Whole ns as a number that pixels are computed with. Spans beyond 2^53 ns (104 days) lose their
/// last digits, which no screen can show.
#[expect(clippy::cast_precision_loss, reason = "see above")]
pub(crate) fn to_px(ns: i128) -> f64 {
    ns as f64
}

/// The nearest whole number of ns; `f64 as u64` saturates, so that no pixel can overflow it.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
pub(crate) fn to_ns(value: f64) -> u64 {
    value.round() as u64
}

/// A pixel as an index; what is left of the picture is 0.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
pub(crate) fn to_index(value: f64) -> usize {
    value as usize
}

/// A number of whole pixels, at least one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
pub(crate) fn pixels(value: f64) -> u32 {
    (value.round() as u32).max(1)
}

/// A count as a number of pixels; counts here are rows, columns and letters.
#[expect(clippy::cast_precision_loss, reason = "rows, columns and letters are few")]
pub(crate) fn count_px(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    const DURATION: u64 = 1_000_000_000;

    /// A seeded sequence (splitmix64), so that a failure can be repeated.
    fn draw(state: &mut u64) -> u64 {
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn seeded_scale(state: &mut u64) -> Scale {
        let len = SPAN_NS_MIN + draw(state) % (1 << (8 + draw(state) % 21));
        let from_ns = draw(state) % (DURATION - len.min(DURATION - 1));
        let width = to_px(i128::from(200 + draw(state) % 3_000));
        Scale { span: Span { from_ns, to_ns: from_ns + len }, left: 52.0, width }
    }

    /// Goal: zooming keeps the moment under the pointer where it is, unless the run's end is in
    /// the way. Method: seeded spans, pointers and factors.
    #[test]
    fn zoom_keeps_the_moment_under_the_pointer() {
        let mut held = 0;
        for seed in 0..2_000u64 {
            let mut state = seed;
            let scale = seeded_scale(&mut state);
            let x = scale.left + scale.width * to_px(i128::from(draw(&mut state) % 1_001)) / 1e3;
            let factor = 0.2 + to_px(i128::from(draw(&mut state) % 400)) / 100.0;
            let span = scale.zoomed(x, factor, DURATION);
            assert!(span.to_ns <= DURATION, "seed {seed}: past the end: {span:?}");
            if span.from_ns == 0 || span.to_ns == DURATION {
                continue;
            }
            held += 1;
            let after = Scale { span, ..scale };
            let share = (x - scale.left) / scale.width;
            let exact =
                to_px(i128::from(scale.span.from_ns)) + share * to_px(scale.len_ns().into());
            let now = to_px(span.from_ns.into()) + share * to_px(after.len_ns().into());
            assert!((exact - now).abs() <= 0.5001, "seed {seed}: {exact} became {now}");
        }
        assert!(held > 1_000, "most zooms do not meet the run's end, {held}");
    }

    /// Goal: a moment's pixel leads back to the moment, to the length of a pixel.
    #[test]
    fn a_pixel_leads_back_to_its_moment() {
        for seed in 0..2_000u64 {
            let mut state = seed;
            let scale = seeded_scale(&mut state);
            let time = scale.span.from_ns + draw(&mut state) % scale.len_ns();
            let back = scale.time_at(scale.x_of(time));
            assert!(back.abs_diff(time) <= 1, "seed {seed}: {time} came back as {back}");
        }
    }

    /// Goal: zoom and pan stay within the run and above the shortest stretch.
    #[test]
    fn nothing_leaves_the_run() {
        let scale = Scale { span: Span { from_ns: 0, to_ns: 900 }, left: 0.0, width: 100.0 };
        assert_eq!(scale.zoomed(50.0, 1e9, 1_000), Span { from_ns: 0, to_ns: 1_000 });
        assert_eq!(scale.zoomed(100.0, 0.0, 1_000), Span { from_ns: 700, to_ns: 900 });
        assert_eq!(scale.panned(1e12, 1_000), Span { from_ns: 0, to_ns: 900 });
        assert_eq!(scale.panned(-1e12, 1_000), Span { from_ns: 100, to_ns: 1_000 });
        assert_eq!(clamped(Span { from_ns: 950, to_ns: 960 }, 1_000).from_ns, 800);
        assert_eq!(centred(500, 300, 1_000), Span { from_ns: 350, to_ns: 650 });
    }
}
