//! Two runs side by side: which one is in hand, and what is kept of the other.
//!
//! The state's own run is always the one in hand: steps, panels and pictures are about it. Taking
//! the other one in hand exchanges the two. View, cursor and row are one for both.

use super::stretches::Stretches;
use super::{Asked, Phase, Run, Selection, State, select};
use crate::protocol::comparison::{self, Sweep};
use crate::protocol::metrics::metrics;
use crate::protocol::{LevelPicture, Now, Overview, Parting, Place, Record, RunId, Side, Tile};
use sim_core::patches::{PatchSet, Revision};
use sim_core::scenario::Scenario;
use std::mem::swap;
use std::rc::Rc;

/// Two runs side by side.
#[derive(Clone, Debug)]
pub struct Ab {
    /// Which side is in hand.
    pub side: Side,
    /// The run that is not in hand.
    pub other: Other,
    /// Where the two part; none until it is known.
    pub parting: Option<Parting>,
    /// Go to the parting as soon as it is known.
    pub go: bool,
    /// Where the other run was last asked for the record that is selected in this one.
    pub matched: Option<(RunId, Place)>,
    /// Both sides over many seeds, as far as they are done.
    pub sweep: Option<Rc<Sweep>>,
    /// Number of the last such question; answers to an older one are stale.
    pub sweep_ask: u32,
}

/// In what B's scenario is another one than A's, in words.
#[must_use]
pub fn varied(a: &Scenario, b: &Scenario) -> Vec<String> {
    let (from, to) = (&a.params, &b.params);
    let on = |on: bool| if on { "one" } else { "all" };
    let mut all = Vec::new();
    let mut tell = |differs: bool, text: String| {
        if differs {
            all.push(text);
        }
    };
    tell(a.seed != b.seed, format!("seed {}", b.seed));
    tell(from.tslice_ms != to.tslice_ms, format!("slice {} ms", to.tslice_ms));
    tell(from.ratelimit_us != to.ratelimit_us, format!("rate limit {} µs", to.ratelimit_us));
    let idlers = format!("tickles {} suitable idlers", on(to.tickle_one_idle));
    tell(
        from.tickle_one_idle != to.tickle_one_idle,
        idlers.replace("one suitable idlers", "one suitable idler"),
    );
    let first = if to.smt_power_savings { "cores filled first" } else { "cores spread over" };
    tell(from.smt_power_savings != to.smt_power_savings, first.into());
    let delay = format!("migration delay {} µs", to.migration_delay_us);
    tell(from.migration_delay_us != to.migration_delay_us, delay);
    let balance = format!("balance limit {} µs", to.lb_ratelimit_us);
    tell(from.lb_ratelimit_us != to.lb_ratelimit_us, balance);
    tell(from.ipi_latency_ns != to.ipi_latency_ns, format!("interrupt {} ns", to.ipi_latency_ns));
    tell(from.ctx_switch_ns != to.ctx_switch_ns, format!("switch {} ns", to.ctx_switch_ns));
    tell(from.cpu_up_step_ns != to.cpu_up_step_ns, format!("boot step {} ns", to.cpu_up_step_ns));
    all
}

/// Patches by their short names; a release by its own.
fn named(patches: PatchSet) -> String {
    if let Some(revision) = Revision::of(patches) {
        return format!("{}, {}", revision.name, revision.title);
    }
    let slugs: Vec<_> = patches.iter().map(|patch| patch.info().slug).collect();
    if slugs.is_empty() { "no patch".into() } else { slugs.join(", ") }
}

/// What two sides are, for a mail: what runs, A, and in what B is another one.
#[must_use]
pub fn head(a: (&Scenario, PatchSet), b: (&Scenario, PatchSet)) -> Vec<String> {
    let (scenario, patches) = a;
    let name = if scenario.name.is_empty() { "a scenario" } else { &scenario.name };
    let (pcpus, vcpus) = (scenario.topology.pcpu_count(), scenario.vcpus().count());
    let length = sim_core::units::SimDuration::from_ns(scenario.duration_ns);
    let slugs = |sign: char, from: PatchSet, to: PatchSet| {
        let more = to.iter().filter(move |patch| !from.has(*patch));
        more.map(move |patch| format!("{sign}{}", patch.info().slug)).collect::<Vec<_>>()
    };
    let mut differs = slugs('+', patches, b.1);
    differs.extend(slugs('-', b.1, patches));
    differs.extend(varied(scenario, b.0));
    let differs = if differs.is_empty() { "the same".into() } else { differs.join(", ") };
    vec![
        format!("{name}: {pcpus} pCPUs, {vcpus} vCPUs, {length}, seed {}", scenario.seed),
        format!("A: {}", named(patches)),
        format!("B: A, {differs}"),
    ]
}

