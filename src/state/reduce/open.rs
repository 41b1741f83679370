//! Opening a link, a preset, a file; starting a run with other patches.

use super::Cx;
use crate::protocol::{Place, Request, RunId, Span};
use crate::share::{Panels, ScenarioChoice, ShareState};
use crate::state::{Asked, Before, Effect, Phase, Pictures, Play, Predict, Run, Selection, Talk};
use sim_core::patches::PatchSet;
use sim_core::presets::{PRESETS, Preset};
use sim_core::scenario::Scenario;
use std::rc::Rc;

/// The longest scenario file that is read, in bytes.
const FILE_BYTES: usize = 4_000_000;

impl Cx {
    /// Opens a link; a broken one says so and leaves what is there, or opens the default.
    pub(super) fn open_link(&mut self, text: &str) {
        if text.is_empty() {
            self.open_preset(PRESETS[0].number);
            return;
        }
        match crate::share::decode(text) {
            Ok(link) => self.open_shared(link),
            Err(error) => {
                let first = self.state.run.id.0 == 0;
                if first {
                    self.open_preset(PRESETS[0].number);
                }
                let kept = if first { "the default opens" } else { "what was open stays" };
                self.problem(format!("This link cannot be opened: {error}; {kept}."));
            }
        }
    }

    fn open_shared(&mut self, link: ShareState) {
        if self.runs_already(&link) {
            return self.turn_to(link);
        }
        let (preset, scenario, opens) = match &link.scenario {
            ScenarioChoice::Preset(number) => {
                let Some(preset) = Preset::from_number(*number) else { return };
                (Some(*number), (preset.build)(), Opens::preset(preset))
            }
            ScenarioChoice::Own(scenario) => (None, (**scenario).clone(), Opens::whole(scenario)),
        };
        self.take(preset, scenario, link.patches, &opens);
        self.state.promised_digest = link.digest;
        self.show_link(&link);
        self.state.selection.place = link.selection;
        match link.b {
            None => self.start(link.selection),
            Some(b) => self.open_both(b, link.panels.has(Panels::HAND_B)),
        }
    }

    /// All that a link says besides what runs and what is selected.
    pub(super) fn show_link(&mut self, link: &ShareState) {
        self.place_link(link.view, link.cursor_ns);
        self.state.looks.story = self.state.preset.is_some() && link.selection.is_none();
        let row = link.row.or(link.selection.map(|place| place.pcpu));
        self.state.row = self.checked_row(row.unwrap_or(0));
        let range = link.range.map(|(from_ns, to_ns)| Span { from_ns, to_ns });
        self.range(range);
        let known = Panels::PRESENTING | Panels::HAND_B | Panels::PREDICT;
        self.state.panels = link.panels.with(known, false);
        self.state.predict = Predict::opened(link.panels.has(Panels::PREDICT));
        link.selection.into_iter().for_each(|place| self.hold_back(place));
        let presenting = link.panels.has(Panels::PRESENTING) && !self.state.looks.embed;
        if self.state.looks.presenting && !presenting {
            self.effects.push(Effect::FullScreen(false));
        }
        self.present(presenting);
        self.state.talk = Talk::opened(link.stops.clone(), |stop| {
            link.cursor_ns == Some(stop.cursor_ns)
                && link.view == Some(stop.view)
                && link.selection == stop.selection
                && stop.patches.is_none_or(|patches| patches == link.patches)
        });
        if let [first, ..] = link.skipped.as_slice() {
            let text = format!(
                "The link was made by a newer Tickle: its section {first}, which this page does not \
                 know, is left out."
            );
            self.notice(false, text, None);
        }
    }

    /// View and cursor of a link, as far as the run has them.
    fn place_link(&mut self, view: Option<(u64, u64)>, cursor_ns: Option<u64>) {
        let duration_ns = self.state.run.duration_ns;
        if let Some((from_ns, to_ns)) = view {
            if from_ns < to_ns && to_ns <= duration_ns {
                self.look_at(Span { from_ns, to_ns });
            } else {
                self.problem(format!(
                    "The link shows {from_ns} ns to {to_ns} ns, but the run goes from 0 to {duration_ns} ns; \
                     another stretch is shown."
                ));
            }
        }
        if let Some(cursor_ns) = cursor_ns {
            if cursor_ns <= duration_ns {
                self.state.cursor_ns = cursor_ns;
            } else {
                self.problem(format!(
                    "The link points at {cursor_ns} ns, but the run ends at {duration_ns} ns."
                ));
            }
        }
    }

    pub(super) fn open_preset(&mut self, number: u8) {
        let Some(preset) = Preset::from_number(number) else { return };
        self.take(Some(number), (preset.build)(), preset.patches, &Opens::preset(preset));
        self.state.looks.story = true;
        self.start(None);
    }

