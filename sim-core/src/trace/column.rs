//! Columns that only grow: chunks of fixed length, never copied, read by position.
//!
//! This module must not know what stands in a column.

use crate::units::SimTime;
use alloc::vec::Vec;

const CHUNK_BITS: usize = 12;
const CHUNK: usize = 1 << CHUNK_BITS;

/// A column of plain values.
#[derive(Clone, Debug)]
pub struct Column<T> {
    /// *Invariant*: all chunks but the last hold [`CHUNK`] values.
    chunks: Vec<Vec<T>>,
    len: usize,
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self { chunks: Vec::new(), len: 0 }
    }
}

impl<T: Copy> Column<T> {
    /// Adds a value.
    #[inline]
    pub fn push(&mut self, value: T) {
        if self.len & (CHUNK - 1) == 0 {
            // The first chunk grows as it needs: a machine has many columns that stay short.
            let room = if self.len == 0 { 0 } else { CHUNK };
            self.chunks.push(Vec::with_capacity(room));
        }
        self.chunks[self.len >> CHUNK_BITS].push(value);
        self.len += 1;
    }

    /// How many values there are.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The value at a place that exists.
    #[must_use]
    #[inline]
    pub fn get(&self, place: usize) -> T {
        self.chunks[place >> CHUNK_BITS][place & (CHUNK - 1)]
    }

    /// The value at a place, to change it.
    pub fn get_mut(&mut self, place: usize) -> &mut T {
        &mut self.chunks[place >> CHUNK_BITS][place & (CHUNK - 1)]
    }

    /// The last value.
    #[must_use]
    pub fn last(&self) -> Option<T> {
        self.chunks.last().and_then(|chunk| chunk.last().copied())
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.chunks.iter().map(Vec::capacity).sum::<usize>() * size_of::<T>()
    }
}

/// Points in time that never go back, in half the room: the high half stands aside and is written
/// down only where it changes.
#[derive(Clone, Debug, Default)]
pub struct TimeColumn {
    low: Column<u32>,
    /// Place from which on a high half counts, and the half.
    high: Vec<(usize, u32)>,
}

impl TimeColumn {
    /// Adds a time, not before the last.
    #[inline]
    pub fn push(&mut self, time: SimTime) {
        let ns = time.as_ns();
        let high = u32::try_from(ns >> 32).expect("32 bits");
        if self.high.last().is_none_or(|(_, last)| *last != high) {
            self.high.push((self.low.len(), high));
        }
        self.low.push(u32::try_from(ns & 0xFFFF_FFFF).expect("32 bits"));
    }

    /// How many times there are.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.low.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.low.is_empty()
    }

    /// The time at a place that exists, in ns.
    #[must_use]
    #[inline]
    pub fn get(&self, place: usize) -> u64 {
        let high = match self.high.as_slice() {
            [(_, only)] => *only,
            several => several[several.partition_point(|(from, _)| *from <= place) - 1].1,
        };
        u64::from(high) << 32 | u64::from(self.low.get(place))
    }

    /// The last time, in ns.
    #[must_use]
    pub fn last(&self) -> Option<u64> {
        self.len().checked_sub(1).map(|place| self.get(place))
    }

    /// The first place at or behind `from` whose time is not before `ns`: found by steps that
    /// double, so that a near place is found soon.
    #[must_use]
    pub fn first_from(&self, from: usize, ns: u64) -> usize {
        let (start, end, low) = self.stretch_of(ns);
        let (mut before, mut step) = (from.max(start), 1);
        while before < end && self.low.get(before) < low {
            let next = before + step;
            if next >= end || self.low.get(next) >= low {
                return self.search((before + 1, next.min(end)), low);
            }
            before = next;
            step *= 2;
        }
        before
    }

    /// The first place of all whose time is not before `ns`.
    #[must_use]
    pub fn first_at(&self, ns: u64) -> usize {
        let (start, end, low) = self.stretch_of(ns);
        self.search((start, end), low)
    }

    /// Start and end of the places that share a time's high half, and its low half.
    fn stretch_of(&self, ns: u64) -> (usize, usize, u32) {
        let high = u32::try_from(ns >> 32).expect("32 bits");
        let at = self.high.partition_point(|(_, other)| *other < high);
        let start = self.high.get(at).map_or(self.len(), |(start, _)| *start);
        let same = self.high.get(at).is_some_and(|(_, other)| *other == high);
        let end =
            if same { self.high.get(at + 1).map_or(self.len(), |(end, _)| *end) } else { start };
        (start, end, u32::try_from(ns & 0xFFFF_FFFF).expect("32 bits"))
    }

    /// The first place of all whose time is after `ns`.
    #[must_use]
    pub fn first_after(&self, ns: u64) -> usize {
        match ns.checked_add(1) {
            Some(next) => self.first_at(next),
            None => self.len(),
        }
    }

    /// The first place from `first` up to `end` whose low half is not below `wanted`, else `end`.
    fn search(&self, (mut first, mut end): (usize, usize), wanted: u32) -> usize {
        while first < end {
            let middle = first.midpoint(end);
            if self.low.get(middle) < wanted {
                first = middle + 1;
            } else {
                end = middle;
            }
        }
        first
    }

    /// The times from `place` on, read one after the other.
    #[must_use]
    pub fn times_from(&self, place: usize) -> Times<'_> {
        let mut times = Times { column: self, place, high: 0, change: 0 };
        times.go(place);
        times
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.low.bytes() + self.high.capacity() * size_of::<(usize, u32)>()
    }
}

