//! Ticks of the ruler: 1, 2 or 5 times a power of ten ns, as close as their labels allow.
//!
//! Must not draw.

use super::label::MomentUnit;
use super::scale::Scale;

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

/// The ticks of a picture, at least `apart_px` from each other.
#[must_use]
pub fn ticks(scale: &Scale, apart_px: f64) -> Vec<Tick> {
    let step = step_ns(scale.ns_per_px() * apart_px);
    let unit = MomentUnit::for_end(scale.span.to_ns);
    let first = scale.span.from_ns.div_ceil(step);
    let last = scale.span.to_ns / step;
    (first..=last)
        .map(|nth| nth * step)
        .map(|time_ns| Tick { x: scale.x_of(time_ns), time_ns, label: unit.exact(time_ns, step) })
        .collect()
}

/// The smallest 1, 2 or 5 times a power of ten that is no shorter than `ns_min`, in ns.
#[must_use]
pub fn step_ns(ns_min: f64) -> u64 {
    let mut power: u64 = 1;
    loop {
        for times in [1, 2, 5] {
            let step = power.saturating_mul(times);
            if super::scale::to_px(i128::from(step)) >= ns_min || step == u64::MAX {
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
        ticks(&scale, 90.0).into_iter().map(|tick| tick.label).collect()
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
            let ticks = ticks(&scale, 90.0);
            assert!((2..=9).contains(&ticks.len()), "{len} ns: {} ticks", ticks.len());
            for pair in ticks.windows(2) {
                assert!(pair[1].x - pair[0].x >= 89.999, "{len} ns: {pair:?}");
            }
            for tick in &ticks {
                assert!(tick.x >= 52.0 && tick.x <= 874.001, "{len} ns: {tick:?}");
            }
        }
    }
}
