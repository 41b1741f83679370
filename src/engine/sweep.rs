//! Many runs of two sides, a seed after the other, with nothing kept but their figures.
//!
//! Goes on in slices like everything in here; the same seeds give the same figures everywhere.

use super::{checked, summary};
use crate::protocol::Response;
use crate::protocol::comparison::{Sweep, figures};
use crate::protocol::metrics::{Metric, metrics};
use sim_core::decision::{Belief, Facts, LogLine, Row, Sink};
use sim_core::ids::{DecisionId, PcpuId};
use sim_core::machine::{Machine, Step};
use sim_core::patches::PatchSet;
use sim_core::rng::SplitMix64;
use sim_core::run::{Digest, LogText, Measures};
use sim_core::scenario::ValidScenario;
use sim_core::units::SimTime;
use sim_core::workload::Workload;

/// The most seeds of a comparison.
pub const SEEDS_MAX: u32 = 1_000;

/// One side: what runs, with which patches.
pub type SideOf = (ValidScenario, PatchSet);

/// A comparison of two sides over seeds.
pub struct Sweeping {
    sides: [SideOf; 2],
    /// The seeds of each side, the scenario's own first.
    seeds: Vec<[u64; 2]>,
    run: Option<Fast>,
    /// What A's run of the seed under way gave.
    a: Option<(u64, Vec<Metric>)>,
    samples: Vec<[Vec<Metric>; 2]>,
    alike: u32,
    is_random: bool,
    stopped: bool,
}

/// A run of which only figures are kept.
struct Fast {
    machine: Machine,
    kept: Kept,
}

struct Kept {
    text: LogText,
    digest: Digest,
    measures: Measures,
}

impl Sink for Kept {
    fn record(&mut self, _: DecisionId, row: &Row, facts: Facts<'_>) {
        self.measures.record(row, &facts);
    }

    fn log(&mut self, time: SimTime, pcpu: PcpuId, line: &LogLine<'_>) {
        let text = self.text.write(time, pcpu, line);
        self.digest.line(time, text);
        self.measures.log(time, pcpu, line);
    }

    fn belief(&mut self, _: SimTime, pcpu: PcpuId, belief: Belief, holds: bool) {
        self.measures.belief(pcpu, belief, holds);
    }
}

impl Fast {
    fn new((scenario, patches): &SideOf, seed: u64) -> Self {
        let mut scenario = sim_core::scenario::Scenario::clone(scenario);
        scenario.seed = seed;
        let scenario = scenario.validate_recorded().expect("a seed makes nothing invalid");
        let machine = Machine::new(&scenario, *patches);
        let kept = Kept {
            text: LogText::new(machine.system().guests),
            digest: Digest::new(scenario.duration_ns),
            measures: Measures::new(&machine),
        };
        Self { machine, kept }
    }

    /// Goes on; gives digest and figures once it is over.
    fn work(&mut self, steps: u32) -> Option<(u64, Vec<Metric>)> {
        for _ in 0..steps {
            if self.machine.advance(&mut self.kept) == Step::End {
                let Kept { digest, measures, .. } = &self.kept;
                let end_ns = self.machine.scenario().duration_ns;
                let summary = summary::summary(&self.machine, measures, digest, end_ns);
                return Some((digest.whole(), metrics(&summary)));
            }
            self.kept.measures.step(&self.machine);
        }
        None
    }
}

/// The seeds of a side: its own, then those that follow from it.
fn seeds_of(own: u64, count: u32) -> Vec<u64> {
    let mut rng = SplitMix64::new(own);
    let later = (1..count).map(|_| rng.next());
    std::iter::once(own).chain(later).collect()
}

impl Sweeping {
    /// A comparison over so many seeds, at least one; one is enough if nothing is drawn at random.
    #[must_use]
    pub fn new(sides: [SideOf; 2], count: u32) -> Self {
        let draws = |(scenario, _): &SideOf| {
            scenario.vcpus().any(|(_, vcpu)| matches!(vcpu.workload, Workload::Random(_)))
        };
        let is_random = sides.iter().any(draws);
        let count = if is_random { count.clamp(1, SEEDS_MAX) } else { 1 };
        let [a, b] = sides.each_ref().map(|(scenario, _)| seeds_of(scenario.seed, count));
        Self {
            sides,
            seeds: a.into_iter().zip(b).map(|(a, b)| [a, b]).collect(),
            run: None,
            a: None,
            samples: Vec::new(),
            alike: 0,
            is_random,
            stopped: false,
        }
    }

    /// Reads the sides; one sentence if they cannot run.
    pub(super) fn asked(sides: [(String, u64); 2], count: u32) -> Result<Self, String> {
        let [a, b] = sides.map(|(scenario, patches)| checked(&scenario, patches));
        Ok(Self::new([a?, b?], count))
    }

    /// Whether there is something left to run.
    #[must_use]
    pub fn goes_on(&self) -> bool {
        !self.stopped && self.samples.len() < self.seeds.len()
    }

    /// Runs no further seed; what is there stays.
    pub fn stop(&mut self) {
        self.stopped = true;
        self.run = None;
    }

    /// Goes on for at most `steps` steps; says whether another seed is done.
    pub fn work(&mut self, steps: u32) -> bool {
        let Some([a, b]) = self.seeds.get(self.samples.len()).filter(|_| self.goes_on()) else {
            return false;
        };
        let (side, seed) = if self.a.is_none() { (0, *a) } else { (1, *b) };
        let run = self.run.get_or_insert_with(|| Fast::new(&self.sides[side], seed));
        let Some(figures) = run.work(steps) else { return false };
        self.run = None;
        let Some((digest, a)) = self.a.take() else {
            self.a = Some(figures);
            return false;
        };
        self.alike += u32::from(digest == figures.0);
        self.samples.push([a, figures.1]);
        true
    }

    /// What is known so far.
    #[must_use]
    pub fn told(&self) -> Sweep {
        let count = |count: usize| u32::try_from(count).expect("seeds are few");
        Sweep {
            done: count(self.samples.len()),
            of: count(self.seeds.len()),
            goes_on: self.goes_on(),
            is_random: self.is_random,
            alike: self.alike,
            figures: figures(&self.samples),
        }
    }
}

/// A comparison that the page has asked for.
pub(super) struct Asked {
    pub(super) ask: u32,
    pub(super) sweeping: Sweeping,
}

impl Asked {
    pub(super) fn told(&self) -> Response {
        Response::Swept { ask: self.ask, sweep: Box::new(self.sweeping.told()) }
    }

    pub(super) fn work(&mut self, steps: u32) -> Vec<Response> {
        if self.sweeping.work(steps) { vec![self.told()] } else { Vec::new() }
    }
}
