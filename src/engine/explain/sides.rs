//! What the same state gives under other patches: one side per patch that a decision depends on,
//! and a plain word on those that cannot be asked on one state.

use super::words::Words;
use super::{Context, Row};
use crate::protocol::{OtherSide, Piece, Unasked};
use sim_core::decision::{Charge, Kind, Priority, Reason, ScheduleFacts, WakeFacts, WakeSource};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::machine::{PcpuSnapshot, Snapshot};
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{
    affinity_migrates, charge, insert_position, rate_limit, wake_side,
};
use sim_core::scenario::{Change, Op};
use sim_core::units::SimDuration;

/// What the same state gives on the other side of a patch.
pub(super) struct SideOutcome {
    pub(super) differs: bool,
    pub(super) code: String,
    pub(super) sentence: Vec<Piece>,
    pub(super) bits: Vec<bool>,
}

impl SideOutcome {
    fn of(differs: bool, reason: Reason, words: Words) -> Self {
        let code = reason.info().code.to_owned();
        Self { differs, code, sentence: words.done(), bits: vec![] }
    }
}

/// The other side of each of `patches`: those whose outcome differs first.
pub(super) fn sides(
    cx: &Context<'_>,
    patches: &[Patch],
    ask: impl Fn(Patch, PatchSet) -> SideOutcome,
) -> Vec<OtherSide> {
    let side = |patch: &Patch| {
        let side = ask(*patch, cx.patches.flipped(*patch));
        OtherSide {
            patch: *patch as u8,
            on: !cx.patches.has(*patch),
            differs: side.differs,
            code: side.code,
            sentence: side.sentence,
            bits: side.bits,
        }
    };
    let mut sides: Vec<OtherSide> = patches.iter().map(side).collect();
    sides.sort_by_key(|side| !side.differs);
    sides
}

/// Patches that touch a record but cannot be asked on its state alone, with the reason.
pub(super) fn unasked(cx: &Context<'_>, row: &Row) -> Vec<Unasked> {
    let was_idle = row.subject.index() >= cx.guests();
    let goes_idle = row.reason == Reason::ScheduleIdle;
    let stays_idle = row.reason == Reason::ScheduleStayIdle;
    let all: &[(Patch, &str)] = match row.reason.kind() {
        Kind::Schedule if goes_idle || was_idle && !stays_idle => &[(
            Patch::TickerStopsWhenIdle,
            "acts over time: from here on it moves the ticks of this pCPU, not this decision.",
        )],
        Kind::Pick => &[(
            Patch::MigrateStartFinish,
            "decides whether a pick is made at all, not which pCPU it gives.",
        )],
        Kind::Wake if row.arg == WakeSource::Start as u16 => &[(
            Patch::PickOnInsert,
            "acts before the run begins: it gave this vCPU its first place, or left it alone.",
        )],
        // Only a scenario that changes the slice is touched by these.
        Kind::Account if cx.scenario.ops.iter().any(is_of_params) => &[
            (Patch::TsliceDerives, "acts over time: it is asked when the slice is changed."),
            (Patch::TsliceRepool, "acts over time: it is asked when the slice is changed."),
        ],
        Kind::Origin => match cx.change(row) {
            Some(Change::Params { .. }) => &[
                (
                    Patch::TsliceDerives,
                    "acts from here on: whether a new slice changes tick and credits too.",
                ),
                (
                    Patch::TsliceRepool,
                    "acts from here on: whether a new slice changes the credit that is handed out.",
                ),
            ],
            Some(Change::Affinity { .. }) => &[(
                Patch::MigrateStartFinish,
                "acts from here on: whether a vCPU that still runs is picked for twice.",
            )],
            _ => &[],
        },
        _ => &[],
    };
    let word =
        |(patch, why): &(Patch, &str)| Unasked { patch: *patch as u8, sentence: (*why).to_owned() };
    all.iter().map(word).collect()
}

fn is_of_params(op: &Op) -> bool {
    matches!(op.change, Change::Params { .. })
}

/// What a new affinity gives under other patches; nothing for a vCPU that sleeps, since a
/// snapshot does not tell where it belongs.
pub(super) fn of_change(cx: &Context<'_>, row: &Row, snapshot: &Snapshot) -> Vec<OtherSide> {
    let Some(Change::Affinity { vcpu, soft, mask }) = cx.change(row) else { return vec![] };
    let vcpu = VcpuId(*vcpu);
    let holds = |pcpu: &PcpuSnapshot| {
        pcpu.current.iter().chain(&pcpu.queue).any(|entry| entry.vcpu == vcpu)
    };
    let place = snapshot.pcpus.iter().position(holds).and_then(|place| u16::try_from(place).ok());
    let Some(processor) = place.map(PcpuId) else { return vec![] };
    // A preference alone never takes a place away.
    if *soft {
        return vec![];
    }
    sides(cx, &[Patch::AffinityAlwaysMigrates], |_, there| {
        let moves = |patches| affinity_migrates(mask, processor, patches);
        let words = cx.words().vcpu(vcpu);
        let words = match (moves(there), mask.contains(processor)) {
            (false, _) => {
                words.text(" stays on ").pcpu(processor).text(", where it still may run.")
            }
            (true, true) => {
                words.text(" is placed anew, though it may still run on ").pcpu(processor).text(".")
            }
            (true, false) => {
                let words = words.text(" is placed anew as well, for it may no longer run on ");
                words.pcpu(processor).text(".")
            }
        };
        SideOutcome::of(moves(there) != moves(cx.patches), Reason::Change, words)
    })
}