    /// Opens a scenario file; a bad one says so and leaves what is there.
    pub(super) fn open_file(&mut self, name: &str, text: &str) {
        let name: String = name.chars().take(60).collect();
        if text.len() > FILE_BYTES {
            let bytes = text.len();
            self.problem(format!("{name} has {bytes} bytes; a scenario has at most {FILE_BYTES}."));
            return;
        }
        let scenario = match scenario_json::parse(text) {
            Ok(scenario) => scenario,
            Err(error) => return self.problem(format!("{name} cannot be opened: {error}.")),
        };
        if let Err(error) = scenario.clone().validate() {
            return self.problem(format!("{name} cannot be run: {error}."));
        }
        let opens = Opens::whole(&scenario);
        self.take(None, scenario, self.state.patches, &opens);
        self.state.looks.story = false;
        self.start(None);
    }

    /// The same scenario with other patches: view, cursor and selection stay.
    pub(super) fn patches(&mut self, patches: PatchSet) {
        if patches == self.state.patches {
            return;
        }
        // What is compared with is the last run that came to its end.
        let done = self.state.run.summary.clone().filter(|_| self.state.run.cut.is_none());
        if let Some(summary) = done {
            self.state.before = Some(Before { patches: self.state.patches, summary });
        }
        self.state.patches = patches;
        self.start_again();
    }

    /// Runs again after a change; the selection stays where it is.
    pub(super) fn start_again(&mut self) {
        self.state.promised_digest = None;
        let place = crate::state::select::place(&self.state);
        self.state.selection.place = place;
        self.state.selection.record = None;
        self.start(place);
    }

    /// Takes a scenario in: everything that belonged to the one before goes.
    fn take(&mut self, preset: Option<u8>, scenario: Scenario, set: PatchSet, opens: &Opens) {
        let state = &mut self.state;
        state.ab = None;
        state.flipped = None;
        let scenario = Rc::new(scenario);
        // What stood there before the first scenario was opened was never seen.
        let before = (state.run.id.0 > 0).then_some(state.patches);
        Rc::make_mut(&mut state.edit).opened(scenario.clone(), preset, before);
        state.run.duration_ns = scenario.duration_ns;
        state.preset = preset;
        state.scenario = scenario;
        state.patches = set;
        state.view = opens.view;
        state.cursor_ns = opens.cursor_ns;
        state.row = 0;
        state.range = None;
        state.selection = Selection::default();
        state.now = None;
        state.before = None;
        state.promised_digest = None;
        state.talk = Talk::default();
        state.notices.clear();
        let Pictures { width_px, rows, .. } = state.pictures;
        state.pictures = Pictures { width_px, rows, ..Pictures::default() };
    }

    /// Starts a run of what is chosen.
    pub(super) fn start(&mut self, select: Option<Place>) {
        self.pause();
        let state = &mut self.state;
        let beside = state.ab.as_ref().map(|ab| ab.other.run.id);
        let last = beside.map_or(state.run.id.0, |other| other.0.max(state.run.id.0));
        let id = crate::protocol::RunId(last + 1);
        let duration_ns = state.scenario.duration_ns;
        state.run = Run { id, duration_ns, phase: Phase::Running, ..Run::default() };
        state.asked = Asked { last_ask: state.asked.last_ask, ..Asked::default() };
        state.play = Play { speed: state.play.speed, ..Play::default() };
        let scenario = scenario_json::to_json(&state.scenario);
        let patches = state.patches.bits();
        state.predict.forget();
        if let Some(ab) = &mut state.ab {
            ab.forget();
        }
        let request = match beside {
            Some(beside) => Request::Beside { run: id, beside, scenario, patches, select },
            None => Request::Run { run: id, scenario, patches, select },
        };
        self.effects.push(Effect::Mark("run-start"));
        self.send(request);
    }

    /// Ends the run, or the count behind it.
    pub(super) fn cancel(&mut self) {
        let other = self.state.ab.as_ref().map(|ab| &ab.other.run);
        let busy =
            |run: &&Run| run.phase == Phase::Running || crate::state::select::is_counting(run);
        let both = other.into_iter().chain([&self.state.run]).filter(busy);
        let both: Vec<RunId> = both.map(|run| run.id).collect();
        for run in both {
            self.send(Request::Cancel { run });
        }
    }
}

/// Where a scenario opens.
struct Opens {
    view: Span,
    cursor_ns: u64,
}

impl Opens {
    fn preset(preset: &Preset) -> Self {
        let (from_ns, to_ns) = preset.view_ns;
        Self { view: Span { from_ns, to_ns }, cursor_ns: preset.cursor_ns }
    }

    fn whole(scenario: &Scenario) -> Self {
        Self { view: Span { from_ns: 0, to_ns: scenario.duration_ns }, cursor_ns: 0 }
    }
}
