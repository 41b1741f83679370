//! The talk: stops made, walked, changed; the flight between; what makes an entry in the history.

use crate::Page;
use crate::worker::record;
use sim_core::patches::Patch;
use tickle::protocol::{Direction, Request, RunId, Side, Span};
use tickle::share::{CAPTION_MAX, STOPS_MAX, decode, encode};
use tickle::state::talk::FLIGHT_US;
use tickle::state::{Action, Effect, Step, StepTo, SystemLooks, TalkDo, select};

fn next() -> Action {
    Action::Step(Step { direction: Direction::Next, to: StepTo::Decision })
}

const ON: Action = Action::Page(Direction::Next);
const BACK: Action = Action::Page(Direction::Previous);

fn talk(what: TalkDo) -> Action {
    Action::Talk(what)
}

fn still(still: bool) -> Action {
    Action::System(SystemLooks { still, ..SystemLooks::default() })
}

/// A page with three stops: before the first decision, at it closely, at the last one.
fn prepared() -> Page {
    let mut page = Page::opened("");
    page.does(still(true));
    page.does(talk(TalkDo::Add));
    page.does(next());
    page.does(Action::Fit);
    page.does(talk(TalkDo::Add));
    for _ in 0..3 {
        page.does(next());
    }
    page.does(talk(TalkDo::Add));
    page
}

fn captions(page: &Page) -> Vec<&str> {
    page.state.talk.stops.iter().map(|stop| stop.caption.as_str()).collect()
}

fn runs(page: &Page) -> usize {
    let runs = |r: &&Request| matches!(r, Request::Run { .. } | Request::Beside { .. });
    page.requests.iter().filter(runs).count()
}

fn pushed(page: &Page) -> usize {
    page.effects.iter().filter(|effect| **effect == Effect::PushAddress).count()
}

const FIRST: &str = "run 1 over | 10.500 to 19.500 | at 13.900 p0 | –";
const SECOND: &str = "run 1 over | 13.990 to 14.010 | at 14.000 p0 | #1";
const THIRD: &str = "run 1 over | 17.992 to 18.012 | at 18.000 p3 | #4";

/// Goal: stops are walked to and fro as they were made, each with its own picture; at either end
/// the talk stays; whoever has gone elsewhere comes back to the stop before. Nothing runs anew.
#[test]
fn stops_are_walked() {
    let mut page = prepared();
    assert_eq!(page.text(), THIRD);
    for (key, text) in [
        (ON, THIRD),
        (BACK, SECOND),
        (BACK, FIRST),
        (BACK, FIRST),
        (ON, SECOND),
        (next(), "run 1 over | 13.990 to 14.010 | at 14.000 p0 | #2"),
        (BACK, FIRST),
        (talk(TalkDo::Go(2)), THIRD),
    ] {
        page.does(key.clone());
        assert_eq!(page.text(), text, "{key:?}");
    }
    assert_eq!(runs(&page), 1);
}

/// Goal: without stops, or with their list put away, Page Down steps to decisions; presenting it
/// walks again.
#[test]
fn page_down_steps_without_a_list() {
    let mut page = Page::opened("");
    page.does(ON);
    assert_eq!(page.state.selection.record, Some(record(1)));
    let mut page = prepared();
    page.does(talk(TalkDo::Open(false)));
    page.does(talk(TalkDo::Go(0)));
    page.does(ON);
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.000 p0 | #1");
    page.does(Action::TogglePresenting);
    page.does(ON);
    assert_eq!(page.text(), SECOND);
}

