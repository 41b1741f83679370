//! Time that vCPUs wait in a run queue while a pCPU that they may run on is idle: what a scheduler
//! that lets no pCPU rest while there is work for it would not allow.
//!
//! Read from the machine after each step that may have changed it. Must not ask what anybody
//! believes: idle is a pCPU on which the idle vCPU is current.

use crate::cpumask::CpuMask;
use crate::ids::{PcpuId, VcpuId};
use crate::machine::Machine;
use crate::policy::cx::Runstate;
use crate::units::SimTime;
use alloc::vec;
use alloc::vec::Vec;

/// The sum under way.
#[derive(Clone, Debug)]
pub(super) struct Stranded {
    waiting: Vec<VcpuId>,
    /// Per guest, its place in `waiting` plus one; 0 if it does not wait.
    places: Vec<u32>,
    idle: CpuMask,
    /// How many of those who wait have an idle pCPU that they may run on.
    count: u64,
    since: SimTime,
    sum_ns: u64,
}

impl Stranded {
    pub(super) fn new(machine: &Machine) -> Self {
        let system = machine.system();
        let places = vec![0; system.guests];
        let idle = CpuMask::empty_like(&system.pool);
        let (waiting, since) = (Vec::new(), SimTime::ZERO);
        let mut new = Self { waiting, places, idle, count: 0, since, sum_ns: 0 };
        let pcpus: Vec<PcpuId> = system.topology.pcpus().collect();
        let guests: Vec<VcpuId> = (0u16..).map(VcpuId).take(system.guests).collect();
        new.settle(machine, &guests, &pcpus);
        new
    }

    /// These vCPUs and pCPUs may have changed in the step that the machine has just taken.
    pub(super) fn settle(&mut self, machine: &Machine, vcpus: &[VcpuId], pcpus: &[PcpuId]) {
        let system = machine.system();
        self.sum_ns = self.sum_ns_at(system.now);
        self.since = system.now;
        for pcpu in pcpus {
            if system.is_idle(system.current[pcpu.index()]) {
                self.idle.insert(*pcpu);
            } else {
                self.idle.remove(*pcpu);
            }
        }
        for vcpu in vcpus {
            self.wait(*vcpu, system.vcpu(*vcpu).runstate == Runstate::Runnable);
        }
        self.count = 0;
        if !self.waiting.is_empty() && !self.idle.is_empty() {
            let idle = &self.idle;
            let stranded = |vcpu: &&VcpuId| system.vcpu(**vcpu).hard.intersects(idle);
            self.count = self.waiting.iter().filter(stranded).count() as u64;
        }
    }

    fn wait(&mut self, vcpu: VcpuId, waits: bool) {
        let place = self.places[vcpu.index()];
        if waits && place == 0 {
            self.waiting.push(vcpu);
            self.places[vcpu.index()] = u32::try_from(self.waiting.len()).expect("limited vCPUs");
        } else if !waits && place != 0 {
            self.waiting.swap_remove(place as usize - 1);
            if let Some(moved) = self.waiting.get(place as usize - 1) {
                self.places[moved.index()] = place;
            }
            self.places[vcpu.index()] = 0;
        }
    }

    /// The sum over all vCPUs up to a moment not before the last step, in ns.
    pub(super) fn sum_ns_at(&self, time: SimTime) -> u64 {
        self.sum_ns + self.count * (time - self.since).as_ns()
    }
}
