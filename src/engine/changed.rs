//! The count of changed decisions: goes on in slices behind the run, and finds single ones.

use super::run::Run;
use super::summary;
use crate::protocol::{Difference, Direction, From, Response};
use sim_core::ids::DecisionId;
use sim_core::patches::Patch;
use sim_core::run::Flips;
use sim_core::units::SimTime;

/// The count is told this often over a run.
const TOLD_MAX: u64 = 12;

/// The count of one run.
pub(super) struct Count {
    pass: Flips,
    stopped: bool,
    /// The part of the run that was told last.
    told: u64,
}

impl Count {
    pub(super) fn new(pass: Flips) -> Self {
        Self { pass, stopped: false, told: 0 }
    }

    pub(super) fn goes_on(&self) -> bool {
        !self.stopped && !self.pass.is_done()
    }
}

/// What is compared, in the words of the simulation; none if it does not exist.
fn difference(difference: Difference) -> Option<sim_core::run::Difference> {
    use sim_core::run::Difference as Core;
    match difference {
        Difference::Patch(number) => Some(Core::Patch(Patch::from_number(number)?)),
        Difference::Stop(stop) => Some(Core::Stop(stop.into())),
    }
}

impl Run {
    /// Counts for at most `steps` steps, and tells now and then.
    pub(super) fn count_on(&mut self, steps: u32) -> Vec<Response> {
        let Some(count) = self.count.as_mut().filter(|count| count.goes_on()) else {
            return Vec::new();
        };
        count.pass.run(steps);
        let (counted, records) = count.pass.reached();
        let part = u64::from(counted) * TOLD_MAX / u64::from(records.max(1));
        if part == count.told && count.goes_on() {
            return Vec::new();
        }
        count.told = part;
        self.tell_count()
    }

    /// A run without records has nothing to count: told at once.
    pub(super) fn nothing_to_count(&self) -> Vec<Response> {
        if self.goes_on() { Vec::new() } else { self.tell_count() }
    }

    /// Ends the count; what is counted stays usable.
    pub(super) fn stop_counting(&mut self) -> Vec<Response> {
        let Some(count) = self.count.as_mut().filter(|count| count.goes_on()) else {
            return Vec::new();
        };
        count.stopped = true;
        self.tell_count()
    }

    fn tell_count(&self) -> Vec<Response> {
        let count = self.count.iter();
        let flips = count.map(|count| summary::flips(&count.pass, count.goes_on()));
        flips.map(|flips| Response::Flips { run: self.id(), flips }).collect()
    }

    /// The changed decision to go to, as far as they are counted.
    pub(super) fn find_changed(
        &self,
        from: From,
        direction: Direction,
        wanted: Difference,
    ) -> Option<DecisionId> {
        let pass = &self.count.as_ref()?.pass;
        let (wanted, keyframes) = (difference(wanted)?, self.recording().keyframes());
        let rows = &self.recording().trace().rows;
        let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
        let next = |from| pass.next(keyframes, from, wanted);
        let previous = |end| pass.previous(keyframes, end, wanted);
        let time = match from {
            From::Record(id) => rows.get(DecisionId(id)).map_or(SimTime::ZERO, |row| row.time),
            From::Time(ns) => SimTime::from_ns(ns),
        };
        match (direction, from) {
            (Direction::Next, From::Record(id)) => next(id.saturating_add(1)),
            (Direction::Next, From::Time(ns)) => next(number(rows.first_at(ns.saturating_add(1)))),
            (Direction::Previous, From::Record(id)) => previous(id),
            (Direction::Previous, From::Time(ns)) => previous(number(rows.first_at(ns))),
            (Direction::Nearest, _) => {
                let here = number(rows.first_at(time.as_ns()));
                let (earlier, later) = (previous(here), next(here));
                let away = |id: &DecisionId| {
                    rows.get(*id).map(|row| row.time.as_ns().abs_diff(time.as_ns()))
                };
                earlier.into_iter().chain(later).min_by_key(away)
            }
        }
    }
}
