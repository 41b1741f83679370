//! Goal: what people judge a run by is what a plain walk over the machine counts.
//! Method: presets are recorded, and stepped once more with everything looked at after each step.

use sim_core::decision::{Facts, NoSink, Row, Sink};
use sim_core::ids::{DecisionId, VcpuId};
use sim_core::machine::{Machine, Step};
use sim_core::patches::{Patch, PatchSet, Revision};
use sim_core::policy::cx::Runstate;
use sim_core::presets::hosts::hogs;
use sim_core::presets::{PRESETS, Preset};
use sim_core::run::{Recording, RunEnd, StealTally};
use sim_core::scenario::Scenario;
use sim_core::units::SimTime;

fn record(preset: &Preset, patches: PatchSet) -> Recording {
    record_scenario((preset.build)(), patches)
}

fn record_scenario(scenario: Scenario, patches: PatchSet) -> Recording {
    let scenario = scenario.validate().expect("a scenario that runs");
    let mut recording = Recording::new(&scenario, patches);
    while recording.run(10_000, u32::MAX) == RunEnd::Unfinished {}
    recording
}

fn preset(slug: &str) -> &'static Preset {
    Preset::from_slug(slug).expect("it exists")
}

fn revision(name: &str) -> PatchSet {
    Revision::from_name(name).expect("it exists").patches
}

fn end(recording: &Recording) -> SimTime {
    SimTime::from_ns(recording.machine().scenario().duration_ns)
}

fn guests(machine: &Machine) -> impl Iterator<Item = VcpuId> {
    (0u16..).map(VcpuId).take(machine.system().guests)
}

/// How many vCPUs wait though a pCPU that they may run on is idle.
fn stranded(machine: &Machine) -> u64 {
    let system = machine.system();
    let idle = |vcpu: VcpuId| {
        let mut allowed = system.vcpu(vcpu).hard.iter();
        allowed.any(|pcpu| system.is_idle(system.current[pcpu.index()]))
    };
    let waits = |vcpu: &VcpuId| system.vcpu(*vcpu).runstate == Runstate::Runnable;
    guests(machine).filter(waits).filter(|vcpu| idle(*vcpu)).count() as u64
}

/// Goal: the time that vCPUs wait beside an idle pCPU is that of a plain walk, with pins, changes
/// and parked vCPUs, at the oldest and the newest patches.
#[test]
fn time_beside_an_idle_pcpu() {
    let mut seen = 0;
    for preset in PRESETS {
        for patches in [preset.patches, revision("R0"), revision("R9")] {
            let recording = record(preset, patches);
            let scenario = (preset.build)().validate().expect("a preset runs");
            let mut machine = Machine::new(&scenario, patches);
            let (mut sum_ns, mut now, mut count) = (0, machine.now(), stranded(&machine));
            while machine.advance(&mut NoSink) != Step::End {
                sum_ns += count * (machine.now() - now).as_ns();
                (now, count) = (machine.now(), stranded(&machine));
            }
            sum_ns += count * (end(&recording) - now).as_ns();
            assert_eq!(
                recording.measures().stranded_ns(end(&recording)),
                sum_ns,
                "{}",
                preset.slug
            );
            seen += u32::from(sum_ns > 0);
        }
    }
    assert!(seen > 10, "nothing was compared");
}

/// Goal: parts add up to the machine's own counts.
#[test]
fn parts_add_up() {
    for preset in PRESETS {
        for patches in [preset.patches, revision("R9")] {
            let recording = record(preset, patches);
            let (machine, measures) = (recording.machine(), recording.measures());
            let tally = machine.tally();
            assert_eq!(measures.tickles().all(), tally.tickled_cpus, "{}", preset.slug);
            let sum = |of: fn(&StealTally) -> u64| measures.steals().iter().map(of).sum::<u64>();
            assert_eq!(sum(|pcpu| pcpu.thefts), tally.steals);
            assert_eq!(sum(|pcpu| pcpu.losses), tally.steals);
            assert_eq!(sum(|pcpu| pcpu.vain_tries), tally.trylocks - tally.steals);
            let records: u32 = measures.leaves().iter().sum();
            assert_eq!(records, machine.records());
            let end_ns = end(&recording).as_ns();
            let vcpus = guests(machine).map(|vcpu| machine.vcpu_tally(vcpu, end_ns));
            let (counts, longest): (Vec<_>, Vec<_>) =
                vcpus.map(|vcpu| (vcpu.latency_count, vcpu.latency_ns_max)).unzip();
            let wakes: u64 = measures.latencies().buckets().map(|bucket| bucket.wakes).sum();
            assert_eq!(wakes, counts.iter().sum::<u64>());
            let most = measures.latencies().buckets().last().map(|bucket| bucket.most_ns);
            assert_eq!(most, longest.into_iter().max(), "{}", preset.slug);
        }
    }
}

