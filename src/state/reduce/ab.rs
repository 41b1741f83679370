//! Two runs side by side: opening, closing, taking one in hand, going to where they part.

use super::Cx;
use crate::protocol::comparison::{self, Sweep};
use crate::protocol::{Parting, Request, RunId, Side};
use crate::share::SideB;
use crate::state::{Ab, Effect, Phase, Purpose};
use sim_core::patches::{PATCHES, Patch, PatchKind, PatchSet};
use sim_core::presets::Preset;
use sim_core::scenario::{Params, Scenario};
use std::rc::Rc;

impl Cx {
    /// Puts a second run beside this one, or takes it away again.
    pub(super) fn toggle_ab(&mut self) {
        if self.state.ab.is_some() {
            return self.close_ab();
        }
        let patches = self.state.patches.flipped(self.telling_patch());
        self.open_ab(Ab::new(&self.state, patches));
    }

    /// Starts both sides of a link; the selection, if any, is of the one in hand.
    pub(super) fn open_both(&mut self, b: SideB, hand_b: bool) {
        let mut ab = Ab::new(&self.state, b.patches);
        ab.other.promised_digest = b.digest;
        let scenario = &self.state.scenario;
        let seed = b.seed.unwrap_or(scenario.seed);
        let params = b.params.unwrap_or_else(|| scenario.params.clone());
        ab.other.scenario = Rc::new(Scenario { seed, params, ..(**scenario).clone() });
        if hand_b {
            std::mem::swap(&mut ab.other.selection, &mut self.state.selection);
        }
        self.start(self.state.selection.place);
        self.open_ab(ab);
        if hand_b {
            self.state.exchange();
        }
    }

    /// Gives side B another seed and other parameters.
    pub(super) fn vary(&mut self, seed: u64, params: Params) {
        if self.state.ab.is_none() {
            return;
        }
        let elsewhere = self.state.side() == Side::A;
        if elsewhere {
            self.state.exchange();
        }
        let scenario = Scenario { seed, params, ..(*self.state.scenario).clone() };
        match scenario.clone().validate() {
            Err(error) => self.problem(format!("B cannot run like this: {error}.")),
            Ok(_) if scenario == *self.state.scenario => {}
            Ok(_) => {
                self.state.scenario = Rc::new(scenario);
                self.start_again();
            }
        }
        if elsewhere {
            self.state.exchange();
        }
    }

    /// Puts a run of this scenario with these patches beside the one in hand, in the place of
    /// another one if there is one.
    pub(super) fn put_beside(&mut self, patches: PatchSet, scenario: Scenario) {
        let mut ab = Ab::new(&self.state, patches);
        ab.other.scenario = Rc::new(scenario);
        if let Some(old) = &self.state.ab {
            // Numbers of runs are never given twice.
            ab.other.run.id = old.other.run.id;
        }
        self.open_ab(ab);
    }

    fn open_ab(&mut self, ab: Ab) {
        self.pause();
        self.state.ab = Some(Box::new(ab));
        self.state.exchange();
        self.start(self.state.selection.place);
        self.state.exchange();
    }

    /// The patch that the other side differs in at first: the one that was switched last, or else
    /// the first that the preset tells about.
    fn telling_patch(&self) -> Patch {
        let preset = self.state.preset.and_then(Preset::from_number);
        // What opens within the first series tells about that; what opens later is a demo.
        let later = |preset: &&Preset| {
            preset.patches.without(Patch::TicklePreferIdlers).bits()
                != PatchSet::of(&[Patch::PickDiscountAlone]).bits()
        };
        let told = preset.filter(later).and_then(|preset| {
            let mut demos = PATCHES.iter().filter(|info| info.demo == preset.slug);
            demos.find(|info| info.kind == PatchKind::Decision && !preset.patches.has(info.patch))
        });
        let told = told.map_or(Patch::TicklePreferIdlers, |info| info.patch);
        self.state.flipped.unwrap_or(told)
    }

    /// Ends the comparison; A stays.
    pub(super) fn close_ab(&mut self) {
        self.hand(Side::A);
        if self.state.ab.take().is_some() && self.state.run.phase != Phase::Gone {
            self.send(Request::Alone { run: self.state.run.id });
        }
    }

    /// Takes a side in hand: steps and panels are about it from now on.
    pub(super) fn hand(&mut self, side: Side) {
        if self.state.ab.is_none() || self.state.side() == side {
            return;
        }
        self.pause();
        // It was about a record of the run that was in hand.
        self.state.predict.question = None;
        self.state.asked.finds.retain(|(_, purpose)| *purpose == Purpose::Match);
        self.state.exchange();
        self.state.asked.finds.retain(|(_, purpose)| *purpose != Purpose::Match);
        if let Some(ab) = &mut self.state.ab {
            ab.matched = None;
        }
        if self.state.selection.record.is_none() {
            self.follow();
        }
    }

