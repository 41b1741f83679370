//! From a wake-up until its vCPU is switched to: how many wake-ups took how long.

use crate::decision::{LogLine, WakeSource};
use crate::policy::credit1::WakeResult;
use crate::units::SimTime;
use alloc::vec;
use alloc::vec::Vec;

/// Bucket n counts from 2^n ns up to and without 2^(n+1) ns; the first counts 0 ns too, the last
/// all that is longer.
pub const LATENCY_BUCKETS: usize = 40;

/// A histogram under way.
#[derive(Clone, Debug)]
pub struct Latencies {
    /// Per guest, when it was last woken, until it runs.
    woken: Vec<Option<SimTime>>,
    buckets: [u64; LATENCY_BUCKETS],
}

impl Latencies {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(guests: usize) -> Self {
        Self { woken: vec![None; guests], buckets: [0; LATENCY_BUCKETS] }
    }

    /// Counts what a log line tells. Only wake-ups of a guest's own doing count, as in the totals.
    pub fn log(&mut self, time: SimTime, line: &LogLine<'_>) {
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
                    let bucket = (time - woken).as_ns().max(1).ilog2() as usize;
                    self.buckets[bucket.min(LATENCY_BUCKETS - 1)] += 1;
                }
            }
            _ => {}
        }
    }

    /// Wake-ups per bucket.
    #[must_use]
    pub fn buckets(&self) -> &[u64] {
        &self.buckets
    }
}
