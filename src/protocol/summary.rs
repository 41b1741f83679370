//! What a run adds up to, as the worker tells it at the end.
//!
//! Sums and counts only: what follows from them is [`super::metrics`]'.

use serde::{Deserialize, Serialize};

/// What a run adds up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Where it ended, in ns.
    pub end_ns: u64,
    /// Log lines.
    pub lines: u64,
    /// Digest of the log lines: 16 hexadecimal digits.
    pub digest: String,
    /// Records.
    pub records: u32,
    /// Records of each kind, in the order of `sim_core::decision::Kind`.
    pub kinds: Vec<u32>,
    /// Records of each leaf, in the order of `sim_core::decision::REASONS`.
    pub leaves: Vec<u32>,
    /// Counters that are not zero.
    pub counters: Vec<(String, u64)>,
    /// Records that Xen's trace buffer would hold, in the order of
    /// `sim_core::decision::TRACE_KINDS`; empty for a run of which they are not counted.
    pub traced: Vec<u64>,
    /// Per domain.
    pub domains: Vec<DomainSummary>,
    /// Per vCPU.
    pub vcpus: Vec<VcpuSummary>,
    /// Per pCPU.
    pub pcpus: Vec<PcpuSummary>,
    /// Wake-to-run latencies, the shortest first.
    pub latency: Vec<LatencyBucket>,
    /// What became of the tickles.
    pub tickles: TickleSummary,
    /// Sum over vCPUs of the time that they waited in a run queue while a pCPU of their hard
    /// affinity was idle, in ns.
    pub stranded_ns: u64,
}

/// A domain, at the end of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DomainSummary {
    /// Its weight.
    pub weight: u32,
    /// Its cap in percent of one pCPU; 0 = none.
    pub cap: u32,
    /// How many vCPUs it has. They follow each other in `Summary::vcpus`.
    pub vcpus: u16,
}

/// What a vCPU's run adds up to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VcpuSummary {
    /// Running, runnable, blocked, offline, in ns.
    pub spent_ns: [u64; 4],
    /// CPU time that weights and caps entitle it to, in ns (`sim_core::run::Measures`).
    pub entitled_ns: u64,
    /// Wake-ups.
    pub wakes: u64,
    /// Sum of wake-to-run latencies, in ns.
    pub latency_ns_sum: u64,
    /// The longest, in ns.
    pub latency_ns_max: u64,
    /// Times stolen.
    pub steals: u64,
    /// Moves by migration.
    pub moves: u64,
    /// Times kicked away.
    pub kicks: u64,
}

/// What a pCPU's run adds up to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PcpuSummary {
    /// Idle, in ns.
    pub idle_ns: u64,
    /// Switches.
    pub switches: u64,
    /// vCPUs that it took from others.
    pub thefts: u64,
    /// vCPUs that others took from it.
    pub losses: u64,
    /// Run queues of others that it locked and that gave nothing.
    pub vain_tries: u64,
}

/// Wake-ups that took about as long: none of the bucket's is further than 1/128 from another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LatencyBucket {
    /// The shortest of them, in ns.
    pub least_ns: u64,
    /// The longest of them, in ns.
    pub most_ns: u64,
    /// How many.
    pub wakes: u64,
}

/// What became of the pCPUs that were told by tickles; all parts add up to the pCPUs told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TickleSummary {
    /// The pCPU then ran the woken vCPU.
    pub ran_woken: u64,
    /// It then switched to another vCPU, or went idle.
    pub ran_other: u64,
    /// It looked and went on as before.
    pub in_vain: u64,
    /// It had already been told and had not yet looked.
    pub duplicate: u64,
    /// The run ended before it looked.
    pub open: u64,
}

impl Summary {
    /// Domains with their vCPUs, in order.
    pub fn by_domain(&self) -> impl Iterator<Item = (&DomainSummary, &[VcpuSummary])> {
        let mut rest = self.vcpus.as_slice();
        self.domains.iter().map(move |domain| {
            let (own, others) = rest.split_at(usize::from(domain.vcpus).min(rest.len()));
            rest = others;
            (domain, own)
        })
    }
}
