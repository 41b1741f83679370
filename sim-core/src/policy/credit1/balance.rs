//! The search for work on other pCPUs. Pure.
//!
//! Follows: xen/common/sched_credit.c:csched_load_balance, csched_runq_steal @ ebce2d836c,
//! 89216c7999, e282067cf2.

use super::{Credit1, Pcpu, Vcpu, soft_useful, step_mask, steps};
use crate::cpumask::CpuMask;
use crate::decision::{
    BalanceInputs, BalanceOutcome, Counter, PeerStep, PeerVerdict, Peers, Priority, QueuedVcpu,
    QueuedVerdict, Step,
};
use crate::ids::{PcpuId, VcpuId};
use crate::patches::{Patch, PatchSet};
use crate::policy::cx::System;
use crate::topology::Topology;
use alloc::borrow::Cow;
use core::ops::Range;

/// Looks for a queued vCPU of a higher priority than the best that the thief has itself.
///
/// `probe` is told of every peer and of every queued vCPU looked at.
pub fn balance(
    inputs: &BalanceInputs<'_>,
    peers: impl Peers + Copy,
    topology: &Topology,
    patches: PatchSet,
    mut probe: impl FnMut(PeerStep),
) -> BalanceOutcome {
    let search = Search { inputs, peers, patches };
    let mut outcome = BalanceOutcome::default();
    if patches.has(Patch::LbRatelimit) && inputs.since_last_ns <= inputs.limit_ns {
        outcome.limited = true;
        return outcome;
    }
    let mut work = inputs.pool.as_ref().clone();
    work.remove_all(&inputs.idlers);
    work.remove(inputs.cpu);
    if !patches.has(Patch::TwoStepBalance) {
        let bounds = 0..topology.pcpu_count();
        let walk = Walk { among: topology.all(), bounds, work: &work, last: inputs.cpu };
        search.walk(&walk, Step::Hard, &mut outcome, &mut probe);
        return outcome;
    }
    let nodes = topology.nodes().len();
    let own = usize::from(topology.place(inputs.cpu).node);
    // The soft pass covers every node before any hard attempt, useful or not.
    for step in steps(patches, true) {
        for node in (own..nodes).chain(0..own) {
            let last = if patches.has(Patch::StealBias) {
                inputs.balance_bias[node]
            } else {
                // The walk begins with the lowest.
                PcpuId(u16::MAX)
            };
            let among = &topology.nodes()[node];
            let walk = Walk { among, bounds: topology.node_bounds(node), work: &work, last };
            if search.walk(&walk, step, &mut outcome, &mut probe) {
                return outcome;
            }
        }
    }
    outcome
}

/// What a search is counted as.
#[must_use]
pub fn balance_counters(
    snext_pri: Priority,
    outcome: &BalanceOutcome,
    patches: PatchSet,
) -> [(Counter, u64); 5] {
    let searched = match snext_pri {
        Priority::IDLE => Counter::LoadBalanceIdle,
        Priority::OVER => Counter::LoadBalanceOver,
        _ => Counter::LoadBalanceOther,
    };
    let stolen = u64::from(outcome.stolen.is_some());
    let tries = u64::from(outcome.tries);
    let traced = if patches.has(Patch::StealTrace) { tries } else { 0 };
    [
        (searched, 1),
        (Counter::VcpuHot, outcome.hot.into()),
        (Counter::StealTrylock, traced),
        (Counter::StealPeerIdle, tries - stolen),
        (Counter::MigrateQueued, stolen),
    ]
}

/// Which peers a walk goes through, and from where.
struct Walk<'a> {
    /// The pCPUs of a node, or all of them.
    among: &'a CpuMask,
    /// None of them is outside these numbers.
    bounds: Range<usize>,
    /// Who of them is asked.
    work: &'a CpuMask,
    /// The walk begins behind this one.
    last: PcpuId,
}

struct Search<'a, P> {
    inputs: &'a BalanceInputs<'a>,
    peers: P,
    patches: PatchSet,
}

