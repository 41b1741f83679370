//! What people judge a run by: each figure with its name, unit, meaning and which way is better.
//!
//! Worked out from a [`Summary`] alone, so that everything that compares runs compares the same
//! figures. Must not word a sentence or know how figures are shown.

use super::{LatencyBucket, Summary};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// What a figure counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Unit {
    /// Nanoseconds.
    Time,
    /// A number of times.
    Count,
    /// Millionths of a whole.
    Share,
}

/// Which way is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Better {
    /// Less of it.
    Lower,
    /// Neither: it says how, not how well.
    Neither,
}

/// Which figure; the same for every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    /// Its short name, stable.
    pub slug: &'static str,
    /// The domain that it is about, counted from 0; none for the whole machine.
    pub domain: Option<u16>,
}

/// A figure of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Metric {
    /// Which.
    pub key: Key,
    /// Its name, for people; `, d1` is to follow for a domain.
    pub name: &'static str,
    /// What it means, in one sentence.
    pub meaning: &'static str,
    /// What `value` counts in.
    pub unit: Unit,
    /// Which way is better.
    pub better: Better,
    /// The value; none if there is nothing to tell, as of a latency without wake-ups.
    pub value: Option<u64>,
}

/// How a figure of one run compares with that of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Better than before.
    Better,
    /// Worse than before.
    Worse,
    /// As before.
    Same,
    /// More of what is neither better nor worse.
    More,
    /// Less of what is neither better nor worse.
    Less,
    /// One of the two runs has none.
    Unknown,
}

impl Verdict {
    /// In a word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Better => "better",
            Self::Worse => "worse",
            Self::Same => "same",
            Self::More => "more",
            Self::Less => "less",
            Self::Unknown => "–",
        }
    }
}

/// A figure of two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    /// The figure, with the value of the run after.
    pub metric: Metric,
    /// The value of the run before.
    pub before: Option<u64>,
    /// How the run after compares.
    pub verdict: Verdict,
}

/// A percentile of wake-to-run latencies by nearest rank: `part` of `whole` wakes took no longer.
/// It lies within the bucket, whose ends are the same wherever it is known exactly.
#[must_use]
pub fn percentile(buckets: &[LatencyBucket], part: u64, whole: u64) -> Option<LatencyBucket> {
    let wakes: u64 = buckets.iter().map(|bucket| bucket.wakes).sum();
    let rank = (u128::from(wakes) * u128::from(part)).div_ceil(u128::from(whole)).max(1);
    let mut so_far = 0;
    buckets.iter().copied().find(|bucket| {
        so_far += u128::from(bucket.wakes);
        so_far >= rank
    })
}

