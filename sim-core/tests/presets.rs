//! Goal: every preset can be run and opens at its story. Method: run each, look at the tickles, and
//! ask each for what it would be with the patch of 2012 flipped.

use sim_core::decision::{Facts, Reason, Row, Sink};
use sim_core::ids::DecisionId;
use sim_core::machine::Machine;
use sim_core::patches::{PATCHES, Patch, PatchKind, PatchSet, REVISIONS, Revision};
use sim_core::policy::credit1::tickle;
use sim_core::presets::{PRESETS, Preset};
use sim_core::run::{LogSink, Totals, run_to_end};

/// The first tickle from the opening moment, and how many tickles the patch would change.
struct Story {
    patches: PatchSet,
    cursor_ns: u64,
    first: Option<(u64, Reason, Reason)>,
    tickles: u32,
    changed: u32,
}

impl Sink for Story {
    fn record(&mut self, _: DecisionId, row: &Row, facts: Facts<'_>) {
        let Facts::Tickle(inputs, outcome) = facts else { return };
        let other = tickle(inputs, self.patches.flipped(Patch::TicklePreferIdlers));
        self.tickles += 1;
        let differs = other.tickled != outcome.tickled || other.kick != outcome.kick;
        self.changed += u32::from(differs);
        if row.time.as_ns() >= self.cursor_ns && self.first.is_none() {
            self.first = Some((row.time.as_ns(), outcome.reason, other.reason));
        }
    }
}

fn run(preset: &Preset, patches: PatchSet) -> (Story, Totals) {
    let scenario = (preset.build)().validate().expect("a preset is valid");
    let mut machine = Machine::new(&scenario, patches);
    let cursor_ns = preset.cursor_ns;
    let mut story = Story { patches, cursor_ns, first: None, tickles: 0, changed: 0 };
    run_to_end(&mut machine, &mut story);
    (story, Totals::of(&machine, scenario.duration_ns))
}

#[test]
fn the_first_tickle_tells_the_story() {
    use Reason::{TickleA1, TickleA4, TickleA6, TickleB1, TickleB3, TickleB4};
    let expected = [
        (14_000_000, TickleB3, TickleA4, 72, 147),
        (12_000_000, TickleB4, TickleA6, 5, 113),
        (35_700_000, TickleA4, TickleB3, 66, 297),
        (40_000_000, TickleB1, TickleA1, 0, 475),
        (150_939_896, TickleB4, TickleA6, 9, 1_440),
        (40_215_041, TickleB4, TickleA6, 402, 2_297),
        (40_580_570, TickleB1, TickleA1, 0, 473),
        (40_435_284, TickleB1, TickleA1, 0, 1_398),
        (40_463_560, TickleB3, TickleA4, 124, 2_064),
    ];
    for (preset, (time, here, other, changed, of)) in PRESETS.iter().zip(expected) {
        let (story, _) = run(preset, preset.patches);
        assert_eq!(story.first, Some((time, here, other)), "{}", preset.slug);
        assert_eq!((story.changed, story.tickles), (changed, of), "{}", preset.slug);
        let (from, to) = preset.view_ns;
        assert!(from < preset.cursor_ns && time < to, "{}", preset.slug);
    }
}

#[test]
fn the_pinned_waker_costs_what_its_story_says() {
    let preset = &PRESETS[0];
    let waited = |patches| {
        let (_, totals) = run(preset, patches);
        totals.vcpus[0].tally.spent_ns[1]
    };
    assert_eq!(waited(preset.patches), 43_200_000);
    assert_eq!(waited(preset.patches.with(Patch::TicklePreferIdlers)), 1_000);
}

#[test]
fn the_patch_makes_the_ping_pong_worse() {
    let preset = &PRESETS[2];
    let steals = |patches| run(preset, patches).1.vcpus[0].tally.steals;
    let (with, without) =
        (steals(preset.patches), steals(preset.patches.without(Patch::TicklePreferIdlers)));
    assert!(
        with > 10 * without,
        "the hog is stolen {with} times with the patch, {without} without"
    );
}

