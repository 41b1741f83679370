//! What a pCPU found when it looked for work elsewhere.

use super::sides::{SideOutcome, sides};
use super::words::{Words, bits, count};
use super::{Answer, Context, counter_name, fact};
use crate::protocol::{Candidate, MaskRole, MaskRow};
use sim_core::cpumask::CpuMask;
use sim_core::decision::{
    BalanceInputs, BalanceOutcome, PeerSnapshot, PeerStep, PeerVerdict, QueuedVerdict, Reason, Step,
};
use sim_core::ids::PcpuId;
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{balance, balance_counters, balance_side};

/// Patches on whose two sides the same state can be searched differently.
const PATCHES: &[Patch] = &[
    Patch::StealBias,
    Patch::TwoStepBalance,
    Patch::SoftAffinity,
    Patch::SoftSubsetChecks,
    Patch::NoStealYielded,
    Patch::LbRatelimit,
    Patch::StealSkipSingle,
    Patch::TickledIsBusy,
];

pub(super) fn explain(
    cx: &Context<'_>,
    inputs: &BalanceInputs<'_>,
    peers: &PeerSnapshot,
    outcome: &BalanceOutcome,
) -> Answer {
    let mut steps = vec![];
    balance(inputs, peers, &cx.scenario.topology, cx.patches, |step| steps.push(step));
    let counters = balance_counters(inputs.snext_pri, outcome, cx.patches);
    let cranked = counters.into_iter().filter(|(_, times)| *times > 0 && !outcome.limited);
    Answer {
        sentence: sentence(cx, inputs, outcome).done(),
        facts: facts(cx, inputs, outcome),
        masks: masks(cx, inputs, outcome),
        candidates: steps.iter().map(|step| candidate(cx, step)).collect(),
        counters: cranked
            .map(|(counter, times)| match times {
                1 => counter_name(counter),
                times => format!("{} × {times}", counter_name(counter)),
            })
            .collect(),
        sides: sides(cx, PATCHES, |_, there| side(cx, inputs, peers, outcome, there)),
        source: "xen/common/sched_credit.c:csched_load_balance, csched_runq_steal @ ebce2d836c"
            .to_owned(),
        ..Answer::titled("what the search gave")
    }
}

fn searched(inputs: &BalanceInputs<'_>) -> CpuMask {
    let mut searched = inputs.pool.as_ref().clone();
    searched.remove_all(&inputs.idlers);
    searched.remove(inputs.cpu);
    searched
}

fn sentence(cx: &Context<'_>, inputs: &BalanceInputs<'_>, outcome: &BalanceOutcome) -> Words {
    let words = cx.words().pcpu(inputs.cpu).text(" has nothing better than ");
    let words = words.strong(inputs.snext_pri.name()).text(" and looks for work elsewhere. ");
    if outcome.limited {
        let words = cx.words().pcpu(inputs.cpu).text(" looked elsewhere ").ns(inputs.since_last_ns);
        let words = words.text(" ago, and looks at most once in ").ns(inputs.limit_ns);
        return words.text(": it does not look again.");
    }
    match outcome.stolen {
        Some((vcpu, peer)) => {
            let words = walk(cx, inputs, words, peer);
            words.text("It takes ").vcpu(vcpu).text(" from the queue of ").pcpu(peer).text(".")
        }
        None if searched(inputs).is_empty() => words.text("Every other pCPU is idle."),
        None => words.text(format!(
            "None of {} queues anything that is better and may come.",
            count(searched(inputs).len(), "busy pCPU")
        )),
    }
}

/// Where the search began on the node on which it ended, and why there.
fn walk(cx: &Context<'_>, inputs: &BalanceInputs<'_>, words: Words, peer: PcpuId) -> Words {
    let topology = &cx.scenario.topology;
    let busy = searched(inputs);
    let first = |members: &[PcpuId], last: Option<PcpuId>| {
        let mut busy = members.iter().copied().filter(|member| busy.contains(*member));
        let lowest = busy.clone().next();
        busy.find(|member| Some(*member) > last).or(lowest).unwrap_or(peer)
    };
    if !cx.patches.has(Patch::TwoStepBalance) {
        let first = first(topology.members(), Some(inputs.cpu));
        let words = words.text("It asks the busy pCPUs in turn, beginning behind itself with ");
        return words.pcpu(first).text(". ");
    }
    let node = usize::from(topology.place(peer).node);
    let members = topology.node_members(node);
    let on_node =
        if topology.nodes().len() > 1 { format!(" of node {node}") } else { String::new() };
    if !cx.patches.has(Patch::StealBias) {
        let words = words.text(format!("The lowest busy pCPU{on_node} is always asked first: "));
        return words.pcpu(first(members, None)).text(". ");
    }
    let last = inputs.balance_bias[node];
    let words = words.text(format!("The pCPUs{on_node} take turns as victims: behind ")).pcpu(last);
    words.text(" it begins with ").pcpu(first(members, Some(last))).text(". ")
}

