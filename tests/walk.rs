//! The whole way of a wake-up, natively: scenario text, engine, pictures, searches, explanation.

use sim_core::decision::Kind;
use sim_core::presets::{PRESETS, Preset};
use tickle::engine::Engine;
use tickle::protocol::{
    Direction, From, Piece, Record, Request, Response, RunId, RunLane, Span, Summary, Tile, Wanted,
};

const RUN: RunId = RunId(7);

fn run_request(preset: &Preset) -> Request {
    Request::Run {
        run: RUN,
        scenario: scenario_json::to_json(&(preset.build)()),
        patches: preset.patches.bits(),
        select: None,
    }
}

/// Works until there is nothing left to do.
fn work_to_end(engine: &mut Engine) -> Vec<Response> {
    let mut responses = Vec::new();
    while engine.is_working() {
        responses.extend(engine.work(1_000));
    }
    responses
}

fn ended(preset: &Preset) -> (Engine, Summary) {
    let mut engine = Engine::new();
    let first = engine.handle(run_request(preset));
    assert!(matches!(first[..], [Response::Progress { reached_ns: 0, records: 0, .. }]));
    let responses = work_to_end(&mut engine);
    let ended = responses.iter().find_map(|response| match response {
        Response::Ended { summary, cut: None, .. } => Some(summary.clone()),
        _ => None,
    });
    (engine, ended.expect("the run ends"))
}

fn find(engine: &mut Engine, from: From, direction: Direction, wanted: Wanted) -> Option<Record> {
    let request = Request::Find { run: RUN, ask: 3, from, direction, wanted };
    match &engine.handle(request)[..] {
        [Response::Found { ask: 3, record, .. }] => *record,
        other => panic!("{other:?}"),
    }
}

fn tile(engine: &mut Engine, span: Span, width: u32) -> Tile {
    let count = u16::MAX;
    match engine.handle(Request::Tile { run: RUN, span, width, first: 0, count }).pop() {
        Some(Response::Tile(tile)) => tile,
        other => panic!("{other:?}"),
    }
}

/// Goal: the default preset opens right before a tickle that the patch changes, which is found,
/// drawn and explained.
#[test]
fn a_wake_up_goes_all_the_way() {
    let preset = &PRESETS[0];
    let (mut engine, summary) = ended(preset);
    assert_eq!(summary.kinds.iter().sum::<u32>(), summary.records);
    assert!(summary.latency.iter().sum::<u64>() > 0);

    let from = From::Time(preset.cursor_ns);
    let tickle = find(&mut engine, from, Direction::Next, Wanted::Kind(Kind::Tickle as u8));
    let tickle = tickle.expect("a tickle follows");
    let changed = find(&mut engine, from, Direction::Next, Wanted::ChangedTickle);
    assert_eq!(changed, Some(tickle));

    let (from_ns, to_ns) = preset.view_ns;
    let tile = tile(&mut engine, Span { from_ns, to_ns }, 1_000);
    assert_eq!(tile.lanes.len(), 4);
    assert!(tile.lanes.iter().all(|lane| matches!(lane.run, RunLane::Segments(_))));
    assert!(tile.arrows.iter().any(|arrow| arrow.record == tickle.record));

    let explain = Request::Explain { run: RUN, record: tickle.record };
    let Some(Response::Explained { explanation, now, .. }) = engine.handle(explain).pop() else {
        panic!("the record is explained");
    };
    assert_eq!(explanation.record, tickle);
    assert!(explanation.other_side.is_some_and(|side| side.differs));
    assert!(explanation.sentence.iter().any(|piece| matches!(piece, Piece::Vcpu(_))));
    assert_eq!(now.time_ns, tickle.place.time_ns);
}
