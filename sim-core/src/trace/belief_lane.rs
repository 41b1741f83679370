//! When a belief about one pCPU held: the moments at which it changed, and sums over them.

use super::buckets::Buckets;
use super::column::{Column, TimeColumn, Times};
use crate::units::SimTime;
use alloc::vec::Vec;

const BLOCK_BITS: usize = 4;
/// Spans between two sums.
const BLOCK: usize = 1 << BLOCK_BITS;
/// So many changes are summed up one by one.
const FEW: usize = 32;

/// The spans in which a belief held. The span `n` begins at the change `2n` and ends at `2n + 1`.
#[derive(Clone, Debug, Default)]
pub struct BeliefLane {
    changes: TimeColumn,
    /// Every few spans, how long the belief held before, in ns.
    held_before: Column<u64>,
    /// How long it held in all complete spans, in ns.
    held_total: u64,
    /// How long it held in each part of the run, in complete spans, in ns.
    parts: Buckets<u32>,
}

impl BeliefLane {
    /// It does not hold; sums of at most so many parts of the run.
    pub(super) fn with_buckets(most: usize) -> Self {
        Self { parts: Buckets::with_most(most), ..Self::default() }
    }

    /// The belief begins to hold or ends; a repetition is nothing new.
    pub fn set(&mut self, time: SimTime, holds: bool) {
        let len = self.changes.len();
        if (len & 1 == 1) == holds {
            return;
        }
        if holds {
            if (len >> 1) & (BLOCK - 1) == 0 {
                self.held_before.push(self.held_total);
            }
        } else {
            let start = self.changes.get(len - 1);
            self.held_total += time.as_ns() - start;
            self.put(start, time.as_ns());
        }
        self.changes.push(time);
    }

    /// Puts a span into the parts of the run that it touches.
    fn put(&mut self, start_ns: u64, end_ns: u64) {
        // Asked for first, so that all of the span's parts are of one length.
        self.parts.at(end_ns);
        let mut from = start_ns;
        while from < end_ns {
            let shift = self.parts.shift();
            let to = (((from >> shift) + 1) << shift).min(end_ns);
            *self.parts.at(from) += u32::try_from(to - from).expect("parts are below 2^32 ns");
            from = to;
        }
    }

    /// Whether the belief holds just behind `ns`.
    #[must_use]
    pub fn holds_at(&self, ns: u64) -> bool {
        self.changes.first_after(ns) & 1 == 1
    }

    /// How many spans touch the time from `from_ns` to `to_ns`, about: one more at most.
    #[must_use]
    pub fn count(&self, (from_ns, to_ns): (u64, u64)) -> usize {
        let first = self.changes.first_after(from_ns);
        (self.changes.first_from(first, to_ns) - first).div_ceil(2)
    }

    /// The spans from `from_ns` to `to_ns`, clipped. A span that is still open ends at `to_ns`.
    #[must_use]
    pub fn spans(&self, (from_ns, to_ns): (u64, u64)) -> Vec<(u64, u64)> {
        let mut spans = Vec::new();
        if from_ns >= to_ns {
            return spans;
        }
        // The first span that ends behind the start; one that ends right there is not seen.
        let first = self.changes.first_after(from_ns) >> 1;
        let mut changes = self.changes.times_from(first << 1);
        while let Some(start) = changes.next().filter(|start| *start < to_ns) {
            let end = changes.next().unwrap_or(to_ns);
            spans.push((start.max(from_ns), end.min(to_ns)));
        }
        spans
    }

    /// Reads sums of stretches that follow each other, from `ns` on.
    #[must_use]
    pub fn sums_from(&self, ns: u64) -> BeliefSums<'_> {
        let first = self.changes.first_at(ns);
        BeliefSums { lane: self, changes: self.changes.times_from(first), at_ns: ns }
    }

    /// How long the belief held up to `ns`, in ns; `behind` is the first change that is not before
    /// it.
    fn held_until(&self, ns: u64, behind: usize) -> u64 {
        let span = behind >> 1;
        let block = (span >> BLOCK_BITS).min(self.held_before.len().saturating_sub(1));
        if self.held_before.is_empty() {
            return 0;
        }
        let mut held = self.held_before.get(block);
        let mut changes = self.changes.times_from(block << (BLOCK_BITS + 1));
        while changes.place() < behind {
            let (Some(start), end) = (changes.next(), changes.peek()) else { break };
            let end = if changes.place() < behind { end.unwrap_or(ns) } else { ns };
            held += end - start;
            changes.step();
        }
        held
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.changes.bytes() + self.held_before.bytes() + self.parts.bytes()
    }
}

