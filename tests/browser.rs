//! What only a browser can show: the same bytes as natively, from scenario to digest, in whatever
//! browser drives this.
#![cfg(target_arch = "wasm32")]

use sim_core::decision::Kind;
use sim_core::machine::Machine;
use sim_core::patches::{PatchSet, Revision};
use sim_core::presets::PRESETS;
use sim_core::run::{LogSink, run_to_end};
use std::io::Read;
use tickle::engine::Engine;
use tickle::protocol::{Direction, From, Request, Response, RunId, RunLane, Span, Wanted};
use tickle::share::{Place, ScenarioChoice, ShareState, decode, encode};
use wasm_bindgen_test::{console_log, wasm_bindgen_test, wasm_bindgen_test_configure};

wasm_bindgen_test_configure!(run_in_browser);

macro_rules! vector {
    ($name:literal) => {
        (
            $name,
            include_bytes!(concat!(
                "../sim-core/tests/vectors/xen-credit1/runs/",
                $name,
                ".jsonl.gz"
            )),
        )
    };
}

/// Recorded runs of all sorts: many pCPUs, pins, caps, changes, switches that take time.
const VECTORS: [(&str, &[u8]); 24] = [
    vector!("p_16p_10vm"),
    vector!("p_16p_6vm_pin"),
    vector!("p_1p2v_cap"),
    vector!("p_1p2v_yield"),
    vector!("p_2p_kick_pingpong"),
    vector!("p_3p_late"),
    vector!("p_4p_ops"),
    vector!("p_64p_256v"),
    vector!("p_fuzz28"),
    vector!("p_numa2x4_hot"),
    vector!("p_smt4x2_pin"),
    vector!("p_uma4_ctx2us"),
    vector!("p_1p3v_io"),
    vector!("p_2p3v_hogs"),
    vector!("p_2p4v_io_pin"),
    vector!("p_4p_smp_cap"),
    vector!("p_8p_same_idler"),
    vector!("p_8p_burst_all"),
    vector!("p_uma4_ts1"),
    vector!("p_uma4_ipi0"),
    vector!("p_numa2x2_soft_pin"),
    vector!("p_smt2x2_ps"),
    vector!("p_fuzz03"),
    vector!("p_fuzz17"),
];

fn text(packed: &[u8]) -> String {
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(packed).read_to_string(&mut text).expect("gzip text");
    text
}

/// What the vector says of a revision.
fn recorded(text: &str, revision: &str) -> (u64, String) {
    let lines = text.lines().skip(1).map(|line| serde_json::from_str(line).expect("JSON"));
    let lines: Vec<serde_json::Value> = lines.collect();
    let line = |name: &str| lines.iter().find(|line| line["rev"] == name).expect("it is there");
    let own = line(revision);
    let full = own["same_as"].as_str().map_or(own, line);
    let digest = full["digest"].as_str().expect("digits").to_owned();
    (full["lines"].as_u64().expect("a count"), digest)
}

/// Goal: digests equal the recorded ones, which the native runs equal too.
#[wasm_bindgen_test]
fn digests_are_those_of_the_vectors() {
    for (name, packed) in VECTORS {
        let text = text(packed);
        let scenario = scenario_json::parse(&text).expect("a scenario");
        let scenario = scenario.validate_recorded().expect("a scenario that runs");
        for revision in ["R0", "R2", "R9"] {
            let patches = Revision::from_name(revision).expect("it exists").patches;
            let mut machine = Machine::new(&scenario, patches);
            let guests = machine.system().guests;
            let mut sink = LogSink::new(scenario.duration_ns, guests, |_, _: &[u8]| ());
            run_to_end(&mut machine, &mut sink);
            let ours = (sink.digest().lines(), format!("{:016x}", sink.digest().whole()));
            assert_eq!(ours, recorded(&text, revision), "{name} {revision}");
        }
    }
}

/// Goal: the engine runs, draws, finds and explains in a browser as it does natively.
#[wasm_bindgen_test]
fn the_engine_answers() {
    const RUN: RunId = RunId(1);
    let preset = &PRESETS[0];
    let mut engine = Engine::new();
    engine.handle(Request::Run {
        run: RUN,
        scenario: scenario_json::to_json(&(preset.build)()),
        patches: preset.patches.bits(),
        select: None,
    });
    let mut ended = false;
    while engine.is_working() {
        let responses = engine.work(1_000);
        ended |= responses.iter().any(|response| matches!(response, Response::Ended { .. }));
    }
    assert!(ended);
    let (from, direction) = (From::Time(preset.cursor_ns), Direction::Next);
    let wanted = Wanted::Kind(Kind::Tickle as u8);
    let found = engine.handle(Request::Find { run: RUN, ask: 1, from, direction, wanted });
    let [Response::Found { record: Some(record), .. }] = found[..] else { panic!("{found:?}") };
    let explained = engine.handle(Request::Explain { run: RUN, record: record.record });
    let [Response::Explained { explanation, .. }] = &explained[..] else {
        panic!("{explained:?}");
    };
    assert!(explanation.sides.first().is_some_and(|side| side.differs));
    let span = Span { from_ns: preset.view_ns.0, to_ns: preset.view_ns.1 };
    let tile = engine.handle(Request::Tile { run: RUN, span, shift: 13, first: 0, count: 4 });
    let [Response::Tile(tile)] = &tile[..] else { panic!("{tile:?}") };
    assert!(tile.lanes.iter().all(|lane| matches!(lane.run, RunLane::Segments(_))));
    assert!(tile.arrows.iter().any(|arrow| arrow.record == record.record));
}

/// Goal: a link made here opens here as what it was, and has the letters that it has natively.
#[wasm_bindgen_test]
fn links_come_back() {
    let scenario = scenario_json::parse(&text(VECTORS[6].1)).expect("a scenario");
    let own = ScenarioChoice::Own(Box::new(scenario));
    let state = ShareState {
        view: Some((1, 2_000_000)),
        cursor_ns: Some(u64::MAX),
        selection: Some(Place { time_ns: 5, pcpu: 3, kind: 1, nth: 0 }),
        digest: Some(0x0123_4567_89AB_CDEF),
        row: Some(2),
        ..ShareState::bare(own, PatchSet::NONE)
    };
    assert_eq!(decode(&encode(&state)), Ok(state));
    let preset = ShareState::bare(ScenarioChoice::Preset(1), PatchSet::NONE);
    assert_eq!(encode(&preset), PRESET_1);
}

/// The link of preset 1 without anything else: its letters never change.
const PRESET_1: &str = "1-AAEAU-ha5g";

/// Goal: a figure to report, with the digest on; nothing is asserted about it.
#[wasm_bindgen_test]
fn speed_is_told() {
    let clock = web_sys::window().and_then(|window| window.performance()).expect("a clock");
    for (name, packed) in [VECTORS[0], VECTORS[7]] {
        let scenario = scenario_json::parse(&text(packed)).expect("a scenario");
        let scenario = scenario.validate_recorded().expect("a scenario that runs");
        let patches = Revision::from_name("R2").expect("it exists").patches;
        let mut best = f64::INFINITY;
        let mut lines = 0;
        for _ in 0..5 {
            let mut machine = Machine::new(&scenario, patches);
            let guests = machine.system().guests;
            let mut sink = LogSink::new(scenario.duration_ns, guests, |_, _: &[u8]| ());
            let start = clock.now();
            run_to_end(&mut machine, &mut sink);
            best = best.min(clock.now() - start);
            lines = sink.digest().lines();
        }
        console_log!("{name} at R2: {lines} log lines, best of 5 runs {best:.1} ms");
        assert!(lines > 0);
    }
}
