//! What a stretch of a run adds up to.

use super::{MarkKind, RunId, Span};
use serde::{Deserialize, Serialize};

/// What a stretch of a run adds up to, to the ns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// Which run.
    pub run: RunId,
    /// The stretch, as it was asked for.
    pub span: Span,
    /// How far the run had come, in ns: nothing behind that is added up.
    pub reached_ns: u64,
    /// Each pCPU.
    pub pcpus: Vec<PcpuStretch>,
    /// How long each vCPU ran, in ns; none if that was not asked for, or if there are too many
    /// segments to go through.
    pub ran_ns: Option<Vec<u64>>,
}

/// What a stretch of one pCPU adds up to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PcpuStretch {
    /// How long guests ran, in ns.
    pub busy_ns: u64,
    /// How many segments begin.
    pub segments: u32,
    /// How many marks of each kind there are, in order of [`MarkKind::ALL`].
    pub marks: Vec<u32>,
}

impl Stretch {
    /// The part of the stretch that has been simulated, in ns.
    #[must_use]
    pub fn known_ns(&self) -> u64 {
        self.span.to_ns.min(self.reached_ns).saturating_sub(self.span.from_ns)
    }
}

impl PcpuStretch {
    /// How many marks of a kind there are.
    #[must_use]
    pub fn marks_of(&self, kind: MarkKind) -> u32 {
        self.marks.get(kind as usize).copied().unwrap_or(0)
    }
}
