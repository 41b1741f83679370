//! How times and counts are written: with a unit and as many digits as the zoom deserves.
//!
//! Must not know where they are drawn.

const UNITS: [(u64, &str); 4] = [(1, "ns"), (1_000, "µs"), (1_000_000, "ms"), (1_000_000_000, "s")];
/// From here on moments are written in seconds, in ns.
const SECONDS_FROM_NS: u64 = 10_000_000_000;
/// Between the digits' groups and before the unit: narrow and never broken.
const GROUP: char = '\u{202f}';

/// The units in which a picture that ends at `to_ns` writes its moments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MomentUnit {
    unit_ns: u64,
    name: &'static str,
}

impl MomentUnit {
    /// The unit for moments up to `to_ns`: milliseconds, unless they are very short or long.
    #[must_use]
    pub fn for_end(to_ns: u64) -> Self {
        let (unit_ns, name) = match to_ns {
            0..1_000 => UNITS[0],
            1_000..1_000_000 => UNITS[1],
            _ if to_ns < SECONDS_FROM_NS => UNITS[2],
            _ => UNITS[3],
        };
        Self { unit_ns, name }
    }

    /// A moment, exact to `step_ns`, which is a power of ten or 2 or 5 times one: `12.300 ms`.
    #[must_use]
    pub fn exact(&self, time_ns: u64, step_ns: u64) -> String {
        let mut decimals = 0;
        let mut unit = self.unit_ns;
        while unit > 1 && !step_ns.is_multiple_of(unit) {
            unit /= 10;
            decimals += 1;
        }
        self.with_decimals(time_ns, decimals)
    }

    /// A moment as precise as a picture of `ns_per_px` deserves: whole ms, µs or ns.
    #[must_use]
    pub fn precise(&self, time_ns: u64, ns_per_px: f64) -> String {
        let step = if ns_per_px < 100.0 { 1 } else { 1_000 };
        self.exact(time_ns, step)
    }

    fn with_decimals(&self, time_ns: u64, decimals: usize) -> String {
        let whole = time_ns / self.unit_ns;
        let mut text = whole.to_string();
        if decimals > 0 {
            text.push('.');
            let width = self.unit_ns.ilog10() as usize;
            let digits = format!("{:0width$}", time_ns % self.unit_ns);
            for (at, digit) in digits.chars().take(decimals).enumerate() {
                if at > 0 && at % 3 == 0 {
                    text.push(GROUP);
                }
                text.push(digit);
            }
        }
        format!("{text} {}", self.name)
    }
}

/// A length of time with three digits that count: `1.00 µs`, `417 µs`, `3.60 ms`.
#[must_use]
pub fn duration(ns: u64) -> String {
    let (unit, name) = UNITS.iter().rev().find(|(unit, _)| ns >= *unit).unwrap_or(&UNITS[0]);
    if *unit == 1 {
        return format!("{ns} {name}");
    }
    let whole = ns / unit;
    let decimals: u32 = match whole {
        0..10 => 2,
        10..100 => 1,
        _ => 0,
    };
    let power = 10u64.pow(decimals);
    // A rest that rounds up to the next digit is cut instead: what is shown was reached.
    let rest = ns % unit * power / unit;
    if decimals == 0 {
        format!("{whole} {name}")
    } else {
        format!("{whole}.{rest:0width$} {name}", width = decimals as usize)
    }
}

/// A count as people read it: `3,912`.
#[must_use]
pub fn count(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share in per cent with one digit behind the point; what is not nothing is never `0.0 %`.
#[must_use]
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "–".into();
    }
    let tenths = u128::from(part) * 1_000 / u128::from(whole);
    if tenths == 0 && part > 0 {
        return "<0.1 %".into();
    }
    format!("{}.{} %", tenths / 10, tenths % 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: moments carry the digits of the step and no more.
    #[test]
    fn moments_carry_the_digits_of_the_step() {
        let ms = MomentUnit::for_end(17_000_000);
        assert_eq!(ms.exact(13_000_000, 1_000_000), "13 ms");
        assert_eq!(ms.exact(13_000_000, 500_000), "13.0 ms");
        assert_eq!(ms.exact(12_300_000, 1_000), "12.300 ms");
        assert_eq!(ms.exact(12_300_020, 20), "12.300\u{202f}02 ms");
        assert_eq!(ms.precise(17_587_004, 10_000.0), "17.587 ms");
        assert_eq!(ms.precise(17_587_004, 5.0), "17.587\u{202f}004 ms");
        assert_eq!(MomentUnit::for_end(900_000).exact(417_000, 1_000), "417 µs");
        assert_eq!(MomentUnit::for_end(500).exact(20, 20), "20 ns");
        assert_eq!(
            MomentUnit::for_end(60_000_000_000).exact(12_500_000_000, 500_000_000),
            "12.5 s"
        );
    }

    /// Goal: lengths carry three digits that count and never more than was reached.
    #[test]
    fn lengths_carry_three_digits() {
        assert_eq!(duration(0), "0 ns");
        assert_eq!(duration(999), "999 ns");
        assert_eq!(duration(1_000), "1.00 µs");
        assert_eq!(duration(417_900), "417 µs");
        assert_eq!(duration(3_609_999), "3.60 ms");
        assert_eq!(duration(30_000_000), "30.0 ms");
        assert_eq!(duration(u64::MAX), "18446744073 s");
    }

    /// Goal: counts are grouped, and what is not nothing is not shown as nothing.
    #[test]
    fn counts_and_shares_read_well() {
        assert_eq!(count(0), "0");
        assert_eq!(count(3_912), "3,912");
        assert_eq!(count(1_000_000), "1,000,000");
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(1, 1_000_000), "<0.1 %");
        assert_eq!(percent(0, 5), "0.0 %");
        assert_eq!(percent(0, 0), "–");
    }
}
