//! A talk: the pictures that it stops at, and the flight from one to the next.
//!
//! Must not know how a stop is gone to; that is the reducer's.

use super::{State, select};
use crate::protocol::Span;
use crate::share::Stop;
use sim_core::patches::PatchSet;
use std::rc::Rc;

/// Width and height of the smallest projector, in px.
const PROJECTOR_PX: (f64, f64) = (1280.0, 720.0);
/// How long a flight takes, in µs.
pub const FLIGHT_US: u64 = 600_000;

/// What a person does with a talk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TalkDo {
    /// Make a stop of what is shown, behind the one where the talk stands.
    Add,
    /// Go to this stop.
    Go(usize),
    /// Say this at a stop.
    Caption(usize, String),
    /// Change places with the stop before.
    Raise(usize),
    /// Take a stop out.
    Delete(usize),
    /// Show the list of stops, or put it away: while it shows, Page Down walks along it.
    Open(bool),
}

/// The stops, and where the talk stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Talk {
    /// The stops, in their order. *Invariant*: at most [`crate::share::STOPS_MAX`].
    pub stops: Rc<Vec<Stop>>,
    /// The stop that was gone to or made last. *Invariant*: one that is there.
    pub at: Option<usize>,
    /// Whether the list shows.
    pub open: bool,
    /// The flight to a stop, while it lasts.
    pub flight: Option<Flight>,
}

impl Talk {
    /// The talk of a link; it stands at the stop that is the link's own picture, if there is one.
    #[must_use]
    pub fn opened(stops: Vec<Stop>, is_shown: impl Fn(&Stop) -> bool) -> Self {
        let at = stops.iter().position(is_shown);
        Self { at, open: !stops.is_empty(), stops: Rc::new(stops), flight: None }
    }
}

/// A flight: the view on its way from one stretch of time to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flight {
    /// Where it began.
    pub from: Span,
    /// Where it ends.
    pub to: Span,
    /// How long it has been under way, in µs.
    pub passed_us: u64,
}

impl Flight {
    /// What is in view by now. Between stretches that lie apart the flight shows both half-way, so
    /// that one sees where it goes.
    #[must_use]
    pub fn view(&self) -> Span {
        let Self { from, to, passed_us } = *self;
        // Whole µs below a second are exact.
        let t = passed_us.min(FLIGHT_US) as f64 / FLIGHT_US as f64;
        let eased = t * t * (3.0 - 2.0 * t);
        if from.to_ns >= to.from_ns && to.to_ns >= from.from_ns {
            return between(from, to, eased);
        }
        let both = Span { from_ns: from.from_ns.min(to.from_ns), to_ns: from.to_ns.max(to.to_ns) };
        if eased < 0.5 {
            between(from, both, eased * 2.0)
        } else {
            between(both, to, eased * 2.0 - 1.0)
        }
    }
}

/// Part of the way between two stretches; the longer the view, the faster its edges move, so that
/// the zoom seems even.
fn between(from: Span, to: Span, part: f64) -> Span {
    let root = |span: Span| ((span.to_ns - span.from_ns) as f64).sqrt().sqrt();
    let (first, last) = (root(from), root(to));
    let now = first + (last - first) * part;
    let length = |root: f64| root * root * root * root;
    let (whole, done) = (length(last) - length(first), length(now) - length(first));
    let share = if whole.abs() < 1.0 { part } else { done / whole };
    Span {
        from_ns: on_the_way(from.from_ns, to.from_ns, share),
        to_ns: on_the_way(from.to_ns, to.to_ns, share),
    }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // lies between two whole ns
fn on_the_way(from_ns: u64, to_ns: u64, share: f64) -> u64 {
    let ns = from_ns as f64 + (to_ns as f64 - from_ns as f64) * share.clamp(0.0, 1.0);
    ns.round() as u64
}

impl State {
    /// What is in view, or will be once the flight under way is over.
    #[must_use]
    pub fn view_to_be(&self) -> Span {
        self.talk.flight.map_or(self.view, |flight| flight.to)
    }

    /// The stop whose picture is shown.
    #[must_use]
    pub fn stop_here(&self) -> Option<&Stop> {
        let stop = self.talk.stops.get(self.talk.at?)?;
        let here = stop.cursor_ns == self.cursor_ns
            && stop.selection == select::place(self)
            && stop.patches.is_none_or(|patches| patches == self.patches_of_a());
        here.then_some(stop)
    }

    /// What is to be said at the stop whose picture is shown; none if nothing is.
    #[must_use]
    pub fn caption_here(&self) -> Option<&str> {
        let stop = self.stop_here().filter(|stop| !stop.caption.is_empty());
        stop.map(|stop| stop.caption.as_str())
    }

    /// The patches of side A, or of the only run.
    #[must_use]
    pub fn patches_of_a(&self) -> PatchSet {
        let own = self.patches;
        let other = self.ab.as_ref().map_or(own, |ab| ab.other.patches);
        let [a, _] = self.sides(own, other);
        a
    }

    /// Whether nothing shows but the stage and a sentence.
    #[must_use]
    pub fn bare(&self) -> bool {
        self.looks.presenting || self.looks.embed
    }

    /// How many times larger everything is than on the smallest projector: before a room, larger
    /// screens show the same, larger.
    #[must_use]
    pub fn enlarged(&self) -> f64 {
        let (width, height) = self.looks.window_px;
        if !self.looks.presenting {
            return 1.0;
        }
        (f64::from(width) / PROJECTOR_PX.0).min(f64::from(height) / PROJECTOR_PX.1).clamp(1.0, 3.0)
    }

    /// Whether Page Down goes from stop to stop.
    #[must_use]
    pub fn walks(&self) -> bool {
        (self.bare() || self.talk.open) && !self.talk.stops.is_empty()
    }

    /// Whether time must be told by frames.
    #[must_use]
    pub(super) fn wants_frames(&self) -> bool {
        self.play.on || self.talk.flight.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from_ns: u64, to_ns: u64) -> Span {
        Span { from_ns, to_ns }
    }

    fn at(from: Span, to: Span, passed_us: u64) -> Span {
        Flight { from, to, passed_us }.view()
    }

    /// Goal: a flight begins and ends exactly where it should, also if frames come late.
    #[test]
    fn a_flight_ends_where_it_should() {
        let whole = span(0, 300_000_000);
        for to in [span(13_000_000, 14_000_000), span(299_999_800, 300_000_000), whole] {
            assert_eq!(at(whole, to, 0), whole);
            assert_eq!(at(whole, to, FLIGHT_US), to);
            assert_eq!(at(to, whole, 9 * FLIGHT_US), whole);
        }
    }

    /// Goal: closing in, the view only shrinks and stays inside what it was.
    #[test]
    fn closing_in_only_shrinks() {
        let (from, to) = (span(0, 300_000_000), span(13_000_000, 14_000_000));
        let mut last = from;
        for frame in 1..=36 {
            let now = at(from, to, frame * FLIGHT_US / 36);
            assert!(last.from_ns <= now.from_ns && now.to_ns <= last.to_ns, "{now:?}");
            assert!(now.from_ns < now.to_ns);
            last = now;
        }
    }

    /// Goal: between stretches that lie apart both are seen half-way.
    #[test]
    fn half_way_both_are_seen() {
        let (from, to) = (span(10, 20), span(1_000, 1_040));
        assert_eq!(at(from, to, FLIGHT_US / 2), span(10, 1_040));
        assert_eq!(at(to, from, FLIGHT_US / 2), span(10, 1_040));
    }
}
