//! What a person may look for: a vCPU, a pCPU, a kind of decision, a time.
//!
//! Only reads the text; going there is the reducer's.

use super::length::{self, Length};
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
    if let Some(Length { ns, .. }) = length::read(&text) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::presets::PRESETS;

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
