//! Goal: levels over time are exact at any zoom. Method: a plain walk over every step of a run
//! notes each change of each level, as pictures of the whole machine tell it, and each accounting;
//! what the pass tells of a stretch is compared with what follows from that, for stretches and
//! cells of all sorts.

use sim_core::decision::{Facts, Row, Sink};
use sim_core::ids::{DecisionId, PcpuId, VcpuId};
use sim_core::machine::{Machine, Step};
use sim_core::patches::{PatchSet, Revision};
use sim_core::presets::Preset;
use sim_core::run::{ACCOUNTS_MAX, Level, LevelCell, LevelLine, LevelSpan, Levels, Recording};
use sim_core::scenario::ValidScenario;
use sim_core::units::SimTime;

/// What a walk over every step saw.
#[derive(Default)]
struct Walk {
    /// When which level became what.
    changes: Vec<(SimTime, Level, i32)>,
    /// What the levels were before the first step.
    starts: Vec<(Level, i32)>,
    /// When an accounting ran, and for whom.
    accounts: Vec<(SimTime, Vec<VcpuId>)>,
}

impl Sink for Walk {
    fn record(&mut self, _id: DecisionId, row: &Row, facts: Facts<'_>) {
        if let Facts::Account(facts) = facts {
            let vcpus = facts.vcpus.iter().map(|share| share.vcpu).collect();
            self.accounts.push((row.time, vcpus));
        }
    }
}

/// All levels that a machine has, as its picture tells them.
fn levels(machine: &Machine) -> Vec<(Level, i32)> {
    let count = |count: usize| i32::try_from(count).expect("few");
    let snapshot = machine.snapshot();
    let guests = (0u16..).map(VcpuId).take(machine.system().guests);
    let credits = guests.map(|vcpu| (Level::Credit(vcpu), machine.policy().vcpu(vcpu).credit));
    let waiting = (0u16..).map(PcpuId).zip(&snapshot.pcpus);
    let waiting = waiting.map(|(pcpu, at)| (Level::Waiting(pcpu), count(at.queue.len())));
    let all = snapshot.pcpus.iter().map(|pcpu| count(pcpu.queue.len())).sum();
    let idlers = snapshot.pcpus.iter().filter(|pcpu| pcpu.idler).count();
    let told = snapshot.pcpus.iter().filter(|pcpu| pcpu.tickled).count();
    let masks = [(Level::Idlers, count(idlers)), (Level::Told, count(told))];
    credits.chain(waiting).chain([(Level::WaitingAll, all)]).chain(masks).collect()
}

fn walk(scenario: &ValidScenario, patches: PatchSet) -> Walk {
    let mut machine = Machine::new(scenario, patches);
    let mut before = levels(&machine);
    let mut walk = Walk { starts: before.clone(), ..Walk::default() };
    while machine.advance(&mut walk) != Step::End {
        let now = levels(&machine);
        let changed = now.iter().zip(&before).filter(|(now, before)| now != before);
        let changed = changed.map(|((level, value), _)| (machine.now(), *level, *value));
        walk.changes.extend(changed);
        before = now;
    }
    walk
}

/// What the walk says of a level.
fn plain(walk: &Walk, span: LevelSpan, level: Level) -> LevelLine {
    let own = || walk.changes.iter().filter(move |(_, of, _)| *of == level);
    let first = walk.starts.iter().find(|(of, _)| *of == level).expect("a level of the machine");
    let start = own().take_while(|(time, ..)| *time < span.from).last();
    let start = start.map_or(first.1, |last| last.2);
    let inside: Vec<_> = own().filter(|(time, ..)| (span.from..span.to).contains(time)).collect();
    let cells = inside.chunk_by(|a, b| a.0.as_ns() >> span.shift == b.0.as_ns() >> span.shift);
    let cell = |all: &[&(SimTime, Level, i32)]| LevelCell {
        last_change: all[all.len() - 1].0,
        changes: u32::try_from(all.len()).expect("few"),
        least: all.iter().map(|change| change.2).min().expect("one"),
        most: all.iter().map(|change| change.2).max().expect("one"),
        last: all[all.len() - 1].2,
    };
    let given = |vcpus: &[VcpuId]| vcpus.iter().any(|vcpu| Level::Credit(*vcpu) == level);
    let inside = |time: &SimTime| (span.from..span.to).contains(time);
    let accounted = walk.accounts.iter().filter(|(time, vcpus)| inside(time) && given(vcpus));
    let accounted = u32::try_from(accounted.count()).expect("few");
    LevelLine { level, start, cells: cells.map(cell).collect(), accounted }
}

