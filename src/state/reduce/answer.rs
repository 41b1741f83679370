//! What the worker says. Answers about an older run are dropped.

use super::Cx;
use crate::protocol::{Explanation, LevelPicture, Now, Record, Response, Summary};
use crate::state::{Asked, Effect, Phase, Purpose, Selection, select};
use std::rc::Rc;

impl Cx {
    pub(super) fn answer(&mut self, response: Response) {
        if let Response::Parting { runs, parting } = response {
            return self.parted(runs, parting);
        }
        if let Response::Under(under) = response {
            let magnifier = &mut self.state.magnifier;
            magnifier.asked = magnifier.asked.filter(|asked| *asked != under.spot);
            magnifier.told = Some(Rc::new(under));
            return;
        }
        if let Some(run) = response.run().filter(|run| *run != self.state.run.id) {
            if self.state.ab.as_ref().is_some_and(|ab| ab.other.run.id == run) {
                self.state.exchange();
                self.answered(response);
                self.state.exchange();
            }
            return;
        }
        self.answered(response);
    }

    /// An answer about the run in hand, or about none.
    fn answered(&mut self, response: Response) {
        match response {
            Response::Refused { sentence, .. } => self.refused(sentence),
            Response::Progress { reached_ns, duration_ns, records, .. } => {
                let run = &mut self.state.run;
                run.reached_ns = reached_ns.min(duration_ns).min(run.duration_ns);
                run.records = records;
            }
            Response::Ended { summary, cut, .. } => self.ended(*summary, cut),
            Response::Tile(tile) => {
                self.state.asked.tile_done = self.state.asked.tile.take();
                let tile = Rc::new(tile);
                select::keep(&mut self.state.pictures.kept, tile.clone());
                self.state.pictures.tile = Some(tile);
            }
            Response::Overview(overview) => {
                self.state.asked.overview_done = self.state.asked.overview.take();
                self.state.pictures.overview = Some(Rc::new(overview));
            }
            Response::Stretch(stretch) => {
                let Some(asked) = self.state.asked.stretch.take() else { return };
                let stretches = &mut self.state.pictures.stretches;
                let place =
                    if asked.each_vcpu { &mut stretches.range } else { &mut stretches.view };
                *place = Some(Rc::new(stretch));
            }
            Response::Levels(levels) => self.levels_told(levels),
            Response::Found { ask, record, decisions, .. } => self.found(ask, record, decisions),
            Response::Explained { explanation, now, .. } => self.explained(*explanation, now),
            Response::Snapshot { now, .. } => {
                self.state.asked.snapshot_done_ns = self.state.asked.snapshot_ns.take();
                self.state.now = Some(Rc::new(now));
            }
            Response::Flips { flips, .. } => self.state.run.flips = Some(Rc::new(flips)),
            Response::Panicked { message } => self.panicked(&message),
            Response::Swept { ask, sweep } => self.swept(ask, *sweep),
            // Both are about either of two runs.
            Response::Parting { .. } | Response::Under(_) => {}
        }
    }

    /// Levels, or a part of them; those of an older question are dropped.
    fn levels_told(&mut self, levels: LevelPicture) {
        let asked = &mut self.state.asked;
        if asked.levels_ask != levels.ask {
            return;
        }
        if let Some(key) = asked.levels.take() {
            asked.levels_done = Some(key);
        }
        self.state.pictures.levels = Some(Rc::new(levels));
    }

    fn refused(&mut self, sentence: String) {
        self.pause();
        self.state.run.phase = Phase::Gone;
        self.problem(sentence);
    }

    fn ended(&mut self, summary: Summary, cut: Option<String>) {
        let run = &mut self.state.run;
        run.phase = Phase::Ended;
        run.records = summary.records;
        run.reached_ns = summary.end_ns.min(run.duration_ns);
        run.summary = Some(Rc::new(summary));
        run.cut.clone_from(&cut);
        self.effects.push(Effect::Mark("run-end"));
        self.look_up();
        // The last picture may have been made just before the end.
        self.state.asked.tile_done = None;
        if let Some(sentence) = cut {
            let side = self.state.ab.as_ref().map(|ab| ab.side.name());
            let text = side.map_or(sentence.clone(), |side| format!("{side}: {sentence}"));
            self.notice(false, text, None);
        } else {
            self.check_digest();
        }
    }

