//! Numbers, times and parts of a scenario as people read them.
//!
//! Only prints; nothing is decided here.

use sim_core::cpumask::CpuMask;
use sim_core::scenario::Scenario;
use sim_core::units::SimDuration;
use sim_core::workload::{Stretch, Workload};

/// From here on a stretch of execution is longer than any run, in ns.
const FOR_EVER_NS: u64 = 1_000_000_000_000;

/// A moment to the ns: `17.587 000 ms`.
#[must_use]
pub fn moment(ns: u64) -> String {
    let (ms, part) = (ns / 1_000_000, ns % 1_000_000);
    format!("{}.{:03} {:03} ms", count(ms), part / 1_000, part % 1_000)
}

/// A length with its unit: `3.6 ms`.
#[must_use]
pub fn length(ns: u64) -> String {
    SimDuration::from_ns(ns).to_string()
}

/// A clause as a sentence: a capital first, a full stop at the end.
#[must_use]
pub fn sentence(clause: &str) -> String {
    let mut letters = clause.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

/// A number with its thousands apart: `3,912`.
#[must_use]
pub fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.char_indices() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with a true minus sign: `−75`.
#[must_use]
pub fn signed(number: i32) -> String {
    let sign = if number < 0 { "−" } else { "" };
    format!("{sign}{}", count(u64::from(number.unsigned_abs())))
}

/// A priority by its name.
#[must_use]
pub fn priority(pri: i8) -> String {
    match pri {
        0 => "BOOST".into(),
        -1 => "UNDER".into(),
        -2 => "OVER".into(),
        -64 => "IDLE".into(),
        other => signed(i32::from(other)),
    }
}

/// pCPUs that are set, pCPU 0 first: `p0–p3, p8`, or `none`.
#[must_use]
pub fn runs(bits: &[bool]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (pcpu, _) in bits.iter().enumerate().filter(|(_, set)| **set) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == pcpu => *last = pcpu,
            _ => runs.push((pcpu, pcpu)),
        }
    }
    let run = |(first, last): &(usize, usize)| match last - first {
        0 => format!("p{first}"),
        1 => format!("p{first}, p{last}"),
        _ => format!("p{first}–p{last}"),
    };
    let runs: Vec<String> = runs.iter().map(run).collect();
    if runs.is_empty() { "none".into() } else { runs.join(", ") }
}

/// A set of pCPUs: `p0–p3, p8`.
#[must_use]
pub fn pcpus(mask: &CpuMask) -> String {
    let mut runs: Vec<(u16, u16)> = Vec::new();
    for pcpu in mask.iter() {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == pcpu.0 => *last = pcpu.0,
            _ => runs.push((pcpu.0, pcpu.0)),
        }
    }
    let names = runs.iter().map(|(first, last)| match last - first {
        0 => format!("p{first}"),
        1 => format!("p{first}, p{last}"),
        _ => format!("p{first}–p{last}"),
    });
    names.collect::<Vec<_>>().join(", ")
}

/// What a vCPU does: `runs 600 µs, sleeps 3.4 ms`.
#[must_use]
pub fn workload(workload: &Workload) -> String {
    match workload {
        Workload::Script(stretches) => match stretches.as_slice() {
            [only] => stretch(*only),
            [first, ..] => format!("{}, and {} more in turn", stretch(*first), stretches.len() - 1),
            [] => "nothing".into(),
        },
        Workload::Random(random) => {
            let sleeps = format!("sleeps {}", range(random.block_ns));
            let then = match random.yield_permille {
                0 => sleeps,
                1_000 => "yields".into(),
                permille => format!("{sleeps} or yields ({} of 1,000)", count(permille)),
            };
            format!("runs {}, {then}", range(random.run_ns))
        }
    }
}

fn stretch(stretch: Stretch) -> String {
    if stretch.run_ns >= FOR_EVER_NS {
        return "never stops".into();
    }
    let then = match stretch.block_ns {
        0 => "yields".into(),
        ns => format!("sleeps {}", length(ns)),
    };
    format!("runs {}, {then}", length(stretch.run_ns))
}

