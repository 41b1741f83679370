//! Walks: actions in, the state in a line out.

use crate::Page;
use crate::worker::record;
use sim_core::patches::Patch;
use tickle::protocol::{Direction, Request, Response, RunId, Span, Wanted};
use tickle::state::{Action, Effect, Step, StepTo, Theme};

fn step(direction: Direction, to: StepTo) -> Action {
    Action::Step(Step { direction, to })
}

fn next() -> Action {
    step(Direction::Next, StepTo::Decision)
}

fn previous() -> Action {
    step(Direction::Previous, StepTo::Decision)
}

/// Goal: the page opens paused before the story's decision; steps go forward and back.
#[test]
fn it_opens_and_steps() {
    let mut page = Page::opened("");
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 13.900 p0 | –");
    page.does(next());
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.000 p0 | #1");
    page.does(next());
    page.does(next());
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.600 p0 | #3");
    page.does(previous());
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.000 p0 | #2");
    page.does(step(Direction::Next, StepTo::SameKind));
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.600 p0 | #3");
    page.does(step(Direction::Next, StepTo::Event));
    assert!(page.text().ends_with("#3 | “There is no further one in this run.”"));
}

/// Goal: at the opening the page asks for a tile with half a view more on either side, an
/// overview, the machine at the cursor, and for nothing twice.
#[test]
fn it_asks_for_what_it_needs_once() {
    let page = Page::opened("");
    let count = |what: fn(&Request) -> bool| page.requests.iter().filter(|r| what(r)).count();
    assert_eq!(count(|r| matches!(r, Request::Run { .. })), 1);
    assert_eq!(count(|r| matches!(r, Request::Tile { .. })), 1);
    assert_eq!(count(|r| matches!(r, Request::Overview { .. })), 1);
    assert_eq!(count(|r| matches!(r, Request::Snapshot { .. })), 1);
    // Half of 9 ms more on either side, on a grid of 64 cells of 8,192 ns.
    let cells = 64 << 13;
    let span = Span { from_ns: 11 * cells, to_ns: 46 * cells };
    let run = RunId(1);
    let tile = Request::Tile { run, span, shift: 13, first: 0, count: 4 };
    assert!(page.requests.contains(&tile), "{:?}", page.requests);
}

/// Goal: flipping a patch runs again and keeps view, cursor and the selection by its place.
#[test]
fn a_flip_keeps_the_place() {
    let mut page = Page::opened("");
    page.does(next());
    page.does(Action::Flip(Patch::TicklePreferIdlers));
    assert_eq!(page.text(), "run 2 over | 10.500 to 19.500 | at 14.000 p0 | #1");
    let place = record(1).place;
    let runs = page.requests.iter().filter_map(|request| match request {
        Request::Run { patches, select, .. } => Some((*patches, *select)),
        _ => None,
    });
    assert_eq!(runs.collect::<Vec<_>>(), [(0b01, None), (0b11, Some(place))]);
}

/// Goal: answers about an older run change nothing.
#[test]
fn stale_answers_are_dropped() {
    let mut page = Page::opened("");
    page.hold();
    page.does(next());
    page.does(Action::Flip(Patch::TicklePreferIdlers));
    let before = page.text();
    let old = Response::Found { run: RunId(1), ask: 1, record: Some(record(4)), decisions: 4 };
    page.does(Action::Answer(Box::new(old)));
    let old = Response::Refused { run: RunId(1), sentence: "no".into() };
    page.does(Action::Answer(Box::new(old)));
    assert_eq!(page.text(), before);
    page.release();
    assert_eq!(page.text(), "run 2 over | 10.500 to 19.500 | at 13.900 p0 | –");
}

/// Goal: playing slowly stops the cursor at every decision in turn, none is passed unseen.
#[test]
fn playing_shows_every_decision() {
    let mut page = Page::opened("");
    page.does(Action::TogglePlay);
    let mut shown = vec![];
    for _ in 0..400 {
        page.does(Action::Frame { elapsed_us: 16_667 });
        assert!(page.state.play.passed <= 1, "{}", page.text());
        if let Some(record) = page.state.selection.record
            && shown.last() != Some(&record.record)
        {
            shown.push(record.record);
        }
    }
    assert_eq!(shown, [1, 2, 3, 4]);
    page.does(Action::TogglePlay);
    assert_eq!(page.effects.last(), Some(&Effect::Frames(false)));
}

