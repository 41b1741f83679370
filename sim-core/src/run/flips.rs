//! How often a patch would have decided otherwise on the very same state.
//!
//! Asked while the run is recorded, of the same pure functions that decide, with the patch flipped.

use crate::decision::{BalanceInputs, BalanceOutcome, Peers, PickInputs, PickOutcome};
use crate::decision::{TickleInputs, TickleOutcome};
use crate::patches::{PATCHES, Patch, PatchSet};
use crate::policy::credit1::{balance, pick, tickle};
use crate::topology::Topology;
use alloc::rc::Rc;
use alloc::vec::Vec;

/// The patches that the tickle decision asks for and that change it on a machine of one pool.
const TICKLE: &[Patch] =
    &[Patch::TicklePreferIdlers, Patch::TickleUnfilteredMask, Patch::KickOnlyIfUseful];
/// The patches that the pick asks for.
const PICK: &[Patch] = &[Patch::PickDiscountAlone, Patch::PickStartIdle];
/// The patch that the search for work asks for, where its base is on. `two_step_balance` is not
/// asked: a second search of all queues at every steal would double the time of a large run.
const BALANCE: &[Patch] = &[Patch::StealBias];

/// Decisions that a patch touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flip {
    /// The patch.
    pub patch: Patch,
    /// How many it would change.
    pub changed: u32,
    /// Of how many.
    pub of: u32,
}

/// A patch, the choice with it flipped, and decisions that it would change.
type Side = (Patch, PatchSet, u32);

/// Counts for one run.
#[derive(Clone, Debug)]
pub struct Flips {
    topology: Rc<Topology>,
    tickle: Vec<Side>,
    tickles: u32,
    pick: Vec<Side>,
    picks: u32,
    balance: Vec<Side>,
    balances: u32,
}

/// Asks each side and says whether the first of them differs.
fn ask(sides: &mut [Side], mut differs: impl FnMut(PatchSet) -> bool) -> bool {
    let mut first = false;
    for (index, (_, patches, changed)) in sides.iter_mut().enumerate() {
        let differs = differs(*patches);
        *changed += u32::from(differs);
        first |= differs && index == 0;
    }
    first
}

impl Flips {
    /// Nothing counted yet, for a run with these patches.
    #[must_use]
    pub fn new(patches: PatchSet, topology: Rc<Topology>) -> Self {
        let sides = |asked: &[Patch]| {
            asked.iter().map(|patch| (*patch, patches.flipped(*patch), 0)).collect()
        };
        let by_node = patches.has(Patch::TwoStepBalance);
        let balance = sides(if by_node { BALANCE } else { &[] });
        let (tickle, pick) = (sides(TICKLE), sides(PICK));
        Self { topology, tickle, tickles: 0, pick, picks: 0, balance, balances: 0 }
    }

    /// A tickle was decided; says whether it differs with `tickle_prefer_idlers` flipped.
    pub fn tickle(&mut self, inputs: &TickleInputs<'_>, outcome: &TickleOutcome) -> bool {
        self.tickles += 1;
        ask(&mut self.tickle, |patches| {
            let other = tickle(inputs, patches);
            other.kick != outcome.kick || other.tickled != outcome.tickled
        })
    }

    /// A pick was decided.
    pub fn pick(&mut self, inputs: &PickInputs<'_>, outcome: &PickOutcome) {
        self.picks += 1;
        let topology = &self.topology;
        ask(&mut self.pick, |patches| pick(inputs, topology, patches, |_| ()).cpu != outcome.cpu);
    }

    /// A search for work has ended.
    pub fn balance(
        &mut self,
        inputs: &BalanceInputs<'_>,
        peers: &dyn Peers,
        outcome: &BalanceOutcome,
    ) {
        self.balances += 1;
        // The patch changes the order in which peers are tried, not who is tried: a search that
        // found nothing finds nothing in any order.
        if outcome.stolen.is_none() {
            return;
        }
        let topology = &self.topology;
        ask(&mut self.balance, |patches| {
            balance(inputs, peers, topology, patches, |_| ()).stolen != outcome.stolen
        });
    }

    /// All counts, in order of the patches' numbers.
    #[must_use]
    pub fn counts(&self) -> Vec<Flip> {
        let asked = [
            (&self.tickle, self.tickles),
            (&self.pick, self.picks),
            (&self.balance, self.balances),
        ];
        let of = |patch: Patch| {
            let mut sides = asked.iter().flat_map(|(sides, of)| sides.iter().map(|s| (s, *of)));
            let ((_, _, changed), of) = sides.find(|((asked, ..), _)| *asked == patch)?;
            Some(Flip { patch, changed: *changed, of })
        };
        PATCHES.iter().filter_map(|info| of(info.patch)).collect()
    }
}
