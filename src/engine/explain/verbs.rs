//! Wake-ups, ticks, accountings, caps and the events that start a chain.

use super::words::{Words, count, signed};
use super::{Answer, Context, counter_name, fact, sides};
use sim_core::decision::{
    Counter, Detail, ParkFacts, Priority, Reason, Row, TickFacts, WakeFacts, WakeSource,
};
use sim_core::ids::VcpuId;
use sim_core::machine::Snapshot;
use sim_core::patches::Patch;
use sim_core::scenario::Change;

pub(super) fn explain(cx: &Context<'_>, row: &Row, detail: &Detail, snapshot: &Snapshot) -> Answer {
    match detail {
        Detail::Wake(facts) => wake(cx, row, facts),
        Detail::Tick(facts) => tick(cx, row, facts),
        Detail::Park(facts) => park(cx, row, facts),
        _ => Answer {
            sentence: event(cx, row).text(".").done(),
            sides: sides::of_change(cx, row, snapshot),
            source: "the guest's workload and the machine's timers".to_owned(),
            ..Answer::titled("what starts a chain")
        },
    }
}

/// What happened, as a clause: also used in the chain of causes.
pub(super) fn event(cx: &Context<'_>, row: &Row) -> Words {
    let (words, vcpu, pcpu) = (cx.words(), row.subject, row.pcpu);
    match row.reason {
        Reason::Block => words.vcpu(vcpu).text(" goes to sleep on ").pcpu(pcpu),
        Reason::Yield => words.vcpu(vcpu).text(" yields on ").pcpu(pcpu),
        Reason::SliceEnd => words.vcpu(vcpu).text(" has used up its slice on ").pcpu(pcpu),
        _ => {
            let words = words.text("Scripted change on ").pcpu(pcpu).text(": ");
            match cx.change(row) {
                Some(change) => changed(words, change),
                None => words.text(format!("number {}", row.arg)),
            }
        }
    }
}

/// What a scripted change asks for.
fn changed(words: Words, change: &Change) -> Words {
    match change {
        Change::Domain { domain, weight, cap } => {
            let weight = weight.map(|weight| format!("weight {weight}"));
            let cap = cap.map(|cap| match cap {
                0 => "no cap any more".to_owned(),
                cap => format!("a cap of {cap} % of a pCPU"),
            });
            let gets: Vec<String> = weight.into_iter().chain(cap).collect();
            words.text(format!("d{} gets {}", domain + 1, gets.join(" and ")))
        }
        Change::Affinity { vcpu, soft, mask } => {
            let verb = if *soft { " now prefers " } else { " may now run on " };
            words.vcpu(VcpuId(*vcpu)).text(verb).pcpus(mask, "no pCPU")
        }
        Change::Params { tslice_ms, ratelimit_us } => {
            let words = words.text(format!("a slice of {tslice_ms} ms and "));
            match ratelimit_us {
                0 => words.text("no rate limit"),
                us => words.text("a rate limit of ").ns(u64::from(*us) * 1_000),
            }
            .text(" are asked for")
        }
    }
}

/// Where a wake came from, as a clause.
pub(super) fn woken(words: Words, row: &Row) -> Words {
    let words = words.vcpu(row.subject);
    match row.arg {
        source if source == WakeSource::Start as u16 => words.text(" is started"),
        source if source == WakeSource::Migrate as u16 => words.text(" has been moved"),
        source if source == WakeSource::Unpark as u16 => words.text(" is unparked"),
        _ => words.text("’s sleep is over"),
    }
}