/// A run that is not in hand, with everything that is about it alone.
#[derive(Clone, Debug)]
pub struct Other {
    /// What runs.
    pub scenario: Rc<Scenario>,
    /// With which patches.
    pub patches: PatchSet,
    /// How the run is getting on.
    pub run: Run,
    /// The record that answers to the one selected in hand.
    pub selection: Selection,
    /// The machine at some moment.
    pub now: Option<Rc<Now>>,
    /// Its rows.
    pub tile: Option<Rc<Tile>>,
    /// Tiles that are kept.
    pub kept: Vec<Rc<Tile>>,
    /// The whole of it.
    pub overview: Option<Rc<Overview>>,
    /// The levels answered last.
    pub levels: Option<Rc<LevelPicture>>,
    /// What range and view add up to in it.
    pub stretches: Stretches,
    /// What the worker has been asked about it.
    pub asked: Asked,
    /// The digest that a link promised.
    pub promised_digest: Option<u64>,
}

impl Ab {
    /// A second run beside the one in hand, not yet asked for.
    pub(super) fn new(state: &State, patches: PatchSet) -> Self {
        let other = Other {
            scenario: state.scenario.clone(),
            patches,
            run: Run { phase: Phase::Gone, duration_ns: state.run.duration_ns, ..Run::default() },
            selection: Selection::default(),
            now: None,
            tile: None,
            kept: Vec::new(),
            overview: None,
            levels: None,
            stretches: Stretches::default(),
            asked: Asked::default(),
            promised_digest: None,
        };
        Self {
            side: Side::A,
            other,
            parting: None,
            go: false,
            matched: None,
            sweep: None,
            sweep_ask: 0,
        }
    }

    /// What was known of both is not true any more: one of them starts anew.
    pub(super) fn forget(&mut self) {
        self.parting = None;
        self.go = false;
        self.matched = None;
        self.sweep = None;
        self.sweep_ask += 1;
    }

    /// The records at which the runs part: of the one in hand, of the other.
    #[must_use]
    pub fn parting_records(&self) -> Option<[Option<Record>; 2]> {
        let Some(Parting::At(records)) = self.parting else { return None };
        let of = |wanted: RunId| records.iter().find(|(run, _)| *run == wanted);
        let other = of(self.other.run.id)?;
        let own = records.iter().find(|(run, _)| *run != self.other.run.id)?;
        Some([own.1, other.1])
    }

    /// When the runs part, in ns.
    #[must_use]
    pub fn parting_ns(&self) -> Option<u64> {
        let records = self.parting_records()?.into_iter().flatten();
        records.map(|record| record.place.time_ns).min()
    }
}

impl State {
    /// Takes the other run in hand.
    pub(super) fn exchange(&mut self) {
        let Some(ab) = &mut self.ab else { return };
        ab.side = ab.side.other();
        let other = &mut ab.other;
        swap(&mut self.scenario, &mut other.scenario);
        swap(&mut self.patches, &mut other.patches);
        swap(&mut self.run, &mut other.run);
        swap(&mut self.selection, &mut other.selection);
        swap(&mut self.now, &mut other.now);
        swap(&mut self.pictures.tile, &mut other.tile);
        swap(&mut self.pictures.kept, &mut other.kept);
        swap(&mut self.pictures.overview, &mut other.overview);
        swap(&mut self.pictures.levels, &mut other.levels);
        swap(&mut self.pictures.stretches, &mut other.stretches);
        swap(&mut self.asked, &mut other.asked);
        swap(&mut self.promised_digest, &mut other.promised_digest);
    }

    /// Which side is in hand; A if there is no other.
    #[must_use]
    pub fn side(&self) -> Side {
        self.ab.as_ref().map_or(Side::A, |ab| ab.side)
    }

    /// A value of each side, A's first, out of the one in hand and the other's.
    #[must_use]
    pub fn sides<T>(&self, in_hand: T, other: T) -> [T; 2] {
        self.side().in_order(in_hand, other)
    }

    /// The figures of both sides: over many seeds if they were asked for, or else of the two runs;
    /// none while they go on.
    #[must_use]
    pub fn compared(&self) -> Option<Rc<Sweep>> {
        let ab = self.ab.as_ref()?;
        if let Some(sweep) = ab.sweep.as_ref().filter(|sweep| sweep.done > 0) {
            return Some(sweep.clone());
        }
        let summaries = (self.run.summary.as_ref()?, ab.other.run.summary.as_ref()?);
        let [a, b] = self.sides(summaries.0, summaries.1);
        let figures = comparison::figures(&[[metrics(a), metrics(b)]]);
        let alike = u32::from(a.digest == b.digest);
        let sweep = Sweep { done: 1, of: 1, goes_on: false, is_random: true, alike, figures };
        Some(Rc::new(sweep))
    }

    /// What the sides are, for a mail; none without a second run.
    #[must_use]
    pub fn head(&self) -> Option<Vec<String>> {
        let ab = self.ab.as_ref()?;
        let own = (&*self.scenario, self.patches);
        let [a, b] = self.sides(own, (&*ab.other.scenario, ab.other.patches));
        Some(head(a, b))
    }

    /// Whether everything that the other run's picture needs is there; true without another run.
    #[must_use]
    pub fn other_is_fresh(&self) -> bool {
        let Some(ab) = &self.ab else { return true };
        let Other { run, tile, selection, .. } = &ab.other;
        let explained = selection.record.is_none() || select::why_of(selection, run.id).is_some();
        run.phase == Phase::Gone
            || (run.phase == Phase::Ended
                && tile.as_ref().is_some_and(|tile| tile.run == run.id)
                && explained)
    }
}
