//! What the same state gives under other patches. Pure.
//!
//! Asks the functions that decide; where a patch keeps another state over time, the state is put
//! as the other side would have it, as far as the run keeps track of it.
//!
//! Follows: xen/common/sched_credit.c:__runq_tickle, _csched_cpu_pick, csched_load_balance,
//! csched_vcpu_wake @ 89216c7999.

use super::{balance, boosts, pick, tickle};
use crate::cpumask::CpuMask;
use crate::decision::{
    BalanceInputs, BalanceOutcome, Peers, PickInputs, PickOutcome, Priority, TickleInputs,
    TickleOutcome, WakeFacts, WakeSource,
};
use crate::patches::{Patch, PatchSet};
use crate::topology::Topology;
use alloc::borrow::Cow;

/// The idlers as `there` would have them: pCPUs that were told are among them or not.
fn idlers<'a>(
    idlers: &'a CpuMask,
    told: &CpuMask,
    (here, there): (PatchSet, PatchSet),
) -> Cow<'a, CpuMask> {
    let busy = |patches: PatchSet| patches.has(Patch::TickledIsBusy);
    if busy(here) == busy(there) || told.is_empty() {
        return Cow::Borrowed(idlers);
    }
    let mut other = idlers.clone();
    if busy(there) {
        other.remove_all(told);
    } else {
        other.add_all(told);
    }
    Cow::Owned(other)
}

/// The tickle decision that `there` takes on the facts of a run with the patches `here`.
#[must_use]
pub fn tickle_side(inputs: &TickleInputs<'_>, here: PatchSet, there: PatchSet) -> TickleOutcome {
    match idlers(&inputs.idlers, &inputs.told, (here, there)) {
        Cow::Borrowed(_) => tickle(inputs, there),
        idlers => tickle(&TickleInputs { idlers, ..inputs.clone() }, there),
    }
}

/// The pick that `there` takes.
#[must_use]
pub fn pick_side(
    inputs: &PickInputs<'_>,
    topology: &Topology,
    here: PatchSet,
    there: PatchSet,
) -> PickOutcome {
    match idlers(&inputs.idlers, &inputs.told, (here, there)) {
        Cow::Borrowed(_) => pick(inputs, topology, there, |_| ()),
        idlers => pick(&PickInputs { idlers, ..inputs.clone() }, topology, there, |_| ()),
    }
}

/// What a search for work finds under `there`.
#[must_use]
pub fn balance_side(
    inputs: &BalanceInputs<'_>,
    peers: impl Peers + Copy,
    topology: &Topology,
    (here, there): (PatchSet, PatchSet),
) -> BalanceOutcome {
    match idlers(&inputs.idlers, &inputs.told, (here, there)) {
        Cow::Borrowed(_) => balance(inputs, peers, topology, there, |_| ()),
        idlers => {
            balance(&BalanceInputs { idlers, ..inputs.clone() }, peers, topology, there, |_| ())
        }
    }
}

/// The priority that a woken vCPU gets under `there`: the mark of a vCPU whose cap has it parked is
/// cleared before the wake only with `unpark_boosts`.
#[must_use]
pub fn wake_side(facts: &WakeFacts, there: PatchSet) -> Priority {
    let parked = match facts.source {
        WakeSource::Unpark => !there.has(Patch::UnparkBoosts),
        _ => facts.parked,
    };
    let facts = WakeFacts { parked, ..facts.clone() };
    if boosts(&facts, there) { Priority::BOOST } else { facts.pri_before }
}
