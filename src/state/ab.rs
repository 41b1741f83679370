//! Two runs side by side: which one is in hand, and what is kept of the other.
//!
//! The state's own run is always the one in hand: steps, panels and pictures are about it. Taking
//! the other one in hand exchanges the two. View, cursor and row are one for both.

use super::{Asked, Phase, Run, Selection, State, select};
use crate::protocol::{Now, Overview, Parting, Place, Record, RunId, Side, Tile};
use sim_core::patches::PatchSet;
use sim_core::scenario::Scenario;
use std::mem::swap;
use std::rc::Rc;

/// Two runs side by side.
#[derive(Clone, Debug)]
pub struct Ab {
    /// Which side is in hand.
    pub side: Side,
    /// The run that is not in hand.
    pub other: Other,
    /// Where the two part; none until it is known.
    pub parting: Option<Parting>,
    /// Go to the parting as soon as it is known.
    pub go: bool,
    /// Where the other run was last asked for the record that is selected in this one.
    pub matched: Option<(RunId, Place)>,
}

/// A run that is not in hand, with everything that is about it alone.
#[derive(Clone, Debug)]
pub struct Other {
    /// What runs.
    pub scenario: Rc<Scenario>,
    /// With which patches.
    pub patches: PatchSet,
    /// How the run is getting on.
    pub run: Run,
    /// The record that answers to the one selected in hand.
    pub selection: Selection,
    /// The machine at some moment.
    pub now: Option<Rc<Now>>,
    /// Its rows.
    pub tile: Option<Rc<Tile>>,
    /// Tiles that are kept.
    pub kept: Vec<Rc<Tile>>,
    /// The whole of it.
    pub overview: Option<Rc<Overview>>,
    /// What the worker has been asked about it.
    pub asked: Asked,
    /// The digest that a link promised.
    pub promised_digest: Option<u64>,
}

impl Ab {
    /// A second run beside the one in hand, not yet asked for.
    pub(super) fn new(state: &State, patches: PatchSet) -> Self {
        let other = Other {
            scenario: state.scenario.clone(),
            patches,
            run: Run { phase: Phase::Gone, duration_ns: state.run.duration_ns, ..Run::default() },
            selection: Selection::default(),
            now: None,
            tile: None,
            kept: Vec::new(),
            overview: None,
            asked: Asked::default(),
            promised_digest: None,
        };
        Self { side: Side::A, other, parting: None, go: false, matched: None }
    }

    /// What was known of both is not true any more: one of them starts anew.
    pub(super) fn forget(&mut self) {
        self.parting = None;
        self.go = false;
        self.matched = None;
    }

    /// The records at which the runs part: of the one in hand, of the other.
    #[must_use]
    pub fn parting_records(&self) -> Option<[Option<Record>; 2]> {
        let Some(Parting::At(records)) = self.parting else { return None };
        let of = |wanted: RunId| records.iter().find(|(run, _)| *run == wanted);
        let other = of(self.other.run.id)?;
        let own = records.iter().find(|(run, _)| *run != self.other.run.id)?;
        Some([own.1, other.1])
    }

    /// When the runs part, in ns.
    #[must_use]
    pub fn parting_ns(&self) -> Option<u64> {
        let records = self.parting_records()?.into_iter().flatten();
        records.map(|record| record.place.time_ns).min()
    }
}

impl State {
    /// Takes the other run in hand.
    pub(super) fn exchange(&mut self) {
        let Some(ab) = &mut self.ab else { return };
        ab.side = ab.side.other();
        let other = &mut ab.other;
        swap(&mut self.scenario, &mut other.scenario);
        swap(&mut self.patches, &mut other.patches);
        swap(&mut self.run, &mut other.run);
        swap(&mut self.selection, &mut other.selection);
        swap(&mut self.now, &mut other.now);
        swap(&mut self.pictures.tile, &mut other.tile);
        swap(&mut self.pictures.kept, &mut other.kept);
        swap(&mut self.pictures.overview, &mut other.overview);
        swap(&mut self.asked, &mut other.asked);
        swap(&mut self.promised_digest, &mut other.promised_digest);
    }

    /// Which side is in hand; A if there is no other.
    #[must_use]
    pub fn side(&self) -> Side {
        self.ab.as_ref().map_or(Side::A, |ab| ab.side)
    }

    /// A value of each side, A's first, out of the one in hand and the other's.
    #[must_use]
    pub fn sides<T>(&self, in_hand: T, other: T) -> [T; 2] {
        self.side().in_order(in_hand, other)
    }

    /// Whether everything that the other run's picture needs is there; true without another run.
    #[must_use]
    pub fn other_is_fresh(&self) -> bool {
        let Some(ab) = &self.ab else { return true };
        let Other { run, tile, selection, .. } = &ab.other;
        let explained = selection.record.is_none() || select::why_of(selection, run.id).is_some();
        run.phase == Phase::Gone
            || (run.phase == Phase::Ended
                && tile.as_ref().is_some_and(|tile| tile.run == run.id)
                && explained)
    }
}
