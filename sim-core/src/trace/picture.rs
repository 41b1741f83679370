//! Pictures of lanes, a cell at a time.

use super::marks::{MarkLane, count_until};
use super::{BeliefLane, RunLane, Trace};
use crate::decision::{Kind, NO_ARG, Reason, Row};
use crate::ids::{DecisionId, PcpuId};
use alloc::vec::Vec;

/// From `start_ns` until the next segment, `vcpu` runs ([`IDLE`](super::IDLE),
/// [`SWITCHING`](super::SWITCHING)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Start, in ns.
    pub start_ns: u64,
    /// Who.
    pub vcpu: u16,
}

/// What a cell hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Share of the cell's time that guests ran, as far as it is known, in 255ths: rounded down,
    /// but not to 0. So 255 says all of it and 0 says none.
    pub busy: u8,
    /// The guest that ran longest without a break within the cell; the earlier of equals,
    /// [`IDLE`](super::IDLE) if none ran.
    pub vcpu: u16,
    /// How many segments begin here; 65,535 stands for that many or more.
    pub count: u16,
}

/// What runs on a pCPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunPicture {
    /// Every segment; the first may begin before the picture.
    Segments(Vec<Segment>),
    /// The cells of the picture's scale.
    Cells(Vec<Cell>),
}

/// When a belief about a pCPU holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BeliefPicture {
    /// Start and end of each span in ns, clipped.
    Spans(Vec<(u64, u64)>),
    /// The share of each cell in 255ths: rounded down, but not to 0.
    Shares(Vec<u8>),
}

/// What a mark stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum MarkKind {
    /// A wake-up was handled here.
    Wake,
    /// This pCPU was tickled.
    Tickled,
    /// The vCPU running here was pushed out.
    Kick,
    /// This pCPU stole a vCPU.
    Steal,
    /// A vCPU was moved away from here.
    Migrate,
    /// An accounting ran here.
    Account,
}

/// How many kinds of marks there are.
pub const MARK_KINDS: usize = 6;

impl MarkKind {
    /// All kinds, in order.
    pub const ALL: [Self; MARK_KINDS] =
        [Self::Wake, Self::Tickled, Self::Kick, Self::Steal, Self::Migrate, Self::Account];
}

/// Something that happened on a lane: all of a kind within a cell are one mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// When the first of them happened, in ns.
    pub time_ns: u64,
    /// What.
    pub kind: MarkKind,
    /// How many.
    pub count: u32,
}

/// What an arrow stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ArrowKind {
    /// A tickle, from the deciding pCPU to the tickled one.
    Tickle,
    /// A steal, from the victim to the thief.
    Steal,
    /// A move, from the old pCPU to the new one.
    Migrate,
}

/// Something that goes from one lane to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// What.
    pub kind: ArrowKind,
    /// The lane that it leaves.
    pub from: PcpuId,
    /// The lane that it goes to; may be the same.
    pub to: PcpuId,
    /// When it leaves, in ns.
    pub start_ns: u64,
    /// When it arrives, in ns.
    pub end_ns: u64,
    /// The record that decided it.
    pub record: DecisionId,
}

/// One lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LanePicture {
    /// The pCPU.
    pub pcpu: PcpuId,
    /// What runs.
    pub run: RunPicture,
    /// Believed idle.
    pub idler: BeliefPicture,
    /// Told to schedule and not yet done so.
    pub tickled: BeliefPicture,
    /// Marks, kind by kind in order of time; without the kinds that stand in `counts`.
    pub marks: Vec<Mark>,
    /// Kinds of which there are too many to be told apart: how many in each cell; 65,535 stands
    /// for that many or more.
    pub counts: Vec<(MarkKind, Vec<u16>)>,
}

/// The time that a picture shows, and how finely: cells of 2^`shift` ns.
///
/// Cells lie on a grid that begins at 0, whatever the picture shows: so the same ns stands in the
/// same cell of every picture of that fineness, and a cell is two of the next finer one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Start, in ns.
    pub from_ns: u64,
    /// End, in ns, behind the start.
    pub to_ns: u64,
    /// A cell is 2 to the power of this many ns long.
    pub shift: u32,
    /// Up to where there is anything, in ns.
    pub reached_ns: u64,
}

impl Scale {
    /// How many cells there are, those at the rims included that the picture shows in part.
    #[must_use]
    pub fn cells(&self) -> usize {
        let last = (self.to_ns - 1) >> self.shift;
        let count = last - (self.from_ns >> self.shift) + 1;
        usize::try_from(count).unwrap_or(usize::MAX)
    }