/// What a run is, for telling two apart: its log lines, and its counters.
fn traces(preset: &Preset, patches: PatchSet) -> (u64, Vec<(&'static str, u64)>) {
    let scenario = (preset.build)().validate().expect("a preset is valid");
    let mut machine = Machine::new(&scenario, patches);
    let guests = machine.system().guests;
    let mut sink = LogSink::new(scenario.duration_ns, guests, |_, _: &[u8]| ());
    run_to_end(&mut machine, &mut sink);
    (sink.digest().whole(), machine.counters().nonzero().collect())
}

#[test]
fn every_patch_does_in_its_demo_what_its_entry_says() {
    let mut wrong = vec![];
    for info in &PATCHES {
        let demo = Preset::from_slug(info.demo).unwrap_or_else(|| panic!("no {}", info.demo));
        // The first state of the tree that has it, with and without.
        let revision = REVISIONS.iter().find(|revision| revision.patches.has(info.patch));
        let patches = revision.expect("every patch is in some revision").patches;
        // Without it, and with it alone: what needs it stays out on both sides.
        let without = patches.flipped(info.patch);
        let (lines, counters) = traces(demo, without.with(info.patch));
        let (other_lines, other_counters) = traces(demo, without);
        let (same_lines, same_counters) = (lines == other_lines, counters == other_counters);
        let expected = match info.kind {
            PatchKind::Decision => !same_lines,
            PatchKind::Counter => same_lines,
            PatchKind::Nothing => same_lines && same_counters,
        };
        if !expected {
            wrong.push(format!("{}: lines {same_lines}, counters {same_counters}", info.slug));
        }
    }
    assert!(wrong.is_empty(), "same with and without: {wrong:#?}");
}

/// How often each pCPU is robbed in a preset at a revision.
fn victims(slug: &str, revision: &str) -> Vec<u32> {
    struct Robbed(Vec<u32>);
    impl Sink for Robbed {
        fn record(&mut self, _: DecisionId, row: &Row, _: Facts<'_>) {
            if row.reason == Reason::BalanceStole {
                self.0[usize::from(row.arg)] += 1;
            }
        }
    }
    let preset = Preset::from_slug(slug).expect("a preset");
    let scenario = (preset.build)().validate().expect("valid");
    let patches = Revision::from_name(revision).expect("known").patches;
    let mut robbed = Robbed(vec![0; scenario.topology.pcpu_count()]);
    run_to_end(&mut Machine::new(&scenario, patches), &mut robbed);
    robbed.0
}

#[test]
fn victims_take_turns_since_the_bias() {
    assert_eq!(victims("steal-victims", "R8"), [140, 116, 65, 60, 48, 34, 30, 25]);
    assert_eq!(victims("steal-victims", "R9"), [65, 75, 51, 53, 50, 54, 49, 50]);
}

/// Two tickles within one interrupt's time choose the same idle pCPU while another one is idle.
#[test]
fn the_same_idler_is_told_twice_until_tickled_is_busy() {
    struct Told(Vec<(u64, u16, u32)>);
    impl Sink for Told {
        fn record(&mut self, _: DecisionId, row: &Row, facts: Facts<'_>) {
            let Facts::Tickle(inputs, outcome) = facts else { return };
            if row.reason == Reason::TickleA6 {
                let told = outcome.tickled.first().expect("an idler");
                self.0.push((row.time.as_ns(), told.0, inputs.idlers.len()));
            }
        }
    }
    let preset = Preset::from_slug("same-idler-twice").expect("a preset");
    let scenario = (preset.build)().validate().expect("valid");
    let doubles = |patches| {
        let mut told = Told(vec![]);
        run_to_end(&mut Machine::new(&scenario, patches), &mut told);
        let twice = |pair: &&[(u64, u16, u32)]| {
            let [(first, here, _), (second, there, idlers)] = **pair else { return false };
            second - first < 50_000 && here == there && idlers > 1
        };
        told.0.windows(2).filter(twice).map(|pair| pair[0].0).collect::<Vec<_>>()
    };
    let before = doubles(preset.patches);
    assert!(before.contains(&367_860_925), "{before:?}");
    assert_eq!(doubles(preset.patches.with(Patch::TickledIsBusy)), []);
}
