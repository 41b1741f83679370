//! Levels over a stretch of time: worked out in slices, told as far as they have come.

use super::picture::{CELLS_MAX, SHIFT_MAX};
use super::run::Run;
use crate::protocol::{Level, LevelCell, LevelLine, LevelPicture, Response, RunId, Span};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::run::{self, LevelSpan, Levels};
use sim_core::units::SimTime;

/// The most levels of a question.
const LEVELS_MAX: usize = 64;
/// What is worked out is told this often over the stretch.
const TOLD_MAX: u128 = 8;

/// A question under way.
pub(super) struct Asked {
    ask: u32,
    span: Span,
    shift: u32,
    pass: Levels,
    /// The part of the stretch that was told last.
    told: u128,
}

impl Asked {
    /// Goes on; the answer so far if there is something to tell.
    fn work(&mut self, run: RunId, steps: u32) -> Option<Response> {
        self.pass.run(steps);
        let length = u128::from(self.span.to_ns - self.span.from_ns);
        let part = u128::from(self.pass.reached().as_ns() - self.span.from_ns) * TOLD_MAX / length;
        if part == self.told && !self.pass.is_done() {
            return None;
        }
        self.told = part;
        Some(Response::Levels(LevelPicture {
            run,
            ask: self.ask,
            span: self.span,
            shift: self.shift,
            until_ns: self.pass.reached().as_ns(),
            goes_on: !self.pass.is_done(),
            lines: self.pass.lines().iter().map(line).collect(),
            accounts_ns: self.pass.accounts().iter().map(|time| time.as_ns()).collect(),
        }))
    }
}

const fn core(level: &Level) -> run::Level {
    match *level {
        Level::Credit(vcpu) => run::Level::Credit(VcpuId(vcpu)),
        Level::Waiting(pcpu) => run::Level::Waiting(PcpuId(pcpu)),
        Level::WaitingAll => run::Level::WaitingAll,
        Level::Idlers => run::Level::Idlers,
        Level::Told => run::Level::Told,
    }
}

const fn told(level: run::Level) -> Level {
    match level {
        run::Level::Credit(vcpu) => Level::Credit(vcpu.0),
        run::Level::Waiting(pcpu) => Level::Waiting(pcpu.0),
        run::Level::WaitingAll => Level::WaitingAll,
        run::Level::Idlers => Level::Idlers,
        run::Level::Told => Level::Told,
    }
}

fn line(line: &run::LevelLine) -> LevelLine {
    LevelLine {
        level: told(line.level),
        start: line.start,
        cells: line.cells.iter().map(cell).collect(),
        accounted: line.accounted,
    }
}

fn cell(cell: &run::LevelCell) -> LevelCell {
    let &run::LevelCell { last_change, changes, least, most, last } = cell;
    LevelCell { last_ns: last_change.as_ns(), changes, least, most, last }
}

impl Run {
    /// Begins to work out levels; nothing of an empty stretch or too many cells or levels.
    pub(super) fn ask_levels(&mut self, ask: u32, (span, shift): (Span, u32), levels: &[Level]) {
        let Span { from_ns, to_ns } = span;
        let sound = from_ns < to_ns && shift <= SHIFT_MAX && levels.len() <= LEVELS_MAX;
        self.levels = None;
        if !sound || (to_ns - from_ns) >> shift >= CELLS_MAX {
            return;
        }
        let (from, to) = (SimTime::from_ns(from_ns), to_ns.min(self.reached_ns()).max(from_ns));
        let asked = LevelSpan { from, to: SimTime::from_ns(to), shift };
        let levels: Vec<run::Level> = levels.iter().map(core).collect();
        let pass = Levels::new(self.recording().keyframes(), asked, &levels);
        self.levels = Some(Asked { ask, span, shift, pass, told: 0 });
    }

    /// Whether levels are being worked out.
    pub(super) fn asks_levels(&self) -> bool {
        self.levels.is_some()
    }

    /// Works on levels.
    pub(super) fn work_levels(&mut self, steps: u32) -> Vec<Response> {
        let run = self.id();
        let Some(asked) = &mut self.levels else { return Vec::new() };
        let told = asked.work(run, steps);
        if asked.pass.is_done() {
            self.levels = None;
        }
        told.into_iter().collect()
    }
}
