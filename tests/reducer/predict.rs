//! Predict before reveal: what is asked, chosen and shown; nothing tells the answer before.

use crate::Page;
use crate::worker::{REASON, record};
use tickle::protocol::{Direction, MarkKind, Request, Side};
use tickle::share::{Panels, encode};
use tickle::state::predict::{Choice, Veil};
use tickle::state::{
    Action, Guess, State, Step, StepTo, SystemLooks, Tab, TalkDo, credits, select,
};

fn step(direction: Direction) -> Action {
    Action::Step(Step { direction, to: StepTo::Decision })
}

const NEXT: Direction = Direction::Next;

fn predicting() -> Page {
    let mut page = Page::opened("");
    page.does(Action::System(SystemLooks { still: true, ..SystemLooks::default() }));
    page.does(Action::Guess(Guess::Toggle));
    page
}

/// The record that is asked about.
fn asked(page: &Page) -> Option<u32> {
    page.state.predict.open().map(|question| question.record.record)
}

/// Fails if the page could tell what was decided at the record asked about.
fn holds_back(state: &State) {
    let question = state.predict.open().expect("a question");
    let place = question.record.place;
    assert_eq!((select::place(state), select::why(state)), (None, None));
    assert!(state.selection.why.is_none() && state.cursor_ns == place.time_ns - 1);
    let records = question.record.record;
    assert_eq!(state.veil(), Some(Veil { until_ns: place.time_ns, records }));
    assert!(!format!("{state:?}").contains(REASON), "the reason is somewhere in the state");
    let credits = credits::picture(state).map(|told| told.until_ns);
    assert!(credits.is_none_or(|until_ns| until_ns <= place.time_ns), "{credits:?}");
    let link = select::share_state(state);
    assert_eq!((link.selection, link.cursor_ns), (None, Some(place.time_ns - 1)));
}

/// Goal: stepping asks before it shows, with the cursor just before; the next step shows it, with
/// the answer counted once; what has been shown is not asked again.
#[test]
fn a_decision_is_asked_then_shown() {
    let mut page = predicting();
    page.does(Action::Tab(Tab::Credits));
    page.does(step(NEXT));
    assert!(credits::picture(&page.state).is_some());
    assert_eq!(asked(&page), Some(1));
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 13.999 p0 | –");
    holds_back(&page.state);
    assert!(page.state.predict.open().is_some_and(|question| question.now.is_some()));
    page.does(Action::Guess(Guess::Digit(1)));
    holds_back(&page.state);
    page.does(step(NEXT));
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.000 p0 | #1");
    assert_eq!((asked(&page), page.state.predict.tally), (None, (1, 1)));
    let (question, outcome) = page.state.answered().expect("it was answered");
    assert_eq!(question.is_right(outcome), Some(true));
    page.does(step(NEXT));
    assert_eq!((asked(&page), page.state.answered().is_none()), (Some(2), true));
    holds_back(&page.state);
    page.does(Action::Guess(Guess::Choose(Choice::Nobody)));
    page.does(Action::Guess(Guess::Uncover));
    assert_eq!((page.text().ends_with("#2"), page.state.predict.tally), (true, (1, 2)));
    page.does(step(Direction::Previous));
    assert_eq!((page.text().ends_with("#1"), asked(&page)), (true, None));
    page.does(step(NEXT));
    assert_eq!((page.text().ends_with("#2"), page.state.predict.tally), (true, (1, 2)));
    page.does(step(NEXT));
    page.does(step(NEXT));
    assert_eq!((page.text().ends_with("#3"), page.state.predict.tally), (true, (1, 2)));
}