/// Goal: the pCPU that is told twice before it has looked is a duplicate, and is none where a
/// tickled pCPU leaves the idlers at once.
#[test]
fn the_same_idler_twice() {
    let preset = preset("same-idler-twice");
    let before = record(preset, preset.patches).measures().tickles();
    let after = record(preset, preset.patches.with(Patch::TickledIsBusy)).measures().tickles();
    assert!(before.duplicate > 0, "{before:?}");
    assert!(after.duplicate < before.duplicate, "{after:?}");
    assert!(before.ran_woken > 0 && after.ran_woken > before.ran_woken, "{before:?} {after:?}");
}

/// Goal: victims are counted where they are: many at the lowest pCPU without the patch, evenly
/// with it, as the preset's story says.
#[test]
fn victims() {
    let preset = preset("steal-victims");
    let losses = |patches| {
        let recording = record(preset, patches);
        recording.measures().steals().iter().map(|pcpu| pcpu.losses).collect::<Vec<_>>()
    };
    let before = losses(preset.patches);
    assert_eq!((before[0], before[7]), (140, 25), "{before:?}");
    let after = losses(preset.patches.with(Patch::StealBias));
    assert_eq!((after[0], after[7]), (65, 50), "{after:?}");
}

/// Goal: a cap bounds what a domain is entitled to, a vCPU is never entitled to more than one pCPU
/// or than it wanted, and all together to no more than there is.
#[test]
fn entitlements() {
    // Two pCPUs for 600 ms, hogs only: one of weight 512, two that share 256 each, one capped at
    // 20 %. The cap leaves 1,080 ms to weights 512 × 1 and 256 × 2.
    let mut scenario = (preset("capped-hog").build)();
    let hog = scenario.domains[1].vcpus[0].clone();
    scenario.domains[2].vcpus = vec![hog.clone(), hog];
    scenario.domains[1].weight = 512;
    scenario.domains[0].cap = 20;
    let capped = record_scenario(scenario, revision("R9"));
    let entitled = capped.measures().entitled_ns(capped.machine(), end(&capped));
    let ms: Vec<_> = entitled.iter().map(|ns| ns.div_ceil(1_000) / 1_000).collect();
    assert_eq!(ms, [120, 540, 270, 270]);
    for preset in PRESETS {
        let recording = record(preset, preset.patches);
        let (machine, end) = (recording.machine(), end(&recording));
        let entitled = recording.measures().entitled_ns(machine, end);
        let all = end.as_ns() * machine.system().topology.pcpu_count() as u64;
        assert!(entitled.iter().sum::<u64>() <= all, "{}", preset.slug);
        for (vcpu, entitled_ns) in guests(machine).zip(entitled) {
            let [running, runnable, _, offline] = machine.vcpu_tally(vcpu, end.as_ns()).spent_ns;
            assert!(entitled_ns <= running + runnable + offline, "{}", preset.slug);
        }
    }
}

/// What accountings did with the credit of each guest, in credits.
struct Credit {
    given: Vec<i64>,
    /// Halved away from who had more than a slice's worth.
    thrown: Vec<i64>,
    /// Let off who owed more than a slice's worth.
    forgiven: Vec<i64>,
}

