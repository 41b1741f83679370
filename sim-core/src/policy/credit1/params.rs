//! Slice, tick and what they are worth in credit.
//!
//! Follows: xen/common/sched_credit.c:__csched_set_tslice @ 89216c7999.

use crate::scenario::tick_period_ns;

/// Credits that one ms of execution costs [SC].
pub const CREDITS_PER_MS: u32 = 10;

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
