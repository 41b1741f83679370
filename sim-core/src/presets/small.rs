//! Small machines on which one decision can be followed by eye.

use super::Preset;
use crate::cpumask::CpuMask;
use crate::decision::Kind;
use crate::ids::PcpuId;
use crate::patches::{Patch, PatchSet};
use crate::scenario::{DomainSpec, Params, Scenario, VcpuSpec};
use crate::topology::Topology;
use crate::workload::{Stretch, Workload};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

const US: u64 = 1_000;
const MS: u64 = 1_000_000;
/// As good as for ever: a stretch that no run sees the end of, in ns.
const FOR_EVER: u64 = 1_000_000_000_000_000;
const BEFORE: PatchSet = PatchSet::of(&[Patch::PickDiscountAlone]);
const AFTER: PatchSet = PatchSet::of(&[Patch::PickDiscountAlone, Patch::TicklePreferIdlers]);

/// The case that the 2012 patch was written for.
pub(super) const PINNED_WAKER: Preset = Preset {
    number: 0,
    slug: "pinned-waker",
    title: "Pinned waker",
    story: "d2v0 may only run on p0, where d1v0 is busy. Every time it wakes it takes p0 over, and \
            before the patch nobody tells the idle pCPUs that d1v0 now waits.",
    patches: BEFORE,
    view_ns: (0, 0),
    select: (0, 0, Kind::Tickle),
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
    view_ns: (0, 0),
    select: (0, 0, Kind::Tickle),
    build: free_waker,
};

/// Where the patch makes things worse.
pub(super) const KICK_PING_PONG: Preset = Preset {
    number: 2,
    slug: "kick-ping-pong",
    title: "Kick ping-pong",
    story: "Two wakers, each pinned to one of two pCPUs, push one free hog back and forth. Each push \
            is a migration, and the wake-up that it ends in boosts the hog: the patch's own downside.",
    patches: AFTER,
    view_ns: (0, 0),
    select: (0, 0, Kind::Tickle),
    build: kick_ping_pong,
};

fn vcpu(init_pcpu: u16, start_ns: u64, run_ns: u64, block_ns: u64) -> VcpuSpec {
    VcpuSpec {
        init_pcpu: PcpuId(init_pcpu),
        start_ns,
        hard: None,
        soft: None,
        wake_on: None,
        workload: Workload::Script(vec![Stretch { run_ns, block_ns }]),
    }
}

fn pinned(pcpus: usize, pcpu: u16, vcpu: VcpuSpec) -> VcpuSpec {
    let hard = CpuMask::empty(pcpus).only(PcpuId(pcpu));
    VcpuSpec { hard: Some(hard), ..vcpu }
}

fn scenario(
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
    let busy = vcpu(0, 0, 9 * MS, 1_500 * US);
    let other = vcpu(1, 500 * US, 7 * MS, 2_500 * US);
    let waker = pinned(4, 0, vcpu(0, 2 * MS, 600 * US, 3_400 * US));
    scenario(&PINNED_WAKER, 4, 300 * MS, vec![vec![busy, other], vec![waker]])
}

fn free_waker() -> Scenario {
    let busy = vcpu(0, 0, 9 * MS, 1_500 * US);
    let other = vcpu(1, 500 * US, 7 * MS, 2_500 * US);
    let waker = VcpuSpec { wake_on: Some(PcpuId(0)), ..vcpu(0, 2 * MS, 600 * US, 3_400 * US) };
    scenario(&FREE_WAKER, 4, 300 * MS, vec![vec![busy, other], vec![waker]])
}

fn kick_ping_pong() -> Scenario {
    let hog = vcpu(0, 0, FOR_EVER, 1);
    let first = pinned(2, 0, vcpu(0, 2 * MS, 500 * US, 7_400 * US));
    let second = pinned(2, 1, vcpu(1, 7 * MS, 700 * US, 10_600 * US));
    scenario(&KICK_PING_PONG, 2, 1_000 * MS, vec![vec![hog], vec![first], vec![second]])
}
