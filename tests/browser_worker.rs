//! Goal: the engine gives the same bytes inside a dedicated worker, where the page runs it. Method:
//! run a recorded scenario there, message by message, and compare digest and answers.
#![cfg(target_arch = "wasm32")]

use sim_core::patches::Revision;
use sim_core::presets::Preset;
use tickle::engine::Engine;
use tickle::protocol::{Direction, From, Request, Response, RunId, Wanted};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use web_sys::DedicatedWorkerGlobalScope;

wasm_bindgen_test_configure!(run_in_dedicated_worker);

#[wasm_bindgen_test]
fn a_run_in_a_worker_goes_round() {
    assert!(js_sys::global().has_type::<DedicatedWorkerGlobalScope>(), "this is a worker");
    let preset = Preset::from_slug("pinned-waker").expect("a preset");
    let scenario = scenario_json::to_json(&(preset.build)());
    let run = RunId(7);
    let patches = Revision::from_name("R1").expect("known").patches.bits();
    let mut engine = Engine::new();
    let mut answers = engine.handle(Request::Run { run, scenario, patches, select: None });
    while engine.is_working() {
        answers.extend(engine.work(100));
    }
    let summary = answers.iter().find_map(|answer| match answer {
        Response::Ended { summary, cut: None, .. } => Some(summary),
        _ => None,
    });
    let summary = summary.expect("the run ends by itself");
    // What the native program prints for the same scenario.
    assert_eq!((summary.lines, summary.digest.as_str()), (708, "5ec1e3e8ace3b86d"));
    let from = From::Time(preset.cursor_ns);
    let (direction, wanted) = (Direction::Next, Wanted::Decision);
    let found = engine.handle(Request::Find { run, ask: 1, from, direction, wanted });
    let [Response::Found { record: Some(record), .. }] = found.as_slice() else {
        panic!("the decision of the story is found: {found:?}")
    };
    let explained = engine.handle(Request::Explain { run, record: record.record });
    let [Response::Explained { explanation, .. }] = explained.as_slice() else {
        panic!("it is explained: {explained:?}")
    };
    assert_eq!(explanation.code, "B3");
}