/// A seeded sequence (splitmix64), so that a failure can be repeated.
fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Compares the pass with the walk over the whole run and over stretches of all lengths, some of
/// which begin or end exactly where something happens.
fn check(slug: &str, patches: PatchSet) -> usize {
    let scenario = (Preset::from_slug(slug).expect("a preset").build)().validate().expect("valid");
    let walk = walk(&scenario, patches);
    let mut recording = Recording::new(&scenario, patches);
    while recording.run(10_000, u32::MAX) == sim_core::run::RunEnd::Unfinished {}
    let end_ns = scenario.duration_ns;
    let all: Vec<Level> = walk.starts.iter().map(|(level, _)| *level).collect();
    for seed in 0..40u64 {
        let mut state = seed;
        let at = |state: &mut u64| {
            let changes = walk.changes.len() as u64;
            if draw(state).is_multiple_of(2) {
                return draw(state) % end_ns;
            }
            walk.changes[usize::try_from(draw(state) % changes).expect("small")].0.as_ns()
        };
        let (one, other) = (at(&mut state), at(&mut state));
        let (from_ns, to_ns) =
            if seed == 0 { (0, end_ns) } else { (one.min(other), one.max(other) + 1) };
        let (from, to) = (SimTime::from_ns(from_ns), SimTime::from_ns(to_ns));
        let shift = u32::try_from(draw(&mut state) % 28).expect("small");
        let span = LevelSpan { from, to, shift };
        let mut pass = Levels::new(recording.keyframes(), span, &all);
        let slice = u32::try_from(1 + draw(&mut state) % 5_000).expect("small");
        let mut reached = from;
        while !pass.is_done() {
            pass.run(slice);
            assert!(
                pass.reached() >= reached && pass.reached() <= to,
                "{slug} {seed}: {reached:?}"
            );
            reached = pass.reached();
        }
        assert_eq!(reached, to, "{slug} {seed}");
        for (line, level) in pass.lines().iter().zip(&all) {
            assert_eq!(*line, plain(&walk, span, *level), "{slug}, seed {seed}: {span:?}");
        }
        assert_eq!(pass.lines().len(), all.len());
        let accounts = walk.accounts.iter().map(|(time, _)| *time);
        let inside: Vec<_> = accounts.filter(|time| (from..to).contains(time)).collect();
        let told = if inside.len() > ACCOUNTS_MAX { &[][..] } else { &inside };
        assert_eq!(pass.accounts(), told, "{slug} {seed}");
    }
    walk.changes.len()
}

fn revision(name: &str) -> PatchSet {
    Revision::from_name(name).expect("known").patches
}

#[test]
fn levels_of_the_pinned_waker_are_those_of_every_step() {
    let preset = Preset::from_slug("pinned-waker").expect("the default");
    assert!(check("pinned-waker", preset.patches) > 50);
    assert!(check("pinned-waker", revision("R0")) > 50);
}

#[test]
fn levels_under_a_cap_are_those_of_every_step() {
    assert!(check("capped-hog", revision("R2")) > 100);
    assert!(check("capped-hog", revision("R9")) > 100);
}

#[test]
fn levels_of_many_pcpus_are_those_of_every_step() {
    let victims = Preset::from_number(14).expect("the story of the victims").slug;
    assert!(check(victims, revision("R0")) > 1_000);
    assert!(check(victims, revision("R9")) > 1_000);
}

/// Goal: with `burn_residual` credits are charged otherwise, and one can see it in its demo.
#[test]
fn residuals_change_the_credit() {
    let patch = sim_core::patches::Patch::BurnResidual;
    let demo = Preset::from_slug(patch.info().demo).expect("a preset");
    let scenario = (demo.build)().validate().expect("valid");
    let lines = |patches| {
        let mut recording = Recording::new(&scenario, patches);
        while recording.run(10_000, u32::MAX) == sim_core::run::RunEnd::Unfinished {}
        let to = SimTime::from_ns(scenario.duration_ns);
        let span = LevelSpan { from: SimTime::ZERO, to, shift: 0 };
        let vcpus: Vec<Level> = (0..64).map(|vcpu| Level::Credit(VcpuId(vcpu))).collect();
        let mut pass = Levels::new(recording.keyframes(), span, &vcpus);
        while !pass.is_done() {
            pass.run(1_000);
        }
        pass.lines().to_vec()
    };
    let with = revision("R9");
    assert!(with.has(patch));
    assert!(lines(with) != lines(with.flipped(patch)), "the same credit at every moment");
}
