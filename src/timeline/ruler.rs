//! Ticks of the ruler: 1, 2 or 5 times a power of ten ns, as close as their labels allow.
//!
//! Must not draw.

use super::label::MomentUnit;
use super::scale::{Scale, count_px, to_px};

/// A tick of the ruler.
#[derive(Clone, Debug, PartialEq)]
pub struct Tick {
    /// Where, in px.
    pub x: f64,
    /// When, in ns.
    pub time_ns: u64,
    /// How it is written.
    pub label: String,
}

/// Between two labels at least, in letters.
const APART: usize = 4;

/// The ticks of a picture, as close as labels of such letters allow.
#[must_use]
pub fn ticks(scale: &Scale, letter_px: f64) -> Vec<Tick> {
    let unit = MomentUnit::for_end(scale.span.to_ns);
    let mut step = step_ns(1.0);
    loop {
        let label = unit.exact(scale.span.to_ns, step);
        let room = count_px(label.chars().count() + APART) * letter_px;
        if to_px(i128::from(step)) >= scale.ns_per_px() * room {
            break;
        }
        step = step_ns(to_px(i128::from(step)) + 1.0);
    }
    let first = scale.span.from_ns.div_ceil(step);
    let last = scale.span.to_ns / step;
    (first..=last)
        .map(|nth| nth * step)
        .map(|time_ns| Tick { x: scale.x_of(time_ns), time_ns, label: unit.exact(time_ns, step) })
        .collect()
}

/// The smallest 1, 2 or 5 times a power of ten that is no shorter than `ns_min`, in ns.
fn step_ns(ns_min: f64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for times in [1, 2, 5] {
            let step = power.saturating_mul(times);
            if to_px(i128::from(step)) >= ns_min || step == u64::MAX {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Span;

    fn labels(from_ns: u64, to_ns: u64, width: f64) -> Vec<String> {
        let scale = Scale { span: Span { from_ns, to_ns }, left: 50.0, width };
        ticks(&scale, 7.3).into_iter().map(|tick| tick.label).collect()
    }

    /// Goal: the ruler's labels are exact and fit the zoom.
    #[test]
    fn labels_fit_the_zoom() {
        assert_eq!(labels(10_500_000, 13_500_000, 300.0), ["11 ms", "12 ms", "13 ms"]);
        assert_eq!(labels(12_290_000, 12_510_000, 220.0), ["12.3 ms", "12.4 ms", "12.5 ms"]);
        assert_eq!(labels(0, 200, 200.0), ["0 ns", "100 ns", "200 ns"]);
        assert_eq!(labels(0, 900_000, 200.0), ["0 µs", "500 µs"]);
        let deep = labels(12_300_000, 12_300_200, 220.0);
        assert_eq!(deep, ["12.300\u{202f}0 ms", "12.300\u{202f}1 ms", "12.300\u{202f}2 ms"]);
    }

    /// Goal: ticks lie within the picture, evenly, no closer than asked, at any zoom.
    #[test]
    fn ticks_keep_their_distance() {
        for exponent in 0..30 {
            let len = 200u64 << exponent;
            let from_ns = len / 3;
            let scale =
                Scale { span: Span { from_ns, to_ns: from_ns + len }, left: 52.0, width: 822.0 };
            let ticks = ticks(&scale, 7.3);
            assert!((3..=13).contains(&ticks.len()), "{len} ns: {} ticks", ticks.len());
            for pair in ticks.windows(2) {
                assert!(pair[1].x - pair[0].x >= 60.0, "{len} ns: {pair:?}");
            }
            for tick in &ticks {
                assert!(tick.x >= 52.0 && tick.x <= 874.001, "{len} ns: {tick:?}");
            }
        }
    }
}
