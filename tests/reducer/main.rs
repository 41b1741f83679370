//! The page's reducer: what actions make of the state and what they ask of the outside.
//!
//! A fake worker with a handful of records answers, so that whole walks can be played.

mod ab;
mod levels;
mod magnifier;
mod predict;
mod properties;
mod stretches;
mod talk;
mod views;
mod walks;
mod worker;

use std::fmt::Write as _;
use tickle::protocol::{Request, Response};
use tickle::state::{Action, Effect, Phase, State, reduce};
use worker::Worker;

/// A page with its worker; every request is answered at once unless held back.
pub struct Page {
    /// The state.
    pub state: State,
    /// All effects so far that are no requests.
    pub effects: Vec<Effect>,
    /// All requests so far.
    pub requests: Vec<Request>,
    worker: Worker,
    held: Option<Vec<Response>>,
}

impl Page {
    /// A page just opened with a link.
    pub fn opened(link: &str) -> Self {
        let mut page = Self {
            state: State::default(),
            effects: vec![],
            requests: vec![],
            worker: Worker::default(),
            held: None,
        };
        page.does(Action::Sized { width_px: 800, rows: (0, 4) });
        page.does(Action::OpenLink(link.into()));
        page
    }

    /// Does an action, and everything that follows from it.
    pub fn does(&mut self, action: Action) {
        let mut waiting = vec![action];
        while let Some(action) = waiting.pop() {
            let (state, effects) = reduce(self.state.clone(), action);
            self.state = state;
            let mut answers = vec![];
            for effect in effects {
                match effect {
                    Effect::Send(request) => {
                        answers.extend(self.worker.answer(&request));
                        self.requests.push(request);
                    }
                    other => self.effects.push(other),
                }
            }
            match &mut self.held {
                Some(held) => held.extend(answers),
                None => {
                    let answers = answers.into_iter().rev();
                    waiting.splice(0..0, answers.map(|answer| Action::Answer(Box::new(answer))));
                }
            }
        }
    }

    /// Holds the worker's answers back.
    pub fn hold(&mut self) {
        self.held = Some(vec![]);
    }

    /// Lets the answers that were held back arrive.
    pub fn release(&mut self) {
        for answer in self.held.take().unwrap_or_default() {
            self.does(Action::Answer(Box::new(answer)));
        }
    }

    /// The state in a line.
    pub fn text(&self) -> String {
        let state = &self.state;
        let ms = |ns: u64| format!("{}.{:03}", ns / 1_000_000, ns % 1_000_000 / 1_000);
        let phase = match state.run.phase {
            Phase::Running => "runs",
            Phase::Ended => "over",
            Phase::Gone => "gone",
        };
        let (from, to) = (ms(state.view.from_ns), ms(state.view.to_ns));
        let mut text = format!("run {} {phase} | {from} to {to}", state.run.id.0);
        write!(text, " | at {} p{}", ms(state.cursor_ns), state.row).expect("a string");
        match (state.selection.record, tickle::state::select::why(state)) {
            (Some(record), Some(_)) => write!(text, " | #{}", record.record),
            (Some(record), None) => write!(text, " | #{}?", record.record),
            (None, _) => write!(text, " | –"),
        }
        .expect("a string");
        if state.play.on {
            write!(text, " | plays, {} passed", state.play.passed).expect("a string");
        }
        for notice in &state.notices {
            write!(text, " | “{}”", notice.text).expect("a string");
        }
        text
    }
}
