//! The worker's half of the page, without any web API: it owns the runs and answers questions.
//!
//! A run goes on in pieces, so that questions are answered while it goes on. Whoever drives the
//! engine calls [`Engine::work`] whenever there is nothing to [`Engine::handle`]. No clock, no
//! thread in here.

mod changed;
pub mod explain;
mod levels;
mod pair;
mod picture;
mod run;
mod stretch;
pub mod summary;
pub mod sweep;
mod under;

use crate::protocol::{Direction, From, Request, Response, RunId, Wanted};
use run::Run;
use sim_core::decision::Kind;
use sim_core::ids::{DecisionId, PcpuId, VcpuId};
use sim_core::patches::{CombinationError, PatchSet};
use sim_core::run::Parting;
use sim_core::scenario::ValidScenario;
use sim_core::units::SimDuration;

/// The worker's half of the page.
#[derive(Default)]
pub struct Engine {
    /// The run, or two that lie side by side.
    runs: Vec<Run>,
    /// The comparison of the two, until its outcome has been told.
    parting: Option<Parting>,
    /// The comparison over many seeds.
    sweep: Option<sweep::Asked>,
}

impl Engine {
    /// An engine without a run.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether there is something to simulate or to count.
    #[must_use]
    pub fn is_working(&self) -> bool {
        self.sweeps() || self.runs.iter().any(|run| run.goes_on() || run.asks_levels())
    }

    fn sweeps(&self) -> bool {
        self.sweep.as_ref().is_some_and(|asked| asked.sweeping.goes_on())
    }

    /// Simulates for at most `steps` steps: of two runs the one that is further behind. What is
    /// waited for comes before what goes on by itself.
    pub fn work(&mut self, steps: u32) -> Vec<Response> {
        if let Some(run) = self.runs.iter_mut().find(|run| run.asks_levels()) {
            return run.work_levels(steps);
        }
        let sweeps = self.sweeps();
        let bytes: usize = self.runs.iter().map(Run::bytes).sum();
        let going = self.runs.iter_mut().filter(|run| run.goes_on());
        let behind = going.min_by_key(|run| (run.is_over(), run.reached_ns()));
        // What was asked for last comes before what is only counted behind a run.
        let Some(run) = behind.filter(|run| !run.is_over() || !sweeps) else {
            return self.sweep.as_mut().map_or_else(Vec::new, |asked| asked.work(steps));
        };
        let mut responses = run.work(steps, bytes);
        responses.extend(self.part());
        responses
    }

    /// Answers a question. A question about a run that is not there any more has no answer.
    pub fn handle(&mut self, request: Request) -> Vec<Response> {
        match request {
            Request::Run { run, scenario, patches, select } => {
                self.start(None, run, (&scenario, patches), select)
            }
            Request::Beside { run, beside, scenario, patches, select } => {
                self.start(Some(beside), run, (&scenario, patches), select)
            }
            Request::Alone { run } => {
                self.keep(Some(run));
                Vec::new()
            }
            Request::Sweep { ask, sides, seeds } => match sweep::Sweeping::asked(sides, seeds) {
                Ok(sweeping) => {
                    let asked = sweep::Asked { ask, sweeping };
                    let told = asked.told();
                    self.sweep = Some(asked);
                    vec![told]
                }
                // The page asks only for what both its runs could run.
                Err(_) => Vec::new(),
            },
            Request::StopSweep { ask } => {
                let Some(asked) = self.sweep.as_mut().filter(|asked| asked.ask == ask) else {
                    return Vec::new();
                };
                asked.sweeping.stop();
                vec![asked.told()]
            }
            Request::Cancel { run } => {
                let mut responses = self.asked(run).map_or_else(Vec::new, Run::cancel);
                responses.extend(self.part());
                responses
            }
            Request::Tile { run, span, shift, first, count } => {
                one(self.asked(run).and_then(|run| run.tile(span, shift, first, count)))
            }
            Request::Overview { run, width } => {
                one(self.asked(run).and_then(|run| run.overview(width)))
            }
            Request::Find { run, ask, from, direction, wanted } => {
                one(self.asked(run).map(|run| run.find(ask, from, direction, wanted)))
            }
            Request::At { run, ask, place } => {
                one(self.asked(run).map(|run| run.found(ask, run.at(place))))
            }
            Request::Explain { run, record } => {
                one(self.asked(run).and_then(|run| run.explain(DecisionId(record))))
            }
            Request::Snapshot { run, time_ns } => {
                one(self.asked(run).map(|run| run.snapshot(time_ns)))
            }
            Request::Levels { run, ask, span, shift, levels } => {
                if let Some(run) = self.asked(run) {
                    run.ask_levels(ask, (span, shift), &levels);
                }
                Vec::new()
            }
            Request::Stretch { run, span, each_vcpu } => {
                one(self.asked(run).map(|run| run.stretch(span, each_vcpu)))
            }
            Request::Under(spot) => one(self.asked(spot.run).map(|run| run.under(spot))),
            Request::Mark { run, ask, pcpu, time_ns, kind } => {
                one(self.asked(run).map(|run| run.marked(ask, pcpu, time_ns, kind)))
            }
        }
    }

