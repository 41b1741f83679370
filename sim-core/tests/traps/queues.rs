//! Traps 12 to 21: queues, searches for work, what a decision counts.

use crate::bench::{HOG, MS, US, log, revision, scenario, vcpu};
use crate::stage::{
    At, asked, decide, earn, machine, search, search_of, stage, until, until_softirq, waits,
};
use sim_core::decision::{
    Counter, NoSink, PeerStep, Priority as P, QueuedVcpu, QueuedVerdict, Step,
};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::machine::Machine;
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{
    balance_counters, insert_position, sorted_order, tickle, tickle_counters,
};
use sim_core::policy::cx::pause;
use sim_core::presets::PRESETS;
use sim_core::run::run_to_end;
use sim_core::scenario::Params;
use sim_core::topology::Topology;

/// Two cores at a revision, with these guests.
fn two(patches: PatchSet, guests: &[(u16, At, P)]) -> Machine {
    stage(Topology::regular(1, 2, 1, false), patches, guests)
}

fn queue_of(machine: &Machine, pcpu: usize) -> Vec<VcpuId> {
    let queue = machine.policy().pcpus[pcpu].runq.iter().copied();
    queue.filter(|vcpu| !machine.system().is_idle(*vcpu)).collect()
}

/// Trap 12: a yield that the rate limit ignores stays marked and counts at the next real requeue;
/// it lets at most one lower vCPU pass.
#[test]
fn t12_a_yield_survives_the_rate_limit() {
    let yielder = vcpu(0, 0, &[(200 * US, 0), (900 * MS, 1)]);
    let both = || scenario(1, 2 * MS, vec![yielder.clone(), vcpu(0, 0, HOG)]);
    let mut ignored = machine(both(), revision("R2"));
    until_softirq(&mut ignored, 200 * US);
    until(&mut ignored, |machine| !machine.softirq_is_due());
    assert!(ignored.policy().vcpu(VcpuId(0)).yielded);
    until(&mut ignored, |machine| machine.now().as_ns() > 200 * US && !machine.softirq_is_due());
    assert!(!ignored.policy().vcpu(VcpuId(0)).yielded, "requeued at 1.2 ms");
    assert_eq!(
        log(both(), revision("R2"), 200 * US),
        ["200000 0 Y 0", "200000 0 C 0 1000000 1", "1200000 0 S 0 1 -1 30000000"]
    );
    let lower = [P::OVER, P::OVER, P::IDLE];
    assert_eq!(insert_position(lower.into_iter(), P::UNDER, true, true), 1);
    assert_eq!(insert_position(lower.into_iter(), P::UNDER, false, true), 0);
}

/// Trap 13: an accounting changes priorities, not places: until the tick sorts, insertion stops at
/// the first lower element and a thief at the first that is not higher.
#[test]
fn t13_a_queue_is_unsorted_until_the_tick() {
    let unsorted = [P::OVER, P::UNDER, P::IDLE];
    assert_eq!(insert_position(unsorted.into_iter(), P::UNDER, false, true), 0);
    let behind = || vec![waits(1, P::OVER), waits(2, P::UNDER)];
    let (outcome, steps) =
        search(&search_of(P::OVER), [vec![], behind(), vec![], vec![]], revision("R2"));
    assert_eq!(outcome.stolen, None);
    let verdict = QueuedVerdict::NotHigher;
    assert_eq!(steps[0], PeerStep::Queued { peer: PcpuId(1), vcpu: VcpuId(1), verdict });

    let guests = [(0, At::Runs, P::UNDER), (0, At::Waits, P::UNDER), (0, At::Waits, P::OVER)];
    let mut machine = two(revision("R2"), &guests);
    earn(&mut machine, 1, -600);
    earn(&mut machine, 2, -100);
    machine.account_now(&mut NoSink);
    let pri = |machine: &Machine, vcpu: u16| machine.policy().vcpu(VcpuId(vcpu)).pri;
    assert_eq!((pri(&machine, 1), pri(&machine, 2)), (P::OVER, P::UNDER));
    assert_eq!(queue_of(&machine, 0), [VcpuId(1), VcpuId(2)]);
    until(&mut machine, |machine| machine.now().as_ns() == 10 * MS);
    assert_eq!(queue_of(&machine, 0), [VcpuId(2), VcpuId(1)]);
}

