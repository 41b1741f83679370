//! Details of a record, given again by running from the keyframe before it.
//!
//! A run keeps rows; what a row was decided on is worked out when somebody asks.

use crate::decision::{Detail, Facts, Kind, NoSink, Row, Sink};
use crate::ids::DecisionId;
use crate::machine::{Machine, Snapshot, Step};
use crate::units::SimTime;

/// A record with everything that it was taken on.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// The record.
    pub row: Row,
    /// What it was taken on.
    pub detail: Detail,
    /// The machine as the decision found it: for a scheduling decision or a search for work before
    /// the pCPU's softirq was served, for all else after the event's handler.
    pub snapshot: Snapshot,
}

/// Runs a copy of `keyframe` until it makes the record `id`.
///
/// None if the keyframe lies behind the record or the run ends before it.
#[must_use]
pub fn replay(keyframe: &Machine, id: DecisionId) -> Option<Replayed> {
    if keyframe.records() > id.0 {
        return None;
    }
    let mut machine = keyframe.clone();
    let topology = machine.system().topology.clone();
    let mut catch = Catch { id, topology: &topology, caught: None };
    let mut steps_before = 0u64;
    let (row, detail) = loop {
        if machine.advance(&mut catch) == Step::End {
            return None;
        }
        if let Some(caught) = catch.caught.take() {
            break caught;
        }
        steps_before += 1;
    };
    if matches!(row.reason.kind(), Kind::Schedule | Kind::Balance) {
        machine = keyframe.clone();
        for _ in 0..steps_before {
            machine.advance(&mut NoSink);
        }
    }
    Some(Replayed { row, detail, snapshot: Snapshot { time: row.time, ..machine.snapshot() } })
}

/// The machine after everything that happens before or at `time`, by running from `keyframe`.
#[must_use]
pub fn snapshot_at(keyframe: &Machine, time: SimTime) -> Snapshot {
    let mut machine = keyframe.clone();
    while machine.next_time().is_some_and(|next| next <= time) {
        machine.advance(&mut NoSink);
    }
    Snapshot { time, ..machine.snapshot() }
}

/// Waits for one record.
struct Catch<'a> {
    id: DecisionId,
    topology: &'a crate::topology::Topology,
    caught: Option<(Row, Detail)>,
}

impl Sink for Catch<'_> {
    fn record(&mut self, id: DecisionId, row: &Row, facts: Facts<'_>) {
        if id == self.id {
            self.caught = Some((*row, Detail::of(facts, self.topology)));
        }
    }
}
