//! The published schema of scenario files, against an independent validator.

#[path = "../../tests/properties/generate.rs"]
#[allow(dead_code)] // the patches are not drawn here
mod generate;

use generate::Draw;
use jsonschema::Validator;
use serde_json::{Value, json};
use sim_core::presets::PRESETS;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn schema() -> Value {
    let text = fs::read_to_string(root("docs/scenario.schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

fn validator() -> Validator {
    jsonschema::draft202012::new(&schema()).expect("a schema of 2020-12")
}

fn check(validator: &Validator, text: &str, what: &str) {
    let value: Value = serde_json::from_str(text).expect("JSON");
    if let Err(error) = validator.validate(&value) {
        panic!("{what}: {error} at {}", error.instance_path());
    }
}

/// Goal: every recorded scenario, every preset and every scenario that is written fits the schema.
#[test]
fn whatever_runs_fits_the_schema() {
    let validator = validator();
    let mut vectors = 0;
    let folder = root("sim-core/tests/vectors/xen-credit1/runs");
    for entry in fs::read_dir(folder).expect("the vectors").filter_map(Result::ok) {
        let packed = fs::read(entry.path()).expect("a file");
        let mut text = String::new();
        let mut unpacked = flate2::read::GzDecoder::new(packed.as_slice());
        unpacked.read_to_string(&mut text).expect("text");
        let first = text.lines().next().expect("a scenario");
        check(&validator, first, &entry.path().display().to_string());
        vectors += 1;
    }
    assert!(vectors >= 20, "{vectors} recorded scenarios");
    for preset in PRESETS {
        check(&validator, &scenario_json::to_json(&(preset.build)()), preset.slug);
    }
    for seed in 0..400 {
        let scenario = Draw::new(seed).scenario();
        check(&validator, &scenario_json::to_json_lines(&scenario), &format!("seed {seed}"));
    }
}

fn small() -> Value {
    let guest =
        json!({"init_cpu": 0, "rand": {"run": [100_000, 900_000], "block": [50_000, 700_000]}});
    json!({
        "type": "scenario", "cpus": [["1", "3", 0], ["2", "3", 0]], "duration_ns": 50_000_000,
        "domains": [{"weight": 256, "cap": 0, "vcpus": [guest]}],
    })
}

fn changed(pointer: &str, value: Value) -> Value {
    let mut scenario = small();
    *scenario.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer} is there")) = value;
    scenario
}

/// Goal: what is no scenario is refused by the schema wherever it is in a schema's reach, and by
/// the reader always.
#[test]
fn impossible_scenarios_are_refused() {
    let validator = validator();
    let vcpu = "/domains/0/vcpus/0";
    assert!(validator.is_valid(&small()) && scenario_json::load(&small().to_string()).is_ok());
    let script = |script: Value| changed(vcpu, json!({"init_cpu": 0, "script": script}));
    let hard = |mask: &str| changed(vcpu, json!({"init_cpu": 0, "hard": mask, "script": [[1, 1]]}));
    for (what, scenario, in_reach) in [
        ("a number", json!(5), true),
        ("a list", json!([]), true),
        ("another type", changed("/type", json!("run")), true),
        ("no pCPU", changed("/cpus", json!([])), true),
        ("weight 0", changed("/domains/0/weight", json!(0)), true),
        ("an empty mask", hard("0"), true),
        ("a mask that is none", hard("0x3"), true),
        ("a cap above the machine", changed("/domains/0/cap", json!(201)), false),
        ("no time", changed("/duration_ns", json!(0)), true),
        ("too much time", changed("/duration_ns", json!(3_600_000_000_000_u64)), true),
        ("a missing pCPU", hard("4"), false),
        ("a start on a missing pCPU", changed("/domains/0/vcpus/0/init_cpu", json!(9)), false),
        ("an empty script", script(json!([])), true),
        ("a stretch of 0 ns", script(json!([[0, 5]])), true),
        ("half a stretch", script(json!([[1]])), true),
        ("no workload", changed(vcpu, json!({"init_cpu": 0})), true),
        ("no domain", changed("/domains", json!([])), true),
        (
            "an unknown field",
            changed(vcpu, json!({"init_cpu": 0, "script": [[1, 1]], "x": 1})),
            true,
        ),
    ] {
        assert_eq!(validator.is_valid(&scenario), !in_reach, "{what}");
        assert!(scenario_json::load(&scenario.to_string()).is_err(), "{what}");
    }
}
