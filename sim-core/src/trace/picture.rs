//! Pictures of lanes, a pixel at a time.

use super::{BeliefLane, Column, IDLE, Lane, RunLane, Trace};
use crate::ids::{DecisionId, PcpuId};
use alloc::vec::Vec;

/// From `start_ns` until the next segment, `vcpu` runs ([`IDLE`], [`SWITCHING`](super::SWITCHING)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Start, in ns.
    pub start_ns: u64,
    /// Who.
    pub vcpu: u16,
}

/// What a pixel hides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Share of the pixel's time that guests ran, in 255ths: rounded down, but not to 0. So 255
    /// says all of it and 0 says none.
    pub busy: u8,
    /// The guest that ran longest without a break within the pixel; the earlier of equals,
    /// [`IDLE`] if none ran.
    pub vcpu: u16,
    /// How many segments begin here; 65,535 stands for that many or more.
    pub count: u16,
}

/// What runs on a pCPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunPicture {
    /// Every segment; the first may begin before the picture.
    Segments(Vec<Segment>),
    /// A cell a pixel.
    Cells(Vec<Cell>),
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

/// Something that happened on a lane: all of a kind within a pixel are one mark.
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
    /// Believed idle: start and end in ns, clipped; spans closer than a pixel are joined.
    pub idler: Vec<(u64, u64)>,
    /// Told to schedule and not yet done so: likewise.
    pub tickled: Vec<(u64, u64)>,
    /// Marks, kind by kind in order of time.
    pub marks: Vec<Mark>,
}

/// The time that a picture shows, and how finely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// Start, in ns.
    pub from_ns: u64,
    /// End, in ns, behind the start.
    pub to_ns: u64,
    /// Pixels, at least 1.
    pub width: u32,
    /// Up to where there is anything, in ns.
    pub reached_ns: u64,
}

impl Scale {
    /// Where a pixel begins, in ns, rounded down; that of the pixel behind the last is the end.
    ///
    /// A picture of fewer ns than pixels has pixels without time; they look at the ns they stand
    /// in.
    #[must_use]
    pub fn pixel_ns(&self, pixel: u32) -> u64 {
        let offset = u128::from(self.to_ns - self.from_ns) * u128::from(pixel);
        let offset = offset / u128::from(self.width);
        self.from_ns + u64::try_from(offset).expect("no more than the picture's length")
    }

    /// The length of a pixel, in ns, rounded down, at least 1.
    #[must_use]
    pub fn pixel_len_ns(&self) -> u64 {
        ((self.to_ns - self.from_ns) / u64::from(self.width)).max(1)
    }

    /// The end of what can be seen, in ns.
    fn end_ns(&self) -> u64 {
        self.to_ns.min(self.reached_ns)
    }
}

/// The share in 255ths, rounded down but not to 0.
fn share_floor(busy_ns: u64, of_ns: u64) -> u8 {
    let share = u128::from(busy_ns) * 255 / u128::from(of_ns);
    let share = u8::try_from(share).expect("no more than the whole");
    if busy_ns > 0 { share.max(1) } else { 0 }
}

impl RunLane {
    /// A cell a pixel.
    #[must_use]
    pub fn cells(&self, scale: &Scale) -> Vec<Cell> {
        let reached = scale.reached_ns;
        let mut from_ns = scale.from_ns;
        let mut first = self.first_at(from_ns);
        let cell = |pixel| {
            let to_ns = scale.pixel_ns(pixel + 1);
            let behind = self.first_from(first, to_ns);
            let count = u16::try_from(behind - first).unwrap_or(u16::MAX);
            // A pixel without time looks at the ns that it stands in.
            let seen_to = to_ns.max(from_ns + 1);
            let end_ns = seen_to.min(reached);
            let mut cell = Cell { busy: 0, vcpu: IDLE, count };
            if end_ns > from_ns {
                let end = (end_ns, self.first_from(first, end_ns));
                let stretch = self.stretch((from_ns, first), end);
                cell.busy = share_floor(stretch.busy_ns, seen_to - from_ns);
                cell.vcpu = stretch.vcpu;
            }
            (from_ns, first) = (to_ns, behind);
            cell
        };
        (0..scale.width).map(cell).collect()
    }

    /// Every segment, or a cell a pixel if there are more segments than pixels.
    #[must_use]
    pub fn picture(&self, scale: &Scale) -> RunPicture {
        let behind = self.first_at(scale.end_ns());
        // The segment that goes on at the start is seen too.
        let first = self.first_at(scale.from_ns.saturating_add(1)).saturating_sub(1);
        if behind.saturating_sub(first) > scale.width as usize {
            return RunPicture::Cells(self.cells(scale));
        }
        let segment = |place| {
            let (start_ns, vcpu) = self.segment(place);
            Segment { start_ns, vcpu }
        };
        RunPicture::Segments((first..behind).map(segment).collect())
    }
}

fn spans(lane: &BeliefLane, scale: &Scale) -> Vec<(u64, u64)> {
    lane.spans((scale.from_ns, scale.end_ns()), scale.pixel_len_ns())
}

