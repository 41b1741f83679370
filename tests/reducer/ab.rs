//! Two runs side by side, by what the page asks and where it stands.

use crate::Page;
use crate::worker::record;
use sim_core::patches::{Patch, PatchSet};
use tickle::protocol::{Direction, Parting, Request, Response, RunId, Side};
use tickle::state::{Action, Effect, Phase, State, Step, StepTo, select};

fn next() -> Action {
    Action::Step(Step { direction: Direction::Next, to: StepTo::Decision })
}

fn compared() -> Page {
    let mut page = Page::opened("");
    page.does(next());
    page.does(Action::ToggleAb);
    page
}

fn other(page: &Page) -> &tickle::state::Other {
    &page.state.ab.as_ref().expect("two runs").other
}

/// Goal: B is A with the story's patch flipped, runs beside it, and keeps view, cursor and
/// selection; it is asked for its own pictures and for the record of the same place.
#[test]
fn b_lies_beside_a() {
    let page = compared();
    let both = PatchSet::of(&[Patch::PickDiscountAlone, Patch::TicklePreferIdlers]);
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.000 p0 | #1");
    assert_eq!((page.state.side(), other(&page).patches), (Side::A, both));
    assert_eq!((other(&page).run.id, other(&page).run.phase), (RunId(2), Phase::Ended));
    assert_eq!(other(&page).selection.record, Some(record(1)));
    assert!(select::why_of(&other(&page).selection, RunId(2)).is_some());
    assert!(page.state.other_is_fresh());
    let of_b = |what: fn(&Request) -> bool| page.requests.iter().filter(|r| what(r)).count();
    let b = RunId(2);
    assert_eq!(of_b(|r| matches!(r, Request::Beside { beside: RunId(1), .. })), 1);
    assert_eq!(of_b(|r| matches!(r, Request::Tile { run: RunId(2), .. })), 1);
    assert_eq!(of_b(|r| matches!(r, Request::Overview { run: RunId(2), .. })), 1);
    assert!(page.requests.contains(&Request::At { run: b, ask: 1, place: record(1).place }));
}

/// Goal: what was switched last is what B differs in, and switching acts on the side in hand.
#[test]
fn a_flip_acts_on_the_side_in_hand() {
    let mut page = Page::opened("");
    page.does(Action::Flip(Patch::TickledIsBusy));
    let a = page.state.patches;
    page.does(Action::ToggleAb);
    assert_eq!(other(&page).patches, a.flipped(Patch::TickledIsBusy));
    page.does(Action::Hand(Some(Side::B)));
    assert_eq!((page.state.patches, other(&page).patches), (a.flipped(Patch::TickledIsBusy), a));
    page.does(Action::Flip(Patch::TraceCredit));
    assert_eq!(other(&page).patches, a);
    let beside = page.requests.iter().rev().find_map(|request| match request {
        Request::Beside { run, beside, .. } => Some((*run, *beside)),
        _ => None,
    });
    assert_eq!(beside, Some((RunId(4), RunId(2))), "A stays");
}

/// Goal: going to the parting selects in each run its own record, whichever side is in hand.
#[test]
fn the_parting_has_a_record_in_each() {
    let mut page = compared();
    page.does(Action::GoParting);
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 18.000 p3 | #4");
    assert_eq!(other(&page).selection.record, Some(record(3)));
    page.does(Action::Hand(None));
    assert_eq!(page.state.selection.record, Some(record(3)));
    assert_eq!(other(&page).selection.record, Some(record(4)));
    page.does(Action::GoParting);
    assert_eq!(page.text(), "run 2 over | 10.500 to 19.500 | at 14.600 p0 | #3");
    page.does(Action::ToggleAb);
    assert_eq!((page.state.run.id, page.state.side()), (RunId(1), Side::A));
    assert_eq!(
        page.requests.last(),
        Some(&Request::Snapshot { run: RunId(1), time_ns: 14_600_000 })
    );
    assert!(page.requests.contains(&Request::Alone { run: RunId(1) }));
}

/// Goal: asked for before it is known, the parting is gone to once it is; runs that never part or
/// were stopped before say so.
#[test]
fn the_parting_may_come_later_or_never() {
    let mut page = Page::opened("");
    page.hold();
    page.does(Action::ToggleAb);
    page.does(Action::GoParting);
    assert!(page.text().contains("alike as far as they have come"), "{}", page.text());
    page.release();
    assert!(page.text().ends_with("at 18.000 p3 | #4"), "{}", page.text());
    for (parting, words) in [
        (Parting::Never, "they never part"),
        (Parting::NotBefore(5_000_000), "alike up to 5 ms, where one was stopped"),
    ] {
        let runs = [RunId(1), RunId(2)];
        page.does(Action::Answer(Box::new(Response::Parting { runs, parting })));
        page.does(Action::GoParting);
        assert!(page.text().contains(words), "{}", page.text());
    }
}

