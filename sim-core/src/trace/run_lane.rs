//! What runs on one pCPU: segments, of which only the start is kept, and a pyramid over them.
//!
//! The pyramid holds, per block of segments, how long guests ran up to its start and the longest
//! guest segment in it, so that a stretch of any length is summed up in few steps.

use super::column::{Column, TimeColumn};
use crate::units::SimTime;
use alloc::vec::Vec;

/// The number of a segment in which no guest runs.
pub const IDLE: u16 = u16::MAX;
/// The number of a segment in which the pCPU switches.
pub const SWITCHING: u16 = u16::MAX - 1;

/// Segments between two sums of busy time: a sum is never further away.
const BUSY_BITS: usize = 3;
/// So many segments are summed up one by one.
const FEW: usize = 24;
const FAN_BITS: usize = 5;
/// Segments of a block, and blocks of a block of the next level.
const FAN: usize = 1 << FAN_BITS;

/// The longest guest segment of a stretch: its length in ns and its vCPU; the earlier of equals.
type Longest = (u64, u16);
const NOBODY: Longest = (0, IDLE);

/// The segments of one pCPU.
#[derive(Clone, Debug, Default)]
pub struct RunLane {
    starts: TimeColumn,
    vcpus: Column<u16>,
    /// Every few segments, how long guests ran before, in ns.
    busy_before: Column<u64>,
    /// How long guests ran before the last segment, in ns.
    busy_total: u64,
    /// Per level, the longest guest segment of each closed block.
    longest: Vec<Column<Longest>>,
    /// Per level, the longest of the block under way.
    open: Vec<Longest>,
}

fn longer(a: Longest, b: Longest) -> Longest {
    if b.0 > a.0 { b } else { a }
}

/// Whether a number is that of a guest.
fn is_guest(vcpu: u16) -> bool {
    vcpu < SWITCHING
}

impl RunLane {
    /// From `time` on, `vcpu` runs, not before the last segment.
    #[inline]
    pub fn push(&mut self, time: SimTime, vcpu: u16) {
        let len = self.starts.len();
        if len > 0 {
            let last = self.vcpus.get(len - 1);
            let ran_ns = time.as_ns() - self.starts.get(len - 1);
            if is_guest(last) {
                self.busy_total += ran_ns;
                self.close((ran_ns, last), len);
            } else {
                self.close(NOBODY, len);
            }
        }
        if len & ((1 << BUSY_BITS) - 1) == 0 {
            self.busy_before.push(self.busy_total);
        }
        self.starts.push(time);
        self.vcpus.push(vcpu);
    }

    /// Puts a segment that is now complete, the `closed`th, into the pyramid.
    #[inline]
    fn close(&mut self, segment: Longest, closed: usize) {
        let mut block = segment;
        for level in 0.. {
            if level == self.open.len() {
                self.open.push(NOBODY);
                self.longest.push(Column::default());
            }
            block = longer(self.open[level], block);
            self.open[level] = block;
            if closed & ((FAN << (level * FAN_BITS)) - 1) != 0 {
                return;
            }
            self.longest[level].push(block);
            self.open[level] = NOBODY;
        }
    }

    /// How many segments there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// A segment's start, in ns, and its vCPU.
    #[must_use]
    #[inline]
    pub fn segment(&self, place: usize) -> (u64, u16) {
        (self.starts.get(place), self.vcpus.get(place))
    }

    /// The first segment that begins at `ns` or later.
    #[must_use]
    pub fn first_at(&self, ns: u64) -> usize {
        self.starts.first_at(ns)
    }

    /// The same, searched from `from` on.
    #[must_use]
    pub fn first_from(&self, from: usize, ns: u64) -> usize {
        self.starts.first_from(from, ns)
    }

    /// How long guests ran before the start of a segment that exists, in ns.
    fn busy_before(&self, place: usize) -> u64 {
        let from = place >> BUSY_BITS << BUSY_BITS;
        let mut busy = self.busy_before.get(place >> BUSY_BITS);
        let mut start = self.starts.get(from);
        for segment in from..place {
            let end = self.starts.get(segment + 1);
            if is_guest(self.vcpus.get(segment)) {
                busy += end - start;
            }
            start = end;
        }
        busy
    }

