//! Levels over a stretch of time, exact at any zoom: credits, queues, masks.
//!
//! A pass of its own over a run that is there: the machine runs again from the keyframe before the
//! stretch, and after each of its steps every level is looked at. Must not work out by itself what
//! the machine can tell.

use super::Keyframes;
use crate::decision::{Facts, Row, Sink};
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::machine::Machine;
use crate::units::SimTime;
use alloc::vec::Vec;

/// The most accountings of a stretch that are told one by one.
pub const ACCOUNTS_MAX: usize = 256;

/// Something that can be counted after each step of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// A vCPU's credit, not yet charged for the execution since the last charge.
    Credit(VcpuId),
    /// Guests that wait on a pCPU's run queue.
    Waiting(PcpuId),
    /// Guests that wait on all run queues.
    WaitingAll,
    /// pCPUs that are believed idle.
    Idlers,
    /// pCPUs that were told to schedule and have not yet done so.
    Told,
}

impl Level {
    /// Whether a machine has it.
    fn is_of(self, machine: &Machine) -> bool {
        match self {
            Self::Credit(vcpu) => vcpu.index() < machine.system().guests,
            Self::Waiting(pcpu) => pcpu.index() < machine.policy().pcpus.len(),
            Self::WaitingAll | Self::Idlers | Self::Told => true,
        }
    }

    /// What it is now.
    fn of(self, machine: &Machine) -> i32 {
        let count = match self {
            Self::Credit(vcpu) => return machine.policy().vcpu(vcpu).credit,
            Self::Waiting(pcpu) => machine.waiting(pcpu),
            Self::WaitingAll => {
                machine.system().topology.pcpus().map(|pcpu| machine.waiting(pcpu)).sum()
            }
            Self::Idlers => machine.policy().idlers.len() as usize,
            Self::Told => machine.told(),
        };
        i32::try_from(count).expect("limited pCPUs and vCPUs")
    }
}

/// What is asked: a stretch of time, in cells of 2 to the power of `shift` ns on a grid that begins
/// at 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelSpan {
    /// Start.
    pub from: SimTime,
    /// End; what happens at it is not looked at any more.
    pub to: SimTime,
    /// Length of a cell, as a power of two of ns.
    pub shift: u32,
}

/// What a level did within one cell. Values that it had for no time at all count as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LevelCell {
    /// When it changed for the last time here.
    pub last_change: SimTime,
    /// How often it changed here.
    pub changes: u32,
    /// The lowest value that it took here.
    pub least: i32,
    /// The highest value that it took here.
    pub most: i32,
    /// The value that it has from the last change on.
    pub last: i32,
}

/// A level over the stretch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelLine {
    /// Which.
    pub level: Level,
    /// What it was before anything happened in the stretch.
    pub start: i32,
    /// The cells in which it changed, in order.
    pub cells: Vec<LevelCell>,
    /// Accountings that gave the vCPU a share whose credit it is.
    pub accounted: u32,
}

/// Counts accountings.
struct Accountings {
    from: SimTime,
    lines: Vec<LevelLine>,
    accounts: Vec<SimTime>,
    count: u32,
}

impl Sink for Accountings {
    fn record(&mut self, _id: DecisionId, row: &Row, facts: Facts<'_>) {
        let Facts::Account(facts) = facts else { return };
        if row.time < self.from {
            return;
        }
        self.count += 1;
        if self.accounts.len() < ACCOUNTS_MAX {
            self.accounts.push(row.time);
        }
        for line in &mut self.lines {
            let shares =
                facts.vcpus.iter().filter(|share| Level::Credit(share.vcpu) == line.level).count();
            line.accounted += u32::try_from(shares).expect("a vCPU has one share");
        }
    }
}

/// The pass over a stretch of a run.
pub struct Levels {
    machine: Machine,
    span: LevelSpan,
    kept: Accountings,
    /// Each level after the last step.
    now: Vec<i32>,
    begun: bool,
    done: bool,
}

impl Levels {
    /// A pass over a stretch of the run that left these keyframes. Levels that the run does not
    /// have are left out.
    #[must_use]
    pub fn new(keyframes: &Keyframes, span: LevelSpan, levels: &[Level]) -> Self {
        // What happens at the very start of the stretch must still lie ahead.
        let machine = match span.from.as_ns().checked_sub(1) {
            Some(before_ns) => keyframes.at(SimTime::from_ns(before_ns)),
            None => keyframes.before(DecisionId(0)),
        };
        let line =
            |level: &Level| LevelLine { level: *level, start: 0, cells: Vec::new(), accounted: 0 };
        let lines: Vec<_> = levels.iter().filter(|level| level.is_of(machine)).map(line).collect();
        Self {
            machine: machine.clone(),
            span,
            now: lines.iter().map(|_| 0).collect(),
            kept: Accountings { from: span.from, lines, accounts: Vec::new(), count: 0 },
            begun: false,
            done: false,
        }
    }

    /// Goes on for at most `steps` steps.
    pub fn run(&mut self, steps: u32) {
        for _ in 0..steps {
            let next = self.machine.next_time().filter(|time| *time < self.span.to);
            if !self.begun && next.is_none_or(|time| time >= self.span.from) {
                self.begin();
            }
            if next.is_none() {
                self.done = true;
                return;
            }
            self.machine.advance(&mut self.kept);
            if self.begun {
                self.look();
            }
        }
    }

    fn begin(&mut self) {
        self.begun = true;
        for (line, now) in self.kept.lines.iter_mut().zip(&mut self.now) {
            *now = line.level.of(&self.machine);
            line.start = *now;
        }
    }

    /// Notes what the last step changed.
    fn look(&mut self) {
        let (time, shift) = (self.machine.now(), self.span.shift);
        for (line, now) in self.kept.lines.iter_mut().zip(&mut self.now) {
            let value = line.level.of(&self.machine);
            if value == *now {
                continue;
            }
            *now = value;
            let same =
                |cell: &&mut LevelCell| cell.last_change.as_ns() >> shift == time.as_ns() >> shift;
            match line.cells.last_mut().filter(same) {
                Some(cell) => {
                    cell.last_change = time;
                    cell.changes += 1;
                    cell.least = cell.least.min(value);
                    cell.most = cell.most.max(value);
                    cell.last = value;
                }
                None => line.cells.push(LevelCell {
                    last_change: time,
                    changes: 1,
                    least: value,
                    most: value,
                    last: value,
                }),
            }
        }
    }

    /// Whether the whole stretch has been looked at.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.done
    }

    /// Up to where it has been looked at.
    #[must_use]
    pub fn reached(&self) -> SimTime {
        if self.done {
            self.span.to
        } else {
            self.machine.now().clamp(self.span.from, self.span.to)
        }
    }

    /// What the levels did so far.
    #[must_use]
    pub fn lines(&self) -> &[LevelLine] {
        &self.kept.lines
    }

    /// When accountings ran; none if there are more than [`ACCOUNTS_MAX`].
    #[must_use]
    pub fn accounts(&self) -> &[SimTime] {
        let all = usize::try_from(self.kept.count).is_ok_and(|count| count <= ACCOUNTS_MAX);
        if all { &self.kept.accounts } else { &[] }
    }
}
