//! Goal: what a record says is true. Method: on every record of every run the leaf's condition is
//! checked on the recorded facts; the tickle counters are added up from the records alone and
//! compared with those of the run; the records of Xen's trace buffer are held against counters, log
//! lines and run state times; and sampled records are asked again from a keyframe.

use crate::traced::Traced;
use crate::vectors::{Tally, lines, run_names};
use sim_core::decision::{
    Counter, Counters, Facts, LogLine, PickPurpose, REASONS, Reason, Row, Sink, TraceRecord, holds,
};
use sim_core::ids::{DecisionId, PcpuId, VcpuId};
use sim_core::machine::Machine;
use sim_core::patches::{PatchSet, REVISIONS};
use sim_core::policy::credit1::tickle_counters;
use sim_core::run::{replay, run_steps};
use sim_core::units::SimTime;

/// Counters that only tickle decisions crank.
const OF_TICKLES: [Counter; 10] = [
    Counter::TickleLocalIdler,
    Counter::TickleLocalOver,
    Counter::TickleLocalUnder,
    Counter::TickleLocalOther,
    Counter::TickleIdlersNone,
    Counter::TickleIdlersSome,
    Counter::TickledNoCpu,
    Counter::TickledIdleCpu,
    Counter::TickledBusyCpu,
    Counter::MigrateKickedAway,
];

/// Every record's row, with the checks made while it was fresh.
struct Check {
    patches: PatchSet,
    counters: Counters,
    rows: Vec<Row>,
    traced: Traced,
    /// Whom the tickle decision made last pushes off its pCPU.
    kicked: Option<VcpuId>,
    wrong: Option<String>,
}

impl Sink for Check {
    const TRACES: bool = true;

    fn record(&mut self, id: DecisionId, row: &Row, facts: Facts<'_>) {
        assert_eq!(id.0 as usize, self.rows.len(), "records are numbered without gaps");
        assert!(row.cause.is_none_or(|cause| cause < id), "a cause comes before its effect");
        if !holds(row, facts, self.patches) && self.wrong.is_none() {
            let code = row.reason.info().code;
            self.wrong = Some(format!("record {} at {:?} is no {code}", id.0, row.time));
        }
        // Whoever is moved was asked to leave by a wake, a tick or a change.
        if let Facts::Pick(_, _, PickPurpose::Migrate) = facts {
            let asked = row.cause.map(|cause| self.rows[cause.0 as usize].reason);
            let known = [Reason::TickleA4, Reason::TickMigrate, Reason::Change];
            if !asked.is_some_and(|asked| known.contains(&asked)) {
                self.wrong.get_or_insert(format!("record {} moves because of {asked:?}", id.0));
            }
        }
        self.kicked = None;
        if let Facts::Tickle(inputs, outcome) = facts {
            self.kicked = outcome.kick.then_some(inputs.cur);
            tickle_counters(outcome).for_each(|counter| self.counters.crank(counter));
        }
        self.traced.record(facts);
        self.rows.push(*row);
    }

    fn log(&mut self, _time: SimTime, _pcpu: PcpuId, line: &LogLine<'_>) {
        if let LogLine::Wake { kick, .. } = line
            && *kick != self.kicked
        {
            let text = format!("{kick:?} is kicked, the record says {:?}", self.kicked);
            self.wrong.get_or_insert(text);
        }
        self.traced.log(line);
    }

    fn trace(&mut self, time: SimTime, pcpu: PcpuId, record: &TraceRecord) {
        self.traced.trace(time, pcpu, record);
    }
}

/// One agreement per run and revision; and how often each leaf was reached.
pub fn check() -> (Tally, Vec<u64>) {
    let mut tally = Tally::default();
    let mut reached = vec![0; REASONS.len()];
    for name in run_names() {
        let scenario = scenario_json::parse(&lines(&format!("runs/{name}"))[0]).expect("parses");
        let scenario = scenario.validate_recorded().expect("the vectors are valid");
        for revision in &REVISIONS {
            let patches = revision.patches;
            let mut machine = Machine::new(&scenario, patches);
            let start = machine.clone();
            let counters = Counters::default();
            let traced = Traced::new(&machine, patches);
            let mut check =
                Check { patches, counters, rows: vec![], traced, kicked: None, wrong: None };
            run_steps(&mut machine, &mut check, u32::MAX, 60_000);
            check.rows.iter().for_each(|row| reached[row.reason as usize] += 1);
            let ours = OF_TICKLES.map(|counter| check.counters.get(counter));
            let theirs = OF_TICKLES.map(|counter| machine.counters().get(counter));
            if ours != theirs {
                let text = format!("tickle counters {ours:?}, the run has {theirs:?}");
                check.wrong.get_or_insert(text);
            }
            if let Some(text) = check.traced.differs(&machine) {
                check.wrong.get_or_insert(text);
            }
            if let Some(text) = differs_again(&start, &check.rows) {
                check.wrong.get_or_insert(text);
            }
            let what = || format!("{name} {}", revision.name);
            tally.compare(what, &check.wrong.as_deref().unwrap_or("true"), &"true");
        }
    }
    (tally, reached)
}

/// Whether any of some early records comes out otherwise when it is asked again.
fn differs_again(start: &Machine, rows: &[Row]) -> Option<String> {
    let sampled = (0u32..).zip(rows).take(600).step_by(97);
    let mut ids = sampled.filter(|(id, _)| *id >= start.records());
    ids.find_map(|(id, row)| {
        let again = replay(start, DecisionId(id)).map(|replayed| replayed.row);
        (again != Some(*row)).then(|| format!("record {id} is {again:?} when asked again"))
    })
}