/// What a wake-up gives under other patches.
pub(super) fn of_wake(cx: &Context<'_>, row: &Row, facts: &WakeFacts) -> Vec<OtherSide> {
    if !matches!(row.reason, Reason::WakeBoosted | Reason::WakeQueued) {
        return vec![];
    }
    sides(cx, &[Patch::NoBoostOnMigrate, Patch::UnparkBoosts], |patch, there| {
        let pri = wake_side(facts, there);
        let boosted = pri == Priority::BOOST && facts.pri_before != Priority::BOOST;
        let reason = if boosted { Reason::WakeBoosted } else { Reason::WakeQueued };
        let concerned = match patch {
            Patch::UnparkBoosts => facts.source == WakeSource::Unpark,
            _ => facts.migrated,
        };
        let words = cx.words().vcpu(row.subject);
        let words = match (concerned, boosted) {
            (false, _) => words.text(if patch == Patch::UnparkBoosts {
                " does not come from its cap, so this says nothing."
            } else {
                " was not just moved, so this says nothing."
            }),
            (_, true) => words.text(" is boosted to ").strong("BOOST").text(" and goes first."),
            _ => words
                .text(" stays ")
                .strong(pri.name())
                .text(" and queues behind those of its priority."),
        };
        SideOutcome::of(pri != facts.pri_after, reason, words)
    })
}

/// Whether the wake that follows an unpark boosts.
pub(super) fn of_unpark(cx: &Context<'_>, row: &Row) -> Vec<OtherSide> {
    sides(cx, &[Patch::UnparkBoosts], |patch, there| {
        let boosts = there.has(patch);
        let (reason, end) = if boosts {
            (Reason::WakeBoosted, " is boosted: the mark of its cap is cleared before.")
        } else {
            (Reason::WakeQueued, " is not boosted: the mark of its cap is still there.")
        };
        let words = cx.words().text("The wake that follows: ").vcpu(row.subject).text(end);
        SideOutcome::of(true, reason, words)
    })
}

/// What is charged under other patches.
fn charged(cx: &Context<'_>, row: &Row, facts: &Charge, what: &str) -> SideOutcome {
    let there = cx.patches.flipped(Patch::BurnResidual);
    let (credits, _) = charge(facts.delta_ns, facts.residual, there);
    let differs = credits != facts.credits;
    let words = cx.words().text(if differs {
        format!(
            "{credits} credits are charged instead of {}; {what} stays the same.",
            facts.credits
        )
    } else {
        format!("{credits} credits are charged as well.")
    });
    SideOutcome::of(differs, row.reason, words)
}

/// What a tick does under other patches. Its pick is a record of its own.
pub(super) fn of_tick(cx: &Context<'_>, row: &Row, facts: &Charge) -> Vec<OtherSide> {
    sides(cx, &[Patch::BurnResidual], |_, _| charged(cx, row, facts, "what the tick asks"))
}

/// What a scheduling decision gives under other patches.
pub(super) fn of_schedule(
    cx: &Context<'_>,
    row: &Row,
    facts: &ScheduleFacts,
    snapshot: &Snapshot,
) -> Vec<OtherSide> {
    if facts.cur_idle {
        return vec![];
    }
    let patches = [Patch::YieldSkipsRatelimit, Patch::RatelimitRemaining, Patch::BurnResidual];
    sides(cx, &patches, |patch, there| {
        if patch == Patch::BurnResidual {
            return charged(cx, row, &facts.charge, "who runs");
        }
        let (here, kept) = (rate_limit(facts, cx.patches), rate_limit(facts, there));
        let words = cx.words().vcpu(facts.cur);
        match (here, kept) {
            (_, Some(slice_ns)) => {
                let words = words.text(" keeps the pCPU for ").text(length(slice_ns));
                let words = match facts.yielded {
                    true => words.text("; its yield is remembered for later."),
                    false => words.text("."),
                };
                SideOutcome::of(here != kept, Reason::ScheduleRatelimited, words)
            }
            (None, None) => {
                let words = words.text(if facts.cur_runnable {
                    " is not kept by the rate limit either."
                } else {
                    " cannot go on, whatever the rate limit."
                });
                SideOutcome::of(false, row.reason, words)
            }
            (Some(_), None) => requeued(words, row, facts, there, snapshot),
        }
    })
}

/// Who comes next if a yield inside the rate limit is heeded.
fn requeued(
    words: Words,
    row: &Row,
    facts: &ScheduleFacts,
    there: PatchSet,
    snapshot: &Snapshot,
) -> SideOutcome {
    let queue = &snapshot.pcpus[row.pcpu.index()].queue;
    // The idle vCPU stands last.
    let pris = queue.iter().map(|entry| entry.pri).chain([Priority::IDLE]);
    let may_be_last = !there.has(Patch::NoStealYielded);
    let place = insert_position(pris, facts.cur_pri, facts.yielded, may_be_last);
    let (head, pri) = match queue.first().filter(|_| place > 0) {
        Some(entry) => (entry.vcpu, entry.pri),
        None => (facts.cur, facts.cur_pri),
    };
    let words = words.text(" is put back into the queue at once, and ");
    let words = words.vcpu(head).text(" heads it");
    let (reason, words) = if pri <= Priority::OVER {
        (Reason::ScheduleSwitchOver, words.text("; being OVER, better is looked for elsewhere."))
    } else if head == facts.cur {
        (Reason::ScheduleContinue, words.text(": it goes on all the same, for a whole slice."))
    } else {
        (Reason::ScheduleSwitch, words.text(" and runs."))
    };
    SideOutcome::of(true, reason, words)
}

fn length(ns: u64) -> String {
    SimDuration::from_ns(ns).to_string()
}
