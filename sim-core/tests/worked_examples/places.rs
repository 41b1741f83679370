//! E5 to E7b, E11, E12: where to go, where to queue, whom to rob.

use crate::bench::{checked, mask, revision};
use sim_core::cpumask::CpuMask;
use sim_core::decision::{
    BalanceInputs, BalanceOutcome, Counter, PeerSnapshot, PickInputs, PickOutcome, Priority,
    QueuedVcpu, RunqHead,
};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{balance, balance_counters, insert_position, pick};
use sim_core::topology::Topology;
use sim_core::units::SimTime;
use std::borrow::Cow;

/// A pick for a vCPU on p0 whose group leaders have not chosen yet.
fn picked(
    topology: &Topology,
    patches: PatchSet,
    (idlers, hard): (&[u16], Option<&[u16]>),
    head: RunqHead,
) -> PickOutcome {
    let pcpus = topology.pcpu_count();
    let all = CpuMask::full(pcpus);
    let last = PcpuId(u16::try_from(pcpus - 1).expect("small"));
    let inputs = PickInputs {
        processor: PcpuId(0),
        hard: Cow::Owned(hard.map_or(all.clone(), |hard| mask(pcpus, hard))),
        soft: Cow::Owned(all.clone()),
        idlers: Cow::Owned(mask(pcpus, idlers)),
        pool: Cow::Owned(all),
        smt_power_savings: false,
        runq_head: head,
        idle_bias: Cow::Owned(vec![last; pcpus]),
        told: Cow::Owned(CpuMask::empty(pcpus)),
    };
    pick(&inputs, topology, patches, |_| ())
}

/// E5: a tick moves a vCPU from a core with a busy sibling to an empty core.
#[test]
fn e5_an_empty_core_is_better() {
    let cores = Topology::regular(1, 2, 2, false);
    let outcome = picked(&cores, revision("R1"), (&[2, 3], None), RunqHead::Idle);
    assert_eq!(outcome, PickOutcome { cpu: PcpuId(2), bias_of: Some(PcpuId(2)) });
}

/// E6: the search starts from an idle pCPU once the patch is in.
#[test]
fn e6_start_on_an_idle_one() {
    let cores = Topology::regular(1, 2, 2, false);
    let at = |patches| picked(&cores, patches, (&[1], None), RunqHead::Guest).cpu;
    assert_eq!(at(revision("R1")), PcpuId(0));
    assert_eq!(at(revision("R1").with(Patch::PickStartIdle)), PcpuId(1));
}

/// E7: the start counts as idle only if the vCPU is alone there.
#[test]
fn e7_discount_only_if_alone() {
    let cores = Topology::regular(1, 8, 1, false);
    let at =
        |patches| picked(&cores, patches, (&[5, 6, 7], Some(&[4, 5, 6, 7])), RunqHead::Idle).cpu;
    assert_eq!(at(revision("R0")), PcpuId(4), "the busy one");
    assert_eq!(at(revision("R1")), PcpuId(5));
}

/// E7b: to leave a socket the other one must have more than twice as much idle.
#[test]
fn e7b_across_sockets_the_factor_is_two() {
    let sockets = Topology::regular(2, 4, 1, false);
    let at = |idlers| picked(&sockets, revision("R1"), (idlers, None), RunqHead::Idle).cpu;
    assert_eq!(at(&[4, 5]), PcpuId(0));
    assert_eq!(at(&[4, 5, 6]), PcpuId(4));
    assert_eq!(at(&[1, 4, 5, 6, 7]), PcpuId(0));
}

/// E11: who yields passes one lower vCPU, never two, and never the idle one.
#[test]
fn e11_a_yielder_passes_one() {
    use Priority as P;
    let place = |queue: &[P], pri| insert_position(queue.iter().copied(), pri, true, true);
    assert_eq!(place(&[P::UNDER, P::OVER, P::OVER, P::IDLE], P::UNDER), 2);
    assert_eq!(place(&[P::OVER, P::IDLE], P::UNDER), 1);
    assert_eq!(place(&[P::IDLE], P::UNDER), 0);
    assert_eq!(place(&[P::OVER, P::IDLE], P::OVER), 1);
    // With `no_steal_yielded` the last element is not passed.
    let place = |queue: &[P], pri| insert_position(queue.iter().copied(), pri, true, false);
    assert_eq!(place(&[P::OVER], P::UNDER), 0);
    assert_eq!(place(&[P::OVER, P::IDLE], P::UNDER), 1);
}