    /// Start and end of each cell in ns, as far as it is shown and known.
    pub(super) fn parts(&self) -> impl Iterator<Item = (u64, u64)> + use<> {
        let (shift, end_ns) = (self.shift, self.end_ns().max(self.from_ns));
        let first = self.from_ns >> shift;
        let last = first + (self.cells() as u64 - 1);
        let ends = (first..=last).map(move |cell| ((cell << shift) + (1 << shift)).min(end_ns));
        let mut start = self.from_ns;
        ends.map(move |end| (core::mem::replace(&mut start, end), end))
    }

    /// The end of what can be seen, in ns.
    pub(super) fn end_ns(&self) -> u64 {
        self.to_ns.min(self.reached_ns)
    }
}

/// The share in 255ths, rounded down but not to 0; 0 of no time at all.
fn share_floor(part_ns: u64, of_ns: u64) -> u8 {
    if part_ns == 0 {
        return 0;
    }
    let share = match part_ns.checked_mul(255) {
        Some(product) => product / of_ns,
        None => part_ns / (of_ns / 255),
    };
    u8::try_from(share).unwrap_or(u8::MAX).max(1)
}

impl RunLane {
    /// A cell for each of the scale's.
    #[must_use]
    pub fn cells(&self, scale: &Scale) -> Vec<Cell> {
        let mut sums = self.sums_from(scale.from_ns);
        let cell = |(start_ns, end_ns)| {
            let sum = sums.cell(scale.shift, (start_ns, end_ns));
            let busy = share_floor(sum.busy_ns, end_ns - start_ns);
            Cell { busy, vcpu: sum.vcpu, count: u16::try_from(sum.count).unwrap_or(u16::MAX) }
        };
        scale.parts().map(cell).collect()
    }

    /// Every segment, or cells if there are more segments than cells.
    #[must_use]
    pub fn picture(&self, scale: &Scale) -> RunPicture {
        let behind = self.first_at(scale.end_ns());
        // The segment that goes on at the start is seen too.
        let first = self.first_at(scale.from_ns.saturating_add(1)).saturating_sub(1);
        if behind.saturating_sub(first) > scale.cells() {
            return RunPicture::Cells(self.cells(scale));
        }
        let segment = |place| {
            let (start_ns, vcpu) = self.segment(place);
            Segment { start_ns, vcpu }
        };
        RunPicture::Segments((first..behind).map(segment).collect())
    }
}

impl BeliefLane {
    /// Every span, or the share of each cell if there are more spans than cells.
    #[must_use]
    pub fn picture(&self, scale: &Scale) -> BeliefPicture {
        let span = (scale.from_ns, scale.end_ns());
        if self.count(span) <= scale.cells() + 1 {
            let spans = self.spans(span);
            if spans.len() <= scale.cells() {
                return BeliefPicture::Spans(spans);
            }
        }
        let mut sums = self.sums_from(scale.from_ns);
        let share = |(start_ns, end_ns)| {
            share_floor(sums.cell(scale.shift, (start_ns, end_ns)), end_ns - start_ns)
        };
        BeliefPicture::Shares(scale.parts().map(share).collect())
    }
}

impl Trace {
    /// A picture of one lane.
    #[must_use]
    pub fn lane_picture(&self, pcpu: PcpuId, scale: &Scale) -> LanePicture {
        let lane = &self.lanes[pcpu.index()];
        let mut picture = LanePicture {
            pcpu,
            run: lane.run.picture(scale),
            idler: lane.idler.picture(scale),
            tickled: lane.tickled.picture(scale),
            marks: Vec::new(),
            counts: Vec::new(),
        };
        for (kind, marks) in MarkKind::ALL.into_iter().zip(&lane.marks) {
            add_marks(marks, kind, scale, &mut picture);
        }
        picture
    }

    /// Arrows that touch the picture and one of its lanes; none at all if there are more than
    /// `most`, since nobody could tell them apart.
    #[must_use]
    pub fn arrows(&self, lanes: core::ops::Range<u16>, scale: &Scale, most: usize) -> Vec<Arrow> {
        // An arrow that has not yet arrived is seen too.
        let from_ns = scale.from_ns.saturating_sub(self.ipi_latency.as_ns());
        let kinds = [MarkKind::Tickled, MarkKind::Steal, MarkKind::Migrate];
        // Every mark has an arrow, but it need not touch the lanes of a picture that lacks some:
        // then look no further than at several times as many as can be drawn.
        let shows_all = lanes.start == 0 && usize::from(lanes.end) >= self.lanes.len();
        let most_marks = if shows_all { most } else { most.saturating_mul(4) };
        let mut times = Vec::new();
        for marks in
            self.lanes.iter().flat_map(|lane| kinds.map(|kind| lane.marks[kind as usize].times()))
        {
            let first = marks.first_at(from_ns);
            let behind = marks.first_from(first, scale.to_ns);
            if times.len() + (behind - first) > most_marks {
                return Vec::new();
            }
            times.extend((first..behind).map(|place| marks.get(place)));
        }
        times.sort_unstable();
        times.dedup();
        let made = times.into_iter().flat_map(|ns| self.rows.at_instant(ns));
        let arrows = made.flat_map(|(id, row)| self.arrows_of(id, &row));
        let seen = arrows.filter(|arrow| {
            let seen = lanes.contains(&arrow.from.0) || lanes.contains(&arrow.to.0);
            seen && arrow.end_ns >= scale.from_ns
        });
        let arrows: Vec<Arrow> = seen.take(most.saturating_add(1)).collect();
        if arrows.len() > most { Vec::new() } else { arrows }
    }

