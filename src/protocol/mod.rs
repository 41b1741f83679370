//! What the page and the worker say to each other.
//!
//! The worker owns the run; the page asks for pictures of it and for explanations. Everything here
//! is plain data in the user's words. It must not compute anything about scheduling.
//!
//! Times are whole ns since the machine was switched on. vCPUs are numbered over all domains.

pub mod comparison;
mod explanation;
mod levels;
pub mod metrics;
mod pair;
mod picture;
mod stretch;
mod summary;
mod under;

pub use explanation::{
    Candidate, ChainLink, Explanation, FactRow, MaskRole, MaskRow, OtherSide, Outcome, Piece,
    RuleRow, Table, TableRow, Tone, Unasked,
};
pub use levels::{Level, LevelCell, LevelLine, LevelPicture};
pub use pair::{Parting, Side};
pub use picture::{
    Arrow, ArrowKind, Belief, Cell, IDLE, LaneTile, Mark, MarkKind, Overview, RunLane, SWITCHING,
    Segment, Tile,
};

pub use stretch::{PcpuStretch, Stretch};
pub use summary::{DomainSummary, LatencyBucket, PcpuSummary, Summary, TickleSummary, VcpuSummary};
pub use under::{Spot, Thing, Under};

pub use crate::share::Place;

use serde::{Deserialize, Serialize};

/// A run, numbered by the page; answers to an older number are stale and are dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunId(pub u32);

/// A stretch of time, from `from_ns` up to and without `to_ns`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Start, in ns.
    pub from_ns: u64,
    /// End, in ns.
    pub to_ns: u64,
}

/// What the page asks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Request {
    /// Run this scenario with these patches; ends whatever ran before.
    Run {
        /// Number of the new run.
        run: RunId,
        /// The scenario, as `scenario-json` writes it.
        scenario: String,
        /// Patches, as link bits.
        patches: u64,
        /// The record that should be selected first: answered with `Found` as soon as it is there.
        select: Option<Place>,
    },
    /// Run this beside a run that stays; ends any third one. Both are compared record by record,
    /// and `Response::Parting` tells where they part.
    Beside {
        /// Number of the new run.
        run: RunId,
        /// The run that stays.
        beside: RunId,
        /// The scenario, as `scenario-json` writes it.
        scenario: String,
        /// Patches, as link bits.
        patches: u64,
        /// As in `Request::Run`.
        select: Option<Place>,
    },
    /// End every run but this one.
    Alone {
        /// The run that stays.
        run: RunId,
    },
    /// Run both sides over many seeds, keeping figures only; ends an earlier such comparison.
    Sweep {
        /// Number of the question.
        ask: u32,
        /// Scenario and patches of A and B, as in `Request::Run`.
        sides: [(String, u64); 2],
        /// How many seeds.
        seeds: u32,
    },
    /// Run no further seed; what is there stays.
    StopSweep {
        /// Number of the question.
        ask: u32,
    },
    /// Stop simulating; what is there stays usable.
    Cancel {
        /// Which run.
        run: RunId,
    },
    /// A picture of some rows.
    Tile {
        /// Which run.
        run: RunId,
        /// The time to show.
        span: Span,
        /// Cells are 2 to the power of this many ns long.
        shift: u32,
        /// First row (pCPU).
        first: u16,
        /// How many rows.
        count: u16,
    },
    /// A picture of the whole run so far.
    Overview {
        /// Which run.
        run: RunId,
        /// How many pixels wide: cells are no longer than a pixel, and no shorter than half of it.
        width: u32,
    },
    /// The record to go to.
    Find {
        /// Which run.
        run: RunId,
        /// Number of the question, given by the page, not 0; the answer carries it.
        ask: u32,
        /// From where.
        from: From,
        /// Which way.
        direction: Direction,
        /// What counts.
        wanted: Wanted,
    },
    /// The record of exactly this place, answered like a search.
    At {
        /// Which run.
        run: RunId,
        /// Number of the question, as in `Request::Find`.
        ask: u32,
        /// The place.
        place: Place,
    },
    /// Why a record is as it is, and the machine at that moment.
    Explain {
        /// Which run.
        run: RunId,
        /// The record's number.
        record: u32,
    },
    /// The machine at a moment.
    Snapshot {
        /// Which run.
        run: RunId,
        /// When.
        time_ns: u64,
    },
    /// Some levels over a stretch of time: answered with `Levels`, more than once if it takes long.
    /// Ends an earlier such question about the run.
    Levels {
        /// Which run.
        run: RunId,
        /// Number of the question.
        ask: u32,
        /// The time to tell.
        span: Span,
        /// Cells are 2 to the power of this many ns long.
        shift: u32,
        /// Which.
        levels: Vec<Level>,
    },
    /// What a stretch of a run adds up to: answered with `Stretch`.
    Stretch {
        /// Which run.
        run: RunId,
        /// The stretch.
        span: Span,
        /// Whether to add up each vCPU too, segment by segment.
        each_vcpu: bool,
    },
    /// What lies under a pixel: answered with `Under`.
    Under(Spot),
    /// The record that left a mark: answered with `Found`.
    Mark {
        /// Which run.
        run: RunId,
        /// Number of the question, as in `Find`.
        ask: u32,
        /// On which row (pCPU).
        pcpu: u16,
        /// When, in ns.
        time_ns: u64,
        /// Its kind.
        kind: MarkKind,
    },
}

/// Where a search starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum From {
    /// Behind or before a record.
    Record(u32),
    /// At a moment.
    Time(u64),
}

/// Which way a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// Later.
    Next,
    /// Earlier.
    Previous,
    /// Whatever is closer in time.
    Nearest,
}