/// Reads times in order: the high half is looked for only where it changes.
#[derive(Clone, Debug)]
pub struct Times<'a> {
    column: &'a TimeColumn,
    place: usize,
    /// The high half that counts at `place`, in ns.
    high: u64,
    /// The place from which on the next high half counts.
    change: usize,
}

impl Times<'_> {
    /// The place that is read next.
    #[must_use]
    #[inline]
    pub fn place(&self) -> usize {
        self.place
    }

    /// The time at that place, in ns; none behind the last.
    #[must_use]
    #[inline]
    pub fn peek(&self) -> Option<u64> {
        (self.place < self.column.len())
            .then(|| self.high | u64::from(self.column.low.get(self.place)))
    }

    /// Goes on to the next place.
    #[inline]
    pub fn step(&mut self) {
        self.place += 1;
        if self.place >= self.change {
            self.go(self.place);
        }
    }

    /// Goes to any place.
    pub fn go(&mut self, place: usize) {
        let high = &self.column.high;
        self.place = place;
        let next = high.partition_point(|(from, _)| *from <= place);
        self.high = next.checked_sub(1).map_or(0, |at| u64::from(high[at].1) << 32);
        self.change = high.get(next).map_or(usize::MAX, |(from, _)| *from);
    }

    /// Goes to the first time that is not before `ns`, a near one soon.
    pub fn seek(&mut self, ns: u64) {
        self.go(self.column.first_from(self.place, ns));
    }
}

impl Iterator for Times<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let time = self.peek()?;
        self.step();
        Some(time)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::SplitMix64;

    /// Goal: times come back as they were put in, across high halves and chunks, and searches agree
    /// with a plain list. Method: seeded random gaps, some of them longer than 2^32 ns.
    #[test]
    fn times_agree_with_a_plain_list() {
        let mut rng = SplitMix64::new(3);
        let (mut column, mut list, mut now) = (TimeColumn::default(), Vec::new(), 0);
        for _ in 0..20_000 {
            now += match rng.next() % 1_000 {
                0 => rng.next() % 20_000_000_000,
                1..300 => 0,
                _ => rng.next() % 5_000,
            };
            column.push(SimTime::from_ns(now));
            list.push(now);
        }
        assert!((0..list.len()).all(|place| column.get(place) == list[place]));
        for _ in 0..5_000 {
            let wanted = if rng.next().is_multiple_of(2) {
                rng.next() % (now + 2)
            } else {
                let place = usize::try_from(rng.next() % 20_000).expect("small");
                list[place]
            };
            let from = usize::try_from(rng.next() % 20_001).expect("small");
            let first = list.partition_point(|time| *time < wanted);
            assert_eq!(column.first_at(wanted), first);
            assert_eq!(column.first_after(wanted), list.partition_point(|time| *time <= wanted));
            assert_eq!(column.first_from(from, wanted), first.max(from));
            let read: Vec<u64> = column.times_from(from).take(70).collect();
            assert_eq!(read, list[from..list.len().min(from + 70)]);
        }
    }
}