impl<P: Peers + Copy> Search<'_, P> {
    /// Tries each peer once, cyclically; ends with the first success.
    fn walk(
        &self,
        walk: &Walk<'_>,
        step: Step,
        outcome: &mut BalanceOutcome,
        probe: &mut impl FnMut(PeerStep),
    ) -> bool {
        let Range { start, end } = walk.bounds;
        let behind = (walk.last.index() + 1).clamp(start, end);
        let (peers, skips_single) = (self.peers, self.patches.has(Patch::StealSkipSingle));
        let mut tries = 0;
        for part in [behind..end, start..behind] {
            for peer in walk.work.shared(walk.among, part) {
                if skips_single && peers.nr_runnable(peer) <= 1 {
                    probe(PeerStep::Peer { peer, step, verdict: PeerVerdict::Skipped });
                    continue;
                }
                tries += 1;
                let stolen = self.steal((peer, peers), step, &mut outcome.hot, probe);
                if let Some(vcpu) = stolen {
                    outcome.stolen = Some((vcpu, peer));
                    outcome.tries += tries;
                    return true;
                }
            }
        }
        outcome.tries += tries;
        false
    }

    /// Searches one peer's queue from its head.
    #[inline]
    fn steal(
        &self,
        (peer, peers): (PcpuId, P),
        step: Step,
        hot: &mut u32,
        probe: &mut impl FnMut(PeerStep),
    ) -> Option<VcpuId> {
        if peers.is_idle(peer) {
            probe(PeerStep::Peer { peer, step, verdict: PeerVerdict::Idle });
            return None;
        }
        let mut stolen = None;
        for place in 0.. {
            let Some((vcpu, pri)) = peers.waiting(peer, place) else { break };
            // Most searches end here: with the priority alone.
            let verdict = if pri <= self.inputs.snext_pri {
                QueuedVerdict::NotHigher
            } else {
                self.verdict(peer, place, step)
            };
            probe(PeerStep::Queued { peer, vcpu, verdict });
            match verdict {
                QueuedVerdict::Taken => stolen = Some(vcpu),
                QueuedVerdict::NotHigher => {}
                QueuedVerdict::Hot => {
                    *hot += 1;
                    continue;
                }
                _ => continue,
            }
            break;
        }
        let verdict = PeerVerdict::Searched { taken: stolen.is_some() };
        probe(PeerStep::Peer { peer, step, verdict });
        stolen
    }

    /// What becomes of who stands at this place with a higher priority.
    fn verdict(&self, peer: PcpuId, place: usize, step: Step) -> QueuedVerdict {
        let queued = self.peers.queued(peer, place).expect("somebody stands there");
        let QueuedVcpu { hard, soft, .. } = &queued;
        let pool = &self.inputs.pool;
        let soft_step = step == Step::Soft;
        if queued.yielded && self.patches.has(Patch::NoStealYielded) {
            QueuedVerdict::Yielded
        } else if soft_step && !soft_useful(self.patches, pool, hard, soft, hard) {
            QueuedVerdict::NoSoftAffinity
        } else if queued.is_running {
            QueuedVerdict::Running
        } else if (self.inputs.now - queued.last_run).as_ns() < self.inputs.migration_delay_ns {
            QueuedVerdict::Hot
        } else if !allows(step, hard, soft, self.inputs.cpu) {
            QueuedVerdict::NotAllowed
        } else {
            QueuedVerdict::Taken
        }
    }
}

/// Whether a step's set holds a pCPU.
fn allows(step: Step, hard: &CpuMask, soft: &CpuMask, cpu: PcpuId) -> bool {
    match step {
        Step::Hard => hard.contains(cpu),
        Step::Soft => step_mask(step, hard, soft).contains(cpu),
    }
}

/// The peers of a running scheduler.
#[derive(Clone, Copy)]
pub(super) struct LivePeers<'a> {
    credit1: &'a Credit1,
    system: &'a System,
    // Parts of the two, at hand for every peer of a search.
    current: &'a [VcpuId],
    pcpus: &'a [Pcpu],
    vcpus: &'a [Vcpu],
    guests: usize,
}

impl<'a> LivePeers<'a> {
    pub(super) fn of(credit1: &'a Credit1, system: &'a System) -> Self {
        let Credit1 { pcpus, vcpus, .. } = credit1;
        let (current, guests) = (&system.current, system.guests);
        Self { credit1, system, current, pcpus, vcpus, guests }
    }
}

impl Peers for LivePeers<'_> {
    #[inline]
    fn is_idle(&self, peer: PcpuId) -> bool {
        self.current[peer.index()].index() >= self.guests
    }

    #[inline]
    fn nr_runnable(&self, peer: PcpuId) -> u32 {
        self.credit1.nr_runnable(self.system, peer)
    }

    #[inline]
    fn waiting(&self, peer: PcpuId, place: usize) -> Option<(VcpuId, Priority)> {
        let vcpu = *self.pcpus[peer.index()].runq.get(place)?;
        // The idle vCPU stands last.
        (vcpu.index() < self.guests).then(|| (vcpu, self.vcpus[vcpu.index()].pri))
    }

    fn queued(&self, peer: PcpuId, place: usize) -> Option<QueuedVcpu<'_>> {
        let (vcpu, pri) = self.waiting(peer, place)?;
        let state = self.system.vcpu(vcpu);
        Some(QueuedVcpu {
            vcpu,
            pri,
            yielded: self.credit1.vcpu(vcpu).queued_yielding,
            hard: Cow::Borrowed(&state.hard),
            soft: Cow::Borrowed(&state.soft),
            is_running: state.is_running,
            last_run: state.last_run,
        })
    }
}