const V3: VcpuId = VcpuId(3);
const V5: VcpuId = VcpuId(5);

/// Eight busy pCPUs on two nodes: p3 queues V3 (OVER), p5 queues V5 (BOOST) and X5 (UNDER).
fn peers() -> PeerSnapshot {
    let queued = |vcpu, pri| QueuedVcpu {
        vcpu,
        pri,
        yielded: false,
        hard: Cow::Owned(CpuMask::full(8)),
        soft: Cow::Owned(CpuMask::full(8)),
        is_running: false,
        last_run: SimTime::ZERO,
    };
    let queue = |pcpu| match pcpu {
        3 => vec![queued(V3, Priority::OVER)],
        5 => vec![queued(V5, Priority::BOOST), queued(VcpuId(6), Priority::UNDER)],
        _ => vec![],
    };
    let runnable = [1, 1, 0, 2, 1, 3, 1, 1];
    let pcpus = runnable.iter().enumerate();
    PeerSnapshot { pcpus: pcpus.map(|(pcpu, count)| (false, *count, queue(pcpu))).collect() }
}

/// The search of p2, with the peers in the order of the walk.
fn search(patches: PatchSet, snext_pri: Priority) -> (BalanceOutcome, Vec<(u16, u8)>) {
    let inputs = BalanceInputs {
        cpu: PcpuId(2),
        snext_pri,
        now: SimTime::from_ns(1),
        migration_delay_ns: 0,
        idlers: Cow::Owned(CpuMask::empty(8)),
        pool: Cow::Owned(CpuMask::full(8)),
        balance_bias: Cow::Owned(vec![PcpuId(0), PcpuId(4)]),
        told: Cow::Owned(CpuMask::empty(8)),
        since_last_ns: 1,
        limit_ns: 0,
    };
    let mut steps = vec![];
    let topology = Topology::regular(2, 4, 1, true);
    let outcome = balance(&inputs, &peers(), &topology, patches, |step| steps.push(step));
    (outcome, checked(&steps))
}

/// E12: the walk of 2012 goes once around.
#[test]
fn e12_once_around() {
    let (outcome, walk) = search(revision("R2"), Priority::IDLE);
    assert_eq!(outcome.stolen, Some((V3, PcpuId(3))));
    assert_eq!(walk, [(3, 1)]);
}

/// E12: with two steps every node is walked for preferences before any hard attempt.
#[test]
fn e12_all_nodes_twice() {
    let patches = revision("R6");
    let (outcome, walk) = search(patches, Priority::IDLE);
    assert_eq!((outcome.stolen, outcome.tries), (Some((V3, PcpuId(3))), 10));
    let order: Vec<u16> = walk.iter().map(|(peer, _)| *peer).collect();
    assert_eq!(order, [0, 1, 3, 4, 5, 6, 7, 0, 1, 3]);
    let counted = balance_counters(Priority::IDLE, &outcome, patches);
    assert!(counted.contains(&(Counter::StealPeerIdle, 9)));
}

/// E12: in April 2017 peers with one vCPU are skipped and each node goes on behind its last victim.
#[test]
fn e12_skipping_and_taking_turns() {
    let patches = revision("R9");
    let (outcome, walk) = search(patches, Priority::IDLE);
    assert_eq!(outcome.stolen, Some((V3, PcpuId(3))));
    let expected = [(1, 0), (3, 1), (0, 0), (5, 1), (6, 0), (7, 0), (4, 0), (1, 0), (3, 1)];
    assert_eq!(walk, expected);
    let counted = balance_counters(Priority::IDLE, &outcome, patches);
    assert!(counted.contains(&(Counter::StealTrylock, 3)));
    assert!(counted.contains(&(Counter::StealPeerIdle, 2)));
}

/// E12: a thief that has OVER itself takes only what is better.
#[test]
fn e12_over_takes_only_better() {
    let (outcome, _) = search(revision("R9"), Priority::OVER);
    assert_eq!(outcome.stolen, Some((V5, PcpuId(5))));
}