/// Goal: answers about runs that are not side by side any more change nothing.
#[test]
fn stale_partings_are_dropped() {
    let mut page = compared();
    page.hold();
    page.does(Action::Flip(Patch::TraceCredit));
    let before = format!("{:?}", page.state.ab);
    let records = [(RunId(1), Some(record(4))), (RunId(2), None)];
    let parting = Parting::At(records);
    page.does(Action::Answer(Box::new(Response::Parting { runs: [RunId(1), RunId(2)], parting })));
    let refused = Response::Refused { run: RunId(1), sentence: "no".into() };
    page.does(Action::Answer(Box::new(refused)));
    assert_eq!(format!("{:?}", page.state.ab), before);
    page.release();
    assert_eq!(page.state.run.phase, Phase::Ended);
    page.does(Action::OpenPreset(1));
    assert!(page.state.ab.is_none());
}

/// Goal: cancelling stops both runs; what is in hand says which side a sentence is about.
#[test]
fn both_are_cancelled() {
    let mut page = Page::opened("");
    page.hold();
    page.does(Action::ToggleAb);
    page.does(Action::Flip(Patch::TraceCredit));
    page.does(Action::Cancel);
    let cancelled = page.requests.iter().filter_map(|request| match request {
        Request::Cancel { run } => Some(*run),
        _ => None,
    });
    assert_eq!(cancelled.collect::<Vec<_>>(), [RunId(2), RunId(3)]);
}

/// Goal: B gets another seed and other parameters without touching A; what cannot be run is said
/// and changes nothing.
#[test]
fn b_is_varied() {
    let mut page = compared();
    let before = page.state.scenario.clone();
    let mut params = before.params.clone();
    params.tslice_ms = 10;
    page.does(Action::VaryB { seed: 77, params: Box::new(params.clone()) });
    assert_eq!((&page.state.scenario, page.state.run.id), (&before, RunId(1)));
    let b = other(&page);
    assert_eq!((b.scenario.seed, b.scenario.params.tslice_ms, b.run.id), (77, 10, RunId(3)));
    params.tslice_ms = 0;
    page.does(Action::VaryB { seed: 77, params: Box::new(params) });
    assert!(page.text().contains("B cannot run like this: "), "{}", page.text());
    assert_eq!((other(&page).run.id, other(&page).scenario.params.tslice_ms), (RunId(3), 10));
}

/// Goal: a link with both sides opens as both, with the same side in hand and its selection.
#[test]
fn a_link_carries_both() {
    let mut page = compared();
    page.does(Action::Hand(Some(Side::B)));
    let params = other(&page).scenario.params.clone();
    page.does(Action::VaryB { seed: 5, params: Box::new(params) });
    page.does(Action::GoParting);
    assert_eq!((page.state.side(), page.state.selection.record), (Side::B, Some(record(3))));
    page.does(Action::Share);
    let link = page.effects.iter().rev().find_map(|effect| match effect {
        Effect::CopyLink(link) => Some(link.clone()),
        _ => None,
    });
    let there = Page::opened(&link.expect("it is copied"));
    let (here, there) = (&page.state, &there.state);
    assert_eq!(select::share_state(there), select::share_state(here));
    assert_eq!((there.side(), there.selection.record), (Side::B, Some(record(3))));
    assert_eq!((there.patches, there.scenario.seed), (here.patches, 5));
    let sides =
        |state: &State| state.ab.as_ref().map(|ab| (ab.other.patches, ab.other.scenario.seed));
    assert_eq!(sides(there), sides(here));
}

/// Goal: a comparison over seeds is shown as far as it is done, can be stopped, goes with a change
/// of either side, and late answers about it are dropped; its text ends with the link.
#[test]
fn seeds_are_compared() {
    let mut page = compared();
    page.does(Action::Sweep(9));
    let done =
        |page: &Page| page.state.ab.as_ref().and_then(|ab| ab.sweep.as_ref()).map(|s| s.done);
    assert_eq!(done(&page), Some(9));
    page.does(Action::StopSweep);
    assert_eq!(done(&page), Some(1));
    page.does(Action::CopyFigures);
    let copied = page.effects.iter().rev().find_map(|effect| match effect {
        Effect::CopyText { text, link } => Some((text.clone(), link.clone())),
        _ => None,
    });
    let (text, link) = copied.expect("it is copied");
    assert!(text.starts_with("pinned-waker: 4 pCPUs, 4 vCPUs, 300 ms, seed 1\n"), "{text}");
    assert!(text.contains("B: A, +tickle_prefer_idlers"), "{text}");
    assert!(tickle::share::decode(&link).expect("a link").b.is_some());
    let ask = page.state.ab.as_ref().expect("two runs").sweep_ask;
    page.does(Action::Flip(Patch::TraceCredit));
    assert_eq!(done(&page), None);
    let late = Response::Swept { ask, sweep: Box::default() };
    page.does(Action::Answer(Box::new(late)));
    assert_eq!(done(&page), None);
}
