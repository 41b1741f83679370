//! Goal: a picture tells the truth about what is under it, at any zoom, searches find what a plain
//! walk finds, and a replay gives the record that the run kept.
//! Method: presets and recorded scenarios are run once into a trace and once into plain lists.

mod lanes;
mod model;
mod pictures;
mod records;
mod stretch;
mod under;

use model::Model;
use sim_core::patches::{PatchSet, Revision};
use sim_core::presets::PRESETS;
use sim_core::run::{Recording, RunEnd};
use sim_core::scenario::ValidScenario;
use std::io::Read;
use std::path::Path;

/// Recorded scenarios with context switches, slow interrupts, caps, pins, changes and many pCPUs.
const RECORDED: [(&str, &str); 6] = [
    ("p_uma4_ctx2us", "R2"),
    ("p_uma4_ipi20us", "R1"),
    ("p_4p_ops", "R2"),
    ("p_smt4x2_pin", "R0"),
    ("p_numa2x4_soft", "R9"),
    ("p_64p_256v", "R2"),
];

/// A run in both forms.
struct Both {
    name: String,
    recording: Recording,
    model: Model,
    duration_ns: u64,
}

fn recorded(name: &str) -> ValidScenario {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/xen-credit1/runs");
    let file = std::fs::File::open(folder.join(format!("{name}.jsonl.gz"))).expect("a vector");
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).expect("gzip text");
    let scenario = scenario_json::parse(&text).expect("a scenario");
    scenario.validate_recorded().expect("a scenario that runs")
}

fn both(name: &str, scenario: &ValidScenario, patches: PatchSet) -> Both {
    let mut recording = Recording::new(scenario, patches);
    while recording.run(777, u32::MAX) == RunEnd::Unfinished {}
    let model = Model::of(scenario, patches);
    Both { name: name.to_owned(), recording, model, duration_ns: scenario.duration_ns }
}

fn all() -> impl Iterator<Item = Both> {
    let presets = PRESETS.iter().map(|preset| {
        let scenario = (preset.build)().validate().expect("a preset runs");
        both(preset.slug, &scenario, preset.patches)
    });
    let recorded = RECORDED.iter().map(|(name, revision)| {
        let patches = Revision::from_name(revision).expect("it exists").patches;
        both(name, &recorded(name), patches)
    });
    presets.chain(recorded)
}
