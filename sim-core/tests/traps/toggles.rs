//! Patches that no trap and no worked example shows: what each changes, and those that change
//! nothing.

use crate::bench::{HOG, MS, US, checked, log, mask, pinned, revision, scenario, vcpu};
use crate::stage::{Traces, asked, lines, search, search_of, unplaced, waits};
use sim_core::cpumask::CpuMask;
use sim_core::decision::{
    Counter, Priority as P, QueuedVcpu, Reason, TickleInputs, TraceKind, TraceRecord,
};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::patches::{PATCHES, Patch, PatchKind, PatchSet, Revision};
use sim_core::policy::credit1::{affinity_migrates, tickle};
use sim_core::presets::PRESETS;
use sim_core::scenario::{Change, Op, Params, Scenario};
use std::borrow::Cow;

/// Before and after a patch.
fn sides(before: PatchSet, patch: Patch) -> [PatchSet; 2] {
    [before.without(patch), before.with(patch)]
}

fn set(members: &[u16]) -> Cow<'static, CpuMask> {
    Cow::Owned(mask(4, members))
}

/// `affinity_always_migrates`: a new affinity that allows the vCPU's pCPU moves it all the same.
#[test]
fn affinity_always_migrates() {
    let changed = || {
        let change = Change::Affinity { vcpu: 0, soft: false, mask: mask(2, &[0]) };
        let ops = vec![Op { time_ns: 5 * MS, pcpu: PcpuId(0), change }];
        Scenario { ops, ..scenario(2, 6 * MS, vec![vcpu(0, 0, HOG)]) }
    };
    let sides = sides(revision("R2"), Patch::AffinityAlwaysMigrates);
    let moves = sides.map(|patches| lines(changed(), patches, "M", 0));
    assert_eq!(moves, [vec![], vec!["5000000 0 M 0 0 0".to_owned()]]);
    assert_eq!(
        sides.map(|patches| affinity_migrates(&set(&[0]), PcpuId(0), patches)),
        [false, true]
    );
}

/// `soft_affinity`: the idler that a waker prefers is told; before, preferences are not known.
#[test]
fn soft_affinity() {
    let prefers = TickleInputs { new_soft: set(&[2]), ..asked(P::UNDER, P::BOOST, &[1, 2]) };
    let told = |patches| {
        let outcome = tickle(&prefers, patches);
        (outcome.tickled.first(), outcome.reason)
    };
    let [before, after] = sides(revision("4.4"), Patch::SoftAffinity).map(told);
    assert_eq!(before, (Some(PcpuId(1)), Reason::TickleA6));
    assert_eq!(after, (Some(PcpuId(2)), Reason::TickleA6Soft));
}

/// `soft_subset_checks`: who prefers all that it may use is not taken first for its preference.
#[test]
fn soft_subset_checks() {
    let prefers = QueuedVcpu { hard: set(&[0, 2]), soft: set(&[0, 2, 3]), ..waits(2, P::UNDER) };
    let taken = |patches| {
        let queues = [vec![], vec![waits(1, P::UNDER)], vec![prefers.clone()], vec![]];
        search(&search_of(P::IDLE), queues, patches).0.stolen
    };
    let [before, after] = sides(revision("4.5"), Patch::SoftSubsetChecks).map(taken);
    assert_eq!(before, Some((VcpuId(2), PcpuId(2))));
    assert_eq!(after, Some((VcpuId(1), PcpuId(1))));
}

/// `tickle_pool_filter`: an idler of another pool is not told; with none of its own the waker
/// preempts. `tickle_domain_pool` changes nothing while a vCPU is on a pCPU of its pool.
#[test]
fn tickle_pool_filter() {
    let inputs = TickleInputs { pool: set(&[0, 1]), ..asked(P::UNDER, P::BOOST, &[2]) };
    let told = |patches| tickle(&inputs, patches).tickled;
    let [before, after] = sides(revision("4.5"), Patch::TicklePoolFilter).map(told);
    assert_eq!((before, after.clone()), (mask(4, &[2]), mask(4, &[0])));
    let filtered = revision("4.5").with(Patch::TicklePoolFilter);
    assert_eq!(told(filtered.with(Patch::TickleDomainPool)), after);
}

/// `perf_tickled`: three counters instead of two, with another border between them.
#[test]
fn perf_tickled() {
    let [before, after] = sides(revision("4.7"), Patch::PerfTickled);
    let counted = |inputs: &TickleInputs<'_>| {
        [before, after].map(|patches| tickle(inputs, patches).counters[0])
    };
    let idle = Some(Counter::TickledIdleCpu);
    let none = [None, Some(Counter::TickledNoCpu)];
    let busy = [Some(Counter::TickleIdlersNone), Some(Counter::TickledBusyCpu)];
    assert_eq!(counted(&asked(P::IDLE, P::UNDER, &[])), [None, idle]);
    assert_eq!(counted(&asked(P::UNDER, P::BOOST, &[])), busy);
    assert_eq!(counted(&asked(P::UNDER, P::UNDER, &[])), none);
    assert_eq!(counted(&asked(P::UNDER, P::UNDER, &[1])), [Some(Counter::TickleIdlersSome), idle]);
    let here = |new| TickleInputs { new_hard: set(&[0]), ..asked(P::UNDER, new, &[1]) };
    assert_eq!(counted(&here(P::BOOST)), busy);
    assert_eq!(counted(&here(P::UNDER)), none);
}

