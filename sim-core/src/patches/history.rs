//! Points in the scheduler's history that the conformance vectors were taken at.

use super::{Patch, PatchSet};

/// A state of Xen's tree.
#[derive(Debug)]
pub struct Revision {
    /// Its short name in the vectors.
    pub name: &'static str,
    /// What it is, for people.
    pub title: &'static str,
    /// When, as shown.
    pub date: &'static str,
    /// The patches that it holds.
    pub patches: PatchSet,
}

const R0: PatchSet = PatchSet::NONE;
const R1: PatchSet = R0.with(Patch::PickDiscountAlone);
const R2: PatchSet = R1.with(Patch::TicklePreferIdlers);
/// Base of the April 2017 series: what Xen 4.8 shipped.
const R3: PatchSet = PatchSet::of(&[
    Patch::PickDiscountAlone,
    Patch::TicklePreferIdlers,
    Patch::TraceCredit,
    Patch::BurnResidual,
    Patch::UnparkBoosts,
    Patch::AffinityAlwaysMigrates,
    Patch::PickStartIdle,
    Patch::TwoStepBalance,
    Patch::SoftAffinity,
    Patch::SoftSubsetChecks,
    Patch::TsliceDerives,
    Patch::TsliceRepool,
    Patch::TicklePoolFilter,
    Patch::TickleDomainPool,
    Patch::KickOnlyIfUseful,
    Patch::TraceBoost,
    Patch::NoBoostOnMigrate,
    Patch::PerfTickled,
    Patch::PickOnInsert,
    Patch::RatelimitRemaining,
    Patch::YieldSkipsRatelimit,
    Patch::TraceSchedule,
]);
const R4: PatchSet = R3.with(Patch::StealIdleExit);
const R5: PatchSet = R4.with(Patch::StealRunningFirst);
const R6: PatchSet = R5.with(Patch::TickledIsBusy);
const R7: PatchSet = R6.with(Patch::StealTrace);
const R8: PatchSet = R7.with(Patch::StealSkipSingle);
const R9: PatchSet = R8.with(Patch::StealBias);

const fn revision(
    name: &'static str,
    date: &'static str,
    title: &'static str,
    patches: PatchSet,
) -> Revision {
    Revision { name, title, date, patches }
}

/// The revisions of the conformance vectors, oldest first.
pub const REVISIONS: [Revision; 10] = [
    revision("R0", "Dec 2012", "before the idle-pCPU series", R0),
    revision("R1", "Dec 2012", "after “improve picking up the idle CPU”", R1),
    revision("R2", "Dec 2012", "after “improve tickling of idle CPUs”", R2),
    revision("R3", "Apr 2017", "base of the 2017 series, what Xen 4.8 shipped", R3),
    revision("R4", "Apr 2017", "after “steal: leave early when the peer is idle”", R4),
    revision("R5", "Apr 2017", "after “steal: test is_running first”", R5),
    revision("R6", "Apr 2017", "after “consider tickled pCPUs as busy”", R6),
    revision("R7", "Apr 2017", "after “trace and count steal attempts”", R7),
    revision("R8", "Apr 2017", "after “skip peers with nothing to steal”", R8),
    revision("R9", "Apr 2017", "after “treat pCPUs more evenly”", R9),
];

impl Revision {
    /// The revision of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Self> {
        REVISIONS.iter().find(|revision| revision.name == name)
    }

    /// The latest revision that holds exactly these patches.
    #[must_use]
    pub fn of(patches: PatchSet) -> Option<&'static Self> {
        REVISIONS.iter().find(|revision| revision.patches == patches)
    }
}
