//! The run queue of a pCPU: insertion by priority, removal, the sort after an accounting.
//!
//! Follows: xen/common/sched_credit.c:__runq_insert, csched_runq_sort @ 89216c7999.

use super::Credit1;
use crate::decision::Priority;
use crate::ids::{PcpuId, VcpuId};
use crate::patches::Patch;
use crate::policy::cx::System;
use alloc::vec::Vec;

/// Where a vCPU of priority `pri` goes in a queue of these priorities: before the first lower one,
/// and if it yields, one further if that one is a guest. Unless it `may_be_last` it does not pass
/// the last element.
///
/// The scan stops at the first lower element even if higher ones follow: between an accounting and
/// the next tick a queue need not be sorted.
#[must_use]
pub fn insert_position(
    queue: impl Iterator<Item = Priority> + Clone,
    pri: Priority,
    yields: bool,
    may_be_last: bool,
) -> usize {
    let place = queue.clone().take_while(|queued| *queued >= pri).count();
    let passes = yields
        && queue.clone().nth(place).is_some_and(|next| next > Priority::IDLE)
        && (may_be_last || queue.clone().nth(place + 1).is_some());
    place + usize::from(passes)
}

/// The order of the sort: those with credit (boosted or not, as they stand) before the others.
pub fn sorted_order(queue: &[Priority]) -> impl Iterator<Item = usize> + '_ {
    let with = |credit: bool| {
        let places = queue.iter().enumerate();
        places.filter(move |(_, pri)| (**pri >= Priority::UNDER) == credit).map(|(at, _)| at)
    };
    with(true).chain(with(false))
}

impl Credit1 {
    /// Queues a vCPU on `pcpu`.
    pub(super) fn runq_insert(&mut self, pcpu: PcpuId, vcpu: VcpuId) {
        let (pri, yields) = (self.vcpu(vcpu).pri, self.vcpu(vcpu).yielded);
        let queue = &self.pcpus[pcpu.index()].runq;
        let pris = queue.iter().map(|queued| self.vcpus[queued.index()].pri);
        let place = insert_position(pris, pri, yields, !self.patches.has(Patch::NoStealYielded));
        self.pcpus[pcpu.index()].runq.insert(place, vcpu);
        let sched = self.vcpu_mut(vcpu);
        (sched.queued, sched.queued_yielding) = (true, yields);
    }

    /// Takes a vCPU off the queue of `pcpu`. It must be there.
    pub(super) fn runq_remove(&mut self, pcpu: PcpuId, vcpu: VcpuId) {
        let queue = &mut self.pcpus[pcpu.index()].runq;
        let place = queue.iter().position(|queued| *queued == vcpu).expect("it is queued here");
        queue.remove(place);
        let sched = self.vcpu_mut(vcpu);
        (sched.queued, sched.queued_yielding) = (false, false);
        if self.patches.has(Patch::NoStealYielded) {
            self.vcpu_mut(vcpu).yielded = false;
        }
    }

    /// Sorts the queue if an accounting has changed priorities since it was last sorted.
    pub(super) fn runq_sort(&mut self, pcpu: PcpuId) {
        let seen = &mut self.pcpus[pcpu.index()].sort_seen;
        if *seen == self.epoch {
            return;
        }
        *seen = self.epoch;
        let queue = &self.pcpus[pcpu.index()].runq;
        let pris: Vec<Priority> = queue.iter().map(|queued| self.vcpu(*queued).pri).collect();
        let sorted = sorted_order(&pris).map(|place| queue[place]).collect();
        self.pcpus[pcpu.index()].runq = sorted;
    }

    /// Runnable guests of a pCPU, queued or current: as counted, or worked out where nobody counts,
    /// so that the other side of the patch can be asked about.
    #[must_use]
    pub fn nr_runnable(&self, system: &System, pcpu: PcpuId) -> u32 {
        if self.patches.has(Patch::StealSkipSingle) {
            return self.pcpus[pcpu.index()].nr_runnable;
        }
        self.count_ready(system, pcpu)
    }

    /// Runnable guests of a pCPU, counted anew.
    #[must_use]
    pub fn count_ready(&self, system: &System, pcpu: PcpuId) -> u32 {
        let current = system.current[pcpu.index()];
        let queue = self.pcpus[pcpu.index()].runq.iter().copied();
        let waiting = queue.filter(|vcpu| !system.is_idle(*vcpu)).count();
        let runs = !system.is_idle(current) && system.runnable(current);
        u32::try_from(waiting + usize::from(runs)).expect("limited vCPUs")
    }

    /// Counts runnable guests of a pCPU up or down, if anybody looks at the count.
    pub(super) fn count_runnable(&mut self, pcpu: PcpuId, up: bool) {
        if self.patches.has(Patch::StealSkipSingle) {
            let count = &mut self.pcpus[pcpu.index()].nr_runnable;
            *count = if up { *count + 1 } else { *count - 1 };
        }
    }
}