    /// The run of this number, if it is there.
    fn asked(&mut self, id: RunId) -> Option<&mut Run> {
        self.runs.iter_mut().find(|run| run.id() == id)
    }
}

fn one(response: Option<Response>) -> Vec<Response> {
    response.into_iter().collect()
}

/// Reads what is to run; one sentence if it cannot be.
fn checked(scenario: &str, patches: u64) -> Result<(ValidScenario, PatchSet), String> {
    let scenario = scenario_json::parse(scenario).map_err(|error| error.to_string())?;
    let scenario = scenario.validate().map_err(|error| error.to_string())?;
    let patches = PatchSet::from_bits(patches).map_err(combination)?;
    Ok((scenario, patches))
}

/// Why a choice of patches is not defined, in a sentence.
fn combination(error: CombinationError) -> String {
    match error {
        CombinationError::Needs { patch, needed } => {
            format!("the patch {} needs {}, which is off", patch.info().slug, needed.info().slug)
        }
        CombinationError::UnknownBit(bit) => format!("patch number {bit} does not exist"),
    }
}

/// What a search looks for, in the words of the trace; none for a kind that does not exist.
fn wanted(wanted: Wanted) -> Option<sim_core::trace::Wanted> {
    use sim_core::trace::Wanted as Core;
    Some(match wanted {
        Wanted::Decision => Core::Decision,
        Wanted::Kind(kind) => Core::Kind(*Kind::ALL.get(usize::from(kind))?),
        Wanted::Event(pcpu) => Core::Pcpu(PcpuId(pcpu)),
        Wanted::DecisionOn(pcpu) => Core::DecisionOn(PcpuId(pcpu)),
        Wanted::Vcpu(vcpu) => Core::Vcpu(VcpuId(vcpu)),
        // Asked of the count of changed decisions, not of the trace.
        Wanted::Changed(_) => return None,
    })
}

/// A time with its unit, for sentences.
fn time(ns: u64) -> String {
    SimDuration::from_ns(ns).to_string()
}

impl Run {
    /// The record to go to.
    fn find(&self, ask: u32, from: From, direction: Direction, what: Wanted) -> Response {
        if let Wanted::Changed(difference) = what {
            return self.found(ask, self.find_changed(from, direction, difference));
        }
        let rows = &self.recording().trace().rows;
        let found = wanted(what).and_then(|wanted| match (direction, from) {
            (Direction::Next, From::Record(id)) => rows.next(id as usize + 1, wanted),
            // Standing at a moment means that what happens at it has been seen.
            (Direction::Next, From::Time(ns)) => {
                rows.next(rows.first_at(ns.saturating_add(1)), wanted)
            }
            (Direction::Previous, From::Record(id)) => rows.previous(id as usize, wanted),
            (Direction::Previous, From::Time(ns)) => rows.previous(rows.first_at(ns), wanted),
            (Direction::Nearest, From::Record(id)) => {
                let row = rows.get(DecisionId(id))?;
                rows.nearest(row.time.as_ns(), wanted)
            }
            (Direction::Nearest, From::Time(ns)) => rows.nearest(ns, wanted),
        });
        self.found(ask, found)
    }
}
