//! E1 to E4, E10, E14 to E16: wake-ups and what follows them.

use crate::bench::{HOG, MS, US, codes, log, mask, pinned, revision, scenario, vcpu};
use sim_core::decision::{Priority, TickleInputs};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::tickle;
use sim_core::scenario::{Params, Scenario};
use std::borrow::Cow;

/// The first lines are these; what follows is another story.
fn starts(lines: &[String], expected: &[&str]) {
    let shown = &lines[..expected.len().min(lines.len())];
    assert_eq!(shown, expected, "the log goes {lines:#?}");
}

/// A hog on p0 that may use p0 and p1, and from 15.1 ms on, when the tick has ended the hog's first
/// boost, a waker that is pinned to p0 and has slept before.
fn pinned_waker() -> Scenario {
    let hog = pinned(2, &[0, 1], vcpu(0, 0, HOG));
    let waker = pinned(2, &[0], vcpu(0, 11 * MS, &[(100 * US, 4 * MS)]));
    scenario(2, 18 * MS, vec![hog, waker])
}

/// E1: before the patch the hog waits behind the waker while p1 sleeps.
#[test]
fn e1_before_the_patch_the_hog_waits() {
    let lines = log(pinned_waker(), revision("R1"), 15 * MS);
    starts(
        &lines,
        &[
            "15100000 0 W 1 1 0 0 0 1 -1",
            "15100000 0 S 0 1 -1 30000000",
            "15200000 0 B 1",
            "15200000 0 S 1 0 -1 30000000",
        ],
    );
    assert_eq!(lines.len(), 4, "p1 never schedules");
}

/// E1: with it the hog is pushed out, is boosted by the move, and is stolen by p1. The first wake
/// at 11 ms already pushed it, so that here the waker finds p0 idle: the test looks at that first
/// wake.
#[test]
fn e1_with_the_patch_p1_takes_the_hog() {
    starts(
        &log(pinned_waker(), revision("R2"), 11 * MS),
        &[
            "11000000 0 W 1 0 0 0 0 1 0",
            "11000000 0 S 0 1 -1 30000000",
            "11000000 0 M 0 0 0",
            "11000000 0 W 0 2 0 0 0 2 -1",
            "11001000 1 S -1 0 0 30000000",
        ],
    );
}

/// E1: in 2017 the move no longer boosts the hog. Placing a new vCPU counts as a move too, so that
/// the two patches that place it are left out: its first wake is the boosted one of the example.
#[test]
fn e1_in_2017_the_hog_is_not_boosted() {
    let patches =
        revision("R9").without(Patch::PickOnInsert).without(Patch::AffinityAlwaysMigrates);
    starts(
        &log(pinned_waker(), patches, 11 * MS),
        &[
            "11000000 0 W 1 0 0 0 0 1 0",
            "11000000 0 S 0 1 -1 30000000",
            "11000000 0 M 0 0 0",
            "11000000 0 W 0 2 0 -1 0 2 -1",
            "11001000 1 S -1 0 0 30000000",
        ],
    );
}

/// A hog on p0; p1 and p2 idle; a free waker, and half an IPI later another one.
fn free_wakers(second_on: u16) -> Scenario {
    let mut second = vcpu(0, 11 * MS + 500, &[(100 * US, 9 * MS)]);
    second.wake_on = Some(PcpuId(second_on));
    let first = vcpu(0, 11 * MS, &[(100 * US, 9 * MS)]);
    scenario(3, 12 * MS, vec![vcpu(0, 0, HOG), first, second])
}

/// E2: before the patch p0 and an idler race.
#[test]
fn e2_before_the_patch_two_are_told() {
    starts(
        &log(free_wakers(0), revision("R1"), 11 * MS)[..2],
        &["11000000 0 W 1 0 0 0 0 3 -1", "11000000 0 S 0 1 -1 30000000"],
    );
}

/// E2: with it only the idler is told. A second wake handled on p0 goes one further, one handled on
/// another pCPU starts from that pCPU's own cursor.
#[test]
fn e2_with_the_patch_one_is_told_in_turn() {
    let told = |second_on| {
        let lines = log(free_wakers(second_on), revision("R2"), 11 * MS);
        let wakes = lines.iter().filter(|line| line.contains(" W "));
        wakes.take(2).map(|line| line.split(' ').nth(8).expect("a mask").to_owned()).collect()
    };
    let both: Vec<String> = told(0);
    assert_eq!(both, ["2", "4"]);
    let both: Vec<String> = told(2);
    assert_eq!(both, ["2", "2"]);
}

