//! The search for work on other pCPUs. Pure.
//!
//! Follows: xen/common/sched_credit.c:csched_load_balance, csched_runq_steal @ ebce2d836c,
//! 89216c7999, e282067cf2.

use super::{Credit1, soft_useful, step_mask, steps};
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

/// Looks for a queued vCPU of a higher priority than the best that the thief has itself.
///
/// `probe` is told of every peer and of every queued vCPU looked at.
pub fn balance(
    inputs: &BalanceInputs<'_>,
    peers: &(impl Peers + ?Sized),
    topology: &Topology,
    patches: PatchSet,
    mut probe: impl FnMut(PeerStep),
) -> BalanceOutcome {
    let mut search = Search { inputs, peers, patches, outcome: BalanceOutcome::default() };
    if patches.has(Patch::LbRatelimit) && inputs.since_last_ns <= inputs.limit_ns {
        search.outcome.limited = true;
        return search.outcome;
    }
    let mut work = inputs.pool.as_ref().clone();
    work.remove_all(&inputs.idlers);
    work.remove(inputs.cpu);
    if !patches.has(Patch::TwoStepBalance) {
        let walk = Walk { members: topology.members(), work: &work, last: inputs.cpu };
        search.walk(&walk, Step::Hard, &mut probe);
        return search.outcome;
    }
    let nodes = topology.nodes().len();
    let own = usize::from(topology.place(inputs.cpu).node);
    // The soft pass covers every node before any hard attempt, useful or not.
    for step in steps(patches, true) {
        for node in (own..nodes).chain(0..own) {
            let last = if patches.has(Patch::StealBias) {
                inputs.balance_bias[node]
            } else {
                // One before pCPU 0: the walk begins with the lowest.
                PcpuId(u16::MAX)
            };
            let walk = Walk { members: topology.node_members(node), work: &work, last };
            if search.walk(&walk, step, &mut probe) {
                return search.outcome;
            }
        }
    }
    search.outcome
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
    /// The pCPUs of a node, or all of them, ascending.
    members: &'a [PcpuId],
    /// Who of them is asked.
    work: &'a CpuMask,
    /// The walk begins behind this one.
    last: PcpuId,
}

struct Search<'a, P: ?Sized> {
    inputs: &'a BalanceInputs<'a>,
    peers: &'a P,
    patches: PatchSet,
    outcome: BalanceOutcome,
}

impl<P: Peers + ?Sized> Search<'_, P> {
    /// Tries each peer once, cyclically; ends with the first success.
    fn walk(&mut self, walk: &Walk<'_>, step: Step, probe: &mut impl FnMut(PeerStep)) -> bool {
        // One by one along a list: on large machines a set is many words to search for each peer.
        let first = walk.members.partition_point(|peer| *peer <= walk.last);
        let (before, behind) = walk.members.split_at(first);
        for &peer in behind.iter().chain(before).filter(|peer| walk.work.contains(**peer)) {
            if self.patches.has(Patch::StealSkipSingle) && self.peers.nr_runnable(peer) <= 1 {
                probe(PeerStep::Peer { peer, step, verdict: PeerVerdict::Skipped });
                continue;
            }
            self.outcome.tries += 1;
            let stolen = self.steal(peer, step, probe);
            if let Some(vcpu) = stolen {
                self.outcome.stolen = Some((vcpu, peer));
                return true;
            }
        }
        false
    }

    /// Searches one peer's queue from its head.
    fn steal(
        &mut self,
        peer: PcpuId,
        step: Step,
        probe: &mut impl FnMut(PeerStep),
    ) -> Option<VcpuId> {
        if self.peers.is_idle(peer) {
            probe(PeerStep::Peer { peer, step, verdict: PeerVerdict::Idle });
            return None;
        }
        let mut stolen = None;
        for place in 0.. {
            let Some(queued) = self.peers.queued(peer, place) else { break };
            let verdict = self.verdict(&queued, step);
            probe(PeerStep::Queued { peer, vcpu: queued.vcpu, verdict });
            match verdict {
                QueuedVerdict::Taken => stolen = Some(queued.vcpu),
                QueuedVerdict::NotHigher => {}
                QueuedVerdict::Hot => {
                    self.outcome.hot += 1;
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

    fn verdict(&self, queued: &QueuedVcpu<'_>, step: Step) -> QueuedVerdict {
        let QueuedVcpu { hard, soft, .. } = queued;
        let pool = &self.inputs.pool;
        let soft_step = step == Step::Soft;
        if queued.pri <= self.inputs.snext_pri {
            QueuedVerdict::NotHigher
        } else if queued.yielded && self.patches.has(Patch::NoStealYielded) {
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
pub(super) struct LivePeers<'a> {
    pub(super) credit1: &'a Credit1,
    pub(super) system: &'a System,
}

impl Peers for LivePeers<'_> {
    fn is_idle(&self, peer: PcpuId) -> bool {
        self.system.is_idle(self.system.current[peer.index()])
    }

    fn nr_runnable(&self, peer: PcpuId) -> u32 {
        self.credit1.nr_runnable(self.system, peer)
    }

    fn queued(&self, peer: PcpuId, place: usize) -> Option<QueuedVcpu<'_>> {
        let vcpu = *self.credit1.pcpus[peer.index()].runq.get(place)?;
        if self.system.is_idle(vcpu) {
            return None; // the idle vCPU stands last
        }
        let state = self.system.vcpu(vcpu);
        Some(QueuedVcpu {
            vcpu,
            pri: self.credit1.vcpu(vcpu).pri,
            yielded: self.credit1.vcpu(vcpu).queued_yielding,
            hard: Cow::Borrowed(&state.hard),
            soft: Cow::Borrowed(&state.soft),
            is_running: state.is_running,
            last_run: state.last_run,
        })
    }
}
