//! Traps 1 to 11, 37 and 39: wakes, tickles, boosts.

use crate::bench::{HOG, MS, US, log, mask, pinned, revision, scenario, vcpu};
use crate::stage::{
    At, Traces, asked, earn, lines, machine, stage, unplaced, until, until_softirq, verb,
};
use sim_core::cpumask::CpuMask;
use sim_core::decision::{
    Counter, NoSink, PickPurpose, Priority as P, Reason, TickleInputs, TraceKind, TraceRecord,
    WakeFacts, WakeSource,
};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{WakeResult, boosts, tickle};
use sim_core::policy::cx::pause;
use sim_core::scenario::{Change, Op, Params, Scenario};
use sim_core::topology::Topology;
use std::borrow::Cow;

/// A hog on p0 that the tick at 10 ms finds unboosted, after 300 µs pushed off by a waker that is
/// pinned to p0; p1 is idle.
fn kicked() -> Scenario {
    let hog = vcpu(0, 9_800 * US, HOG);
    let waker = pinned(2, &[0], vcpu(0, 10_100 * US, &[(MS, 900 * MS)]));
    scenario(2, 11 * MS, vec![hog, waker])
}

/// Trap 1: who is pushed off is not runnable from that moment on: not requeued, not protected by
/// the rate limit, and offline until its move wakes it.
#[test]
fn t01_a_kicked_vcpu_goes_through_offline() {
    let (hog, at) = (VcpuId(0), 10_100 * US);
    let mut machine = machine(kicked(), revision("R2"));
    until_softirq(&mut machine, at);
    let state = machine.system().vcpu(hog);
    assert!(state.is_running && state.pause == pause::MIGRATING);
    assert!(!machine.system().runnable(hog));
    // It has run 300 µs of the 1,000 that the limit grants to a runnable one.
    assert_eq!(
        lines(kicked(), revision("R2"), "SC", at)[0],
        "10100000 0 S 0 1 -1 30000000 -3",
        "no C: the limit is not asked"
    );
    let traces = Traces::of(kicked(), revision("R2")).0;
    let of_hog = traces.iter().filter_map(|(ns, _, record)| match record {
        TraceRecord::Runstate { kind, vcpu } if (*ns, *vcpu) == (at, hog) => Some(*kind),
        _ => None,
    });
    let kinds: Vec<TraceKind> = of_hog.collect();
    assert_eq!(kinds, [TraceKind::RunningToOffline, TraceKind::OfflineToRunnable]);
}

/// Trap 2: the pick for who was pushed off names its old pCPU; it is the tickle of its second wake
/// that brings the idle pCPU, which steals it.
#[test]
fn t02_the_second_tickle_moves_it() {
    let lines = log(kicked(), revision("R2"), 10_100 * US);
    assert_eq!(
        lines[..5],
        [
            "10100000 0 W 1 0 0 0 0 1 0",
            "10100000 0 S 0 1 -1 30000000",
            "10100000 0 M 0 0 0",
            "10100000 0 W 0 2 0 0 0 2 -1",
            "10101000 1 S -1 0 0 30000000",
        ]
    );
}

/// Trap 3: whether a vCPU is alone on its pCPU goes by the queue; who runs there does not matter.
#[test]
fn t03_alone_by_the_queue() {
    let picked = |others: &[(u16, At, P)]| {
        let mut guests = vec![(0, At::Sleeps, P::UNDER), (0, At::Runs, P::UNDER)];
        guests.extend(others);
        let mut machine = stage(Topology::regular(1, 2, 1, false), revision("R2"), &guests);
        let purpose = PickPurpose::Migrate;
        verb(&mut machine, 0, &mut NoSink, |c, cx| c.pick_pcpu(cx, VcpuId(0), purpose).0).0
    };
    assert_eq!(picked(&[]), PcpuId(0), "another runs on p0, nobody waits; p1 is idle");
    assert_eq!(picked(&[(0, At::Waits, P::OVER)]), PcpuId(1));
}

