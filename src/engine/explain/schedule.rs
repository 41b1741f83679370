//! Why a pCPU runs what it runs next.

use super::words::{Words, count, signed};
use super::{Answer, Context, counter_name, fact, sides};
use sim_core::decision::{Counter, Kind, Reason, Row, ScheduleFacts};
use sim_core::machine::Snapshot;
use sim_core::units::SimDuration;

pub(super) fn explain(
    cx: &Context<'_>,
    row: &Row,
    facts: &ScheduleFacts,
    snapshot: &Snapshot,
) -> Answer {
    let mut counters = vec![counter_name(Counter::Schedule)];
    if row.reason == Reason::ScheduleRatelimited {
        counters.push(counter_name(Counter::DelayMs));
    }
    Answer {
        sentence: sentence(cx, row, facts).done(),
        facts: rows(cx, facts),
        counters,
        sides: sides::of_schedule(cx, row, facts, snapshot),
        source: "xen/common/sched_credit.c:csched_schedule @ ebce2d836c".to_owned(),
        ..Answer::titled("what runs next")
    }
}

/// The record that made the pCPU decide: a search for work is part of the decision itself.
fn trigger(cx: &Context<'_>, row: &Row) -> Option<Row> {
    let cause = cx.rows.row(row.cause?)?;
    match cause.reason.kind() {
        Kind::Balance => cx.rows.row(cause.cause?),
        _ => Some(cause),
    }
}

/// Why the pCPU had to decide.
fn opening(cx: &Context<'_>, row: &Row, facts: &ScheduleFacts) -> Words {
    let words = cx.words();
    if facts.cur_idle {
        return words.pcpu(row.pcpu).text(" is idle and was told to schedule. ");
    }
    let words = words.vcpu(facts.cur);
    if facts.cur_runnable {
        let words = if facts.yielded {
            words.text(" lets others go first after ")
        } else {
            words.text(format!(" ({}) has run ", facts.cur_pri.name()))
        };
        return words.ns(facts.runtime_ns).text(" on ").pcpu(row.pcpu).text(". ");
    }
    let leaves = match trigger(cx, row).map(|trigger| trigger.reason) {
        Some(Reason::Block) => " goes to sleep on ",
        Some(Reason::TickMigrate) => " is asked by the tick to leave ",
        Some(reason) if reason.kind() == Kind::Tickle => " is pushed out of ",
        Some(Reason::Park) => " is parked on ",
        _ => " may not go on on ",
    };
    words.text(leaves).pcpu(row.pcpu).text(". ")
}

fn sentence(cx: &Context<'_>, row: &Row, facts: &ScheduleFacts) -> Words {
    let words = opening(cx, row, facts);
    let slice = |ns: Option<u64>| SimDuration::from_ns(ns.unwrap_or(0));
    match row.reason {
        Reason::ScheduleRatelimited => words
            .text("That is less than the rate limit of ")
            .ns(facts.ratelimit_ns)
            .text(", so it keeps the pCPU, whoever waits, for ")
            .text(slice(facts.slice_ns).to_string())
            .text("."),
        Reason::ScheduleContinue => words
            .text("Nothing in the queue is better: it goes on for ")
            .text(format!("a slice of {}.", slice(facts.slice_ns))),
        Reason::ScheduleSwitch | Reason::ScheduleSwitchOver => {
            let pri = facts.head.map_or("", |(_, pri)| pri.name());
            let words =
                words.vcpu(facts.next).text(format!(" ({pri}) heads the queue and runs next"));
            match row.reason {
                Reason::ScheduleSwitchOver => words.text("; nothing better was found elsewhere."),
                _ => words.text("."),
            }
        }
        Reason::ScheduleStole => {
            let words = words.vcpu(facts.next);
            match facts.stolen {
                Some((_, peer)) => {
                    words.text(", found in the queue of ").pcpu(peer).text(", runs next.")
                }
                None => words.text(" runs next."),
            }
        }
        Reason::ScheduleIdle => words
            .text("Nobody waits here and nothing was found elsewhere: ")
            .pcpu(row.pcpu)
            .text(" goes idle."),
        _ => in_vain(cx, row, words),
    }
}

/// An idle pCPU that found nothing; if a tickle sent it here, that was for nothing.
fn in_vain(cx: &Context<'_>, row: &Row, words: Words) -> Words {
    let by_tickle = trigger(cx, row).is_some_and(|row| row.reason.kind() == Kind::Tickle);
    if by_tickle {
        words.text("It finds nothing to run. ").lit("It was woken for nothing.")
    } else {
        words.text("It finds nothing to run and stays idle.")
    }
}

fn rows(cx: &Context<'_>, facts: &ScheduleFacts) -> Vec<crate::protocol::FactRow> {
    let words = || cx.words();
    let charged = u32::try_from(facts.charge.credits).unwrap_or(0);
    let mut rows = vec![fact("current", words().vcpu(facts.cur))];
    if !facts.cur_idle {
        rows.push(fact("its priority", words().strong(facts.cur_pri.name())));
        rows.push(fact("its credit", words().text(signed(facts.cur_credit))));
        rows.push(fact("just charged", words().text(count(charged, "credit"))));
        rows.push(fact(
            "it can go on",
            words().text(if facts.cur_runnable { "yes" } else { "no" }),
        ));
        rows.push(fact("it has run", words().ns(facts.runtime_ns)));
        rows.push(fact("it yields", words().text(if facts.yielded { "yes" } else { "no" })));
    }
    let limit = match facts.ratelimit_ns {
        0 => words().text("off"),
        ns => words().ns(ns),
    };
    rows.push(fact("rate limit", limit));
    if let Some((head, pri)) = facts.head {
        let value = words().vcpu(head).text(format!(" ({})", pri.name()));
        rows.push(fact("heads the queue", value));
    }
    rows.push(fact("next", words().vcpu(facts.next)));
    if let Some(slice_ns) = facts.slice_ns {
        rows.push(fact("for at most", words().ns(slice_ns)));
    }
    rows
}
