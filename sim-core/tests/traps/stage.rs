//! Machines that stand still, verbs called on them, and sinks that keep what a test looks at.

use crate::bench::{MS, mask, revision, scenario, vcpu};
use sim_core::cpumask::CpuMask;
use sim_core::decision::{
    BalanceInputs, BalanceOutcome, Counters, NoSink, PeerSnapshot, PeerStep, Priority, QueuedVcpu,
    Sink, TickleInputs, TraceKind, TraceRecord,
};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::machine::{Machine, Step};
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{Choice, Credit1, balance};
use sim_core::policy::cx::{Cx, Runstate, pause};
use sim_core::run::LogSink;
use sim_core::scenario::Scenario;
use sim_core::topology::Topology;
use sim_core::units::SimTime;
use std::borrow::Cow;

/// Where a guest of a stage is.
#[derive(Clone, Copy, PartialEq)]
pub enum At {
    Runs,
    Waits,
    Sleeps,
}

/// April 2017 without the two patches that place a new vCPU, so that it stays where it is put.
pub fn unplaced(name: &str) -> PatchSet {
    revision(name).without(Patch::PickOnInsert).without(Patch::AffinityAlwaysMigrates)
}

/// A machine at 5 ms whose guests, each in a domain of its own, are on these pCPUs with these
/// priorities; who waits is queued in this order. Every pCPU on which nobody runs is an idler.
pub fn stage(topology: Topology, patches: PatchSet, guests: &[(u16, At, Priority)]) -> Machine {
    let asleep = guests.iter().map(|(pcpu, ..)| vcpu(*pcpu, 900 * MS, &[(MS, MS)])).collect();
    let spec = Scenario { topology, ..scenario(1, 1_000 * MS, asleep) };
    let mut machine = Machine::new(&spec.validate().expect("valid"), patches);
    machine.edit(|policy, system| {
        system.now = SimTime::from_ns(5 * MS);
        for (id, &(pcpu, at, pri)) in (0u16..).map(VcpuId).zip(guests) {
            let (here, state) = (PcpuId(pcpu), &mut system.vcpus[id.index()]);
            (state.processor, state.pause) = (here, 0);
            let sched = &mut policy.vcpus[id.index()];
            (sched.pri, sched.migrating) = (pri, false);
            let queue = &mut policy.pcpus[here.index()];
            queue.nr_runnable += u32::from(at != At::Sleeps);
            match at {
                At::Runs => {
                    (state.is_running, state.runstate) = (true, Runstate::Running);
                    system.current[here.index()] = id;
                    policy.idlers.remove(here);
                }
                At::Waits => {
                    state.runstate = Runstate::Runnable;
                    queue.runq.push(id);
                    policy.vcpus[id.index()].queued = true;
                }
                At::Sleeps => (state.runstate, state.pause) = (Runstate::Blocked, pause::BLOCKED),
            }
        }
        for pcpu in system.topology.pcpus() {
            let idle = system.idle_vcpu(pcpu);
            if system.current[pcpu.index()] != idle {
                policy.pcpus[pcpu.index()].runq.push(idle);
                policy.vcpus[idle.index()].queued = true;
            }
        }
    });
    machine
}

/// A vCPU of a stage earns credit and has this much.
pub fn earn(machine: &mut Machine, vcpu: u16, credit: i32) {
    machine.edit(|policy, system| {
        let domain = system.vcpus[usize::from(vcpu)].domain;
        let sched = &mut policy.vcpus[usize::from(vcpu)];
        (sched.active, sched.credit) = (true, credit);
        policy.domains[domain.index()].active.insert(0, VcpuId(vcpu));
        policy.active_domains.insert(0, domain);
        policy.weight_sum += system.domains[domain.index()].0;
    });
}

