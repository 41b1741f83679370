//! Levels: asked for while their lane or chart shows, for what is in view, one question at a time.

use crate::Page;
use tickle::protocol::{Level, LevelLine, LevelPicture, Request, Response, RunId, Span};
use tickle::share::{Panels, encode};
use tickle::state::credits::{self, Whose};
use tickle::state::levels;
use tickle::state::select::share_state;
use tickle::state::{Action, Tab};

/// The questions about levels so far: number, stretch, levels.
fn asked(page: &Page) -> Vec<(u32, Span, Vec<Level>)> {
    let levels = page.requests.iter().filter_map(|request| match request {
        Request::Levels { ask, span, levels, .. } => Some((*ask, *span, levels.clone())),
        _ => None,
    });
    levels.collect()
}

fn credit(vcpus: &[u16]) -> Vec<Level> {
    vcpus.iter().copied().map(Level::Credit).collect()
}

fn look(from_ns: u64, to_ns: u64) -> Action {
    Action::View(Span { from_ns, to_ns })
}

/// Goal: nothing is asked before somebody looks; then once for what is in view, and again when the
/// view moves.
#[test]
fn credits_are_asked_for_what_is_in_view() {
    let mut page = Page::opened("");
    assert_eq!(asked(&page), []);
    page.does(Action::Tab(Tab::Credits));
    let all = asked(&page);
    assert_eq!(all.len(), 1);
    assert_eq!((all[0].1, all[0].2.len()), (page.state.view, page.state.scenario.vcpus().count()));
    assert!(credits::is_fresh(&page.state));
    page.does(Action::ToEnd);
    page.does(Action::ToStart);
    let after = asked(&page).len();
    let view = page.state.view;
    page.does(look(1_000_000, 3_000_000));
    assert_ne!(view, page.state.view);
    assert_eq!(asked(&page).len(), after + 1);
    assert!(credits::is_fresh(&page.state));
    page.does(Action::Tab(Tab::Time));
    page.does(look(2_000_000, 3_000_000));
    assert_eq!(asked(&page).len(), after + 1, "nobody looks");
}

/// Goal: while no answer has come no second question is asked; the last view is asked for then, and
/// what belongs to an older question is dropped.
#[test]
fn late_answers_are_dropped() {
    let mut page = Page::opened("");
    page.hold();
    page.does(Action::Tab(Tab::Credits));
    page.does(look(1_000_000, 3_000_000));
    page.does(look(1_000_000, 4_000_000));
    assert_eq!(asked(&page).len(), 1, "one at a time");
    assert!(credits::picture(&page.state).is_none());
    let (first, span, levels) = asked(&page)[0].clone();
    let line = |level| LevelLine { level, start: 9, cells: vec![], accounted: 0 };
    let told = |ask, goes_on| {
        let lines = levels.iter().copied().map(line).collect();
        Response::Levels(LevelPicture {
            run: RunId(1),
            ask,
            span,
            shift: 6,
            until_ns: span.to_ns,
            goes_on,
            lines,
            accounts_ns: vec![],
        })
    };
    // A first part of what takes long: it gives way to the question of the view as it is now.
    page.does(Action::Answer(Box::new(told(first, true))));
    assert!(credits::picture(&page.state).is_some() && !credits::is_fresh(&page.state));
    let all = asked(&page);
    assert_eq!((all.len(), all[1].1), (2, page.state.view));
    let before = credits::picture(&page.state);
    page.does(Action::Answer(Box::new(told(first, false))));
    assert_eq!(credits::picture(&page.state), before, "a late answer");
    page.release();
    assert!(credits::is_fresh(&page.state));
}

