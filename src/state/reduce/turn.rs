//! Going to a link of what runs already, as Back and Forward do: only what is another one there
//! runs anew.

use super::Cx;
use crate::protocol::{Request, Side};
use crate::share::{Panels, ScenarioChoice, ShareState, SideB};
use crate::state::{Phase, Purpose};
use sim_core::scenario::Scenario;

impl Cx {
    /// Whether a link is about the scenario that runs.
    pub(super) fn runs_already(&self, link: &ShareState) -> bool {
        let state = &self.state;
        let other = state.ab.as_ref().map_or(&state.scenario, |ab| &ab.other.scenario);
        let [a, _] = state.sides(&state.scenario, other);
        let same = match &link.scenario {
            ScenarioChoice::Preset(number) => state.preset == Some(*number),
            ScenarioChoice::Own(own) => state.preset.is_none() && **own == **a,
        };
        let gone = state.ab.as_ref().is_some_and(|ab| ab.other.run.phase == Phase::Gone);
        same && state.run.id.0 > 0 && state.run.phase != Phase::Gone && !gone
    }

    /// Shows what a link says of the scenario that runs.
    pub(super) fn turn_to(&mut self, link: ShareState) {
        self.pause();
        self.state.notices.clear();
        if self.state.side() == Side::B {
            self.exchange_quietly();
        }
        let hand_b = link.panels.has(Panels::HAND_B) && link.b.is_some();
        self.turn_b(link.b.as_ref());
        self.show_link(&link);
        if link.patches == self.state.patches {
            self.state.promised_digest = link.digest;
            self.check_digest();
            if hand_b {
                self.exchange_quietly();
            }
            return self.seek(link.selection);
        }
        self.state.selection.record = None;
        self.state.selection.place = link.selection.filter(|_| !hand_b);
        self.patches(link.patches);
        self.state.promised_digest = link.digest;
        if hand_b {
            self.exchange_quietly();
            self.seek(link.selection);
        }
    }

    /// Takes the other side in hand; what was looked for on either is forgotten.
    fn exchange_quietly(&mut self) {
        for _ in 0..2 {
            self.state.exchange();
            self.state.asked.finds.retain(|(_, purpose)| *purpose == Purpose::Match);
        }
        self.state.exchange();
        if let Some(ab) = &mut self.state.ab {
            ab.matched = None;
        }
    }

    /// Makes side B what the link says, or ends the comparison. Side A is in hand.
    fn turn_b(&mut self, b: Option<&SideB>) {
        let Some(b) = b else {
            if self.state.ab.take().is_some() {
                self.send(Request::Alone { run: self.state.run.id });
            }
            return;
        };
        let a = &self.state.scenario;
        let seed = b.seed.unwrap_or(a.seed);
        let params = b.params.as_ref().unwrap_or(&a.params);
        let same = self.state.ab.as_ref().is_some_and(|ab| {
            let other = &ab.other;
            other.patches == b.patches
                && other.scenario.seed == seed
                && other.scenario.params == *params
        });
        if !same {
            let scenario = Scenario { seed, params: params.clone(), ..(**a).clone() };
            self.put_beside(b.patches, scenario);
        }
        if let Some(ab) = &mut self.state.ab {
            ab.other.promised_digest = b.digest;
        }
    }
}
