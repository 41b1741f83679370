//! What holds whatever happens: seeded random actions, with answers late, stale or made up.

use crate::worker::{RECORDS, Worker, record};
use sim_core::patches::PATCHES;
use sim_core::rng::SplitMix64;
use std::collections::VecDeque;
use tickle::protocol::{
    Difference, Direction, Parting, Request, Response, RunId, Side, Span, Spot, Wanted,
};
use tickle::share::Panels;
use tickle::state::credits::Whose;
use tickle::state::{
    Action, Effect, Guess, State, Step, StepTo, SystemLooks, Tab, TalkDo, Theme, reduce,
};

const WALKS: u64 = 300;
const STEPS: u64 = 150;

fn pick<T: Copy>(rng: &mut SplitMix64, of: &[T]) -> T {
    of[usize::try_from(rng.next() % of.len() as u64).expect("short")]
}

fn time(rng: &mut SplitMix64) -> u64 {
    match rng.next() % 4 {
        0 => rng.next() % 400_000_000,
        1 => pick(rng, &RECORDS).0,
        2 => 0,
        _ => u64::MAX - rng.next() % 3,
    }
}

fn step(rng: &mut SplitMix64) -> Action {
    let direction = pick(rng, &[Direction::Next, Direction::Previous]);
    let wanted = StepTo::Wanted(Wanted::Changed(Difference::Stop(2)));
    let to = pick(rng, &[StepTo::Decision, StepTo::SameKind, StepTo::Event, wanted]);
    Action::Step(Step { direction, to })
}

fn text(rng: &mut SplitMix64) -> String {
    let words =
        ["", "d1v0", "d0v0", "p1", "p70000", "14ms", "99999999999999999999s", "ü", "tickle"];
    pick(rng, &words).into()
}

fn action(rng: &mut SplitMix64) -> Action {
    match rng.next() % 30 {
        0 => Action::OpenLink(text(rng)),
        1 => Action::OpenPreset(pick(rng, &[0, 1, 2, 250])),
        2 => Action::OpenFile { name: "f".into(), text: text(rng) },
        3 => Action::Flip(pick(rng, &PATCHES.each_ref()).patch),
        4 => Action::Cancel,
        5..=7 => step(rng),
        8 => Action::GoNumber(pick(rng, &[0, 1, 2, 3, 4])),
        9 => {
            let pcpu = pick(rng, &[0, 3, u16::MAX]);
            Action::Cursor { time_ns: time(rng), pcpu }
        }
        10 => Action::RowBy(pick(rng, &[-1, 1, i32::MAX, i32::MIN])),
        11 => Action::View(Span { from_ns: time(rng), to_ns: time(rng) }),
        12 => Action::Zoom { closer: rng.next().is_multiple_of(2) },
        13 => pick_action(rng),
        14 => Action::Range(Some(Span { from_ns: time(rng), to_ns: time(rng) })),
        15 => Action::TogglePlay,
        16 => Action::Speed(pick(rng, &[0, 4, 9, 99])),
        17..=20 => Action::Frame { elapsed_us: pick(rng, &[0, 16_667, 250_000, 60_000_000]) },
        21 => Action::Sized { width_px: pick(rng, &[0, 1, 800, 5_000]), rows: (0, 4) },
        22 => Action::SearchText(text(rng)),
        23 => Action::ToggleAb,
        24 => Action::Hand(pick(rng, &[None, Some(Side::A), Some(Side::B)])),
        25 => ab_action(rng),
        26 => talk_action(rng),
        27 => Action::Page(pick(rng, &[Direction::Next, Direction::Previous])),
        28 => credit_action(rng),
        _ => Action::Answer(Box::new(made_up(rng))),
    }
}

fn ab_action(rng: &mut SplitMix64) -> Action {
    match rng.next() % 4 {
        0 => Action::GoParting,
        1 => Action::Sweep(30),
        2 => Action::StopSweep,
        _ => Action::CopyFigures,
    }
}

fn talk_action(rng: &mut SplitMix64) -> Action {
    let at = pick(rng, &[0, 1, 2, 99]);
    match rng.next() % 12 {
        9 | 10 => Action::Guess(Guess::Toggle),
        11 => Action::Guess(pick(rng, &[Guess::Uncover, Guess::Digit(2)])),
        0..=3 => Action::Talk(TalkDo::Add),
        4 => Action::Talk(TalkDo::Go(at)),
        5 => Action::Talk(TalkDo::Raise(at)),
        6 => Action::Talk(TalkDo::Delete(at)),
        7 => Action::TogglePresenting,
        _ => {
            let still = rng.next().is_multiple_of(2);
            Action::System(SystemLooks { still, ..SystemLooks::default() })
        }
    }
}

fn credit_action(rng: &mut SplitMix64) -> Action {
    let first = pick(rng, &[0, 8, u16::MAX]);
    let group = Whose::Group { domain: pick(rng, &[0, 1, u16::MAX]), first };
    let whose = pick(rng, &[Whose::Selected, Whose::Row, Whose::Firsts, group]);
    let lane = Action::Lane(Panels::LANE_ROW);
    let (credits, time) = (Action::Tab(Tab::Credits), Action::Tab(Tab::Time));
    pick(rng, &[credits, time, Action::Whose(whose), lane, Action::Lanes].each_ref()).clone()
}

