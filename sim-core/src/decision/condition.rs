//! The condition that must hold on the recorded facts of each leaf.
//!
//! Written from the decision tables, not from the code that decides: a record whose condition does
//! not hold would be explained wrongly. Tests check it on every record of every conformance run.
//! Nothing is decided here.

mod account;

use super::{
    BalanceInputs, BalanceOutcome, Facts, Kind, Peers, PickInputs, PickOutcome, Priority,
    QueuedVcpu, Reason, Row, ScheduleFacts, TickFacts, TickleInputs, TickleOutcome, WakeFacts,
};
use crate::patches::{Patch, PatchSet};

/// Whether the facts of a record are those that its leaf stands for.
#[must_use]
pub fn holds(row: &Row, facts: Facts<'_>, patches: PatchSet) -> bool {
    match facts {
        Facts::Wake(facts) => wake(row.reason, facts, patches),
        Facts::Tickle(inputs, outcome) => {
            outcome.reason == row.reason
                && tickle(row.reason, inputs, outcome, patches)
                && outcome.kick == (row.reason == Reason::TickleA4)
        }
        Facts::Pick(inputs, outcome, _) => pick(row.reason, inputs, outcome, patches),
        Facts::Balance(inputs, peers, outcome) => {
            balance(row.reason, inputs, peers, outcome, patches)
        }
        Facts::Schedule(facts) => schedule(row.reason, facts, patches),
        Facts::Tick(facts) => tick(row, facts),
        Facts::Account(facts) => account::account(row.reason, facts),
        Facts::Park(facts) => account::park(row.reason, facts),
        Facts::None => row.reason.kind() == Kind::Origin,
    }
}

fn wake(reason: Reason, facts: &WakeFacts, patches: PatchSet) -> bool {
    let spared = patches.has(Patch::NoBoostOnMigrate) && facts.migrated;
    let due = facts.pri_before == Priority::UNDER && !facts.parked && !spared;
    match reason {
        Reason::WakeBoosted => due && facts.pri_after == Priority::BOOST,
        Reason::WakeQueued => !due && facts.pri_after == facts.pri_before,
        Reason::WakeCurrent | Reason::WakeOnQueue | Reason::WakeNotRunnable => {
            facts.pri_after == facts.pri_before
        }
        _ => false,
    }
}

fn tickle(
    reason: Reason,
    inputs: &TickleInputs<'_>,
    outcome: &TickleOutcome,
    patches: PatchSet,
) -> bool {
    let higher = inputs.new_pri > inputs.cur_pri;
    let cpu_idle = inputs.cur_pri == Priority::IDLE;
    let idlers = if patches.has(Patch::TicklePoolFilter) {
        inputs.idlers.and(&inputs.pool)
    } else {
        inputs.idlers.as_ref().clone()
    };
    let somebody = !idlers.is_empty();
    let allowed = idlers.intersects(&inputs.new_hard);
    let told = &outcome.tickled;
    let nobody = told.is_empty();
    let here = told.contains(inputs.cpu);
    let only_here = here && told.len() == 1;
    // An idler was told; with the regression of 2015 also one that may not run the waker.
    let filtered = !patches.has(Patch::TickleUnfilteredMask);
    let idler = told.iter().all(|pcpu| {
        let fits = inputs.new_hard.contains(pcpu) || !filtered;
        idlers.contains(pcpu) && fits
    }) && !nobody;
    match reason {
        Reason::TickleA0 => {
            let pinned = inputs.new_hard.len() == 1 && inputs.pool.len() > 1;
            pinned && only_here && idlers.contains(inputs.cpu) && patches.has(Patch::ExclPinning)
        }
        Reason::TickleB1 | Reason::TickleA1 => cpu_idle && only_here,
        Reason::TickleB2 | Reason::TickleA2 => !cpu_idle && higher && !somebody && only_here,
        Reason::TickleB5 | Reason::TickleA3 => !cpu_idle && !higher && !somebody && nobody,
        // Whoever must be preempted is told only if the waker may run there.
        Reason::TickleB3 => {
            let fits = inputs.new_hard.contains(inputs.cpu);
            !cpu_idle && higher && somebody && !allowed && (only_here || !fits && nobody)
        }
        Reason::TickleB4 => {
            let fits = inputs.new_hard.contains(inputs.cpu);
            let mut others = told.clone();
            others.remove(inputs.cpu);
            let suitable = idlers.and(&inputs.new_hard);
            !cpu_idle && higher && allowed && here == fits && others.is_subset(&suitable)
        }
        Reason::TickleB6 | Reason::TickleA5 => {
            !cpu_idle && !higher && somebody && !allowed && nobody
        }
        Reason::TickleB7 => !cpu_idle && !higher && allowed && idler,
        Reason::TickleA4 => {
            let useful =
                !patches.has(Patch::KickOnlyIfUseful) || inputs.cur_hard.intersects(&idlers);
            !cpu_idle && higher && somebody && !allowed && only_here && useful
        }
        Reason::TickleA4Futile => {
            let futile =
                patches.has(Patch::KickOnlyIfUseful) && !inputs.cur_hard.intersects(&idlers);
            !cpu_idle && higher && somebody && !allowed && only_here && futile
        }
        Reason::TickleA6 => !cpu_idle && allowed && idler,
        Reason::TickleA6Soft => {
            let preferred = told.intersects(&inputs.new_soft) || !filtered;
            !cpu_idle && allowed && idler && preferred && patches.has(Patch::TwoStepBalance)
        }
        _ => false,
    }
}

