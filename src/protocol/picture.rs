//! Pictures of a run, as wide as the screen.

use super::{RunId, Span};
use serde::{Deserialize, Serialize};

/// The vCPU number that stands for idle.
pub const IDLE: u16 = u16::MAX;
/// The vCPU number that stands for a context switch under way.
pub const SWITCHING: u16 = u16::MAX - 1;

/// Rows of a stretch of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tile {
    /// Which run.
    pub run: RunId,
    /// The time shown, as it was asked for.
    pub span: Span,
    /// Its cells are 2 to the power of this many ns long, as it was asked for. They lie on a grid
    /// that begins at 0 ns, so that those of the same length are the same in every tile.
    pub shift: u32,
    /// First row, as it was asked for.
    pub first: u16,
    /// The rows.
    pub lanes: Vec<LaneTile>,
    /// Arrows that touch the stretch of time; empty when there are more than can be drawn.
    pub arrows: Vec<Arrow>,
    /// Up to where the run had come when the picture was made, in ns.
    pub reached_ns: u64,
}

/// One row: what the pCPU does and what the scheduler believes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneTile {
    /// The pCPU.
    pub pcpu: u16,
    /// What runs.
    pub run: RunLane,
    /// Believed idle.
    pub idler: Belief,
    /// Told to schedule and not yet done so.
    pub tickled: Belief,
    /// Marks; those of a kind that share a cell are one mark with their count. Without the kinds
    /// that stand in `counts`.
    pub marks: Vec<Mark>,
    /// Kinds of which there are too many to be told apart: how many in each cell; 65,535 stands
    /// for that many or more.
    pub counts: Vec<(MarkKind, Vec<u16>)>,
}

/// What runs on a pCPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunLane {
    /// Every segment, in order. The first may begin before the picture; the end of one is the
    /// start of the next.
    Segments(Vec<Segment>),
    /// Cells, when there are more segments than cells.
    Cells(Vec<Cell>),
}

/// When a belief holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Belief {
    /// Spans with start and end in ns, clipped to the picture.
    Spans(Vec<(u64, u64)>),
    /// The share of each cell, in 255ths, when there are more spans than cells.
    Shares(Vec<u8>),
}

impl Belief {
    /// Whether it holds at a moment; false where the picture does not tell.
    #[must_use]
    pub fn holds_at(&self, time_ns: u64) -> bool {
        let Self::Spans(spans) = self else { return false };
        let after = spans.partition_point(|(from, _)| *from <= time_ns);
        after.checked_sub(1).is_some_and(|at| time_ns < spans[at].1)
    }
}

impl Span {
    /// The cell of 2^`shift` ns that holds a moment of the span, counted from the span's first.
    #[must_use]
    pub fn cell_at(self, shift: u32, time_ns: u64) -> usize {
        let cell = (time_ns >> shift).saturating_sub(self.from_ns >> shift);
        usize::try_from(cell).unwrap_or(usize::MAX)
    }

    /// The time of a cell, as far as it lies in the span.
    #[must_use]
    pub fn cell(self, shift: u32, cell: usize) -> Self {
        let start = (self.from_ns >> shift).saturating_add(cell as u64);
        let ns = |cell: u64| cell.saturating_mul(1 << shift);
        Self {
            from_ns: ns(start).max(self.from_ns),
            to_ns: ns(start.saturating_add(1)).min(self.to_ns),
        }
    }
}

/// From `start_ns` until the next segment, `vcpu` runs ([`IDLE`], [`SWITCHING`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Start, in ns.
    pub start_ns: u64,
    /// Who.
    pub vcpu: u16,
}

/// What a cell hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Share of the time, as far as it is known, that any guest ran, in 255ths.
    pub busy: u8,
    /// The guest with the longest segment here ([`IDLE`] if none ran).
    pub vcpu: u16,
    /// How many segments begin here.
    pub count: u16,
}

/// Something that happened on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
    /// When, in ns (of the first, if several).
    pub time_ns: u64,
    /// What.
    pub kind: MarkKind,
    /// How many.
    pub count: u32,
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MarkKind {
    /// A wake-up was handled here.
    Wake,
    /// This pCPU was tickled (by itself or another).
    Tickled,
    /// The vCPU running here was kicked away.
    Kick,
    /// This pCPU stole a vCPU.
    Steal,
    /// A vCPU was moved away from here.
    Migrate,
    /// An accounting ran here.
    Account,
}

impl MarkKind {
    /// All kinds, in order.
    pub const ALL: [Self; 6] =
        [Self::Wake, Self::Tickled, Self::Kick, Self::Steal, Self::Migrate, Self::Account];
}

/// Something that goes from one row to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Arrow {
    /// What.
    pub kind: ArrowKind,
    /// The row that it leaves.
    pub from: u16,
    /// The row that it goes to; may be the same.
    pub to: u16,
    /// When it leaves, in ns.
    pub start_ns: u64,
    /// When it arrives, in ns.
    pub end_ns: u64,
    /// The record that decided it.
    pub record: u32,
}

/// What an arrow stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ArrowKind {
    /// A tickle, from the deciding pCPU to the tickled one.
    Tickle,
    /// A steal, from the victim to the thief.
    Steal,
    /// A move, from the old pCPU to the new one.
    Migrate,
}

/// The whole run so far.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Overview {
    /// Which run.
    pub run: RunId,
    /// The time shown: the whole scenario.
    pub span: Span,
    /// Its cells are 2 to the power of this many ns long.
    pub shift: u32,
    /// Up to where the run has come, in ns.
    pub reached_ns: u64,
    /// Per pCPU, its cells.
    pub lanes: Vec<Vec<Cell>>,
}
