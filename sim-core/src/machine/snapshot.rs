//! The whole machine at one instant, for people to look at.

use super::Machine;
use crate::decision::Priority;
use crate::ids::{PcpuId, VcpuId};
use crate::units::SimTime;
use alloc::vec::Vec;

/// The machine at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Snapshot {
    /// When.
    pub time: SimTime,
    /// Per pCPU.
    pub pcpus: Vec<PcpuSnapshot>,
}

/// A pCPU at one instant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PcpuSnapshot {
    /// Who is current; none for the idle vCPU.
    pub current: Option<QueueEntry>,
    /// Inside a context switch.
    pub switching: bool,
    /// Who waits, in order; the idle vCPU left out.
    pub queue: Vec<QueueEntry>,
    /// Believed idle.
    pub idler: bool,
    /// Told to schedule and not yet done so.
    pub tickled: bool,
    /// The idler that it tickled last.
    pub cursor: PcpuId,
}

/// A vCPU that runs or waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueEntry {
    /// Who.
    pub vcpu: VcpuId,
    /// Its priority.
    pub pri: Priority,
    /// Its credit, not yet charged for the execution since the last charge.
    pub credit: i32,
}

impl Machine {
    /// How many guests wait on the run queue of a pCPU.
    #[must_use]
    pub fn waiting(&self, pcpu: PcpuId) -> usize {
        let idle = self.policy.vcpu(self.system.idle_vcpu(pcpu)).queued;
        self.policy.pcpus[pcpu.index()].runq.len() - usize::from(idle)
    }

    /// How many pCPUs were told to schedule and have not yet done so.
    #[must_use]
    pub fn told(&self) -> usize {
        self.pcpus.iter().filter(|run| run.tickled).count()
    }

    /// The machine as it stands.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        let entry = |vcpu: VcpuId| {
            let sched = self.policy.vcpu(vcpu);
            QueueEntry { vcpu, pri: sched.pri, credit: sched.credit }
        };
        let guest = |vcpu: &VcpuId| !self.system.is_idle(*vcpu);
        let pcpu = |pcpu: PcpuId| {
            let (run, sched) = (&self.pcpus[pcpu.index()], &self.policy.pcpus[pcpu.index()]);
            let current = self.system.current[pcpu.index()];
            PcpuSnapshot {
                current: Some(current).filter(guest).map(entry),
                switching: run.switch.is_some(),
                queue: sched.runq.iter().filter(|vcpu| guest(vcpu)).map(|v| entry(*v)).collect(),
                idler: self.policy.idlers.contains(pcpu),
                tickled: run.tickled,
                cursor: sched.cursor,
            }
        };
        let pcpus = self.system.topology.pcpus().map(pcpu).collect();
        Snapshot { time: self.system.now, pcpus }
    }
}
