//! The set-up of the 2012 patch's benchmarks: 16 pCPUs; 2, 6 or 10 VMs of 2 vCPUs each, free or
//! pinned one to one.
//!
//! Source of the set-up: the message of “improve tickling of idle CPUs”. The benchmarks themselves
//! are stood in for by CPU-bound stretches with short sleeps.

use super::Preset;
use crate::cpumask::CpuMask;
use crate::ids::PcpuId;
use crate::patches::{Patch, PatchSet};
use crate::rng::SplitMix64;
use crate::scenario::{DomainSpec, Params, Scenario, VcpuSpec};
use crate::topology::Topology;
use crate::workload::{RandomWorkload, Workload};
use alloc::format;
use alloc::string::String;

const MS: u64 = 1_000_000;
const PCPUS: u16 = 16;
const BEFORE: PatchSet = PatchSet::of(&[Patch::PickDiscountAlone]);

const fn preset(
    (number, slug): (u8, &'static str),
    title: &'static str,
    story: &'static str,
    cursor_ns: u64,
    build: fn() -> Scenario,
) -> Preset {
    Preset {
        number,
        slug,
        title,
        story,
        patches: BEFORE,
        view_ns: (cursor_ns - 3 * MS, cursor_ns + 9 * MS),
        cursor_ns,
        build,
    }
}

pub(super) const VMS_2_FREE: Preset = preset(
    (3, "seed-2-vms"),
    "Seed: 2 VMs, free",
    "4 vCPUs on 16 pCPUs, free to go anywhere: idle pCPUs are always at hand, and \
     every waker finds its own pCPU idle: the patch changes no tickle.",
    40 * MS,
    || build(VMS_2_FREE.slug, 2, false),
);
pub(super) const VMS_6_FREE: Preset = preset(
    (4, "seed-6-vms"),
    "Seed: 6 VMs, free",
    "12 vCPUs on 16 pCPUs, free to go anywhere: a waker rarely finds its pCPU taken.",
    150_900_000,
    || build(VMS_6_FREE.slug, 6, false),
);
pub(super) const VMS_10_FREE: Preset = preset(
    (5, "seed-10-vms"),
    "Seed: 10 VMs, free",
    "20 vCPUs on 16 pCPUs, free to go anywhere: idlers are rare and steals are common.",
    40_200_000,
    || build(VMS_10_FREE.slug, 10, false),
);
pub(super) const VMS_2_PINNED: Preset = preset(
    (6, "seed-2-vms-pinned"),
    "Seed: 2 VMs, pinned",
    "4 vCPUs, each pinned to a pCPU of its own: nobody can help, and nobody needs to.",
    40 * MS,
    || build(VMS_2_PINNED.slug, 2, true),
);
pub(super) const VMS_6_PINNED: Preset = preset(
    (7, "seed-6-vms-pinned"),
    "Seed: 6 VMs, pinned",
    "12 vCPUs, each pinned to a pCPU of its own: the patch has nothing to improve.",
    40 * MS,
    || build(VMS_6_PINNED.slug, 6, true),
);
pub(super) const VMS_10_PINNED: Preset = preset(
    (8, "seed-10-vms-pinned"),
    "Seed: 10 VMs, pinned",
    "20 vCPUs pinned to 16 pCPUs: four pCPUs have two, and wakers push each other out for nothing.",
    40_450_000,
    || build(VMS_10_PINNED.slug, 10, true),
);

/// `vms` VMs of 2 vCPUs: one computes in long stretches, one in short ones, both with short sleeps.
fn build(slug: &str, vms: u16, pinned: bool) -> Scenario {
    let mut starts = SplitMix64::new(u64::from(vms));
    let mut vcpu = |index: u16| {
        let pcpu = PcpuId(index % PCPUS);
        let long = index.is_multiple_of(2);
        let random = RandomWorkload {
            run_ns: if long { (MS, 20 * MS) } else { (MS / 10, 3 * MS) },
            block_ns: if long { (MS / 20, 2 * MS) } else { (MS / 10, 2 * MS) },
            yield_permille: 0,
        };
        VcpuSpec {
            init_pcpu: pcpu,
            start_ns: starts.between(0, 10 * MS),
            hard: pinned.then(|| CpuMask::empty(usize::from(PCPUS)).only(pcpu)),
            soft: None,
            wake_on: None,
            workload: Workload::Random(random),
        }
    };
    let mut domain = |vm: u16| DomainSpec {
        weight: 256,
        cap: 0,
        vcpus: [vm * 2, vm * 2 + 1].map(&mut vcpu).into(),
    };
    Scenario {
        name: String::from(slug),
        note: format!("{vms} VMs of 2 vCPUs on 16 pCPUs (2 sockets of 4 cores of 2 threads)"),
        topology: Topology::regular(2, 4, 2, false),
        params: Params::default(),
        duration_ns: 500 * MS,
        seed: 2012,
        domains: (0..vms).map(&mut domain).collect(),
        ops: alloc::vec![],
    }
}
