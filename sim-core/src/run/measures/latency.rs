//! From a wake-up until its vCPU is switched to: how many wake-ups took how long.
//!
//! Must not keep every single one: a run has millions. Latencies that share their eight leading
//! binary digits share a bucket, so that none is wider than 1/128 of what it holds, and each bucket
//! keeps the least and the most that it holds. Below 256 ns, and wherever least and most are the
//! same, it is exact.

use crate::decision::{LogLine, WakeSource};
use crate::policy::credit1::WakeResult;
use crate::units::SimTime;
use alloc::vec;
use alloc::vec::Vec;

/// Leading binary digits that a bucket tells apart, besides the first.
const DIGITS: u32 = 7;

/// Wake-ups that took about as long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatencyBucket {
    /// The shortest of them, in ns.
    pub least_ns: u64,
    /// The longest of them, in ns.
    pub most_ns: u64,
    /// How many.
    pub wakes: u64,
}

/// A histogram under way.
#[derive(Clone, Debug)]
pub struct Latencies {
    /// Per guest, when it was last woken, until it runs.
    woken: Vec<Option<SimTime>>,
    /// By [`place`], as far as there was any.
    buckets: Vec<LatencyBucket>,
}

/// The bucket of a latency: places go up with the latency.
fn place(ns: u64) -> usize {
    let shift = ns.max(1).ilog2().saturating_sub(DIGITS);
    // Saturating: below 256 ns each has its own place.
    ((shift as usize) << DIGITS) + usize::try_from(ns >> shift).expect("eight binary digits")
}

impl Latencies {
    /// Nothing counted yet.
    pub(super) fn new(guests: usize) -> Self {
        Self { woken: vec![None; guests], buckets: Vec::new() }
    }

    /// Counts what a log line tells. Only wake-ups of a guest's own doing count, as in the totals.
    pub(super) fn log(&mut self, time: SimTime, line: &LogLine<'_>) {
        match *line {
            LogLine::Wake { vcpu, source, outcome, .. } => {
                let own = source == WakeSource::Start as u8 || source == WakeSource::Io as u8;
                if own && outcome == WakeResult::Queued as u8 {
                    self.woken[vcpu.index()] = Some(time);
                }
            }
            LogLine::Switch { next, .. } => {
                let woken = self.woken.get_mut(next.index()).and_then(Option::take);
                if let Some(woken) = woken {
                    self.count((time - woken).as_ns());
                }
            }
            _ => {}
        }
    }

    fn count(&mut self, ns: u64) {
        let place = place(ns);
        if place >= self.buckets.len() {
            let none = LatencyBucket { least_ns: u64::MAX, most_ns: 0, wakes: 0 };
            self.buckets.resize(place + 1, none);
        }
        let bucket = &mut self.buckets[place];
        bucket.least_ns = bucket.least_ns.min(ns);
        bucket.most_ns = bucket.most_ns.max(ns);
        bucket.wakes += 1;
    }

    /// The buckets that hold any, the shortest latency first.
    pub fn buckets(&self) -> impl Iterator<Item = LatencyBucket> + '_ {
        self.buckets.iter().copied().filter(|bucket| bucket.wakes > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: buckets follow each other without a gap, none is wider than 1/128 of its start, and
    /// least and most are those of what was counted.
    #[test]
    fn buckets_are_narrow_and_in_order() {
        let mut last = None;
        for ns in (0..5_000).chain((1..50).map(|power| (1u64 << power) + 1)) {
            assert!(last.is_none_or(|(at, before)| at <= place(ns) || before > ns), "{ns}");
            last = Some((place(ns), ns));
        }
        let starts: Vec<u64> = (1..100_000).filter(|ns| place(*ns) != place(ns - 1)).collect();
        for pair in starts.windows(2) {
            assert!(place(pair[1]) == place(pair[0]) + 1, "{pair:?}");
            assert!((pair[1] - pair[0] - 1) * 128 <= pair[0], "{pair:?}");
        }
        let mut latencies = Latencies::new(0);
        for ns in [1_000_000, 1_000_001, 7, 7] {
            latencies.count(ns);
        }
        let buckets: Vec<_> = latencies.buckets().collect();
        assert_eq!(buckets[0], LatencyBucket { least_ns: 7, most_ns: 7, wakes: 2 });
        let wide = LatencyBucket { least_ns: 1_000_000, most_ns: 1_000_001, wakes: 2 };
        assert_eq!(buckets[1..], [wide]);
    }
}
