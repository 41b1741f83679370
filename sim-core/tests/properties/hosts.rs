//! Goal: hosts of every size keep the invariants, up to 1,024 pCPUs with 8,192 vCPUs on 64 nodes,
//! and hogs get what weights and caps entitle them to. Method: hosts made by rule.

use crate::{digest, invariants};
use sim_core::decision::NoSink;
use sim_core::ids::PcpuId;
use sim_core::machine::{Machine, Step};
use sim_core::patches::{PatchSet, Revision};
use sim_core::presets::hosts::{hogs, host};
use sim_core::run::{Recording, RunEnd, Totals};
use sim_core::units::SimTime;

fn at(revision: &str) -> PatchSet {
    Revision::from_name(revision).expect("it exists").patches
}

/// Goal: sockets are nodes of two-threaded cores, and the largest host is at the limits.
#[test]
fn the_largest_host_is_what_it_says() {
    let scenario = host(64, 1_000_000);
    let topology = &scenario.topology;
    assert_eq!((topology.pcpu_count(), scenario.vcpus().count()), (1_024, 8_192));
    assert_eq!(topology.nodes().len(), 64);
    let last = topology.place(PcpuId(1_023));
    assert_eq!((last.sibling.len(), last.socket.len(), last.node), (2, 16, 63));
    assert!(topology.same_socket(PcpuId(1_008), PcpuId(1_023)));
    assert!(!topology.same_socket(PcpuId(1_007), PcpuId(1_008)));
}

/// Goal: a host of 1,024 pCPUs keeps the invariants; looked at now and then, since each look goes
/// through the whole machine. Its scenario file gives the same run.
#[test]
fn the_largest_host_keeps_the_invariants() {
    let scenario = host(64, 40_000_000).validate().expect("within the limits");
    let text = scenario_json::to_json(&scenario);
    let read = scenario_json::parse(&text).expect("a scenario file").validate().expect("valid");
    for revision in ["R2", "R9"] {
        let mut machine = Machine::new(&scenario, at(revision));
        let mut steps = 0u32;
        loop {
            let step = machine.advance(&mut NoSink);
            if step == Step::End {
                break;
            }
            steps += 1;
            if steps.is_multiple_of(5_003)
                && let Some(broken) = invariants::broken(&machine, step)
            {
                panic!("{revision} at {:?}: {broken}", machine.now());
            }
        }
        assert!(steps > 100_000, "only {steps} steps");
        let stolen = machine.tally().steals;
        assert!(stolen > 0, "pCPUs take work from each other");
        let mut first = Machine::new(&scenario, at(revision));
        let mut again = Machine::new(&read, at(revision));
        assert_eq!(digest(&mut first), digest(&mut again), "{revision}: the file is the same run");
    }
}

/// Goal: hosts of 16 and 256 pCPUs keep the invariants at every step of their start.
#[test]
fn hosts_keep_the_invariants_from_the_start() {
    for (sockets, steps) in [(1, 20_000), (16, 1_500)] {
        let scenario = host(sockets, 100_000_000).validate().expect("valid");
        let mut machine = Machine::new(&scenario, at("R9"));
        for _ in 0..steps {
            let step = machine.advance(&mut NoSink);
            if let Some(broken) = invariants::broken(&machine, step) {
                panic!("{sockets} sockets at {:?}: {broken}", machine.now());
            }
        }
    }
}

/// Goal: over a minute, each domain of hogs comes within a bound of what weight and cap entitle it
/// to, in hundredths of a percent of one pCPU; the bound is that of the worst domain, rounded up to
/// a percent. The capped ones never get more than their cap and what they may owe.
#[test]
fn hogs_get_what_they_are_entitled_to() {
    let weights: &[(u32, u32)] = &[(64, 0), (128, 0), (256, 0), (512, 0), (1_024, 0)];
    let capped: &[(u32, u32)] = &[(64, 0), (128, 0), (256, 20), (512, 50), (1_024, 150)];
    for (revision, domains, most_hundredths) in [
        ("R2", weights, 3_300),
        ("R9", weights, 3_200),
        ("R2", capped, 1_700),
        ("R9", capped, 3_400),
    ] {
        let (pcpus, minute_ns) = (4, 60_000_000_000);
        let scenario = hogs(pcpus, minute_ns, domains).validate().expect("valid");
        let mut recording = Recording::new(&scenario, at(revision));
        while recording.run(1_000_000, u32::MAX) == RunEnd::Unfinished {}
        let end = SimTime::from_ns(minute_ns);
        let entitled = recording.measures().entitled_ns(recording.machine(), end);
        let totals = Totals::of(recording.machine(), minute_ns);
        let ran: Vec<u64> = totals.vcpus.iter().map(|vcpu| vcpu.tally.spent_ns[0]).collect();
        let each = usize::from(pcpus);
        for (index, (due, ran)) in entitled.chunks(each).zip(ran.chunks(each)).enumerate() {
            let (due, ran) = (due.iter().sum::<u64>(), ran.iter().sum::<u64>());
            let error = due.abs_diff(ran) * 10_000 / minute_ns;
            assert!(
                error <= most_hundredths,
                "{revision}, {:?}: due {due} ns, ran {ran} ns",
                domains[index]
            );
            let cap = u64::from(domains[index].1);
            assert!(cap == 0 || ran * 100 / minute_ns <= cap, "{revision}: {ran} ns, cap {cap} %");
        }
    }
}
