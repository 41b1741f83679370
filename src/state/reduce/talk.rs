//! A talk: making stops, going from one to the next, the flight between.

use super::Cx;
use crate::protocol::{Direction, Place, Record, Request, Side, Span};
use crate::share::{CAPTION_MAX, STOPS_MAX, Stop};
use crate::state::talk::{FLIGHT_US, Flight};
use crate::state::{Action, Phase, Purpose, Step, StepTo, TalkDo, select};
use std::rc::Rc;

/// Whether a flight goes on when this happens; whatever a person does ends it.
pub(super) fn lets_fly(action: &Action) -> bool {
    let by_itself = matches!(
        action,
        Action::Frame { .. }
            | Action::Answer(_)
            | Action::Sized { .. }
            | Action::Window(..)
            | Action::System(_)
            | Action::Newer(_)
    );
    // These must know that there was one.
    by_itself || matches!(action, Action::Page(_))
}

impl Cx {
    pub(super) fn talk(&mut self, what: TalkDo) {
        match what {
            TalkDo::Add => self.add_stop(),
            TalkDo::Go(index) => self.go_stop(index),
            TalkDo::Caption(index, caption) => self.caption(index, caption),
            TalkDo::Raise(index) => {
                let stops = Rc::make_mut(&mut self.state.talk.stops);
                if index > 0 && index < stops.len() {
                    stops.swap(index - 1, index);
                    self.state.talk.at = self.state.talk.at.map(|at| match at {
                        _ if at == index => index - 1,
                        _ if at + 1 == index => index,
                        other => other,
                    });
                }
            }
            TalkDo::Delete(index) => self.delete_stop(index),
            TalkDo::Open(open) => self.state.talk.open = open,
        }
    }

    /// Makes a stop of what is shown.
    fn add_stop(&mut self) {
        let state = &self.state;
        if state.talk.stops.len() >= STOPS_MAX {
            let text = format!("A talk has at most {STOPS_MAX} stops: this one is not added.");
            return self.problem(text);
        }
        let view = state.view_to_be();
        let stop = Stop {
            view: (view.from_ns, view.to_ns),
            cursor_ns: state.cursor_ns,
            row: state.row,
            selection: select::place(state),
            range: state.range.map(|range| (range.from_ns, range.to_ns)),
            caption: String::new(),
            patches: Some(state.patches_of_a()),
        };
        let talk = &mut self.state.talk;
        let at = talk.at.map_or(talk.stops.len(), |at| at + 1);
        Rc::make_mut(&mut talk.stops).insert(at, stop);
        talk.at = Some(at);
        talk.open = true;
    }

    fn delete_stop(&mut self, index: usize) {
        let talk = &mut self.state.talk;
        if index >= talk.stops.len() {
            return;
        }
        Rc::make_mut(&mut talk.stops).remove(index);
        talk.at = match talk.at {
            Some(at) if at >= index => at.checked_sub(1),
            other => other,
        };
        talk.open &= !talk.stops.is_empty();
    }

    fn caption(&mut self, index: usize, caption: String) {
        if index >= self.state.talk.stops.len() {
            return;
        }
        let length = caption.chars().count();
        if length > CAPTION_MAX {
            self.problem(format!(
                "A caption has at most {CAPTION_MAX} characters; this one has {length} and is cut."
            ));
        }
        let caption = caption.chars().take(CAPTION_MAX).collect();
        Rc::make_mut(&mut self.state.talk.stops)[index].caption = caption;
    }

    /// The next or previous stop while stops are walked, or else a decision. During a flight it
    /// only ends that.
    pub(super) fn page(&mut self, direction: Direction) {
        if self.state.talk.flight.is_some() {
            return self.land();
        }
        if !self.state.walks() {
            return self.step(Step { direction, to: StepTo::Decision });
        }
        let last = self.state.talk.stops.len() - 1;
        match (self.state.talk.at, direction) {
            (None, Direction::Next) => self.go_stop(0),
            (Some(at), Direction::Next) if at < last => self.go_stop(at + 1),
            (Some(at), Direction::Previous) if at > 0 => self.go_stop(at - 1),
            // Whoever has gone elsewhere comes back; at its end a talk stays.
            (Some(at), _) => self.go_stop(at),
            (None, _) => {}
        }
    }