/// Goal: whatever way one comes to a decision, it is asked first: by a search, a mark, an arrow, a
/// stop, a link, playing at any speed; a click on the row of one that is still to come shows none.
#[test]
fn no_way_leads_around_the_question() {
    let at = |what: &dyn Fn(&mut Page)| {
        let mut page = predicting();
        what(&mut page);
        page
    };
    let mark = Action::GoMark { pcpu: 0, time_ns: 14_000_000, kind: MarkKind::Wake };
    let search = |text: &str| Action::SearchText(text.into());
    let mut stopped = Page::opened("");
    stopped.does(step(NEXT));
    stopped.does(Action::Talk(TalkDo::Add));
    let mut link = select::share_state(&stopped.state);
    link.panels = Panels::from_bits(Panels::PREDICT);
    let link = encode(&link);
    for (page, record) in [
        (at(&|page| page.does(Action::Go(record(4)))), 4),
        (at(&|page| page.does(Action::GoNumber(4))), 4),
        (at(&|page| page.does(Action::OpenLink(link.clone()))), 1),
        (Page::opened(&link), 1),
        (
            at(&|page| {
                page.does(Action::OpenSearch);
                page.does(search("tickle"));
                page.does(Action::Search(NEXT));
            }),
            1,
        ),
        (
            at(&|page| {
                page.does(Action::Speed(9));
                page.does(Action::TogglePlay);
                (0..9).for_each(|_| page.does(Action::Frame { elapsed_us: 250_000 }));
                assert!(!page.state.play.on);
            }),
            1,
        ),
        (
            at(&|page| {
                page.does(Action::Talk(TalkDo::Add));
                page.does(Action::OpenLink(link.clone()));
                page.does(Action::ToStart);
                page.does(Action::Talk(TalkDo::Go(0)));
            }),
            1,
        ),
    ] {
        assert_eq!(asked(&page), Some(record), "{}", page.text());
        holds_back(&page.state);
    }
    // The fake worker knows the mark by its moment; its first record there is the tickle.
    let page = at(&|page| page.does(mark.clone()));
    assert_eq!(asked(&page), Some(1));
    let page = at(&|page| page.does(Action::Cursor { time_ns: 13_000_000, pcpu: 0 }));
    assert_eq!((asked(&page), page.state.selection.record), (None, None));
    assert_eq!(page.state.veil(), Some(Veil { until_ns: 13_000_000, records: 0 }));
}

/// Goal: while it is asked, a click on a row chooses it; going elsewhere leaves the question, and
/// so do a step back, to the decision before, the other side and other patches.
#[test]
fn a_question_is_answered_or_left() {
    let mut page = predicting();
    page.does(Action::Go(record(4)));
    page.does(Action::Cursor { time_ns: 12_000_000, pcpu: 2 });
    let choice = |page: &Page| page.state.predict.open().and_then(|question| question.choice);
    assert_eq!((asked(&page), choice(&page)), (Some(4), Some(Choice::Pcpu(2))));
    page.does(step(Direction::Previous));
    assert_eq!(asked(&page), Some(3));
    // About a vCPU: a click goes where it always does.
    page.does(Action::Cursor { time_ns: 12_000_000, pcpu: 2 });
    assert_eq!((asked(&page), page.state.cursor_ns), (None, 12_000_000));
    page.does(step(NEXT));
    page.does(Action::ToggleAb);
    page.does(Action::Go(record(4)));
    assert_eq!(asked(&page), Some(4));
    page.does(Action::Hand(Some(Side::B)));
    assert_eq!(asked(&page), None);
}

/// Goal: switched on, what is on the screen counts as shown and what follows is hidden; off again,
/// nothing is hidden; the link carries the mode, not the answers.
#[test]
fn the_mode_goes_with_the_link() {
    let mut page = Page::opened("");
    page.does(step(NEXT));
    page.does(Action::Guess(Guess::Toggle));
    assert_eq!((asked(&page), page.text().ends_with("#1")), (None, true));
    assert_eq!(page.state.veil(), Some(Veil { until_ns: 14_000_000, records: 2 }));
    assert!(select::share_state(&page.state).panels.has(Panels::PREDICT));
    page.does(step(NEXT));
    let there = Page::opened(&encode(&select::share_state(&page.state)));
    assert!(there.state.predict.on && there.state.predict.open().is_none());
    assert_eq!(there.state.cursor_ns, 13_999_999);
    page.does(Action::Guess(Guess::Toggle));
    assert_eq!((asked(&page), page.state.veil()), (None, None));
    let runs = page.requests.iter().filter(|r| matches!(r, Request::Run { .. })).count();
    assert_eq!(runs, 1);
}
