//! What a run adds up to at its end, in the columns of the conformance vectors.

use crate::decision::Priority;
use crate::ids::VcpuId;
use crate::machine::{Machine, VcpuTally};
use crate::policy::credit1::VcpuStats;
use alloc::vec::Vec;

/// Totals of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    /// Per vCPU.
    pub vcpus: Vec<VcpuTotals>,
    /// Per pCPU.
    pub pcpus: Vec<PcpuTotals>,
    /// Performance counters that are not zero, with their names.
    pub counters: Vec<(&'static str, u64)>,
    /// The machine's own counts, with their names.
    pub hcounters: Vec<(&'static str, u64)>,
}

/// Totals of a vCPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VcpuTotals {
    /// What the machine counted.
    pub tally: VcpuTally,
    /// What the scheduler counted.
    pub stats: VcpuStats,
    /// Credit at the end, not charged up to it.
    pub credit: i32,
    /// Priority at the end.
    pub pri: Priority,
    /// The pCPU that it belongs to at the end.
    pub processor: u16,
}

/// Totals of a pCPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PcpuTotals {
    /// Idle time, in ns.
    pub idle_ns: u64,
    /// Switches.
    pub switches: u64,
}

impl VcpuTotals {
    /// The row of the vectors: run states, credit, priority, counts, moves, latencies, processor.
    #[must_use]
    pub fn row(&self) -> [i64; 18] {
        let signed = |count: u64| i64::try_from(count).expect("counts of a run fit");
        let VcpuTally { spent_ns: [running, runnable, blocked, offline], .. } = self.tally;
        [
            signed(running),
            signed(runnable),
            signed(blocked),
            signed(offline),
            self.credit.into(),
            self.pri.0.into(),
            signed(self.stats.state_active),
            signed(self.stats.state_idle),
            signed(self.stats.migrate_q),
            signed(self.stats.migrate_r),
            signed(self.stats.kicked_away),
            signed(self.tally.moves),
            signed(self.tally.steals),
            signed(self.tally.wakes),
            signed(self.tally.latency_count),
            signed(self.tally.latency_ns_sum),
            signed(self.tally.latency_ns_max),
            self.processor.into(),
        ]
    }
}

impl Totals {
    /// The totals of a run that ends at `at_ns`.
    #[must_use]
    pub fn of(machine: &Machine, at_ns: u64) -> Self {
        let (system, policy) = (machine.system(), machine.policy());
        let guests = u16::try_from(system.guests).expect("limited vCPUs");
        let vcpu = |vcpu: VcpuId| VcpuTotals {
            tally: machine.vcpu_tally(vcpu, at_ns),
            stats: machine.vcpu_stats(vcpu),
            credit: policy.vcpu(vcpu).credit,
            pri: policy.vcpu(vcpu).pri,
            processor: system.vcpu(vcpu).processor.0,
        };
        let pcpus = system.topology.pcpus().map(|pcpu| PcpuTotals {
            idle_ns: machine.vcpu_tally(system.idle_vcpu(pcpu), at_ns).spent_ns[0],
            switches: machine.switches(pcpu),
        });
        Self {
            vcpus: (0..guests).map(VcpuId).map(vcpu).collect(),
            pcpus: pcpus.collect(),
            counters: machine.counters().nonzero().collect(),
            hcounters: machine.tally().named().into(),
        }
    }
}