/// Goal: playing too fast for single steps says how many decisions were passed; it ends at the
/// end of the run and follows the cursor with the view.
#[test]
fn playing_fast_counts_what_it_passes() {
    let mut page = Page::opened("");
    page.does(next());
    page.does(Action::Speed(9));
    page.does(Action::TogglePlay);
    page.does(Action::Frame { elapsed_us: 200_000 });
    assert_eq!(
        page.text(),
        "run 1 over | 210.400 to 219.400 | at 214.000 p3 | #4 | plays, 3 passed"
    );
    page.does(Action::Frame { elapsed_us: 200_000 });
    assert!(page.text().contains("at 300.000 p3 | #4"), "{}", page.text());
    assert!(!page.state.play.on);
}

/// Goal: a click explains the decision of the row that is nearest, and the cursor stays.
#[test]
fn a_click_explains_what_is_near() {
    let mut page = Page::opened("");
    page.does(Action::Cursor { time_ns: 14_900_000, pcpu: 0 });
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.900 p0 | #3");
    page.does(Action::RowBy(1));
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.900 p1 | –");
    page.does(Action::RowBy(9));
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.900 p3 | #4");
    page.does(Action::GoNumber(2));
    assert_eq!(page.text(), "run 1 over | 10.500 to 19.500 | at 14.000 p0 | #2");
}

/// Goal: fit, whole run, zoom and jumps move the view inside the run.
#[test]
fn the_view_moves_inside_the_run() {
    let mut page = Page::opened("");
    page.does(next());
    page.does(Action::Fit);
    assert_eq!(page.text(), "run 1 over | 13.990 to 14.010 | at 14.000 p0 | #1");
    page.does(Action::Zoom { closer: false });
    assert_eq!(page.text(), "run 1 over | 13.984 to 14.016 | at 14.000 p0 | #1");
    page.does(Action::ToEnd);
    assert_eq!(page.text(), "run 1 over | 299.968 to 300.000 | at 300.000 p0 | –");
    page.does(Action::Whole);
    page.does(Action::Range(Some(Span { from_ns: 1_000_000, to_ns: 3_000_000 })));
    page.does(Action::Fit);
    assert_eq!(page.text(), "run 1 over | 1.000 to 3.000 | at 300.000 p0 | –");
    page.does(Action::View(Span { from_ns: u64::MAX - 1, to_ns: u64::MAX }));
    assert_eq!(page.state.view, Span { from_ns: 299_999_800, to_ns: 300_000_000 });
}

/// Goal: the search goes to times, rows, kinds and vCPUs, and says what it can look for.
#[test]
fn the_search_finds() {
    let mut page = Page::opened("");
    page.does(Action::OpenSearch);
    for (text, expected) in [
        ("14.6ms", "at 14.600 p0 | #3"),
        ("p3", "at 18.000 p3 | #4"),
        ("schedule", "at 18.000 p3 | #4 | “There is no further one in this run.”"),
    ] {
        page.does(Action::SearchText(text.into()));
        page.does(Action::Search(Direction::Next));
        assert!(page.text().ends_with(expected), "{text}: {}", page.text());
    }
    page.does(Action::SearchText("d2v0".into()));
    page.does(Action::Search(Direction::Next));
    let about = |request: &Request| {
        matches!(request, Request::Find { wanted: Wanted::Vcpu(2), direction: Direction::Next, .. })
    };
    assert!(page.requests.iter().any(about));
    page.does(Action::Escape);
    page.does(Action::SearchText("d2v0".into()));
    assert_eq!(page.state.looks.search, None, "a closed search stays closed");
    page.does(Action::OpenSearch);
    for bad in ["d9v0", "p4", "p99999999", "99s", "hello", ""] {
        page.state.notices.clear();
        page.does(Action::SearchText(bad.into()));
        page.does(Action::Search(Direction::Next));
        assert_eq!(page.state.notices.len(), 1, "{bad}");
    }
}

/// Goal: a bad file says why in a sentence and nothing is lost; a good one runs.
#[test]
fn files_are_read_or_refused() {
    let mut page = Page::opened("");
    page.does(next());
    let before = page.text();
    let mut scenario = (sim_core::presets::PRESETS[1].build)();
    let open = |text: String| Action::OpenFile { name: "my.json".into(), text };
    page.does(open("{".into()));
    scenario.domains[0].weight = 0;
    page.does(open(scenario_json::to_json(&scenario)));
    assert!(page.text().starts_with(&before));
    let sentence = &page.state.notices[1].text;
    assert_eq!(sentence, "my.json cannot be run: domain 0 has weight 0; it must be 1 to 65535.");
    scenario.domains[0].weight = 1;
    page.does(open(scenario_json::to_json(&scenario)));
    assert!(page.text().starts_with("run 2 over | 0.000 to 300.000 | at 0.000 p0 | –"));
}