fn wake(cx: &Context<'_>, row: &Row, facts: &WakeFacts) -> Answer {
    let words = woken(cx.words(), row).text(". ");
    let spared = cx.patches.has(Patch::NoBoostOnMigrate) && facts.migrated;
    let sentence = match row.reason {
        Reason::WakeBoosted => words
            .text("It has credit left, so it is boosted from UNDER to ")
            .strong("BOOST")
            .text(" and queued on "),
        Reason::WakeQueued if facts.parked => {
            words.text("It comes from its cap, so there is no boost: it is queued on ")
        }
        Reason::WakeQueued if spared => {
            words.text("It was merely moved, so there is no boost: it is queued on ")
        }
        Reason::WakeQueued if facts.pri_before == Priority::BOOST => {
            words.text("It is still boosted from before: it is queued on ")
        }
        Reason::WakeQueued => words
            .text("There is no boost to give, for it is ")
            .strong(facts.pri_before.name())
            .text(": it is queued on "),
        Reason::WakeCurrent => words.text("It is current already on "),
        Reason::WakeOnQueue => words.text("It is queued already on "),
        _ => words.text("Something else still keeps it from running on "),
    };
    let counter = match row.reason {
        Reason::WakeCurrent => Some(Counter::VcpuWakeRunning),
        Reason::WakeOnQueue => Some(Counter::VcpuWakeOnrunq),
        Reason::WakeNotRunnable => None,
        _ => Some(Counter::VcpuWakeRunnable),
    };
    let yes = |holds| cx.words().text(if holds { "yes" } else { "no" });
    Answer {
        sentence: sentence.pcpu(facts.processor).text(".").done(),
        facts: vec![
            fact("vCPU", cx.words().vcpu(row.subject)),
            fact("its pCPU", cx.words().pcpu(facts.processor)),
            fact("priority before", cx.words().strong(facts.pri_before.name())),
            fact("priority after", cx.words().strong(facts.pri_after.name())),
            fact("credit", cx.words().text(signed(facts.credit))),
            fact("parked by its cap", yes(facts.parked)),
            fact("just moved", yes(facts.migrated)),
        ],
        sides: sides::of_wake(cx, row, facts),
        counters: counter.map(counter_name).into_iter().collect(),
        source: "xen/common/sched_credit.c:csched_vcpu_wake @ ebce2d836c".to_owned(),
        ..Answer::titled("what a wake-up does")
    }
}

fn tick(cx: &Context<'_>, row: &Row, facts: &TickFacts) -> Answer {
    let words = cx.words().text("The tick of ").pcpu(row.pcpu).text(" finds ").vcpu(row.subject);
    let words = words.text(" running and charges it. ");
    let words =
        if facts.pri_before == facts.pri_after { words } else { words.text("Its boost ends. ") };
    let sentence = match (row.reason, facts.picked) {
        (Reason::TickActivate, _) => words.text("From now on it earns credit."),
        (Reason::TickMigrate, Some(picked)) => {
            words.text("It would sit better on ").pcpu(picked).text(" and is asked to leave.")
        }
        _ => words.text("It sits well where it is."),
    };
    let charged = u32::try_from(facts.charge.credits).unwrap_or(0);
    let mut counters = vec![];
    match row.reason {
        Reason::TickActivate => counters.push(counter_name(Counter::AcctVcpuActive)),
        Reason::TickMigrate => counters.push(counter_name(Counter::MigrateRunning)),
        _ => {}
    }
    Answer {
        sentence: sentence.done(),
        facts: vec![
            fact("running", cx.words().vcpu(row.subject)),
            fact("priority before", cx.words().strong(facts.pri_before.name())),
            fact("priority after", cx.words().strong(facts.pri_after.name())),
            fact("credit", cx.words().text(signed(facts.credit))),
            fact("just charged", cx.words().text(count(charged, "credit"))),
            fact("earned already", cx.words().text(if facts.was_active { "yes" } else { "no" })),
        ],
        counters,
        sides: sides::of_tick(cx, row, &facts.charge),
        source: "xen/common/sched_credit.c:csched_tick, csched_vcpu_acct @ ebce2d836c".to_owned(),
        ..Answer::titled("what a tick does")
    }
}

fn park(cx: &Context<'_>, row: &Row, facts: &ParkFacts) -> Answer {
    let credit = facts.share.earned;
    let threshold = facts.threshold.unwrap_or(0);
    let words = cx.words().vcpu(row.subject);
    let (domain, cap) = (facts.domain.0 + 1, facts.cap);
    let (sentence, counter) = if row.reason == Reason::Park {
        let below = format!(
            " owes {} credits, more than the {threshold} that the cap of d{domain}, {cap} % of a pCPU, \
             allows it: it is parked until its credit is back at zero.",
            credit.unsigned_abs()
        );
        (words.text(below), Counter::VcpuPark)
    } else {
        (words.text(" has its credit back and is unparked."), Counter::VcpuUnpark)
    };
    let limit = if cap == 0 { "none".to_owned() } else { format!("{cap} % of a pCPU") };
    let below = facts.threshold.map_or_else(|| "never".to_owned(), |owed| format!("−{owed}"));
    let unparked = row.reason == Reason::Unpark;
    let sides = if unparked { sides::of_unpark(cx, row) } else { vec![] };
    Answer {
        sentence: sentence.done(),
        facts: vec![
            fact("vCPU", cx.words().vcpu(row.subject)),
            fact("credit before", cx.words().text(signed(facts.share.before))),
            fact("credit now", cx.words().text(signed(credit))),
            fact("cap of its domain", cx.words().text(limit)),
            fact("parked below", cx.words().text(below)),
        ],
        counters: vec![counter_name(counter)],
        sides,
        source: "xen/common/sched_credit.c:csched_acct @ ebce2d836c".to_owned(),
        ..Answer::titled("what a cap does")
    }
}
