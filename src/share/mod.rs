//! What a link carries: everything that makes the picture, versioned.
//!
//! Knows `sim-core` only. The text form stands in `docs/link-format.md`.

mod error;
mod letters;
mod link;
mod pack;
mod scenario;

pub use error::LinkError;
pub use link::{LINK_MAX, VERSION, decode, encode};

use serde::{Deserialize, Serialize};
use sim_core::patches::PatchSet;
use sim_core::scenario::Scenario;

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