/// Goal: one can choose whose credit is told; a group that the scenario does not have falls back.
#[test]
fn one_chooses_whose() {
    let mut page = Page::opened("");
    page.does(Action::Tab(Tab::Credits));
    page.does(Action::Whose(Whose::Group { domain: 1, first: 0 }));
    let second = credit(&credits::members(&page.state.scenario, 1, 0));
    assert_eq!(asked(&page).last().map(|last| last.2.clone()), Some(second));
    page.does(Action::Whose(Whose::Group { domain: 900, first: 0 }));
    assert_eq!(credits::vcpus(&page.state).len(), page.state.scenario.vcpus().count());
    page.does(Action::Whose(Whose::Row));
    assert!(credits::vcpus(&page.state).is_empty(), "nobody is on the row of the fake worker");
    // With many vCPUs it is the domain of the selected one; each is in one group.
    page.does(Action::OpenPreset(5));
    page.does(Action::Whose(Whose::Selected));
    assert!(page.state.scenario.vcpus().count() > 8);
    assert_eq!(credits::vcpus(&page.state), credits::members(&page.state.scenario, 0, 0));
    let groups = credits::groups(&page.state.scenario).into_iter().flat_map(|group| match group {
        Whose::Group { domain, first } => credits::members(&page.state.scenario, domain, first),
        _ => vec![],
    });
    let count = u16::try_from(page.state.scenario.vcpus().count()).expect("few");
    assert_eq!(groups.collect::<Vec<_>>(), (0..count).collect::<Vec<_>>());
}

/// Goal: of two runs the one in hand is told, also when it changes while an answer is under way.
#[test]
fn the_run_in_hand_is_told() {
    let mut page = Page::opened("");
    page.does(Action::ToggleAb);
    page.hold();
    page.does(Action::Tab(Tab::Credits));
    page.does(Action::Hand(None));
    page.release();
    let picture = credits::picture(&page.state).expect("told");
    assert_eq!(picture.run, page.state.run.id);
    page.does(Action::Hand(None));
    let picture = credits::picture(&page.state).expect("told");
    assert_eq!(picture.run, page.state.run.id);
    assert!(credits::is_fresh(&page.state));
}

/// Goal: lanes are off at first and cost nothing; the key switches the usual ones on and all off;
/// each is asked for with its levels, the chosen row's anew when another row is chosen.
#[test]
fn lanes_are_switched_and_asked_for() {
    let mut page = Page::opened("");
    assert!(levels::lanes(&page.state).is_empty() && asked(&page).is_empty());
    page.does(Action::Lanes);
    let usual = [Level::Idlers, Level::Told, Level::WaitingAll];
    assert_eq!(asked(&page).last().map(|last| last.2.clone()), Some(usual.to_vec()));
    page.does(Action::Lane(Panels::LANE_ROW));
    page.does(Action::Row(2));
    let last = asked(&page).last().map(|last| last.2.clone()).expect("asked");
    assert_eq!(last, [&usual[..], &[Level::Waiting(2)]].concat());
    // The chart of credits and the lane of credits share one answer.
    page.does(Action::Tab(Tab::Credits));
    let before = asked(&page).len();
    page.does(Action::Lane(Panels::LANE_CREDIT));
    assert_eq!(asked(&page).len(), before);
    assert!(credits::is_fresh(&page.state));
    page.does(Action::Lanes);
    assert!(levels::lanes(&page.state).is_empty());
}

/// Goal: which lanes are on stands in the link; bits that this page does not know are kept.
#[test]
fn lanes_stand_in_the_link() {
    let mut page = Page::opened("");
    page.does(Action::Lane(Panels::LANE_TOLD));
    page.does(Action::Lane(Panels::LANE_CREDIT));
    page.state.panels = page.state.panels.with(1 << 40, true);
    page.does(Action::Lanes);
    assert!(page.state.panels.has(1 << 40));
    page.does(Action::Lane(Panels::LANE_WAITING));
    let link = encode(&share_state(&page.state));
    let opened = Page::opened(&link);
    assert_eq!(levels::lanes(&opened.state), [[Level::WaitingAll]]);
    assert_eq!(opened.state.panels, page.state.panels);
}