fn pick(reason: Reason, inputs: &PickInputs<'_>, outcome: &PickOutcome, patches: PatchSet) -> bool {
    let allowed = inputs.hard.and(&inputs.pool);
    let stays = outcome.cpu == inputs.processor;
    allowed.contains(outcome.cpu)
        && match reason {
            Reason::PickStay => stays,
            Reason::PickStart => {
                let must_leave = !allowed.contains(inputs.processor);
                let seeks_idle =
                    patches.has(Patch::PickStartIdle) && inputs.idlers.contains(outcome.cpu);
                !stays && (must_leave || seeks_idle || patches.has(Patch::TwoStepBalance))
            }
            Reason::PickMove => {
                !stays && outcome.bias_of.is_some() && inputs.idlers.contains(outcome.cpu)
            }
            _ => false,
        }
}

fn balance(
    reason: Reason,
    inputs: &BalanceInputs<'_>,
    peers: &dyn Peers,
    outcome: &BalanceOutcome,
    patches: PatchSet,
) -> bool {
    let mut searched = inputs.pool.as_ref().clone();
    searched.remove_all(&inputs.idlers);
    searched.remove(inputs.cpu);
    let queue = |peer| (0..).map_while(move |place| peers.queued(peer, place));
    let cold = |last_run| (inputs.now - last_run).as_ns() >= inputs.migration_delay_ns;
    let spares_yielders = patches.has(Patch::NoStealYielded);
    let willing = |queued: &QueuedVcpu<'_>| !(spares_yielders && queued.yielded);
    let limited = patches.has(Patch::LbRatelimit) && inputs.since_last_ns <= inputs.limit_ns;
    if limited != outcome.limited {
        return false;
    }
    match (reason, outcome.stolen) {
        (Reason::BalanceLimited, None) => limited,
        (Reason::BalanceStole, Some((stolen, peer))) => {
            searched.contains(peer)
                && queue(peer).any(|queued| {
                    queued.vcpu == stolen
                        && queued.pri > inputs.snext_pri
                        && queued.hard.contains(inputs.cpu)
                        && willing(&queued)
                        && !queued.is_running
                        && cold(queued.last_run)
                })
        }
        // What the last step would have taken: before the first that is not better, all allowed.
        (Reason::BalanceNothing, None) if !limited => searched.iter().all(|peer| {
            let skipped = patches.has(Patch::StealSkipSingle) && peers.nr_runnable(peer) <= 1;
            skipped
                || peers.is_idle(peer)
                || !queue(peer).take_while(|queued| queued.pri > inputs.snext_pri).any(|queued| {
                    queued.hard.contains(inputs.cpu)
                        && willing(&queued)
                        && !queued.is_running
                        && cold(queued.last_run)
                })
        }),
        _ => false,
    }
}

fn schedule(reason: Reason, facts: &ScheduleFacts, patches: PatchSet) -> bool {
    let heeds_yield = patches.has(Patch::YieldSkipsRatelimit) && facts.yielded;
    let burnt = facts.charge.credits;
    if burnt < 0 || facts.cur_idle && burnt != 0 {
        return false;
    }
    let limited = !facts.cur_idle
        && facts.cur_runnable
        && facts.runtime_ns < facts.ratelimit_ns
        && !heeds_yield;
    if limited != (reason == Reason::ScheduleRatelimited) {
        return false;
    }
    let Some((head, pri)) = facts.head else { return limited && facts.next == facts.cur };
    let own = facts.stolen.is_none() && facts.next == head;
    let (stays, with_credit) = (facts.next == facts.cur, pri > Priority::OVER);
    match reason {
        Reason::ScheduleContinue => own && stays && facts.cur_runnable && !facts.next_idle,
        Reason::ScheduleSwitch => own && !stays && with_credit,
        Reason::ScheduleSwitchOver => own && !stays && pri == Priority::OVER,
        Reason::ScheduleStole => {
            !with_credit && facts.stolen.is_some_and(|(vcpu, _)| vcpu == facts.next)
        }
        Reason::ScheduleIdle => own && facts.next_idle && !facts.cur_idle,
        Reason::ScheduleStayIdle => own && facts.next_idle && facts.cur_idle && stays,
        _ => false,
    }
}

fn tick(row: &Row, facts: &TickFacts) -> bool {
    let unboosted = facts.pri_after != Priority::BOOST;
    unboosted
        && facts.charge.credits >= 0
        && match row.reason {
            Reason::TickActivate => !facts.was_active && facts.picked.is_none(),
            Reason::TickStay => facts.was_active && facts.picked == Some(row.pcpu),
            Reason::TickMigrate => facts.picked.is_some_and(|picked| picked != row.pcpu),
            _ => false,
        }
}
