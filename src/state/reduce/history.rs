//! What makes an entry of its own in the browser's history, and what only changes the last one.

use crate::share::Stop;
use crate::state::State;
use sim_core::patches::PatchSet;
use sim_core::scenario::Scenario;
use std::rc::Rc;

/// A scenario, the same only as itself: comparing what it holds would take longer than a frame.
struct Same(Rc<Scenario>);

impl PartialEq for Same {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// What makes an entry when it changes: what runs, the modes, the stops and where the talk stands.
/// Which of two sides is in hand makes none.
#[derive(PartialEq)]
pub(super) struct Entry {
    sides: [Option<(Same, PatchSet)>; 2],
    modes: (bool, bool),
    stops: Rc<Vec<Stop>>,
    at: Option<usize>,
}

impl Entry {
    pub(super) fn of(state: &State) -> Self {
        let own = Some((Same(state.scenario.clone()), state.patches));
        let other = state.ab.as_ref().map(|ab| (Same(ab.other.scenario.clone()), ab.other.patches));
        Self {
            sides: state.sides(own, other),
            modes: (state.looks.presenting, state.predict.on),
            stops: state.talk.stops.clone(),
            at: state.talk.at,
        }
    }
}
