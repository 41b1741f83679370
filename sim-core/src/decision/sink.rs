//! Where a machine's records go while it runs.

use super::{Facts, Row, TraceRecord};
use crate::cpumask::CpuMask;
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::units::SimTime;

/// What the scheduler believes of a pCPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Belief {
    /// It is in the set of idlers.
    Idler,
    /// It was told to schedule and has not yet done so.
    Tickled,
}

/// One line of the log, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the fields of each line are those of docs/model.md
pub enum LogLine<'a> {
    Wake {
        vcpu: VcpuId,
        source: u8,
        processor: PcpuId,
        pri: i8,
        outcome: u8,
        tickled: &'a CpuMask,
        kick: Option<VcpuId>,
    },
    Block {
        vcpu: VcpuId,
    },
    Yield {
        vcpu: VcpuId,
    },
    Switch {
        prev: VcpuId,
        next: VcpuId,
        from: Option<PcpuId>,
        slice_ns: Option<u64>,
        credit: i32,
    },
    Continue {
        vcpu: VcpuId,
        slice_ns: Option<u64>,
        ratelimited: bool,
    },
    Migrate {
        vcpu: VcpuId,
        old: PcpuId,
        new: PcpuId,
    },
    Tick {
        vcpu: VcpuId,
        credit: i32,
        pri: i8,
        migrate: bool,
    },
    Park {
        vcpu: VcpuId,
    },
    Unpark {
        vcpu: VcpuId,
    },
    Account {
        balance: i32,
        weight_sum: u32,
        epoch: u32,
    },
    AccountVcpu {
        vcpu: VcpuId,
        credit: i32,
        pri: i8,
        parked: bool,
        active: bool,
    },
    Change {
        index: u16,
    },
}

/// Receives everything that a run shows, in order. Every method may be left out.
pub trait Sink {
    /// A record: `id` counts up from 0 without gaps.
    fn record(&mut self, _id: DecisionId, _row: &Row, _facts: Facts<'_>) {}
    /// A line of the log.
    fn log(&mut self, _time: SimTime, _pcpu: PcpuId, _line: &LogLine<'_>) {}
    /// Whether [`Self::trace`] is of use. Without it what a record would say is not worked out, so
    /// that runs which need none cost no more.
    const TRACES: bool = false;
    /// A record of Xen's trace buffer, also one that does not exist with the run's patches.
    fn trace(&mut self, _time: SimTime, _pcpu: PcpuId, _record: &TraceRecord) {}
    /// A vCPU makes progress from now on (an idle vCPU: the pCPU is idle).
    fn progress(&mut self, _time: SimTime, _pcpu: PcpuId, _vcpu: VcpuId) {}
    /// A pCPU is inside a context switch from now on.
    fn switching(&mut self, _time: SimTime, _pcpu: PcpuId) {}
    /// A belief about a pCPU became true or false.
    fn belief(&mut self, _time: SimTime, _pcpu: PcpuId, _belief: Belief, _holds: bool) {}
}

/// Throws everything away.
#[derive(Debug, Default)]
pub struct NoSink;

impl Sink for NoSink {}
