//! A scenario being edited: its values, and what has been typed into its fields.
//!
//! Must not know of undo, runs or the page.

use super::access;
use super::field::{ALL, At, Field, Scope, Seen, Value};
use super::lists::{List, ListOp};
use super::{lists, machine, text};
use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::presets::Preset;
use sim_core::scenario::Scenario;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A scenario being edited.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// The scenario, as far as what was typed could be taken.
    pub scenario: Rc<Scenario>,
    /// The preset that it is, unchanged.
    pub preset: Option<u8>,
    /// What stands in fields as it was typed.
    pub texts: BTreeMap<At, Typed>,
}

/// A text in a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// As it was typed.
    pub text: String,
    /// Whether the scenario holds its value.
    pub taken: bool,
}

impl Draft {
    /// A scenario as it is.
    #[must_use]
    pub fn new(scenario: Rc<Scenario>, preset: Option<u8>) -> Self {
        Self { scenario, preset, texts: BTreeMap::new() }
    }

    /// What stands in a field; nothing if there is no such field.
    #[must_use]
    pub fn shown(&self, at: At) -> Option<String> {
        if let Some(typed) = self.texts.get(&at) {
            return Some(typed.text.clone());
        }
        match access::read(&self.scenario, at) {
            Seen::Absent => None,
            Seen::Mixed => Some(String::new()),
            Seen::Value(value) => Some(text::print(&self.scenario, at.field, &value)),
        }
    }

    /// The scenario, to be changed: it is no longer the preset that it was, and what was told about
    /// that is not told about it.
    fn change(&mut self) -> &mut Scenario {
        let scenario = Rc::make_mut(&mut self.scenario);
        if let Some(preset) = self.preset.take().and_then(Preset::from_number) {
            let before = (preset.build)();
            for (text, its) in
                [(&mut scenario.name, before.name), (&mut scenario.note, before.note)]
            {
                if *text == its {
                    text.clear();
                }
            }
        }
        scenario
    }

    fn put(&mut self, at: At, value: &Value) {
        if access::read(&self.scenario, at) == Seen::Value(value.clone()) {
            return;
        }
        let sets = is_shape(at.field).then(|| named_sets(&self.scenario));
        access::write(self.change(), at, value);
        match at.field.spec().scope {
            _ if at.field == Field::Json => self.texts.retain(|other, _| *other == at),
            Scope::Domain if at.field == Field::Vcpus => self.forget_missing(),
            Scope::Vcpu | Scope::Step => self.forget_beside(at),
            _ => {}
        }
        for (at, mask) in sets.into_iter().flatten() {
            self.keep_missing(at, &mask);
        }
    }

    /// A set that names pCPUs which are no longer there stays in its field as a text.
    fn keep_missing(&mut self, at: At, mask: &CpuMask) {
        let pcpus = self.scenario.topology.pcpu_count();
        if mask.iter().any(|pcpu| pcpu.index() >= pcpus) {
            let text = text::print_cpus(mask);
            self.texts.entry(at).or_insert(Typed { text, taken: false });
        }
    }

    /// Texts in fields of vCPUs that are gone go too.
    fn forget_missing(&mut self) {
        let scenario = &self.scenario;
        self.texts.retain(|at, _| access::read(scenario, *at) != Seen::Absent);
    }

    /// What was typed for all vCPUs of a domain goes when one gets its own, and back.
    fn forget_beside(&mut self, at: At) {
        let [domain, vcpu, _] = at.index;
        let of_kind = matches!(at.field, Field::Kind | Field::Steps);
        self.texts.retain(|other, _| {
            let scope = other.field.spec().scope;
            let beside = matches!(scope, Scope::Vcpu | Scope::Step)
                && *other != at
                && other.index[0] == domain
                && (vcpu == ALL || other.index[1] == ALL || other.index[1] == vcpu);
            let same = other.field == at.field && other.index[1] != vcpu;
            let workload = of_kind && other.field >= Field::Kind;
            !(beside && (same || workload))
        });
    }

    /// Takes a text in, as far as it can be.
    pub fn type_text(&mut self, at: At, text: String) {
        self.settle(at);
        let value = text::parse(&self.scenario, at, &text);
        let taken = value.is_ok();
        if let Ok(value) = value {
            self.put(at, &value);
        }
        self.texts.insert(at, Typed { text, taken });
        self.retry(at);
    }

    /// Texts that were taken give way to how their values are written.
    fn settle(&mut self, but: At) {
        self.texts.retain(|at, typed| *at == but || !typed.taken);
    }

