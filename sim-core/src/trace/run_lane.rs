//! What runs on one pCPU: segments, of which only the start is kept, and a pyramid over them.
//!
//! The pyramid holds, per block of segments, how long guests ran up to its start and the longest
//! guest segment in it, so that a stretch of any length is summed up in few steps.

use super::buckets::{Buckets, Joined};
use super::column::{Column, TimeColumn, Times};
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
    /// What runs in each part of the run, up to the start of the last segment.
    parts: Buckets<Part>,
}

/// What runs in a part of the run.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// How long guests run, in ns.
    busy_ns: u32,
    /// How many segments begin.
    count: u32,
    /// Up to the first of them, in ns; the whole part if there is none.
    head_ns: u32,
    /// From the last of them on, in ns.
    tail_ns: u32,
    /// Who runs from there on.
    tail: u16,
    /// The longest guest segment of those in between, in ns and by whom.
    inner: (u32, u16),
}

impl Default for Part {
    fn default() -> Self {
        Self { busy_ns: 0, count: 0, head_ns: 0, tail_ns: 0, tail: IDLE, inner: (0, IDLE) }
    }
}

impl Part {
    /// Lets `vcpu`, who is the last to have begun, run for some ns.
    #[inline]
    fn run(&mut self, vcpu: u16, ns: u32) {
        self.busy_ns += if is_guest(vcpu) { ns } else { 0 };
        *(if self.count == 0 { &mut self.head_ns } else { &mut self.tail_ns }) += ns;
    }

    /// Lets `vcpu` begin.
    #[inline]
    fn begin(&mut self, vcpu: u16) {
        if self.count > 0 && is_guest(self.tail) && self.tail_ns > self.inner.0 {
            self.inner = (self.tail_ns, self.tail);
        }
        (self.count, self.tail_ns, self.tail) = (self.count + 1, 0, vcpu);
    }
}

impl Joined for Part {
    fn joined(self, behind: Self) -> Self {
        if self.count == 0 {
            let (busy_ns, head_ns) = (self.busy_ns, self.head_ns);
            return Self {
                busy_ns: busy_ns + behind.busy_ns,
                head_ns: head_ns + behind.head_ns,
                ..behind
            };
        }
        let mut both = self;
        both.busy_ns += behind.busy_ns;
        both.tail_ns += behind.head_ns;
        if behind.count > 0 {
            both.begin(behind.tail);
            both.count += behind.count - 1;
            both.tail_ns = behind.tail_ns;
            if behind.inner.0 > both.inner.0 {
                both.inner = behind.inner;
            }
        }
        both
    }
}

fn longer(a: Longest, b: Longest) -> Longest {
    if b.0 > a.0 { b } else { a }
}

/// Whether a number is that of a guest.
pub(super) fn is_guest(vcpu: u16) -> bool {
    vcpu < SWITCHING
}

impl RunLane {
    /// Nothing yet; sums of at most so many parts of the run.
    pub(super) fn with_buckets(most: usize) -> Self {
        Self { parts: Buckets::with_most(most), ..Self::default() }
    }