    /// How long guests ran up to `ns`, in ns; `behind` is the first segment that begins at `ns` or
    /// later.
    fn busy_until(&self, ns: u64, behind: usize) -> u64 {
        let Some(last) = behind.checked_sub(1) else { return 0 };
        let (start, vcpu) = self.segment(last);
        self.busy_before(last) + if is_guest(vcpu) { ns - start } else { 0 }
    }

    /// How long guests ran from `from_ns` up to `to_ns`, which lies within what has been simulated,
    /// in ns, and the guest that ran longest without a break; the earlier of equals, [`IDLE`] if
    /// none ran. `first` and `behind` are the first segments that begin at or after the two.
    #[must_use]
    pub fn sum(&self, from: (u64, usize), to: (u64, usize)) -> (u64, u16) {
        if to.1 - from.1 <= FEW {
            return self.walk(from, to);
        }
        let busy_ns = self.busy_until(to.0, to.1) - self.busy_until(from.0, from.1);
        (busy_ns, self.longest_within(from, to).1)
    }

    /// The same, segment by segment.
    fn walk(&self, (from_ns, first): (u64, usize), (to_ns, behind): (u64, usize)) -> (u64, u16) {
        let (mut busy_ns, mut longest, mut start) = (0, NOBODY, from_ns);
        let mut vcpu = first.checked_sub(1).map_or(IDLE, |before| self.vcpus.get(before));
        for place in first..=behind {
            let end = if place < behind { self.starts.get(place) } else { to_ns };
            if is_guest(vcpu) {
                busy_ns += end - start;
                longest = longer(longest, (end - start, vcpu));
            }
            if place < behind {
                (start, vcpu) = (end, self.vcpus.get(place));
            }
        }
        (busy_ns, longest.1)
    }

    fn longest_within(
        &self,
        (from_ns, first): (u64, usize),
        (to_ns, behind): (u64, usize),
    ) -> Longest {
        let part =
            |from: u64, to: u64, vcpu| if is_guest(vcpu) { (to - from, vcpu) } else { NOBODY };
        let mut longest = NOBODY;
        if let Some(before) = first.checked_sub(1) {
            let end = if first < behind { self.starts.get(first) } else { to_ns };
            longest = part(from_ns, end, self.vcpus.get(before));
        }
        if first < behind {
            longest = longer(longest, self.longest_of(first, behind - 1));
            let (start, vcpu) = self.segment(behind - 1);
            longest = longer(longest, part(start, to_ns, vcpu));
        }
        longest
    }

    /// The longest guest segment from `first` up to and without `end`; all of them are complete.
    fn longest_of(&self, mut first: usize, end: usize) -> Longest {
        let mut longest = NOBODY;
        while first < end {
            if let Some(level) = self.largest_block(first, end) {
                let bits = FAN_BITS * (level + 1);
                longest = longer(longest, self.longest[level].get(first >> bits));
                first += 1 << bits;
                continue;
            }
            let stop = end.min((first | (FAN - 1)) + 1);
            let mut start = self.starts.get(first);
            for segment in first..stop {
                let next = self.starts.get(segment + 1);
                if next - start > longest.0 && is_guest(self.vcpus.get(segment)) {
                    longest = (next - start, self.vcpus.get(segment));
                }
                start = next;
            }
            first = stop;
        }
        longest
    }

    /// The highest level of which a whole block begins at `first` and ends by `end`.
    fn largest_block(&self, first: usize, end: usize) -> Option<usize> {
        let fits = |level: &usize| {
            let size = FAN << (FAN_BITS * level);
            first & (size - 1) == 0 && first + size <= end
        };
        (0..self.longest.len()).take_while(fits).last()
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.starts.bytes()
            + self.vcpus.bytes()
            + self.busy_before.bytes()
            + self.longest.iter().map(Column::bytes).sum::<usize>()
    }
}