/// `excl_pinning`: a vCPU that may run on one pCPU only, which is believed idle though somebody
/// runs there, has it told without the cursor moving, under a counter of its own.
#[test]
fn excl_pinning() {
    let pinned =
        TickleInputs { cpu: PcpuId(1), new_hard: set(&[1]), ..asked(P::UNDER, P::BOOST, &[1, 2]) };
    let told = |patches| {
        let outcome = tickle(&pinned, patches);
        (outcome.reason, outcome.cursor.0, outcome.counters[0], outcome.tickled)
    };
    let [before, after] = sides(revision("R9"), Patch::ExclPinning).map(told);
    let only = mask(4, &[1]);
    let (idle, excl) = (Some(Counter::TickledIdleCpu), Some(Counter::TickledIdleCpuExcl));
    assert_eq!(before, (Reason::TickleA6, 1, idle, only.clone()));
    assert_eq!(after, (Reason::TickleA0, 0, excl, only));
}

/// `ticker_stops_when_idle`: the tick of a pCPU that begins to work comes at the next multiple of
/// the period, whenever the pCPU came up.
#[test]
fn ticker_stops_when_idle() {
    let late = || {
        let mut late = scenario(2, 32 * MS, vec![vcpu(1, 5 * MS, HOG)]);
        late.params = Params { cpu_up_step_ns: MS, ..Params::default() };
        late
    };
    let ticks = |patches| {
        let lines = lines(late(), patches, "T", 0);
        lines
            .iter()
            .map(|line| line.split(' ').next().expect("a time").to_owned())
            .collect::<Vec<_>>()
    };
    let [before, after] = sides(revision("R2"), Patch::TickerStopsWhenIdle).map(ticks);
    assert_eq!(before, ["11000000", "21000000", "31000000"]);
    assert_eq!(after, ["10000000", "20000000", "30000000"]);
}

/// `steal_trace`, `steal_skip_single`, `steal_bias`: what is counted, who is passed over, where the
/// walk begins.
#[test]
fn the_searches_of_april_2017() {
    let walk = |name| {
        let queues = [vec![], vec![], vec![waits(4, P::UNDER)], vec![waits(5, P::UNDER)]];
        let (outcome, steps) = search(&search_of(P::IDLE), queues, revision(name));
        let counted =
            sim_core::policy::credit1::balance_counters(P::IDLE, &outcome, revision(name));
        let trylocks = counted.iter().find(|(counter, _)| *counter == Counter::StealTrylock);
        (checked(&steps), outcome.tries, trylocks.map(|(_, count)| *count))
    };
    let six = vec![(1, 1), (2, 1), (3, 1), (1, 1), (2, 1)];
    assert_eq!(walk("R6"), (six.clone(), 5, Some(0)));
    assert_eq!(walk("R7"), (six, 5, Some(5)));
    let skipped = vec![(1, 0), (2, 1), (3, 1), (1, 0), (2, 1)];
    assert_eq!(walk("R8"), (skipped, 3, Some(3)));
    let behind_the_last = vec![(1, 0), (3, 1), (2, 1), (1, 0), (3, 1)];
    assert_eq!(walk("R9"), (behind_the_last, 3, Some(3)));
}

/// `trace_credit`, `trace_boost`, `trace_schedule`, `steal_trace`: the records that each brings are
/// told in a run, and exist from it on.
#[test]
fn trace_records_exist_from_their_patch_on() {
    let story = || {
        let hog = pinned(2, &[0, 1], vcpu(0, 0, HOG));
        let waker = pinned(2, &[0], vcpu(0, 11 * MS, &[(300_000, 4 * MS)]));
        scenario(2, 40 * MS, vec![hog, waker, vcpu(1, 3 * MS, &[(200_000, 900_000)])])
    };
    let mut traces = Traces::of(story(), unplaced("R9"));
    // A hog that came back 200 µs ago is protected from the second waker.
    let wakers = [11 * MS, 11_300 * US].map(|at| vcpu(0, at, &[(100 * US, 900 * MS)]));
    let guests = [vcpu(0, 0, HOG)].into_iter().chain(wakers).collect();
    traces.0.extend(Traces::of(scenario(1, 13 * MS, guests), unplaced("R9")).0);
    for (patch, kinds) in [
        (
            Patch::TraceCredit,
            &[
                TraceKind::AccountStart,
                TraceKind::StolenVcpu,
                TraceKind::PickedCpu,
                TraceKind::Tickle,
            ][..],
        ),
        (Patch::TraceBoost, &[TraceKind::BoostStart, TraceKind::BoostEnd]),
        (Patch::TraceSchedule, &[TraceKind::Schedule, TraceKind::Ratelimit]),
        (Patch::StealTrace, &[TraceKind::StealCheck]),
    ] {
        for kind in kinds {
            assert!(traces.count(*kind) > 0, "{kind:?} is not told");
            let [before, after] = sides(revision("R9"), patch);
            let lifetime = kind.info().lifetime;
            assert!(!lifetime.holds(before) && lifetime.holds(after), "{kind:?}");
        }
    }
    let runtime_ns = traces.0.iter().find_map(|(.., record)| match record {
        TraceRecord::Ratelimit { runtime_ns, .. } => Some(*runtime_ns),
        _ => None,
    });
    assert_eq!(runtime_ns, Some(200 * US));
}

/// Patches that change nothing change no line of any preset.
#[test]
fn what_changes_nothing() {
    let nothing = PATCHES.iter().filter(|info| info.kind == PatchKind::Nothing);
    let patches: Vec<Patch> = nothing.map(|info| info.patch).collect();
    let expected = [
        Patch::TicklePoolFilter,
        Patch::TickleDomainPool,
        Patch::StealIdleExit,
        Patch::StealRunningFirst,
    ];
    assert_eq!(patches, expected);
    let all = Revision::from_name("R9").expect("known").patches;
    for preset in PRESETS.iter().take(6) {
        let with = log((preset.build)(), all, 0);
        for patch in &patches {
            assert_eq!(log((preset.build)(), all.without(*patch), 0), with, "{}", preset.slug);
        }
    }
}
