//! Why a link cannot be opened.

use super::{LINK_MAX, VERSION};
use core::fmt;
use sim_core::patches::CombinationError;
use sim_core::presets::PRESETS;
use sim_core::scenario::ScenarioError;

/// Why a link cannot be opened; printed as one sentence with the value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// Longer than any link.
    TooLong {
        /// How long, in characters.
        length: usize,
    },
    /// It does not begin with a version.
    NoVersion {
        /// How it begins.
        start: String,
    },
    /// A version that this page does not read.
    Version {
        /// The version.
        version: String,
    },
    /// A character that no link holds.
    Character {
        /// Which character of the link, counted from 1.
        place: usize,
        /// The character.
        letter: char,
    },
    /// Its end is missing.
    Cut,
    /// Its checksum is another one.
    Checksum,
    /// It ends in the middle of something.
    Ends {
        /// In the middle of what.
        what: &'static str,
    },
    /// Bytes are left over.
    Rest {
        /// How many.
        bytes: usize,
    },
    /// A value that cannot be.
    Range {
        /// What.
        what: &'static str,
        /// The value.
        value: u64,
    },
    /// A text that is not UTF-8.
    Text {
        /// What.
        what: &'static str,
    },
    /// It unpacks to more than any scenario.
    TooLarge {
        /// The most stretches of execution that a link may hold.
        stretches_max: usize,
    },
    /// A stretch of time that is empty.
    Stretch {
        /// What.
        what: &'static str,
        /// Its start, in ns.
        from_ns: u64,
        /// Its end, in ns.
        to_ns: u64,
    },
    /// A section that this page does not know and that cannot be left out.
    UnknownSection {
        /// Its number.
        section: u64,
    },
    /// A section that comes twice, or behind a later one.
    SectionOrder {
        /// Its number.
        section: u64,
    },
    /// A preset that does not exist.
    Preset(u8),
    /// A choice of patches that is not defined.
    Patches(CombinationError),
    /// A scenario that cannot be run.
    Scenario(ScenarioError),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong { length } => {
                write!(f, "the link is {length} characters long; the most is {LINK_MAX}")
            }
            Self::NoVersion { start } => {
                write!(f, "the link begins with “{start}”, not with a version such as {VERSION}-")
            }
            Self::Version { version } if version == "0" => {
                write!(f, "the link says version 0; the first version was 1")
            }
            Self::Version { version } => write!(
                f,
                "this link was made by a newer Tickle (version {version}; this page reads up to \
                 {VERSION})"
            ),
            Self::Character { place, letter } => write!(
                f,
                "character {place} of the link is “{}”; links hold letters, digits, - and _ only",
                letter.escape_debug()
            ),
            Self::Cut => write!(f, "the end of the link is missing"),
            Self::Checksum => {
                write!(f, "the link was cut or changed on its way: its checksum is wrong")
            }
            Self::Ends { what } => write!(f, "the link ends before {what} is complete"),
            Self::Rest { bytes } => write!(f, "the link has {bytes} bytes too many at its end"),
            Self::Range { what, value } => {
                write!(f, "{what} is {value} in the link, which is too much")
            }
            Self::Text { what } => write!(f, "{what} is not text in the link"),
            Self::TooLarge { stretches_max } => {
                write!(f, "the link holds more than {stretches_max} stretches, the most for a link")
            }
            Self::Stretch { what, from_ns, to_ns } => {
                write!(f, "{what} is {from_ns} ns to {to_ns} ns, which is no stretch of time")
            }
            Self::UnknownSection { section } => write!(
                f,
                "the link was made by a newer Tickle: it has a section {section}, which this page \
                 does not know"
            ),
            Self::SectionOrder { section } => {
                write!(f, "section {section} of the link comes twice or too late")
            }
            Self::Preset(number) => {
                let last = PRESETS.iter().map(|preset| preset.number).max().unwrap_or(0);
                write!(f, "the link names preset {number}; there are 0 to {last}")
            }
            Self::Patches(CombinationError::Needs { patch, needed }) => {
                let (patch, needed) = (patch.info().slug, needed.info().slug);
                write!(f, "the link has the patch {patch} without {needed}, which it needs")
            }
            Self::Patches(CombinationError::UnknownBit(bit)) => {
                write!(f, "the link names patch number {bit}, which this page does not know")
            }
            Self::Scenario(error) => write!(f, "the scenario of the link cannot be run: {error}"),
        }
    }
}

impl core::error::Error for LinkError {}
