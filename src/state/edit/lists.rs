//! Lists of a scenario: domains, stretches of a script, scripted changes.
//!
//! Adds, copies, removes and moves entries, and tells where everything is afterwards.

use super::access;
use super::field::{At, Scope};
use super::machine;
use sim_core::ids::PcpuId;
use sim_core::scenario::{Change, DomainSpec, Op, Scenario, limits};
use sim_core::workload::{Stretch, Workload};

/// A list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum List {
    /// The domains.
    Domains,
    /// The stretches of a vCPU, or of all vCPUs of a domain, which then must be alike.
    Steps {
        /// The domain.
        domain: u16,
        /// The vCPU, or all.
        vcpu: u16,
    },
    /// The scripted changes.
    Changes,
}

/// What is done with an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListOp {
    /// A new one at the end.
    Add,
    /// A copy behind it.
    Copy,
    /// Away with it.
    Remove,
    /// One place towards the front.
    Up,
    /// One place towards the end.
    Down,
}

/// Where the entries of a list went.
pub struct Moved {
    op: ListOp,
    index: u16,
    /// Where the entry is now, or the one that took its place.
    pub to: u16,
}

impl Moved {
    /// Where an entry is now; nothing if it is gone.
    fn entry(&self, entry: u16) -> Option<u16> {
        let at = self.index;
        match self.op {
            ListOp::Remove if entry == at => None,
            ListOp::Remove if entry > at => Some(entry - 1),
            ListOp::Copy if entry > at => Some(entry + 1),
            ListOp::Up if entry == at => Some(at - 1),
            ListOp::Up if entry + 1 == at => Some(at),
            ListOp::Down if entry == at => Some(at + 1),
            ListOp::Down if entry == at + 1 => Some(at),
            _ => Some(entry),
        }
    }

    /// Where a field is now; nothing if it is gone.
    #[must_use]
    pub fn at(&self, list: List, mut at: At) -> Option<At> {
        let scope = at.field.spec().scope;
        match (list, scope) {
            (List::Domains, Scope::Domain | Scope::Vcpu | Scope::Step)
            | (List::Changes, Scope::Change) => at.index[0] = self.entry(at.index[0])?,
            (List::Steps { domain, .. }, Scope::Step) if at.index[0] == domain => {
                at.index[2] = self.entry(at.index[2])?;
            }
            _ => {}
        }
        Some(at)
    }
}

/// Does it; nothing if it cannot be done.
pub fn apply(scenario: &mut Scenario, list: List, op: ListOp, index: u16) -> Option<Moved> {
    match list {
        List::Domains => domains(scenario, op, index),
        List::Changes => {
            let new = new_change(scenario);
            entries(&mut scenario.ops, op, index, new, limits::OPS)
        }
        List::Steps { domain, vcpu } => {
            let new = Stretch { run_ns: 1_000_000, block_ns: 4_000_000 };
            let mut moved = None;
            for spec in access::vcpus_mut(scenario, domain, vcpu) {
                if let Workload::Script(stretches) = &mut spec.workload {
                    // A script without a stretch is none.
                    if op == ListOp::Remove && stretches.len() == 1 {
                        continue;
                    }
                    moved = entries(stretches, op, index, new, limits::STRETCHES).or(moved);
                }
            }
            moved
        }
    }
}

fn entries<T: Clone>(
    list: &mut Vec<T>,
    op: ListOp,
    index: u16,
    new: T,
    most: usize,
) -> Option<Moved> {
    let at = usize::from(index);
    let grows = matches!(op, ListOp::Add | ListOp::Copy);
    if (op != ListOp::Add && at >= list.len()) || (grows && list.len() >= most) {
        return None;
    }
    let to = match op {
        ListOp::Add => {
            list.push(new);
            list.len() - 1
        }
        ListOp::Copy => {
            list.insert(at + 1, list[at].clone());
            at + 1
        }
        ListOp::Remove => {
            list.remove(at);
            at.min(list.len().saturating_sub(1)) // saturating: the last one is gone
        }
        ListOp::Up => {
            list.swap(at, at.checked_sub(1)?);
            at - 1
        }
        ListOp::Down if at + 1 < list.len() => {
            list.swap(at, at + 1);
            at + 1
        }
        ListOp::Down => return None,
    };
    Some(Moved { op, index, to: u16::try_from(to).ok()? })
}

fn domains(scenario: &mut Scenario, op: ListOp, index: u16) -> Option<Moved> {
    let count = scenario.domains.len();
    let pcpus = u16::try_from(scenario.topology.pcpu_count()).unwrap_or(u16::MAX).max(1);
    // The next guest starts beside the last one.
    let last = scenario.domains.iter().rev().find_map(|domain| domain.vcpus.last());
    let pcpu = last.map_or(0, |vcpu| vcpu.init_pcpu.0.wrapping_add(1) % pcpus);
    let new = DomainSpec { weight: 256, cap: 0, vcpus: vec![machine::new_vcpu(pcpu)] };
    let mut moved = None;
    machine::with_targets(scenario, |scenario| {
        moved = entries(&mut scenario.domains, op, index, new, limits::VCPUS);
        let domains = (0u16..).take(count);
        match &moved {
            Some(moved) => domains.map(|domain| moved.entry(domain)).collect(),
            None => domains.map(Some).collect(),
        }
    });
    moved
}

/// A change in the middle of the run, or behind the last one.
fn new_change(scenario: &Scenario) -> Op {
    let last = scenario.ops.last().map(|op| op.time_ns.saturating_add(10_000_000));
    let half_ns = scenario.duration_ns / 2 / 1_000_000 * 1_000_000;
    let time_ns = last.unwrap_or(half_ns).min(scenario.duration_ns);
    let change = Change::Domain { domain: 0, weight: Some(512), cap: None };
    Op { time_ns, pcpu: PcpuId(0), change }
}

/// How many stretches a vCPU has; of all vCPUs of a domain, the first.
#[must_use]
pub fn steps_of(scenario: &Scenario, domain: u16, vcpu: u16) -> usize {
    let spec = scenario.domains.get(usize::from(domain));
    let vcpu = if vcpu == super::field::ALL { 0 } else { vcpu };
    let spec = spec.and_then(|domain| domain.vcpus.get(usize::from(vcpu)));
    match spec.map(|vcpu| &vcpu.workload) {
        Some(Workload::Script(stretches)) => stretches.len(),
        _ => 0,
    }
}
