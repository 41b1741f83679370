//! The chain of causes: from the event that started it to what followed.

use super::words::Words;
use super::{Context, verbs};
use crate::protocol::{ChainLink, Tone};
use sim_core::decision::{Detail, Kind, NO_ARG, Reason, Row};
use sim_core::ids::{DecisionId, PcpuId, VcpuId};

/// Links before the record that are shown.
const CAUSES: usize = 6;
/// Links after it.
const EFFECTS: usize = 6;
/// How many records are searched for effects.
const HORIZON: u32 = 4_096;

/// Causes of a record, oldest first, the record itself, and what it led to.
pub(super) fn chain(
    cx: &Context<'_>,
    id: DecisionId,
    row: &Row,
    detail: &Detail,
) -> Vec<ChainLink> {
    let mut links = vec![];
    let mut cause = row.cause;
    while let Some(earlier) = cause.filter(|_| links.len() < CAUSES) {
        let Some(row) = cx.rows.row(earlier) else { break };
        links.push(link(cx, earlier, &row, None, Tone::Cause));
        // A sleep is far away and has a chain of its own.
        cause = row.cause.filter(|_| row.reason.kind() != Kind::Wake || row.arg != 1);
    }
    links.reverse();
    links.push(link(cx, id, row, Some(detail), Tone::Here));
    let mut family = vec![id];
    for later in id.0 + 1..id.0.saturating_add(HORIZON) {
        let later = DecisionId(later);
        let Some(row) = cx.rows.row(later).filter(|_| family.len() <= EFFECTS) else { break };
        if row.cause.is_some_and(|cause| family.contains(&cause)) {
            family.push(later);
            links.push(link(cx, later, &row, None, Tone::Effect));
        }
    }
    links
}

fn link(
    cx: &Context<'_>,
    id: DecisionId,
    row: &Row,
    detail: Option<&Detail>,
    tone: Tone,
) -> ChainLink {
    let sentence = clause(cx, id, row, detail).done();
    ChainLink { record: cx.record(id, row), sentence, tone }
}

fn clause(cx: &Context<'_>, id: DecisionId, row: &Row, detail: Option<&Detail>) -> Words {
    let words = cx.words();
    let pcpu = row.pcpu;
    match row.reason.kind() {
        Kind::Wake => {
            let words = verbs::woken(words, row);
            match row.reason {
                Reason::WakeBoosted => words.text(": boosted"),
                _ => words,
            }
        }
        Kind::Tickle => {
            let again = detail.is_none().then(|| cx.rows.replayed(id)).flatten();
            match detail.or(again.as_ref().map(|again| &again.detail)) {
                Some(Detail::Tickle(_, outcome)) if outcome.tickled.is_empty() => {
                    words.text("tickle nobody")
                }
                Some(Detail::Tickle(_, outcome)) => {
                    let words = words.text("tickle ").pcpus(&outcome.tickled, "nobody");
                    if outcome.kick { words.text(" and push out who runs there") } else { words }
                }
                _ => words.text("tickle"),
            }
        }
        Kind::Pick => words.text("pick ").pcpu(PcpuId(row.arg)).text(" for ").vcpu(row.subject),
        Kind::Balance if row.reason == Reason::BalanceLimited => {
            words.pcpu(pcpu).text(" does not look elsewhere again so soon")
        }
        Kind::Balance if row.arg == NO_ARG => words.pcpu(pcpu).text(" finds no work elsewhere"),
        Kind::Balance => {
            let words = words.pcpu(pcpu).text(" takes ").vcpu(row.subject).text(" from ");
            words.pcpu(PcpuId(row.arg))
        }
        Kind::Schedule => schedule(words, row, cx.guests()),
        Kind::Tick => words.text("tick on ").pcpu(pcpu).text(" finds ").vcpu(row.subject),
        Kind::Account => words.text("accounting"),
        Kind::Park if row.reason == Reason::Park => words.vcpu(row.subject).text(" is parked"),
        Kind::Park => words.vcpu(row.subject).text(" is unparked"),
        Kind::Origin => verbs::event(cx, row),
    }
}

fn schedule(words: Words, row: &Row, guests: usize) -> Words {
    let (words, next) = (words.pcpu(row.pcpu), VcpuId(row.arg));
    match row.reason {
        Reason::ScheduleRatelimited => {
            words.text(": ").vcpu(row.subject).text(" stays, rate limit")
        }
        Reason::ScheduleContinue => words.text(": ").vcpu(row.subject).text(" goes on"),
        Reason::ScheduleIdle => words.text(" goes idle"),
        Reason::ScheduleStayIdle => words.text(" finds nothing to run"),
        _ if row.subject.index() >= guests => words.text(": ").vcpu(next).text(" on"),
        _ => words.text(": ").vcpu(row.subject).text(" off, ").vcpu(next).text(" on"),
    }
}
