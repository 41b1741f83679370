//! The patch table. An entry stands at the index of its number.

use super::{Patch, PatchInfo, PatchKind};

/// All patches, in order of their numbers.
#[rustfmt::skip]
pub const PATCHES: [PatchInfo; 34] = [
    PatchInfo {
        patch: Patch::PickDiscountAlone,
        slug: "pick_discount_alone",
        title: "Pick: count only true idlers",
        commit: "750ec2271d", date: "2012-12-18", release: "4.3", kind: PatchKind::Decision,
        story: "The search for a pCPU counted its starting point as idle even when somebody else \
                was busy there. Now it counts only if it is the vCPU's own pCPU and nothing waits on it.",
        needs: &[], demo: "changes-while-running",
    },
    PatchInfo {
        patch: Patch::TicklePreferIdlers,
        slug: "tickle_prefer_idlers",
        title: "Tickle: prefer idlers to preempting",
        commit: "ebce2d836c", date: "2012-12-18", release: "4.3", kind: PatchKind::Decision,
        story: "A waking vCPU interrupted the pCPU it last ran on although an idle one could take it. \
                Now an idle pCPU that it may use is told instead; only without one is the running vCPU \
                preempted, and then it is pushed out to find another pCPU.",
        needs: &[], demo: "pinned-waker",
    },
    PatchInfo {
        patch: Patch::TraceCredit,
        slug: "trace_credit",
        title: "Trace: credit1's own records",
        commit: "cbcbe82fb3", date: "2012-12-18", release: "4.3", kind: PatchKind::Counter,
        story: "Tickles, picks and steals left nothing in a trace. Now they have records of their own.",
        needs: &[], demo: "pinned-waker",
    },
    PatchInfo {
        patch: Patch::BurnResidual,
        slug: "burn_residual",
        title: "Burn: carry the remainder",
        commit: "cf0c29d1a9", date: "2013-02-28", release: "4.3", kind: PatchKind::Decision,
        story: "Burnt credit was rounded to the nearest whole one at each charge. Now whole credits are \
                charged and the remainder is kept for the next time.",
        needs: &[], demo: "seed-6-vms",
    },
    PatchInfo {
        patch: Patch::UnparkBoosts,
        slug: "unpark_boosts",
        title: "Unpark: boosts the vCPU (a regression)",
        commit: "be65075094", date: "2013-03-04", release: "4.3", kind: PatchKind::Decision,
        story: "Clearing the parked mark before the wake lets a capped vCPU come back boosted. \
                Undone in May 2019 by 5c8c0ae7c4.",
        needs: &[], demo: "capped-hog",
    },
    PatchInfo {
        patch: Patch::AffinityAlwaysMigrates,
        slug: "affinity_always_migrates",
        title: "Affinity: a change always re-places",
        commit: "0f3b02d07e", date: "2013-03-08", release: "4.3", kind: PatchKind::Decision,
        story: "A vCPU was re-placed on an affinity change only if it stood outside the new set. \
                Now it always is.",
        needs: &[], demo: "changes-while-running",
    },
    PatchInfo {
        patch: Patch::PickStartIdle,
        slug: "pick_start_idle",
        title: "Pick: start from an idle pCPU",
        commit: "ebb064aa22", date: "2013-04-17", release: "4.3", kind: PatchKind::Decision,
        story: "The search could start from a busy pCPU and stay there on a tie with an idle one. \
                Now it starts from an idle one if there is any.",
        needs: &[], demo: "two-nodes",
    },
    PatchInfo {
        patch: Patch::TwoStepBalance,
        slug: "two_step_balance",
        title: "Balance: preferred pCPUs first, node by node",
        commit: "cfcc144ff1", date: "2013-04-17", release: "4.3", kind: PatchKind::Decision,
        story: "All pCPUs a vCPU may use were alike. Now preferred ones are tried first, and a search \
                for work walks the NUMA nodes from its own.",
        needs: &[Patch::TicklePreferIdlers], demo: "steal-victims",
    },
    PatchInfo {
        patch: Patch::SoftAffinity,
        slug: "soft_affinity",
        title: "Affinity: soft affinity per vCPU",
        commit: "db6b221591", date: "2014-06-16", release: "4.5", kind: PatchKind::Decision,
        story: "The preferred set was the domain's home nodes. Now each vCPU has its own.",
        needs: &[Patch::TwoStepBalance], demo: "two-nodes",
    },
    PatchInfo {
        patch: Patch::SoftSubsetChecks,
        slug: "soft_subset_checks",
        title: "Affinity: skip a soft step that says nothing",
        commit: "3582093e01", date: "2015-03-06", release: "4.6", kind: PatchKind::Decision,
        story: "The preferred step was walked although it allowed all that the hard one allows. \
                Now it is skipped then.",
        needs: &[Patch::SoftAffinity], demo: "two-nodes",
    },
    PatchInfo {
        patch: Patch::TsliceDerives,
        slug: "tslice_derives",
        title: "Parameters: a new slice changes the tick too",
        commit: "1320b8100c", date: "2013-11-15", release: "4.4", kind: PatchKind::Decision,
        story: "Changing the slice at run time left tick period and credits per slice as they were. \
                Now they follow.",
        needs: &[], demo: "changes-while-running",
    },
    PatchInfo {
        patch: Patch::TsliceRepool,
        slug: "tslice_repool",
        title: "Parameters: a new slice changes the credit pool",
        commit: "ffc342fbb0", date: "2016-02-02", release: "4.7", kind: PatchKind::Decision,
        story: "The credit handed out per period kept its old size when the slice changed. \
                Now it follows.",
        needs: &[Patch::TsliceDerives], demo: "changes-while-running",
    },
    PatchInfo {
        patch: Patch::TicklePoolFilter,
        slug: "tickle_pool_filter",
        title: "Tickle: only idlers of the own pool",
        commit: "02ea503182", date: "2015-07-07", release: "4.6", kind: PatchKind::Nothing,
        story: "Idle pCPUs of other pools were considered. Now they are left out.",
        needs: &[Patch::TicklePreferIdlers, Patch::TwoStepBalance], demo: "pinned-waker",
    },
    PatchInfo {
        patch: Patch::TickleUnfilteredMask,
        slug: "tickle_unfiltered_mask",
        title: "Tickle: forgets the affinity (a regression)",
        commit: "02ea503182", date: "2015-07-07", release: "4.6", kind: PatchKind::Decision,
        story: "The chosen idler came from all idle pCPUs, also those that the vCPU may not use. \
                Undone in September 2016 by f83fc393b2.",
        needs: &[Patch::TicklePoolFilter], demo: "two-nodes",
    },
    PatchInfo {
        patch: Patch::TickleDomainPool,
        slug: "tickle_domain_pool",
        title: "Tickle: pool taken from the domain",
        commit: "6c9cf46cef", date: "2015-09-30", release: "4.7", kind: PatchKind::Nothing,
        story: "The pool was that of the pCPU. Now it is the domain's; with one pool nothing changes.",
        needs: &[Patch::TicklePoolFilter], demo: "pinned-waker",
    },
    PatchInfo {
        patch: Patch::KickOnlyIfUseful,
        slug: "kick_only_if_useful",
        title: "Kick: only if it can go elsewhere",
        commit: "f02a5760c7", date: "2015-11-02", release: "4.7", kind: PatchKind::Decision,
        story: "A running vCPU was pushed out even if no idle pCPU could take it; it came straight back, \
                boosted and past the rate limit. Now it is pushed only if an idle pCPU may run it.",
        needs: &[Patch::TicklePreferIdlers], demo: "seed-10-vms-pinned",
    },
    PatchInfo {
        patch: Patch::TraceBoost,
        slug: "trace_boost",
        title: "Trace: boosts",
        commit: "3c7d1da274", date: "2016-02-24", release: "4.7", kind: PatchKind::Counter,
        story: "Boosts left nothing in a trace. Now start and end have a record and a counter.",
        needs: &[], demo: "pinned-waker",
    },
    PatchInfo {
        patch: Patch::NoBoostOnMigrate,
        slug: "no_boost_on_migrate",
        title: "Migrate: no boost for being moved",
        commit: "66c7449a4d", date: "2016-02-29", release: "4.7", kind: PatchKind::Decision,
        story: "A vCPU that was moved came back through a wake-up and was boosted for it. \
                Now it is not.",
        needs: &[], demo: "kick-ping-pong",
    },
    PatchInfo {
        patch: Patch::PerfTickled,
        slug: "perf_tickled",
        title: "Count: what was tickled",
        commit: "6257fdb14b", date: "2016-07-06", release: "4.8", kind: PatchKind::Counter,
        story: "New counters say whether a busy, an idle or no pCPU was tickled.",
        needs: &[Patch::TicklePreferIdlers], demo: "pinned-waker",
    },
    PatchInfo {
        patch: Patch::PickOnInsert,
        slug: "pick_on_insert",
        title: "Insert: place a new vCPU at once",
        commit: "9f358ddd69", date: "2016-07-15", release: "4.8", kind: PatchKind::Decision,
        story: "A new vCPU stayed where its creator put it. Now the scheduler picks.",
        needs: &[], demo: "seed-6-vms",
    },
    PatchInfo {
        patch: Patch::RatelimitRemaining,
        slug: "ratelimit_remaining",
        title: "Rate limit: only what is left of it",
        commit: "0053127890", date: "2016-09-30", release: "4.8", kind: PatchKind::Decision,
        story: "A vCPU inside the rate limit got a full limit again. Now it gets what is left of it.",
        needs: &[], demo: "kick-ping-pong",
    },
    PatchInfo {
        patch: Patch::YieldSkipsRatelimit,
        slug: "yield_skips_ratelimit",
        title: "Rate limit: a yield is honoured",
        commit: "9fdd2f3c9c", date: "2016-09-30", release: "4.8", kind: PatchKind::Decision,
        story: "A yield inside the rate limit was ignored and remembered for later. Now it is honoured.",
        needs: &[], demo: "yielding-pair",
    },
    PatchInfo {
        patch: Patch::TraceSchedule,
        slug: "trace_schedule",
        title: "Trace: scheduling decisions",
        commit: "c540b09cec", date: "2016-09-30", release: "4.8", kind: PatchKind::Counter,
        story: "Scheduling decisions and rate limits left nothing in a trace. Now they do.",
        needs: &[], demo: "pinned-waker",
    },
    PatchInfo {
        patch: Patch::StealIdleExit,
        slug: "steal_idle_exit",
        title: "Steal: leave early when the peer is idle",
        commit: "c95ac0ad20", date: "2017-04-07", release: "4.9", kind: PatchKind::Nothing,
        story: "The test for an idle peer moved to the front; every decision stays the same.",
        needs: &[], demo: "seed-6-vms",
    },
    PatchInfo {
        patch: Patch::StealRunningFirst,
        slug: "steal_running_first",
        title: "Steal: test is_running first",
        commit: "afb077334f", date: "2017-04-07", release: "4.9", kind: PatchKind::Nothing,
        story: "The cheapest test comes first; every decision stays the same.",
        needs: &[], demo: "seed-6-vms",
    },
    PatchInfo {
        patch: Patch::TickledIsBusy,
        slug: "tickled_is_busy",
        title: "Tickled pCPUs count as busy",
        commit: "47d5292995", date: "2017-04-07", release: "4.9", kind: PatchKind::Decision,
        story: "A pCPU that had been tickled but not yet woken still counted as idle and could be tickled \
                twice while another slept on. Now it leaves the idlers at once.",
        needs: &[Patch::TicklePreferIdlers], demo: "same-idler-twice",
    },
    PatchInfo {
        patch: Patch::StealTrace,
        slug: "steal_trace",
        title: "Trace: steal attempts",
        commit: "46bab93935", date: "2017-04-07", release: "4.9", kind: PatchKind::Counter,
        story: "Each peer that was tried or skipped leaves a record, and tries are counted.",
        needs: &[], demo: "seed-10-vms",
    },
    PatchInfo {
        patch: Patch::StealSkipSingle,
        slug: "steal_skip_single",
        title: "Steal: skip peers with nothing to give",
        commit: "341450eaf7", date: "2017-04-07", release: "4.9", kind: PatchKind::Counter,
        story: "Every busy peer was locked and searched. Now one with at most one runnable vCPU is skipped.",
        needs: &[Patch::StealTrace], demo: "steal-victims",
    },
    PatchInfo {
        patch: Patch::StealBias,
        slug: "steal_bias",
        title: "Steal: take turns among the peers",
        commit: "89216c7999", date: "2017-04-07", release: "4.9", kind: PatchKind::Decision,
        story: "The search always began with the lowest pCPU of a node, which was robbed most. \
                Now it goes on behind the last victim.",
        needs: &[Patch::TwoStepBalance], demo: "steal-victims",
    },
    PatchInfo {
        patch: Patch::ExclPinning,
        slug: "excl_pinning",
        title: "Tickle: a short cut for pinned vCPUs",
        commit: "b37b61d178", date: "2018-03-21", release: "4.11", kind: PatchKind::Counter,
        story: "All of the search for an idler was walked for a vCPU that may run on one pCPU only. \
                Now that pCPU is told at once if it is idle.",
        needs: &[Patch::TicklePreferIdlers], demo: "seed-10-vms-pinned",
    },
    PatchInfo {
        patch: Patch::MigrateStartFinish,
        slug: "migrate_start_finish",
        title: "Migrate: no pick for who still runs",
        commit: "9a36de177c", date: "2018-05-01", release: "4.11", kind: PatchKind::Decision,
        story: "Moving a vCPU that still ran picked a pCPU, threw the answer away and picked again \
                once it was off. Now it is picked for once.",
        needs: &[], demo: "changes-while-running",
    },
    PatchInfo {
        patch: Patch::TickerStopsWhenIdle,
        slug: "ticker_stops_when_idle",
        title: "Tick: stops while idle",
        commit: "969f58bde2", date: "2019-10-07", release: "4.13", kind: PatchKind::Decision,
        story: "An idle pCPU's tick went on unless its idle state stopped it. Now it is stopped when \
                the pCPU goes idle and starts again at the next multiple of its period.",
        needs: &[], demo: "pinned-waker",
    },
    PatchInfo {
        patch: Patch::LbRatelimit,
        slug: "lb_ratelimit",
        title: "Balance: at most once in a while",
        commit: "58feb9e0ac", date: "2023-09-18", release: "4.18", kind: PatchKind::Decision,
        story: "Every scheduling decision without good work of its own searched all peers. Now a pCPU \
                searches at most once per millisecond, and a tickle that comes too early is lost.",
        needs: &[], demo: "seed-10-vms",
    },
    PatchInfo {
        patch: Patch::NoStealYielded,
        slug: "no_steal_yielded",
        title: "Steal: not from those who yield",
        commit: "e282067cf2", date: "2023-06-30", release: "4.18", kind: PatchKind::Decision,
        story: "A vCPU that had just yielded, often while waiting for a lock, was stolen like any other. \
                Now the mark stays while it is queued and thieves pass it over.",
        needs: &[], demo: "yielding-pair",
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patches::PatchSet;

    /// Goal: an entry stands at the index of its number, slugs are unique, and every set of one
    /// patch can be completed and read back from its bits.
    #[test]
    fn the_table_is_consistent() {
        for (index, info) in PATCHES.iter().enumerate() {
            assert_eq!(info.patch as usize, index, "{}", info.slug);
            let same = PATCHES.iter().filter(|other| other.slug == info.slug).count();
            assert_eq!(same, 1, "{}", info.slug);
            assert_eq!(Patch::from_slug(info.slug), Some(info.patch));
            let closed = PatchSet::of(&[info.patch]).closed();
            assert_eq!(PatchSet::from_bits(closed.bits()), Ok(closed), "{}", info.slug);
            assert!(!closed.flipped(info.patch).has(info.patch), "{}", info.slug);
        }
    }
}
