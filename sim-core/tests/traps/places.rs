//! Traps 31 to 36 and 40: where to go, whom to rob, what comes first.

use crate::bench::{HOG, MS, US, codes, mask, pinned, revision, scenario, vcpu};
use crate::stage::{At, decide, lines, machine, search, search_of, stage, unplaced, until, verb};
use sim_core::cpumask::CpuMask;
use sim_core::decision::{
    BalanceInputs, NoSink, PickInputs, PickOutcome, PickPurpose, PickStep, Priority as P, RunqHead,
    WakeSource,
};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::pick;
use sim_core::policy::cx::pause;
use sim_core::scenario::{Change, Op, Scenario};
use sim_core::topology::Topology;
use std::borrow::Cow;

/// A pick for a vCPU of p0 that may run anywhere, with its comparisons.
fn picked(
    topology: &Topology,
    idlers: &[u16],
    (head, bias): (RunqHead, &[u16]),
) -> (PickOutcome, Vec<PickStep>) {
    let pcpus = topology.pcpu_count();
    let all = || Cow::Owned(CpuMask::full(pcpus));
    let inputs = PickInputs {
        processor: PcpuId(0),
        hard: all(),
        soft: all(),
        idlers: Cow::Owned(mask(pcpus, idlers)),
        pool: all(),
        smt_power_savings: false,
        runq_head: head,
        idle_bias: Cow::Owned(bias.iter().map(|pcpu| PcpuId(*pcpu)).collect()),
        told: Cow::Owned(mask(pcpus, &[])),
    };
    let mut steps = vec![];
    let outcome = pick(&inputs, topology, revision("R2"), |step| steps.push(step));
    (outcome, steps)
}

/// Trap 31: a new affinity picks twice for a vCPU that runs, and the bias moves on twice, until
/// `migrate_start_finish`.
#[test]
fn t31_two_picks_for_one_move() {
    // Cores {0, 1} and {2, 3}; p0 and p1 are busy.
    let changed = || {
        let spec = vec![vcpu(0, 0, HOG), pinned(4, &[1], vcpu(1, 0, HOG))];
        let change = Change::Affinity { vcpu: 0, soft: false, mask: CpuMask::full(4) };
        let ops = vec![Op { time_ns: 5 * MS, pcpu: PcpuId(1), change }];
        let topology = Topology::regular(1, 2, 2, false);
        Scenario { topology, ops, ..scenario(1, 6 * MS, spec) }
    };
    let moved = |patches: PatchSet| {
        let mut machine = machine(changed(), patches);
        until(&mut machine, |machine| machine.next_time().is_none());
        let picks = codes(changed(), patches, 5 * MS);
        let picks = picks.iter().filter(|(_, code, vcpu)| code.starts_with('P') && *vcpu == 0);
        let to = lines(changed(), patches, "M", 0);
        (picks.count(), machine.policy().idle_bias[2].0, to)
    };
    let twice = revision("R2").with(Patch::AffinityAlwaysMigrates);
    assert_eq!(moved(twice), (2, 3, vec!["5001000 0 M 0 0 3".to_owned()]));
    let once = twice.with(Patch::MigrateStartFinish);
    assert_eq!(moved(once), (1, 2, vec!["5001000 0 M 0 0 2".to_owned()]));
}

/// Trap 32: the bias is left with the candidate of the last comparison that was won, neither with
/// an earlier one nor with the pCPU chosen.
#[test]
fn t32_the_bias_of_the_last_candidate() {
    let cores = Topology::regular(1, 3, 2, false);
    let at = |bias: &[u16]| picked(&cores, &[3, 4, 5], (RunqHead::Guest, bias));
    // Half a core beats none, then a whole core beats half a core.
    let (outcome, steps) = at(&[5; 6]);
    assert_eq!(steps.iter().map(|step| step.next.0).collect::<Vec<_>>(), [3, 4]);
    assert_eq!(outcome, PickOutcome { cpu: PcpuId(4), bias_of: Some(PcpuId(4)) });
    let (outcome, _) = at(&[5, 5, 5, 5, 4, 5]);
    assert_eq!(outcome, PickOutcome { cpu: PcpuId(5), bias_of: Some(PcpuId(4)) });
}

/// Trap 33: a comparison that is not won drops the whole group of its candidate.
#[test]
fn t33_a_tie_drops_the_group() {
    let compared = |topology: &Topology, idlers: &[u16]| {
        let bias = vec![7; topology.pcpu_count()];
        let (outcome, steps) = picked(topology, idlers, (RunqHead::Idle, &bias));
        (outcome.cpu.0, steps.iter().map(|step| step.next.0).collect::<Vec<_>>())
    };
    let sockets = Topology::regular(2, 4, 1, false);
    assert_eq!(compared(&sockets, &[4, 5]), (0, vec![4]), "5 is not looked at");
    let cores = Topology::regular(1, 2, 2, false);
    assert_eq!(compared(&cores, &[1, 2, 3]), (0, vec![1, 2]), "3 is not looked at");
}

