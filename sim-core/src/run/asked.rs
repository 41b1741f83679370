//! The choices of patches that a decision is asked under, so that each distinct outcome is worked
//! out once however many comparisons want it.
//!
//! Decides nothing: it calls the functions that do.

use crate::patches::{Patch, PatchSet, REVISIONS};
use alloc::vec::Vec;

/// Patches that a tickle decision depends on.
pub(super) const TICKLE: PatchSet = PatchSet::of(&[
    Patch::TicklePreferIdlers,
    Patch::TwoStepBalance,
    Patch::SoftAffinity,
    Patch::SoftSubsetChecks,
    Patch::TicklePoolFilter,
    Patch::TickleUnfilteredMask,
    Patch::KickOnlyIfUseful,
    Patch::TickledIsBusy,
    Patch::ExclPinning,
]);
/// Patches that a pick depends on.
pub(super) const PICK: PatchSet = PatchSet::of(&[
    Patch::PickDiscountAlone,
    Patch::PickStartIdle,
    Patch::TwoStepBalance,
    Patch::SoftAffinity,
    Patch::SoftSubsetChecks,
    Patch::TickledIsBusy,
]);
/// Patches that a search for work depends on.
pub(super) const BALANCE: PatchSet = PatchSet::of(&[
    Patch::TwoStepBalance,
    Patch::SoftAffinity,
    Patch::SoftSubsetChecks,
    Patch::TickledIsBusy,
    Patch::StealSkipSingle,
    Patch::StealBias,
    Patch::LbRatelimit,
    Patch::NoStealYielded,
]);
/// Patches that the rate limit of a scheduling decision depends on.
pub(super) const SCHEDULE: PatchSet =
    PatchSet::of(&[Patch::RatelimitRemaining, Patch::YieldSkipsRatelimit]);
/// Patches that a wake-up's boost depends on.
pub(super) const WAKE: PatchSet = PatchSet::of(&[Patch::UnparkBoosts, Patch::NoBoostOnMigrate]);
/// The patch that a charge for execution depends on.
pub(super) const CHARGE: PatchSet = PatchSet::of(&[Patch::BurnResidual]);

/// All patches that can be asked about on the state of one decision. The others change the state
/// over time, or nothing that is decided.
pub const ASKED: PatchSet =
    TICKLE.with_all(PICK).with_all(BALANCE).with_all(SCHEDULE).with_all(WAKE).with_all(CHARGE);

/// Two choices of patches that are compared on the states of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difference {
    /// The run's own choice, and the same with this patch flipped.
    Patch(Patch),
    /// A stop of history, an index into [`REVISIONS`], and the stop before it.
    Stop(usize),
}

impl Difference {
    /// Both choices, for a run with the patches `here`.
    #[must_use]
    pub fn sides(self, here: PatchSet) -> (PatchSet, PatchSet) {
        match self {
            Self::Patch(patch) => (here, here.flipped(patch)),
            Self::Stop(0) => (REVISIONS[0].patches, REVISIONS[0].patches),
            Self::Stop(stop) => (REVISIONS[stop - 1].patches, REVISIONS[stop].patches),
        }
    }
}

/// What one sort of decision is asked under.
#[derive(Clone, Debug)]
pub(super) struct Asked {
    depends_on: PatchSet,
    /// Choices that differ in what the decision depends on; the first is the run's own.
    pub(super) sets: Vec<PatchSet>,
    /// Per comparison that can come out otherwise: its place in the list, and its two choices.
    pub(super) pairs: Vec<(usize, usize, usize)>,
}

impl Asked {
    pub(super) fn new(depends_on: PatchSet, here: PatchSet, differences: &[Difference]) -> Self {
        let mut asked = Self { depends_on, sets: Vec::new(), pairs: Vec::new() };
        asked.set(here);
        for (place, difference) in differences.iter().enumerate() {
            let (a, b) = difference.sides(here);
            // What is charged is no decision: a stop does not count it.
            let is_charge = depends_on == CHARGE && matches!(difference, Difference::Stop(_));
            if asked.relevant(a) != asked.relevant(b) && !is_charge {
                let pair = (place, asked.set(a), asked.set(b));
                asked.pairs.push(pair);
            }
        }
        asked
    }

    fn relevant(&self, patches: PatchSet) -> u64 {
        patches.bits() & self.depends_on.bits()
    }

    /// The place of a choice among those asked under.
    fn set(&mut self, patches: PatchSet) -> usize {
        let known = self.sets.iter().position(|set| self.relevant(*set) == self.relevant(patches));
        known.unwrap_or_else(|| {
            self.sets.push(patches);
            self.sets.len() - 1
        })
    }
}
