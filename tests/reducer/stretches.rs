//! Range and view are added up: asked for one at a time, of the run in hand and the one beside.

use crate::Page;
use tickle::protocol::{Request, Span};
use tickle::state::{Action, Effect};

fn asked(page: &Page) -> Vec<(Span, bool)> {
    let stretches = page.requests.iter().filter_map(|request| match request {
        Request::Stretch { span, each_vcpu, .. } => Some((*span, *each_vcpu)),
        _ => None,
    });
    stretches.collect()
}

const RANGE: Span = Span { from_ns: 1_000_000, to_ns: 2_000_000 };

/// Goal: the view is added up, and again when it moves; a range with each vCPU.
#[test]
fn what_is_looked_at_is_added_up() {
    let mut page = Page::opened("");
    assert_eq!(asked(&page).last(), Some(&(page.state.view, false)));
    assert!(page.state.view_stretch().is_some());
    assert!(page.state.range_stretch().is_none());
    page.does(Action::Range(Some(RANGE)));
    assert_eq!(asked(&page).last(), Some(&(RANGE, true)));
    let stretch = page.state.range_stretch().expect("it is known");
    assert_eq!((stretch.span, stretch.ran_ns.clone()), (RANGE, Some(vec![5, 7])));
    let before = asked(&page).len();
    page.does(Action::View(RANGE));
    page.does(Action::Cursor { time_ns: 5, pcpu: 0 });
    assert_eq!(asked(&page).len(), before + 1, "only the view has moved");
    page.does(Action::Range(None));
    assert!(page.state.range_stretch().is_none());
    assert_eq!(asked(&page).len(), before + 1);
}

/// Goal: one question at a time; the answer to an older one is not taken for the newer.
#[test]
fn the_newest_range_counts() {
    let mut page = Page::opened("");
    page.hold();
    let next = Span { from_ns: 5, to_ns: 9 };
    let before = asked(&page).len();
    page.does(Action::Range(Some(RANGE)));
    page.does(Action::Range(Some(next)));
    assert_eq!(asked(&page).len(), before + 1);
    assert!(page.state.range_stretch().is_none());
    page.release();
    assert_eq!(page.state.range_stretch().map(|stretch| stretch.span), Some(next));
}

/// Goal: a typed range is chosen and fills the view, to the ns.
#[test]
fn a_typed_range_fills_the_view() {
    let mut page = Page::opened("");
    page.does(Action::OpenSearch);
    page.does(Action::SearchText("12.300001ms..12.9ms".into()));
    page.does(Action::Search(tickle::protocol::Direction::Next));
    let span = Span { from_ns: 12_300_001, to_ns: 12_900_000 };
    assert_eq!((page.state.range, page.state.view), (Some(span), span));
    page.does(Action::CopyRange);
    let copied = page.effects.iter().any(|effect| match effect {
        Effect::CopyText { text, .. } => text.starts_with("12300001 ns to 12900000 ns"),
        _ => false,
    });
    assert!(copied);
}
