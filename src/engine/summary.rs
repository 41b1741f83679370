//! What a run adds up to, in the words of the protocol.

use crate::protocol::{
    DomainSummary, Flip, Flips, LatencyBucket, PcpuSummary, Summary, TickleSummary, VcpuSummary,
};
use sim_core::decision::{Kind, REASONS, TRACE_KINDS};
use sim_core::machine::Machine;
use sim_core::run::{Difference, Digest, Measures, Recording, Totals, VcpuTotals};
use sim_core::units::SimTime;

fn vcpu((totals, entitled_ns): (&VcpuTotals, u64)) -> VcpuSummary {
    VcpuSummary {
        spent_ns: totals.tally.spent_ns,
        entitled_ns,
        wakes: totals.tally.wakes,
        latency_ns_sum: totals.tally.latency_ns_sum,
        latency_ns_max: totals.tally.latency_ns_max,
        steals: totals.tally.steals,
        moves: totals.tally.moves,
        kicks: totals.stats.kicked_away,
    }
}

fn domains(machine: &Machine) -> Vec<DomainSummary> {
    let now = &machine.system().domains;
    let domain = |(spec, (weight, cap)): (&sim_core::scenario::DomainSpec, &(u32, u32))| {
        let vcpus = u16::try_from(spec.vcpus.len()).unwrap_or(u16::MAX);
        DomainSummary { weight: *weight, cap: *cap, vcpus }
    };
    machine.scenario().domains.iter().zip(now).map(domain).collect()
}

fn kinds(leaves: &[u32]) -> Vec<u32> {
    let of = |kind: Kind| REASONS.iter().zip(leaves).filter(move |(info, _)| info.kind == kind);
    Kind::ALL.iter().map(|kind| of(*kind).map(|(_, count)| count).sum()).collect()
}

/// What a run that has come to `end_ns` adds up to, its trace records left out.
#[must_use]
pub fn summary(machine: &Machine, measures: &Measures, digest: &Digest, end_ns: u64) -> Summary {
    let totals = Totals::of(machine, end_ns);
    let end = SimTime::from_ns(end_ns);
    let entitled = measures.entitled_ns(machine, end);
    let fates = measures.tickles();
    let pcpus = totals.pcpus.iter().zip(measures.steals()).map(|(pcpu, steals)| PcpuSummary {
        idle_ns: pcpu.idle_ns,
        switches: pcpu.switches,
        thefts: steals.thefts,
        losses: steals.losses,
        vain_tries: steals.vain_tries,
    });
    let latency = measures.latencies().buckets().map(|bucket| LatencyBucket {
        least_ns: bucket.least_ns,
        most_ns: bucket.most_ns,
        wakes: bucket.wakes,
    });
    Summary {
        end_ns,
        lines: digest.lines(),
        digest: format!("{:016x}", digest.whole()),
        records: machine.records(),
        kinds: kinds(measures.leaves()),
        leaves: measures.leaves().into(),
        counters: totals.counters.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect(),
        traced: Vec::new(),
        domains: domains(machine),
        vcpus: totals.vcpus.iter().zip(entitled).map(vcpu).collect(),
        pcpus: pcpus.collect(),
        latency: latency.collect(),
        tickles: TickleSummary {
            ran_woken: fates.ran_woken,
            ran_other: fates.ran_other,
            in_vain: fates.in_vain,
            duplicate: fates.duplicate,
            open: fates.open,
        },
        stranded_ns: measures.stranded_ns(end),
    }
}

/// How many trace records of each kind a recorded run has left.
pub(super) fn traced(recording: &Recording) -> Vec<u64> {
    TRACE_KINDS.iter().map(|info| recording.traced().get(info.kind)).collect()
}

/// How often other patches would have decided otherwise, as far as it is counted.
pub(super) fn flips(pass: &sim_core::run::Flips, goes_on: bool) -> Flips {
    let (counted, records) = pass.reached();
    let mut flips =
        Flips { stops: vec![Flip::default()], counted, records, goes_on, ..Flips::default() };
    for count in pass.counts() {
        let list = match count.difference {
            Difference::Patch(_) => &mut flips.patches,
            Difference::Stop(_) => &mut flips.stops,
        };
        list.push(Flip { changed: count.changed, of: count.of });
    }
    flips
}
