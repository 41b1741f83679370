//! Xen's credit scheduler (credit1), December 2012 to April 2017, a patch at a time.
//!
//! Follows: xen/common/sched_credit.c:csched_* @ ebce2d836c (2012) and 89216c7999 (2017).
//!
//! Reading order: this file (state), `runq`, `burn`, `wake`, `tickle`, `pick_cpu`, `tick`,
//! `account`, `schedule`, `balance`, `change`. The deciding functions `tickle`, `pick`, `balance`
//! and `share_out` are pure; the verbs around them gather their inputs and carry out what they say.

mod account;
mod balance;
mod burn;
mod change;
mod params;
mod pick_cpu;
mod runq;
mod schedule;
mod share_out;
mod side;
mod tick;
mod tickle;
mod wake;

pub use account::AccountEffect;
pub use balance::{balance, balance_counters};
pub use burn::{burn, charge};
pub use change::affinity_migrates;
pub use params::{CREDITS_PER_MS, Tslice};
pub use pick_cpu::pick;
pub use runq::{insert_position, sorted_order};
pub use schedule::{Choice, rate_limit};
pub use share_out::share_out;
pub use side::{balance_side, pick_side, tickle_side, wake_side};
pub use tick::TickAnswer;
pub use tickle::{tickle, tickle_counters};
pub use wake::{SleepAnswer, WakeAnswer, WakeResult, boosts};

use crate::cpumask::CpuMask;
use crate::decision::{Priority, Step};
use crate::ids::{DomainId, PcpuId, VcpuId};
use crate::patches::{Patch, PatchSet};
use crate::policy::cx::System;
use crate::scenario::Params;
use crate::units::SimTime;
use alloc::vec;
use alloc::vec::Vec;

/// Credit1's part of a vCPU.
#[derive(Clone, Debug)]
pub struct Vcpu {
    /// Credit: 10 are worth one ms of execution [SC].
    pub credit: i32,
    /// Burnt but not yet charged, in millionths of a credit; only with `burn_residual`.
    pub residual: u32,
    /// Up to when execution is charged, in ns; relative to now while the vCPU is not current.
    pub start_time: i64,
    /// Its priority.
    pub pri: Priority,
    /// Paused because its domain's cap is used up.
    pub parked: bool,
    /// Asked to yield and not yet requeued.
    pub yielded: bool,
    /// It had asked so when it was queued; only looked at with `no_steal_yielded`.
    pub queued_yielding: bool,
    /// Just picked for a move, which spares the boost with `no_boost_on_migrate`.
    pub migrating: bool,
    /// On the queue of its pCPU.
    pub queued: bool,
    /// On its domain's active list: earns credit.
    pub active: bool,
    /// What is counted of it.
    pub stats: VcpuStats,
}

/// What is counted of one vCPU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VcpuStats {
    /// Times it began to earn.
    pub state_active: u64,
    /// Times it stopped earning.
    pub state_idle: u64,
    /// Times it was stolen from a queue.
    pub migrate_q: u64,
    /// Times it was asked to leave while running.
    pub migrate_r: u64,
    /// Times a wake pushed it off its pCPU.
    pub kicked_away: u64,
}

/// Credit1's part of a pCPU.
#[derive(Clone, Debug)]
pub struct Pcpu {
    /// Runnable vCPUs in order; the idle vCPU is an ordinary element unless it is current.
    pub runq: Vec<VcpuId>,
    /// The accounting epoch that the queue was last sorted for.
    pub sort_seen: u32,
    /// The idler that this pCPU tickled last.
    pub cursor: PcpuId,
    /// Runnable guests, queued or current; only kept with `steal_skip_single`.
    pub nr_runnable: u32,
    /// When it last searched its peers for work; only used with `lb_ratelimit`.
    pub last_load_balance: SimTime,
}

/// Credit1's part of a domain.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    /// vCPUs that earn credit, the latest first.
    pub active: Vec<VcpuId>,
}

/// An instance of the scheduler: one for the one pool.
#[derive(Clone, Debug)]
pub struct Credit1 {
    /// Which patches are in.
    pub patches: PatchSet,
    /// Slice, tick and credits per slice.
    pub tslice: Tslice,
    /// Shortest run of a vCPU before it may be switched out for another, in ns; 0 = off.
    pub ratelimit_ns: u64,
    /// Shortest time between two searches of a pCPU for work, in ns; 0 = off.
    pub lb_ratelimit_ns: u64,
    /// Per vCPU, idle ones included.
    pub vcpus: Vec<Vcpu>,
    /// Per pCPU.
    pub pcpus: Vec<Pcpu>,
    /// Per domain.
    pub domains: Vec<Domain>,
    /// pCPUs believed to have nothing to do.
    pub idlers: CpuMask,
    /// Idle pCPUs that were told to schedule and have not yet done so.
    pub told: CpuMask,
    /// Per pCPU, the last choice among the idle group that it led.
    pub idle_bias: Vec<PcpuId>,
    /// Per node, the last victim of a steal; only looked at with `steal_bias`.
    pub balance_bias: Vec<PcpuId>,
    /// Domains with an active vCPU, the latest first.
    pub active_domains: Vec<DomainId>,
    /// Sum of the weights of all active vCPUs.
    pub weight_sum: u32,
    /// Credit handed out per accounting.
    pub credit_pool: u32,
    /// Sum of the credits seen by the last accounting.
    pub balance: i32,
    /// Accountings with work so far.
    pub epoch: u32,
    tickle_one_idle: bool,
    smt_power_savings: bool,
    migration_delay_ns: u64,
}