/// Calls a verb of the scheduler on a pCPU, and says what was counted.
pub fn verb<S: Sink, R>(
    machine: &mut Machine,
    pcpu: u16,
    sink: &mut S,
    call: impl FnOnce(&mut Credit1, &mut Cx<'_, S>) -> R,
) -> (R, Counters) {
    let (mut answer, mut counters, mut next_record) = (None, Counters::default(), 0);
    machine.edit(|policy, system| {
        system.this_pcpu = PcpuId(pcpu);
        let (next_record, counters) = (&mut next_record, &mut counters);
        let mut cx = Cx { system, sink, next_record, counters, cause: None };
        answer = Some(call(policy, &mut cx));
    });
    (answer.expect("it was called"), counters)
}

/// The scheduling decision of a pCPU.
pub fn decide(machine: &mut Machine, pcpu: u16) -> (Choice, Counters) {
    verb(machine, pcpu, &mut NoSink, |credit1, cx| credit1.do_schedule(cx))
}

/// Runs until this holds after a step.
pub fn until(machine: &mut Machine, mut holds: impl FnMut(&Machine) -> bool) {
    while !holds(machine) {
        assert_ne!(machine.advance(&mut NoSink), Step::End, "it never came to that");
    }
}

/// Runs until a handler at `at_ns` has asked for a scheduling decision that is still to come.
pub fn until_softirq(machine: &mut Machine, at_ns: u64) {
    until(machine, |machine| machine.now().as_ns() == at_ns && machine.softirq_is_due());
}

/// The machine of a scenario.
pub fn machine(scenario: Scenario, patches: PatchSet) -> Machine {
    Machine::new(&scenario.validate().expect("valid"), patches)
}

/// The log lines with one of these letters, from a moment on.
pub fn lines(scenario: Scenario, patches: PatchSet, letters: &str, from_ns: u64) -> Vec<String> {
    let mut machine = machine(scenario, patches);
    let (end, guests) = (machine.scenario().duration_ns, machine.system().guests);
    let mut lines = vec![];
    let mut sink = LogSink::new(end, guests, |time, line: &[u8]| {
        let line = std::str::from_utf8(line).expect("ASCII").trim_end();
        let letter = line.split(' ').nth(2).expect("a letter");
        if time.as_ns() >= from_ns && letters.contains(letter) {
            lines.push(line.to_owned());
        }
    });
    while machine.advance(&mut sink) != Step::End {}
    lines
}

/// Keeps trace records: when, on which pCPU, what.
#[derive(Default)]
pub struct Traces(pub Vec<(u64, u16, TraceRecord)>);

impl Sink for Traces {
    const TRACES: bool = true;

    fn trace(&mut self, time: SimTime, pcpu: PcpuId, record: &TraceRecord) {
        self.0.push((time.as_ns(), pcpu.0, *record));
    }
}

impl Traces {
    /// Of a whole run.
    pub fn of(scenario: Scenario, patches: PatchSet) -> Self {
        let (mut machine, mut traces) = (machine(scenario, patches), Self::default());
        while machine.advance(&mut traces) != Step::End {}
        traces
    }

    /// How many there are of a kind.
    pub fn count(&self, kind: TraceKind) -> usize {
        self.0.iter().filter(|(.., record)| record.kind() == kind).count()
    }
}

/// A tickle decision for a vCPU of p0, handled there, on cores of one pool; all may run anywhere.
pub fn asked(cur: Priority, new: Priority, idlers: &[u16]) -> TickleInputs<'static> {
    let all = || Cow::Owned(CpuMask::full(4));
    TickleInputs {
        cpu: PcpuId(0),
        this_cpu: PcpuId(0),
        cur: VcpuId(0),
        cur_pri: cur,
        new_pri: new,
        idlers: Cow::Owned(mask(4, idlers)),
        pool: all(),
        new_hard: all(),
        new_soft: all(),
        cur_hard: all(),
        tickle_one_idle: true,
        cursor: PcpuId(0),
        told: Cow::Owned(mask(4, &[])),
    }
}

/// A vCPU that waits on another pCPU of four and may run anywhere.
pub fn waits(vcpu: u16, pri: Priority) -> QueuedVcpu<'static> {
    QueuedVcpu {
        vcpu: VcpuId(vcpu),
        pri,
        yielded: false,
        hard: Cow::Owned(CpuMask::full(4)),
        soft: Cow::Owned(CpuMask::full(4)),
        is_running: false,
        last_run: SimTime::ZERO,
    }
}

/// What p0 knows of four pCPUs without idlers, of which each has a guest running.
pub fn search_of(snext: Priority) -> BalanceInputs<'static> {
    BalanceInputs {
        cpu: PcpuId(0),
        snext_pri: snext,
        now: SimTime::from_ns(MS),
        migration_delay_ns: 0,
        idlers: Cow::Owned(mask(4, &[])),
        pool: Cow::Owned(CpuMask::full(4)),
        balance_bias: Cow::Owned(vec![PcpuId(0), PcpuId(2)]),
        told: Cow::Owned(mask(4, &[])),
        since_last_ns: MS,
        limit_ns: 0,
    }
}

/// The search for work through these queues of p0 to p3, which are on two nodes.
pub fn search(
    inputs: &BalanceInputs<'_>,
    queues: [Vec<QueuedVcpu<'static>>; 4],
    patches: PatchSet,
) -> (BalanceOutcome, Vec<PeerStep>) {
    let peer = |queue: Vec<_>| (false, 1 + u32::try_from(queue.len()).expect("few"), queue);
    let peers = PeerSnapshot { pcpus: queues.into_iter().map(peer).collect() };
    let (topology, mut steps) = (Topology::regular(2, 2, 1, true), vec![]);
    let outcome = balance(inputs, &peers, &topology, patches, |step| steps.push(step));
    (outcome, steps)
}
