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
    /// Width, in pixels, as it was asked for.
    pub width: u32,
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
    /// Believed idle: spans with start and end in ns, clipped to the picture; spans closer than a
    /// pixel are joined.
    pub idler: Vec<(u64, u64)>,
    /// Told to schedule and not yet done so: likewise.
    pub tickled: Vec<(u64, u64)>,
    /// Marks; those of a kind that share a pixel are one mark with their count.
    pub marks: Vec<Mark>,
}

/// What runs on a pCPU.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RunLane {
    /// Every segment, in order. The first may begin before the picture; the end of one is the
    /// start of the next.
    Segments(Vec<Segment>),
    /// One cell a pixel, when there are more segments than pixels.
    Cells(Vec<Cell>),
}

/// From `start_ns` until the next segment, `vcpu` runs ([`IDLE`], [`SWITCHING`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Start, in ns.
    pub start_ns: u64,
    /// Who.
    pub vcpu: u16,
}

/// What a pixel hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    /// Share of the time that any guest ran, in 255ths.
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
    /// Up to where the run has come, in ns.
    pub reached_ns: u64,
    /// Per pCPU, one cell a pixel.
    pub lanes: Vec<Vec<Cell>>,
}
