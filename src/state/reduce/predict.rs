//! Predict before reveal: asking in the place of showing, choosing, showing what was decided.

use super::Cx;
use crate::protocol::{Direction, Now, Place, Record, Request};
use crate::state::predict::{Choice, Guess, Predict, Question};
use crate::state::{Action, Step};
use std::rc::Rc;

impl Cx {
    pub(super) fn guess(&mut self, guess: Guess) {
        let pcpus = u16::try_from(self.state.scenario.topology.pcpu_count()).unwrap_or(u16::MAX);
        match guess {
            Guess::Toggle => {
                let shown = self.state.selection.record.map(|record| record.place);
                self.state.predict = Predict::opened(!self.state.predict.on);
                // What is on the screen cannot be asked any more.
                shown.into_iter().for_each(|place| self.state.predict.saw(place));
                self.pause();
            }
            Guess::Choose(choice) => {
                if let Some(question) = self.state.predict.open_mut() {
                    question.choice = Some(choice);
                }
            }
            Guess::Digit(digit) => self.state.predict.digit(digit, pcpus),
            Guess::Uncover => self.uncover(),
        }
    }

    /// What an action means while a question waits; gives it back if it means what it always does.
    pub(super) fn heard(&mut self, action: Action) -> Option<Action> {
        let Some(question) = self.state.predict.open() else { return Some(action) };
        let about_vcpu = question.is_about_vcpu();
        match action {
            Action::Step(Step { direction: Direction::Next, .. })
            | Action::Page(Direction::Next)
            | Action::TogglePlay => self.uncover(),
            // A click on the stage is a choice.
            Action::Row(pcpu) | Action::Cursor { pcpu, .. } | Action::GoMark { pcpu, .. }
                if !about_vcpu =>
            {
                self.guess(Guess::Choose(Choice::Pcpu(pcpu)));
            }
            other => return Some(other),
        }
        None
    }

    /// Shows a record, or asks about it first; says whether it is shown.
    pub(super) fn shows(&mut self, record: Record) -> bool {
        if self.state.predict.hides(record.place) {
            self.pose(record);
            return false;
        }
        self.state.selection.record = Some(record);
        self.state.selection.place = None;
        true
    }

    /// Asks about a decision: the cursor stands just before it, and nothing of it is known here.
    fn pose(&mut self, record: Record) {
        self.pause();
        self.state.predict.question = Some(Question::new(record));
        self.state.selection.record = None;
        self.state.selection.place = None;
        self.state.selection.why = None;
        self.state.row = self.checked_row(record.place.pcpu);
        self.hold_back(record.place);
        self.reveal();
        // The machine that it is taken on says who could be chosen; the rest is dropped unread.
        self.send(Request::Explain { run: self.state.run.id, record: record.record });
    }

    /// The cursor goes just before a place whose decision is to be asked about.
    pub(super) fn hold_back(&mut self, place: Place) {
        if self.state.predict.hides(place) {
            let duration_ns = self.state.run.duration_ns;
            self.state.cursor_ns = just_before(place).min(duration_ns);
        }
    }

    /// The machine that a decision is taken on has come, with what is decided, which is dropped;
    /// says whether it was for a question.
    pub(super) fn learned(&mut self, record: u32, now: &Now) -> bool {
        let Some(question) = self.state.predict.open_mut() else { return false };
        if question.record.record != record {
            return false;
        }
        let now = Rc::new(now.clone());
        question.now = Some(now.clone());
        self.state.now = Some(now);
        self.state.asked.snapshot_done_ns = Some(self.state.cursor_ns);
        true
    }

    /// Shows what was decided.
    fn uncover(&mut self) {
        let Some(question) = self.state.predict.open_mut() else { return };
        question.shown = true;
        let record = question.record;
        self.state.predict.saw(record.place);
        self.go(record);
    }

    /// A question is over once one stands elsewhere.
    pub(super) fn settle_question(&mut self) {
        let state = &self.state;
        let Some(question) = &state.predict.question else { return };
        let place = question.record.place;
        let here = if question.shown {
            state.selection.record == Some(question.record)
        } else {
            state.cursor_ns == just_before(place).min(state.run.duration_ns)
        };
        if !here {
            self.state.predict.question = None;
        }
    }
}

/// The last moment before a place, in ns.
fn just_before(place: Place) -> u64 {
    // Saturating: what is decided at the very start is asked at the very start.
    place.time_ns.saturating_sub(1)
}