/// What a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wanted {
    /// Any decision: tickle, pick, balance, schedule.
    Decision,
    /// A record of one kind (`sim_core::decision::Kind` as a number).
    Kind(u8),
    /// Any record of one pCPU.
    Event(u16),
    /// Any decision of one pCPU.
    DecisionOn(u16),
    /// Any record about one vCPU.
    Vcpu(u16),
    /// A decision that would differ, as far as [`Flips`] have been counted.
    Changed(Difference),
}

/// Two choices of patches that are compared on the states of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Difference {
    /// The run's own choice, and the same with the patch of this number flipped.
    Patch(u8),
    /// The stop of history of this number (`sim_core::patches::REVISIONS`), and the one before it.
    Stop(u8),
}

/// What the worker answers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Response {
    /// The scenario cannot be run; one sentence.
    Refused {
        /// Which run.
        run: RunId,
        /// Why.
        sentence: String,
    },
    /// The run goes on. The first comes at once, before anything is simulated.
    Progress {
        /// Which run.
        run: RunId,
        /// How far, in ns.
        reached_ns: u64,
        /// The end, in ns.
        duration_ns: u64,
        /// Records so far.
        records: u32,
    },
    /// The run is over (or cancelled, or out of budget: then `cut` says so in a sentence).
    Ended {
        /// Which run.
        run: RunId,
        /// What it adds up to.
        summary: Box<Summary>,
        /// Why it ended early.
        cut: Option<String>,
    },
    /// A picture.
    Tile(Tile),
    /// The whole run.
    Overview(Overview),
    /// Levels over a stretch of time, as far as they are worked out.
    Levels(LevelPicture),
    /// What a stretch of a run adds up to.
    Stretch(Stretch),
    /// What lies under a pixel.
    Under(Under),
    /// The record found; none if there is no further one.
    Found {
        /// Which run.
        run: RunId,
        /// Number of the question; 0 answers the `select` of `Request::Run`.
        ask: u32,
        /// The record, if any.
        record: Option<Record>,
        /// Decisions from the start of the run up to and with the record; 0 without one.
        decisions: u32,
    },
    /// Why, and the machine at that moment.
    Explained {
        /// Which run.
        run: RunId,
        /// Why.
        explanation: Box<Explanation>,
        /// The machine.
        now: Now,
    },
    /// The machine at a moment.
    Snapshot {
        /// Which run.
        run: RunId,
        /// The machine.
        now: Now,
    },
    /// How often other patches would have decided otherwise on the same states. Counted after the
    /// run and told now and then; `Request::Cancel` ends the count.
    Flips {
        /// Which run.
        run: RunId,
        /// The counts so far.
        flips: Flips,
    },
    /// Where two runs that lie side by side part; told once, as soon as it is known.
    Parting {
        /// The two runs.
        runs: [RunId; 2],
        /// Where.
        parting: Parting,
    },
    /// The figures of both sides over the seeds that are done so far.
    Swept {
        /// Number of the question.
        ask: u32,
        /// The figures.
        sweep: Box<comparison::Sweep>,
    },
    /// The worker panicked; it has been restarted.
    Panicked {
        /// What it said.
        message: String,
    },
}

impl Response {
    /// Which run it is about; none if it is about none.
    #[must_use]
    pub fn run(&self) -> Option<RunId> {
        match self {
            Self::Tile(tile) => Some(tile.run),
            Self::Overview(overview) => Some(overview.run),
            Self::Levels(levels) => Some(levels.run),
            Self::Stretch(stretch) => Some(stretch.run),
            Self::Under(under) => Some(under.spot.run),
            Self::Refused { run, .. }
            | Self::Progress { run, .. }
            | Self::Ended { run, .. }
            | Self::Found { run, .. }
            | Self::Explained { run, .. }
            | Self::Snapshot { run, .. }
            | Self::Flips { run, .. } => Some(*run),
            Self::Parting { runs: [run, _], .. } => Some(*run),
            Self::Swept { .. } | Self::Panicked { .. } => None,
        }
    }
}

/// A record, enough to go there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its number in this run.
    pub record: u32,
    /// Its place, for links.
    pub place: Place,
    /// The vCPU that it is about; `u16::MAX` if it is an idle one.
    pub vcpu: u16,
}

/// How often other patches would have decided otherwise on the same states.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flips {
    /// Per patch, in table order.
    pub patches: Vec<Flip>,
    /// Per stop of history, against the one before it; the first has none and stays at 0.
    pub stops: Vec<Flip>,
    /// Records counted.
    pub counted: u32,
    /// Of how many.
    pub records: u32,
    /// Whether the count goes on.
    pub goes_on: bool,
}

/// How often a comparison came out otherwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flip {
    /// Decisions that differ.
    pub changed: u32,
    /// Decisions that could: those that depend on what is compared. 0 if none can be asked.
    pub of: u32,
}

/// The machine at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Now {
    /// When, in ns.
    pub time_ns: u64,
    /// Per pCPU.
    pub pcpus: Vec<PcpuNow>,
}

/// A pCPU at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PcpuNow {
    /// Who is current; none for idle.
    pub current: Option<VcpuNow>,
    /// Inside a context switch.
    pub switching: bool,
    /// Who waits, in order.
    pub queue: Vec<VcpuNow>,
    /// Believed idle.
    pub idler: bool,
    /// Told to schedule and not yet done so.
    pub tickled: bool,
}

/// A vCPU at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VcpuNow {
    /// Who.
    pub vcpu: u16,
    /// Priority: 0 BOOST, -1 UNDER, -2 OVER.
    pub pri: i8,
    /// Credit.
    pub credit: i32,
}
