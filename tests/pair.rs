//! Two runs side by side in the engine: both go on, and where they part is told once.

use sim_core::patches::Patch;
use sim_core::presets::{PRESETS, Preset};
use tickle::engine::Engine;
use tickle::protocol::{Parting, Record, Request, Response, RunId};

const A: RunId = RunId(1);
const B: RunId = RunId(2);

/// A preset in an engine, and beside it the same with other patches.
fn pair(preset: &Preset, flipped: Option<Patch>) -> Engine {
    let mut engine = Engine::new();
    let scenario = scenario_json::to_json(&(preset.build)());
    let patches = preset.patches.bits();
    engine.handle(Request::Run { run: A, scenario: scenario.clone(), patches, select: None });
    let patches = flipped.map_or(preset.patches, |patch| preset.patches.flipped(patch)).bits();
    engine.handle(Request::Beside { run: B, beside: A, scenario, patches, select: None });
    engine
}

fn work_to_end(engine: &mut Engine) -> Vec<Response> {
    let mut responses = Vec::new();
    while engine.is_working() {
        responses.extend(engine.work(500));
    }
    responses
}

fn partings(responses: &[Response]) -> Vec<Parting> {
    let parting = |response: &Response| match response {
        Response::Parting { runs: [A, B], parting } => Some(*parting),
        _ => None,
    };
    responses.iter().filter_map(parting).collect()
}

fn sentence(engine: &mut Engine, run: RunId, record: &Record) -> String {
    match engine.handle(Request::Explain { run, record: record.record }).pop() {
        Some(Response::Explained { explanation, .. }) => format!("{:?}", explanation.sentence),
        other => panic!("{other:?}"),
    }
}

/// Goal: the default preset parts at the tickle of its story, which both sides explain otherwise;
/// both runs get on side by side.
#[test]
fn the_story_is_where_they_part() {
    let preset = &PRESETS[0];
    let mut engine = pair(preset, Some(Patch::TicklePreferIdlers));
    let mut reached = [0; 2];
    let mut told = vec![];
    while engine.is_working() {
        for response in engine.work(10) {
            if let Response::Progress { run, reached_ns, .. } = response {
                reached[run.0 as usize - 1] = reached_ns;
                assert!(reached[0].abs_diff(reached[1]) < 30_000_000, "{reached:?}");
            } else if matches!(response, Response::Parting { .. }) {
                assert!(reached.iter().all(|ns| *ns < 60_000_000), "told early: {reached:?}");
                told.push(response);
            }
        }
    }
    let [Parting::At([(A, Some(a)), (B, Some(b))])] = partings(&told)[..] else {
        panic!("{told:?}");
    };
    assert!(a.place.time_ns >= preset.cursor_ns, "{a:?}");
    assert_eq!((a.record, a.place), (b.record, b.place));
    let (left, right) = (sentence(&mut engine, A, &a), sentence(&mut engine, B, &b));
    assert_ne!(left, right);
    let at = Request::At { run: B, ask: 9, place: a.place };
    let found = Response::Found { run: B, ask: 9, record: Some(b), decisions: 0 };
    match &engine.handle(at)[..] {
        [Response::Found { record, ask: 9, .. }] => assert_eq!(*record, Some(b), "{found:?}"),
        other => panic!("{other:?}"),
    }
}

/// Goal: the same twice never parts, and that is told when both are over.
#[test]
fn the_same_twice_never_parts() {
    let mut engine = pair(&PRESETS[3], None);
    let told = work_to_end(&mut engine);
    assert_eq!(partings(&told), [Parting::Never]);
    let last = |wanted: fn(&Response) -> bool| told.iter().rposition(wanted);
    let parted = last(|response| matches!(response, Response::Parting { .. }));
    assert!(parted > last(|response| matches!(response, Response::Ended { .. })));
}

/// Goal: stopped before they part, two runs are alike up to where the earlier one was stopped.
#[test]
fn stopped_runs_are_alike_so_far() {
    let mut engine = pair(&PRESETS[3], None);
    engine.work(2_000);
    engine.work(2_000);
    let mut told = engine.handle(Request::Cancel { run: A });
    told.extend(work_to_end(&mut engine));
    let [Parting::NotBefore(ns)] = partings(&told)[..] else { panic!("{told:?}") };
    let ended = told.iter().find_map(|response| match response {
        Response::Ended { run: A, summary, .. } => Some(summary.end_ns),
        _ => None,
    });
    assert_eq!(Some(ns), ended);
}

/// Goal: a run leaves when another takes its place, and alone is alone.
#[test]
fn a_third_run_takes_a_place() {
    let preset = &PRESETS[0];
    let mut engine = pair(preset, Some(Patch::TicklePreferIdlers));
    work_to_end(&mut engine);
    let (scenario, patches) = (scenario_json::to_json(&(preset.build)()), preset.patches.bits());
    let third = RunId(3);
    engine.handle(Request::Beside { run: third, beside: B, scenario, patches, select: None });
    let told = work_to_end(&mut engine);
    let parted = |response: &Response| matches!(response, Response::Parting { runs: [B, run], .. } if *run == third);
    assert_eq!(told.iter().filter(|response| parted(response)).count(), 1);
    let there =
        |engine: &mut Engine, run| !engine.handle(Request::Overview { run, width: 9 }).is_empty();
    assert_eq!([A, B, third].map(|run| there(&mut engine, run)), [false, true, true]);
    engine.handle(Request::Alone { run: third });
    assert_eq!([A, B, third].map(|run| there(&mut engine, run)), [false, false, true]);
    let bad =
        Request::Beside { run: A, beside: third, scenario: "{".into(), patches, select: None };
    assert!(matches!(engine.handle(bad)[..], [Response::Refused { run: A, .. }]));
    assert!(there(&mut engine, third));
}
