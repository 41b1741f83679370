//! Scenarios that show one of the later patches each.

use super::Preset;
use super::small::{FOR_EVER, MS, US, pinned, scenario, vcpu};
use crate::cpumask::CpuMask;
use crate::ids::PcpuId;
use crate::patches::Revision;
use crate::scenario::{Change, Op, Params, Scenario, VcpuSpec};
use crate::topology::Topology;
use crate::workload::{RandomWorkload, Stretch, Workload};
use alloc::vec;
use alloc::vec::Vec;

/// A cap, and what comes back from it.
pub(super) const CAPPED_HOG: Preset = Preset {
    number: 9,
    slug: "capped-hog",
    title: "Capped hog",
    story: "d1v0 may use 40 % of a pCPU and wants all of one: it is parked and unparked. From March \
            2013 to May 2019 every unpark boosted it by mistake.",
    patches: Revision::at("4.3").patches,
    view_ns: (40 * MS, 200 * MS),
    cursor_ns: 59 * MS,
    build: capped_hog,
};

/// Weights, affinities and parameters that change under way.
pub(super) const CHANGES: Preset = Preset {
    number: 10,
    slug: "changes-while-running",
    title: "Changes while running",
    story: "Weights, affinities, time slice and rate limit change while the guests run: who is moved, \
            and what follows a new slice, was settled patch by patch.",
    patches: Revision::at("4.3").patches,
    view_ns: (90 * MS, 170 * MS),
    cursor_ns: 99 * MS,
    build: changes,
};

/// NUMA nodes with preferences.
pub(super) const TWO_NODES: Preset = Preset {
    number: 11,
    slug: "two-nodes",
    title: "Soft affinity on two nodes",
    story: "Each VM prefers the pCPUs of one of two NUMA nodes, and some may use half of the machine \
            only. Preferred pCPUs are tried first, then any.",
    patches: Revision::at("4.6").patches,
    view_ns: (37 * MS, 52 * MS),
    cursor_ns: 40 * MS,
    build: two_nodes,
};

/// Guests that yield, as one that spins for a lock does.
pub(super) const YIELDING_PAIR: Preset = Preset {
    number: 12,
    slug: "yielding-pair",
    title: "Yielding pair",
    story: "Two vCPUs of one VM yield to each other every 300 µs, inside the rate limit of 1 ms, while \
            others sleep and steal. Until 2016 such a yield was ignored and remembered.",
    patches: Revision::at("4.7").patches,
    view_ns: (19 * MS, 31 * MS),
    cursor_ns: 20 * MS,
    build: yielding_pair,
};

/// The case that the 2017 series was written for.
pub(super) const SAME_IDLER_TWICE: Preset = Preset {
    number: 13,
    slug: "same-idler-twice",
    title: "Same idler twice",
    story: "An interrupt takes 50 µs here. At 367.9 ms two wakers wake 1 µs apart and both tickle p5, \
            which can take only one of them; p7 is idle too and sleeps on.",
    patches: Revision::at("R5").patches,
    view_ns: (367_800 * US, 368_000 * US),
    cursor_ns: 367_860 * US,
    build: same_idler_twice,
};

/// Who is robbed.
pub(super) const VICTIMS: Preset = Preset {
    number: 14,
    slug: "steal-victims",
    title: "Steal victims",
    story: "Eight pCPUs share twelve busy vCPUs, and two pCPUs keep going idle. Every search for work begins \
            with the lowest pCPU: p0 is robbed 140 times, p7 25 times. With the patch 65 and 50.",
    patches: Revision::at("R8").patches,
    view_ns: (97 * MS, 109 * MS),
    cursor_ns: 100 * MS,
    build: victims,
};

fn hog(pcpu: u16) -> VcpuSpec {
    vcpu(pcpu, 0, FOR_EVER, 1)
}

fn random(pcpu: u16, start_ns: u64, run_ns: (u64, u64), block_ns: (u64, u64)) -> VcpuSpec {
    let random = RandomWorkload { run_ns, block_ns, yield_permille: 0 };
    VcpuSpec { workload: Workload::Random(random), ..vcpu(pcpu, start_ns, 1, 1) }
}

fn capped_hog() -> Scenario {
    let sleeper = vcpu(1, 5 * MS, 3 * MS, 6 * MS);
    let mut scenario =
        scenario(&CAPPED_HOG, 2, 600 * MS, vec![vec![hog(0)], vec![hog(1)], vec![sleeper]]);
    scenario.domains[0].cap = 40;
    scenario
}

