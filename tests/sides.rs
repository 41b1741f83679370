//! Goal: of every patch that changes decisions there is, in its demo scenario, a record that shows
//! the other side of the patch on the same state, or says plainly why there is none. Method: the
//! demo is run with the patch and without, and records are explained until one names the patch.

use sim_core::patches::{PATCHES, Patch, PatchInfo, PatchKind, PatchSet};
use sim_core::presets::Preset;
use tickle::engine::Engine;
use tickle::protocol::{Explanation, Request, Response, RunId};

const RUN: RunId = RunId(3);
/// The most records of a run that are explained.
const RECORDS: u32 = 6_000;

/// A run that has come to its end, with the number of its records.
fn ended(preset: &Preset, patches: PatchSet) -> (Engine, u32) {
    let mut engine = Engine::new();
    engine.handle(Request::Run {
        run: RUN,
        scenario: scenario_json::to_json(&(preset.build)()),
        patches: patches.bits(),
        select: None,
    });
    let mut records = 0;
    while records == 0 && engine.is_working() {
        for response in engine.work(100_000) {
            if let Response::Ended { summary, .. } = response {
                records = summary.records;
            }
        }
    }
    (engine, records)
}

fn explained(engine: &mut Engine, record: u32) -> Explanation {
    let answers = engine.handle(Request::Explain { run: RUN, record });
    let explanation = answers.into_iter().find_map(|answer| match answer {
        Response::Explained { explanation, .. } => Some(*explanation),
        _ => None,
    });
    explanation.expect("every record is explained")
}

/// Whether an explanation tells of a patch.
fn names(explanation: &Explanation, patch: Patch) -> bool {
    let number = patch as u8;
    explanation.sides.iter().any(|side| side.patch == number && !side.sentence.is_empty())
        || explanation.unasked.iter().any(|one| one.patch == number && !one.sentence.is_empty())
}

fn is_told(info: &PatchInfo) -> bool {
    let preset = Preset::from_slug(info.demo).expect("a demo is a preset");
    [preset.patches, preset.patches.flipped(info.patch)].into_iter().any(|patches| {
        let (mut engine, records) = ended(preset, patches);
        assert!(records > 0, "{}: the demo leaves no record", info.slug);
        (0..records.min(RECORDS)).any(|record| names(&explained(&mut engine, record), info.patch))
    })
}

#[test]
fn every_toggled_decision_has_its_other_side() {
    let decisions = PATCHES.iter().filter(|info| info.kind == PatchKind::Decision);
    let untold: Vec<&str> = decisions.filter(|info| !is_told(info)).map(|info| info.slug).collect();
    assert_eq!(untold, Vec::<&str>::new(), "patches without a word on any record of their demo");
}
