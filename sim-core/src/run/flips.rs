//! How often patches would have decided otherwise on the very same states.
//!
//! A pass of its own over a run that is there: the machine runs again from its start, and every
//! decision is asked again under other patches by the same pure functions that took it.

use super::Keyframes;
use super::asked::{Asked, BALANCE, CHARGE, Difference, PICK, SCHEDULE, TICKLE, WAKE};
use crate::decision::{
    BalanceInputs, BalanceOutcome, Charge, Facts, Peers, Reason, Row, ScheduleFacts, Sink,
};
use crate::ids::{DecisionId, VcpuId};
use crate::machine::{Machine, Step};
use crate::patches::{PATCHES, Patch, PatchSet, REVISIONS};
use crate::policy::credit1::{balance_side, charge, pick_side, rate_limit, tickle_side, wake_side};
use crate::topology::Topology;
use alloc::rc::Rc;
use alloc::vec;
use alloc::vec::Vec;

const BLOCK_BITS: u32 = 10;
/// Records of a block: which blocks hold a changed decision is kept, which of theirs is not.
const BLOCK: u32 = 1 << BLOCK_BITS;

/// What a comparison gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flip {
    /// What is compared.
    pub difference: Difference,
    /// Decisions that differ.
    pub changed: u32,
    /// Decisions that could: those that depend on what is compared.
    pub of: u32,
    /// A bit per block of records that holds one that differs.
    blocks: Vec<u64>,
}

impl Flip {
    fn new(difference: Difference) -> Self {
        Self { difference, changed: 0, of: 0, blocks: vec![] }
    }

    fn count(&mut self, id: DecisionId, differs: bool) {
        self.of += 1;
        if !differs {
            return;
        }
        self.changed += 1;
        let block = (id.0 >> BLOCK_BITS) as usize;
        if self.blocks.len() <= block / 64 {
            self.blocks.resize(block / 64 + 1, 0);
        }
        self.blocks[block / 64] |= 1 << (block % 64);
    }

    fn holds(&self, block: u32) -> bool {
        let block = block as usize;
        self.blocks.get(block / 64).is_some_and(|word| word >> (block % 64) & 1 != 0)
    }
}

/// Asks every decision that a machine takes.
struct Counting {
    topology: Rc<Topology>,
    here: PatchSet,
    tickle: Asked,
    pick: Asked,
    balance: Asked,
    schedule: Asked,
    wake: Asked,
    charge: Asked,
    flips: Vec<Flip>,
    /// Records from here on are not counted.
    end: u32,
    /// The records that differ, if they are wanted.
    hits: Option<Vec<DecisionId>>,
}

impl Counting {
    fn new(machine: &Machine, differences: &[Difference], end: u32) -> Self {
        let here = machine.policy().patches;
        let asked = |depends_on| Asked::new(depends_on, here, differences);
        Self {
            topology: machine.system().topology.clone(),
            here,
            tickle: asked(TICKLE),
            pick: asked(PICK),
            balance: asked(BALANCE),
            schedule: asked(SCHEDULE),
            wake: asked(WAKE),
            charge: asked(CHARGE),
            flips: differences.iter().map(|difference| Flip::new(*difference)).collect(),
            end,
            hits: None,
        }
    }
}

/// Where the outcomes of a decision are counted.
struct Tally<'a> {
    id: DecisionId,
    flips: &'a mut [Flip],
    hits: &'a mut Option<Vec<DecisionId>>,
}

impl Tally<'_> {
    /// Works out each distinct outcome once and compares.
    fn ask<T: PartialEq>(self, asked: &Asked, here: T, there: impl FnMut(&PatchSet) -> T) {
        if asked.pairs.is_empty() {
            return;
        }
        let mut outcomes = vec![here];
        outcomes.extend(asked.sets[1..].iter().map(there));
        for (place, a, b) in &asked.pairs {
            let differs = outcomes[*a] != outcomes[*b];
            self.flips[*place].count(self.id, differs);
            if let Some(hits) = self.hits.as_mut().filter(|_| differs) {
                hits.push(self.id);
            }
        }
    }

    /// Counts a decision that no choice of patches changes.
    fn same(self, asked: &Asked) {
        asked.pairs.iter().for_each(|(place, ..)| self.flips[*place].count(self.id, false));
    }
}

