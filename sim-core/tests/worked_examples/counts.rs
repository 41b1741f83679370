//! E1 to E5, E9 and E10 once more: counters, numbers of runnable vCPUs, peers asked, later rounds.

use crate::bench::{HOG, MS, US, log, pinned, revision, scenario, vcpu};
use sim_core::decision::{Counter, NoSink, Sink, TraceRecord};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::machine::{Machine, Step};
use sim_core::patches::{Patch, PatchSet};
use sim_core::run::LogSink;
use sim_core::scenario::Scenario;
use sim_core::topology::Topology;
use sim_core::units::SimTime;

/// April 2017 without the two patches that place a new vCPU, so that it is where the example says.
fn unplaced(name: &str) -> PatchSet {
    revision(name).without(Patch::PickOnInsert).without(Patch::AffinityAlwaysMigrates)
}

fn machine(scenario: Scenario, patches: PatchSet) -> Machine {
    Machine::new(&scenario.validate().expect("valid"), patches)
}

/// Keeps which peers were asked: pCPU, peer, tried.
#[derive(Default)]
struct Asked(Vec<(u16, u16, bool)>);

impl Sink for Asked {
    const TRACES: bool = true;

    fn trace(&mut self, _: SimTime, pcpu: PcpuId, record: &TraceRecord) {
        if let TraceRecord::StealCheck { peer, checked } = record {
            self.0.push((pcpu.0, peer.0, *checked));
        }
    }
}

/// Runs to the end.
fn ran(scenario: Scenario, patches: PatchSet) -> (Machine, Vec<(u16, u16, bool)>) {
    let (mut machine, mut asked) = (machine(scenario, patches), Asked::default());
    while machine.advance(&mut asked) != Step::End {}
    (machine, asked.0)
}

fn counts<const N: usize>(machine: &Machine, counters: [Counter; N]) -> [u64; N] {
    counters.map(|counter| machine.counters().get(counter))
}

/// The log lines of these letters, credits included.
fn lines(scenario: Scenario, patches: PatchSet, letters: &str) -> Vec<String> {
    let mut machine = machine(scenario, patches);
    let (end, guests) = (machine.scenario().duration_ns, machine.system().guests);
    let mut lines = vec![];
    let mut sink = LogSink::new(end, guests, |_, line: &[u8]| {
        let line = std::str::from_utf8(line).expect("ASCII").trim_end();
        if letters.contains(line.split(' ').nth(2).expect("a letter")) {
            lines.push(line.to_owned());
        }
    });
    while machine.advance(&mut sink) != Step::End {}
    lines
}

/// E1: a hog on p0 that may also run on p1, which is idle, and a waker that is pinned to p0.
fn pinned_waker() -> Scenario {
    let waker = pinned(2, &[0], vcpu(0, 11 * MS, &[(2 * MS, 900 * MS)]));
    scenario(2, 12 * MS, vec![vcpu(0, 0, HOG), waker])
}

/// E1: what is counted on each side of the patch, the hog's start included.
#[test]
fn e1_counters() {
    let (machine, _) = ran(pinned_waker(), revision("R1"));
    let local = [Counter::TickleLocalIdler, Counter::TickleLocalUnder, Counter::TickleIdlersSome];
    assert_eq!(counts(&machine, local), [1, 1, 0]);
    let (machine, _) = ran(pinned_waker(), revision("R2"));
    let idlers = [Counter::TickleIdlersNone, Counter::MigrateKickedAway, Counter::MigrateQueued];
    assert_eq!(counts(&machine, idlers), [1, 1, 1]);
    let hog = machine.vcpu_stats(VcpuId(0));
    assert_eq!((hog.kicked_away, hog.migrate_r, hog.migrate_q), (1, 1, 1));
    let (machine, _) = ran(pinned_waker(), unplaced("R9"));
    let tickled = [Counter::TickledBusyCpu, Counter::MigrateKickedAway, Counter::MigrateQueued];
    assert_eq!(counts(&machine, tickled), [1, 1, 1]);
    assert_eq!(machine.vcpu_stats(VcpuId(0)).kicked_away, 1);
}

/// E1 in 2017: runnable vCPUs of p0 and p1 step by step; p1 asks p0 for preferences and then takes
/// the hog; the node remembers p0.
#[test]
fn e1_runnable_vcpus() {
    let mut machine = machine(pinned_waker(), unplaced("R9"));
    let mut counted = |due: bool, at_ns: u64| {
        while machine.now().as_ns() < at_ns || machine.softirq_is_due() != due {
            assert_ne!(machine.advance(&mut NoSink), Step::End);
        }
        let pcpus = &machine.policy().pcpus;
        (pcpus[0].nr_runnable, pcpus[1].nr_runnable)
    };
    assert_eq!(counted(true, 11 * MS), (2, 0), "woken");
    assert_eq!(counted(false, 11 * MS), (2, 0), "switched out and queued again");
    assert_eq!(counted(false, 11 * MS + US), (1, 1), "stolen");
    assert_eq!(machine.policy().balance_bias, [PcpuId(0)]);
    let (_, asked) = ran(pinned_waker(), unplaced("R9"));
    let of_p1: Vec<_> = asked.into_iter().filter(|(pcpu, ..)| *pcpu == 1).collect();
    assert_eq!(of_p1, [(1, 0, true), (1, 0, true)]);
}