/// Hogs on p0 and p1, p2 and p3 idle, a waker on p0 and half an IPI later one on p1.
fn twice_told() -> Scenario {
    let wakers = [vcpu(0, 11 * MS, &[(MS, 9 * MS)]), vcpu(1, 11 * MS + 500, &[(MS, 9 * MS)])];
    let [first, second] = wakers;
    scenario(4, 45 * MS, vec![vcpu(0, 0, HOG), vcpu(1, 0, HOG), first, second])
}

/// E3: an idler that was told and has not come yet is told again, and the second waker waits for as
/// long as the hog's slice lasts.
#[test]
fn e3_one_idler_is_told_twice() {
    let patches = revision("R5").without(Patch::PickOnInsert);
    let lines = log(twice_told(), patches, 11 * MS);
    starts(
        &lines,
        &[
            "11000000 0 W 2 0 0 0 0 4 -1",
            "11000500 1 W 3 0 1 0 0 4 -1",
            "11001000 2 S -1 2 0 30000000",
        ],
    );
    assert!(!lines.iter().any(|line| line.contains(" 3 S ")), "p3 stays asleep: {lines:#?}");
}

/// E3: a tickled pCPU counts as busy, so that the second waker's tickle goes to p3.
#[test]
fn e3_with_tickled_is_busy_both_come() {
    let patches = revision("R9").without(Patch::PickOnInsert);
    starts(
        &log(twice_told(), patches, 11 * MS),
        &[
            "11000000 0 W 2 0 0 0 0 4 -1",
            "11000500 1 W 3 0 1 0 0 8 -1",
            "11001000 2 S -1 3 1 30000000",
            "11001500 3 S -1 2 0 30000000",
        ],
    );
}

/// A hog pinned to p0 that has run for 300 µs when the last waker, pinned there too, wakes. The
/// tick at 20 ms has taken the boost that the first waker's kick may have given it.
fn futile_kick() -> Scenario {
    let hog = pinned(2, &[0], vcpu(0, 0, HOG));
    let first = pinned(2, &[0], vcpu(0, 19_800 * US, &[(100 * US, 900 * MS)]));
    let last = pinned(2, &[0], vcpu(0, 20_200 * US, &[(100 * US, 900 * MS)]));
    scenario(2, 22 * MS, vec![hog, first, last])
}

/// E4: a kick that can lead nowhere dodges the rate limit and boosts the hog.
#[test]
fn e4_a_futile_kick_dodges_the_rate_limit() {
    starts(
        &log(futile_kick(), revision("R2"), 20_200 * US),
        &[
            "20200000 0 W 2 0 0 0 0 1 0",
            "20200000 0 S 0 2 -1 30000000",
            "20200000 0 M 0 0 0",
            "20200000 0 W 0 2 0 0 0 0 -1",
        ],
    );
}

/// E4, E10: without the kick the rate limit protects the hog, for a whole limit again or for what
/// is left of it.
#[test]
fn e4_only_a_useful_kick_respects_the_rate_limit() {
    let useful = revision("R2").with(Patch::KickOnlyIfUseful);
    starts(
        &log(futile_kick(), useful, 20_200 * US),
        &[
            "20200000 0 W 2 0 0 0 0 1 -1",
            "20200000 0 C 0 1000000 1",
            "21200000 0 S 0 2 -1 30000000",
        ],
    );
    let remaining = useful.with(Patch::RatelimitRemaining);
    starts(
        &log(futile_kick(), remaining, 20_200 * US),
        &["20200000 0 W 2 0 0 0 0 1 -1", "20200000 0 C 0 700000 1", "20900000 0 S 0 2 -1 30000000"],
    );
}

/// E10: inside the rate limit a yield is ignored, or with the patch honoured.
#[test]
fn e10_a_yield_inside_the_rate_limit() {
    let yielder = || {
        let yielder = vcpu(0, 0, &[(200 * US, 0), (900 * MS, 1)]);
        scenario(1, MS, vec![yielder, vcpu(0, 0, HOG)])
    };
    starts(&log(yielder(), revision("R2"), 200 * US), &["200000 0 Y 0", "200000 0 C 0 1000000 1"]);
    let honoured = revision("R2").with(Patch::YieldSkipsRatelimit);
    starts(&log(yielder(), honoured, 200 * US), &["200000 0 Y 0", "200000 0 S 0 1 -1 30000000"]);
}

