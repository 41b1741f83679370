//! One run: how it goes on, how it ends, and what is asked of its records.

use super::changed::Count;
use super::explain::{self, Context, Rows};
use super::{levels, summary, time};
use crate::protocol::{Place, Record, Response, RunId};
use sim_core::decision::{Kind, Row};
use sim_core::ids::{DecisionId, PcpuId};
use sim_core::machine::Machine;
use sim_core::patches::PatchSet;
use sim_core::run::{Flips, Recording, Replayed, RunEnd, replay, snapshot_at};
use sim_core::scenario::ValidScenario;
use sim_core::units::SimTime;

/// The most records of a run.
const RECORDS_MAX: u32 = 50_000_000;
/// The most memory of all runs together, in bytes.
const BYTES_MAX: usize = 1 << 30;
/// Progress is told this often over a run.
const TOLD_MAX: u64 = 200;
/// And at least once in so many records.
const RECORDS_TOLD: u32 = 200_000;

/// A run that was asked for.
pub(super) struct Run {
    id: RunId,
    scenario: ValidScenario,
    patches: PatchSet,
    recording: Recording,
    /// The record that is waited for.
    select: Option<Place>,
    ended: bool,
    /// The count of changed decisions, once the run has ended.
    pub(super) count: Option<Count>,
    /// The levels that are asked for.
    pub(super) levels: Option<levels::Asked>,
    cut: bool,
    /// What was told last: part of the run, records.
    told: (u64, u32),
}

impl Run {
    pub(super) fn new(
        id: RunId,
        scenario: &ValidScenario,
        patches: PatchSet,
        select: Option<Place>,
    ) -> Self {
        Self {
            id,
            scenario: scenario.clone(),
            patches,
            recording: Recording::new(scenario, patches),
            select,
            ended: false,
            count: None,
            levels: None,
            cut: false,
            told: (0, 0),
        }
    }

    pub(super) fn id(&self) -> RunId {
        self.id
    }

    pub(super) fn recording(&self) -> &Recording {
        &self.recording
    }

    pub(super) fn scenario(&self) -> &ValidScenario {
        &self.scenario
    }

    /// Whether there is something left to simulate or to count.
    pub(super) fn goes_on(&self) -> bool {
        !self.ended || self.count.as_ref().is_some_and(Count::goes_on)
    }

    /// Up to where anything is known, in ns.
    pub(super) fn reached_ns(&self) -> u64 {
        let machine = self.recording.machine();
        // Nothing happens any more between the last event and the end.
        if self.ended && machine.next_time().is_none() {
            self.scenario.duration_ns
        } else {
            machine.now().as_ns().min(self.scenario.duration_ns)
        }
    }

    pub(super) fn progress(&self) -> Response {
        Response::Progress {
            run: self.id,
            reached_ns: self.reached_ns(),
            duration_ns: self.scenario.duration_ns,
            records: self.recording.machine().records(),
        }
    }

