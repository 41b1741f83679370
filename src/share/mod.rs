//! What a link carries: everything that makes the picture, versioned.
//!
//! Knows `sim-core` only. The text form stands in `docs/link-format.md`.

mod error;
mod letters;
mod link;
mod pack;
mod scenario;
mod version_1;
mod version_2;

pub use error::LinkError;
pub use link::{LINK_MAX, VERSION, decode, encode};

use serde::{Deserialize, Serialize};
use sim_core::patches::PatchSet;
use sim_core::scenario::{Params, Scenario};

/// The most stops that a link may hold.
pub const STOPS_MAX: usize = 64;
/// The longest caption of a stop, in characters.
pub const CAPTION_MAX: usize = 200;

/// Everything that makes the picture.
#[derive(Clone, Debug, PartialEq)]
pub struct ShareState {
    /// What runs.
    pub scenario: ScenarioChoice,
    /// With which patches.
    pub patches: PatchSet,
    /// The stretch of time shown, in ns; none shows the story's own view.
    pub view: Option<(u64, u64)>,
    /// The cursor, in ns.
    pub cursor_ns: Option<u64>,
    /// The record selected.
    pub selection: Option<Place>,
    /// The digest that the sender's run had, to be checked on opening.
    pub digest: Option<u64>,
    /// The row chosen (pCPU); none is that of the selection, or else the first.
    pub row: Option<u16>,
    /// The range chosen, in ns.
    pub range: Option<(u64, u64)>,
    /// What is open beside the timeline.
    pub panels: Panels,
    /// The stops of a talk, in their order.
    pub stops: Vec<Stop>,
    /// The other side of a comparison.
    pub b: Option<SideB>,
    /// Sections of a later Tickle that were skipped on reading; never written.
    pub skipped: Vec<u64>,
}

impl ShareState {
    /// A run from its beginning, with nothing else said.
    #[must_use]
    pub fn bare(scenario: ScenarioChoice, patches: PatchSet) -> Self {
        Self {
            scenario,
            patches,
            view: None,
            cursor_ns: None,
            selection: None,
            digest: None,
            row: None,
            range: None,
            panels: Panels::default(),
            stops: Vec::new(),
            b: None,
            skipped: Vec::new(),
        }
    }
}

/// What runs.
#[derive(Clone, Debug, PartialEq)]
pub enum ScenarioChoice {
    /// A preset, by its stable number.
    Preset(u8),
    /// A scenario of one's own.
    Own(Box<Scenario>),
}

/// A record as a link names it: never by its number, which a newer version may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// When, in ns.
    pub time_ns: u64,
    /// On which pCPU.
    pub pcpu: u16,
    /// Of which kind (`sim_core::decision::Kind` as a number).
    pub kind: u8,
    /// How many of that kind came before it at that time and place.
    pub nth: u8,
}

/// The other side of a comparison: the same scenario but for what is said here.
#[derive(Clone, Debug, PartialEq)]
pub struct SideB {
    /// With which patches.
    pub patches: PatchSet,
    /// Its seed; none is that of side A.
    pub seed: Option<u64>,
    /// Its parameters; none are those of side A. A link holds only what differs.
    pub params: Option<Params>,
    /// The digest that the sender's run of this side had.
    pub digest: Option<u64>,
}

/// A picture that a talk stops at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The stretch of time shown, in ns.
    pub view: (u64, u64),
    /// The cursor, in ns.
    pub cursor_ns: u64,
    /// The row chosen (pCPU).
    pub row: u16,
    /// The record selected.
    pub selection: Option<Place>,
    /// The range chosen, in ns.
    pub range: Option<(u64, u64)>,
    /// What to say, at most [`CAPTION_MAX`] characters; may be empty.
    pub caption: String,
    /// The patches from here on; none leaves them as they are.
    pub patches: Option<PatchSet>,
}

/// What is open or shown beside the timeline, a bit each. A bit is never given another meaning; one
/// that this page does not know changes nothing that ran, so it is kept and passed on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Panels(u64);

impl Panels {
    /// The page is shown to a room.
    pub const PRESENTING: u64 = 1;
    /// The room predicts each decision before it is shown.
    pub const PREDICT: u64 = 1 << 1;

    /// Side B is in hand: the selection is of its run.
    pub const HAND_B: u64 = 1 << 2;

    /// A lane below the rows: how many pCPUs are believed idle.
    pub const LANE_IDLERS: u64 = 1 << 8;
    /// A lane: how many pCPUs were told to schedule and have not yet done so.
    pub const LANE_TOLD: u64 = 1 << 9;
    /// A lane: how many vCPUs wait, on all pCPUs.
    pub const LANE_WAITING: u64 = 1 << 10;
    /// A lane: how many vCPUs wait on the chosen row.
    pub const LANE_ROW: u64 = 1 << 11;
    /// A lane: the credit of vCPUs.
    pub const LANE_CREDIT: u64 = 1 << 12;

    /// These bits.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether a bit is set.
    #[must_use]
    pub const fn has(self, bit: u64) -> bool {
        self.0 & bit != 0
    }

    /// The same with a bit set or cleared.
    #[must_use]
    pub const fn with(self, bit: u64, set: bool) -> Self {
        Self(if set { self.0 | bit } else { self.0 & !bit })
    }
}