/// Goal: a stop is made behind the one where the talk stands, moved and deleted, and the talk
/// stands where it stood; captions are cut at the most with a sentence.
#[test]
fn the_list_is_changed() {
    let mut page = prepared();
    for (at, caption) in ["one", "two", "three"].into_iter().enumerate() {
        page.does(talk(TalkDo::Caption(at, caption.into())));
    }
    page.does(talk(TalkDo::Raise(2)));
    assert_eq!((captions(&page), page.state.talk.at), (vec!["one", "three", "two"], Some(1)));
    page.does(talk(TalkDo::Raise(2)));
    page.does(talk(TalkDo::Raise(0)));
    page.does(talk(TalkDo::Raise(9)));
    assert_eq!((captions(&page), page.state.talk.at), (vec!["one", "two", "three"], Some(2)));
    page.does(talk(TalkDo::Delete(0)));
    page.does(talk(TalkDo::Delete(7)));
    assert_eq!((captions(&page), page.state.talk.at), (vec!["two", "three"], Some(1)));
    page.does(talk(TalkDo::Go(0)));
    page.does(talk(TalkDo::Add));
    assert_eq!((captions(&page), page.state.talk.at), (vec!["two", "", "three"], Some(1)));
    page.does(talk(TalkDo::Caption(1, "ä".repeat(213))));
    assert_eq!(page.state.talk.stops[1].caption, "ä".repeat(CAPTION_MAX));
    let said = "A caption has at most 200 characters; this one has 213 and is cut.";
    assert_eq!(page.state.notices[0].text, said);
    for _ in 0..3 {
        page.does(talk(TalkDo::Delete(0)));
    }
    assert_eq!((page.state.talk.at, page.state.talk.open), (None, false));
}

/// Goal: one stop more than a link holds is refused with a sentence, and the link still opens.
#[test]
fn stops_are_limited() {
    let mut page = Page::opened("");
    for _ in 0..=STOPS_MAX {
        page.does(talk(TalkDo::Add));
    }
    assert_eq!(page.state.talk.stops.len(), STOPS_MAX);
    assert_eq!(page.state.notices[0].text, "A talk has at most 64 stops: this one is not added.");
    let link = encode(&select::share_state(&page.state));
    assert_eq!(decode(&link).map(|link| link.stops.len()), Ok(STOPS_MAX));
}

/// Goal: a link with stops opens as its own picture says, knows at which stop that is, and walks.
#[test]
fn a_link_carries_the_talk() {
    let mut page = prepared();
    page.does(BACK);
    page.does(talk(TalkDo::Caption(1, "Who is told?".into())));
    page.does(Action::TogglePresenting);
    let link = encode(&select::share_state(&page.state));
    let mut there = Page::opened(&link);
    there.does(still(true));
    assert_eq!(there.text(), SECOND);
    assert!(there.state.looks.presenting && there.state.talk.open);
    assert_eq!(there.state.stop_here().map(|stop| stop.caption.as_str()), Some("Who is told?"));
    there.does(ON);
    assert_eq!(there.text(), THIRD);
    assert_eq!(select::share_state(&there.state).stops, *page.state.talk.stops);
}

/// Goal: a stop runs with its own patches, also on the way back, and finds its selection there.
#[test]
fn a_stop_brings_its_patches() {
    let mut page = prepared();
    page.does(Action::Flip(Patch::TicklePreferIdlers));
    page.does(talk(TalkDo::Add));
    let (before, after) = (page.state.talk.stops[2].patches, Some(page.state.patches));
    assert_ne!(before, after);
    page.does(BACK);
    assert_eq!(page.text(), THIRD.replace("run 1", "run 3"));
    assert_eq!(Some(page.state.patches), before);
    page.does(BACK);
    assert_eq!((page.text(), runs(&page)), (SECOND.replace("run 1", "run 3"), 3));
    page.does(talk(TalkDo::Go(3)));
    assert_eq!((Some(page.state.patches), runs(&page)), (after, 4));
    // While two runs are compared, they are those of A, whichever is in hand.
    page.does(Action::ToggleAb);
    page.does(Action::Hand(Some(Side::B)));
    page.does(BACK);
    assert_eq!(page.state.ab.as_ref().map(|ab| ab.other.patches), before);
    assert_eq!((page.state.side(), page.state.selection.record), (Side::B, Some(record(4))));
}

