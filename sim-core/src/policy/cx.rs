//! What a policy may read, and how it leaves records.
//!
//! The machine owns and changes a [`System`]; a policy only looks at it.

use crate::cpumask::CpuMask;
use crate::decision::{Belief, Counter, Counters, Facts, Reason, Row, Sink, TraceRecord};
use crate::ids::{DecisionId, DomainId, PcpuId, VcpuId};
use crate::topology::Topology;
use crate::units::SimTime;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// Why a vCPU may not run, a bit each; any of them makes it not runnable.
pub mod pause {
    /// Not yet started.
    pub const DOWN: u8 = 1;
    /// Asleep.
    pub const BLOCKED: u8 = 2;
    /// About to be moved.
    pub const MIGRATING: u8 = 4;
}

/// What a vCPU's time is accounted to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Runstate {
    /// Current on a pCPU.
    Running = 0,
    /// Ready, waiting for a pCPU.
    Runnable = 1,
    /// Asleep.
    Blocked = 2,
    /// Neither.
    Offline = 3,
}

/// The common part of a vCPU.
#[derive(Clone, Debug)]
pub struct VcpuState {
    /// The pCPU whose queue it belongs to.
    pub processor: PcpuId,
    /// Its domain; that of an idle vCPU means nothing.
    pub domain: DomainId,
    /// Bits of [`pause`].
    pub pause: u8,
    /// How often it is paused by others.
    pub pause_count: u32,
    /// From being chosen until the switch away from it is complete.
    pub is_running: bool,
    /// When it was last switched out.
    pub last_run: SimTime,
    /// What its time is accounted to.
    pub runstate: Runstate,
    /// Since when.
    pub entry: SimTime,
    /// The pCPUs that it may use.
    pub hard: CpuMask,
    /// The pCPUs that it prefers.
    pub soft: CpuMask,
}

/// The machine as a policy sees it.
#[derive(Clone, Debug)]
pub struct System {
    /// Now.
    pub now: SimTime,
    /// The pCPU that runs the code.
    pub this_pcpu: PcpuId,
    /// Guests first, then one idle vCPU per pCPU.
    pub vcpus: Vec<VcpuState>,
    /// How many of them are guests.
    pub guests: usize,
    /// Per pCPU, the vCPU chosen last.
    pub current: Vec<VcpuId>,
    /// Weight and cap (percent, 0 = none) of each domain.
    pub domains: Vec<(u32, u32)>,
    /// Where the pCPUs sit.
    pub topology: Rc<Topology>,
    /// The pCPUs of the one pool.
    pub pool: CpuMask,
}

impl System {
    /// Whether a vCPU is an idle one.
    #[must_use]
    #[inline]
    pub fn is_idle(&self, vcpu: VcpuId) -> bool {
        vcpu.index() >= self.guests
    }

    /// The idle vCPU of a pCPU.
    #[must_use]
    pub fn idle_vcpu(&self, pcpu: PcpuId) -> VcpuId {
        let index = self.guests + pcpu.index();
        VcpuId(u16::try_from(index).expect("limits keep guests and pCPUs under 65,536"))
    }

    /// Whether nothing keeps a vCPU from running.
    #[must_use]
    #[inline]
    pub fn runnable(&self, vcpu: VcpuId) -> bool {
        let state = &self.vcpus[vcpu.index()];
        state.pause == 0 && state.pause_count == 0
    }

    /// A vCPU's common part.
    #[must_use]
    #[inline]
    pub fn vcpu(&self, vcpu: VcpuId) -> &VcpuState {
        &self.vcpus[vcpu.index()]
    }
}

/// What a policy's verb is called with.
pub struct Cx<'a, S> {
    /// The machine, to look at.
    pub system: &'a System,
    /// Where records go.
    pub sink: &'a mut S,
    /// Number of the next record.
    pub next_record: &'a mut u32,
    /// Performance counters.
    pub counters: &'a mut Counters,
    /// The record that led to this call.
    pub cause: Option<DecisionId>,
}

impl<S: Sink> Cx<'_, S> {
    /// Leaves a record on the executing pCPU and returns its number.
    pub fn record(
        &mut self,
        reason: Reason,
        subject: VcpuId,
        arg: u16,
        facts: Facts<'_>,
    ) -> DecisionId {
        let id = DecisionId(*self.next_record);
        *self.next_record += 1;
        let (time, pcpu, cause) = (self.system.now, self.system.this_pcpu, self.cause);
        self.sink.record(id, &Row { time, pcpu, reason, subject, arg, cause }, facts);
        id
    }

    /// Adds one to a counter.
    #[inline]
    pub fn crank(&mut self, counter: Counter) {
        self.counters.crank(counter);
    }

    /// Leaves a record in the trace buffer of the executing pCPU.
    #[inline]
    pub fn trace(&mut self, record: TraceRecord) {
        if S::TRACES {
            self.sink.trace(self.system.now, self.system.this_pcpu, &record);
        }
    }

    /// Says that a pCPU entered or left the set of idlers.
    pub fn idler(&mut self, pcpu: PcpuId, holds: bool) {
        self.sink.belief(self.system.now, pcpu, Belief::Idler, holds);
    }
}
