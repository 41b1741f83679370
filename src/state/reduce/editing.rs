//! The scenario editor: what an edit makes of the run.

use super::Cx;
use crate::protocol::{Place, Span};
use crate::state::edit::{Edit, Follows};
use crate::state::{Effect, Phase, Pictures, Selection, select};
use sim_core::scenario::Scenario;
use std::rc::Rc;

impl Cx {
    pub(super) fn edit(&mut self, edit: Edit) {
        match edit {
            Edit::Run => return self.run_draft(),
            Edit::Save => {
                let scenario = &self.state.edit.draft.scenario;
                let (name, text) = (file_name(scenario), scenario_json::to_json_lines(scenario));
                self.effects.push(Effect::SaveFile { name, text });
                return;
            }
            Edit::Copy => {
                let text = scenario_json::to_json_lines(&self.state.edit.draft.scenario);
                self.effects.push(Effect::CopyScenario(text));
                return;
            }
            // Where only the stage shows there is no editor.
            Edit::Open(true) if self.state.bare() => return,
            // Closed, it must not change what nobody sees.
            Edit::Undo | Edit::Redo if !self.state.edit.open => return,
            _ => {}
        }
        let left = matches!(edit, Edit::Done(_));
        let patches = self.state.patches;
        match Rc::make_mut(&mut self.state.edit).apply(edit, patches) {
            Follows::Nothing => {}
            Follows::Changed if left => self.run_draft(),
            Follows::Changed => self.effects.push(Effect::RunSoon),
            Follows::Patches(patches) => {
                self.run_draft();
                self.patches(patches);
            }
        }
    }

    /// Runs the draft, unless it runs already or cannot be run: then the last good run stays.
    fn run_draft(&mut self) {
        let draft = &self.state.edit.draft;
        let same = draft.scenario == self.state.scenario && draft.preset == self.state.preset;
        // A run that was refused or lost may be tried again by editing.
        if (same && self.state.run.phase != Phase::Gone) || !self.state.edit.problems().is_empty() {
            return;
        }
        let (scenario, preset) = (draft.scenario.clone(), draft.preset);
        let place = self.replace_scenario(scenario, preset);
        self.start(place);
    }

    /// Puts another scenario in the place of the one that runs: what is looked at stays as far as
    /// it is still there. Gives the place that was selected.
    fn replace_scenario(&mut self, scenario: Rc<Scenario>, preset: Option<u8>) -> Option<Place> {
        let state = &mut self.state;
        let end_ns = scenario.duration_ns;
        let whole = state.view.from_ns == 0 && state.view.to_ns == state.run.duration_ns;
        if whole || state.view.from_ns >= end_ns {
            state.view = Span { from_ns: 0, to_ns: end_ns };
        }
        state.view.to_ns = state.view.to_ns.min(end_ns);
        state.cursor_ns = state.cursor_ns.min(end_ns);
        state.range = state.range.filter(|range| range.to_ns <= end_ns);
        let pcpus = u16::try_from(scenario.topology.pcpu_count()).unwrap_or(u16::MAX);
        state.row = state.row.min(pcpus.saturating_sub(1)); // saturating: a valid one has a pCPU
        let shape = |scenario: &Scenario| -> Vec<usize> {
            scenario.domains.iter().map(|domain| domain.vcpus.len()).collect()
        };
        let place = select::place(state);
        if scenario.topology != state.scenario.topology
            || shape(&scenario) != shape(&state.scenario)
        {
            // What is shown names pCPUs and vCPUs that may be others now.
            state.now = None;
            state.selection = Selection::default();
            let Pictures { width_px, rows, .. } = state.pictures;
            state.pictures = Pictures { width_px, rows, ..Pictures::default() };
        }
        // The other side of a comparison was one of the scenario before.
        state.ab = None;
        state.flipped = None;
        state.run.duration_ns = end_ns;
        state.scenario = scenario;
        state.preset = preset;
        state.promised_digest = None;
        state.looks.story &= preset.is_some();
        let place = place.filter(|place| place.pcpu < pcpus && place.time_ns <= end_ns);
        state.selection.record = None;
        state.selection.place = place;
        place
    }
}

/// A file's name: letters, digits and hyphens of the scenario's name.
fn file_name(scenario: &Scenario) -> String {
    let letters = scenario.name.chars().take(60);
    let name: String = letters
        .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
        .collect();
    let name = name.trim_matches('-');
    format!("{}.json", if name.is_empty() { "scenario" } else { name })
}