    /// Memory held, about, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.recording.bytes()
    }

    /// Whether there is nothing left to simulate.
    pub(super) fn is_over(&self) -> bool {
        self.ended
    }

    /// Whether it ended before its scenario does: stopped, or out of room.
    pub(super) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Goes on; all runs together hold `bytes` by now.
    pub(super) fn work(&mut self, steps: u32, bytes: usize) -> Vec<Response> {
        if self.ended {
            return self.count_on(steps);
        }
        let end = self.recording.run(steps, RECORDS_MAX);
        let cut = match end {
            RunEnd::Horizon => None,
            RunEnd::Budget { reached, records } => Some(format!(
                "The run stopped at {} of {}: it has {records} records, the most that are kept.",
                time(reached.as_ns()),
                time(self.scenario.duration_ns),
            )),
            RunEnd::Unfinished if bytes > BYTES_MAX => Some(format!(
                "The run stopped at {} of {}: {} MB are full, the most that is kept.",
                time(self.reached_ns()),
                time(self.scenario.duration_ns),
                BYTES_MAX >> 20,
            )),
            RunEnd::Unfinished => {
                let mut responses = self.selected();
                responses.extend(self.tell_progress());
                return responses;
            }
        };
        self.end(cut)
    }

    pub(super) fn cancel(&mut self) -> Vec<Response> {
        if self.ended {
            return self.stop_counting();
        }
        let (reached, whole) = (time(self.reached_ns()), time(self.scenario.duration_ns));
        self.end(Some(format!("You stopped the run at {reached} of {whole}.")))
    }

    fn end(&mut self, cut: Option<String>) -> Vec<Response> {
        self.ended = true;
        self.cut = cut.is_some();
        let mut responses = self.selected();
        responses.push(self.progress());
        let (machine, measures) = (self.recording.machine(), self.recording.measures());
        let digest = self.recording.digest();
        let mut summary = summary::summary(machine, measures, digest, self.reached_ns());
        summary.traced = summary::traced(&self.recording);
        responses.push(Response::Ended { run: self.id, summary: Box::new(summary), cut });
        let start = Machine::new(&self.scenario, self.patches);
        let pass = Flips::new(&start, self.recording.machine().records());
        self.count = Some(Count::new(pass));
        responses.extend(self.nothing_to_count());
        responses
    }

    /// Tells progress if there is enough of it.
    fn tell_progress(&mut self) -> Option<Response> {
        let duration = u128::from(self.scenario.duration_ns);
        let part = u128::from(self.reached_ns()) * u128::from(TOLD_MAX) / duration;
        let part = u64::try_from(part).unwrap_or(TOLD_MAX);
        let records = self.recording.machine().records();
        if part == self.told.0 && records - self.told.1 < RECORDS_TOLD {
            return None;
        }
        self.told = (part, records);
        Some(self.progress())
    }

    /// Answers the `select` of the run once the record is there, or once it is clear that it will
    /// not be.
    fn selected(&mut self) -> Vec<Response> {
        let Some(place) = self.select else { return Vec::new() };
        let record = self.at(place);
        let passed = self.ended || self.recording.machine().now().as_ns() > place.time_ns;
        if record.is_none() && !passed {
            return Vec::new();
        }
        self.select = None;
        vec![self.found(0, record)]
    }

    /// The record of a place.
    pub(super) fn at(&self, place: Place) -> Option<DecisionId> {
        let kind = *Kind::ALL.get(usize::from(place.kind))?;
        let time = SimTime::from_ns(place.time_ns);
        let rows = &self.recording.trace().rows;
        rows.at(time, PcpuId(place.pcpu), kind, usize::from(place.nth))
    }

    pub(super) fn found(&self, ask: u32, record: Option<DecisionId>) -> Response {
        let rows = &self.recording.trace().rows;
        Response::Found {
            run: self.id,
            ask,
            record: record.and_then(|id| self.record(id)),
            decisions: record.map_or(0, |id| rows.decisions_until(id)),
        }
    }

    fn context(&self) -> Context<'_> {
        Context { scenario: &self.scenario, patches: self.patches, rows: &self.recording }
    }

    pub(super) fn record(&self, id: DecisionId) -> Option<Record> {
        let row = self.recording.trace().rows.get(id)?;
        Some(self.context().record(id, &row))
    }

    pub(super) fn explain(&self, id: DecisionId) -> Option<Response> {
        let replayed = Rows::replayed(&self.recording, id)?;
        let explanation = Box::new(explain::explain(&self.context(), id, &replayed));
        let now = explain::now(&replayed.snapshot);
        Some(Response::Explained { run: self.id, explanation, now })
    }

    /// The machine at a moment; at the end of what is known if that comes earlier.
    pub(super) fn snapshot(&self, time_ns: u64) -> Response {
        let time = SimTime::from_ns(time_ns.min(self.reached_ns()));
        let snapshot = snapshot_at(self.recording.keyframes().at(time), time);
        Response::Snapshot { run: self.id, now: explain::now(&snapshot) }
    }
}

impl Rows for Recording {
    fn row(&self, id: DecisionId) -> Option<Row> {
        self.trace().rows.get(id)
    }

    fn ordinal(&self, id: DecisionId) -> (u32, u32) {
        self.trace().rows.ordinal(id)
    }

    fn nth(&self, id: DecisionId) -> usize {
        self.trace().rows.nth(id)
    }

    fn replayed(&self, id: DecisionId) -> Option<Replayed> {
        self.row(id)?;
        replay(self.keyframes().before(id), id)
    }
}