/// Trap 4: cursor, records and trace records are those of the pCPU that runs the wake.
#[test]
fn t04_the_executing_pcpu() {
    let guests = [(0, At::Runs, P::UNDER), (0, At::Sleeps, P::UNDER)];
    let mut machine = stage(Topology::regular(1, 4, 1, false), revision("R2"), &guests);
    let mut traces = Traces::default();
    let wake = |machine: &mut _, pcpu, traces: &mut Traces| {
        verb(machine, pcpu, traces, |c, cx| c.wake(cx, VcpuId(1), WakeSource::Io)).0
    };
    assert_eq!(wake(&mut machine, 3, &mut traces).tickled, mask(4, &[1]));
    let cursors: Vec<u16> = machine.policy().pcpus.iter().map(|pcpu| pcpu.cursor.0).collect();
    assert_eq!(cursors, [0, 0, 0, 1], "p3 ran the wake of a vCPU of p0");
    assert!(traces.0.iter().all(|(_, pcpu, _)| *pcpu == 3) && !traces.0.is_empty());
    let mut waker = vcpu(0, 11 * MS, &[(MS, 900 * MS)]);
    waker.wake_on = Some(PcpuId(3));
    let run = scenario(4, 11 * MS + 1, vec![vcpu(0, 0, HOG), waker]);
    assert_eq!(log(run, revision("R2"), 11 * MS), ["11000000 3 W 1 0 0 0 0 2 -1"]);
}

/// Trap 5: the next of a cycle is strictly greater, so that a fresh cursor chooses p0 last.
#[test]
fn t05_a_cycle_is_strictly_greater() {
    let mut cursor = PcpuId(0);
    let mut told = || {
        let inputs =
            TickleInputs { cpu: PcpuId(3), cursor, ..asked(P::UNDER, P::BOOST, &[0, 1, 2]) };
        cursor = tickle(&inputs, revision("R2")).cursor;
        cursor.0
    };
    assert_eq!([told(), told(), told(), told()], [1, 2, 0, 1]);
    assert_eq!(mask(4, &[2]).cycle(PcpuId(2)), Some(PcpuId(2)));
    assert_eq!(mask(4, &[]).cycle(PcpuId(2)), None);
}

/// Trap 6: whether the waker's own pCPU is idle goes by the priority of who runs there, not by the
/// set of idlers: two wakes on one idle pCPU both go there, told before or not. An idle vCPU that
/// was raised for a tasklet is not idle for this.
#[test]
fn t06_the_priority_of_who_runs() {
    for patches in [unplaced("R5"), unplaced("R9")] {
        let mut wakers = [11 * MS, 11 * MS + 500].map(|at| vcpu(1, at, &[(MS, 900 * MS)]));
        wakers.iter_mut().for_each(|waker| waker.wake_on = Some(PcpuId(0)));
        let [first, second] = wakers;
        let both = scenario(3, 12 * MS, vec![vcpu(0, 0, HOG), first, second]);
        let wakes = lines(both, patches, "W", 11 * MS);
        assert_eq!(wakes, ["11000000 0 W 1 0 1 0 0 2 -1", "11000500 0 W 2 0 1 0 0 2 -1"]);
    }
    let raised = asked(P::BOOST, P::BOOST, &[1]);
    assert_eq!(tickle(&raised, revision("R9")).reason, Reason::TickleA6);
    assert_eq!(tickle(&asked(P::IDLE, P::BOOST, &[1]), revision("R9")).reason, Reason::TickleA1);
}

/// Trap 7: where the own pCPU is told, the waker's affinity is not asked, even if it may no longer
/// run there.
#[test]
fn t07_the_own_pcpu_is_told_unfiltered() {
    let elsewhere = |cur, idlers| TickleInputs {
        new_hard: Cow::Owned(mask(4, &[3])),
        ..asked(cur, P::BOOST, idlers)
    };
    for patches in [revision("R2"), revision("4.6"), revision("R9")] {
        for (inputs, reason) in [
            (elsewhere(P::IDLE, &[1][..]), Reason::TickleA1),
            (elsewhere(P::UNDER, &[]), Reason::TickleA2),
            (elsewhere(P::UNDER, &[1]), Reason::TickleA4),
        ] {
            let outcome = tickle(&inputs, patches);
            assert_eq!((outcome.reason, outcome.tickled), (reason, mask(4, &[0])));
        }
    }
}

