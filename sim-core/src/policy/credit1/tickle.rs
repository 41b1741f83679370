//! Whom to tell about a woken vCPU. Pure.
//!
//! Follows: xen/common/sched_credit.c:__runq_tickle @ 0bba5747f4 (before), ebce2d836c (after
//! “improve tickling of idle CPUs”), 89216c7999 (2017), b37b61d178 (2018).

use super::{soft_useful, step_mask, steps};
use crate::cpumask::CpuMask;
use crate::decision::{Counter, Priority, Reason, Step, TickleInputs, TickleOutcome};
use crate::patches::{Patch, PatchSet};

/// Decides which pCPUs are told that a vCPU was queued, and whether the running one is pushed out.
#[must_use]
pub fn tickle(inputs: &TickleInputs<'_>, patches: PatchSet) -> TickleOutcome {
    if patches.has(Patch::TicklePreferIdlers) {
        prefer_idlers(inputs, patches)
    } else {
        preempt_and_tell(inputs)
    }
}

/// The counters that a tickle decision cranks.
pub fn tickle_counters(outcome: &TickleOutcome) -> impl Iterator<Item = Counter> {
    let kick = outcome.kick.then_some(Counter::MigrateKickedAway);
    outcome.counters.into_iter().chain([kick]).flatten()
}

/// Before the 2012 patch: preempt here if the waker is higher, and tell idlers besides.
fn preempt_and_tell(inputs: &TickleInputs<'_>) -> TickleOutcome {
    let higher = inputs.new_pri > inputs.cur_pri;
    let here = inputs.idlers.only(inputs.cpu);
    let none = CpuMask::empty_like(&inputs.idlers);
    let local = if !higher {
        None
    } else if inputs.cur_pri == Priority::IDLE {
        Some(Counter::TickleLocalIdler)
    } else if inputs.cur_pri == Priority::OVER {
        Some(Counter::TickleLocalOver)
    } else if inputs.cur_pri == Priority::UNDER {
        Some(Counter::TickleLocalUnder)
    } else {
        Some(Counter::TickleLocalOther)
    };
    let leave = |reason, tickled, global| TickleOutcome {
        reason,
        tickled,
        kick: false,
        cursor: inputs.cursor,
        counters: [local, global],
    };
    if inputs.cur_pri <= Priority::IDLE {
        return leave(Reason::TickleB1, here, None);
    }
    if inputs.idlers.is_empty() {
        let count = Some(Counter::TickleIdlersNone);
        return match higher {
            true => leave(Reason::TickleB2, here, count),
            false => leave(Reason::TickleB5, none, count),
        };
    }
    let suitable = inputs.idlers.and(&inputs.new_hard);
    let mut tickled = if higher { here } else { none };
    if suitable.is_empty() {
        tickled.keep(&inputs.new_hard);
        let reason = if higher { Reason::TickleB3 } else { Reason::TickleB6 };
        return leave(reason, tickled, None);
    }
    let (chosen, cursor) = choose_idlers(inputs, &suitable);
    tickled.add_all(&chosen);
    tickled.keep(&inputs.new_hard);
    let reason = if higher { Reason::TickleB4 } else { Reason::TickleB7 };
    TickleOutcome { cursor, ..leave(reason, tickled, Some(Counter::TickleIdlersSome)) }
}

/// Since the 2012 patch: an idle pCPU that may run the waker is told instead of preempting.
fn prefer_idlers(inputs: &TickleInputs<'_>, patches: PatchSet) -> TickleOutcome {
    let higher = inputs.new_pri > inputs.cur_pri;
    let idlers = if patches.has(Patch::TicklePoolFilter) {
        inputs.idlers.and(&inputs.pool)
    } else {
        inputs.idlers.as_ref().clone()
    };
    let here = inputs.idlers.only(inputs.cpu);
    let perf = patches.has(Patch::PerfTickled);
    let leave = |reason, tickled, count| TickleOutcome {
        reason,
        tickled,
        kick: reason == Reason::TickleA4,
        cursor: inputs.cursor,
        counters: [count, None],
    };
    let busy = Some(if perf { Counter::TickledBusyCpu } else { Counter::TickleIdlersNone });
    let nobody = perf.then_some(Counter::TickledNoCpu);
    let none = CpuMask::empty_like(&inputs.idlers);
    let pinned = patches.has(Patch::ExclPinning) && is_pinned(inputs);
    if pinned && idlers.contains(inputs.cpu) {
        return leave(Reason::TickleA0, here, Some(Counter::TickledIdleCpuExcl));
    }
    if inputs.cur_pri == Priority::IDLE {
        return leave(Reason::TickleA1, here, perf.then_some(Counter::TickledIdleCpu));
    }
    if idlers.is_empty() {
        return match higher {
            true => leave(Reason::TickleA2, here, busy),
            false => leave(Reason::TickleA3, none, nobody),
        };
    }
    let TickleInputs { new_hard, new_soft, pool, .. } = inputs;
    let useful = soft_useful(patches, pool, new_hard, new_soft, new_hard);
    for step in steps(patches, useful) {
        let suitable = step_mask(step, new_hard, new_soft).and(&idlers);
        if suitable.is_empty() {
            continue;
        }
        let from = if patches.has(Patch::TickleUnfilteredMask) { &idlers } else { &suitable };
        let (tickled, cursor) = choose_idlers(inputs, from);
        let soft = step == Step::Soft;
        let reason = if soft { Reason::TickleA6Soft } else { Reason::TickleA6 };
        let count = if perf { Counter::TickledIdleCpu } else { Counter::TickleIdlersSome };
        return TickleOutcome { cursor, ..leave(reason, tickled, Some(count)) };
    }
    if !higher {
        return leave(Reason::TickleA5, none, nobody);
    }
    let useful_kick = !patches.has(Patch::KickOnlyIfUseful) || inputs.cur_hard.intersects(&idlers);
    leave(if useful_kick { Reason::TickleA4 } else { Reason::TickleA4Futile }, here, busy)
}

/// Whether the woken vCPU was given a hard affinity of one pCPU. On a machine of one pCPU every
/// affinity is the full one, which pins nobody.
fn is_pinned(inputs: &TickleInputs<'_>) -> bool {
    inputs.new_hard.len() == 1 && inputs.pool.len() > 1
}

/// One idler in turn, or all of them, as the parameter says; with the cursor afterwards.
fn choose_idlers(inputs: &TickleInputs<'_>, suitable: &CpuMask) -> (CpuMask, crate::ids::PcpuId) {
    if !inputs.tickle_one_idle {
        return (suitable.clone(), inputs.cursor);
    }
    let chosen = suitable.cycle(inputs.cursor).expect("there is a suitable idler");
    (suitable.only(chosen), chosen)
}
