//! Two runs side by side: how they come to lie there, and where they part.

use super::run::Run;
use super::{Engine, checked};
use crate::protocol::{Parting, Place, Response, RunId};
use sim_core::ids::DecisionId;

impl Engine {
    /// Starts a run; ends all others but the one that it lies beside.
    pub(super) fn start(
        &mut self,
        beside: Option<RunId>,
        run: RunId,
        (scenario, patches): (&str, u64),
        select: Option<Place>,
    ) -> Vec<Response> {
        match checked(scenario, patches) {
            Ok((scenario, patches)) => {
                let new = Run::new(run, &scenario, patches, select);
                let progress = new.progress();
                self.keep(beside);
                self.runs.push(new);
                self.parting = (self.runs.len() == 2).then(sim_core::run::Parting::default);
                vec![progress]
            }
            // What ran before stays usable.
            Err(sentence) => vec![Response::Refused { run, sentence }],
        }
    }

    /// Ends all runs but this one.
    pub(super) fn keep(&mut self, stays: Option<RunId>) {
        self.runs.retain(|run| Some(run.id()) == stays);
        self.parting = None;
        self.sweep = None;
    }

    /// Compares two runs as far as both have come; tells where they part once that is known.
    pub(super) fn part(&mut self) -> Option<Response> {
        let (Some(parting), [one, other]) = (&mut self.parting, &self.runs[..]) else {
            return None;
        };
        let [left, right] = [one, other].map(|run| run.recording().trace());
        let at = |id: DecisionId| Parting::At([one, other].map(|run| (run.id(), run.record(id))));
        let found = match parting.go_on(left, right) {
            Some(id) => at(id),
            None if !one.is_over() || !other.is_over() => return None,
            None if one.is_cut() || other.is_cut() => {
                Parting::NotBefore(one.reached_ns().min(other.reached_ns()))
            }
            None if left.rows.len() == right.rows.len() => Parting::Never,
            // One has further records where the other has none.
            None => {
                let alike = u32::try_from(parting.alike()).expect("records have 32 bits");
                at(DecisionId(alike))
            }
        };
        let runs = [one.id(), other.id()];
        self.parting = None;
        Some(Response::Parting { runs, parting: found })
    }
}
