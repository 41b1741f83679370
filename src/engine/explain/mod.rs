//! Why a record is as it is: facts of a replayed record put into words.
//!
//! Nothing is decided here. What the other side of a patch would do is asked of the same pure
//! functions that the scheduler runs; every sentence is made from recorded facts.

mod account;
mod balance;
mod chain;
mod pick;
mod schedule;
mod sides;
mod tickle;
mod verbs;
mod words;

use crate::protocol::{
    Candidate, Explanation, FactRow, MaskRow, Now, OtherSide, Outcome, PcpuNow, Piece, Place,
    Record, RuleRow, Table, VcpuNow,
};
use sim_core::cpumask::CpuMask;
use sim_core::decision::{Counter, Detail, Kind, REASONS, Reason, Row};
use sim_core::ids::{DecisionId, VcpuId};
use sim_core::machine::{QueueEntry, Snapshot};
use sim_core::patches::{Patch, PatchSet};
use sim_core::run::Replayed;
use sim_core::scenario::{Change, ValidScenario};
use words::Words;

/// What an explanation reads of a run besides the record itself.
pub trait Rows {
    /// The row of a record, if it exists.
    fn row(&self, id: DecisionId) -> Option<Row>;
    /// Which of its kind a record is, counted from 1, and of how many so far.
    fn ordinal(&self, id: DecisionId) -> (u32, u32);
    /// Which of the records of its kind, pCPU and instant a record is, from 0.
    fn nth(&self, id: DecisionId) -> usize;
    /// The record with everything that it was taken on.
    fn replayed(&self, id: DecisionId) -> Option<Replayed>;
}

/// The run that an explanation is about.
pub struct Context<'a> {
    /// What runs.
    pub scenario: &'a ValidScenario,
    /// With which patches.
    pub patches: PatchSet,
    /// Its records.
    pub rows: &'a dyn Rows,
}

impl Context<'_> {
    fn words(&self) -> Words {
        Words::about(self.guests())
    }

    fn guests(&self) -> usize {
        self.scenario.vcpus().count()
    }

    /// The scripted change that a record is of.
    fn change(&self, row: &Row) -> Option<&Change> {
        let op = self.scenario.ops.get(usize::from(row.arg));
        op.filter(|_| row.reason == Reason::Change).map(|op| &op.change)
    }

    fn pcpus(&self) -> usize {
        self.scenario.topology.pcpu_count()
    }

    /// The name of a guest's vCPU, `d1v0`.
    fn vcpu_name(&self, vcpu: VcpuId) -> String {
        let mut first = 0;
        for (domain, spec) in self.scenario.domains.iter().enumerate() {
            if vcpu.index() < first + spec.vcpus.len() {
                return format!("d{}v{}", domain + 1, vcpu.index() - first);
            }
            first += spec.vcpus.len();
        }
        "the idle vCPU".to_owned()
    }

    /// A record as the page goes to it.
    #[must_use]
    pub fn record(&self, id: DecisionId, row: &Row) -> Record {
        let idle = row.subject.index() >= self.guests();
        let place = Place {
            time_ns: row.time.as_ns(),
            pcpu: row.pcpu.0,
            kind: row.reason.kind() as u8,
            // Saturating: a link to the 256th of its kind in one instant opens the 255th.
            nth: u8::try_from(self.rows.nth(id)).unwrap_or(u8::MAX),
        };
        Record { record: id.0, place, vcpu: if idle { u16::MAX } else { row.subject.0 } }
    }
}

/// What a kind of record has to say; the rest of an explanation is the same for all.
#[derive(Default)]
struct Answer {
    sentence: Vec<Piece>,
    facts: Vec<FactRow>,
    masks: Vec<MaskRow>,
    table_title: String,
    candidates: Vec<Candidate>,
    shares: Option<Table>,
    counters: Vec<String>,
    sides: Vec<OtherSide>,
    source: String,
}

impl Answer {
    fn titled(title: &str) -> Self {
        Self { table_title: title.to_owned(), ..Self::default() }
    }
}