fn facts(
    cx: &Context<'_>,
    inputs: &BalanceInputs<'_>,
    outcome: &BalanceOutcome,
) -> Vec<crate::protocol::FactRow> {
    let delay = match inputs.migration_delay_ns {
        0 => cx.words().text("off"),
        ns => cx.words().ns(ns),
    };
    vec![
        fact("thief", cx.words().pcpu(inputs.cpu)),
        fact("best it has itself", cx.words().strong(inputs.snext_pri.name())),
        fact("peers tried", cx.words().text(outcome.tries.to_string())),
        fact("passed over as cache-hot", cx.words().text(outcome.hot.to_string())),
        fact("migration delay", delay),
    ]
}

fn masks(cx: &Context<'_>, inputs: &BalanceInputs<'_>, outcome: &BalanceOutcome) -> Vec<MaskRow> {
    let row = |label: &str, mask: &CpuMask, role| MaskRow {
        label: cx.words().text(label).done(),
        bits: bits(mask, cx.pcpus()),
        role,
    };
    let victim = match outcome.stolen {
        Some((_, peer)) => inputs.idlers.only(peer),
        None => CpuMask::empty_like(&inputs.idlers),
    };
    vec![
        row("idlers", &inputs.idlers, MaskRole::Input),
        row("busy, but not itself", &searched(inputs), MaskRole::Input),
        row("stolen from", &victim, MaskRole::Result),
    ]
}

fn candidate(cx: &Context<'_>, step: &PeerStep) -> Candidate {
    let (who, verdict, taken) = match *step {
        PeerStep::Queued { peer, vcpu, verdict } => {
            let why = match verdict {
                QueuedVerdict::Taken => "taken",
                QueuedVerdict::NotHigher => "not better than what the thief has",
                QueuedVerdict::NoSoftAffinity => "has no preference; left for the next round",
                QueuedVerdict::Yielded => "has yielded",
                QueuedVerdict::Running => "still being switched out",
                QueuedVerdict::Hot => "cache-hot",
                QueuedVerdict::NotAllowed => "may not run on the thief",
            };
            let who = cx.words().vcpu(vcpu).text(" on ").pcpu(peer);
            (who, why, verdict == QueuedVerdict::Taken)
        }
        PeerStep::Peer { peer, step, verdict } => {
            let why = match verdict {
                PeerVerdict::Skipped => "at most one runnable vCPU: skipped",
                PeerVerdict::Idle => "idle by now",
                PeerVerdict::Searched { taken: true } => "robbed",
                PeerVerdict::Searched { taken: false } => "nothing to take",
            };
            let who = cx.words().pcpu(peer);
            let who = if step == Step::Soft { who.text(" (preferred)") } else { who };
            (who, why, verdict == PeerVerdict::Searched { taken: true })
        }
    };
    Candidate { who: who.done(), verdict: cx.words().text(verdict).done(), taken }
}

fn side(
    cx: &Context<'_>,
    inputs: &BalanceInputs<'_>,
    peers: &PeerSnapshot,
    here: &BalanceOutcome,
    patches: PatchSet,
) -> SideOutcome {
    let other = balance_side(inputs, peers, &cx.scenario.topology, (cx.patches, patches));
    let (reason, words) = match other.stolen {
        Some((vcpu, peer)) => {
            let words = cx.words().pcpu(inputs.cpu).text(" takes ").vcpu(vcpu).text(" from ");
            (Reason::BalanceStole, words.pcpu(peer))
        }
        None if other.limited => {
            let words =
                cx.words().pcpu(inputs.cpu).text(" has looked too recently and does not look");
            (Reason::BalanceLimited, words)
        }
        None => (Reason::BalanceNothing, cx.words().pcpu(inputs.cpu).text(" finds nothing")),
    };
    let tries = match other.limited {
        true => ".".to_owned(),
        false if other.tries == 0 => " and asks no peer.".to_owned(),
        false if other.tries == 1 => " at the first try.".to_owned(),
        false => format!(" after {} tries.", other.tries),
    };
    SideOutcome {
        differs: other.stolen != here.stolen,
        code: reason.info().code.to_owned(),
        sentence: words.text(tries).done(),
        bits: vec![],
    }
}