    /// A text that could not be taken may be fine by now.
    pub fn retry(&mut self, but: At) {
        let waiting = self.texts.iter().filter(|(at, typed)| **at != but && !typed.taken);
        let waiting: Vec<(At, String)> =
            waiting.map(|(at, typed)| (*at, typed.text.clone())).collect();
        for (at, text) in waiting {
            // A whole file would take back what was done since.
            if at.field == Field::Json {
                continue;
            }
            if let Ok(value) = text::parse(&self.scenario, at, &text) {
                self.texts.remove(&at);
                self.put(at, &value);
            }
        }
    }

    /// The person has left the field.
    pub fn done(&mut self, at: At) {
        if self.texts.get(&at).is_some_and(|typed| typed.taken) {
            self.texts.remove(&at);
        }
    }

    /// Puts a pCPU into a field's set, or takes it out.
    pub fn toggle(&mut self, at: At, pcpu: u16) {
        let pcpus = self.scenario.topology.pcpu_count();
        if usize::from(pcpu) >= pcpus {
            return;
        }
        self.settle(at);
        let mut mask = self.set(at);
        let pcpu = PcpuId(pcpu);
        if mask.contains(pcpu) {
            mask.remove(pcpu);
        } else {
            mask.insert(pcpu);
        }
        let all = mask == *self.scenario.topology.all() && !at.field.spec().word.is_empty();
        let text = if all { at.field.spec().word.into() } else { text::print_cpus(&mask) };
        self.texts.remove(&at);
        // An empty set is a text that cannot be taken.
        self.type_text(at, text);
        self.done(at);
    }

    /// The set that a field shows: what was typed, as far as it is one.
    #[must_use]
    pub fn set(&self, at: At) -> CpuMask {
        let all = self.scenario.topology.all();
        if let Some(typed) = self.texts.get(&at).filter(|typed| !typed.taken) {
            let there = |part: &str| text::parse(&self.scenario, at, part).ok();
            let parts = typed.text.split(',').filter_map(there);
            let mut mask = CpuMask::empty_like(all);
            for part in parts {
                if let Value::Cpus(part) = part {
                    mask.add_all(&part);
                }
            }
            return mask;
        }
        match access::read(&self.scenario, at) {
            Seen::Value(Value::Cpus(mask)) => mask,
            Seen::Value(_) => all.clone(),
            _ => CpuMask::empty_like(all),
        }
    }

    /// Adds, copies, removes or moves an entry of a list. Tells where the entry is now.
    pub fn list(&mut self, list: List, op: ListOp, index: u16) -> Option<u16> {
        let mut new = (*self.scenario).clone();
        let moved = lists::apply(&mut new, list, op, index)?;
        let scenario = self.change();
        scenario.domains = new.domains;
        scenario.ops = new.ops;
        let texts = std::mem::take(&mut self.texts);
        let kept = texts.into_iter().filter_map(|(at, typed)| Some((moved.at(list, at)?, typed)));
        self.texts = kept.collect();
        self.forget_missing();
        self.retry(At::scenario(Field::Json));
        Some(moved.to)
    }

    /// Moves whoever names a pCPU that is not there onto those that are.
    pub fn fit(&mut self) {
        machine::fit(self.change());
        self.texts.retain(|at, _| !names_pcpus(at.field));
    }
}

const fn is_shape(field: Field) -> bool {
    matches!(field, Field::Sockets | Field::Cores | Field::Threads)
}

/// Whether the field may name a pCPU, or is bounded by how many there are.
#[must_use]
pub const fn names_pcpus(field: Field) -> bool {
    matches!(
        field,
        Field::InitPcpu
            | Field::WakeOn
            | Field::Hard
            | Field::Soft
            | Field::ChangePcpu
            | Field::ChangeMask
            | Field::Cap
            | Field::ChangeCap
    )
}

/// All sets that a scenario names, with their places.
fn named_sets(scenario: &Scenario) -> Vec<(At, CpuMask)> {
    let mut sets = Vec::new();
    let mut add = |at| {
        if let Seen::Value(Value::Cpus(mask)) = access::read(scenario, at) {
            sets.push((at, mask));
        }
    };
    for (domain, spec) in (0u16..).zip(&scenario.domains) {
        for vcpu in (0u16..).take(spec.vcpus.len()) {
            add(At::vcpu(Field::Hard, domain, vcpu));
            add(At::vcpu(Field::Soft, domain, vcpu));
        }
    }
    (0u16..).take(scenario.ops.len()).for_each(|op| add(At::of(Field::ChangeMask, op)));
    sets
}
