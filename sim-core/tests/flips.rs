//! Goal: the counts of changed decisions are exact. Method: every decision of small runs is asked
//! again, one comparison after the other and without any short cut, and the counts and the searches
//! of the pass are compared with that.

use sim_core::decision::{Facts, Reason, Row, Sink};
use sim_core::ids::DecisionId;
use sim_core::machine::Machine;
use sim_core::patches::{PATCHES, PatchKind, PatchSet, REVISIONS, Revision};
use sim_core::policy::credit1::{
    balance_side, charge, pick_side, rate_limit, tickle_side, wake_side,
};
use sim_core::presets::Preset;
use sim_core::run::{ASKED, Difference, Flips, Recording, run_steps};
use sim_core::topology::Topology;

const RECORDS: u32 = 9_000;

/// The records at which each comparison differs, without any short cut.
struct Plain {
    here: PatchSet,
    topology: Topology,
    asked: Vec<(Difference, Vec<DecisionId>)>,
}

impl Plain {
    fn differs(&self, facts: &Facts<'_>, reason: Reason, difference: Difference) -> bool {
        let ((a, b), here) = (difference.sides(self.here), self.here);
        let is_stop = matches!(difference, Difference::Stop(_));
        match facts {
            Facts::Tickle(inputs, _) => {
                let side = |there| tickle_side(inputs, here, there);
                let (a, b) = (side(a), side(b));
                (a.tickled, a.kick) != (b.tickled, b.kick)
            }
            Facts::Pick(inputs, ..) => {
                let side = |there| pick_side(inputs, &self.topology, here, there).cpu;
                side(a) != side(b)
            }
            Facts::Balance(inputs, peers, _) => {
                let side = |there| balance_side(inputs, *peers, &self.topology, (here, there));
                side(a).stolen != side(b).stolen
            }
            Facts::Wake(facts) => {
                let queued = matches!(reason, Reason::WakeBoosted | Reason::WakeQueued);
                queued && wake_side(facts, a) != wake_side(facts, b)
            }
            Facts::Schedule(facts) => {
                let charged = |there| charge(facts.charge.delta_ns, facts.charge.residual, there).0;
                rate_limit(facts, a) != rate_limit(facts, b)
                    || !is_stop && !facts.cur_idle && charged(a) != charged(b)
            }
            Facts::Tick(facts) => {
                let charged = |there| charge(facts.charge.delta_ns, facts.charge.residual, there).0;
                !is_stop && charged(a) != charged(b)
            }
            _ => false,
        }
    }
}

impl Sink for Plain {
    fn record(&mut self, id: DecisionId, row: &Row, facts: Facts<'_>) {
        let mut asked = core::mem::take(&mut self.asked);
        for (difference, changed) in &mut asked {
            if self.differs(&facts, row.reason, *difference) {
                changed.push(id);
            }
        }
        self.asked = asked;
    }
}

fn revision(name: &str) -> PatchSet {
    Revision::from_name(name).expect("known").patches
}

/// Every comparison in a run of a preset, by the pass and plainly.
fn check(slug: &str, patches: PatchSet) -> Vec<(Difference, usize)> {
    let scenario = (Preset::from_slug(slug).expect("a preset").build)().validate().expect("valid");
    let mut recording = Recording::new(&scenario, patches);
    recording.run(u32::MAX, RECORDS);
    let records = recording.machine().records();
    let start = Machine::new(&scenario, patches);
    let differences = PATCHES.iter().map(|info| Difference::Patch(info.patch));
    let differences = differences.chain((1..REVISIONS.len()).map(Difference::Stop));
    let mut plain = Plain {
        here: patches,
        topology: scenario.topology.clone(),
        asked: differences.map(|difference| (difference, vec![])).collect(),
    };
    run_steps(&mut start.clone(), &mut plain, u32::MAX, RECORDS);
    let mut flips = Flips::new(&start, records);
    while !flips.is_done() {
        flips.run(1_000);
    }
    assert_eq!(flips.reached(), (records, records), "{slug}");
    let keyframes = recording.keyframes();
    for (flip, (difference, changed)) in flips.counts().iter().zip(&plain.asked) {
        let what = format!("{slug} {difference:?}");
        assert_eq!(flip.difference, *difference);
        assert_eq!(flip.changed as usize, changed.len(), "{what}");
        assert!(flip.changed <= flip.of, "{what}");
        let step = (changed.len() / 5).max(1);
        for at in (0..changed.len()).step_by(step) {
            let id = changed[at];
            let (before, after) = (at.checked_sub(1).map(|at| changed[at]), changed.get(at + 1));
            assert_eq!(flips.next(keyframes, id.0, *difference), Some(id), "{what}");
            assert_eq!(flips.next(keyframes, id.0 + 1, *difference), after.copied(), "{what}");
            assert_eq!(flips.previous(keyframes, id.0, *difference), before, "{what}");
            assert_eq!(flips.previous(keyframes, id.0 + 1, *difference), Some(id), "{what}");
        }
        if changed.is_empty() {
            assert_eq!(flips.next(keyframes, 0, *difference), None, "{what}");
            assert_eq!(flips.previous(keyframes, u32::MAX, *difference), None, "{what}");
        }
    }
    plain.asked.into_iter().map(|(difference, changed)| (difference, changed.len())).collect()
}

/// Goal: counts and searches equal those of a plain walk, from either side of every patch; those
/// that change decisions do so somewhere, and those that change nothing never do.
#[test]
fn counts_are_those_of_a_plain_walk() {
    let (mut changed, mut alone) = (vec![0; PATCHES.len()], vec![false; PATCHES.len()]);
    let mut stops = vec![0; REVISIONS.len()];
    for (slug, patches) in [
        ("pinned-waker", revision("R1")),
        ("kick-ping-pong", revision("R2")),
        ("capped-hog", revision("4.3")),
        ("capped-hog", revision("4.13")),
        ("changes-while-running", revision("4.7")),
        ("changes-while-running", revision("4.18")),
        ("two-nodes", revision("4.6")),
        ("two-nodes", revision("4.4")),
        ("yielding-pair", revision("4.7")),
        ("yielding-pair", revision("4.18")),
        ("same-idler-twice", revision("R5")),
        ("steal-victims", revision("R9")),
        ("seed-10-vms", revision("R0")),
    ] {
        for (difference, count) in check(slug, patches) {
            match difference {
                // What comes along with a flip may change what the patch itself does not.
                Difference::Patch(patch) => {
                    let flips = (patches.flipped(patch).bits() ^ patches.bits()).count_ones();
                    alone[patch as usize] |= flips == 1;
                    changed[patch as usize] += if flips == 1 { count } else { 0 };
                }
                Difference::Stop(stop) => stops[stop] += count,
            }
        }
    }
    for info in PATCHES {
        let decides = info.kind == PatchKind::Decision && ASKED.has(info.patch);
        assert_eq!(changed[info.patch as usize] > 0, decides, "{}", info.slug);
        assert!(alone[info.patch as usize], "{} was never flipped alone", info.slug);
    }
    let silent = ["R0", "traced", "4.4", "R4", "R5", "R7", "R8", "4.11"];
    for (stop, revision) in REVISIONS.iter().enumerate() {
        assert_eq!(stops[stop] == 0, silent.contains(&revision.name), "{}", revision.name);
    }
}
