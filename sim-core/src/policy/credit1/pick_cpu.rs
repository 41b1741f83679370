//! Which pCPU a vCPU should go to. Pure, but for the bias that a pick which counts leaves behind.
//!
//! Follows: xen/common/sched_credit.c:_csched_cpu_pick @ 750ec2271d, 89216c7999.

use super::{Credit1, soft_useful, step_mask, steps};
use crate::cpumask::CpuMask;
use crate::decision::{
    Facts, PickInputs, PickOutcome, PickPurpose, PickStep, Priority, Reason, RunqHead, Sink, Step,
    TraceRecord,
};
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::patches::{Patch, PatchSet};
use crate::policy::cx::Cx;
use crate::topology::Topology;
use alloc::borrow::Cow;

/// Looks for the place with the most idle company: idle cores in the own socket, then idle sockets.
///
/// `probe` is told of every comparison.
pub fn pick(
    inputs: &PickInputs<'_>,
    topology: &Topology,
    patches: PatchSet,
    mut probe: impl FnMut(PickStep),
) -> PickOutcome {
    let PickInputs { hard, soft, pool, .. } = inputs;
    let allowed = hard.and(pool);
    let useful = soft_useful(patches, pool, hard, soft, &allowed);
    let mut outcome = PickOutcome { cpu: inputs.processor, bias_of: None };
    for step in steps(patches, useful) {
        let mut candidates = step_mask(step, hard, soft);
        candidates.keep(pool);
        let processor = inputs.processor;
        outcome.cpu = if candidates.contains(processor) {
            processor
        } else {
            candidates.cycle(processor).expect("an affinity has a pCPU in the pool")
        };
        let mut idle = inputs.idlers.and(topology.all());
        let alone = outcome.cpu == processor && inputs.runq_head == RunqHead::Idle;
        if alone || !patches.has(Patch::PickDiscountAlone) {
            idle.insert(outcome.cpu);
        }
        candidates.keep(&idle);
        if patches.has(Patch::PickStartIdle) && !candidates.contains(outcome.cpu) {
            outcome.cpu = candidates.cycle(outcome.cpu).unwrap_or(outcome.cpu);
        }
        candidates.remove(outcome.cpu);
        compare(inputs, topology, step, (&idle, candidates), &mut outcome, &mut probe);
        if idle.contains(outcome.cpu) {
            break;
        }
    }
    outcome
}

/// Compares the place so far with each group of idle candidates in turn.
fn compare(
    inputs: &PickInputs<'_>,
    topology: &Topology,
    step: Step,
    (idle, mut candidates): (&CpuMask, CpuMask),
    outcome: &mut PickOutcome,
    probe: &mut impl FnMut(PickStep),
) {
    while let Some(next) = candidates.cycle(outcome.cpu) {
        let cpu = outcome.cpu;
        let same_socket = topology.same_socket(cpu, next);
        let group = |of: PcpuId| {
            let place = topology.place(of);
            if same_socket { &place.sibling } else { &place.socket }
        };
        let (cpu_idle, next_idle) = (idle.len_shared(group(cpu)), idle.len_shared(group(next)));
        // To leave the socket the other one must have more than twice as much idle.
        let factor = if same_socket { 1 } else { 2 };
        let better = if inputs.smt_power_savings {
            cpu_idle > next_idle
        } else {
            cpu_idle * factor < next_idle
        };
        let mut taken = None;
        if better {
            let bias = inputs.idle_bias[next.index()];
            let choice = candidates.and(group(next));
            outcome.cpu = choice.cycle(bias).expect("the candidate itself is in its group");
            outcome.bias_of = Some(next);
            taken = Some(outcome.cpu);
            candidates.remove_all(&topology.place(outcome.cpu).sibling);
        } else {
            candidates.remove_all(group(next));
        }
        probe(PickStep { step, cpu, next, same_socket, cpu_idle, next_idle, taken });
    }
}

impl Credit1 {
    /// Picks a pCPU for a vCPU that is to be moved or placed; the choice counts.
    pub fn pick_pcpu<S: Sink>(
        &mut self,
        cx: &mut Cx<'_, S>,
        vcpu: VcpuId,
        purpose: PickPurpose,
    ) -> (PcpuId, DecisionId) {
        self.vcpu_mut(vcpu).migrating = true;
        let (outcome, id) = self.pick(cx, vcpu, purpose);
        if let Some(leader) = outcome.bias_of {
            self.idle_bias[leader.index()] = outcome.cpu;
        }
        (outcome.cpu, id)
    }

    /// Asks where a vCPU would best be, and leaves a record.
    pub(super) fn pick<S: Sink>(
        &self,
        cx: &mut Cx<'_, S>,
        vcpu: VcpuId,
        purpose: PickPurpose,
    ) -> (PickOutcome, DecisionId) {
        let state = cx.system.vcpu(vcpu);
        let processor = state.processor;
        let head = self.pcpus[processor.index()].runq.first();
        let idle_head = head.is_none_or(|head| self.vcpu(*head).pri == Priority::IDLE);
        let inputs = PickInputs {
            processor,
            hard: Cow::Borrowed(&state.hard),
            soft: Cow::Borrowed(&state.soft),
            idlers: Cow::Borrowed(&self.idlers),
            pool: Cow::Borrowed(&cx.system.pool),
            smt_power_savings: self.smt_power_savings,
            runq_head: if idle_head { RunqHead::Idle } else { RunqHead::Guest },
            idle_bias: Cow::Borrowed(&self.idle_bias),
            told: Cow::Borrowed(&self.told),
        };
        let outcome = pick(&inputs, &cx.system.topology, self.patches, |_| ());
        let reason = if outcome.cpu == processor {
            Reason::PickStay
        } else if outcome.bias_of.is_some() {
            Reason::PickMove
        } else {
            Reason::PickStart
        };
        let facts = Facts::Pick(&inputs, &outcome, purpose);
        let id = cx.record(reason, vcpu, outcome.cpu.0, facts);
        cx.trace(TraceRecord::PickedCpu { vcpu, pcpu: outcome.cpu });
        (outcome, id)
    }
}