/// Trap 8: with a suitable idler priorities do not matter: a waker that would lose wakes it, and
/// one that would win does not preempt.
#[test]
fn t08_a_suitable_idler_whatever_the_priorities() {
    for (cur, new) in [(P::BOOST, P::OVER), (P::UNDER, P::UNDER), (P::OVER, P::BOOST)] {
        for patches in [revision("R2"), revision("R9")] {
            let outcome = tickle(&asked(cur, new, &[2]), patches);
            assert_eq!((outcome.tickled, outcome.kick), (mask(4, &[2]), false));
        }
    }
}

/// Trap 9: a waker that is not higher and finds no idler tells nobody; it waits for the end of the
/// slice of who runs.
#[test]
fn t09_nobody_is_told() {
    let pinned_here = |inputs| TickleInputs { new_hard: Cow::Owned(mask(4, &[0])), ..inputs };
    for patches in [revision("R2"), revision("R9")] {
        for (inputs, reason) in [
            (asked(P::UNDER, P::UNDER, &[]), Reason::TickleA3),
            (asked(P::BOOST, P::BOOST, &[]), Reason::TickleA3),
            (pinned_here(asked(P::UNDER, P::OVER, &[1])), Reason::TickleA5),
        ] {
            let outcome = tickle(&inputs, patches);
            assert!(outcome.tickled.is_empty() && !outcome.kick && outcome.reason == reason);
        }
    }
    // Both boosted at their first wake.
    let waits = scenario(1, 31 * MS, vec![vcpu(0, 0, HOG), vcpu(0, 5 * MS, HOG)]);
    let lines = log(waits, revision("R2"), 5 * MS);
    assert_eq!(lines, ["5000000 0 W 1 0 0 0 0 0 -1", "30000000 0 S 0 1 -1 30000000"]);
}

/// Trap 10: only exactly UNDER is boosted; a boost ends at the first tick that finds it running,
/// however short, or at any accounting, and only the tick leaves a record.
#[test]
fn t10_a_boost_begins_and_ends() {
    let facts = |pri_before| WakeFacts {
        source: WakeSource::Io,
        processor: PcpuId(0),
        pri_before,
        pri_after: pri_before,
        parked: false,
        migrated: false,
        credit: 0,
    };
    let boosted = |pri| boosts(&facts(pri), revision("R9"));
    assert_eq!([P::BOOST, P::UNDER, P::OVER].map(boosted), [false, true, false]);

    let late = || scenario(1, 11 * MS, vec![vcpu(0, 10 * MS - US, HOG)]);
    assert_eq!(lines(late(), revision("R2"), "T", 0), ["10000000 0 T 0 0 -1 0"], "after 1 µs");
    assert_eq!(Traces::of(late(), revision("R2")).count(TraceKind::BoostEnd), 1);

    let guests = [(0, At::Runs, P::UNDER), (0, At::Waits, P::BOOST)];
    let mut machine = stage(Topology::regular(1, 1, 1, false), revision("R9"), &guests);
    earn(&mut machine, 1, -20);
    let mut traces = Traces::default();
    machine.account_now(&mut traces);
    assert_eq!(machine.policy().vcpu(VcpuId(1)).pri, P::UNDER);
    assert_eq!(traces.count(TraceKind::BoostEnd), 0);
}