/// Goal: a panic of the worker leaves a bar with a link, and the page goes on.
#[test]
fn a_panic_is_survived() {
    let mut page = Page::opened("");
    page.does(next());
    page.hold();
    page.does(next());
    page.does(Action::Answer(Box::new(Response::Panicked { message: "boom".into() })));
    assert!(page.text().starts_with("run 2 runs | 10.500 to 19.500 | at 14.000 p0 | –"));
    assert!(page.state.notices[0].link.is_some());
    assert!(page.state.notices[0].text.contains("boom"));
    page.does(Action::Answer(Box::new(Response::Panicked { message: "boom again".into() })));
    assert!(page.text().starts_with("run 2 gone"), "it does not go round in circles");
    let asked = page.requests.len();
    page.does(next());
    page.does(Action::TogglePlay);
    assert_eq!(page.requests.len(), asked, "nobody is there to answer");
    page.state.notices.clear();
    page.held = None;
    page.does(Action::OpenPreset(1));
    assert!(page.text().starts_with("run 3 over"), "{}", page.text());
}

/// Goal: the address is written when what it carries changes, and not otherwise.
#[test]
fn the_address_follows_the_picture() {
    let mut page = Page::opened("");
    let writes = |page: &Page| page.effects.iter().filter(|e| **e == Effect::WriteAddress).count();
    let before = writes(&page);
    page.does(Action::Help(true));
    page.does(Action::Theme(Theme::Dark));
    assert_eq!(writes(&page), before);
    page.does(next());
    assert!(writes(&page) > before);
}

/// Goal: Escape closes what lies on top, one at a time.
#[test]
fn escape_closes_from_the_top() {
    let mut page = Page::opened("");
    page.does(Action::Help(true));
    page.does(Action::OpenSearch);
    page.does(Action::ToggleBlank);
    let open = |page: &Page| {
        let looks = &page.state.looks;
        (looks.blank, looks.help, looks.search.is_some())
    };
    assert_eq!(open(&page), (true, true, true));
    page.does(Action::Escape);
    assert_eq!(open(&page), (false, true, true));
    page.does(Action::Escape);
    assert_eq!(open(&page), (false, false, true));
    page.does(Action::Escape);
    assert_eq!(open(&page), (false, false, false));
}

/// Goal: a link gives the same picture back, with what was selected; sharing copies that link.
#[test]
fn a_link_gives_the_picture_back() {
    let mut page = Page::opened("");
    page.does(Action::OpenPreset(1));
    page.does(next());
    page.does(Action::Fit);
    page.does(Action::Share);
    let Some(Effect::CopyLink(link)) = page.effects.last() else { panic!("nothing is copied") };
    let copy = Page::opened(link);
    let picture = |page: &Page| page.text().split_once('|').map(|(_, text)| text.to_owned());
    assert_eq!(picture(&copy), picture(&page));
    assert_eq!(copy.state.preset, page.state.preset);
}

/// Goal: a broken link says so in a bar and opens the default, or leaves what is open.
#[test]
fn a_broken_link_is_survived() {
    let mut page = Page::opened("9-AAAA");
    assert!(
        page.text().starts_with("run 1 over | 10.500 to 19.500 | at 13.900 p0 | – | “This link")
    );
    assert!(page.text().ends_with("the default opens.”"), "{}", page.text());
    page.does(Action::OpenPreset(2));
    page.does(Action::OpenLink("A".repeat(1_000_000)));
    assert!(page.text().starts_with("run 2 over"), "{}", page.text());
    assert!(page.text().ends_with("what was open stays.”"), "{}", page.text());
}

/// Goal: when a run is not the one that the link was made from, the page says so.
#[test]
fn another_digest_is_noticed() {
    let mut page = Page::opened("");
    let mut link = tickle::state::select::share_state(&page.state);
    page.does(Action::OpenLink(tickle::share::encode(&link)));
    assert!(page.state.notices.is_empty(), "the same run has the same digest");
    link.digest = Some(1);
    page.does(Action::OpenLink(tickle::share::encode(&link)));
    assert!(page.text().contains("this is not the same run"), "{}", page.text());
}

/// Goal: a newer version of the page is told and waits; only a person's wish takes it.
#[test]
fn a_newer_version_waits() {
    let mut page = Page::opened("");
    page.does(Action::Newer(true));
    page.does(next());
    page.does(Action::OpenPreset(1));
    assert!(page.state.looks.newer, "it is still told after steps and another scenario");
    assert!(!page.effects.contains(&Effect::TakeNewer), "nobody has asked for it");
    page.does(Action::TakeNewer);
    assert!(page.effects.contains(&Effect::TakeNewer));
    page.does(Action::Newer(false));
    assert!(!page.state.looks.newer);
}
