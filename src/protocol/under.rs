//! What a pixel hides.

use super::{MarkKind, RunId, Span};
use serde::{Deserialize, Serialize};

/// The pixel of a row that the pointer rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spot {
    /// Of which run.
    pub run: RunId,
    /// On which row (pCPU).
    pub pcpu: u16,
    /// The time that the pixel stands for.
    pub span: Span,
}

/// Everything that lies under a pixel, the first things one by one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Under {
    /// The pixel.
    pub spot: Spot,
    /// How far the run was simulated, in ns.
    pub reached_ns: u64,
    /// The first things, in order of time.
    pub things: Vec<Thing>,
    /// How many segments touch the pixel.
    pub segments: u32,
    /// How many marks of each kind it holds, of those that it has.
    pub marks: Vec<(MarkKind, u32)>,
}

/// One of the things under a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Thing {
    /// A vCPU runs ([`super::IDLE`], [`super::SWITCHING`]).
    Segment {
        /// Who.
        vcpu: u16,
        /// From when until when, in ns; may begin before the pixel and end behind it.
        span: Span,
    },
    /// A mark.
    Mark {
        /// Of which kind.
        kind: MarkKind,
        /// When, in ns.
        time_ns: u64,
    },
}

impl Under {
    /// How many things there are, those that are not told one by one included.
    #[must_use]
    pub fn count(&self) -> u64 {
        let marks = self.marks.iter().map(|(_, count)| u64::from(*count));
        u64::from(self.segments) + marks.sum::<u64>()
    }
}
