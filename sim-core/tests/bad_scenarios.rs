//! Goal: everything that a scenario may not be is refused with one sentence that names the value
//! and the limit, and just inside the limit it runs. Method: a valid scenario with one thing
//! changed.

use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::presets::PRESETS;
use sim_core::scenario::{Change, Op, Scenario};
use sim_core::topology::Topology;
use sim_core::workload::{RandomWorkload, Stretch, Workload};

/// The pinned waker (4 pCPUs, 2 domains, 4 vCPUs) with a change.
fn refused(change: impl FnOnce(&mut Scenario)) -> String {
    let mut scenario = (PRESETS[0].build)();
    change(&mut scenario);
    match scenario.validate() {
        Ok(_) => "accepted".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn check(expected: &str, change: impl FnOnce(&mut Scenario)) {
    let sentence = refused(change);
    assert_eq!(sentence, expected);
    assert!(!sentence.contains('\n'), "one sentence: {sentence}");
}

fn random(run_ns: (u64, u64), block_ns: (u64, u64), yield_permille: u64) -> Workload {
    Workload::Random(RandomWorkload { run_ns, block_ns, yield_permille })
}

fn op(change: Change) -> Op {
    Op { time_ns: 0, pcpu: PcpuId(0), change }
}

#[test]
fn the_machine() {
    check("accepted", |_| ());
    check("the machine has no pCPU; it needs at least 1", |s| s.topology = Topology::new(vec![]));
    check("the machine has 1100 pCPUs; the most is 1024", |s| {
        s.topology = Topology::regular(1, 1_100, 1, false);
    });
    check("pCPU 2 is missing in its own sibling or socket mask", |s| {
        let mut places = s.topology.places().to_vec();
        places[2].sibling.remove(PcpuId(2));
        s.topology = Topology::new(places);
    });
    check("NUMA node 7 is not below the number of pCPUs", |s| {
        let mut places = s.topology.places().to_vec();
        places[1].node = 7;
        s.topology = Topology::new(places);
    });
    check("the run is 0 ns long; it must be 1 ns to 600000000000 ns", |s| s.duration_ns = 0);
    check("the run is 600000000001 ns long; it must be 1 ns to 600000000000 ns", |s| {
        s.duration_ns = 600_000_000_001;
    });
}

#[test]
fn parameters() {
    check("the time slice is 0 ms; it must be 1 ms to 1000 ms", |s| s.params.tslice_ms = 0);
    check("the time slice is 1001 ms; it must be 1 ms to 1000 ms", |s| s.params.tslice_ms = 1_001);
    check("the rate limit is 99 µs; it must be 0 (off) or 100 µs to 500000 µs", |s| {
        s.params.ratelimit_us = 99;
    });
    check("accepted", |s| s.params.ratelimit_us = 0);
    check("the rate limit of load balancing is 1000001 µs; the most is 1000000 µs", |s| {
        s.params.lb_ratelimit_us = 1_000_001;
    });
    check("the IPI latency is 1000000001 ns; it must be 0 ns to 1000000000 ns", |s| {
        s.params.ipi_latency_ns = 1_000_000_001;
    });
    check("the last pCPU comes up at 15000000 ns, after the first tick at 10000000 ns", |s| {
        s.params.cpu_up_step_ns = 5_000_000;
    });
}

#[test]
fn domains_and_vcpus() {
    check("there is no vCPU; a run needs at least 1", |s| s.domains.clear());
    check("there are 8194 vCPUs; the most is 8192", |s| {
        let vcpu = s.domains[0].vcpus[0].clone();
        s.domains[0].vcpus.resize(8_192, vcpu);
    });
    check("domain 1 has weight 0; it must be 1 to 65535", |s| s.domains[1].weight = 0);
    check("domain 1 has weight 65536; it must be 1 to 65535", |s| s.domains[1].weight = 65_536);
    check("domain 0 has a cap of 401 %; all pCPUs together are 400 %", |s| s.domains[0].cap = 401);
    check("accepted", |s| s.domains[0].cap = 400);
    check("vCPU 0 names pCPU 9; the machine has 4 (0 to 3)", |s| {
        s.domains[0].vcpus[0].init_pcpu = PcpuId(9);
    });
    check("the wake-up of vCPU 2 names pCPU 4; the machine has 4 (0 to 3)", |s| {
        s.domains[1].vcpus[0].wake_on = Some(PcpuId(4));
    });
    check("the hard affinity of vCPU 2 is empty; it needs at least one pCPU", |s| {
        s.domains[1].vcpus[0].hard = Some(CpuMask::empty(4));
    });
    check(
        "the start of vCPU 1 is 1000000000000001 ns; it must be 0 ns to 1000000000000000 ns",
        |s| {
            s.domains[0].vcpus[1].start_ns = 1_000_000_000_000_001;
        },
    );
}

#[test]
fn workloads() {
    let given = |workload| move |s: &mut Scenario| s.domains[0].vcpus[0].workload = workload;
    let script = |run_ns, block_ns| Workload::Script(vec![Stretch { run_ns, block_ns }]);
    check(
        "vCPU 0 has an empty script; it needs at least one stretch",
        given(Workload::Script(vec![])),
    );
    check(
        "vCPU 0 has a script of 10001 stretches; the most is 10000",
        given(Workload::Script(vec![Stretch { run_ns: 1, block_ns: 1 }; 10_001])),
    );
    check(
        "a stretch of vCPU 0 is 0 ns; it must be 1 ns to 1000000000000000 ns",
        given(script(0, 1)),
    );
    check("accepted", given(script(1, 0)));
    check(
        "a sleep of vCPU 0 is 0 ns; it must be 1 ns to 1000000000000000 ns",
        given(random((1, 2), (0, 2), 0)),
    );
    check(
        "the longest stretch of vCPU 0 is 4 ns; it must be 5 ns to 1000000000000000 ns",
        given(random((5, 4), (1, 2), 0)),
    );
    check(
        "vCPU 0 yields 1001 times in 1000; the most is 1000",
        given(random((1, 2), (1, 2), 1_001)),
    );
}

#[test]
fn scripted_changes() {
    check("there are 10001 changes; the most is 10000", |s| {
        let change = Change::Params { tslice_ms: 30, ratelimit_us: 0 };
        s.ops = vec![op(change); 10_001];
    });
    check("change 0 names pCPU 64; the machine has 4 (0 to 3)", |s| {
        let change = Change::Params { tslice_ms: 30, ratelimit_us: 0 };
        s.ops = vec![Op { pcpu: PcpuId(64), ..op(change) }];
    });
    check("change 0 names domain 2; there are 2", |s| {
        s.ops = vec![op(Change::Domain { domain: 2, weight: None, cap: None })];
    });
    check("change 0 names vCPU 4; there are 4", |s| {
        let mask = CpuMask::full(4);
        s.ops = vec![op(Change::Affinity { vcpu: 4, soft: false, mask })];
    });
    check("the affinity of change 0 is empty; it needs at least one pCPU", |s| {
        let mask = CpuMask::empty(4);
        s.ops = vec![op(Change::Affinity { vcpu: 1, soft: false, mask })];
    });
    check("domain 1 has a cap of 900 %; all pCPUs together are 400 %", |s| {
        s.ops = vec![op(Change::Domain { domain: 1, weight: None, cap: Some(900) })];
    });
}

/// What the conformance vectors hold: a cap above what exists is recorded, and only that.
#[test]
fn recorded_scenarios_may_have_caps_above_what_exists() {
    let mut scenario = (PRESETS[0].build)();
    scenario.domains[0].cap = 900;
    assert!(scenario.clone().validate_recorded().is_ok());
    scenario.domains[0].weight = 0;
    let error = scenario.validate_recorded().expect_err("the weight is still refused");
    assert_eq!(error.to_string(), "domain 0 has weight 0; it must be 1 to 65535");
}
