//! Sums over parts of time of one length, few enough to be read whole: what pictures of a long
//! run are made from.
//!
//! The length doubles whenever there would be too many, two neighbours becoming one. Must not
//! know what is summed up.

use alloc::vec::Vec;

/// The first buckets are 2 to the power of this many ns long.
const SHIFT_FIRST: u32 = 10;

/// What two neighbours add up to.
pub(super) trait Joined: Copy + Default {
    /// The sum of this and of the one behind it.
    fn joined(self, behind: Self) -> Self;
}

impl Joined for u32 {
    fn joined(self, behind: Self) -> Self {
        self.saturating_add(behind) // saturating: a count of records or of a bucket's ns fits
    }
}

/// Sums of equal parts of time, the first of which begins at 0 ns.
#[derive(Clone, Debug)]
pub(super) struct Buckets<T> {
    /// Each is 2 to the power of this many ns long.
    shift: u32,
    /// The most that there may be; even.
    most: usize,
    sums: Vec<T>,
}

impl<T> Default for Buckets<T> {
    fn default() -> Self {
        Self { shift: SHIFT_FIRST, most: super::BUCKETS_MAX, sums: Vec::new() }
    }
}

impl<T: Joined> Buckets<T> {
    /// None yet, and never more than `most`, which is even.
    pub(super) fn with_most(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Each is 2 to the power of this many ns long.
    #[inline]
    pub(super) fn shift(&self) -> u32 {
        self.shift
    }

    /// The bucket of a moment. Asking for one behind all others may make all of them longer.
    #[inline]
    pub(super) fn at(&mut self, ns: u64) -> &mut T {
        let mut place = place(ns, self.shift);
        while place >= self.most {
            self.halve();
            place = self::place(ns, self.shift);
        }
        if place >= self.sums.len() {
            self.sums.resize(place + 1, T::default());
        }
        &mut self.sums[place]
    }

    fn halve(&mut self) {
        self.shift += 1;
        let pairs = self.sums.chunks(2).map(|pair| match *pair {
            [first, behind] => first.joined(behind),
            _ => pair[0].joined(T::default()),
        });
        self.sums = pairs.collect();
    }

    /// The buckets of a cell of 2^`shift` ns that ends at `end_ns`; none if they are longer than
    /// the cell, or if the cell's ns do not fit into 32 bits. Those behind the last that was asked
    /// for are left out: nothing was put there.
    #[inline]
    pub(super) fn of_cell(&self, shift: u32, end_ns: u64) -> Option<&[T]> {
        let bits = shift.checked_sub(self.shift).filter(|_| shift < u32::BITS)?;
        let end = place(end_ns, self.shift);
        let first = end.saturating_sub(1 << bits).min(self.sums.len());
        Some(&self.sums[first..end.min(self.sums.len())])
    }

    /// Memory held, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.sums.capacity() * size_of::<T>()
    }
}

fn place(ns: u64, shift: u32) -> usize {
    usize::try_from(ns >> shift).unwrap_or(usize::MAX)
}
