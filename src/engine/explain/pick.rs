//! Why this pCPU was picked for a vCPU.

use super::sides::{SideOutcome, sides};
use super::words::{Words, bits, count};
use super::{Answer, Context, fact};
use crate::protocol::{Candidate, MaskRole, MaskRow};
use sim_core::cpumask::CpuMask;
use sim_core::decision::{
    PickInputs, PickOutcome, PickPurpose, PickStep, Reason, Row, RunqHead, Step,
};
use sim_core::ids::PcpuId;
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{pick, pick_side};

/// Patches on whose two sides the same state can be picked for differently, the telling one first.
const PATCHES: &[Patch] = &[
    Patch::PickDiscountAlone,
    Patch::PickStartIdle,
    Patch::TwoStepBalance,
    Patch::SoftAffinity,
    Patch::SoftSubsetChecks,
    Patch::TickledIsBusy,
];

pub(super) fn explain(
    cx: &Context<'_>,
    row: &Row,
    inputs: &PickInputs<'_>,
    outcome: &PickOutcome,
    purpose: PickPurpose,
) -> Answer {
    let mut steps = vec![];
    pick(inputs, &cx.scenario.topology, cx.patches, |step| steps.push(step));
    Answer {
        sentence: sentence(cx, row, inputs, outcome, (purpose, &steps)).done(),
        facts: facts(cx, row, inputs, purpose),
        masks: masks(cx, row, inputs, (outcome, &steps)),
        candidates: steps.iter().map(|step| candidate(cx, inputs, step)).collect(),
        sides: sides(cx, PATCHES, |_, there| side(cx, row, inputs, outcome, there)),
        source: "xen/common/sched_credit.c:_csched_cpu_pick @ 750ec2271d".to_owned(),
        ..Answer::titled("where it ends up")
    }
}

fn purpose_words(purpose: PickPurpose) -> &'static str {
    match purpose {
        PickPurpose::Tick => "the tick asks whether there is a better place",
        PickPurpose::Migrate => "it is being moved",
        PickPurpose::Insert => "it is new and gets its first place",
    }
}

fn sentence(
    cx: &Context<'_>,
    row: &Row,
    inputs: &PickInputs<'_>,
    outcome: &PickOutcome,
    (purpose, steps): (PickPurpose, &[PickStep]),
) -> Words {
    let opening = cx.words().vcpu(row.subject).text(" belongs to ").pcpu(inputs.processor);
    let words = opening.text("; ").text(purpose_words(purpose)).text(". ");
    let words = match counted_start(cx, inputs, outcome, steps) {
        Some(start) if !inputs.idlers.contains(start) => {
            let words = words.pcpu(start).text(" counts as idle, ");
            let alone = inputs.runq_head == RunqHead::Idle && start == inputs.processor;
            words.text(if alone { "for nobody waits there. " } else { "whoever is there. " })
        }
        _ => words,
    };
    match row.reason {
        Reason::PickStay if steps.is_empty() => {
            let none_idle = inputs.idlers.iter().all(|idler| idler == outcome.cpu);
            let words = words.text(match none_idle {
                true => "No other pCPU is idle: it stays on ",
                false => "No other idle pCPU may run it: it stays on ",
            });
            words.pcpu(outcome.cpu).text(".")
        }
        Reason::PickStay => {
            words.text("Nothing has more idle company than ").pcpu(outcome.cpu).text(": it stays.")
        }
        Reason::PickStart => {
            let words = words.pcpu(outcome.cpu).text(" is where the search starts, ");
            words.text("and nothing has more idle company.")
        }
        _ => {
            let won = steps.iter().rev().find(|step| step.taken == Some(outcome.cpu));
            let words = words.strong(format!("p{}", outcome.cpu.0)).text(" is picked");
            match won {
                Some(step) => {
                    let around = if step.same_socket { "in its core" } else { "in its socket" };
                    let idle = count(step.next_idle, "idle pCPU");
                    let words =
                        words.text(format!(": {idle} {around} against {} around ", step.cpu_idle));
                    words.pcpu(step.cpu).text(".")
                }
                None => words.text("."),
            }
        }
    }
}