/// A table row: short name, name, unit, which way is better, meaning.
type Row = (&'static str, &'static str, Unit, Better, &'static str);

const P50: Row = (
    "wake-p50",
    "wake-to-run p50",
    Unit::Time,
    Better::Lower,
    "Half of the wake-ups waited at most this long until their vCPU ran.",
);
const P95: Row = (
    "wake-p95",
    "wake-to-run p95",
    Unit::Time,
    Better::Lower,
    "95 of 100 wake-ups waited at most this long until their vCPU ran.",
);
const P99: Row = (
    "wake-p99",
    "wake-to-run p99",
    Unit::Time,
    Better::Lower,
    "99 of 100 wake-ups waited at most this long until their vCPU ran.",
);
const MAX: Row = (
    "wake-max",
    "wake-to-run longest",
    Unit::Time,
    Better::Lower,
    "The longest that a woken vCPU waited until it ran.",
);
const WAITING: Row = (
    "waiting",
    "waiting",
    Unit::Time,
    Better::Lower,
    "Time that the domain’s vCPUs were ready and had no pCPU, summed over its vCPUs.",
);
const STRANDED: Row = (
    "stranded",
    "waiting beside an idle pCPU",
    Unit::Time,
    Better::Lower,
    "Time that vCPUs waited though a pCPU that they may run on was idle, summed over vCPUs.",
);
const SHARE: Row = (
    "share-error",
    "share error",
    Unit::Share,
    Better::Lower,
    "CPU time that domains got above or below what weights and caps entitle them to, as a part of all that they are entitled to.",
);
const SWITCHES: Row = (
    "switches",
    "context switches",
    Unit::Count,
    Better::Lower,
    "Switches of a pCPU to another vCPU or to idle.",
);
const MIGRATIONS: Row = (
    "migrations",
    "migrations",
    Unit::Count,
    Better::Lower,
    "Moves of a vCPU to another pCPU by a pick; steals are counted apart.",
);
const STEALS: Row = (
    "steals",
    "steals",
    Unit::Count,
    Better::Lower,
    "vCPUs that a pCPU took from another one’s run queue; each leaves a warm cache behind.",
);
const KICKS: Row = (
    "kicks",
    "kicks",
    Unit::Count,
    Better::Lower,
    "vCPUs that a wake-up pushed off the pCPU that they ran on.",
);
const BOOSTS: Row = (
    "boosts",
    "boosts given",
    Unit::Count,
    Better::Neither,
    "Wake-ups that raised a vCPU from UNDER to BOOST.",
);
const IN_VAIN: Row = (
    "tickles-in-vain",
    "tickles in vain",
    Unit::Count,
    Better::Lower,
    "pCPUs that were told to look, looked and went on as before.",
);
const DUPLICATE: Row = (
    "tickles-duplicate",
    "duplicate tickles",
    Unit::Count,
    Better::Lower,
    "pCPUs that were told again before they had looked.",
);
const VAIN_TRIES: Row = (
    "vain-tries",
    "peers locked in vain",
    Unit::Count,
    Better::Lower,
    "Run queues of other pCPUs that a search for work locked and that gave nothing.",
);

fn metric(row: Row, domain: Option<u16>, value: Option<u64>) -> Metric {
    let (slug, name, unit, better, meaning) = row;
    Metric { key: Key { slug, domain }, name, meaning, unit, better, value }
}

/// All figures of a run, in the order in which they are shown.
#[must_use]
pub fn metrics(summary: &Summary) -> Vec<Metric> {
    let latency = |part| percentile(&summary.latency, part, 100).map(|bucket| bucket.most_ns);
    let longest = summary.vcpus.iter().filter(|vcpu| vcpu.wakes > 0);
    let longest = longest.map(|vcpu| vcpu.latency_ns_max).max();
    let mut all: Vec<Metric> =
        [(P50, latency(50)), (P95, latency(95)), (P99, latency(99)), (MAX, longest)]
            .map(|(row, value)| metric(row, None, value))
            .into();
    for (domain, (_, vcpus)) in (0u16..).zip(summary.by_domain()) {
        let waiting = vcpus.iter().map(|vcpu| vcpu.spent_ns[1]).sum();
        all.push(metric(WAITING, Some(domain), Some(waiting)));
    }
    let vcpus = |of: fn(&super::VcpuSummary) -> u64| summary.vcpus.iter().map(of).sum::<u64>();
    let pcpus = |of: fn(&super::PcpuSummary) -> u64| summary.pcpus.iter().map(of).sum::<u64>();
    let boosted = summary.leaves.get(sim_core::decision::Reason::WakeBoosted as usize);
    let counts = [
        (STRANDED, summary.stranded_ns),
        (SWITCHES, pcpus(|pcpu| pcpu.switches)),
        (MIGRATIONS, vcpus(|vcpu| vcpu.moves)),
        (STEALS, vcpus(|vcpu| vcpu.steals)),
        (KICKS, vcpus(|vcpu| vcpu.kicks)),
        (BOOSTS, boosted.copied().unwrap_or(0).into()),
        (IN_VAIN, summary.tickles.in_vain),
        (DUPLICATE, summary.tickles.duplicate),
        (VAIN_TRIES, pcpus(|pcpu| pcpu.vain_tries)),
    ];
    all.extend(counts.map(|(row, value)| metric(row, None, Some(value))));
    all.push(metric(SHARE, None, share_error(summary)));
    all
}

/// Millionths of the time that all domains are entitled to; none if that is nothing.
fn share_error(summary: &Summary) -> Option<u64> {
    let mut entitled = 0;
    let mut error = 0;
    for (_, vcpus) in summary.by_domain() {
        let own: u64 = vcpus.iter().map(|vcpu| vcpu.entitled_ns).sum();
        let got: u64 = vcpus.iter().map(|vcpu| vcpu.spent_ns[0]).sum();
        entitled += u128::from(own);
        error += u128::from(own.abs_diff(got));
    }
    u64::try_from((error * 1_000_000).checked_div(entitled)?).ok()
}

/// How a value compares with the one before.
#[must_use]
pub fn verdict(better: Better, before: Option<u64>, after: Option<u64>) -> Verdict {
    let (Some(before), Some(after)) = (before, after) else { return Verdict::Unknown };
    match (better, after.cmp(&before)) {
        (_, Ordering::Equal) => Verdict::Same,
        (Better::Lower, Ordering::Less) => Verdict::Better,
        (Better::Lower, Ordering::Greater) => Verdict::Worse,
        (Better::Neither, Ordering::Less) => Verdict::Less,
        (Better::Neither, Ordering::Greater) => Verdict::More,
    }
}

/// The figures of two runs side by side; those that only one of them has are left out.
#[must_use]
pub fn compare(before: &Summary, after: &Summary) -> Vec<Compared> {
    let olds = metrics(before);
    let pair = |metric: Metric| {
        let old = olds.iter().find(|old| old.key == metric.key)?;
        let verdict = verdict(metric.better, old.value, metric.value);
        Some(Compared { metric, before: old.value, verdict })
    };
    metrics(after).into_iter().filter_map(pair).collect()
}

/// The figure that changed most for the better, and the one that changed most for the worse.
///
/// Most by ratio, with 1 µs, 10 times or 0.1 % added to both values: what is small in itself is
/// not the largest change.
#[must_use]
pub fn extremes(compared: &[Compared]) -> (Option<Compared>, Option<Compared>) {
    let most = |wanted: Verdict| {
        let mut most: Option<&Compared> = None;
        for other in compared.iter().filter(|other| other.verdict == wanted) {
            // Of two alike the first is named.
            if most.is_none_or(|most| is_larger(ratio(other), ratio(most))) {
                most = Some(other);
            }
        }
        most.copied()
    };
    (most(Verdict::Better), most(Verdict::Worse))
}

/// The larger and the smaller of the two values, with what is small added.
fn ratio(compared: &Compared) -> (u128, u128) {
    let small = match compared.metric.unit {
        Unit::Time | Unit::Share => 1_000,
        Unit::Count => 10,
    };
    let before = u128::from(compared.before.unwrap_or(0)) + small;
    let after = u128::from(compared.metric.value.unwrap_or(0)) + small;
    (before.max(after), before.min(after))
}

fn is_larger(a: (u128, u128), b: (u128, u128)) -> bool {
    a.0 * b.1 > b.0 * a.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{DomainSummary, PcpuSummary, VcpuSummary};

    fn bucket(ns: u64, wakes: u64) -> LatencyBucket {
        LatencyBucket { least_ns: ns, most_ns: ns, wakes }
    }

    fn value(summary: &Summary, slug: &str) -> Option<u64> {
        let all = metrics(summary);
        all.iter().find(|metric| metric.key.slug == slug).expect("it exists").value
    }

    /// Goal: percentiles are those of the nearest rank, from the first wake to the last.
    #[test]
    fn percentiles_by_nearest_rank() {
        let at = |buckets: &[LatencyBucket], part| {
            percentile(buckets, part, 100).map(|bucket| bucket.most_ns)
        };
        let ten: Vec<_> = (1..=10).map(|ns| bucket(ns, 1)).collect();
        assert_eq!([1, 10, 11, 50, 95, 100].map(|p| at(&ten, p)), [1, 1, 2, 5, 10, 10].map(Some));
        assert_eq!(at(&[bucket(3, 99), bucket(9, 1)], 99), Some(3));
        assert_eq!(at(&[bucket(3, 98), bucket(9, 1)], 99), Some(9));
        assert_eq!(at(&[], 50), None);
    }

    /// Goal: shares are judged per domain: what one vCPU gets from its sibling is no error.
    #[test]
    fn share_errors_are_per_domain() {
        let vcpu = |got, entitled_ns| VcpuSummary {
            spent_ns: [got, 0, 0, 0],
            entitled_ns,
            ..VcpuSummary::default()
        };
        let domain = |vcpus| DomainSummary { weight: 256, cap: 0, vcpus };
        let mut summary = Summary {
            domains: vec![domain(2), domain(1)],
            vcpus: vec![vcpu(60, 50), vcpu(40, 50), vcpu(100, 100)],
            ..Summary::default()
        };
        assert_eq!(value(&summary, "share-error"), Some(0));
        summary.vcpus[2] = vcpu(80, 100);
        assert_eq!(value(&summary, "share-error"), Some(100_000));
        assert_eq!(value(&Summary::default(), "share-error"), None);
    }

    /// Goal: every figure is compared, and the largest gain and loss are named, whatever their
    /// units; tiny changes of tiny values are not the largest.
    #[test]
    fn the_largest_gain_and_loss_are_named() {
        let run = |ns, switches, vain_tries| Summary {
            latency: vec![bucket(ns, 4)],
            vcpus: vec![VcpuSummary { wakes: 4, latency_ns_max: ns, ..VcpuSummary::default() }],
            pcpus: vec![PcpuSummary { switches, vain_tries, ..PcpuSummary::default() }],
            ..Summary::default()
        };
        let compared = compare(&run(3_000_000, 100, 0), &run(1_000, 400, 1));
        assert_eq!(compared.len(), metrics(&run(1, 1, 1)).len());
        let (gain, loss) = extremes(&compared);
        let gain = gain.expect("latency fell");
        assert_eq!((gain.metric.key.slug, gain.before), ("wake-p50", Some(3_000_000)));
        let loss = loss.expect("switches rose");
        assert_eq!((loss.metric.key.slug, loss.metric.value), ("switches", Some(400)));
        let same = compare(&run(5, 5, 5), &run(5, 5, 5));
        assert_eq!(extremes(&same), (None, None));
    }

    /// Goal: what is neither better nor worse is not called so; what is not there is not compared.
    #[test]
    fn verdicts() {
        assert_eq!(verdict(Better::Lower, Some(1), Some(2)), Verdict::Worse);
        assert_eq!(verdict(Better::Neither, Some(1), Some(2)), Verdict::More);
        assert_eq!(verdict(Better::Neither, Some(2), Some(1)), Verdict::Less);
        assert_eq!(verdict(Better::Lower, None, Some(1)), Verdict::Unknown);
    }
}
