//! What people judge a run by, counted while it goes on: latencies, tickles, steals, tries in vain,
//! time lost, shares.
//!
//! Fed by the records and log lines of a run and by its machine after each step; never part of the
//! machine, so that a run that only wants its digest pays nothing. Must not keep what grows with
//! the length of a run.

mod latency;
mod shares;
mod stranded;
mod tickles;

pub use latency::{Latencies, LatencyBucket};
pub use shares::{Claim, fill};
pub use tickles::TickleFates;

use crate::decision::{Belief, Facts, LogLine, REASONS, Row};
use crate::ids::{PcpuId, VcpuId};
use crate::machine::Machine;
use crate::units::SimTime;
use alloc::vec;
use alloc::vec::Vec;
use shares::Shares;
use stranded::Stranded;
use tickles::Tickles;

/// Searches for work by one pCPU, and what others took from it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StealTally {
    /// vCPUs that it took from others.
    pub thefts: u64,
    /// vCPUs that others took from it.
    pub losses: u64,
    /// Run queues of others that it locked and that gave nothing.
    pub vain_tries: u64,
}

/// The counts of one run under way.
#[derive(Clone, Debug)]
pub struct Measures {
    guests: usize,
    latencies: Latencies,
    tickles: Tickles,
    steals: Vec<StealTally>,
    leaves: [u32; REASONS.len()],
    stranded: Stranded,
    shares: Shares,
    /// Who and what may have changed in this step.
    vcpus: Vec<VcpuId>,
    pcpus: Vec<PcpuId>,
    accounted: bool,
}

impl Measures {
    /// Nothing counted yet, for a machine before its first step.
    #[must_use]
    pub fn new(machine: &Machine) -> Self {
        let system = machine.system();
        let (guests, pcpus) = (system.guests, system.topology.pcpu_count());
        Self {
            guests,
            latencies: Latencies::new(guests),
            tickles: Tickles::new(pcpus),
            steals: vec![StealTally::default(); pcpus],
            leaves: [0; REASONS.len()],
            stranded: Stranded::new(machine),
            shares: Shares::new(guests),
            vcpus: Vec::new(),
            pcpus: Vec::new(),
            accounted: false,
        }
    }

    /// A record was made.
    pub fn record(&mut self, row: &Row, facts: &Facts<'_>) {
        self.leaves[row.reason as usize] += 1;
        match facts {
            Facts::Tickle(_, outcome) => self.tickles.tickle(row.subject, &outcome.tickled),
            Facts::Schedule(facts) => self.tickles.schedule(row.pcpu, facts),
            Facts::Balance(_, _, outcome) => {
                let found = u32::from(outcome.stolen.is_some());
                self.steals[row.pcpu.index()].vain_tries += u64::from(outcome.tries - found);
            }
            _ => {}
        }
    }

    /// A line was logged.
    pub fn log(&mut self, time: SimTime, pcpu: PcpuId, line: &LogLine<'_>) {
        self.latencies.log(time, line);
        match *line {
            LogLine::Wake { vcpu, .. } | LogLine::Park { vcpu } => self.vcpus.push(vcpu),
            LogLine::Switch { prev, next, from, .. } => {
                let guest = |vcpu: &VcpuId| vcpu.index() < self.guests;
                self.vcpus.extend([prev, next].into_iter().filter(guest));
                self.pcpus.push(pcpu);
                if let Some(victim) = from {
                    self.steals[pcpu.index()].thefts += 1;
                    self.steals[victim.index()].losses += 1;
                }
            }
            // A new affinity may have moved or stopped anybody.
            LogLine::Change { .. } => {
                self.vcpus.extend((0u16..).map(VcpuId).take(self.guests));
            }
            LogLine::Account { .. } => self.accounted = true,
            _ => {}
        }
    }

    /// A belief about a pCPU changed.
    pub fn belief(&mut self, pcpu: PcpuId, belief: Belief, holds: bool) {
        if belief == Belief::Tickled && holds {
            self.tickles.told(pcpu);
        }
    }

    /// The machine has taken a step.
    #[inline]
    pub fn step(&mut self, machine: &Machine) {
        if !self.vcpus.is_empty() || self.accounted {
            self.settle(machine);
        }
    }

    fn settle(&mut self, machine: &Machine) {
        self.stranded.settle(machine, &self.vcpus, &self.pcpus);
        for vcpu in self.vcpus.drain(..) {
            self.shares.look(machine, vcpu);
        }
        self.pcpus.clear();
        if core::mem::take(&mut self.accounted) {
            self.shares.settle(machine, machine.now());
        }
    }

    /// Wake-to-run latencies.
    #[must_use]
    pub fn latencies(&self) -> &Latencies {
        &self.latencies
    }

    /// What became of the tickles.
    #[must_use]
    pub fn tickles(&self) -> TickleFates {
        self.tickles.fates()
    }

    /// Per pCPU.
    #[must_use]
    pub fn steals(&self) -> &[StealTally] {
        &self.steals
    }

    /// Records of each leaf, in the order of [`REASONS`].
    #[must_use]
    pub fn leaves(&self) -> &[u32] {
        &self.leaves
    }

    /// Sum over vCPUs of the time up to `at` that they waited in a run queue while a pCPU of their
    /// hard affinity was idle, in ns. `at` is not before the machine's now.
    #[must_use]
    pub fn stranded_ns(&self, at: SimTime) -> u64 {
        self.stranded.sum_ns_at(at)
    }

    /// Per vCPU, the CPU time up to `at` that weights and caps entitle it to, in ns. `at` is not
    /// before the machine's now.
    #[must_use]
    pub fn entitled_ns(&self, machine: &Machine, at: SimTime) -> Vec<u64> {
        let mut shares = self.shares.clone();
        shares.settle(machine, at);
        shares.entitled_ns().to_vec()
    }
}
