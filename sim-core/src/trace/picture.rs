//! Pictures of lanes, a pixel at a time.

use super::{BeliefLane, IDLE, RunLane, TimeColumn, Trace};
use crate::decision::{Kind, NO_ARG, Reason, Row};
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
        self.from_ns + mul_div_floor(self.to_ns - self.from_ns, pixel.into(), self.width.into())
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

/// `value * by / of`, rounded down. The result must fit.
fn mul_div_floor(value: u64, by: u64, of: u64) -> u64 {
    if let Some(product) = value.checked_mul(by) {
        return product / of;
    }
    let wide = u128::from(value) * u128::from(by) / u128::from(of);
    u64::try_from(wide).expect("the result fits")
}

/// The share in 255ths, rounded down but not to 0.
fn share_floor(busy_ns: u64, of_ns: u64) -> u8 {
    let share = u8::try_from(mul_div_floor(busy_ns, 255, of_ns)).expect("no more than the whole");
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
                let end = if end_ns == to_ns { behind } else { self.first_from(first, end_ns) };
                let (busy_ns, vcpu) = self.sum((from_ns, first), (end_ns, end));
                cell.busy = share_floor(busy_ns, seen_to - from_ns);
                cell.vcpu = vcpu;
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
        let mut marks = Vec::new();
        for (kind, times) in MarkKind::ALL.into_iter().zip(&lane.marks) {
            add_marks(times, kind, scale, &mut marks);
        }
        LanePicture {
            pcpu,
            run: lane.run.picture(scale),
            idler: spans(&lane.idler, scale),
            tickled: spans(&lane.tickled, scale),
            marks,
        }
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
        for marks in self.lanes.iter().flat_map(|lane| kinds.map(|kind| &lane.marks[kind as usize]))
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

/// Adds the marks of a kind, those of a pixel as one.
fn add_marks(times: &TimeColumn, kind: MarkKind, scale: &Scale, marks: &mut Vec<Mark>) {
    let mut place = times.first_at(scale.from_ns);
    while place < times.len() {
        let time_ns = times.get(place);
        if time_ns >= scale.to_ns {
            break;
        }
        let next = times.first_from(place, next_pixel_ns(scale, time_ns));
        let count = u32::try_from(next - place).expect("records are numbered by 32 bits");
        marks.push(Mark { time_ns, kind, count });
        place = next;
    }
}

/// Where the pixel behind the one that holds `ns` begins, in ns.
fn next_pixel_ns(scale: &Scale, ns: u64) -> u64 {
    let (length, width) = (scale.to_ns - scale.from_ns, u64::from(scale.width));
    let offset = ns - scale.from_ns;
    // The share of the way rounds down, and so does each pixel's start: the pixel that holds `ns`
    // may lie further on than the share says, by one or, where pixels have no time, by several.
    let mut next = mul_div_floor(offset, width, length) + 1;
    while next < width && mul_div_floor(length, next, width) <= offset {
        next += 1;
    }
    scale.from_ns + mul_div_floor(length, next, width)
}
