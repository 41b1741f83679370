//! Back and forth between views: jumps one by one, a gesture as one.

use crate::Page;
use tickle::protocol::{Direction, Span};
use tickle::state::Action;

fn view(from_ns: u64, to_ns: u64) -> Span {
    Span { from_ns, to_ns }
}

fn back(page: &mut Page) -> Span {
    page.does(Action::OtherView(Direction::Previous));
    page.state.view
}

fn forth(page: &mut Page) -> Span {
    page.does(Action::OtherView(Direction::Next));
    page.state.view
}

/// Goal: jumps are gone back one by one, and forth again; a new jump forgets what lay ahead.
#[test]
fn jumps_are_gone_back() {
    let mut page = Page::opened("");
    let start = page.state.view;
    page.does(Action::Whole);
    let whole = page.state.view;
    assert_ne!(start, whole);
    page.does(Action::OpenSearch);
    page.does(Action::SearchText("12ms..13ms".into()));
    page.does(Action::Search(Direction::Next));
    let typed = page.state.view;
    assert_eq!(typed, view(12_000_000, 13_000_000));
    assert_eq!(back(&mut page), whole);
    assert_eq!(back(&mut page), start);
    assert_eq!(back(&mut page), start, "there is no further one");
    assert_eq!(forth(&mut page), whole);
    assert_eq!(forth(&mut page), typed);
    assert_eq!(back(&mut page), whole);
    page.does(Action::View(view(1_000, 2_000)));
    assert_eq!(forth(&mut page), view(1_000, 2_000), "what lay ahead is forgotten");
    assert_eq!(back(&mut page), whole);
}

/// Goal: the many moves of a wheel or a drag are one step back.
#[test]
fn a_gesture_is_one_step() {
    let mut page = Page::opened("");
    let start = page.state.view;
    for step in 1..50 {
        page.does(Action::View(view(step * 1_000, 9_000_000 + step)));
    }
    assert_eq!(back(&mut page), start);
}

/// Goal: no more than a hundred views are remembered, the newest; another scenario has its own.
#[test]
fn the_newest_are_remembered() {
    let mut page = Page::opened("");
    for _ in 0..80 {
        page.does(Action::Whole);
        page.does(Action::View(view(1_000, 2_000)));
    }
    let mut steps = 0;
    let mut last = page.state.view;
    loop {
        let now = back(&mut page);
        if now == last {
            break;
        }
        (last, steps) = (now, steps + 1);
    }
    assert_eq!(steps, 100);
    page.does(Action::Whole);
    page.does(Action::OpenPreset(1));
    let opened = page.state.view;
    assert_eq!(back(&mut page), opened);
}