/// Explains a record.
#[must_use]
pub fn explain(cx: &Context<'_>, id: DecisionId, replayed: &Replayed) -> Explanation {
    let row = &replayed.row;
    let answer = match &replayed.detail {
        Detail::Tickle(inputs, outcome) => {
            tickle::explain(cx, row.subject, inputs, outcome, &replayed.snapshot)
        }
        Detail::Pick(inputs, outcome, purpose) => pick::explain(cx, row, inputs, outcome, *purpose),
        Detail::Balance(inputs, peers, outcome) => balance::explain(cx, inputs, peers, outcome),
        Detail::Account(facts) => account::explain(cx, row, facts),
        Detail::Schedule(facts) => schedule::explain(cx, row, facts, &replayed.snapshot),
        other => verbs::explain(cx, row, other, &replayed.snapshot),
    };
    Explanation {
        record: cx.record(id, row),
        function: row.reason.kind().name().to_owned(),
        code: row.reason.info().code.to_owned(),
        ordinal: cx.rows.ordinal(id),
        sentence: answer.sentence,
        facts: answer.facts,
        masks: answer.masks,
        table_title: answer.table_title,
        table: rules(row.reason, cx.patches),
        candidates: answer.candidates,
        shares: answer.shares,
        counters: answer.counters,
        sides: answer.sides,
        unasked: sides::unasked(cx, row),
        chain: chain::chain(cx, id, row, &replayed.detail),
        source: answer.source,
        outcome: outcome(&replayed.detail),
    }
}

/// What a decision came to.
fn outcome(detail: &Detail) -> Outcome {
    match detail {
        Detail::Tickle(_, outcome) => {
            Outcome::Pcpus(outcome.tickled.iter().map(|pcpu| pcpu.0).collect())
        }
        Detail::Pick(_, outcome, _) => Outcome::Pcpus(vec![outcome.cpu.0]),
        Detail::Balance(_, _, outcome) => {
            Outcome::Pcpus(outcome.stolen.iter().map(|(_, peer)| peer.0).collect())
        }
        Detail::Schedule(facts) => Outcome::Runs((!facts.next_idle).then_some(facts.next.0)),
        _ => Outcome::Other,
    }
}

/// The machine at a moment, for the page.
#[must_use]
pub fn now(snapshot: &Snapshot) -> Now {
    let vcpu =
        |entry: &QueueEntry| VcpuNow { vcpu: entry.vcpu.0, pri: entry.pri.0, credit: entry.credit };
    let pcpus = snapshot.pcpus.iter().map(|pcpu| PcpuNow {
        current: pcpu.current.as_ref().map(vcpu),
        switching: pcpu.switching,
        queue: pcpu.queue.iter().map(vcpu).collect(),
        idler: pcpu.idler,
        tickled: pcpu.tickled,
    });
    Now { time_ns: snapshot.time.as_ns(), pcpus: pcpus.collect() }
}

/// The decision table that a leaf stands in: the leaves that these patches can reach.
fn rules(taken: Reason, patches: PatchSet) -> Vec<RuleRow> {
    let kind = taken.kind();
    let reachable = |reason: Reason| match reason {
        Reason::TickleA0 => patches.has(Patch::ExclPinning),
        Reason::BalanceLimited => patches.has(Patch::LbRatelimit),
        Reason::TickleA4Futile => patches.has(Patch::KickOnlyIfUseful),
        Reason::TickleA6Soft => patches.has(Patch::TwoStepBalance),
        _ if kind == Kind::Tickle => {
            let after = reason.info().code.starts_with('A');
            after == patches.has(Patch::TicklePreferIdlers)
        }
        _ => true,
    };
    let side = REASONS.iter().filter(|info| info.kind == kind && reachable(info.reason));
    let after = taken.info().code.starts_with('A');
    let same_side = side.filter(|info| kind != Kind::Tickle || info.code.starts_with('A') == after);
    let row = |info: &sim_core::decision::ReasonInfo| RuleRow {
        code: info.code.to_owned(),
        when: info.when.to_owned(),
        then: info.then.to_owned(),
        taken: info.reason == taken,
    };
    same_side.map(row).collect()
}

fn fact(label: &str, value: Words) -> FactRow {
    FactRow { label: label.to_owned(), value: value.done() }
}

fn counter_name(counter: Counter) -> String {
    counter.name().to_owned()
}

/// The pCPUs of a set in plain text.
fn pcpu_names(mask: &CpuMask) -> String {
    let pieces = Words::about(0).pcpus(mask, "nobody").done();
    pieces.into_iter().fold(String::new(), |names, piece| match piece {
        Piece::Pcpu(pcpu) => format!("{names}p{pcpu}"),
        Piece::Text(text) => names + &text,
        _ => names,
    })
}