/// Trap 34: a tickled pCPU that counts as busy is hidden from picks too, and is among the peers of
/// a search for work.
#[test]
fn t34_told_is_hidden_from_picks_and_searched() {
    let told = |patches| {
        let guests = [
            (0, At::Runs, P::UNDER),
            (0, At::Sleeps, P::UNDER),
            (0, At::Sleeps, P::UNDER),
            (2, At::Runs, P::UNDER),
        ];
        let mut machine = stage(Topology::regular(1, 3, 1, false), patches, &guests);
        let wake = verb(&mut machine, 0, &mut NoSink, |c, cx| {
            c.wake(cx, VcpuId(1), WakeSource::Io).tickled
        });
        assert_eq!(wake.0, mask(3, &[1]));
        let purpose = PickPurpose::Migrate;
        let (place, _) =
            verb(&mut machine, 0, &mut NoSink, |c, cx| c.pick_pcpu(cx, VcpuId(2), purpose).0);
        machine.edit(|_, system| system.vcpus[3].pause = pause::BLOCKED);
        let (choice, _) = decide(&mut machine, 2);
        assert_eq!(choice.next, VcpuId(1));
        (place.0, choice.tries)
    };
    // p0 is tried for preferences and then robbed; p1 is tried in between.
    assert_eq!(told(revision("R5")), (1, 2));
    assert_eq!(told(revision("R6")), (0, 3));
}

/// Trap 35: the last victim is kept per node of the victim, only after a success, and for all
/// thieves alike.
#[test]
fn t35_the_last_victim_of_a_node() {
    let busy = |pcpu| (pcpu, At::Runs, P::UNDER);
    let queued = |pcpu| (pcpu, At::Waits, P::UNDER);
    let nodes = || Topology::regular(2, 2, 1, true);
    let bias = |machine: &sim_core::machine::Machine| {
        machine.policy().balance_bias.iter().map(|pcpu| pcpu.0).collect::<Vec<_>>()
    };
    let guests = [busy(0), busy(1), busy(2), busy(3), queued(2), queued(3)];
    let mut machine = stage(nodes(), revision("R9"), &guests);
    machine.edit(|_, system| {
        (system.vcpus[0].pause, system.vcpus[1].pause) = (pause::BLOCKED, pause::BLOCKED);
    });
    assert_eq!(bias(&machine), [0, 2]);
    assert_eq!(decide(&mut machine, 0).0.stolen_from, Some(PcpuId(3)), "behind 2");
    assert_eq!(bias(&machine), [0, 3]);
    assert_eq!(decide(&mut machine, 1).0.stolen_from, Some(PcpuId(2)), "behind 3");
    assert_eq!(bias(&machine), [0, 2]);
    let mut nothing = stage(nodes(), revision("R9"), &guests[..4]);
    nothing.edit(|_, system| system.vcpus[0].pause = pause::BLOCKED);
    assert_eq!(decide(&mut nothing, 0).0.stolen_from, None);
    assert_eq!(bias(&nothing), [0, 2]);
}

/// Trap 36: a tick comes before a decision that is due: a vCPU that is being pushed off is still
/// charged and asked for a better place.
#[test]
fn t36_the_tick_before_the_decision() {
    let mut waker = pinned(2, &[1], vcpu(1, 20 * MS - 500, &[(MS, 900 * MS)]));
    waker.wake_on = Some(PcpuId(0));
    let run = scenario(2, 21 * MS, vec![vcpu(1, 9 * MS, HOG), waker]);
    let lines = lines(run, revision("R2"), "WTS", 19 * MS);
    assert_eq!(
        lines[..3],
        [
            "19999500 0 W 1 0 1 0 0 2 0",
            "20000000 1 T 0 -110 -1 1",
            "20000000 1 S 0 1 -1 30000000 -110",
        ],
        "the interrupt comes at 20.0005 ms"
    );
}

/// Trap 40: a search within the limit after the last one is none, at the limit itself too, and a
/// tickle may be lost by it.
#[test]
fn t40_a_search_too_soon() {
    let limited = revision("4.18");
    let at = |since_last_ns| {
        let inputs = BalanceInputs { since_last_ns, limit_ns: MS, ..search_of(P::IDLE) };
        let waiting = vec![crate::stage::waits(1, P::UNDER)];
        let queues = [vec![], waiting, vec![], vec![]];
        let outcome = search(&inputs, queues, limited).0;
        (outcome.limited, outcome.stolen.is_some())
    };
    assert_eq!([at(MS), at(MS + 1)], [(true, false), (false, true)]);
    let sleeper = pinned(2, &[1], vcpu(1, 10 * MS, &[(1_600 * US, 900 * MS)]));
    let waker = vcpu(0, 12 * MS, &[(100 * US, 900 * MS)]);
    let story = || scenario(2, 13 * MS, vec![vcpu(0, 0, HOG), sleeper.clone(), waker.clone()]);
    let search = |patches| {
        let all = codes(story(), patches, 12 * MS);
        let first = all.iter().find(|(_, code, _)| code.starts_with('L'));
        first.map(|(ns, code, _)| (*ns, *code))
    };
    assert_eq!(search(unplaced("4.18")), Some((12_001_000, "L0")));
    let before = unplaced("4.18").without(Patch::LbRatelimit);
    assert_eq!(search(before).map(|(ns, code)| (ns, code == "L0")), Some((12_001_000, false)));
}