impl Vcpu {
    /// A vCPU that has not run yet.
    #[must_use]
    pub fn new(pri: Priority) -> Self {
        Self {
            credit: 0,
            residual: 0,
            start_time: 0,
            pri,
            parked: false,
            yielded: false,
            queued_yielding: false,
            migrating: false,
            queued: false,
            active: false,
            stats: VcpuStats::default(),
        }
    }
}

impl Credit1 {
    /// A scheduler whose pCPUs are all up and idle.
    #[must_use]
    pub fn new(system: &System, params: &Params, patches: PatchSet) -> Self {
        let pcpus = system.topology.pcpu_count();
        let last = PcpuId(u16::try_from(pcpus - 1).expect("validated"));
        let tslice = Tslice::of(params.tslice_ms);
        let vcpu = |index: usize| {
            Vcpu::new(if index < system.guests { Priority::UNDER } else { Priority::IDLE })
        };
        let pcpu = Pcpu {
            runq: Vec::new(),
            sort_seen: 0,
            cursor: PcpuId(0),
            nr_runnable: 0,
            last_load_balance: SimTime::ZERO,
        };
        let first_of = |node: &CpuMask| node.first().unwrap_or(PcpuId(0));
        Self {
            patches,
            ratelimit_ns: u64::from(params.ratelimit_us.min(1_000 * params.tslice_ms)) * 1_000,
            lb_ratelimit_ns: u64::from(params.lb_ratelimit_us) * 1_000,
            vcpus: (0..system.vcpus.len()).map(vcpu).collect(),
            pcpus: vec![pcpu; pcpus],
            domains: vec![Domain::default(); system.domains.len()],
            idlers: CpuMask::full(pcpus),
            told: CpuMask::empty(pcpus),
            idle_bias: vec![last; pcpus],
            balance_bias: system.topology.nodes().iter().map(first_of).collect(),
            active_domains: Vec::new(),
            weight_sum: 0,
            credit_pool: tslice.credits * u32::try_from(pcpus).expect("validated"),
            balance: 0,
            epoch: 0,
            tickle_one_idle: params.tickle_one_idle,
            smt_power_savings: params.smt_power_savings,
            migration_delay_ns: u64::from(params.migration_delay_us) * 1_000,
            tslice,
        }
    }

    /// Credit1's part of a vCPU.
    #[must_use]
    #[inline]
    pub fn vcpu(&self, vcpu: VcpuId) -> &Vcpu {
        &self.vcpus[vcpu.index()]
    }

    fn vcpu_mut(&mut self, vcpu: VcpuId) -> &mut Vcpu {
        &mut self.vcpus[vcpu.index()]
    }
}

/// The steps of a search, as far as the patches walk them.
///
/// `soft_useful` says whether the preferred set restricts anything.
fn steps(patches: PatchSet, soft_useful: bool) -> impl Iterator<Item = Step> {
    let soft = patches.has(Patch::TwoStepBalance) && soft_useful;
    soft.then_some(Step::Soft).into_iter().chain([Step::Hard])
}

/// The set that a step goes by: preferred pCPUs within the allowed ones, or the allowed ones.
fn step_mask(step: Step, hard: &CpuMask, soft: &CpuMask) -> CpuMask {
    if step == Step::Soft {
        let preferred = soft.and(hard);
        if !preferred.is_empty() {
            return preferred;
        }
    }
    hard.clone()
}

/// Whether a vCPU's preference says anything with respect to `within`.
///
/// Before soft affinity existed the preferred set was the domain's home nodes, which nothing sets
/// here. Then any set that is not full counted; later a set that allows as much as the pool or the
/// hard affinity does not.
fn soft_useful(
    patches: PatchSet,
    pool: &CpuMask,
    hard: &CpuMask,
    soft: &CpuMask,
    within: &CpuMask,
) -> bool {
    if patches.has(Patch::SoftSubsetChecks) {
        return !pool.is_subset(soft) && !hard.is_subset(soft) && soft.intersects(within);
    }
    patches.has(Patch::SoftAffinity) && !pool.is_subset(soft) && soft.intersects(within)
}
