//! The patches of Xen's credit scheduler, one entry each.
//!
//! Toggles, link bits, documentation and tests are made from this table. A patch is asked at the
//! branch that it changes and nowhere else. Source of dates, commits and releases: the Xen history.

mod history;
mod set;
mod standing;
mod table;

pub use history::{REVISIONS, Revision};
pub use set::{CombinationError, PatchSet};
pub use standing::{Commit, HISTORY, Standing};
pub use table::PATCHES;

/// A patch that can be switched on or off. The number is its bit in links and is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)] // each is described by its entry in the table
pub enum Patch {
    PickDiscountAlone = 0,
    TicklePreferIdlers = 1,
    TraceCredit = 2,
    BurnResidual = 3,
    UnparkBoosts = 4,
    AffinityAlwaysMigrates = 5,
    PickStartIdle = 6,
    TwoStepBalance = 7,
    SoftAffinity = 8,
    SoftSubsetChecks = 9,
    TsliceDerives = 10,
    TsliceRepool = 11,
    TicklePoolFilter = 12,
    TickleUnfilteredMask = 13,
    TickleDomainPool = 14,
    KickOnlyIfUseful = 15,
    TraceBoost = 16,
    NoBoostOnMigrate = 17,
    PerfTickled = 18,
    PickOnInsert = 19,
    RatelimitRemaining = 20,
    YieldSkipsRatelimit = 21,
    TraceSchedule = 22,
    StealIdleExit = 23,
    StealRunningFirst = 24,
    TickledIsBusy = 25,
    StealTrace = 26,
    StealSkipSingle = 27,
    StealBias = 28,
    ExclPinning = 29,
    MigrateStartFinish = 30,
    TickerStopsWhenIdle = 31,
    LbRatelimit = 32,
    NoStealYielded = 33,
}

/// What a patch changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchKind {
    /// Which decision is taken.
    Decision,
    /// Only counters and trace records.
    Counter,
    /// Nothing that a run shows.
    Nothing,
}

/// One entry of the patch table.
#[derive(Debug)]
pub struct PatchInfo {
    /// The patch.
    pub patch: Patch,
    /// Its stable name, as used on the command line.
    pub slug: &'static str,
    /// A short title for people.
    pub title: &'static str,
    /// The commit in Xen's tree.
    pub commit: &'static str,
    /// The day of the commit, ISO 8601.
    pub date: &'static str,
    /// First release with it.
    pub release: &'static str,
    /// What it changes.
    pub kind: PatchKind,
    /// What went wrong before and what the patch does, in one or two sentences.
    pub story: &'static str,
    /// Patches without which it is not defined.
    pub needs: &'static [Patch],
    /// The slug of the preset that shows it.
    pub demo: &'static str,
}

impl Patch {
    /// The patch's entry.
    #[must_use]
    pub fn info(self) -> &'static PatchInfo {
        &PATCHES[self as usize]
    }

    /// The patch of this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        PATCHES.get(usize::from(number)).map(|info| info.patch)
    }

    /// The patch of this slug.
    #[must_use]
    pub fn from_slug(slug: &str) -> Option<Self> {
        PATCHES.iter().find(|info| info.slug == slug).map(|info| info.patch)
    }
}