impl Trace {
    /// A picture of one lane.
    #[must_use]
    pub fn lane_picture(&self, pcpu: PcpuId, scale: &Scale) -> LanePicture {
        let lane = &self.lanes[pcpu.index()];
        LanePicture {
            pcpu,
            run: lane.run.picture(scale),
            idler: spans(&lane.idler, scale),
            tickled: spans(&lane.tickled, scale),
            marks: MarkKind::ALL.iter().flat_map(|kind| self.marks(lane, *kind, scale)).collect(),
        }
    }

    /// The marks of a kind, those of a pixel as one.
    fn marks(&self, lane: &Lane, kind: MarkKind, scale: &Scale) -> Vec<Mark> {
        let ids = &lane.marks[kind as usize];
        let mut marks = Vec::new();
        let mut place = self.first_mark(ids, 0, scale.from_ns);
        while place < ids.len() {
            let time_ns = self.rows.time_ns(ids.get(place));
            if time_ns >= scale.to_ns {
                break;
            }
            let next = self.first_mark(ids, place, next_pixel_ns(scale, time_ns));
            let count = u32::try_from(next - place).expect("records are numbered by 32 bits");
            marks.push(Mark { time_ns, kind, count });
            place = next;
        }
        marks
    }

    /// The first mark at or behind `from` that is not before `ns`, by steps that double.
    fn first_mark(&self, ids: &Column<u32>, from: usize, ns: u64) -> usize {
        let early = |place: usize| self.rows.time_ns(ids.get(place)) < ns;
        let (mut low, mut step) = (from, 1);
        while low < ids.len() && early(low) {
            let next = (low + step).min(ids.len());
            if next == ids.len() || !early(next) {
                let (mut from, mut to) = (low + 1, next);
                while from < to {
                    let middle = from.midpoint(to);
                    if early(middle) {
                        from = middle + 1;
                    } else {
                        to = middle;
                    }
                }
                return from;
            }
            low = next;
            step *= 2;
        }
        low
    }

    /// Arrows that touch the picture and one of its lanes; none at all if there are more than
    /// `most`, since nobody could tell them apart.
    #[must_use]
    pub fn arrows(&self, lanes: core::ops::Range<u16>, scale: &Scale, most: usize) -> Vec<Arrow> {
        let from_ns = scale.from_ns.saturating_sub(self.ipi_latency.as_ns());
        let kinds = [MarkKind::Tickled, MarkKind::Steal, MarkKind::Migrate];
        let mut arrows = Vec::new();
        for (lane, kind) in self.lanes.iter().zip(0u16..).flat_map(|l| kinds.map(|k| (l, k))) {
            let (lane, pcpu) = lane;
            let ids = &lane.marks[kind as usize];
            let first = self.first_mark(ids, 0, from_ns);
            let behind = self.first_mark(ids, first, scale.to_ns);
            // One lane alone may bring arrows of others: look no further than at several times
            // as many as can be drawn.
            if behind - first > most * 4 {
                return Vec::new();
            }
            let found = (first..behind).map(|place| self.arrow(ids.get(place), kind, PcpuId(pcpu)));
            arrows.extend(found.filter(|arrow| {
                let seen = lanes.contains(&arrow.from.0) || lanes.contains(&arrow.to.0);
                seen && arrow.end_ns >= scale.from_ns
            }));
            if arrows.len() > most {
                return Vec::new();
            }
        }
        arrows.sort_by_key(|arrow| (arrow.record, arrow.to.0));
        arrows
    }

    /// The arrow of a mark that a record left on a lane.
    fn arrow(&self, id: u32, kind: MarkKind, lane: PcpuId) -> Arrow {
        let record = DecisionId(id);
        let row = self.rows.get(record).expect("marks are left by records");
        let start_ns = row.time.as_ns();
        let (kind, from, to, end_ns) = match kind {
            MarkKind::Steal => (ArrowKind::Steal, PcpuId(row.arg), lane, start_ns),
            MarkKind::Migrate => (ArrowKind::Migrate, lane, PcpuId(row.arg), start_ns),
            _ if lane == row.pcpu => (ArrowKind::Tickle, row.pcpu, lane, start_ns),
            _ => (ArrowKind::Tickle, row.pcpu, lane, start_ns + self.ipi_latency.as_ns()),
        };
        Arrow { kind, from, to, start_ns, end_ns, record }
    }
}

/// Where the pixel behind the one that holds `ns` begins, in ns.
fn next_pixel_ns(scale: &Scale, ns: u64) -> u64 {
    let length = u128::from(scale.to_ns - scale.from_ns);
    let width = u128::from(scale.width);
    // The last pixel whose start, rounded down, is not behind `ns`.
    let pixel = ((u128::from(ns - scale.from_ns) + 1) * width - 1) / length;
    let pixel = u32::try_from(pixel + 1).expect("no more than the picture's width");
    scale.pixel_ns(pixel.min(scale.width))
}