/// Trap 14: the sort parts those with credit from those without and leaves boosted ones in place.
#[test]
fn t14_the_sort_does_not_know_boosts() {
    let queue = [P::UNDER, P::OVER, P::BOOST, P::OVER, P::UNDER, P::IDLE];
    assert_eq!(sorted_order(&queue).collect::<Vec<_>>(), [0, 2, 4, 1, 3, 5]);
    let waits = [P::UNDER, P::OVER, P::BOOST].map(|pri| (0, At::Waits, pri));
    let guests: Vec<_> = [(0, At::Runs, P::UNDER)].into_iter().chain(waits).collect();
    let mut machine = stage(Topology::regular(1, 1, 1, false), revision("R9"), &guests);
    machine.edit(|policy, _| policy.epoch += 1);
    until(&mut machine, |machine| machine.now().as_ns() == 10 * MS);
    assert_eq!(queue_of(&machine, 0), [VcpuId(1), VcpuId(3), VcpuId(2)]);
}

/// Trap 15: the search for preferred pCPUs goes over all nodes before any other attempt, even if
/// nobody prefers anything.
#[test]
fn t15_the_soft_pass_covers_all_nodes() {
    let queues = [vec![], vec![], vec![], vec![waits(3, P::UNDER)]];
    let (outcome, steps) = search(&search_of(P::IDLE), queues, revision("R6"));
    let walk = steps.iter().filter_map(|step| match step {
        PeerStep::Peer { peer, step, .. } => Some((peer.0, *step)),
        PeerStep::Queued { .. } => None,
    });
    let passes = [Step::Soft, Step::Hard].map(|step| [1, 2, 3].map(|peer| (peer, step)));
    assert_eq!(walk.collect::<Vec<_>>(), passes.concat());
    assert_eq!(outcome.stolen, Some((VcpuId(3), PcpuId(3))));
}

/// Traps 16 and 18: after a steal the own candidate stays queued and counted; only without one it
/// is taken. What a decision puts back and takes is not counted; a current vCPU that may not go on
/// is.
#[test]
fn t16_t18_what_stays_queued_and_counted() {
    let over = (0, At::Waits, P::OVER);
    let (mine, theirs) = ((0, At::Runs, P::UNDER), (1, At::Runs, P::UNDER));
    let blocks = |machine: &mut Machine| {
        machine.edit(|_, system| system.vcpus[0].pause = pause::BLOCKED);
    };
    let count = |machine: &Machine, pcpu: usize| machine.policy().pcpus[pcpu].nr_runnable;

    let mut steals = two(revision("R9"), &[mine, over, theirs, (1, At::Waits, P::UNDER)]);
    assert_eq!((count(&steals, 0), count(&steals, 1)), (2, 2));
    blocks(&mut steals);
    let choice = decide(&mut steals, 0).0;
    assert_eq!((choice.next, choice.stolen_from), (VcpuId(3), Some(PcpuId(1))));
    assert_eq!(queue_of(&steals, 0), [VcpuId(1)]);
    assert_eq!((count(&steals, 0), count(&steals, 1)), (2, 1));

    let mut takes = two(revision("R9"), &[mine, over, theirs]);
    blocks(&mut takes);
    assert_eq!(decide(&mut takes, 0).0.next, VcpuId(1));
    assert_eq!(
        (queue_of(&takes, 0), count(&takes, 0)),
        (vec![], 1),
        "the blocked one is subtracted"
    );

    let mut exchanges = two(revision("R9"), &[mine, (0, At::Waits, P::UNDER)]);
    assert_eq!(decide(&mut exchanges, 0).0.next, VcpuId(1));
    assert_eq!((queue_of(&exchanges, 0), count(&exchanges, 0)), (vec![VcpuId(0)], 2));
}

/// Trap 17: every peer that was tried and gave nothing counts as idle, whatever the reason; two
/// counters never count.
#[test]
fn t17_counters_with_misleading_names() {
    let counted = |snext| {
        let queues = [vec![], vec![], vec![waits(1, P::OVER)], vec![]];
        let (outcome, _) = search(&search_of(snext), queues, revision("R2"));
        balance_counters(snext, &outcome, revision("R2"))
    };
    assert!(counted(P::IDLE).contains(&(Counter::StealPeerIdle, 1)), "p1, before p2 is robbed");
    let counted = counted(P::OVER);
    assert!(counted.contains(&(Counter::StealPeerIdle, 3)), "none of them is idle");
    assert!(counted.contains(&(Counter::LoadBalanceOver, 1)));
    for new in [P::BOOST, P::UNDER, P::OVER] {
        let outcome = tickle(&asked(P::BOOST, new, &[1]), revision("R0"));
        assert!(!tickle_counters(&outcome).any(|counter| counter == Counter::TickleLocalOther));
    }
    for preset in PRESETS {
        let scenario = (preset.build)().validate().expect("a preset runs");
        for name in ["R0", "R9"] {
            let mut machine = Machine::new(&scenario, revision(name));
            run_to_end(&mut machine, &mut NoSink);
            for counter in [Counter::LoadBalanceOther, Counter::TickleLocalOther] {
                assert_eq!(machine.counters().get(counter), 0, "{} {name}", preset.slug);
            }
        }
    }
}