    /// The record that left a mark of a kind on a lane, the first of several at one instant.
    #[must_use]
    pub fn marked(&self, pcpu: PcpuId, kind: MarkKind, ns: u64) -> Option<DecisionId> {
        let noted = |list: &[(DecisionId, PcpuId)], id| list.binary_search(&(id, pcpu)).is_ok();
        let left_it = |(id, row): &(DecisionId, Row)| {
            let here = row.pcpu == pcpu;
            let of = row.reason.kind();
            match kind {
                MarkKind::Wake => here && of == Kind::Wake,
                MarkKind::Account => here && of == Kind::Account,
                MarkKind::Steal => here && row.reason == Reason::BalanceStole,
                MarkKind::Kick => here && row.reason == Reason::TickleA4,
                MarkKind::Tickled => {
                    of == Kind::Tickle && (row.arg == pcpu.0 || noted(&self.tickled_besides, *id))
                }
                MarkKind::Migrate => of == Kind::Pick && noted(&self.moved_from, *id),
            }
        };
        self.rows.at_instant(ns).find(left_it).map(|(id, _)| id)
    }

    /// The arrows of a record.
    fn arrows_of(&self, record: DecisionId, row: &Row) -> impl Iterator<Item = Arrow> + use<'_> {
        let (start_ns, here, arg) = (row.time.as_ns(), row.pcpu, PcpuId(row.arg));
        let latency_ns = self.ipi_latency.as_ns();
        let aside = |list: &'_ [(DecisionId, PcpuId)]| {
            let first = list.partition_point(|(id, _)| *id < record);
            let behind = list.partition_point(|(id, _)| *id <= record);
            first..behind
        };
        let arrow =
            move |kind, from, to, end_ns| Arrow { kind, from, to, start_ns, end_ns, record };
        let tells = row.reason.kind() == Kind::Tickle && row.arg != NO_ARG;
        let besides = if tells { aside(&self.tickled_besides) } else { 0..0 };
        let besides = self.tickled_besides[besides].iter().map(|(_, pcpu)| *pcpu);
        let tickled = tells.then_some(arg).into_iter().chain(besides);
        let tickles = tickled.map(move |to| {
            let end_ns = if to == here { start_ns } else { start_ns + latency_ns };
            arrow(ArrowKind::Tickle, here, to, end_ns)
        });
        let steals = row.reason == Reason::BalanceStole;
        let steal = steals.then(|| arrow(ArrowKind::Steal, arg, here, start_ns));
        let moves = if row.reason.kind() == Kind::Pick { aside(&self.moved_from) } else { 0..0 };
        let moves = self.moved_from[moves].iter();
        let moves = moves.map(move |(_, old)| arrow(ArrowKind::Migrate, *old, arg, start_ns));
        tickles.chain(steal).chain(moves)
    }
}

/// Marks of a kind are told apart as long as there is not more than one in so many cells.
const CELLS_PER_MARK: usize = 4;
/// Adds the marks of a kind: those of a cell as one, or all cells' counts if there are many.
fn add_marks(lane: &MarkLane, kind: MarkKind, scale: &Scale, picture: &mut LanePicture) {
    let end_ns = scale.end_ns().max(scale.from_ns);
    let count = lane.count((scale.from_ns, end_ns));
    if count > scale.cells() / CELLS_PER_MARK {
        picture.counts.push((kind, lane.cells(scale)));
        return;
    }
    let first = lane.times().first_at(scale.from_ns);
    let mut reader = lane.times().times_from(first);
    while let Some(time_ns) = reader.peek().filter(|_| reader.place() < first + count) {
        let cell_end_ns = ((time_ns | ((1 << scale.shift) - 1)) + 1).min(end_ns);
        let count = count_until(&mut reader, cell_end_ns);
        let count = u32::try_from(count).expect("records are numbered by 32 bits");
        picture.marks.push(Mark { time_ns, kind, count });
    }
}
