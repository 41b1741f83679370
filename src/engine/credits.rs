//! The credit of vCPUs over a stretch of time: worked out in slices, told as far as it has come.

use super::picture::{CELLS_MAX, SHIFT_MAX};
use super::run::Run;
use crate::protocol::{CreditCell, CreditLine, CreditPicture, Response, RunId, Span};
use sim_core::ids::VcpuId;
use sim_core::run::{self, CreditSpan, Credits};
use sim_core::units::SimTime;

/// The most vCPUs of a question.
const VCPUS_MAX: usize = 64;
/// What is worked out is told this often over the stretch.
const TOLD_MAX: u128 = 8;

/// A question under way.
pub(super) struct Asked {
    ask: u32,
    span: Span,
    shift: u32,
    pass: Credits,
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
        Some(Response::Credits(CreditPicture {
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

fn line(line: &run::CreditLine) -> CreditLine {
    CreditLine {
        vcpu: line.vcpu.0,
        start: line.start,
        cells: line.cells.iter().map(cell).collect(),
        accounted: line.accounted,
    }
}

fn cell(cell: &run::CreditCell) -> CreditCell {
    let &run::CreditCell { last_change, changes, least, most, last } = cell;
    CreditCell { last_ns: last_change.as_ns(), changes, least, most, last }
}

impl Run {
    /// Begins to work out credits; nothing of an empty stretch or too many cells or vCPUs.
    pub(super) fn ask_credits(&mut self, ask: u32, (span, shift): (Span, u32), vcpus: &[u16]) {
        let Span { from_ns, to_ns } = span;
        let sound = from_ns < to_ns && shift <= SHIFT_MAX && vcpus.len() <= VCPUS_MAX;
        self.credits = None;
        if !sound || (to_ns - from_ns) >> shift >= CELLS_MAX {
            return;
        }
        let (from, to) = (SimTime::from_ns(from_ns), to_ns.min(self.reached_ns()).max(from_ns));
        let asked = CreditSpan { from, to: SimTime::from_ns(to), shift };
        let vcpus: Vec<VcpuId> = vcpus.iter().copied().map(VcpuId).collect();
        let pass = Credits::new(self.recording().keyframes(), asked, &vcpus);
        self.credits = Some(Asked { ask, span, shift, pass, told: 0 });
    }

    /// Whether credits are being worked out.
    pub(super) fn asks_credits(&self) -> bool {
        self.credits.is_some()
    }

    /// Works on credits.
    pub(super) fn work_credits(&mut self, steps: u32) -> Vec<Response> {
        let run = self.id();
        let Some(asked) = &mut self.credits else { return Vec::new() };
        let told = asked.work(run, steps);
        if asked.pass.is_done() {
            self.credits = None;
        }
        told.into_iter().collect()
    }
}