/// Trap 19: a pCPU searches for work for OVER as well as for idle, and steals only what is strictly
/// higher than its own best.
#[test]
fn t19_over_searches_too() {
    let decide_with = |waiting| {
        let guests = [
            (0, At::Runs, P::OVER),
            (0, At::Waits, P::OVER),
            (1, At::Runs, P::UNDER),
            (1, At::Waits, waiting),
        ];
        let (choice, counters) = decide(&mut two(revision("R2"), &guests), 0);
        (choice.next.0, counters.get(Counter::LoadBalanceOver))
    };
    assert_eq!(decide_with(P::UNDER), (3, 1));
    assert_eq!(decide_with(P::OVER), (1, 1));
    let under = [(0, At::Runs, P::OVER), (0, At::Waits, P::UNDER), (1, At::Runs, P::UNDER)];
    let (choice, counters) = decide(&mut two(revision("R2"), &under), 0);
    assert_eq!((choice.next, choice.tries), (VcpuId(1), 0));
    assert_eq!(counters.get(Counter::LoadBalanceOver), 0);
}

/// Trap 20: who is current changes with the decision, who is running with the end of the switch;
/// a thief leaves who is still running, and a peer whose current is idle.
#[test]
fn t20_current_and_running() {
    let mut slow = scenario(1, 12 * MS, vec![vcpu(0, 0, HOG), vcpu(0, 10_500 * US, HOG)]);
    slow.params = Params { ctx_switch_ns: 100 * US, ..Params::default() };
    let mut machine = machine(slow, revision("R2"));
    until(&mut machine, |machine| machine.system().current[0] == VcpuId(1));
    let decided = machine.now().as_ns();
    assert!(machine.system().vcpu(VcpuId(0)).is_running && queue_of(&machine, 0) == [VcpuId(0)]);
    until(&mut machine, |machine| !machine.system().vcpu(VcpuId(0)).is_running);
    assert_eq!(machine.now().as_ns() - decided, 100 * US);

    let still = QueuedVcpu { is_running: true, ..waits(1, P::UNDER) };
    let queues = [vec![], vec![still], vec![], vec![]];
    let (outcome, steps) = search(&search_of(P::IDLE), queues, revision("R2"));
    let verdict = QueuedVerdict::Running;
    assert_eq!(steps[0], PeerStep::Queued { peer: PcpuId(1), vcpu: VcpuId(1), verdict });
    assert_eq!(outcome.stolen, None);
    // p1 has just been given a vCPU and has not scheduled: its current is idle.
    let guests = [(0, At::Runs, P::UNDER), (1, At::Waits, P::UNDER)];
    let mut woken = two(revision("R2"), &guests);
    woken.edit(|policy, system| {
        system.vcpus[0].pause = pause::BLOCKED;
        policy.idlers.remove(PcpuId(1));
    });
    let (choice, counters) = decide(&mut woken, 0);
    assert_eq!((choice.stolen_from, choice.tries), (None, 1));
    assert_eq!(counters.get(Counter::StealPeerIdle), 1);
}

/// Trap 21: the time that the rate limit looks at begins when the vCPU was switched to, not with
/// the last decision to let it go on.
#[test]
fn t21_runtime_since_the_switch() {
    let yielder = vcpu(0, 0, &[(600 * US, 0), (900 * MS, 1)]);
    let both = scenario(1, 2 * MS, vec![yielder, vcpu(0, 0, HOG)]);
    let patches = revision("R2").with(Patch::RatelimitRemaining);
    // Counted from 600 µs on, the limit would keep it until 1.6 ms.
    assert_eq!(
        log(both, patches, 600 * US),
        ["600000 0 Y 0", "600000 0 C 0 400000 1", "1000000 0 S 0 1 -1 30000000"]
    );
}