/// What a search for work took, whose outcome is that of `outcome` in any choice of patches that
/// only says in which order peers are tried.
fn searched(
    (tally, asked): (Tally<'_>, &Asked),
    (here, topology): (PatchSet, &Topology),
    (inputs, peers): (&BalanceInputs<'_>, &dyn Peers),
    outcome: &BalanceOutcome,
) {
    // Whoever may be taken by some order of search is taken by any. So a search that found nobody
    // finds nobody under other patches, but for those that had it pass somebody over.
    let passed_over = outcome.limited || here.has(Patch::NoStealYielded);
    if outcome.stolen.is_none() && !passed_over {
        return tally.same(asked);
    }
    tally.ask(asked, outcome.stolen, |there| -> Option<(VcpuId, _)> {
        balance_side(inputs, peers, topology, (here, *there)).stolen
    });
}

impl Sink for Counting {
    fn record(&mut self, id: DecisionId, row: &Row, facts: Facts<'_>) {
        if id.0 >= self.end {
            return;
        }
        let (here, topology) = (self.here, &self.topology);
        let mut charged = None;
        let tally = Tally { id, flips: &mut self.flips, hits: &mut self.hits };
        match facts {
            Facts::Tickle(inputs, outcome) => {
                let told = (outcome.tickled.clone(), outcome.kick);
                tally.ask(&self.tickle, told, |there| {
                    let other = tickle_side(inputs, here, *there);
                    (other.tickled, other.kick)
                });
            }
            Facts::Pick(inputs, outcome, _) => tally.ask(&self.pick, outcome.cpu, |there| {
                pick_side(inputs, topology, here, *there).cpu
            }),
            Facts::Balance(inputs, peers, outcome) => {
                let asked = (tally, &self.balance);
                searched(asked, (here, topology), (inputs, peers), outcome);
            }
            Facts::Schedule(facts) => {
                charged = (!facts.cur_idle).then_some(facts.charge);
                limited(tally, &self.schedule, here, facts);
            }
            Facts::Wake(facts)
                if matches!(row.reason, Reason::WakeBoosted | Reason::WakeQueued) =>
            {
                tally.ask(&self.wake, facts.pri_after, |there| wake_side(facts, *there));
            }
            Facts::Tick(facts) => charged = Some(facts.charge),
            _ => {}
        }
        if let Some(Charge { delta_ns, residual, credits }) = charged {
            let tally = Tally { id, flips: &mut self.flips, hits: &mut self.hits };
            tally.ask(&self.charge, credits, |there| charge(delta_ns, residual, *there).0);
        }
    }
}

/// Whether the rate limit keeps who runs, and for how long. Only asked of whom it could keep.
fn limited(tally: Tally<'_>, asked: &Asked, here: PatchSet, facts: &ScheduleFacts) {
    let could = !facts.cur_idle && facts.cur_runnable && facts.runtime_ns < facts.ratelimit_ns;
    if could {
        tally.ask(asked, rate_limit(facts, here), |there| rate_limit(facts, *there));
    } else {
        tally.same(asked);
    }
}

/// The pass over a run.
pub struct Flips {
    machine: Machine,
    counting: Counting,
}

impl Flips {
    /// A pass over the first `records` records of a run that began with this machine: every patch
    /// against its other side, and every stop of history against the one before it.
    #[must_use]
    pub fn new(start: &Machine, records: u32) -> Self {
        let patches = PATCHES.iter().map(|info| Difference::Patch(info.patch));
        let stops = (1..REVISIONS.len()).map(Difference::Stop);
        let differences: Vec<Difference> = patches.chain(stops).collect();
        let counting = Counting::new(start, &differences, records);
        Self { machine: start.clone(), counting }
    }

    /// Goes on for at most `steps` steps.
    pub fn run(&mut self, steps: u32) {
        for _ in 0..steps {
            if self.is_done() {
                return;
            }
            if self.machine.advance(&mut self.counting) == Step::End {
                self.counting.end = self.machine.records();
            }
        }
    }

    /// Whether the whole run is counted.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.machine.records() >= self.counting.end
    }

    /// Records counted, and of how many.
    #[must_use]
    pub fn reached(&self) -> (u32, u32) {
        (self.machine.records().min(self.counting.end), self.counting.end)
    }

    /// What the comparisons gave so far: the patches in table order, then the stops.
    #[must_use]
    pub fn counts(&self) -> &[Flip] {
        &self.counting.flips
    }

    /// The first decision at `from` or behind it that differs.
    #[must_use]
    pub fn next(
        &self,
        keyframes: &Keyframes,
        from: u32,
        difference: Difference,
    ) -> Option<DecisionId> {
        let flip = self.flip(difference)?;
        let blocks = from >> BLOCK_BITS..=self.counting.end >> BLOCK_BITS;
        blocks.filter(|block| flip.holds(*block)).find_map(|block| {
            let hits = self.hits(keyframes, block, difference);
            hits.into_iter().find(|id| id.0 >= from)
        })
    }

    /// The last decision before `end` that differs.
    #[must_use]
    pub fn previous(
        &self,
        keyframes: &Keyframes,
        end: u32,
        difference: Difference,
    ) -> Option<DecisionId> {
        let flip = self.flip(difference)?;
        let blocks = (0..=end.min(self.counting.end) >> BLOCK_BITS).rev();
        blocks.filter(|block| flip.holds(*block)).find_map(|block| {
            let hits = self.hits(keyframes, block, difference);
            hits.into_iter().rfind(|id| id.0 < end)
        })
    }

    fn flip(&self, difference: Difference) -> Option<&Flip> {
        self.counting.flips.iter().find(|flip| flip.difference == difference)
    }

    /// The decisions of a block that differ, worked out again.
    fn hits(&self, keyframes: &Keyframes, block: u32, difference: Difference) -> Vec<DecisionId> {
        let (from, end) = (block * BLOCK, (block * BLOCK + BLOCK).min(self.counting.end));
        let mut machine = keyframes.before(DecisionId(from)).clone();
        let mut counting = Counting::new(&machine, &[difference], end);
        counting.hits = Some(vec![]);
        while machine.records() < end && machine.advance(&mut counting) != Step::End {}
        let hits = counting.hits.unwrap_or_default();
        hits.into_iter().filter(|id| id.0 >= from).collect()
    }
}
