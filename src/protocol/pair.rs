//! Two runs side by side, and many runs of either side.

use super::{Record, RunId};
use serde::{Deserialize, Serialize};

/// Which of two runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Side {
    /// The first.
    #[default]
    A,
    /// The second.
    B,
}

impl Side {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::A, Self::B];

    /// The other one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::A => Self::B,
            Self::B => Self::A,
        }
    }

    /// Its letter.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    /// Two values, A's first, of which one is this side's.
    #[must_use]
    pub fn in_order<T>(self, own: T, other: T) -> [T; 2] {
        match self {
            Self::A => [own, other],
            Self::B => [other, own],
        }
    }

    /// This side's of two values, A's first.
    #[must_use]
    pub fn of<T>(self, [a, b]: [T; 2]) -> T {
        match self {
            Self::A => a,
            Self::B => b,
        }
    }
}

/// Where two runs part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Parting {
    /// At these records, one of each run; a run that was over has none.
    At([(RunId, Option<Record>); 2]),
    /// Nowhere: they are the same, record for record.
    Never,
    /// Nowhere before this moment, in ns, where one of them was stopped.
    NotBefore(u64),
}
