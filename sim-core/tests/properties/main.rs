//! Goal: the invariants of the machine and of the credit hold in thousands of random scenarios with
//! random patches. Method: draw a scenario from each seed, check every step of it, run it again and
//! compare the digests. A failure names the seed.

mod accounting;
mod generate;
mod hosts;
mod invariants;

use accounting::SawAccounting;
use generate::Draw;
use sim_core::machine::{Machine, Step};
use sim_core::run::{LogSink, Totals, run_to_end};
use sim_core::scenario::{Scenario, ValidScenario};
use sim_core::units::SimTime;

const SEEDS: u64 = 12_000;

fn drawn(seed: u64) -> (ValidScenario, sim_core::patches::PatchSet) {
    let mut draw = Draw::new(seed);
    let scenario: Scenario = draw.scenario();
    let scenario = scenario.validate().unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    (scenario, draw.patches())
}

#[test]
fn invariants_hold_at_every_step() {
    let mut accountings = 0;
    for seed in 0..SEEDS {
        let (scenario, patches) = drawn(seed);
        let mut machine = Machine::new(&scenario, patches);
        let mut time = SimTime::ZERO;
        loop {
            let before = accounting::credits(&machine);
            let mut saw = SawAccounting::default();
            let step = machine.advance(&mut saw);
            if step == Step::End {
                break;
            }
            assert!(machine.now() >= time, "seed {seed}: time runs backwards");
            time = machine.now();
            let at = time.as_ns();
            if let Some(broken) = invariants::broken(&machine, step) {
                panic!("seed {seed} at {at} ns: {broken}");
            }
            if saw.0 {
                accountings += 1;
                if let Some(wrong) = accounting::wrong(&before, &machine) {
                    panic!("seed {seed} at {at} ns: {wrong}");
                }
            }
        }
        // Guests are there once the last pCPU is up.
        let pcpus = scenario.topology.pcpu_count() as u64;
        let there_ns = scenario.duration_ns - scenario.params.cpu_up_step_ns * (pcpus - 1);
        for vcpu in &Totals::of(&machine, scenario.duration_ns).vcpus {
            let spent: u64 = vcpu.tally.spent_ns.iter().sum();
            assert_eq!(spent, there_ns, "seed {seed}: run states add up");
        }
    }
    assert!(accountings > SEEDS / 2, "only {accountings} accountings were checked");
}

/// Lines and digest of the rest of a run.
fn digest(machine: &mut Machine) -> (u64, u64) {
    let duration_ns = machine.scenario().duration_ns;
    let mut sink = LogSink::new(duration_ns, machine.system().guests, |_, _: &[u8]| ());
    run_to_end(machine, &mut sink);
    (sink.digest().lines(), sink.digest().whole())
}

#[test]
fn same_seed_same_bytes() {
    for seed in 0..SEEDS / 3 {
        let (scenario, patches) = drawn(seed);
        let first = digest(&mut Machine::new(&scenario, patches));
        let (again, same_patches) = drawn(seed);
        let mut machine = Machine::new(&again, same_patches);
        assert_eq!(digest(&mut machine), first, "seed {seed}");
    }
}

/// A clone in the middle of a run goes on as the original does: what keyframes stand on.
#[test]
fn a_clone_goes_on_like_its_original() {
    for seed in 0..SEEDS / 10 {
        let (scenario, patches) = drawn(seed);
        let mut original = Machine::new(&scenario, patches);
        for _ in 0..200 {
            original.advance(&mut SawAccounting::default());
        }
        let mut clone = original.clone();
        assert_eq!(digest(&mut clone), digest(&mut original), "seed {seed}");
        assert_eq!(clone.snapshot(), original.snapshot(), "seed {seed}");
    }
}