    fn go_stop(&mut self, index: usize) {
        let Some(stop) = self.state.talk.stops.get(index).cloned() else { return };
        self.pause();
        self.state.looks.story = false;
        self.state.notices.retain(|notice| notice.problem);
        self.state.talk.at = Some(index);
        self.state.cursor_ns = stop.cursor_ns.min(self.state.run.duration_ns);
        stop.selection.into_iter().for_each(|place| self.hold_back(place));
        self.state.row = self.checked_row(stop.row);
        self.range(stop.range.map(|(from_ns, to_ns)| Span { from_ns, to_ns }));
        match stop.patches.filter(|patches| *patches != self.state.patches_of_a()) {
            Some(patches) if self.state.side() == Side::B => {
                self.state.exchange();
                self.patches(patches);
                self.state.exchange();
                self.seek(stop.selection);
            }
            Some(patches) => {
                self.state.selection.record = None;
                self.state.selection.place = stop.selection;
                self.patches(patches);
            }
            None => self.seek(stop.selection),
        }
        let (from_ns, to_ns) = stop.view;
        self.fly_to(Span { from_ns, to_ns });
    }

    /// Selects the record of a place of the run in hand, or none; cursor and view stay.
    pub(super) fn seek(&mut self, place: Option<Place>) {
        let elsewhere = |purpose| {
            matches!(purpose, Purpose::Go | Purpose::GoChanged | Purpose::Follow | Purpose::Place)
        };
        self.state.asked.finds.retain(|(_, purpose)| !elsewhere(*purpose));
        let selection = &mut self.state.selection;
        if place.is_some() && selection.record.map(|record| record.place) == place {
            selection.place = None;
            return;
        }
        selection.record = None;
        selection.place = place;
        self.look_up();
    }

    /// Asks for the record of the place that is looked for.
    pub(super) fn look_up(&mut self) {
        let run = self.state.run.id;
        if let Some(place) = self.state.selection.place
            && !self.is_finding(Purpose::Place)
            && let Some(ask) = self.ask(Purpose::Place)
        {
            self.send(Request::At { run, ask, place });
        }
    }

    /// The record of the place that is looked for, or none; a run that goes on may still bring it.
    pub(super) fn looked_up(&mut self, record: Option<Record>) {
        let selection = &mut self.state.selection;
        if selection.place.is_some() && (record.is_some() || self.state.run.phase != Phase::Running)
        {
            selection.place = None;
            if let Some(record) = record {
                self.shows(record);
            }
        }
    }

    /// Moves the view there, at once for whoever wants nothing to move.
    fn fly_to(&mut self, to: Span) {
        let from = self.state.view;
        self.look_at(to);
        let to = self.state.view;
        if !self.state.looks.system.still && from != to && self.state.pictures.width_px > 0 {
            self.state.view = from;
            self.state.talk.flight = Some(Flight { from, to, passed_us: 0 });
        }
    }

    /// A frame of the flight.
    pub(super) fn fly(&mut self, elapsed_us: u64) {
        let Some(flight) = &mut self.state.talk.flight else { return };
        flight.passed_us = flight.passed_us.saturating_add(elapsed_us);
        if flight.passed_us >= FLIGHT_US {
            return self.land();
        }
        let view = flight.view();
        self.look_at(view);
    }

    /// Ends the flight where it was to end.
    pub(super) fn land(&mut self) {
        if let Some(flight) = self.state.talk.flight.take() {
            self.look_at(flight.to);
        }
    }
}
