//! Switching the machine on: pCPUs come up one by one, then all vCPUs are created, still down.

use super::{GuestRun, Machine, PcpuRun, Tally};
use crate::cpumask::CpuMask;
use crate::decision::{Counters, NoSink, PickPurpose};
use crate::event_queue::{EventKind, EventQueue};
use crate::ids::{DomainId, PcpuId, VcpuId};
use crate::patches::{Patch, PatchSet};
use crate::policy::credit1::{Credit1, Tslice};
use crate::policy::cx::{Runstate, System, VcpuState, pause};
use crate::scenario::{ValidScenario, VcpuSpec};
use crate::units::{SimDuration, SimTime};
use crate::workload::Guest;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

impl Machine {
    /// A machine that is up, with every vCPU placed and about to be started.
    #[must_use]
    pub fn new(scenario: &ValidScenario, patches: PatchSet) -> Self {
        let system = power_on(scenario);
        let pcpus = system.topology.pcpu_count();
        let mut machine = Self {
            policy: Credit1::new(&system, &scenario.params, patches),
            pcpus: vec![PcpuRun::default(); pcpus],
            guests: guest_runs(scenario),
            tally: Tally::new(system.vcpus.len(), pcpus),
            counters: Counters::default(),
            events: EventQueue::default(),
            next_record: 0,
            end: SimTime::from_ns(scenario.duration_ns),
            scenario: scenario.clone(),
            system,
        };
        machine.arm_tickers();
        let specs = (0u16..).zip(scenario.vcpus());
        for (id, (_, spec)) in specs {
            machine.place(VcpuId(id), spec);
        }
        for (index, op) in (0u16..).zip(&scenario.ops) {
            let time = SimTime::from_ns(op.time_ns).max(machine.system.now);
            machine.events.push(time, EventKind::Change(index));
        }
        machine.counters = Counters::default();
        machine.tally = Tally::new(machine.system.vcpus.len(), pcpus);
        for vcpu in &mut machine.policy.vcpus {
            vcpu.stats = crate::policy::credit1::VcpuStats::default();
        }
        machine.next_record = 0;
        machine
    }

    fn arm_tickers(&mut self) {
        let Tslice { tick_ns, .. } = self.policy.tslice;
        let slice = SimDuration::from_ns(self.policy.tslice.ns());
        for pcpu in self.system.topology.pcpus() {
            let up = up_at(&self.scenario, pcpu);
            if pcpu == PcpuId(0) {
                self.events.push(up + slice, EventKind::Account);
            }
            self.arm_ticker(pcpu, up + SimDuration::from_ns(tick_ns));
        }
    }

    /// Places a new vCPU and arms its start. Nothing of it is logged.
    fn place(&mut self, vcpu: VcpuId, spec: &VcpuSpec) {
        if self.policy.places_new() {
            let mut sink = NoSink;
            let (policy, mut cx) = self.policy_cx(&mut sink, None);
            let (pcpu, _) = policy.pick_pcpu(&mut cx, vcpu, PickPurpose::Insert);
            self.system.vcpus[vcpu.index()].processor = pcpu;
        }
        let all = self.system.pool.clone();
        if let Some(hard) = spec.hard.as_ref().filter(|mask| **mask != all) {
            self.set_affinity(vcpu, false, hard, None, &mut NoSink);
        }
        if let Some(soft) = spec.soft.as_ref().filter(|mask| **mask != all) {
            self.set_affinity(vcpu, true, soft, None, &mut NoSink);
        }
        let processor = self.system.vcpus[vcpu.index()].processor;
        self.guests[vcpu.index()].wake_pcpu = spec.wake_on.unwrap_or(processor);
        let start = SimTime::from_ns(spec.start_ns).max(self.system.now);
        self.events.push(start, EventKind::Wake(vcpu));
    }

    /// Whether a soft affinity means anything to this scheduler.
    pub(super) fn knows_soft_affinity(&self) -> bool {
        self.policy.patches.has(Patch::SoftAffinity)
    }
}

fn up_at(scenario: &ValidScenario, pcpu: PcpuId) -> SimTime {
    SimTime::from_ns(u64::from(pcpu.0) * scenario.params.cpu_up_step_ns)
}

fn power_on(scenario: &ValidScenario) -> System {
    let topology = Rc::new(scenario.topology.clone());
    let pcpus = topology.pcpu_count();
    let last = topology.pcpus().next_back().expect("validated");
    let now = up_at(scenario, last);
    let all = CpuMask::full(pcpus);
    let guest = |(domain, spec): (u16, &VcpuSpec)| VcpuState {
        processor: spec.init_pcpu,
        domain: DomainId(domain),
        pause: pause::DOWN,
        pause_count: 0,
        is_running: false,
        last_run: SimTime::ZERO,
        runstate: Runstate::Offline,
        entry: now,
        hard: all.clone(),
        soft: all.clone(),
    };
    let mut vcpus: Vec<VcpuState> = scenario.vcpus().map(guest).collect();
    let guests = vcpus.len();
    for pcpu in topology.pcpus() {
        vcpus.push(VcpuState {
            processor: pcpu,
            domain: DomainId(u16::MAX),
            pause: 0,
            pause_count: 0,
            is_running: true,
            last_run: SimTime::ZERO,
            runstate: Runstate::Running,
            entry: up_at(scenario, pcpu),
            hard: all.only(pcpu),
            soft: all.clone(),
        });
    }
    let mut system = System {
        now,
        this_pcpu: PcpuId(0),
        vcpus,
        guests,
        current: Vec::new(),
        domains: scenario.domains.iter().map(|domain| (domain.weight, domain.cap)).collect(),
        topology,
        pool: all,
    };
    system.current = system.topology.pcpus().map(|pcpu| system.idle_vcpu(pcpu)).collect();
    system
}

/// All guests at the start of their workloads, in order of their ids.
fn guest_runs(scenario: &ValidScenario) -> Vec<GuestRun> {
    let domains = (0u16..).zip(&scenario.domains);
    let places = domains.flat_map(|(domain, spec)| {
        (0u16..).zip(&spec.vcpus).map(move |(vcpu, spec)| ((domain, vcpu), spec))
    });
    let run = |(id, (place, spec)): (u16, ((u16, u16), &VcpuSpec))| {
        let mut guest = Guest::new(scenario.seed, id);
        let stretch = guest.fetch(&spec.workload);
        GuestRun {
            place,
            guest,
            stretch,
            remaining_ns: stretch.run_ns,
            wake_pcpu: spec.init_pcpu,
            blocked_by: None,
            migrated_by: None,
            woken_at: None,
        }
    };
    (0u16..).zip(places).map(run).collect()
}
