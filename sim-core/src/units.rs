//! Points and lengths of simulated time, in whole nanoseconds.
//!
//! Point minus point is a length, point plus length is a point; point plus point does not compile.
//! This module must not know what the time is used for.

use core::fmt;
use core::ops::{Add, Sub};

/// Nanoseconds in a microsecond.
pub const NS_PER_US: u64 = 1_000;
/// Nanoseconds in a millisecond.
pub const NS_PER_MS: u64 = 1_000_000;

/// A point in simulated time, in nanoseconds since the machine was switched on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimTime(u64);

/// A length of simulated time, in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SimDuration(u64);

impl SimTime {
    /// The instant at which pCPU 0 comes up.
    pub const ZERO: Self = Self(0);

    /// The point `ns` nanoseconds after [`SimTime::ZERO`].
    #[must_use]
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns)
    }

    /// Nanoseconds since [`SimTime::ZERO`].
    #[must_use]
    pub const fn as_ns(self) -> u64 {
        self.0
    }
}

impl SimDuration {
    /// No time at all.
    pub const ZERO: Self = Self(0);

    /// A length of `ns` nanoseconds.
    #[must_use]
    pub const fn from_ns(ns: u64) -> Self {
        Self(ns)
    }

    /// A length of `us` microseconds.
    #[must_use]
    pub const fn from_us(us: u64) -> Self {
        Self(us * NS_PER_US)
    }

    /// A length of `ms` milliseconds.
    #[must_use]
    pub const fn from_ms(ms: u64) -> Self {
        Self(ms * NS_PER_MS)
    }

    /// The length in nanoseconds.
    #[must_use]
    pub const fn as_ns(self) -> u64 {
        self.0
    }
}

impl Add<SimDuration> for SimTime {
    type Output = Self;
    fn add(self, length: SimDuration) -> Self {
        Self(self.0 + length.0)
    }
}

impl Sub for SimTime {
    type Output = SimDuration;
    fn sub(self, earlier: Self) -> SimDuration {
        SimDuration(self.0 - earlier.0)
    }
}

impl Add for SimDuration {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

/// Writes the length with the largest unit that keeps it exact to a thousandth: `1.5 ms`, `300 µs`.
impl fmt::Display for SimDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (unit_ns, unit) = match self.0 {
            0..NS_PER_US => return write!(f, "{} ns", self.0),
            NS_PER_US..NS_PER_MS => (NS_PER_US, "µs"),
            NS_PER_MS..1_000_000_000 => (NS_PER_MS, "ms"),
            _ => (1_000_000_000, "s"),
        };
        let whole = self.0 / unit_ns;
        let thousandth = self.0 % unit_ns / (unit_ns / 1_000);
        if thousandth == 0 {
            write!(f, "{whole} {unit}")
        } else {
            let digits = alloc::format!("{thousandth:03}");
            write!(f, "{whole}.{} {unit}", digits.trim_end_matches('0'))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    /// Goal: a length is printed with its unit and no needless digits.
    #[test]
    fn durations_print_with_their_unit() {
        for (ns, text) in [
            (0, "0 ns"),
            (999, "999 ns"),
            (1_000, "1 µs"),
            (1_500, "1.5 µs"),
            (3_600_000, "3.6 ms"),
            (1_000_000_000, "1 s"),
            (2_050_000_000, "2.05 s"),
        ] {
            assert_eq!(SimDuration::from_ns(ns).to_string(), text);
        }
    }
}