fn changes() -> Scenario {
    let pcpus = 8;
    // The first hog is pinned until it is sent to the other socket, whose first pCPU is taken for
    // good: the search for its new place begins at a busy pCPU.
    let hogs = vec![pinned(pcpus, 0, hog(0)), pinned(pcpus, 4, hog(4)), pinned(pcpus, 2, hog(2))];
    let sleepers = (0u16..3).map(|n| VcpuSpec {
        hard: Some(set(pcpus, &[0, 1, 2, 3])),
        ..random(n, u64::from(n) * MS, (MS, 6 * MS), (MS / 2, 4 * MS))
    });
    let domains = vec![hogs, sleepers.collect()];
    let op = |time_ns, change| Op { time_ns, pcpu: PcpuId(0), change };
    let affinity =
        |vcpu, members: &[u16]| Change::Affinity { vcpu, soft: false, mask: set(pcpus, members) };
    let ops = vec![
        op(60 * MS, Change::Domain { domain: 0, weight: Some(1_024), cap: None }),
        op(100 * MS, affinity(0, &[4, 5, 6, 7])),
        op(130 * MS, affinity(3, &[0, 1, 2, 3, 6, 7])),
        op(150 * MS, Change::Params { tslice_ms: 6, ratelimit_us: 500 }),
        op(250 * MS, affinity(2, &[0, 1, 2, 3, 4, 5])),
        op(300 * MS, Change::Params { tslice_ms: 30, ratelimit_us: 1_000 }),
        op(350 * MS, affinity(0, &[0, 1, 2, 3, 4, 5, 6, 7])),
    ];
    let topology = Topology::regular(2, 2, 2, false);
    Scenario { topology, ops, ..scenario(&CHANGES, 8, 450 * MS, domains) }
}

fn two_nodes() -> Scenario {
    let pcpus = 8;
    let node = |node: u16| -> Vec<u16> { (node * 4..node * 4 + 4).collect() };
    let vm = |vm: u16| {
        let prefers = set(pcpus, &node(vm % 2));
        // Every third VM may use two pCPUs of each node; every fourth is bound to its node.
        let hard = match vm {
            2 | 5 => Some(set(pcpus, &[1, 2, 5, 6])),
            3 | 7 => Some(prefers.clone()),
            _ => None,
        };
        let vcpu = |n: u16| VcpuSpec {
            hard: hard.clone(),
            soft: Some(prefers.clone()),
            ..random((vm + n) % 8, u64::from(vm) * MS, (MS / 5, 7 * MS), (MS / 10, 5 * MS))
        };
        (0..2).map(vcpu).collect()
    };
    let topology = Topology::regular(2, 4, 1, true);
    Scenario { topology, ..scenario(&TWO_NODES, 8, 500 * MS, (0..8).map(vm).collect()) }
}

fn yielding_pair() -> Scenario {
    let yields = vec![Stretch { run_ns: 300 * US, block_ns: 0 }];
    let yielder = |start_ns| VcpuSpec {
        workload: Workload::Script(yields.clone()),
        ..vcpu(0, start_ns, 1, 1)
    };
    let sleeper = pinned(2, 1, vcpu(1, 3 * MS, 2_300 * US, 900 * US));
    let other = pinned(2, 0, vcpu(0, 4 * MS, 1_700 * US, 2_100 * US));
    let domains = vec![vec![yielder(0), yielder(100 * US)], vec![sleeper, other]];
    scenario(&YIELDING_PAIR, 2, 300 * MS, domains)
}

fn same_idler_twice() -> Scenario {
    let vm = |vm: u16| {
        let vcpu =
            |n: u16| random((vm + n) % 8, u64::from(vm) * MS, (MS / 5, 4 * MS), (MS / 5, 4 * MS));
        (0..2).map(vcpu).collect()
    };
    let params = Params { ipi_latency_ns: 50 * US, ..Params::default() };
    Scenario { params, ..scenario(&SAME_IDLER_TWICE, 8, 500 * MS, (0..5).map(vm).collect()) }
}

fn victims() -> Scenario {
    let busy = |n: u16| random(2 + n % 6, u64::from(n) * MS, (4 * MS, 30 * MS), (MS, 2 * MS));
    let brief = |pcpu: u16| pinned(8, pcpu, random(pcpu, 0, (MS / 5, MS), (MS / 2, MS)));
    let domains = vec![(0..12).map(busy).collect(), vec![brief(0), brief(1)]];
    scenario(&VICTIMS, 8, 1_000 * MS, domains)
}

fn set(pcpus: usize, members: &[u16]) -> CpuMask {
    let mut mask = CpuMask::empty(pcpus);
    members.iter().for_each(|pcpu| mask.insert(PcpuId(*pcpu)));
    mask
}
