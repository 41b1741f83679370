//! Playing: the cursor follows the speed, and no decision is passed without being shown or counted.

use super::Cx;
use crate::protocol::{Direction, From, Record, Span, Wanted};
use crate::state::{Phase, Purpose, SPEEDS};

/// The longest real time that one frame may stand for, in µs: a tab that slept does not leap.
const FRAME_US: u64 = 250_000;

impl Cx {
    pub(super) fn pause(&mut self) {
        self.state.play.on = false;
        // A search that playing had under way is none of the next step's business.
        let plays = |purpose| matches!(purpose, Purpose::PlayNext | Purpose::PlayPassed);
        self.state.asked.finds.retain(|(_, purpose)| !plays(*purpose));
    }

    pub(super) fn toggle_play(&mut self) {
        if self.state.play.on {
            return self.pause();
        }
        if self.state.run.phase == Phase::Gone {
            return;
        }
        self.state.looks.story = false;
        if self.state.cursor_ns >= self.state.run.duration_ns {
            self.jump(0);
        }
        let cursor_ns = self.state.cursor_ns;
        let play = &mut self.state.play;
        play.on = true;
        play.due_ns = cursor_ns;
        play.clear_ns = cursor_ns;
        play.next = None;
        play.shown = None;
        play.passed = 0;
        // What was clicked may lie elsewhere; playing goes on from the cursor.
        let record = self.state.selection.record;
        if record.is_some_and(|record| record.place.time_ns != cursor_ns) {
            self.state.selection.record = None;
        }
        self.ask_next();
    }

    pub(super) fn speed(&mut self, speed: usize) {
        if speed < SPEEDS.len() {
            self.state.play.speed = speed;
            self.state.play.due_ns = self.state.cursor_ns;
        }
    }

    fn ask_next(&mut self) {
        if self.is_finding(Purpose::PlayNext) || self.is_finding(Purpose::PlayPassed) {
            return;
        }
        let from = match self.state.selection.record {
            Some(record) => From::Record(record.record),
            None => From::Time(self.state.cursor_ns),
        };
        self.find(from, Direction::Next, Wanted::Decision, Purpose::PlayNext);
    }

    /// A frame: the cursor moves as far as it may without passing an unseen decision.
    pub(super) fn frame(&mut self, elapsed_us: u64) {
        if !self.state.play.on {
            return;
        }
        let known_ns = self.known_ns();
        let play = &mut self.state.play;
        play.advance(elapsed_us.min(FRAME_US));
        play.due_ns = play.due_ns.min(known_ns);
        let due_ns = play.due_ns;
        match play.next {
            Some((record, _)) if record.place.time_ns <= due_ns => {
                if self.state.predict.hides(record.place) {
                    self.shows(record);
                } else if play.is_behind(record.place.time_ns) {
                    // Too fast for single steps: go on, and count what was passed.
                    play.next = None;
                    self.move_to(due_ns);
                    let from = From::Time(due_ns);
                    self.find(from, Direction::Previous, Wanted::Decision, Purpose::PlayPassed);
                } else {
                    self.arrive();
                }
            }
            Some(_) => self.move_to(due_ns),
            None => {
                self.move_to(due_ns.min(self.state.play.clear_ns));
                self.ask_next();
            }
        }
        let over = self.state.run.phase != Phase::Running;
        if over && self.state.cursor_ns >= known_ns {
            self.pause();
        }
    }

    /// The cursor stands on the next decision: show it, and ask for the one behind it.
    fn arrive(&mut self) {
        if let Some((record, decisions)) = self.state.play.next.take() {
            self.show(record, decisions);
            self.move_to(record.place.time_ns);
            self.ask_next();
        }
    }

    fn show(&mut self, record: Record, decisions: u32) {
        let play = &mut self.state.play;
        play.passed = play.shown.map_or(1, |shown| decisions.saturating_sub(shown).max(1));
        play.shown = Some(decisions);
        self.state.selection.record = Some(record);
        self.state.selection.place = None;
        self.state.row = self.checked_row(record.place.pcpu);
    }

    /// Moves the cursor on; the view goes with it once it is three quarters through.
    fn move_to(&mut self, time_ns: u64) {
        let cursor = time_ns.max(self.state.cursor_ns);
        self.state.cursor_ns = cursor;
        let Span { from_ns, to_ns } = self.state.view;
        let length = to_ns - from_ns;
        if cursor < from_ns || cursor > to_ns {
            self.reveal();
        } else if cursor > from_ns + length / 4 * 3 {
            let from_ns = cursor - length / 4 * 3;
            self.look_at(Span { from_ns, to_ns: from_ns + length });
        }
    }

    /// The next decision is known, or that there is none as far as the run has come.
    pub(super) fn play_next(&mut self, found: Option<(Record, u32)>) {
        let known_ns = self.known_ns();
        let play = &mut self.state.play;
        play.next = found;
        match found {
            // What lies behind the cursor counts as shown.
            Some((_, decisions)) => {
                play.shown.get_or_insert(decisions.saturating_sub(1));
            }
            None => play.clear_ns = known_ns,
        }
    }

    /// The last decision passed is known.
    pub(super) fn play_passed(&mut self, found: Option<(Record, u32)>) {
        if let Some((record, decisions)) = found {
            self.show(record, decisions);
        }
        self.ask_next();
    }
}
