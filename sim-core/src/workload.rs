//! What a guest does: stretches of execution, each ended by a sleep or a yield.

use crate::rng::SplitMix64;
use alloc::vec::Vec;

/// One stretch of execution and what ends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Execution time, in ns.
    pub run_ns: u64,
    /// Sleep after it, in ns; 0 means that the guest yields instead.
    pub block_ns: u64,
}

/// How a vCPU's stretches come about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Workload {
    /// These stretches in turn, for ever. Never empty in a valid scenario.
    Script(Vec<Stretch>),
    /// Drawn from the vCPU's own random stream.
    Random(RandomWorkload),
}

/// Bounds of a random workload; all bounds are included.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RandomWorkload {
    /// Shortest and longest execution, in ns.
    pub run_ns: (u64, u64),
    /// Shortest and longest sleep, in ns.
    pub block_ns: (u64, u64),
    /// How many of 1,000 stretches end with a yield instead of a sleep.
    pub yield_permille: u64,
}

/// Where a vCPU stands in its workload.
#[derive(Clone, Debug)]
pub struct Guest {
    next_stretch: usize,
    rng: SplitMix64,
}

impl Guest {
    /// A guest at the start of its workload.
    #[must_use]
    pub fn new(seed: u64, vcpu: u16) -> Self {
        Self { next_stretch: 0, rng: SplitMix64::workload(seed, u64::from(vcpu)) }
    }

    /// Fetches the next stretch.
    ///
    /// A random workload draws the execution first, then whether it yields, and only if it does
    /// not, the sleep.
    pub fn fetch(&mut self, workload: &Workload) -> Stretch {
        match workload {
            Workload::Script(stretches) => {
                let stretch = stretches[self.next_stretch];
                self.next_stretch = (self.next_stretch + 1) % stretches.len();
                stretch
            }
            Workload::Random(random) => {
                let run_ns = self.rng.between(random.run_ns.0, random.run_ns.1);
                let yields = self.rng.next() % 1_000 < random.yield_permille;
                let block_ns =
                    if yields { 0 } else { self.rng.between(random.block_ns.0, random.block_ns.1) };
                Stretch { run_ns, block_ns }
            }
        }
    }
}