    /// From `time` on, `vcpu` runs, not before the last segment.
    #[inline]
    pub fn push(&mut self, time: SimTime, vcpu: u16) {
        let len = self.starts.len();
        if len > 0 {
            let last = self.vcpus.get(len - 1);
            let start = self.starts.get(len - 1);
            let ran_ns = time.as_ns() - start;
            self.put(last, (start, time.as_ns()));
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
        self.parts.at(time.as_ns()).begin(vcpu);
        self.starts.push(time);
        self.vcpus.push(vcpu);
    }

    /// Puts a segment into the parts of the run that it touches.
    #[inline]
    fn put(&mut self, vcpu: u16, (start_ns, end_ns): (u64, u64)) {
        // Asked for first, so that all of the segment's parts are of one length.
        self.parts.at(end_ns);
        let mut from = start_ns;
        while from < end_ns {
            let shift = self.parts.shift();
            let to = (((from >> shift) + 1) << shift).min(end_ns);
            let ns = u32::try_from(to - from).expect("parts are below 2^32 ns");
            self.parts.at(from).run(vcpu, ns);
            from = to;
        }
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
        let mut starts = self.starts.times_from(from);
        let mut start = starts.next();
        for segment in from..place {
            let end = starts.next();
            if is_guest(self.vcpus.get(segment)) {
                busy += end.zip(start).map_or(0, |(end, start)| end - start);
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

    /// Reads sums of stretches that follow each other, from `ns` on.
    #[must_use]
    pub fn sums_from(&self, ns: u64) -> RunSums<'_> {
        let first = self.first_at(ns);
        let vcpu = first.checked_sub(1).map_or(IDLE, |before| self.vcpus.get(before));
        let starts = self.starts.times_from(first);
        RunSums { lane: self, starts, start_ns: ns, vcpu, jumped: false }
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
            let mut starts = self.starts.times_from(first);
            let mut start = starts.next().unwrap_or(0);
            for segment in first..stop {
                let Some(next) = starts.next() else { break };
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
            + self.parts.bytes()
            + self.longest.iter().map(Column::bytes).sum::<usize>()
    }
}

/// What a stretch of a lane adds up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunSum {
    /// How long guests ran, in ns.
    pub busy_ns: u64,
    /// The longest that a guest ran without a break within the stretch, in ns; 0 if none ran.
    pub longest_ns: u64,
    /// That guest, the earlier of equals; [`IDLE`] if none ran.
    pub vcpu: u16,
    /// How many segments begin in it.
    pub count: usize,
}

/// Reads sums of stretches that follow each other: few segments one by one, many from the pyramid.
#[derive(Clone, Debug)]
pub struct RunSums<'a> {
    lane: &'a RunLane,
    /// The next segment's start.
    starts: Times<'a>,
    /// Up to where sums were read, in ns.
    start_ns: u64,
    /// Who runs there.
    vcpu: u16,
    /// Whether cells were read from the buckets, so that `starts` is left behind.
    jumped: bool,
}

impl RunSums<'_> {
    /// The sum of a cell of 2^`shift` ns, as far as it is known; not before the cell before.
    pub(super) fn cell(&mut self, shift: u32, (start_ns, end_ns): (u64, u64)) -> RunSum {
        let whole = (end_ns - start_ns) >> shift == 1;
        // The last segment is not in the buckets but for its start.
        let complete = self.lane.starts.last().is_some_and(|last| last >= end_ns);
        let buckets = self.lane.parts.of_cell(shift, end_ns).filter(|_| whole && complete);
        let Some(buckets) = buckets else {
            if self.start_ns != start_ns || self.jumped {
                *self = self.lane.sums_from(start_ns);
            }
            return self.until(end_ns);
        };
        if self.start_ns != start_ns {
            *self = self.lane.sums_from(start_ns);
        }
        let all = buckets.iter().fold(Part::default(), |sum, part| sum.joined(*part));
        let mut longest = NOBODY;
        if is_guest(self.vcpu) {
            longest = (u64::from(all.head_ns), self.vcpu);
        }
        longest = longer(longest, (u64::from(all.inner.0), all.inner.1));
        if all.count > 0 {
            self.vcpu = all.tail;
            if is_guest(all.tail) {
                longest = longer(longest, (u64::from(all.tail_ns), all.tail));
            }
        }
        self.start_ns = end_ns;
        self.jumped = true;
        RunSum {
            busy_ns: all.busy_ns.into(),
            longest_ns: longest.0,
            vcpu: if longest.0 > 0 { longest.1 } else { IDLE },
            count: all.count as usize,
        }
    }

    /// The sum of what follows up to `end_ns`, which lies within what has been simulated and not
    /// before the end of the stretch before.
    #[inline]
    pub fn until(&mut self, end_ns: u64) -> RunSum {
        let begun = self.starts.place();
        let (mut busy_ns, mut longest) = (0, NOBODY);
        let mut left = FEW;
        while let Some(next) = self.starts.peek().filter(|next| *next < end_ns) {
            if left == 0 {
                let (busy, long) = self.many(end_ns);
                busy_ns += busy;
                longest = longer(longest, long);
                break;
            }
            if is_guest(self.vcpu) {
                busy_ns += next - self.start_ns;
                longest = longer(longest, (next - self.start_ns, self.vcpu));
            }
            self.start_ns = next;
            self.vcpu = self.lane.vcpus.get(self.starts.place());
            self.starts.step();
            left -= 1;
        }
        if is_guest(self.vcpu) {
            busy_ns += end_ns - self.start_ns;
            longest = longer(longest, (end_ns - self.start_ns, self.vcpu));
        }
        self.start_ns = end_ns;
        let count = self.starts.place() - begun;
        RunSum { busy_ns, longest_ns: longest.0, vcpu: longest.1, count }
    }

    /// What runs up to the start of the last segment before `end_ns`; goes there.
    fn many(&mut self, end_ns: u64) -> (u64, Longest) {
        let first = self.starts.place();
        let last = self.lane.first_from(first, end_ns) - 1;
        let last_ns = self.lane.starts.get(last);
        let mut longest = self.lane.longest_of(first, last);
        let busy_ns =
            self.lane.busy_until(last_ns, last) - self.lane.busy_until(self.start_ns, first);
        let next_ns = self.lane.starts.get(first);
        if is_guest(self.vcpu) {
            longest = longer((next_ns - self.start_ns, self.vcpu), longest);
        }
        self.start_ns = last_ns;
        self.vcpu = self.lane.vcpus.get(last);
        self.starts.go(last + 1);
        (busy_ns, longest)
    }
}
