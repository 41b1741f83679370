//! Goal: what people judge a run by is what a plain walk over the machine counts.
//! Method: presets are recorded, and stepped once more with everything looked at after each step.

use sim_core::decision::NoSink;
use sim_core::ids::VcpuId;
use sim_core::machine::{Machine, Step};
use sim_core::patches::{Patch, PatchSet, Revision};
use sim_core::policy::cx::Runstate;
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
