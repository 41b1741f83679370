//! Changes of weight and parameters at run time, and the placing of a new vCPU.
//!
//! Follows: xen/common/sched_credit.c:csched_dom_cntl, csched_sys_cntl, csched_vcpu_insert @
//! ebce2d836c, 89216c7999.

use super::{Credit1, Tslice};
use crate::cpumask::CpuMask;
use crate::ids::{DomainId, PcpuId};
use crate::patches::{Patch, PatchSet};
use crate::scenario::limits;

/// Whether a vCPU of `processor` that gets the hard affinity `hard` is placed anew: always, or only
/// if it may stay there no longer. Pure.
#[must_use]
pub fn affinity_migrates(hard: &CpuMask, processor: PcpuId, patches: PatchSet) -> bool {
    patches.has(Patch::AffinityAlwaysMigrates) || !hard.contains(processor)
}

impl Credit1 {
    /// A domain's weight changes; the machine keeps the weight itself.
    pub fn adjust_weight(&mut self, domain: DomainId, old: u32, new: u32) {
        if self.active_domains.contains(&domain) {
            let active = self.domains[domain.index()].active.len();
            let count = u32::try_from(active).expect("limited vCPUs");
            self.weight_sum = self.weight_sum - old * count + new * count;
        }
    }

    /// New slice and rate limit; out of range they are refused as a whole.
    ///
    /// Without `tslice_derives` tick period and credits keep their old values. Timers under way
    /// keep their expiry.
    pub fn adjust_params(&mut self, tslice_ms: u32, ratelimit_us: u32) {
        let (least, most) = limits::RATELIMIT_US;
        let slice_fits = (1..=limits::TSLICE_MS).contains(&tslice_ms);
        let limit_fits = ratelimit_us == 0 || (least..=most).contains(&ratelimit_us);
        if !slice_fits || !limit_fits || ratelimit_us > 1_000 * tslice_ms {
            return;
        }
        self.ratelimit_ns = u64::from(ratelimit_us) * 1_000;
        if self.patches.has(Patch::TsliceDerives) {
            self.tslice = Tslice::of(tslice_ms);
        } else {
            self.tslice.ms = tslice_ms;
        }
        if self.patches.has(Patch::TsliceRepool) {
            let pcpus = u32::try_from(self.pcpus.len()).expect("validated");
            self.credit_pool = self.tslice.credits * pcpus;
        }
    }

    /// Whether the scheduler places a new vCPU itself.
    #[must_use]
    pub fn places_new(&self) -> bool {
        self.patches.has(Patch::PickOnInsert)
    }
}