/// Trap 11: a wake that finds its vCPU current or queued leaves the mark of a move; the mark is set
/// by placing a new vCPU and by a move that gives up; it costs one later wake its boost.
#[test]
fn t11_the_mark_of_a_move() {
    let vcpu1 = VcpuId(1);
    let woken = |at| {
        let guests = [(0, At::Sleeps, P::UNDER), (1, at, P::UNDER)];
        let mut machine = stage(Topology::regular(1, 2, 1, false), revision("R9"), &guests);
        machine.edit(|policy, _| policy.vcpus[1].migrating = true);
        let wake = |machine: &mut _| {
            verb(machine, 0, &mut NoSink, |c, cx| c.wake(cx, vcpu1, WakeSource::Io).result).0
        };
        let result = wake(&mut machine);
        let sched = machine.policy().vcpu(vcpu1);
        (result, sched.migrating, sched.pri)
    };
    assert_eq!(woken(At::Runs), (WakeResult::Current, true, P::UNDER));
    assert_eq!(woken(At::Waits), (WakeResult::OnQueue, true, P::UNDER));
    assert_eq!(woken(At::Sleeps), (WakeResult::Queued, false, P::UNDER), "no boost this once");

    // A new affinity moves a running vCPU: the pick happens, the move does not, the mark stays.
    let mut moved = scenario(2, 6 * MS, vec![vcpu(0, 0, HOG)]);
    let mask = CpuMask::full(2);
    let change = Change::Affinity { vcpu: 0, soft: false, mask };
    moved.ops = vec![Op { time_ns: 5 * MS, pcpu: PcpuId(1), change }];
    let mut machine = machine(moved, revision("R9"));
    assert!(machine.policy().vcpu(VcpuId(0)).migrating, "placed");
    until(&mut machine, |machine| machine.now().as_ns() == MS * 5);
    let (hog, state) = (machine.policy().vcpu(VcpuId(0)), machine.system().vcpu(VcpuId(0)));
    assert!(hog.migrating && state.is_running && state.pause == pause::MIGRATING);
}

/// Trap 37: where all suitable idlers are told, all race and the losers go back to idle; told, they
/// have left the idlers once tickled pCPUs count as busy.
#[test]
fn t37_all_race_for_one() {
    let race = || {
        let waker = vcpu(0, 11 * MS, &[(5 * MS, 900 * MS)]);
        let mut race = scenario(4, 12 * MS, vec![vcpu(0, 0, HOG), waker]);
        race.params = Params { tickle_one_idle: false, ..Params::default() };
        race
    };
    let told = |patches: PatchSet| {
        let lines = log(race(), patches, 11 * MS);
        let expected = [
            "11000000 0 W 1 0 0 0 0 e -1",
            "11001000 1 S -1 1 0 30000000",
            "11001000 2 C -1 -1 0",
            "11001000 3 C -1 -1 0",
        ];
        assert_eq!(lines, expected);
        let mut machine = machine(race(), patches);
        until(&mut machine, |machine| machine.now().as_ns() == 11 * MS);
        let idlers = machine.policy().idlers.clone();
        until(&mut machine, |machine| machine.next_time().is_none());
        assert_eq!(machine.policy().idlers, mask(4, &[2, 3]));
        idlers
    };
    assert_eq!(told(unplaced("R5")), mask(4, &[1, 2, 3]));
    assert_eq!(told(unplaced("R6")), mask(4, &[]));
}

/// Trap 39: interrupts that take no time make `tickled_is_busy` invisible.
#[test]
fn t39_interrupts_take_time() {
    let differs = |ipi_latency_ns| {
        let logged = |patches| {
            let wakers =
                [(0, 11 * MS), (1, 11 * MS + 500)].map(|(p, at)| vcpu(p, at, &[(MS, 9 * MS)]));
            let [first, second] = wakers;
            let guests = vec![vcpu(0, 0, HOG), vcpu(1, 0, HOG), first, second];
            let mut twice = scenario(4, 45 * MS, guests);
            twice.params = Params { ipi_latency_ns, ..Params::default() };
            log(twice, patches, 0)
        };
        let before = unplaced("R5");
        logged(before) != logged(before.with(Patch::TickledIsBusy))
    };
    assert!(!differs(0) && differs(1_000));
}

/// Traps 11 and 17: the two outcomes of a wake that no run comes to are counted by the verb.
#[test]
fn t17_wakes_in_vain_are_counted() {
    let guests = [(0, At::Runs, P::UNDER), (0, At::Waits, P::UNDER)];
    let mut machine = stage(Topology::regular(1, 1, 1, false), revision("R2"), &guests);
    for (vcpu, counter) in [(0, Counter::VcpuWakeRunning), (1, Counter::VcpuWakeOnrunq)] {
        let (_, counters) = verb(&mut machine, 0, &mut NoSink, |c, cx| {
            c.wake(cx, VcpuId(vcpu), WakeSource::Io).result
        });
        assert_eq!(counters.get(counter), 1);
    }
}
