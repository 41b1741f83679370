//! Scenarios that come with the project, each with a story and the moment that tells it.

pub mod hosts;
mod later;
mod seed;
mod small;

use crate::patches::PatchSet;
use crate::scenario::Scenario;

/// A scenario with its story.
pub struct Preset {
    /// Stable number, used in links and never reused.
    pub number: u8,
    /// Stable name.
    pub slug: &'static str,
    /// Title, for people.
    pub title: &'static str,
    /// What there is to see, in one or two sentences.
    pub story: &'static str,
    /// The patches that it opens with.
    pub patches: PatchSet,
    /// The stretch of time that it opens with, in ns.
    pub view_ns: (u64, u64),
    /// The moment that it opens at, paused, in ns: the next tickle from there tells the story.
    pub cursor_ns: u64,
    /// Makes the scenario.
    pub build: fn() -> Scenario,
}

/// All presets; the first is the default.
pub const PRESETS: &[Preset] = &[
    small::PINNED_WAKER,
    small::FREE_WAKER,
    small::KICK_PING_PONG,
    seed::VMS_2_FREE,
    seed::VMS_6_FREE,
    seed::VMS_10_FREE,
    seed::VMS_2_PINNED,
    seed::VMS_6_PINNED,
    seed::VMS_10_PINNED,
    later::CAPPED_HOG,
    later::CHANGES,
    later::TWO_NODES,
    later::YIELDING_PAIR,
    later::SAME_IDLER_TWICE,
    later::VICTIMS,
];

impl Preset {
    /// The preset of this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.number == number)
    }

    /// The preset of this name.
    #[must_use]
    pub fn from_slug(slug: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.slug == slug)
    }
}