/// E10: after 50 ns the rest of the rate limit is 100 ns, by a mix-up of units.
#[test]
fn e10_the_shortest_rest_is_100_ns() {
    let patches = revision("R2").with(Patch::RatelimitRemaining);
    let first = vcpu(0, 0, &[(50, 0), (900 * MS, 1)]);
    starts(
        &log(scenario(1, MS, vec![first, vcpu(0, 10, HOG)]), patches, 50),
        &["50 0 Y 0", "50 0 C 0 100 1"],
    );
}

/// E14: p1 goes idle, and 400 µs later a tickle finds that it has searched too recently.
#[test]
fn e14_the_balance_rate_limit_hides_a_tickle() {
    let sleeper = pinned(2, &[1], vcpu(1, 10 * MS, &[(1_600 * US, 900 * MS)]));
    let waker = vcpu(0, 12 * MS, &[(100 * US, 900 * MS)]);
    let story = || scenario(2, 13 * MS, vec![vcpu(0, 0, HOG), sleeper.clone(), waker.clone()]);
    let before = revision("4.13").without(Patch::PickOnInsert);
    starts(
        &log(story(), before, 12 * MS),
        &["12000000 0 W 2 0 0 0 0 2 -1", "12001000 1 S -1 2 0 30000000"],
    );
    starts(
        &log(story(), before.with(Patch::LbRatelimit), 12 * MS),
        &["12000000 0 W 2 0 0 0 0 2 -1", "12001000 1 C -1 -1 0"],
    );
    let limited = codes(story(), before.with(Patch::LbRatelimit), 12 * MS);
    assert!(limited.contains(&(12_001_000, "L0", 4)), "{limited:?}");
    let mut off = story();
    off.params = Params { lb_ratelimit_us: 0, ..Params::default() };
    starts(
        &log(off, before.with(Patch::LbRatelimit), 12 * MS),
        &["12000000 0 W 2 0 0 0 0 2 -1", "12001000 1 S -1 2 0 30000000"],
    );
}

/// E15: a new vCPU that the scheduler placed itself is not boosted at its first wake.
#[test]
fn e15_the_first_wake_of_a_new_vcpu() {
    let alone = || scenario(1, MS, vec![vcpu(0, 0, HOG)]);
    let wake = |patches: PatchSet| log(alone(), patches, 0)[0].clone();
    assert_eq!(wake(revision("R9")), "0 0 W 0 0 0 -1 0 1 -1");
    assert_eq!(wake(revision("R9").without(Patch::PickOnInsert)), "0 0 W 0 0 0 0 0 1 -1");
}

/// E16: with the regression of 2015 an idler is told that may not run the waker.
#[test]
fn e16_the_mask_regression() {
    let inputs = TickleInputs {
        cpu: PcpuId(0),
        this_cpu: PcpuId(0),
        cur: VcpuId(0),
        cur_pri: Priority::BOOST,
        new_pri: Priority::BOOST,
        idlers: Cow::Owned(mask(3, &[1, 2])),
        pool: Cow::Owned(mask(3, &[0, 1, 2])),
        new_hard: Cow::Owned(mask(3, &[0, 2])),
        new_soft: Cow::Owned(mask(3, &[0, 1, 2])),
        cur_hard: Cow::Owned(mask(3, &[0, 1, 2])),
        tickle_one_idle: true,
        cursor: PcpuId(0),
        told: Cow::Owned(mask(3, &[])),
    };
    assert_eq!(tickle(&inputs, revision("4.6")).tickled, mask(3, &[1]));
    assert_eq!(tickle(&inputs, revision("R3")).tickled, mask(3, &[2]));
}

/// A vCPU that has yielded is passed over by thieves while it is queued, once the patch is in.
#[test]
fn a_yielded_vcpu_is_not_stolen() {
    // Two vCPUs share p0; at 1.5 ms the first yields, and 100 µs later p1 goes idle and searches.
    let story = || {
        let yielder = vcpu(0, 0, &[(1_500 * US, 0), (900 * MS, 1)]);
        let other = pinned(2, &[0], vcpu(0, 0, HOG));
        let thief = pinned(2, &[1], vcpu(1, 0, &[(1_600 * US, 900 * MS)]));
        scenario(2, 2 * MS, vec![yielder, other, thief])
    };
    let stolen = |patches| {
        let lines = log(story(), patches, 1_600 * US);
        lines.iter().any(|line| line.contains(" 1 S 2 0 0 "))
    };
    let patches = revision("R2").with(Patch::YieldSkipsRatelimit);
    assert!(stolen(patches));
    assert!(!stolen(patches.with(Patch::NoStealYielded)));
}
