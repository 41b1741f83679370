//! When a belief about one pCPU held: the moments at which it changed.

use super::column::{Column, TimeColumn};
use crate::units::SimTime;
use alloc::vec::Vec;

const BLOCK_BITS: usize = 6;
/// Spans of a block.
const BLOCK: usize = 1 << BLOCK_BITS;

/// The spans in which a belief held. The span `n` begins at the change `2n` and ends at `2n + 1`.
#[derive(Clone, Debug, Default)]
pub struct BeliefLane {
    changes: TimeColumn,
    /// Per block of spans, the longest time between the end of one of them and the next start, in
    /// ns; the gap behind the block's last span belongs to it.
    gap_max: Column<u64>,
    gap_open: u64,
}

impl BeliefLane {
    /// The belief begins to hold or ends; a repetition is nothing new.
    pub fn set(&mut self, time: SimTime, holds: bool) {
        let len = self.changes.len();
        if (len & 1 == 1) == holds {
            return;
        }
        if holds && len > 0 {
            let gap = time.as_ns() - self.changes.get(len - 1);
            self.gap_open = self.gap_open.max(gap);
            if (len >> 1) & (BLOCK - 1) == 0 {
                self.gap_max.push(self.gap_open);
                self.gap_open = 0;
            }
        }
        self.changes.push(time);
    }

    /// The spans from `from_ns` to `to_ns`, clipped, those closer than `pixel_ns` joined. A span
    /// that is still open ends at `to_ns`.
    #[must_use]
    pub fn spans(&self, (from_ns, to_ns): (u64, u64), pixel_ns: u64) -> Vec<(u64, u64)> {
        let mut spans = Vec::new();
        if from_ns >= to_ns {
            return spans;
        }
        // The first span that ends behind the start; one that ends right there is not seen.
        let mut span = self.changes.first_after(from_ns) >> 1;
        while let Some(start) = self.change(span * 2).filter(|start| *start < to_ns) {
            span = self.join(span, to_ns, pixel_ns);
            let end = self.change(span * 2 + 1).unwrap_or(to_ns);
            spans.push((start.max(from_ns), end.min(to_ns)));
            span += 1;
        }
        spans
    }

    fn change(&self, place: usize) -> Option<u64> {
        (place < self.changes.len()).then(|| self.changes.get(place))
    }

    /// The last span before `to_ns` that can be reached from `span` over gaps shorter than a pixel.
    fn join(&self, mut span: usize, to_ns: u64, pixel_ns: u64) -> usize {
        let seen = |span: usize| self.change(span * 2).filter(|start| *start < to_ns);
        loop {
            let block = span >> BLOCK_BITS;
            let skips = span & (BLOCK - 1) == 0
                && block < self.gap_max.len()
                && self.gap_max.get(block) < pixel_ns;
            if skips && seen(span + BLOCK).is_some() {
                span += BLOCK;
                continue;
            }
            match (self.change(span * 2 + 1), seen(span + 1)) {
                (Some(end), Some(next)) if next - end < pixel_ns => span += 1,
                _ => return span,
            }
        }
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.changes.bytes() + self.gap_max.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;

    /// Goal: spans agree with a walk over all of them, at any zoom. Method: seeded random changes.
    #[test]
    fn spans_agree_with_a_plain_walk() {
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
                let pixel = 1 + rng.next() % 300;
                assert_eq!(lane.spans((from, to), pixel), walk(&plain, (from, to), pixel));
            }
        }
    }

    fn walk(plain: &[(u64, Option<u64>)], (from, to): (u64, u64), pixel: u64) -> Vec<(u64, u64)> {
        let mut spans: Vec<(u64, u64)> = Vec::new();
        let mut end_before = None;
        for (start, end) in plain {
            let end = end.unwrap_or(to);
            if end <= from || *start >= to {
                continue;
            }
            match spans.last_mut() {
                Some(last) if end_before.is_some_and(|e| start - e < pixel) => last.1 = end.min(to),
                _ => spans.push(((*start).max(from), end.min(to))),
            }
            end_before = Some(end);
        }
        spans
    }
}