impl Sink for Credit {
    fn record(&mut self, _: DecisionId, _: &Row, facts: Facts<'_>) {
        let Facts::Account(facts) = facts else { return };
        for share in &facts.vcpus {
            let (vcpu, off) = (share.vcpu.index(), i64::from(share.earned - share.after));
            self.given[vcpu] += i64::from(share.earned - share.before);
            self.thrown[vcpu] += off.max(0);
            self.forgiven[vcpu] -= off.min(0);
        }
    }
}

/// CPU time less what is due and credit thrown away, of each domain of hogs, in permille of a pCPU
/// over six seconds; checks that nothing else parts the two.
fn shares(pcpus: u16, domains: &[(u32, u32)], patches: PatchSet) -> Vec<(i64, i64)> {
    const LENGTH_NS: u64 = 6_000_000_000;
    const NS_PER_CREDIT: i64 = 100_000;
    let scenario = hogs(pcpus, LENGTH_NS, domains);
    let recording = record_scenario(scenario.clone(), patches);
    let due = recording.measures().entitled_ns(recording.machine(), end(&recording));
    let mut machine = Machine::new(&scenario.validate().expect("it runs"), patches);
    let none = || vec![0; machine.system().guests];
    let mut credit = Credit { given: none(), thrown: none(), forgiven: none() };
    while machine.advance(&mut credit) != Step::End {}
    let mut sums = vec![(0, 0); domains.len()];
    for (index, vcpu) in guests(&machine).enumerate() {
        let [ran_ns, ..] = machine.vcpu_tally(vcpu, LENGTH_NS).spent_ns;
        let signed = |ns: u64| i64::try_from(ns).expect("a few seconds");
        let Credit { given, thrown, forgiven } = &credit;
        let left = i64::from(machine.policy().vcpu(vcpu).credit);
        let charged = given[index] - thrown[index] + forgiven[index] - left;
        // What has run since the last tick is not charged yet.
        let open = signed(ran_ns) / NS_PER_CREDIT - charged;
        assert!((-1..=101).contains(&open), "{vcpu:?}: {open} credits are unexplained");
        let (error, lost) = &mut sums[usize::from(machine.system().vcpu(vcpu).domain.0)];
        *error += signed(ran_ns) - signed(due[index]);
        *lost += thrown[index] * NS_PER_CREDIT;
    }
    let permille = |ns: i64| ns / signed_ms(LENGTH_NS);
    sums.into_iter().map(|(error, lost)| (permille(error), permille(lost))).collect()
}

/// A thousandth of a length.
fn signed_ms(ns: u64) -> i64 {
    i64::try_from(ns / 1_000).expect("a few seconds")
}

/// Goal: where CPU time parts from what weights entitle to, it is by credit that the scheduler
/// throws away: a vCPU that comes to more than a slice's worth while it waits keeps half of it and
/// stops earning. With two on a pCPU nobody waits so long and weights are met; with five the
/// heaviest loses, and at 50 % due the loss begins with the fourth competitor.
#[test]
fn credit_thrown_away_parts_shares_from_weights() {
    let five = [64, 128, 256, 512, 1_024].map(|weight| (weight, 0));
    for name in ["R2", "R9"] {
        let shares = shares(4, &five, revision(name));
        let (error, thrown) = shares[4];
        assert!(error < -200 && thrown > 300, "{name}: {shares:?}");
        assert!(
            shares[..3].iter().all(|(error, thrown)| *error > 20 && *thrown == 0),
            "{shares:?}"
        );
    }
    for ratio in [1, 2, 4] {
        let two = shares(1, &[(64 * ratio, 0), (64, 0)], revision("R2"));
        assert!(two.iter().all(|(error, thrown)| error.abs() <= 6 && *thrown == 0), "{two:?}");
    }
    let against = |others: u32| {
        let light = (0..others).map(|_| (64, 0));
        let domains: Vec<_> = [(64 * others, 0)].into_iter().chain(light).collect();
        shares(1, &domains, revision("R2"))[0].0
    };
    let errors = [1, 2, 3, 4, 6].map(against);
    assert!(errors[..3].iter().all(|error| error.abs() <= 20), "{errors:?}");
    assert!(errors[3] < -150 && errors[4] < errors[3], "{errors:?}");
}
