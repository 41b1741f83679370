//! Xen's credit scheduler as a deterministic machine.
//!
//! The same scenario gives the same bytes natively and in every browser: there is no clock, thread,
//! float or seeded hash in here, and none can be named.
//!
//! Reading order: words of the domain ([`units`], [`ids`], [`cpumask`], [`topology`], [`rng`]); the
//! input ([`patches`], [`workload`], [`scenario`], [`presets`]); what a decision looks like
//! ([`decision`]); the rules ([`policy`]); the mechanism ([`event_queue`], [`machine`]); what is
//! kept of a run ([`trace`]); and runs as a whole ([`run`]).

#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

pub mod cpumask;
pub mod decision;
pub mod event_queue;
pub mod ids;
pub mod machine;
pub mod patches;
pub mod policy;
pub mod presets;
pub mod rng;
pub mod run;
pub mod scenario;
pub mod topology;
pub mod trace;
pub mod units;
pub mod workload;
