//! Small machines on which one decision can be followed by eye.

use super::Preset;
use crate::cpumask::CpuMask;
use crate::ids::PcpuId;
use crate::patches::{Patch, PatchSet};
use crate::scenario::{DomainSpec, Params, Scenario, VcpuSpec};
use crate::topology::Topology;
use crate::workload::{Stretch, Workload};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

pub(super) const US: u64 = 1_000;
pub(super) const MS: u64 = 1_000_000;
/// As good as for ever: a stretch that no run sees the end of, in ns.
pub(super) const FOR_EVER: u64 = 1_000_000_000_000_000;
const BEFORE: PatchSet = PatchSet::of(&[Patch::PickDiscountAlone]);
const AFTER: PatchSet = PatchSet::of(&[Patch::PickDiscountAlone, Patch::TicklePreferIdlers]);

/// The case that the 2012 patch was written for. The waker starts after the first tick, which has
/// taken the hog's first boost away.
pub(super) const PINNED_WAKER: Preset = Preset {
    number: 0,
    slug: "pinned-waker",
    title: "Pinned waker",
    story: "d2v0 may only run on p0, where d1v0 is busy. Every time it wakes it takes p0 over, and \
            before the patch nobody tells the idle pCPUs that d1v0 now waits: it loses 43 of 300 ms.",
    patches: BEFORE,
    view_ns: (10_500 * US, 19_500 * US),
    cursor_ns: 13_900 * US,
    build: pinned_waker,
};

/// The common case: the waker could go anywhere.
pub(super) const FREE_WAKER: Preset = Preset {
    number: 1,
    slug: "free-waker",
    title: "Free waker",
    story: "d2v0 may run anywhere and idle pCPUs are at hand. Before the patch its old pCPU and an \
            idler are both told, and race for it.",
    patches: BEFORE,
    view_ns: (11 * MS, 17 * MS),
    cursor_ns: 11_900 * US,
    build: free_waker,
};

/// Where the patch makes things worse.
pub(super) const KICK_PING_PONG: Preset = Preset {
    number: 2,
    slug: "kick-ping-pong",
    title: "Kick ping-pong",
    story: "Two wakers, each pinned to one of two pCPUs, push one free hog back and forth. Each push \
            ends in a wake-up that boosts the hog, so that the next waker has to wait: the patch's own downside.",
    patches: AFTER,
    view_ns: (33 * MS, 45 * MS),
    cursor_ns: 35_600 * US,
    build: kick_ping_pong,
};

pub(super) fn vcpu(init_pcpu: u16, start_ns: u64, run_ns: u64, block_ns: u64) -> VcpuSpec {
    VcpuSpec {
        init_pcpu: PcpuId(init_pcpu),
        start_ns,
        hard: None,
        soft: None,
        wake_on: None,
        workload: Workload::Script(vec![Stretch { run_ns, block_ns }]),
    }
}

pub(super) fn pinned(pcpus: usize, pcpu: u16, vcpu: VcpuSpec) -> VcpuSpec {
    let hard = CpuMask::empty(pcpus).only(PcpuId(pcpu));
    VcpuSpec { hard: Some(hard), ..vcpu }
}

pub(super) fn scenario(
    preset: &Preset,
    pcpus: u16,
    duration_ns: u64,
    domains: Vec<Vec<VcpuSpec>>,
) -> Scenario {
    let domain = |vcpus| DomainSpec { weight: 256, cap: 0, vcpus };
    Scenario {
        name: String::from(preset.slug),
        note: String::from(preset.story),
        topology: Topology::regular(1, pcpus, 1, false),
        params: Params::default(),
        duration_ns,
        seed: 1,
        domains: domains.into_iter().map(domain).collect(),
        ops: vec![],
    }
}

fn pinned_waker() -> Scenario {
    let hog = vcpu(0, 0, FOR_EVER, 1);
    let other_hog = vcpu(2, 0, FOR_EVER, 1);
    let waker = pinned(4, 0, vcpu(0, 14 * MS, 600 * US, 3_400 * US));
    let worker = vcpu(1, 11_200 * US, 1_100 * US, 2_900 * US);
    scenario(&PINNED_WAKER, 4, 300 * MS, vec![vec![hog, other_hog], vec![waker, worker]])
}

fn free_waker() -> Scenario {
    let hogs = (0..3).map(|pcpu| vcpu(pcpu, 0, FOR_EVER, 1)).collect();
    let first = vcpu(0, 12 * MS, 700 * US, 3_300 * US);
    let second = vcpu(1, 13 * MS, 1_300 * US, 5_900 * US);
    scenario(&FREE_WAKER, 4, 300 * MS, vec![hogs, vec![first, second]])
}

fn kick_ping_pong() -> Scenario {
    let hog = vcpu(0, 0, FOR_EVER, 1);
    let first = pinned(2, 0, vcpu(0, 12 * MS, 500 * US, 7_400 * US));
    let second = pinned(2, 1, vcpu(1, 17 * MS, 700 * US, 10_600 * US));
    scenario(&KICK_PING_PONG, 2, 1_000 * MS, vec![vec![hog], vec![first], vec![second]])
}
