//! Kinds of workload that people name, and the stretches that they are.
//!
//! A kind is a way to look at a workload, never stored: whatever has the form of a kind is of it.

use super::access;
use super::field::{ALL, At, Field};
use super::text;
use sim_core::scenario::Scenario;
use sim_core::workload::{RandomWorkload, Stretch, Workload};

/// A kind of workload. The order is that of [`super::table::KINDS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Never stops.
    Hog,
    /// Runs, sleeps.
    Periodic,
    /// Runs and sleeps for random times.
    Random,
    /// Some short runs, then a pause.
    Bursty,
    /// Runs, yields.
    Yielder,
    /// Any stretches.
    Script,
}

/// The stretch of a hog: longer than any run, in ns. That of the vectors and the presets.
const HOG: Stretch = Stretch { run_ns: 1_000_000_000_000_000, block_ns: 1 };

/// The workload that never stops.
#[must_use]
pub fn hog() -> Workload {
    Workload::Script(vec![HOG])
}

impl Kind {
    /// All kinds, in order.
    pub const ALL: [Self; 6] =
        [Self::Hog, Self::Periodic, Self::Random, Self::Bursty, Self::Yielder, Self::Script];

    /// The fields that make up a workload of this kind.
    #[must_use]
    pub const fn fields(self) -> &'static [Field] {
        match self {
            Self::Hog => &[],
            Self::Periodic => &[Field::Run, Field::Sleep],
            Self::Random => &[
                Field::RunLeast,
                Field::RunMost,
                Field::SleepLeast,
                Field::SleepMost,
                Field::Yields,
            ],
            Self::Bursty => &[Field::Bursts, Field::Run, Field::Gap, Field::Pause],
            Self::Yielder => &[Field::Run],
            Self::Script => &[Field::Steps],
        }
    }

    /// A workload that fields of this kind can be written into.
    fn skeleton(self) -> Workload {
        let stretch = |run_ns, block_ns| Stretch { run_ns, block_ns };
        match self {
            Self::Hog => hog(),
            Self::Periodic => Workload::Script(vec![stretch(1, 1)]),
            Self::Random => Workload::Random(RandomWorkload {
                run_ns: (1, 1),
                block_ns: (1, 1),
                yield_permille: 0,
            }),
            Self::Bursty => Workload::Script(vec![stretch(1, 1), stretch(1, 2)]),
            Self::Yielder => Workload::Script(vec![stretch(1, 0)]),
            Self::Script => Workload::Script(vec![stretch(1, 0), stretch(2, 1)]),
        }
    }
}

/// The kind of a workload.
#[must_use]
pub fn kind(workload: &Workload) -> Kind {
    let Workload::Script(stretches) = workload else { return Kind::Random };
    match stretches.as_slice() {
        [only] if *only == HOG => Kind::Hog,
        [only] if only.block_ns == 0 => Kind::Yielder,
        [_] => Kind::Periodic,
        [first, between @ .., last]
            if first.block_ns > 0
                && last.block_ns > 0
                && first.run_ns == last.run_ns
                && between.iter().all(|one| one == first) =>
        {
            Kind::Bursty
        }
        _ => Kind::Script,
    }
}

/// Gives a vCPU (or all of its domain) a workload of a kind, made of the table's defaults. A script
/// goes on from the stretches that are there.
pub fn choose(scenario: &mut Scenario, domain: u16, vcpu: u16, kind: Kind) {
    for spec in access::vcpus_mut(scenario, domain, vcpu) {
        if kind != Kind::Script || !matches!(spec.workload, Workload::Script(_)) {
            spec.workload = kind.skeleton();
        }
    }
    let at = |field| At::vcpu(field, domain, vcpu);
    if kind == Kind::Script {
        // Only those that had none got the skeleton.
        let skeleton = Kind::Script.skeleton();
        let steps = text::parse(scenario, at(Field::Steps), Field::Steps.spec().default);
        for one in vcpus_like(scenario, domain, vcpu, &skeleton) {
            if let Ok(value) = &steps {
                access::write(scenario, At::vcpu(Field::Steps, domain, one), value);
            }
        }
        return;
    }
    for field in kind.fields() {
        if let Ok(value) = text::parse(scenario, at(*field), field.spec().default) {
            access::write(scenario, at(*field), &value);
        }
    }
}

fn vcpus_like(scenario: &Scenario, domain: u16, vcpu: u16, like: &Workload) -> Vec<u16> {
    let Some(spec) = scenario.domains.get(usize::from(domain)) else { return Vec::new() };
    let named = |index: &u16| vcpu == ALL || vcpu == *index;
    let all = (0u16..).zip(&spec.vcpus);
    let like = all.filter(|(index, spec)| named(index) && spec.workload == *like);
    like.map(|(index, _)| index).collect()
}

/// The stretches as steps, one a line.
#[must_use]
pub fn steps_text(stretches: &[Stretch]) -> String {
    let mut text = String::new();
    for stretch in stretches {
        text.push_str("compute ");
        text.push_str(&crate::state::length::write(stretch.run_ns));
        match stretch.block_ns {
            0 => text.push_str("\nyield\n"),
            ns => {
                text.push_str("\nsleep ");
                text.push_str(&crate::state::length::write(ns));
                text.push('\n');
            }
        }
    }
    text.pop();
    text
}

/// Reads steps: a `compute` is as long as all that follow one another, each stretch ends with a
/// `sleep` or a `yield`.
///
/// # Errors
/// One sentence that names the step.
pub fn read_steps(text: &str) -> Result<Vec<Stretch>, String> {
    let steps = text.split(['\n', ',', ';']).map(str::trim).filter(|step| !step.is_empty());
    let (mut stretches, mut run_ns) = (Vec::new(), 0u64);
    for (number, step) in (1..).zip(steps) {
        let (word, rest) = step.split_once(char::is_whitespace).unwrap_or((step, ""));
        let length =
            |what| text::length(rest, 1).map_err(|why| format!("Step {number}, {what}: {why}"));
        let ended = |block_ns| match run_ns {
            0 => Err(format!("Step {number} is “{step}” without a compute before it.")),
            _ => Ok(Stretch { run_ns, block_ns }),
        };
        match word.to_lowercase().as_str() {
            "compute" | "run" => {
                let more = length("compute")?;
                run_ns = run_ns.checked_add(more).ok_or_else(|| too_long(number))?;
                continue;
            }
            "sleep" => stretches.push(ended(length("sleep")?)?),
            "yield" if rest.is_empty() => stretches.push(ended(0)?),
            _ => {
                let shown: String = step.chars().take(40).collect();
                return Err(format!(
                    "Step {number} is “{shown}”; it must be compute and a length, sleep and a length, or yield."
                ));
            }
        }
        run_ns = 0;
    }
    if run_ns > 0 {
        return Err("After the last compute there must be a sleep or a yield.".into());
    }
    Ok(stretches)
}

fn too_long(number: u32) -> String {
    format!("Step {number} makes a run that is longer than any time.")
}