fn range((least, most): (u64, u64)) -> String {
    if least == most { length(least) } else { format!("{} to {}", length(least), length(most)) }
}

/// The machine: `2 sockets × 4 cores × 2 threads`, or only the counts if it is not regular.
#[must_use]
pub fn machine(scenario: &Scenario) -> String {
    let places = scenario.topology.places();
    let distinct = |first: &dyn Fn(usize) -> u32| {
        let mut seen: Vec<u32> = (0..places.len()).map(first).collect();
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    };
    let lowest = |mask: &CpuMask| mask.first().map_or(0, |pcpu| u32::from(pcpu.0));
    let sockets = distinct(&|pcpu| lowest(&places[pcpu].socket));
    let cores = distinct(&|pcpu| lowest(&places[pcpu].sibling));
    let pcpus = places.len();
    if cores.is_multiple_of(sockets) && pcpus.is_multiple_of(cores) {
        let (cores, threads) = (cores / sockets, pcpus / cores);
        let parts = [(sockets, "socket"), (cores, "core"), (threads, "thread")];
        parts.map(|(number, what)| several(number, what)).join(" × ")
    } else {
        format!(
            "{}, {}, {}",
            several(sockets, "socket"),
            several(cores, "core"),
            several(pcpus, "pCPU")
        )
    }
}

/// “1 node”, “2 nodes”.
#[must_use]
pub fn several(number: usize, what: &str) -> String {
    let s = if number == 1 { "" } else { "s" };
    format!("{} {what}{s}", count(number as u64))
}

/// A kind of record in a word, by its number.
#[must_use]
pub fn kind(kind: u8) -> &'static str {
    const WORDS: [&str; 9] =
        ["wake", "tickle", "pick", "balance", "schedule", "tick", "accounting", "park", "event"];
    WORDS.get(usize::from(kind)).copied().unwrap_or("record")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::decision::Kind;
    use sim_core::ids::PcpuId;
    use sim_core::presets::PRESETS;

    /// Goal: times carry every ns and a unit, numbers their thousands and a true minus sign.
    #[test]
    fn numbers_read_well() {
        assert_eq!(moment(17_587_000), "17.587 000 ms");
        assert_eq!(moment(1_234_000_000_001), "1,234,000.000 001 ms");
        assert_eq!(count(3_912), "3,912");
        assert_eq!(count(12), "12");
        assert_eq!(signed(-1_075), "−1,075");
        assert_eq!(several(1, "node"), "1 node");
        assert_eq!(several(2, "node"), "2 nodes");
    }

    /// Goal: neighbouring pCPUs are joined from three on.
    #[test]
    fn sets_are_joined() {
        let mut mask = CpuMask::empty(16);
        [0, 1, 2, 3, 8, 10, 11].iter().for_each(|pcpu| mask.insert(PcpuId(*pcpu)));
        assert_eq!(pcpus(&mask), "p0–p3, p8, p10, p11");
    }

    /// Goal: what the guests of the presets do can be read, and their machines.
    #[test]
    fn presets_are_put_into_words() {
        let pinned = (PRESETS[0].build)();
        let all: Vec<String> = pinned.vcpus().map(|(_, vcpu)| workload(&vcpu.workload)).collect();
        assert_eq!(all[0], "never stops");
        assert_eq!(all[2], "runs 600 µs, sleeps 3.4 ms");
        assert_eq!(machine(&pinned), "1 socket × 4 cores × 1 thread");
        assert_eq!(machine(&(PRESETS[3].build)()), "2 sockets × 4 cores × 2 threads");
    }

    /// Goal: every kind has its word.
    #[test]
    fn kinds_have_words() {
        for each in Kind::ALL {
            assert_ne!(kind(each as u8), "record");
        }
        assert_eq!(kind(Kind::Tickle as u8), "tickle");
    }
}
