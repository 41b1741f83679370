//! Records of what the scheduler decided, and why.
//!
//! A [`Row`] is what a run keeps of a record: when, where, who, which leaf, because of which
//! record. [`Facts`] are what the decision was taken on; they are not kept but given again by a
//! replay. This module knows the shape of decisions; the rules that take them stand in `policy`.

#[macro_use]
mod lifetime;

mod account_facts;
mod condition;
mod counter;
mod detail;
mod facts;
mod reason;
mod sink;
mod trace_kind;
mod trace_record;

pub use account_facts::{AccountFacts, DomainShare, ParkFacts, ParkFate, Purse, VcpuShare};
pub use condition::holds;
pub use counter::{COUNTERS, Counter, CounterInfo, Counters};
pub use detail::Detail;
pub use facts::{
    BalanceInputs, BalanceOutcome, Charge, Facts, PeerSnapshot, PeerStep, PeerVerdict, Peers,
    PickInputs, PickOutcome, PickPurpose, PickStep, Priority, QueuedVcpu, QueuedVerdict, RunqHead,
    ScheduleFacts, Step, TickFacts, TickleInputs, TickleOutcome, WakeFacts, WakeSource,
};
pub use lifetime::Lifetime;
pub use reason::{Kind, REASONS, Reason, ReasonInfo};
pub use sink::{Belief, LogLine, NoSink, Sink};
pub use trace_kind::{Field, TRACE_KINDS, TraceInfo, TraceKind, Unit};
pub use trace_record::{IDLE_DOMAIN, TraceRecord, WORDS_MAX, Words};

use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::units::SimTime;

/// What a run keeps of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// When it was made.
    pub time: SimTime,
    /// The pCPU that ran the code.
    pub pcpu: PcpuId,
    /// The leaf of the decision tree.
    pub reason: Reason,
    /// The vCPU that it is about.
    pub subject: VcpuId,
    /// A pCPU or vCPU that the leaf's entry explains; `u16::MAX` for none.
    pub arg: u16,
    /// The record that led to this one.
    pub cause: Option<DecisionId>,
}

/// The value of [`Row::arg`] that stands for none.
pub const NO_ARG: u16 = u16::MAX;
