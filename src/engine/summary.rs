//! What a run adds up to, in the words of the protocol.

use crate::protocol::{Flip, Summary, VcpuSummary};
use sim_core::run::{Recording, Totals, VcpuTotals};

fn vcpu(totals: &VcpuTotals) -> VcpuSummary {
    VcpuSummary {
        spent_ns: totals.tally.spent_ns,
        wakes: totals.tally.wakes,
        latency_ns_sum: totals.tally.latency_ns_sum,
        latency_ns_max: totals.tally.latency_ns_max,
        steals: totals.tally.steals,
        moves: totals.tally.moves,
        kicks: totals.stats.kicked_away,
    }
}

/// What a run that has come to `end_ns` adds up to.
pub(super) fn summary(recording: &Recording, end_ns: u64) -> Summary {
    let totals = Totals::of(recording.machine(), end_ns);
    let digest = recording.digest();
    Summary {
        end_ns,
        lines: digest.lines(),
        digest: format!("{:016x}", digest.whole()),
        records: recording.machine().records(),
        kinds: recording.trace().rows.kinds().into(),
        counters: totals.counters.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect(),
        vcpus: totals.vcpus.iter().map(vcpu).collect(),
        pcpus: totals.pcpus.iter().map(|pcpu| (pcpu.idle_ns, pcpu.switches)).collect(),
        latency: recording.latencies().buckets().into(),
    }
}

/// How often patches would have decided otherwise.
pub(super) fn flips(recording: &Recording) -> Vec<Flip> {
    let counts = recording.flips().counts().into_iter();
    counts.map(|f| Flip { patch: f.patch as u8, changed: f.changed, of: f.of }).collect()
}
