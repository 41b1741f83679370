//! When something of one kind happened on one pCPU, and how often in each part of the run.

use super::buckets::Buckets;
use super::column::{TimeColumn, Times};
use super::picture::Scale;
use crate::units::SimTime;
use alloc::vec::Vec;

/// So many marks of a cell are counted one by one.
const FEW: usize = 16;

/// The marks of a kind.
#[derive(Clone, Debug, Default)]
pub(super) struct MarkLane {
    times: TimeColumn,
    counts: Buckets<u32>,
}

impl MarkLane {
    /// None yet; counts of at most so many parts of the run.
    pub(super) fn with_buckets(most: usize) -> Self {
        Self { counts: Buckets::with_most(most), ..Self::default() }
    }

    /// One more, not before the last.
    #[inline]
    pub(super) fn push(&mut self, time: SimTime) {
        self.times.push(time);
        *self.counts.at(time.as_ns()) += 1;
    }

    /// When they happened.
    pub(super) fn times(&self) -> &TimeColumn {
        &self.times
    }

    /// How many there are from `from_ns` up to and without `to_ns`.
    pub(super) fn count(&self, (from_ns, to_ns): (u64, u64)) -> usize {
        self.times.first_at(to_ns).saturating_sub(self.times.first_at(from_ns))
    }

    /// How many each cell of a picture has; 65,535 stands for that many or more.
    pub(super) fn cells(&self, scale: &Scale) -> Vec<u16> {
        let mut reader = self.times.times_from(self.times.first_at(scale.from_ns));
        // The reader is left behind where whole cells are read from the buckets.
        let mut behind = false;
        let count = |(start_ns, end_ns): (u64, u64)| {
            let whole = (end_ns - start_ns) >> scale.shift == 1;
            let buckets = self.counts.of_cell(scale.shift, end_ns).filter(|_| whole);
            let count = if let Some(buckets) = buckets {
                behind = true;
                buckets.iter().map(|count| *count as usize).sum()
            } else {
                if behind {
                    reader.go(self.times.first_at(start_ns));
                    behind = false;
                }
                count_until(&mut reader, end_ns)
            };
            u16::try_from(count).unwrap_or(u16::MAX)
        };
        scale.parts().map(count).collect()
    }

    /// Memory held, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.times.bytes() + self.counts.bytes()
    }
}

/// How many times are before `end_ns`; goes behind them.
pub(super) fn count_until(reader: &mut Times, end_ns: u64) -> usize {
    let begun = reader.place();
    while reader.peek().is_some_and(|time| time < end_ns) {
        if reader.place() - begun >= FEW {
            reader.seek(end_ns);
            break;
        }
        reader.step();
    }
    reader.place() - begun
}