/// Reads how long a belief held in stretches that follow each other.
#[derive(Clone, Debug)]
pub struct BeliefSums<'a> {
    lane: &'a BeliefLane,
    /// The next change.
    changes: Times<'a>,
    /// Up to where sums were read, in ns.
    at_ns: u64,
}

impl BeliefSums<'_> {
    /// How long it held in a cell of 2^`shift` ns, as far as it is known, in ns; not before the
    /// cell before.
    pub(super) fn cell(&mut self, shift: u32, (start_ns, end_ns): (u64, u64)) -> u64 {
        let whole = (end_ns - start_ns) >> shift == 1;
        // A span that is still open is not in the buckets.
        let complete = self.lane.changes.len() & 1 == 0
            || self.lane.changes.last().is_some_and(|open| open >= end_ns);
        let buckets = self.lane.parts.of_cell(shift, end_ns).filter(|_| whole && complete);
        if let Some(buckets) = buckets {
            return buckets.iter().map(|held| u64::from(*held)).sum();
        }
        if self.at_ns != start_ns {
            *self = self.lane.sums_from(start_ns);
        }
        self.until(end_ns)
    }

    /// How long it held in what follows up to `end_ns`, in ns, not before the end of the stretch
    /// before.
    #[inline]
    pub fn until(&mut self, end_ns: u64) -> u64 {
        let (mut held, mut left) = (0, FEW);
        while let Some(change) = self.changes.peek().filter(|change| *change < end_ns) {
            if left == 0 {
                let before = self.lane.held_until(self.at_ns, self.changes.place());
                self.changes.seek(end_ns);
                self.at_ns = end_ns;
                return held + self.lane.held_until(end_ns, self.changes.place()) - before;
            }
            if self.changes.place() & 1 == 1 {
                held += change - self.at_ns;
            }
            self.at_ns = change;
            self.changes.step();
            left -= 1;
        }
        if self.changes.place() & 1 == 1 {
            held += end_ns - self.at_ns;
        }
        self.at_ns = end_ns;
        held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;

    /// Goal: spans and sums agree with a walk over all of them, at any zoom. Method: seeded random
    /// changes.
    #[test]
    fn spans_and_sums_agree_with_a_plain_walk() {
        let mut rng = SplitMix64::new(11);
        for round in 0..20 {
            let (mut lane, mut plain, mut now) = (BeliefLane::default(), Vec::new(), 0);
            for _ in 0..rng.next() % 3_000 {
                now += rng.next() % if round < 10 { 10 } else { 1_000 };
                let holds = !rng.next().is_multiple_of(3);
                lane.set(SimTime::from_ns(now), holds);
                match plain.last_mut() {
                    Some((_, end @ None)) if !holds => *end = Some(now),
                    Some((_, None)) => {}
                    _ if holds => plain.push((now, None)),
                    _ => {}
                }
            }
            for _ in 0..50 {
                let from = rng.next() % (now + 1);
                let to = from + 1 + rng.next() % (now + 1);
                let spans = walk(&plain, (from, to));
                assert_eq!(lane.spans((from, to)), spans);
                assert!(lane.count((from, to)).abs_diff(spans.len()) <= 1);
                let mut sums = lane.sums_from(from);
                let (mut start, step) = (from, 1 + rng.next() % (to - from).min(900));
                while start < to {
                    let end = (start + step).min(to);
                    let held: u64 = walk(&plain, (start, end)).iter().map(|(a, b)| b - a).sum();
                    assert_eq!(sums.until(end), held, "{start} to {end}");
                    start = end;
                }
            }
        }
    }

    fn walk(plain: &[(u64, Option<u64>)], (from, to): (u64, u64)) -> Vec<(u64, u64)> {
        let spans = plain.iter().map(|(start, end)| (*start, end.unwrap_or(to)));
        let seen = spans.filter(|(start, end)| *end > from && *start < to);
        seen.map(|(start, end)| (start.max(from), end.min(to))).collect()
    }
}