fn pick_action(rng: &mut SplitMix64) -> Action {
    match rng.next() % 12 {
        0 => Action::Fit,
        1 => Action::Whole,
        2 => Action::ToStart,
        3 => Action::ToEnd,
        4 => Action::Escape,
        5 => Action::OpenSearch,
        6 => Action::Search(pick(rng, &[Direction::Next, Direction::Previous])),
        7 => Action::Theme(Theme::Dark),
        8 => Action::ToggleMagnifier,
        10 => Action::OtherView(pick(rng, &[Direction::Next, Direction::Previous])),
        9 => {
            let span = Span { from_ns: 1_000, to_ns: 2_000 };
            Action::RestOn(pick(rng, &[None, Some((Side::A, 0, span)), Some((Side::B, 1, span))]))
        }
        _ => Action::Share,
    }
}

/// Answers that nobody asked for.
fn made_up(rng: &mut SplitMix64) -> Response {
    let run = RunId(pick(rng, &[0, 1, 2, 9]));
    let record = pick(rng, &[0, 1, 2, 3, 4]);
    match rng.next() % 6 {
        0 => Response::Parting {
            runs: [run, RunId(pick(rng, &[1, 2, 3]))],
            parting: Parting::At([
                (run, Some(self::record(record))),
                (RunId(3), pick(rng, &[None, Some(self::record(record))])),
            ]),
        },
        5 => Response::Found { run, ask: 3, record: Some(self::record(record)), decisions: 1 },
        1 => Response::Refused { run, sentence: "it is refused".into() },
        2 => Response::Panicked { message: "boom".into() },
        3 => {
            let reached_ns = rng.next();
            Response::Progress { run, reached_ns, duration_ns: rng.next(), records: 3 }
        }
        _ => Response::Found { run, ask: 0, record: None, decisions: 0 },
    }
}

fn check(state: &State, seed: u64) {
    let duration_ns = state.run.duration_ns;
    assert_eq!(duration_ns, state.scenario.duration_ns, "seed {seed}");
    let view = state.view;
    assert!(view.from_ns < view.to_ns && view.to_ns <= duration_ns, "seed {seed}: {view:?}");
    assert!(state.cursor_ns <= duration_ns, "seed {seed}: cursor {}", state.cursor_ns);
    assert!(usize::from(state.row) < state.scenario.topology.pcpu_count(), "seed {seed}");
    assert!(state.patches.checked().is_ok(), "seed {seed}: {:?}", state.patches);
    assert!(state.notices.len() <= 4, "seed {seed}");
    if let Some(ab) = &state.ab {
        assert_ne!(ab.other.run.id, state.run.id, "seed {seed}");
        assert!(ab.other.patches.checked().is_ok(), "seed {seed}: {:?}", ab.other.patches);
        assert_eq!(ab.other.run.duration_ns, duration_ns, "seed {seed}");
    }
    let talk = &state.talk;
    assert!(talk.at.is_none_or(|at| at < talk.stops.len()), "seed {seed}: {:?}", talk.at);
    if let Some(question) = state.predict.open() {
        let known = state.veil().is_some_and(|veil| veil.records == question.record.record);
        assert!(known, "seed {seed}: {:?}", state.veil());
    }
    if let Some(range) = state.range {
        assert!(range.from_ns < range.to_ns && range.to_ns <= duration_ns, "seed {seed}");
    }
}

/// What a request is about, and the run; none if it is about both sides.
fn run_of(request: &Request) -> Option<RunId> {
    Some(match request {
        Request::Sweep { .. } | Request::StopSweep { .. } => return None,
        Request::Run { run, .. }
        | Request::Beside { run, .. }
        | Request::Alone { run }
        | Request::At { run, .. }
        | Request::Cancel { run }
        | Request::Tile { run, .. }
        | Request::Overview { run, .. }
        | Request::Find { run, .. }
        | Request::Explain { run, .. }
        | Request::Mark { run, .. }
        | Request::Snapshot { run, .. }
        | Request::Levels { run, .. }
        | Request::Stretch { run, .. }
        | Request::Under(Spot { run, .. }) => *run,
    })
}

/// Goal: whatever people, browser and worker do, view, cursor and row stay inside the run, every
/// request is about the current run, and frames are asked for exactly while something moves.
#[test]
fn whatever_happens_the_state_holds() {
    for seed in 0..WALKS {
        let mut rng = SplitMix64::new(seed);
        let (mut state, mut worker) = (State::default(), Worker::default());
        let mut answers: VecDeque<Response> = VecDeque::new();
        let mut frames = false;
        for _ in 0..STEPS {
            let late = !rng.next().is_multiple_of(3);
            let action = match answers.pop_front().filter(|_| late) {
                Some(answer) => Action::Answer(Box::new(answer)),
                None => action(&mut rng),
            };
            let effects;
            (state, effects) = reduce(state, action);
            check(&state, seed);
            for effect in effects {
                match effect {
                    Effect::Send(request) => {
                        let other = state.ab.as_ref().map(|ab| ab.other.run.id);
                        let about = run_of(&request);
                        let known = about.is_none_or(|run| run == state.run.id) || about == other;
                        assert!(known, "seed {seed}: {request:?}");
                        answers.extend(worker.answer(&request));
                    }
                    Effect::Frames(on) => frames = on,
                    _ => {}
                }
            }
            let moves = state.play.on || state.talk.flight.is_some();
            assert_eq!(frames, moves, "seed {seed}");
        }
    }
}

/// Goal: the same actions give the same state and effects.
#[test]
fn the_reducer_is_pure() {
    let play = |seed| {
        let mut rng = SplitMix64::new(seed);
        let mut state = State::default();
        let mut all = vec![];
        for _ in 0..STEPS {
            let effects;
            (state, effects) = reduce(state, action(&mut rng));
            all.push(format!("{effects:?}"));
        }
        (format!("{state:?}"), all)
    };
    for seed in 0..20 {
        assert_eq!(play(seed), play(seed), "seed {seed}");
    }
}
