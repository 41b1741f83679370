//! Two runs side by side in the engine: both go on, and where they part is told once.

use sim_core::patches::Patch;
use sim_core::presets::{PRESETS, Preset};
use tickle::engine::Engine;
use tickle::protocol::comparison::{Figure, Sweep, figures};
use tickle::protocol::metrics::metrics;
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

fn sweep(preset: &Preset, seeds: u32) -> Request {
    let scenario = scenario_json::to_json(&(preset.build)());
    let other = preset.patches.flipped(Patch::TicklePreferIdlers);
    let sides = [(scenario.clone(), preset.patches.bits()), (scenario, other.bits())];
    Request::Sweep { ask: 7, sides, seeds }
}

fn swept(responses: &[Response]) -> Vec<&Sweep> {
    fn of(response: &Response) -> Option<&Sweep> {
        match response {
            Response::Swept { ask: 7, sweep } => Some(sweep),
            _ => None,
        }
    }
    responses.iter().filter_map(of).collect()
}

/// Goal: the first seed of a comparison is the scenario's own: its figures are those of the two
/// recorded runs; every seed is told, and the next ones differ.
#[test]
fn the_first_seed_is_the_run_itself() {
    let preset = &PRESETS[3];
    let mut engine = pair(preset, Some(Patch::TicklePreferIdlers));
    let ended = work_to_end(&mut engine);
    let summary = |id| {
        ended.iter().find_map(|response| match response {
            Response::Ended { run, summary, .. } if *run == id => Some(metrics(summary)),
            _ => None,
        })
    };
    let [a, b] = [A, B].map(|run| summary(run).expect("it ends"));
    engine.handle(sweep(preset, 3));
    let told = work_to_end(&mut engine);
    let told = swept(&told);
    assert_eq!(told.iter().map(|sweep| sweep.done).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(told[0].figures, figures(&[[a, b]]));
    assert!(told[0].goes_on && !told[2].goes_on && told[2].is_random);
    let spreads = |figure: &Figure| figure.a.deviation > 0.0 || figure.b.deviation > 0.0;
    assert!(told[2].figures.iter().any(spreads), "the seeds differ");
}

/// Goal: what draws nothing at random runs once a side, and says so; a comparison can be stopped.
#[test]
fn a_comparison_ends_when_it_should() {
    let mut engine = Engine::new();
    engine.handle(sweep(&PRESETS[0], 30));
    let told = work_to_end(&mut engine);
    let last = swept(&told)[0].clone();
    assert_eq!((last.done, last.of, last.is_random, last.goes_on), (1, 1, false, false));
    let first = engine.handle(sweep(&PRESETS[3], 30));
    assert_eq!((swept(&first)[0].done, swept(&first)[0].of), (0, 30));
    while swept(&engine.work(1_000)).is_empty() {}
    assert_eq!(engine.handle(Request::StopSweep { ask: 6 }), []);
    let stopped = engine.handle(Request::StopSweep { ask: 7 });
    assert_eq!((swept(&stopped)[0].done, swept(&stopped)[0].goes_on), (1, false));
    assert!(!engine.is_working());
}
