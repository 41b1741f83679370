//! Slice, tick and what they are worth in credit.
//!
//! Follows: xen/common/sched_credit.c:__csched_set_tslice @ 89216c7999.

/// Credits that one ms of execution costs [SC].
pub const CREDITS_PER_MS: u32 = 10;
/// Ticks in a slice, unless the slice is under 3 ms [SC].
pub const TICKS_PER_TSLICE: u32 = 3;

/// The slice and what follows from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tslice {
    /// Slice and accounting period, in ms.
    pub ms: u32,
    /// Tick period, in ns.
    pub tick_ns: u64,
    /// Credits that a slice costs.
    pub credits: u32,
}

impl Tslice {
    /// What follows from a slice of `ms` milliseconds.
    #[must_use]
    pub fn of(ms: u32) -> Self {
        Self { ms, tick_ns: tick_period_ns(ms), credits: CREDITS_PER_MS * ms }
    }

    /// The slice, in ns.
    #[must_use]
    pub fn ns(&self) -> u64 {
        u64::from(self.ms) * 1_000_000
    }
}

/// The tick period of a slice of `ms` milliseconds, in ns; whole microseconds, rounded down as the
/// scheduler keeps the period in µs.
#[must_use]
pub fn tick_period_ns(ms: u32) -> u64 {
    let ticks = if ms < TICKS_PER_TSLICE { 1 } else { TICKS_PER_TSLICE };
    u64::from(ms * 1_000 / ticks) * 1_000
}
