//! Levels asked of the engine: in slices, told as far as they have come, and never in the way.

use sim_core::presets::{PRESETS, Preset};
use tickle::engine::Engine;
use tickle::protocol::{Level, LevelPicture, Request, Response, RunId, Span};

const RUN: RunId = RunId(3);

fn ended(preset: &Preset) -> Engine {
    let mut engine = Engine::new();
    let scenario = scenario_json::to_json(&(preset.build)());
    let patches = preset.patches.bits();
    engine.handle(Request::Run { run: RUN, scenario, patches, select: None });
    while engine.is_working() {
        engine.work(5_000);
    }
    engine
}

fn credits(ask: u32, span: Span, vcpus: &[u16]) -> Request {
    let levels = vcpus.iter().map(|vcpu| Level::Credit(*vcpu)).collect();
    Request::Levels { run: RUN, ask, span, shift: 14, levels }
}

/// All that is told until nothing is left to do.
fn told(engine: &mut Engine, steps: u32) -> Vec<LevelPicture> {
    let mut all = vec![];
    while engine.is_working() {
        for response in engine.work(steps) {
            match response {
                Response::Levels(picture) => all.push(picture),
                other => panic!("{other:?}"),
            }
        }
    }
    all
}

/// Goal: at each moment without a change nearby the answer is the credit that the machine has then.
#[test]
fn credits_are_those_of_the_machine() {
    let mut engine = ended(&PRESETS[0]);
    let span = Span { from_ns: 5_000_000, to_ns: 95_000_000 };
    engine.handle(credits(1, span, &[0, 1, 2]));
    let picture = told(&mut engine, 1_000).pop().expect("an answer");
    assert!(!picture.goes_on && picture.until_ns == span.to_ns);
    let mut compared = 0;
    for time_ns in (span.from_ns..span.to_ns).step_by(777_777) {
        let Some(Response::Snapshot { now, .. }) =
            engine.handle(Request::Snapshot { run: RUN, time_ns }).pop()
        else {
            panic!("the machine at a moment");
        };
        let all = now.pcpus.iter().flat_map(|pcpu| pcpu.current.iter().chain(&pcpu.queue));
        for vcpu in all {
            let line = picture.line(Level::Credit(vcpu.vcpu));
            let Some((low, high)) = line.map(|line| line.at(time_ns, picture.shift)) else {
                continue;
            };
            assert!((low..=high).contains(&vcpu.credit), "{time_ns}: {vcpu:?}, {low} to {high}");
            compared += usize::from(low == high);
        }
    }
    assert!(compared > 150, "{compared}");
}

/// Goal: a long answer comes in parts that grow to the whole; questions are answered in between; a
/// newer question ends an older one; what cannot be drawn is not begun.
#[test]
fn a_long_answer_comes_in_parts() {
    let preset = Preset::from_slug("steal-victims").expect("a preset");
    let mut engine = ended(preset);
    let to_ns = (preset.build)().duration_ns;
    let span = Span { from_ns: 0, to_ns };
    engine.handle(credits(1, span, &[0, 5]));
    assert!(engine.work(10).is_empty() && engine.is_working());
    let overview = engine.handle(Request::Overview { run: RUN, width: 100 });
    assert!(matches!(overview[..], [Response::Overview(_)]));
    engine.handle(credits(2, span, &[0, 5]));
    let parts = told(&mut engine, 100);
    assert!(parts.len() > 4 && parts.iter().all(|part| part.ask == 2), "{}", parts.len());
    for pair in parts.windows(2) {
        assert!(pair[0].goes_on && pair[0].until_ns < pair[1].until_ns);
        let (less, more) = (&pair[0].lines[1], &pair[1].lines[1]);
        assert!(less.cells.len() <= more.cells.len() && less.start == more.start);
    }
    let whole = parts.last().expect("an answer");
    assert!(!whole.goes_on && whole.until_ns == to_ns);
    engine.handle(credits(3, Span { from_ns: 5, to_ns: 5 }, &[0]));
    assert!(!engine.is_working());
}
