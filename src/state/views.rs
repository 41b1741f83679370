//! Where the view has been: back and forth between the stretches of time that were looked at.

use super::{Action, State};
use crate::protocol::{Direction, Span};

/// So many views are remembered.
const VIEWS_MAX: usize = 100;

/// Views before and after the one shown, the nearest last.
#[derive(Clone, Debug, Default)]
pub struct Views {
    before: Vec<Span>,
    after: Vec<Span>,
    /// Whether the last move was part of a gesture: the moves of one are one step back.
    in_gesture: bool,
}

/// How an action moves the view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Move {
    /// In one of many steps, as a wheel does.
    Gesture,
    /// At once.
    Jump,
}

/// How an action moves the view, if people would want to come back from there.
pub(super) fn kind(action: &Action) -> Option<Move> {
    match action {
        Action::View(_) | Action::Zoom { .. } => Some(Move::Gesture),
        Action::Fit
        | Action::Whole
        | Action::Search(_)
        | Action::GoParting
        | Action::ToStart
        | Action::ToEnd
        | Action::First(_) => Some(Move::Jump),
        _ => None,
    }
}

impl State {
    /// Remembers the view that an action left, once it is done.
    pub(super) fn remember_view(&mut self, kind: Move, before: Span) {
        let gesture = kind == Move::Gesture;
        if before != self.view {
            let views = &mut self.views;
            if !(gesture && views.in_gesture) {
                if views.before.len() == VIEWS_MAX {
                    views.before.remove(0);
                }
                views.before.push(before);
                views.after.clear();
            }
        }
        self.views.in_gesture = gesture;
    }

    /// The view to go to, back or forth; none if there is no further one.
    pub(super) fn other_view(&mut self, direction: Direction) -> Option<Span> {
        let views = &mut self.views;
        views.in_gesture = false;
        let (from, to) = match direction {
            Direction::Next => (&mut views.after, &mut views.before),
            _ => (&mut views.before, &mut views.after),
        };
        let view = from.pop()?;
        to.push(self.view);
        Some(view)
    }
}
