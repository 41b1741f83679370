//! The magnifier: asks about the pixel under the pointer, one question at a time, about the run
//! that it shows.

use crate::Page;
use tickle::protocol::{Request, Side, Span, Spot};
use tickle::state::Action;

const PIXEL: Span = Span { from_ns: 1_000, to_ns: 2_000 };
const NEXT: Span = Span { from_ns: 2_000, to_ns: 3_000 };

fn asked(page: &Page) -> Vec<Spot> {
    let spots = page.requests.iter().filter_map(|request| match request {
        Request::Under(spot) => Some(*spot),
        _ => None,
    });
    spots.collect()
}

fn rest(span: Span) -> Action {
    Action::RestOn(Some((Side::A, 1, span)))
}

/// Goal: a pixel is asked about once and shown as long as the pointer rests on it.
#[test]
fn a_pixel_is_asked_about_once() {
    let mut page = Page::opened("");
    page.does(rest(PIXEL));
    let spot = Spot { run: page.state.run.id, pcpu: 1, span: PIXEL };
    assert_eq!(asked(&page), [spot]);
    assert_eq!(page.state.magnified().map(|under| under.spot), Some(spot));
    page.does(Action::ToEnd);
    assert_eq!(asked(&page).len(), 1, "nothing has changed");
    page.does(Action::RestOn(None));
    assert!(page.state.magnified().is_none(), "the pointer has gone");
}

/// Goal: while a question is under way no other is asked; the last pixel is asked about then.
#[test]
fn one_question_at_a_time() {
    let mut page = Page::opened("");
    page.hold();
    page.does(rest(PIXEL));
    page.does(rest(NEXT));
    assert_eq!(asked(&page).len(), 1);
    assert!(page.state.magnified().is_none());
    page.release();
    let spans: Vec<Span> = asked(&page).iter().map(|spot| spot.span).collect();
    assert_eq!(spans, [PIXEL, NEXT]);
    assert_eq!(page.state.magnified().map(|under| under.spot.span), Some(NEXT));
}

/// Goal: switched off it asks nothing and shows nothing; switched on it goes on where the pointer
/// rests.
#[test]
fn it_can_be_switched_off() {
    let mut page = Page::opened("");
    page.does(Action::ToggleMagnifier);
    page.does(rest(PIXEL));
    assert_eq!(asked(&page), []);
    assert!(page.state.magnified().is_none());
    page.does(Action::ToggleMagnifier);
    assert_eq!(asked(&page).len(), 1);
    assert!(page.state.magnified().is_some());
}

/// Goal: of two runs the one is asked whose row the pointer rests on, whichever is in hand; a run
/// that is gone is not asked.
#[test]
fn the_side_under_the_pointer_is_asked() {
    let mut page = Page::opened("");
    page.does(Action::ToggleAb);
    page.does(Action::RestOn(Some((Side::B, 0, PIXEL))));
    let other = page.state.ab.as_ref().expect("two runs").other.run.id;
    assert_eq!(asked(&page).last().map(|spot| spot.run), Some(other));
    page.does(Action::Hand(Some(Side::B)));
    page.does(Action::RestOn(Some((Side::B, 0, NEXT))));
    assert_eq!(asked(&page).last().map(|spot| spot.run), Some(page.state.run.id));
    let before = asked(&page).len();
    page.does(Action::OpenPreset(1));
    assert_eq!(asked(&page).len(), before, "its run is not there any more");
    assert!(page.state.magnified().is_none());
}
