//! Goal: every preset can be run and opens at its story. Method: run each, look at the tickles, and
//! ask each for what it would be with the patch of 2012 flipped.

use sim_core::decision::{Facts, Reason, Row, Sink};
use sim_core::ids::DecisionId;
use sim_core::machine::Machine;
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::tickle;
use sim_core::presets::{PRESETS, Preset};
use sim_core::run::{Totals, run_to_end};

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
