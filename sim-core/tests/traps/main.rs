//! Goal: none of the traps of the scheduler's description for a re-implementation (its section 7,
//! 1 to 40) is fallen into, and each patch of the table does what its description says.
//! Method: pure functions are asked, verbs are called on a machine that stands still, or a few
//! milliseconds are run; what comes out is compared with numbers worked out by hand.
//!
//! What cannot be tested here, and why:
//! - 6, 37: an idle vCPU that does a tasklet's work; there are no tasklets, so only the tickle
//!   function is asked about one.
//! - 11, 17: a wake that finds its vCPU current or queued, the counters `load_balance_other` and
//!   `tickle_local_other`; no run comes there, so the verbs are called and the counters stay 0.
//! - 28: a rate limit out of range at boot; a scenario with one is refused, so the scheduler alone
//!   is asked.
//! - 38: an analyser that ends well with an empty summary; no trace file is written here, and text
//!   cannot start wrongly.
//! - 20, 35, as far as they are about locks: a handler is atomic, so no lock is ever contended.

#[path = "../worked_examples/bench.rs"]
mod bench;
mod credit;
mod places;
mod queues;
mod stage;
mod toggles;
mod wakes;