    /// Compares the run with what the link promised.
    pub(super) fn check_digest(&mut self) {
        let Some(promised) = self.state.promised_digest else { return };
        if let Some(digest) = select::digest(&self.state.run).filter(|digest| *digest != promised) {
            let side =
                self.state.ab.as_ref().map_or(String::new(), |ab| format!("{}: ", ab.side.name()));
            self.problem(format!(
                "{side}The link was made from a run with digest {promised:016x}; here it is \
                 {digest:016x}: this is not the same run."
            ));
        }
    }

    fn found(&mut self, ask: u32, record: Option<Record>, decisions: u32) {
        if ask == 0 {
            // The place that a link or the run before had.
            if self.state.selection.place.take().is_some()
                && let Some(record) = record
            {
                self.shows(record);
            }
            return;
        }
        let finds = &mut self.state.asked.finds;
        let Some(at) = finds.iter().position(|(number, _)| *number == ask) else { return };
        let (_, purpose) = finds.remove(at);
        let found = record.map(|record| (record, decisions));
        match (purpose, record) {
            (Purpose::Go | Purpose::GoChanged, Some(record)) => self.go(record),
            (Purpose::Go | Purpose::GoChanged, None) => {
                let text = if self.state.run.phase == Phase::Running {
                    "There is no further one yet; the run goes on."
                } else if purpose == Purpose::GoChanged && select::is_counting(&self.state.run) {
                    "There is no further one yet; changed decisions are still being counted."
                } else {
                    "There is no further one in this run."
                };
                self.notice(false, text.into(), None);
            }
            (Purpose::Follow, Some(record)) => {
                let later = record.place.time_ns >= self.state.cursor_ns;
                if later && self.state.predict.hides(record.place) {
                    self.state.selection.record = None;
                } else if record.place.pcpu == self.state.row {
                    self.state.selection.record = Some(record);
                    self.state.selection.place = None;
                } else {
                    self.follow();
                }
            }
            (Purpose::Follow, None) => self.state.selection.record = None,
            (Purpose::PlayNext, _) => self.play_next(found),
            (Purpose::PlayPassed, _) => self.play_passed(found),
            (Purpose::Match, record) => self.state.selection.record = record,
            (Purpose::Place, record) => self.looked_up(record),
        }
    }

    fn explained(&mut self, explanation: Explanation, now: Now) {
        let number = explanation.record.record;
        if self.learned(number, &now) {
            self.state.asked.explain.take_if(|asked| *asked == number);
            return;
        }
        self.state.predict.count(number, &explanation.outcome);
        let asked_by_number = self.state.selection.record.is_none();
        if self.state.asked.explain == Some(number) {
            self.state.asked.explain = None;
            if asked_by_number {
                self.go(explanation.record);
            }
        }
        if self.state.selection.record.is_some_and(|record| record.record == number) {
            if self.state.cursor_ns == explanation.record.place.time_ns {
                self.state.now = Some(Rc::new(now));
                self.state.asked.snapshot_done_ns = Some(self.state.cursor_ns);
            }
            self.state.selection.why_run = self.state.run.id;
            self.state.selection.why = Some(Rc::new(explanation));
        }
    }

    /// The worker is gone and a new one stands ready: what was asked will never be answered. A
    /// run that had come to its end does so again, this time with nothing selected.
    fn panicked(&mut self, message: &str) {
        self.pause();
        let again = self.state.run.phase == Phase::Ended && !self.state.run.again;
        let link = crate::share::encode(&select::share_state(&self.state));
        self.state.run.phase = Phase::Gone;
        self.state.asked = Asked { last_ask: self.state.asked.last_ask, ..Asked::default() };
        self.state.magnifier.asked = None;
        if let Some(ab) = &mut self.state.ab {
            ab.forget();
            ab.other.run.phase = Phase::Gone;
            ab.other.asked = Asked::default();
        }
        let message: String = message.chars().take(200).collect();
        let text = format!("The simulation stopped with an error of its own: {message}.");
        self.notice(true, text, Some(link));
        if again {
            self.state.selection = Selection::default();
            self.start(None);
            self.state.run.again = true;
            if self.state.ab.is_some() {
                self.state.exchange();
                self.state.selection = Selection::default();
                self.start(None);
                self.state.exchange();
            }
        }
    }
}
