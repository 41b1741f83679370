//! What the machine itself counts: run states, moves, latencies, interrupts.

use super::Machine;
use crate::ids::{PcpuId, VcpuId};
use crate::policy::credit1::VcpuStats;
use crate::units::SimDuration;
use alloc::vec;
use alloc::vec::Vec;

/// Counts of the whole machine; the names are those of the vectors' `hcounters`.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // as in docs/model.md
pub struct Tally {
    pub ipis: u64,
    pub raise_dup: u64,
    pub tickle_calls: u64,
    pub tickled_cpus: u64,
    pub steals: u64,
    pub migrations: u64,
    pub kicks: u64,
    pub wake_preempt: u64,
    pub trylocks: u64,
    pub(super) vcpus: Vec<VcpuTally>,
    pub(super) switches: Vec<u64>,
}

/// Counts of one vCPU.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VcpuTally {
    /// Time spent running, runnable, blocked and offline, in ns.
    pub spent_ns: [u64; 4],
    /// Moves that ended on another pCPU.
    pub moves: u64,
    /// Times it was stolen.
    pub steals: u64,
    /// Wake-ups by its own doing that queued it.
    pub wakes: u64,
    /// How many of them have led to running.
    pub latency_count: u64,
    /// Sum of the times from wake-up to running, in ns.
    pub latency_ns_sum: u64,
    /// The longest of them, in ns.
    pub latency_ns_max: u64,
}

impl VcpuTally {
    pub(super) fn latency(&mut self, latency: SimDuration) {
        self.latency_count += 1;
        self.latency_ns_sum += latency.as_ns();
        self.latency_ns_max = self.latency_ns_max.max(latency.as_ns());
    }
}

impl Tally {
    pub(super) fn new(vcpus: usize, pcpus: usize) -> Self {
        Self {
            ipis: 0,
            raise_dup: 0,
            tickle_calls: 0,
            tickled_cpus: 0,
            steals: 0,
            migrations: 0,
            kicks: 0,
            wake_preempt: 0,
            trylocks: 0,
            vcpus: vec![VcpuTally::default(); vcpus],
            switches: vec![0; pcpus],
        }
    }

    /// The machine's counts with their names.
    #[must_use]
    pub fn named(&self) -> [(&'static str, u64); 9] {
        [
            ("ipis", self.ipis),
            ("raise_dup", self.raise_dup),
            ("tickle_calls", self.tickle_calls),
            ("tickled_cpus", self.tickled_cpus),
            ("steals", self.steals),
            ("migrations", self.migrations),
            ("kicks", self.kicks),
            ("wake_preempt", self.wake_preempt),
            ("trylocks", self.trylocks),
        ]
    }
}

impl Machine {
    /// What the machine has counted so far.
    #[must_use]
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// What is counted of a vCPU, the open run state closed at `at` ns.
    #[must_use]
    pub fn vcpu_tally(&self, vcpu: VcpuId, at_ns: u64) -> VcpuTally {
        let mut tally = self.tally.vcpus[vcpu.index()].clone();
        let state = self.system.vcpu(vcpu);
        tally.spent_ns[state.runstate as usize] += at_ns - state.entry.as_ns();
        tally
    }

    /// What the scheduler counts of a vCPU.
    #[must_use]
    pub fn vcpu_stats(&self, vcpu: VcpuId) -> VcpuStats {
        self.policy.vcpu(vcpu).stats
    }

    /// Switches of a pCPU so far.
    #[must_use]
    pub fn switches(&self, pcpu: PcpuId) -> u64 {
        self.tally.switches[pcpu.index()]
    }
}