    /// Runs both sides over many seeds.
    pub(super) fn sweep(&mut self, seeds: u32) {
        let Some(ab) = &mut self.state.ab else { return };
        ab.sweep_ask += 1;
        let ask = ab.sweep_ask;
        ab.sweep = Some(Rc::new(Sweep { of: seeds, goes_on: true, ..Sweep::default() }));
        let own = (&self.state.scenario, self.state.patches);
        let other = (&ab.other.scenario, ab.other.patches);
        let sides = ab.side.in_order(own, other);
        let sides = sides.map(|(scenario, set)| (scenario_json::to_json(scenario), set.bits()));
        self.send(Request::Sweep { ask, sides, seeds });
    }

    /// Runs no further seed.
    pub(super) fn stop_sweep(&mut self) {
        if let Some(ab) = &self.state.ab {
            let ask = ab.sweep_ask;
            self.send(Request::StopSweep { ask });
        }
    }

    /// Another seed is done.
    pub(super) fn swept(&mut self, ask: u32, sweep: Sweep) {
        if let Some(ab) = &mut self.state.ab
            && ab.sweep_ask == ask
            && ab.sweep.is_some()
        {
            ab.sweep = Some(Rc::new(sweep));
        }
    }

    /// Copies the figures as text, with the link.
    pub(super) fn copy_figures(&mut self) {
        let (Some(sweep), Some(head)) = (self.state.compared(), self.state.head()) else { return };
        let text = comparison::text(&head, &sweep);
        let link = crate::share::encode(&crate::state::select::share_state(&self.state));
        self.effects.push(Effect::CopyText { text, link });
    }

    /// Where the two runs part is known.
    pub(super) fn parted(&mut self, runs: [RunId; 2], parting: Parting) {
        let own = self.state.run.id;
        let Some(ab) = &mut self.state.ab else { return };
        let both = [own, ab.other.run.id];
        if !both.iter().all(|run| runs.contains(run)) {
            return;
        }
        ab.parting = Some(parting);
        if std::mem::take(&mut ab.go) {
            self.go_parting();
        }
    }

    /// Goes to the record at which the two runs part, in both.
    pub(super) fn go_parting(&mut self) {
        self.pause();
        self.state.looks.story = false;
        let Some(ab) = &mut self.state.ab else { return };
        let Some(parting) = ab.parting else {
            ab.go = true;
            return self.notice(
                false,
                "A and B are alike as far as they have come; the page goes to where they part."
                    .into(),
                None,
            );
        };
        match (ab.parting_records(), parting) {
            (Some([own, other]), _) => {
                ab.other.selection.record = other;
                ab.other.selection.place = None;
                match (own, other) {
                    (Some(record), _) => self.go(record),
                    (None, Some(record)) => {
                        self.jump(record.place.time_ns);
                        self.state.row = self.checked_row(record.place.pcpu);
                    }
                    (None, None) => {}
                }
            }
            (None, Parting::NotBefore(ns)) => {
                let until = sim_core::units::SimDuration::from_ns(ns);
                self.notice(
                    false,
                    format!("A and B are alike up to {until}, where one was stopped."),
                    None,
                );
            }
            (None, _) => {
                let text = "A and B are the same run, record for record: they never part.";
                self.notice(false, text.into(), None);
            }
        }
    }

    /// The other run's selection follows the one in hand: the record of the same place, or the one
    /// where the two part.
    pub(super) fn settle_match(&mut self) {
        let (own, cursor_ns) = (self.state.selection.record, self.state.cursor_ns);
        let Some(ab) = &mut self.state.ab else { return };
        if ab.other.run.phase == Phase::Gone {
            return;
        }
        let records = ab.parting_records();
        let other = &mut ab.other;
        let Some(record) = own else {
            let there = other.selection.record;
            if there.is_some_and(|record| record.place.time_ns != cursor_ns) {
                other.selection.record = None;
            }
            return;
        };
        if let Some([Some(parts), counterpart]) = records
            && parts == record
        {
            other.selection.record = counterpart;
            ab.matched = None;
            return;
        }
        let wanted = (other.run.id, record.place);
        let asking = other.asked.finds.iter().any(|(_, purpose)| *purpose == Purpose::Match);
        let there = other.run.phase == Phase::Ended || other.run.reached_ns > record.place.time_ns;
        if ab.matched == Some(wanted) || asking || !there {
            return;
        }
        ab.matched = Some(wanted);
        other.asked.last_ask = other.asked.last_ask.wrapping_add(1).max(1);
        let ask = other.asked.last_ask;
        other.asked.finds.push((ask, Purpose::Match));
        let request = Request::At { run: other.run.id, ask, place: record.place };
        self.send(request);
    }
}