/// Goal: the view flies to a stop while frames are told; the link says at once where it will be;
/// another Page Down ends the flight and does no more, anything else ends it and is done. Where
/// nothing should move, nothing does.
#[test]
fn the_view_flies() {
    let mut page = prepared();
    page.does(still(false));
    let third = page.state.view;
    page.does(BACK);
    assert_eq!((page.state.view, page.effects.last()), (third, Some(&Effect::Frames(true))));
    let second = Span { from_ns: 13_990_000, to_ns: 14_010_000 };
    let link = select::share_state(&page.state);
    assert_eq!(link.view, Some((second.from_ns, second.to_ns)));
    page.does(Action::Frame { elapsed_us: FLIGHT_US / 2 });
    let on_the_way = page.state.view;
    assert!(on_the_way.from_ns <= second.from_ns && on_the_way.to_ns >= third.to_ns);
    page.does(BACK);
    assert_eq!((page.state.view, page.state.talk.at), (second, Some(1)));
    assert_eq!(page.effects.last(), Some(&Effect::Frames(false)));
    page.does(BACK);
    page.does(next());
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.000 p0 | #1");
    page.does(ON);
    for _ in 0..40 {
        page.does(Action::Frame { elapsed_us: 16_667 });
    }
    assert_eq!((page.text().as_str(), page.state.talk.flight), (SECOND, None));
    assert_eq!(page.effects.last(), Some(&Effect::Frames(false)));
}

/// Goal: what runs, modes, stops and A|B make an entry; moving about and whatever the worker says
/// do not, nor does a link.
#[test]
fn entries_are_made_for_what_counts() {
    let mut page = Page::opened("");
    let mut count = 0;
    for (action, makes) in [
        (next(), 0),
        (Action::Whole, 0),
        (Action::Help(true), 0),
        (Action::Flip(Patch::TicklePreferIdlers), 1),
        (talk(TalkDo::Add), 1),
        (talk(TalkDo::Caption(0, "one".into())), 1),
        (talk(TalkDo::Caption(0, "one".into())), 0),
        (Action::TogglePresenting, 1),
        (Action::Escape, 0),
        (Action::Escape, 1),
        (Action::ToggleAb, 1),
        (Action::Hand(None), 0),
        (Action::ToggleAb, 1),
        (Action::OpenPreset(2), 1),
        (Action::OpenLink(String::new()), 0),
    ] {
        page.does(action.clone());
        count += makes;
        assert_eq!(pushed(&page), count, "{action:?}");
    }
}

/// Goal: going back to an earlier link runs anew only what is another one there: from A|B to one
/// run nothing, from there to A|B only B, past a flip only the side that it was of.
#[test]
fn going_back_runs_only_what_changed() {
    let mut page = Page::opened("");
    let link = |page: &Page| encode(&select::share_state(&page.state));
    page.does(next());
    let one = link(&page);
    page.does(Action::ToggleAb);
    page.does(Action::Hand(Some(Side::B)));
    page.does(next());
    let two = link(&page);
    page.does(Action::OpenLink(one.clone()));
    assert_eq!((link(&page), runs(&page)), (one.clone(), 2));
    assert_eq!((page.state.run.id, page.state.ab.is_none()), (RunId(1), true));
    assert!(page.requests.contains(&Request::Alone { run: RunId(1) }));
    page.does(Action::OpenLink(two.clone()));
    assert_eq!((link(&page), runs(&page), page.state.side()), (two.clone(), 3, Side::B));
    page.does(Action::Flip(Patch::TraceCredit));
    let a = page.state.ab.as_ref().map(|ab| ab.other.run.id);
    page.does(Action::OpenLink(two.clone()));
    assert_eq!((link(&page), runs(&page)), (two, 5));
    assert_eq!(page.state.ab.as_ref().map(|ab| ab.other.run.id), a, "A stays");
    page.does(Action::OpenLink(one.clone()));
    page.does(Action::Flip(Patch::TraceCredit));
    page.does(Action::OpenLink(one.clone()));
    assert_eq!((link(&page), runs(&page)), (one, 7));
}
