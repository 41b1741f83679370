//! How an accounting shares credit out: per domain, and per vCPU in it.

use super::words::{Words, count, signed};
use super::{Answer, Context, counter_name, fact};
use crate::protocol::{Piece, Table, TableRow};
use sim_core::decision::{
    AccountFacts, Counter, DomainShare, ParkFate, Priority, Reason, Row, VcpuShare,
};

pub(super) fn explain(cx: &Context<'_>, row: &Row, facts: &AccountFacts) -> Answer {
    let works = row.reason == Reason::AccountRun;
    let mut counters = vec![if works { Counter::AcctRun } else { Counter::AcctNoWork }];
    let any = |holds: fn(&VcpuShare) -> bool| facts.vcpus.iter().any(holds);
    let others = [
        (facts.purse.balance < 0, Counter::AcctBalance),
        (facts.domains.iter().any(|share| share.reordered), Counter::AcctReorder),
        (any(|share| share.fate == ParkFate::Parked), Counter::VcpuPark),
        (any(|share| share.fate == ParkFate::Unparked), Counter::VcpuUnpark),
        (any(VcpuShare::is_clipped), Counter::AcctMinCredit),
        (any(VcpuShare::stops_earning), Counter::AcctVcpuIdle),
    ];
    counters.extend(others.iter().filter(|(holds, _)| *holds).map(|(_, counter)| *counter));
    let number = |number: u32| cx.words().text(number.to_string());
    Answer {
        sentence: sentence(cx, facts).done(),
        shares: works.then(|| table(cx, facts)),
        facts: vec![
            fact("credit pool", number(facts.purse.credit_pool)),
            fact("balance before", cx.words().text(signed(facts.purse.balance))),
            fact("credit to hand out", number(facts.credit_total)),
            fact("sum of weights", number(facts.purse.weight_sum)),
            fact("a slice is worth", cx.words().text(count(facts.purse.slice_credits, "credit"))),
            fact("balance after", cx.words().text(signed(facts.balance_after))),
        ],
        counters: counters.into_iter().map(counter_name).collect(),
        source: "xen/common/sched_credit.c:csched_acct @ ebce2d836c".to_owned(),
        ..Answer::titled("what the accounting does")
    }
}

fn sentence(cx: &Context<'_>, facts: &AccountFacts) -> Words {
    let words = cx.words();
    if facts.domains.is_empty() {
        return words.text("Nobody has run long enough to earn credit: nothing is handed out.");
    }
    let many = |number: usize, what: &str| count(u32::try_from(number).unwrap_or(u32::MAX), what);
    let debt = match facts.purse.balance {
        owed @ ..0 => format!(", {} of them for what was owed,", owed.unsigned_abs()),
        _ => String::new(),
    };
    let words = words.text(format!(
        "{} credits{debt} are shared out by weight among {} of {}.",
        facts.credit_total,
        many(facts.vcpus.len(), "active vCPU"),
        many(facts.domains.len(), "domain"),
    ));
    let of = |fate: ParkFate| facts.vcpus.iter().filter(move |share| share.fate == fate);
    let words = fates(words, of(ParkFate::Parked), " parked: its cap is used up.");
    let words = fates(words, of(ParkFate::Unparked), " unparked: its credit is back.");
    let stopped = facts.vcpus.iter().filter(|share| share.stops_earning());
    fates(words, stopped, " no longer active: it has more than a slice’s worth and keeps half.")
}

/// The first few vCPUs that something happens to.
fn fates<'a>(
    mut words: Words,
    shares: impl Iterator<Item = &'a VcpuShare> + Clone,
    end: &str,
) -> Words {
    let all = shares.clone().count();
    for share in shares.take(2) {
        words = words.text(" ").vcpu(share.vcpu).text(" is").text(end);
    }
    match all.saturating_sub(2) {
        0 => words,
        more => words.text(format!(" So it is with {more} more.")),
    }
}

fn table(cx: &Context<'_>, facts: &AccountFacts) -> Table {
    let head = ["domain", "weight", "cap", "fair share", "at most", "each"];
    let mut rows = vec![];
    for share in &facts.domains {
        rows.push(TableRow::Cells(cells(cx, share)));
        rows.extend(remark(cx, share));
        rows.extend(facts.vcpus[share.vcpus.clone()].iter().map(|vcpu| TableRow::Under {
            who: cx.words().vcpu(vcpu.vcpu).done(),
            what: fate(cx, share, vcpu).done(),
            lit: vcpu.fate != ParkFate::Stays,
        }));
    }
    Table {
        title: "Who gets what".to_owned(),
        unit: "in credits; 10 are worth 1 ms".to_owned(),
        head: head.map(str::to_owned).into(),
        rows,
    }
}

fn cells(cx: &Context<'_>, share: &DomainShare) -> Vec<Vec<Piece>> {
    let text = |text: String| cx.words().text(text).done();
    let cap = match share.cap {
        0 => "none".to_owned(),
        percent => format!("{percent} %"),
    };
    vec![
        text(format!("d{}", share.domain.0 + 1)),
        text(share.weight.to_string()),
        text(cap),
        text(share.fair.to_string()),
        text(share.peak.to_string()),
        text(format!("+{}", share.given)),
    ]
}

/// What becomes of a share that the domain cannot take.
fn remark(cx: &Context<'_>, share: &DomainShare) -> Option<TableRow> {
    let offered = share.offered.filter(|offered| *offered > 0);
    let rest = offered.map(|offered| format!("{offered} more for the domains behind it"));
    let moved = share.reordered.then(|| "it moves to the head of the list".to_owned());
    let said: Vec<String> = rest.into_iter().chain(moved).collect();
    (!said.is_empty()).then(|| TableRow::Under {
        who: vec![],
        what: cx.words().text(format!("It cannot take all: {}.", said.join("; "))).done(),
        lit: false,
    })
}

/// A vCPU's credit, and what becomes of it.
fn fate(cx: &Context<'_>, domain: &DomainShare, share: &VcpuShare) -> Words {
    let sum = format!("{} + {} = {}", signed(share.before), domain.given, signed(share.earned));
    let words = cx.words().text(sum).text(" → ").strong(share.pri().name());
    let words = match share.fate {
        ParkFate::Parked => words
            .text(", ")
            .lit(format!("parked: owes more than {}", domain.threshold.unwrap_or(0))),
        ParkFate::Unparked => words.text(", ").lit("unparked: its credit is back"),
        ParkFate::Stays if share.was_parked && share.pri() == Priority::OVER => {
            words.text(", stays parked")
        }
        ParkFate::Stays => words,
    };
    if share.is_clipped() {
        return words.text(format!(", owes at most a slice’s worth: {}", signed(share.after)));
    }
    if share.stops_earning() {
        let half = signed(share.after);
        return words.text(format!(", more than a slice’s worth: keeps {half} and stops earning"));
    }
    words
}
