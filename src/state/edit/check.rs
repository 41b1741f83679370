//! What is wrong with a draft, and at which field it stands.

use super::access;
use super::draft::Draft;
use super::field::{At, Field, Scope, Seen};
use super::table::FIELDS;
use super::text;
use sim_core::scenario::{Scenario, ScenarioError};
use sim_core::workload::Workload;

/// Something wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Where.
    pub at: At,
    /// One sentence with the offending value.
    pub sentence: String,
}

/// Everything that is wrong with a draft, in the order of the fields; nothing if it can be run.
#[must_use]
pub fn problems(draft: &Draft) -> Vec<Problem> {
    let mut found = of_texts(draft);
    let scenario = &*draft.scenario;
    for_each_place(scenario, |at| {
        // A text that cannot be taken says more than the value that it would replace.
        if draft.texts.get(&at).is_some_and(|typed| !typed.taken) {
            return;
        }
        if let Seen::Value(value) = access::read(scenario, at)
            && let Err(sentence) = text::check(scenario, at, &value)
        {
            found.push(Problem { at, sentence });
        }
    });
    if found.is_empty()
        && let Err(error) = scenario.clone().validate()
    {
        found.push(Problem { at: place(&error), sentence: text::sentence(&error) });
    }
    found
}

fn of_texts(draft: &Draft) -> Vec<Problem> {
    let texts = draft.texts.iter().filter(|(_, typed)| !typed.taken);
    let wrong = texts.filter_map(|(at, typed)| {
        let sentence = text::parse(&draft.scenario, *at, &typed.text).err()?;
        Some(Problem { at: *at, sentence })
    });
    wrong.collect()
}

/// Calls with every field of a scenario whose value may be out of its range.
fn for_each_place(scenario: &Scenario, mut call: impl FnMut(At)) {
    let of = |scope: Scope| {
        let fields = FIELDS.iter().filter(move |spec| spec.scope == scope);
        // Texts were checked when they were written.
        fields.map(|spec| spec.field).filter(|field| !matches!(field, Field::Json | Field::Steps))
    };
    of(Scope::Scenario).for_each(|field| call(At::scenario(field)));
    for (domain, spec) in (0u16..).zip(&scenario.domains) {
        of(Scope::Domain).for_each(|field| call(At::of(field, domain)));
        for (vcpu, spec) in (0u16..).zip(&spec.vcpus) {
            of(Scope::Vcpu).for_each(|field| call(At::vcpu(field, domain, vcpu)));
            if let Workload::Script(stretches) = &spec.workload {
                for step in (0u16..).take(stretches.len()) {
                    of(Scope::Step).for_each(|field| call(At::step(field, domain, vcpu, step)));
                }
            }
        }
    }
    for change in (0u16..).take(scenario.ops.len()) {
        of(Scope::Change).for_each(|field| call(At::of(field, change)));
    }
}

/// The field that a rule of the whole scenario is about.
#[must_use]
pub fn place(error: &ScenarioError) -> At {
    let domain = |field, index: usize| At::of(field, u16::try_from(index).unwrap_or(u16::MAX));
    match error {
        ScenarioError::Pcpus(_) | ScenarioError::Place(_) => At::scenario(Field::Sockets),
        ScenarioError::Node(_) => At::scenario(Field::Nodes),
        ScenarioError::Vcpus(_) => At::of(Field::Vcpus, 0),
        ScenarioError::Duration(_) => At::scenario(Field::Duration),
        ScenarioError::Weight { domain: index, .. } => domain(Field::Weight, *index),
        ScenarioError::Cap { domain: index, .. } => domain(Field::Cap, *index),
        ScenarioError::MissingTarget { op, what: "vCPU", .. } => domain(Field::ChangeVcpu, *op),
        ScenarioError::MissingTarget { op, .. } => domain(Field::ChangeDomain, *op),
        ScenarioError::Tslice(_) => At::scenario(Field::Tslice),
        ScenarioError::Ratelimit(_) => At::scenario(Field::Ratelimit),
        ScenarioError::LbRatelimit(_) => At::scenario(Field::LbRatelimit),
        ScenarioError::SlowBoot { .. } => At::scenario(Field::BootStep),
        ScenarioError::Ops(_) => At::of(Field::ChangeTime, 0),
        // These are about a number or a set of one vCPU or change, which its field has refused.
        ScenarioError::EmptyMask(_) | ScenarioError::MissingPcpu { .. } => {
            At::vcpu(Field::InitPcpu, 0, 0)
        }
        ScenarioError::Script { .. }
        | ScenarioError::Time { .. }
        | ScenarioError::YieldPermille { .. } => At::vcpu(Field::Kind, 0, 0),
    }
}
