//! Goal: two runs part exactly where a comparison of all their records says so.

use sim_core::decision::{Facts, Kind, Row, Sink};
use sim_core::ids::{DecisionId, PcpuId};
use sim_core::machine::Machine;
use sim_core::patches::{PATCHES, PatchSet};
use sim_core::presets::PRESETS;
use sim_core::run::{Parting, Recording, RunEnd, run_to_end};
use sim_core::scenario::{Scenario, ValidScenario};

/// What a record says and what follows from it, and whom a tickle told.
type Said = (u64, PcpuId, Kind, &'static str, u16, u16, Vec<PcpuId>);

/// What all records say.
#[derive(Default)]
struct All(Vec<Said>);

impl Sink for All {
    fn record(&mut self, _: DecisionId, row: &Row, facts: Facts<'_>) {
        let told = match facts {
            Facts::Tickle(_, outcome) => outcome.tickled.iter().collect(),
            _ => vec![],
        };
        let (time, leaf) = (row.time.as_ns(), row.reason.info());
        let (kind, then) = (leaf.kind, leaf.then);
        self.0.push((time, row.pcpu, kind, then, row.subject.0, row.arg, told));
    }
}

fn valid(scenario: &Scenario) -> ValidScenario {
    scenario.clone().validate().expect("a preset is valid")
}

/// Compares everything after both runs are over.
fn by_force(one: (&Scenario, PatchSet), other: (&Scenario, PatchSet)) -> Option<usize> {
    let all = |(scenario, patches): (&Scenario, PatchSet)| {
        let mut all = All::default();
        run_to_end(&mut Machine::new(&valid(scenario), patches), &mut all);
        all.0
    };
    let (one, other) = (all(one), all(other));
    one.iter().zip(&other).position(|(one, other)| one != other)
}

/// Compares while both go on, by steps of different length.
fn on_the_way(one: (&Scenario, PatchSet), other: (&Scenario, PatchSet)) -> Option<usize> {
    let mut runs = [one, other].map(|(scenario, set)| Recording::new(&valid(scenario), set));
    let (mut parting, mut over) = (Parting::default(), [false; 2]);
    while over != [true, true] {
        for ((run, over), steps) in runs.iter_mut().zip(&mut over).zip([37, 1_009]) {
            *over = *over || run.run(steps, u32::MAX) == RunEnd::Horizon;
        }
        if let Some(id) = parting.go_on(runs[0].trace(), runs[1].trace()) {
            assert_eq!(parting.go_on(runs[0].trace(), runs[1].trace()), Some(id));
            return Some(id.0 as usize);
        }
    }
    let rows = runs.each_ref().map(|run| run.trace().rows.len());
    assert_eq!(rows, [parting.alike(); 2], "alike to the end");
    None
}

/// Goal: with any patch flipped, and with other parameters or another seed, the parting found on
/// the way is that of the comparison of all records. Method: two presets, every patch.
#[test]
fn the_parting_is_the_first_difference() {
    let mut parted = 0;
    for preset in [&PRESETS[0], &PRESETS[2], &PRESETS[3]] {
        let mut scenario = (preset.build)();
        scenario.duration_ns = scenario.duration_ns.min(60_000_000);
        let one = (&scenario, preset.patches);
        let mut check = |what: &str, other: (&Scenario, PatchSet)| {
            let found = on_the_way(one, other);
            assert_eq!(found, by_force(one, other), "{} with {what}", preset.slug);
            parted += u32::from(found.is_some());
        };
        for info in &PATCHES {
            check(info.slug, (&scenario, preset.patches.flipped(info.patch)));
        }
        let mut all_idlers = scenario.clone();
        all_idlers.params.tickle_one_idle = false;
        check("all idlers tickled", (&all_idlers, preset.patches));
        let mut slow = scenario.clone();
        slow.params.ipi_latency_ns += 1;
        check("slower IPIs", (&slow, preset.patches));
        let mut other = scenario.clone();
        other.seed += 1;
        check("another seed", (&other, preset.patches));
    }
    assert!(parted > 10, "only {parted} pairs part");
}

/// Goal: identical sides never part.
#[test]
fn the_same_run_never_parts() {
    for preset in PRESETS.iter().take(6) {
        let mut scenario = (preset.build)();
        scenario.duration_ns = scenario.duration_ns.min(60_000_000);
        let side = (&scenario, preset.patches);
        assert_eq!(on_the_way(side, side), None, "{}", preset.slug);
    }
}