/// The pCPU that the search starts from, if it counts as idle whatever the idlers say.
fn counted_start(
    cx: &Context<'_>,
    inputs: &PickInputs<'_>,
    outcome: &PickOutcome,
    steps: &[PickStep],
) -> Option<PcpuId> {
    let start = steps.first().map_or(outcome.cpu, |step| step.cpu);
    let alone = start == inputs.processor && inputs.runq_head == RunqHead::Idle;
    (alone || !cx.patches.has(Patch::PickDiscountAlone)).then_some(start)
}

fn facts(
    cx: &Context<'_>,
    row: &Row,
    inputs: &PickInputs<'_>,
    purpose: PickPurpose,
) -> Vec<crate::protocol::FactRow> {
    let head = match inputs.runq_head {
        RunqHead::Idle => "nobody",
        RunqHead::Guest => "a guest's vCPU",
    };
    let order = if inputs.smt_power_savings { "fill cores first" } else { "spread over cores" };
    vec![
        fact("vCPU", cx.words().vcpu(row.subject)),
        fact("its pCPU", cx.words().pcpu(inputs.processor)),
        fact("asked because", cx.words().text(purpose_words(purpose))),
        fact("first in that queue", cx.words().text(head)),
        fact("smt_power_savings", cx.words().text(order)),
    ]
}

fn masks(
    cx: &Context<'_>,
    row: &Row,
    inputs: &PickInputs<'_>,
    (outcome, steps): (&PickOutcome, &[PickStep]),
) -> Vec<MaskRow> {
    let mask = |label: Words, mask: &CpuMask, role| MaskRow {
        label: label.done(),
        bits: bits(mask, cx.pcpus()),
        role,
    };
    let may = cx.words().vcpu(row.subject).text(" may run on");
    let picked = inputs.idlers.only(outcome.cpu);
    let mut idle = inputs.idlers.as_ref().clone();
    let mut rows = vec![mask(cx.words().text("idlers"), &idle, MaskRole::Input)];
    if let Some(start) = counted_start(cx, inputs, outcome, steps) {
        let label = cx.words().text("+ ").pcpu(start).text(" counts as idle");
        rows.push(mask(label, &idle.only(start), MaskRole::Or));
        idle.insert(start);
    }
    rows.push(mask(may, &inputs.hard, MaskRole::Input));
    rows.push(mask(cx.words().text("idle and allowed"), &idle.and(&inputs.hard), MaskRole::And));
    rows.push(mask(cx.words().text("picked"), &picked, MaskRole::Result));
    rows
}

fn candidate(cx: &Context<'_>, inputs: &PickInputs<'_>, step: &PickStep) -> Candidate {
    let around = if step.same_socket { "core" } else { "socket" };
    let mut words = cx.words().text(format!(
        "{} in its {around}, {} in that of ",
        count(step.next_idle, "idle pCPU"),
        step.cpu_idle
    ));
    words = words.pcpu(step.cpu).text(match (step.taken, inputs.smt_power_savings) {
        (Some(_), _) => ": better",
        (None, true) => ": not fuller",
        (None, false) if step.same_socket => ": not more",
        (None, false) => ": not more than twice as many",
    });
    if let Some(taken) = step.taken.filter(|taken| *taken != step.next) {
        words = words.text(", ").pcpu(taken).text(" is next in turn there");
    }
    let who = cx.words().pcpu(step.next);
    let who = if step.step == Step::Soft { who.text(" (preferred)") } else { who };
    Candidate { who: who.done(), verdict: words.done(), taken: step.taken.is_some() }
}

fn side(
    cx: &Context<'_>,
    row: &Row,
    inputs: &PickInputs<'_>,
    here: &PickOutcome,
    patches: PatchSet,
) -> SideOutcome {
    let other = pick_side(inputs, &cx.scenario.topology, cx.patches, patches);
    let words = cx.words().vcpu(row.subject);
    let words = if other.cpu == inputs.processor {
        words.text(" stays on ").pcpu(other.cpu)
    } else {
        words.text(" goes to ").pcpu(other.cpu)
    };
    let reason = if other.cpu == inputs.processor {
        Reason::PickStay
    } else if other.bias_of.is_some() {
        Reason::PickMove
    } else {
        Reason::PickStart
    };
    SideOutcome {
        differs: other.cpu != here.cpu,
        code: reason.info().code.to_owned(),
        sentence: words.text(".").done(),
        bits: bits(&inputs.idlers.only(other.cpu), cx.pcpus()),
    }
}