/// E2: before the patch p0 gives way and p1 takes the hog; with it p1 takes the waker.
#[test]
fn e2_who_goes_where() {
    let free = || {
        let waker = vcpu(0, 11 * MS, &[(2 * MS, 900 * MS)]);
        scenario(3, 12 * MS, vec![vcpu(0, 0, HOG), waker])
    };
    let before = [
        "11000000 0 W 1 0 0 0 0 3 -1",
        "11000000 0 S 0 1 -1 30000000",
        "11001000 1 S -1 0 0 30000000",
    ];
    assert_eq!(log(free(), revision("R1"), 11 * MS), before);
    let counted = [Counter::TickleLocalUnder, Counter::TickleIdlersSome];
    assert_eq!(counts(&ran(free(), revision("R1")).0, counted), [1, 1]);
    let after = ["11000000 0 W 1 0 0 0 0 2 -1", "11001000 1 S -1 1 0 30000000"];
    assert_eq!(log(free(), revision("R2"), 11 * MS), after);
    let counted = [Counter::TickleIdlersNone, Counter::TickleIdlersSome];
    assert_eq!(counts(&ran(free(), revision("R2")).0, counted), [0, 1]);
}

/// E3 in 2017: p2 walks from behind p0, p3 from behind p1, first for preferences.
#[test]
fn e3_the_walks() {
    let wakers = [(0, 11 * MS), (1, 11 * MS + 500)];
    let [first, second] = wakers.map(|(pcpu, at)| vcpu(pcpu, at, &[(2 * MS, 900 * MS)]));
    let guests = vec![vcpu(0, 0, HOG), vcpu(1, 0, HOG), first, second];
    let (_, asked) = ran(scenario(4, 12 * MS, guests), unplaced("R9"));
    let by = |pcpu| asked.iter().filter(move |check| check.0 == pcpu);
    let of = |pcpu| by(pcpu).map(|(_, peer, tried)| (*peer, *tried)).collect::<Vec<_>>();
    assert_eq!(of(2), [(1, true), (3, false), (0, true), (1, true)]);
    assert_eq!(of(3), [(2, false), (0, true), (1, false), (2, false), (0, true)]);
}

/// E4: after the futile kick the hog runs boosted, so that the waker's next wake within the tick
/// tells nobody.
#[test]
fn e4_the_boosted_hog_is_not_preempted() {
    let waker = pinned(2, &[0], vcpu(0, 10_100 * US, &[(100 * US, 500 * US)]));
    let guests = vec![pinned(2, &[0], vcpu(0, 9_800 * US, HOG)), waker];
    assert_eq!(
        log(scenario(2, 11 * MS, guests), revision("R2"), 10_100 * US),
        [
            "10100000 0 W 1 0 0 0 0 1 0",
            "10100000 0 S 0 1 -1 30000000",
            "10100000 0 M 0 0 0",
            "10100000 0 W 0 2 0 0 0 0 -1",
            "10200000 0 B 1",
            "10200000 0 S 1 0 -1 30000000",
            "10700000 0 W 1 1 0 0 0 0 -1",
        ]
    );
}

/// E5 in a run: the first tick lets the vCPU earn, the second moves it to the empty core; only the
/// pick that counts leaves its choice.
#[test]
fn e5_the_tick_moves_it() {
    let moved = || {
        let guests = vec![vcpu(0, 0, HOG), pinned(4, &[1], vcpu(1, 0, HOG))];
        let topology = Topology::regular(1, 2, 2, false);
        Scenario { topology, ..scenario(1, 21 * MS, guests) }
    };
    let of_p0 = lines(moved(), revision("R2"), "TM");
    let of_p0 = of_p0.iter().filter(|line| line.split(' ').nth(1) == Some("0"));
    let expected = ["10000000 0 T 0 -100 -1 0", "20000000 0 T 0 -200 -1 1", "20000000 0 M 0 0 2"];
    assert_eq!(of_p0.collect::<Vec<_>>(), expected);
    let (machine, _) = ran(moved(), revision("R2"));
    assert_eq!(counts(&machine, [Counter::MigrateRunning]), [1]);
    assert_eq!(machine.policy().idle_bias[2], PcpuId(2));
}

/// E9: the rounds of the capped hog: OVER, parked, parked, back at 0.
#[test]
fn e9_the_rounds() {
    let mut capped = scenario(1, 121 * MS, vec![vcpu(0, 0, HOG)]);
    capped.domains[0].cap = 50;
    let rounds = lines(capped, revision("R2"), "aPU");
    assert_eq!(
        rounds,
        [
            "30000000 0 a 0 -150 -2 0 1",
            "60000000 0 P 0",
            "60000000 0 a 0 -300 -2 1 1",
            "90000000 0 a 0 -150 -2 1 1",
            "120000000 0 U 0",
            "120000000 0 a 0 0 -1 0 1",
        ]
    );
}

/// E10: a hog of 200 µs is protected for a whole limit again, or for the 800 µs that are left.
#[test]
fn e10_the_rest_of_the_rate_limit() {
    let hit = |patches| {
        let guests = vec![vcpu(0, 9_900 * US, HOG), vcpu(0, 10_100 * US, &[(MS, 900 * MS)])];
        log(scenario(1, 12 * MS, guests), patches, 10_100 * US)[1..3].to_vec()
    };
    let whole = ["10100000 0 C 0 1000000 1", "11100000 0 S 0 1 -1 30000000"];
    assert_eq!(hit(revision("R2")), whole);
    let rest = ["10100000 0 C 0 800000 1", "10900000 0 S 0 1 -1 30000000"];
    assert_eq!(hit(revision("R2").with(Patch::RatelimitRemaining)), rest);
}
