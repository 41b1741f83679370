//! Points in the scheduler's history: those that the conformance vectors were taken at, and
//! releases.

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

const TRACED: PatchSet = R2.with(Patch::TraceCredit);
const XEN_4_3: PatchSet = TRACED
    .with(Patch::BurnResidual)
    .with(Patch::UnparkBoosts)
    .with(Patch::AffinityAlwaysMigrates)
    .with(Patch::PickStartIdle)
    .with(Patch::TwoStepBalance);
const XEN_4_4: PatchSet = XEN_4_3.with(Patch::TsliceDerives);
const XEN_4_5: PatchSet = XEN_4_4.with(Patch::SoftAffinity);
const XEN_4_6: PatchSet = XEN_4_5
    .with(Patch::SoftSubsetChecks)
    .with(Patch::TicklePoolFilter)
    .with(Patch::TickleUnfilteredMask);
const XEN_4_7: PatchSet = XEN_4_6
    .with(Patch::TsliceRepool)
    .with(Patch::TickleDomainPool)
    .with(Patch::KickOnlyIfUseful)
    .with(Patch::TraceBoost)
    .with(Patch::NoBoostOnMigrate);
const XEN_4_11: PatchSet = R9.with(Patch::ExclPinning).with(Patch::MigrateStartFinish);
const XEN_4_13: PatchSet = XEN_4_11.with(Patch::TickerStopsWhenIdle).without(Patch::UnparkBoosts);
const XEN_4_18: PatchSet = XEN_4_13.with(Patch::LbRatelimit).with(Patch::NoStealYielded);

const fn revision(
    name: &'static str,
    date: &'static str,
    title: &'static str,
    patches: PatchSet,
) -> Revision {
    Revision { name, title, date, patches }
}

/// The scheduler's history, oldest first: the revisions R0 to R9 of the conformance vectors, and
/// what each release shipped.
pub static REVISIONS: [Revision; 19] = [
    revision("R0", "Dec 2012", "before the idle-pCPU series", R0),
    revision("R1", "Dec 2012", "after “improve picking up the idle CPU”", R1),
    revision("R2", "Dec 2012", "after “improve tickling of idle CPUs”", R2),
    revision("traced", "Dec 2012", "after “xen: more trace records for credit1”", TRACED),
    revision("4.3", "Jul 2013", "Xen 4.3", XEN_4_3),
    revision("4.4", "Mar 2014", "Xen 4.4", XEN_4_4),
    revision("4.5", "Jan 2015", "Xen 4.5", XEN_4_5),
    revision("4.6", "Oct 2015", "Xen 4.6", XEN_4_6),
    revision("4.7", "Jun 2016", "Xen 4.7", XEN_4_7),
    revision("R3", "Apr 2017", "base of the 2017 series, what Xen 4.8 shipped", R3),
    revision("R4", "Apr 2017", "after “steal: leave early when the peer is idle”", R4),
    revision("R5", "Apr 2017", "after “steal: test is_running first”", R5),
    revision("R6", "Apr 2017", "after “consider tickled pCPUs as busy”", R6),
    revision("R7", "Apr 2017", "after “trace and count steal attempts”", R7),
    revision("R8", "Apr 2017", "after “skip peers with nothing to steal”", R8),
    revision("R9", "Apr 2017", "after “treat pCPUs more evenly”, what Xen 4.9 shipped", R9),
    revision("4.11", "Jul 2018", "Xen 4.11", XEN_4_11),
    revision("4.13", "Dec 2019", "Xen 4.13", XEN_4_13),
    revision("4.18", "Nov 2023", "Xen 4.18", XEN_4_18),
];

impl Revision {
    /// The revision of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<&'static Self> {
        REVISIONS.iter().find(|revision| revision.name == name)
    }

    /// The revision of this name, which must exist: for tables that are built in.
    #[must_use]
    pub(crate) const fn at(name: &str) -> &'static Self {
        let mut index = 0;
        while index < REVISIONS.len() {
            if same(REVISIONS[index].name, name) {
                return &REVISIONS[index];
            }
            index += 1;
        }
        panic!("no revision of this name")
    }

    /// The latest revision that holds exactly these patches.
    #[must_use]
    pub fn of(patches: PatchSet) -> Option<&'static Self> {
        REVISIONS.iter().find(|revision| revision.patches == patches)
    }
}

/// Whether two texts are the same, at compile time.
const fn same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while index < a.len() && index < b.len() && a[index] == b[index] {
        index += 1;
    }
    index == a.len() && index == b.len()
}
