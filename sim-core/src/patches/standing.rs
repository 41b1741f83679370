//! Where a choice of patches stands in the scheduler's history: at a stop, between two stops, or
//! nowhere, and then what it is nearest to.
//!
//! Judges only which patches are in; whether the choice is defined is `PatchSet::checked`.

use super::{Patch, PatchKind, PatchSet, REVISIONS, Revision};
use core::fmt;

/// A commit that brought patches, or took one back.
#[derive(Debug, PartialEq, Eq)]
pub struct Commit {
    /// The commit in Xen's tree.
    pub commit: &'static str,
    /// Its day, ISO 8601.
    pub date: &'static str,
    /// What it brought.
    pub brings: PatchSet,
    /// What it took back.
    pub undoes: PatchSet,
}

const fn brings(commit: &'static str, date: &'static str, patches: &[Patch]) -> Commit {
    Commit { commit, date, brings: PatchSet::of(patches), undoes: PatchSet::NONE }
}

const fn undoes(commit: &'static str, date: &'static str, patch: Patch) -> Commit {
    Commit { commit, date, brings: PatchSet::NONE, undoes: PatchSet::of(&[patch]) }
}

/// The commits in the order of Xen's tree. The last one's day is that on which it was written: it
/// stands on top of the one before it.
pub static HISTORY: [Commit; 35] = [
    brings("750ec2271d", "2012-12-18", &[Patch::PickDiscountAlone]),
    brings("ebce2d836c", "2012-12-18", &[Patch::TicklePreferIdlers]),
    brings("cbcbe82fb3", "2012-12-18", &[Patch::TraceCredit]),
    brings("cf0c29d1a9", "2013-02-28", &[Patch::BurnResidual]),
    brings("be65075094", "2013-03-04", &[Patch::UnparkBoosts]),
    brings("0f3b02d07e", "2013-03-08", &[Patch::AffinityAlwaysMigrates]),
    brings("ebb064aa22", "2013-04-17", &[Patch::PickStartIdle]),
    brings("cfcc144ff1", "2013-04-17", &[Patch::TwoStepBalance]),
    brings("1320b8100c", "2013-11-15", &[Patch::TsliceDerives]),
    brings("db6b221591", "2014-06-16", &[Patch::SoftAffinity]),
    brings("3582093e01", "2015-03-06", &[Patch::SoftSubsetChecks]),
    brings("02ea503182", "2015-07-07", &[Patch::TicklePoolFilter, Patch::TickleUnfilteredMask]),
    brings("6c9cf46cef", "2015-09-30", &[Patch::TickleDomainPool]),
    brings("f02a5760c7", "2015-11-02", &[Patch::KickOnlyIfUseful]),
    brings("ffc342fbb0", "2016-02-02", &[Patch::TsliceRepool]),
    brings("3c7d1da274", "2016-02-24", &[Patch::TraceBoost]),
    brings("66c7449a4d", "2016-02-29", &[Patch::NoBoostOnMigrate]),
    brings("6257fdb14b", "2016-07-06", &[Patch::PerfTickled]),
    brings("9f358ddd69", "2016-07-15", &[Patch::PickOnInsert]),
    undoes("f83fc393b2", "2016-09-15", Patch::TickleUnfilteredMask),
    brings("0053127890", "2016-09-30", &[Patch::RatelimitRemaining]),
    brings("9fdd2f3c9c", "2016-09-30", &[Patch::YieldSkipsRatelimit]),
    brings("c540b09cec", "2016-09-30", &[Patch::TraceSchedule]),
    brings("c95ac0ad20", "2017-04-07", &[Patch::StealIdleExit]),
    brings("afb077334f", "2017-04-07", &[Patch::StealRunningFirst]),
    brings("47d5292995", "2017-04-07", &[Patch::TickledIsBusy]),
    brings("46bab93935", "2017-04-07", &[Patch::StealTrace]),
    brings("341450eaf7", "2017-04-07", &[Patch::StealSkipSingle]),
    brings("89216c7999", "2017-04-07", &[Patch::StealBias]),
    brings("b37b61d178", "2018-03-21", &[Patch::ExclPinning]),
    brings("9a36de177c", "2018-05-01", &[Patch::MigrateStartFinish]),
    undoes("5c8c0ae7c4", "2019-05-03", Patch::UnparkBoosts),
    brings("969f58bde2", "2019-10-07", &[Patch::TickerStopsWhenIdle]),
    brings("58feb9e0ac", "2023-09-18", &[Patch::LbRatelimit]),
    brings("e282067cf2", "2023-06-30", &[Patch::NoStealYielded]),
];

