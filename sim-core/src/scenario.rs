//! The input of a run: machine, domains, workloads, scripted changes, parameters, seed.
//!
//! [`Scenario`] is what a person wrote; [`ValidScenario`] is what a machine can be built from.

mod validate;

pub use validate::{ScenarioError, ValidScenario, limits};

use crate::cpumask::CpuMask;
use crate::ids::PcpuId;
use crate::topology::Topology;
use crate::workload::Workload;
use alloc::string::String;
use alloc::vec::Vec;

/// Everything that a run depends on, besides the patches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scenario {
    /// Short name.
    pub name: String,
    /// One sentence for people.
    pub note: String,
    /// The machine.
    pub topology: Topology,
    /// Scheduler and machine parameters.
    pub params: Params,
    /// Simulated time at which the run ends, in ns.
    pub duration_ns: u64,
    /// Seed of all random streams.
    pub seed: u64,
    /// The virtual machines.
    pub domains: Vec<DomainSpec>,
    /// Scripted changes, in order of their event ids.
    pub ops: Vec<Op>,
}

/// Scheduler and machine parameters. Defaults: Xen's boot defaults and an IPI of 1 µs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Params {
    /// Time slice, in ms.
    pub tslice_ms: u32,
    /// Shortest time between two switches of a pCPU, in µs; 0 = off.
    pub ratelimit_us: u32,
    /// Tickle one suitable idler (`true`) or all of them.
    pub tickle_one_idle: bool,
    /// Fill cores before spreading over them.
    pub smt_power_savings: bool,
    /// A vCPU that ran less than this ago is cache-hot and not stolen, in µs.
    pub migration_delay_us: u32,
    /// Shortest time between two searches of a pCPU for work, in µs; 0 = off. Only with the patch
    /// `lb_ratelimit`.
    pub lb_ratelimit_us: u32,
    /// From raising a softirq on another pCPU until its interrupt arrives, in ns.
    pub ipi_latency_ns: u64,
    /// Length of a context switch, in ns.
    pub ctx_switch_ns: u64,
    /// Distance between the boots of neighbouring pCPUs, in ns.
    pub cpu_up_step_ns: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            tslice_ms: 30,
            ratelimit_us: 1_000,
            tickle_one_idle: true,
            smt_power_savings: false,
            migration_delay_us: 0,
            lb_ratelimit_us: 1_000,
            ipi_latency_ns: 1_000,
            ctx_switch_ns: 0,
            cpu_up_step_ns: 0,
        }
    }
}

/// Ticks in a slice, unless the slice is under 3 ms [xen/common/sched_credit.c].
pub const TICKS_PER_TSLICE: u32 = 3;

/// The tick period of a slice of `ms` milliseconds, in ns; whole microseconds, rounded down as the
/// scheduler keeps the period in µs.
#[must_use]
pub fn tick_period_ns(ms: u32) -> u64 {
    let ticks = if ms < TICKS_PER_TSLICE { 1 } else { TICKS_PER_TSLICE };
    u64::from(ms * 1_000 / ticks) * 1_000
}

/// A virtual machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainSpec {
    /// Share of CPU time relative to the other domains; Xen's default is 256.
    pub weight: u32,
    /// Most CPU time it may get, in percent of one pCPU; 0 = no cap.
    pub cap: u32,
    /// Its vCPUs.
    pub vcpus: Vec<VcpuSpec>,
}

/// A virtual CPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VcpuSpec {
    /// The pCPU that its creator puts it on.
    pub init_pcpu: PcpuId,
    /// When it is first woken, in ns.
    pub start_ns: u64,
    /// The pCPUs that it may use; `None` = all.
    pub hard: Option<CpuMask>,
    /// The pCPUs that it prefers; `None` = all.
    pub soft: Option<CpuMask>,
    /// The pCPU on which its wake-ups are handled; `None` = where it went to sleep.
    pub wake_on: Option<PcpuId>,
    /// What it does.
    pub workload: Workload,
}

/// A scripted change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Op {
    /// When, in ns.
    pub time_ns: u64,
    /// The pCPU that handles it.
    pub pcpu: PcpuId,
    /// What changes.
    pub change: Change,
}

/// What a scripted change does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// New weight and cap of a domain; `None` keeps.
    Domain {
        /// Index of the domain.
        domain: u16,
        /// New weight.
        weight: Option<u32>,
        /// New cap in percent of one pCPU, 0 = none.
        cap: Option<u32>,
    },
    /// New affinity of a vCPU.
    Affinity {
        /// Index of the vCPU, counted over all domains.
        vcpu: u16,
        /// Whether the soft affinity is meant.
        soft: bool,
        /// The new set.
        mask: CpuMask,
    },
    /// New slice and rate limit. Refused by the scheduler, not by the scenario, when out of range.
    Params {
        /// Time slice, in ms.
        tslice_ms: u32,
        /// Rate limit, in µs; 0 = off.
        ratelimit_us: u32,
    },
}

impl Scenario {
    /// All vCPUs in order of their ids, with the index of their domain.
    pub fn vcpus(&self) -> impl Iterator<Item = (u16, &VcpuSpec)> {
        let domains = (0u16..).zip(&self.domains);
        domains.flat_map(|(domain, spec)| spec.vcpus.iter().map(move |vcpu| (domain, vcpu)))
    }
}
