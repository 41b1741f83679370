//! What is kept of a run: columns per pCPU and per record, and pictures made from them.
//!
//! Written in order of time by [`Trace`]'s methods, read at any zoom. A cell tells the truth about
//! what is under it: shares, counts and the longest are exact. This module must not know the
//! scheduler or the machine.

mod belief_lane;
mod buckets;
mod column;
mod marks;
mod packed;
mod picture;
mod rows;
mod run_lane;
mod stretch;
mod under;

pub use belief_lane::{BeliefLane, BeliefSums};
pub use column::{Column, TimeColumn, Times};
pub use picture::{
    Arrow, ArrowKind, BeliefPicture, Cell, LanePicture, MARK_KINDS, Mark, MarkKind, RunPicture,
    Scale, Segment,
};
pub use rows::{Rows, Wanted};
pub use run_lane::{IDLE, RunLane, RunSum, RunSums, SWITCHING};
pub use stretch::{PcpuStretch, STRETCH_SEGMENTS_MAX, Stretch};
pub use under::{Thing, Under, What};

use self::marks::MarkLane;
use crate::cpumask::CpuMask;
use crate::decision::{Belief, Kind, Reason, Row};
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::units::{SimDuration, SimTime};
use alloc::vec::Vec;

/// The most buckets of time that a sum is kept for, on all pCPUs and on one.
const BUCKETS_ALL: usize = 1 << 18;
const BUCKETS_MAX: usize = 1 << 13;

/// What is kept of one pCPU.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    /// What runs.
    pub run: RunLane,
    /// When it was believed idle.
    pub idler: BeliefLane,
    /// When it was told to schedule and had not yet done so.
    pub tickled: BeliefLane,
    /// Per kind of mark, when one was left here.
    marks: [MarkLane; MARK_KINDS],
}

/// What is kept of a run.
#[derive(Clone, Debug)]
pub struct Trace {
    /// The records.
    pub rows: Rows,
    lanes: Vec<Lane>,
    /// pCPUs that a tickle told besides the one that its row names, in order of records.
    tickled_besides: Vec<(DecisionId, PcpuId)>,
    /// The pCPU that a pick moved its vCPU away from, in order of records.
    moved_from: Vec<(DecisionId, PcpuId)>,
    guests: usize,
    ipi_latency: SimDuration,
}

impl Trace {
    /// The trace of a machine whose pCPUs are idle, and believed idle where `idlers` says so.
    #[must_use]
    pub fn new(guests: usize, idlers: &CpuMask, pcpus: usize, ipi_latency: SimDuration) -> Self {
        let most = (BUCKETS_ALL / pcpus.max(1)).clamp(2, BUCKETS_MAX).next_power_of_two();
        let lane = |_| Lane {
            run: RunLane::with_buckets(most),
            idler: BeliefLane::with_buckets(most),
            tickled: BeliefLane::with_buckets(most),
            marks: core::array::from_fn(|_| MarkLane::with_buckets(most)),
        };
        let mut lanes: Vec<Lane> = (0..pcpus).map(lane).collect();
        for (pcpu, lane) in (0u16..).map(PcpuId).zip(&mut lanes) {
            lane.run.push(SimTime::ZERO, IDLE);
            lane.idler.set(SimTime::ZERO, idlers.contains(pcpu));
        }
        Self {
            rows: Rows::default(),
            lanes,
            tickled_besides: Vec::new(),
            moved_from: Vec::new(),
            guests,
            ipi_latency,
        }
    }

    /// How many vCPUs are guests; the numbers from there on are idle vCPUs.
    #[must_use]
    pub fn guests(&self) -> usize {
        self.guests
    }

    /// The pCPUs' lanes.
    #[must_use]
    pub fn lanes(&self) -> &[Lane] {
        &self.lanes
    }

    /// The next record.
    pub fn record(&mut self, row: &Row) {
        self.rows.push(row);
        let kind = match row.reason.kind() {
            Kind::Wake => MarkKind::Wake,
            Kind::Account => MarkKind::Account,
            _ if row.reason == Reason::BalanceStole => MarkKind::Steal,
            _ => return,
        };
        self.mark(row.time, row.pcpu, kind);
    }

    /// The tickle `id` told these pCPUs, and pushed the vCPU of `kicked` out.
    pub fn tickle(
        &mut self,
        (id, time): (DecisionId, SimTime),
        tickled: &CpuMask,
        kicked: Option<PcpuId>,
    ) {
        for (place, pcpu) in tickled.iter().enumerate() {
            self.mark(time, pcpu, MarkKind::Tickled);
            if place > 0 {
                self.tickled_besides.push((id, pcpu));
            }
        }
        if let Some(pcpu) = kicked {
            self.mark(time, pcpu, MarkKind::Kick);
        }
    }

    /// The pick `id` moved a vCPU away from `old`.
    pub fn migrate(&mut self, (id, time): (DecisionId, SimTime), old: PcpuId) {
        self.mark(time, old, MarkKind::Migrate);
        self.moved_from.push((id, old));
    }

    /// The pCPUs that the tickle `id` told besides the one that its row names.
    #[must_use]
    pub fn told_besides(&self, id: DecisionId) -> &[(DecisionId, PcpuId)] {
        let all = &self.tickled_besides;
        let first = all.partition_point(|(other, _)| *other < id);
        let behind = all.partition_point(|(other, _)| *other <= id);
        &all[first..behind]
    }

    fn mark(&mut self, time: SimTime, pcpu: PcpuId, kind: MarkKind) {
        self.lanes[pcpu.index()].marks[kind as usize].push(time);
    }

    /// A vCPU makes progress from now on.
    pub fn progress(&mut self, time: SimTime, pcpu: PcpuId, vcpu: VcpuId) {
        let vcpu = if vcpu.index() < self.guests { vcpu.0 } else { IDLE };
        self.lanes[pcpu.index()].run.push(time, vcpu);
    }

    /// A pCPU is inside a context switch from now on.
    pub fn switching(&mut self, time: SimTime, pcpu: PcpuId) {
        self.lanes[pcpu.index()].run.push(time, SWITCHING);
    }

    /// A belief about a pCPU became true or false.
    pub fn belief(&mut self, time: SimTime, pcpu: PcpuId, belief: Belief, holds: bool) {
        let lane = &mut self.lanes[pcpu.index()];
        match belief {
            Belief::Idler => lane.idler.set(time, holds),
            Belief::Tickled => lane.tickled.set(time, holds),
        }
    }

    /// How many segments there are on all pCPUs.
    #[must_use]
    pub fn segments(&self) -> usize {
        self.lanes.iter().map(|lane| lane.run.len()).sum()
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let lane = |lane: &Lane| {
            let marks: usize = lane.marks.iter().map(MarkLane::bytes).sum();
            marks + lane.run.bytes() + lane.idler.bytes() + lane.tickled.bytes()
        };
        let besides = self.tickled_besides.capacity() + self.moved_from.capacity();
        self.rows.bytes()
            + self.lanes.iter().map(lane).sum::<usize>()
            + besides * size_of::<(DecisionId, PcpuId)>()
    }
}