/// Where a choice of patches stands.
#[derive(Clone, Copy, Debug)]
pub enum Standing {
    /// It is what this revision or release held.
    Stop(&'static Revision),
    /// The tree held it after this commit, between two stops.
    Tree(&'static Commit),
    /// It never existed.
    Never {
        /// The stop that differs least.
        nearest: &'static Revision,
        /// What that stop held and the choice does not.
        without: PatchSet,
        /// What the choice holds and that stop did not.
        with: PatchSet,
    },
}

impl Standing {
    /// Where this choice stands.
    ///
    /// The nearest stop is the one that fewest patches tell apart; of several, the one that fewest
    /// patches tell apart which change decisions; of these the latest.
    #[must_use]
    pub fn of(patches: PatchSet) -> Self {
        if let Some(revision) = Revision::of(patches) {
            return Self::Stop(revision);
        }
        let mut tree = PatchSet::NONE;
        for commit in &HISTORY {
            tree = tree.without_all(commit.undoes).with_all(commit.brings);
            if tree == patches {
                return Self::Tree(commit);
            }
        }
        let distance = |revision: &&'static Revision| {
            let without = revision.patches.without_all(patches);
            let differing = without.with_all(patches.without_all(revision.patches));
            let decides = |patch: &Patch| patch.info().kind == PatchKind::Decision;
            (differing.iter().count(), differing.iter().filter(decides).count())
        };
        let nearest = REVISIONS.iter().rev().min_by_key(distance).expect("there are stops");
        Self::Never {
            nearest,
            without: nearest.patches.without_all(patches),
            with: patches.without_all(nearest.patches),
        }
    }
}

/// Writes titles of patches in quotation marks, with commas and “and” between them.
fn write_titles(f: &mut fmt::Formatter<'_>, patches: PatchSet) -> fmt::Result {
    let count = patches.iter().count();
    for (index, patch) in patches.iter().enumerate() {
        f.write_str(match index {
            0 => " ",
            _ if index + 1 == count => " and ",
            _ => ", ",
        })?;
        write!(f, "“{}”", patch.info().title)?;
    }
    Ok(())
}

/// Writes one sentence without its full stop.
impl fmt::Display for Standing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stop(revision) => write!(f, "{}, {}", revision.name, revision.title),
            Self::Tree(Commit { commit, date, brings, undoes }) => {
                let what = if *undoes == PatchSet::NONE { "brought" } else { "took back" };
                write!(f, "Xen’s tree of {date}, after commit {commit} {what}")?;
                write_titles(f, brings.with_all(*undoes))
            }
            Self::Never { nearest, without, with } => {
                write!(f, "this combination never existed: it is {}", nearest.name)?;
                if *without != PatchSet::NONE {
                    f.write_str(" without")?;
                    write_titles(f, *without)?;
                }
                if *with != PatchSet::NONE {
                    let and = if *without == PatchSet::NONE { "" } else { " and" };
                    write!(f, "{and} with")?;
                    write_titles(f, *with)?;
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patches::PATCHES;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    /// The tree after each commit.
    fn trees() -> Vec<PatchSet> {
        let mut tree = PatchSet::NONE;
        let after = HISTORY.iter().map(|commit| {
            tree = tree.without_all(commit.undoes).with_all(commit.brings);
            tree
        });
        after.collect()
    }

    /// Goal: the history is that of the patch table, in order, and goes through every stop.
    #[test]
    fn the_history_is_that_of_the_patches() {
        for info in &PATCHES {
            let brought: Vec<_> =
                HISTORY.iter().filter(|commit| commit.brings.has(info.patch)).collect();
            let [commit] = brought[..] else { panic!("{} is brought once", info.slug) };
            assert_eq!((commit.commit, commit.date), (info.commit, info.date), "{}", info.slug);
        }
        let (_, in_order) = HISTORY.split_last().expect("there are commits");
        assert!(in_order.is_sorted_by_key(|commit| commit.date));
        let trees = trees();
        for revision in &REVISIONS[1..] {
            assert!(trees.contains(&revision.patches), "{}", revision.name);
        }
    }

    /// Goal: each stop and each tree between two stops is known as what it is.
    #[test]
    fn what_existed_is_found() {
        for revision in &REVISIONS {
            let found = Standing::of(revision.patches);
            assert!(matches!(found, Standing::Stop(stop) if stop.name == revision.name));
        }
        for (commit, tree) in HISTORY.iter().zip(trees()) {
            let known = match Standing::of(tree) {
                Standing::Stop(stop) => stop.patches == tree,
                Standing::Tree(found) => found == commit,
                Standing::Never { .. } => false,
            };
            assert!(known, "{}", commit.commit);
        }
    }

    /// Goal: what never existed is told by its distance from the nearest stop, in both directions.
    #[test]
    fn what_never_existed_is_told_apart() {
        let at = |name| Revision::from_name(name).expect("it exists").patches;
        let said = |patches| Standing::of(patches).to_string();
        let never = "this combination never existed: it is ";
        let unpark = Patch::UnparkBoosts.info().title;
        assert_eq!(
            said(at("4.13").without(Patch::BurnResidual).with(Patch::UnparkBoosts)),
            [never, "4.13 without “Burn: carry the remainder” and with “", unpark, "”"].concat()
        );
        assert_eq!(
            said(at("R2").with(Patch::BurnResidual)),
            [never, "R2 with “Burn: carry the remainder”"].concat()
        );
        let (a, b) = (Patch::StealTrace, Patch::LbRatelimit);
        assert_eq!(
            said(at("4.18").without(a).without(b)),
            [never, "4.18 without “", a.info().title, "” and “", b.info().title, "”"].concat()
        );
        assert_eq!(
            said(at("4.3").without(Patch::TwoStepBalance)),
            "Xen’s tree of 2013-04-17, after commit ebb064aa22 brought “Pick: start from an idle \
             pCPU”"
        );
    }
}
