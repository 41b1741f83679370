//! Lengths of time as people write them: `12.4ms`, `17587 us`, `30 s`.
//!
//! Whole nanoseconds only; never guesses a unit.

/// The units, largest first, in ns.
const UNITS: [(&str, u64); 4] = [("s", 1_000_000_000), ("ms", 1_000_000), ("µs", 1_000), ("ns", 1)];

/// A length that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Length {
    /// In ns; digits below a ns are cut.
    pub ns: u64,
    /// Whether nothing was cut.
    pub exact: bool,
}

/// Reads a length with its unit; nothing if it is none, or one beyond 584 years.
#[must_use]
pub fn read(text: &str) -> Option<Length> {
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(at);
    let unit = match unit.trim() {
        "us" | "μs" => "µs",
        other => other,
    };
    let (_, scale) = UNITS.iter().find(|(name, _)| *name == unit)?;
    number_of(number, *scale)
}

/// Reads a number of units of `scale` ns.
#[must_use]
pub fn number_of(number: &str, scale: u64) -> Option<Length> {
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let (mut ns, mut place, mut exact) = (whole.checked_mul(scale)?, scale, true);
    for digit in part.chars() {
        let digit = u64::from(digit.to_digit(10)?);
        exact &= place >= 10 || digit == 0;
        place /= 10;
        ns = ns.checked_add(digit * place)?;
    }
    Some(Length { ns, exact })
}

/// Writes a length exactly, in the largest unit that it fills: `1.5 ms`, `300 µs`, `0 ms`.
#[must_use]
pub fn write(ns: u64) -> String {
    if ns == 0 {
        return "0 ms".into();
    }
    let (unit, scale) = UNITS.into_iter().find(|(_, scale)| ns >= *scale).unwrap_or(("ns", 1));
    let (whole, part) = (ns / scale, ns % scale);
    if part == 0 {
        return format!("{whole} {unit}");
    }
    let digits = scale.ilog10() as usize;
    let part = format!("{part:0digits$}");
    format!("{whole}.{} {unit}", part.trim_end_matches('0'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::rng::SplitMix64;

    /// Goal: times are read with any unit and any number of digits, and nothing else is a time.
    #[test]
    fn times_are_read() {
        for (text, ns) in [
            ("12.4ms", Some((12_400_000, true))),
            ("17587 us", Some((17_587_000, true))),
            ("1.5µs", Some((1_500, true))),
            (".25s", Some((250_000_000, true))),
            ("3ns", Some((3, true))),
            ("1.9ns", Some((1, false))),
            ("1.0ns", Some((1, true))),
            ("1.23456 µs", Some((1_234, false))),
            ("12.4", None),
            ("ms", None),
            (".ms", None),
            ("1.2.3ms", None),
            ("99999999999999999999s", None),
            ("18446744073709551615s", None),
        ] {
            let read = read(text).map(|length| (length.ns, length.exact));
            assert_eq!(read, ns, "{text}");
        }
    }

    /// Goal: what is written is read back, exactly.
    #[test]
    fn times_are_written_exactly() {
        assert_eq!(write(1_500_000), "1.5 ms");
        assert_eq!(write(1_000_000_001), "1.000000001 s");
        let mut rng = SplitMix64::new(5);
        for _ in 0..5_000 {
            let scale = 10u64.pow(3 * u32::try_from(rng.between(0, 3)).expect("small"));
            let ns = rng.between(0, 1_000_000) * scale;
            assert_eq!(read(&write(ns)), Some(Length { ns, exact: true }), "{ns}");
        }
    }
}
