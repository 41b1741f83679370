//! What a person may look for: a vCPU, a pCPU, a kind of decision, a time.
//!
//! Only reads the text; going there is the reducer's.

use crate::protocol::{Difference, Wanted};
use sim_core::decision::Kind;
use sim_core::patches::Patch;
use sim_core::scenario::Scenario;

/// What a text asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A record.
    Wanted(Wanted),
    /// A decision of a pCPU, whose row is chosen too.
    Pcpu(u16),
    /// A moment, in ns.
    Time(u64),
}

/// The words for kinds, with what they look for.
const WORDS: [(&str, Wanted); 16] = [
    ("wake", Wanted::Kind(Kind::Wake as u8)),
    ("tickle", Wanted::Kind(Kind::Tickle as u8)),
    ("runq_tickle", Wanted::Kind(Kind::Tickle as u8)),
    ("pick", Wanted::Kind(Kind::Pick as u8)),
    ("cpu_pick", Wanted::Kind(Kind::Pick as u8)),
    ("balance", Wanted::Kind(Kind::Balance as u8)),
    ("steal", Wanted::Kind(Kind::Balance as u8)),
    ("schedule", Wanted::Kind(Kind::Schedule as u8)),
    ("do_schedule", Wanted::Kind(Kind::Schedule as u8)),
    ("tick", Wanted::Kind(Kind::Tick as u8)),
    ("account", Wanted::Kind(Kind::Account as u8)),
    ("acct", Wanted::Kind(Kind::Account as u8)),
    ("park", Wanted::Kind(Kind::Park as u8)),
    ("event", Wanted::Kind(Kind::Origin as u8)),
    ("decision", Wanted::Decision),
    ("changed", Wanted::Changed(Difference::Patch(Patch::TicklePreferIdlers as u8))),
];

/// Reads what a person looks for in a run of `scenario`.
///
/// # Errors
/// One sentence with what could be looked for instead.
pub fn parse(text: &str, scenario: &Scenario) -> Result<Target, String> {
    let text = text.trim().to_lowercase();
    if let Some((_, wanted)) = WORDS.iter().find(|(word, _)| *word == text) {
        return Ok(Target::Wanted(*wanted));
    }
    if let Some(patch) = Patch::from_slug(&text) {
        return Ok(Target::Wanted(Wanted::Changed(Difference::Patch(patch as u8))));
    }
    if let Some(ns) = time_ns(&text) {
        return if ns < scenario.duration_ns {
            Ok(Target::Time(ns))
        } else {
            Err(format!("{text} is past the end of the run."))
        };
    }
    if let Some(pcpu) = text.strip_prefix('p').and_then(|number| number.parse::<u16>().ok()) {
        let pcpus = scenario.topology.pcpu_count();
        return if usize::from(pcpu) < pcpus {
            Ok(Target::Pcpu(pcpu))
        } else {
            Err(format!("There is no p{pcpu}: the machine has p0 to p{}.", pcpus - 1))
        };
    }
    if let Some((domain, index)) = vcpu_words(&text) {
        return vcpu(domain, index, scenario)
            .map(|vcpu| Target::Wanted(Wanted::Vcpu(vcpu)))
            .ok_or_else(|| format!("There is no d{domain}v{index} in this scenario."));
    }
    let shown: String = text.chars().take(40).collect();
    Err(format!(
        "“{shown}” is no vCPU (d1v0), pCPU (p3), kind (tickle, pick, steal, schedule, wake) or time (12.4ms)."
    ))
}

/// The numbers of `d1v0`: domain from 1, vCPU from 0.
fn vcpu_words(text: &str) -> Option<(usize, usize)> {
    let (domain, index) = text.strip_prefix('d')?.split_once('v')?;
    Some((domain.parse().ok().filter(|domain| *domain > 0)?, index.parse().ok()?))
}

/// The number over all domains.
fn vcpu(domain: usize, index: usize, scenario: &Scenario) -> Option<u16> {
    let own = scenario.domains.get(domain - 1)?;
    let before: usize = scenario.domains[..domain - 1].iter().map(|d| d.vcpus.len()).sum();
    (index < own.vcpus.len()).then(|| u16::try_from(before + index).ok())?
}

/// Reads a time such as `12.4ms` or `17587 us`, in ns; digits below a ns are cut.
#[must_use]
pub fn time_ns(text: &str) -> Option<u64> {
    let at = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
    let (number, unit) = text.split_at(at);
    let scale: u64 = match unit.trim() {
        "ns" => 1,
        "us" | "µs" | "μs" => 1_000,
        "ms" => 1_000_000,
        "s" => 1_000_000_000,
        _ => return None,
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if whole.is_empty() && part.is_empty() {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let mut ns = whole.checked_mul(scale)?;
    let mut place = scale;
    for digit in part.chars() {
        place /= 10;
        ns = ns.checked_add(u64::from(digit.to_digit(10)?) * place)?;
    }
    Some(ns)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::presets::PRESETS;

    /// Goal: times are read with any unit and any number of digits, and nothing else is a time.
    #[test]
    fn times_are_read() {
        for (text, ns) in [
            ("12.4ms", Some(12_400_000)),
            ("17587 us", Some(17_587_000)),
            ("1.5µs", Some(1_500)),
            (".25s", Some(250_000_000)),
            ("3ns", Some(3)),
            ("1.9ns", Some(1)),
            ("12.4", None),
            ("ms", None),
            (".ms", None),
            ("1.2.3ms", None),
            ("99999999999999999999s", None),
            ("18446744073709551615s", None),
        ] {
            assert_eq!(time_ns(text), ns, "{text}");
        }
    }

    /// Goal: vCPUs are found by domain and index, pCPUs and kinds by name, in any case.
    #[test]
    fn names_are_read() {
        let scenario = (PRESETS[0].build)();
        let read = |text: &str| parse(text, &scenario);
        assert_eq!(read(" D2V1 "), Ok(Target::Wanted(Wanted::Vcpu(3))));
        let changed = Wanted::Changed(Difference::Patch(Patch::TickledIsBusy as u8));
        assert_eq!(read("tickled_is_busy"), Ok(Target::Wanted(changed)));
        assert_eq!(read("p3"), Ok(Target::Pcpu(3)));
        assert_eq!(read("Steal"), Ok(Target::Wanted(Wanted::Kind(Kind::Balance as u8))));
        assert_eq!(read("1ms"), Ok(Target::Time(1_000_000)));
        assert_eq!(read("p4"), Err("There is no p4: the machine has p0 to p3.".into()));
        assert_eq!(read("d2v2"), Err("There is no d2v2 in this scenario.".into()));
        assert_eq!(read("9s"), Err("9s is past the end of the run.".into()));
        assert!(read("d0v0").is_err() && read("hello").is_err());
    }
}
