//! What a person may look for: a vCPU, a pCPU, a kind of decision, a time.
//!
//! Only reads the text; going there is the reducer's.

use super::length::{self, Length};
use crate::protocol::{Difference, Span, Wanted};
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
    /// From a moment to another, in ns.
    Range(Span),
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
    if let Some((from, to)) = text.split_once("..") {
        return range(from.trim(), to.trim(), scenario).map(Target::Range);
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
    Err(format!(
        "“{}” is no vCPU (d1v0), pCPU (p3), kind (tickle, pick, steal, schedule, wake), time (12.4ms) or range \
         (12.3ms..12.9ms).",
        shown(&text)
    ))
}

/// Reads the two ends of a range; one without a unit has that of the other.
fn range(from: &str, to: &str, scenario: &Scenario) -> Result<Span, String> {
    let unit =
        |text: &str| text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.').to_owned();
    let read = |text: &str, other: &str| {
        let whole =
            if unit(text).is_empty() { format!("{text}{}", unit(other)) } else { text.into() };
        length::read(&whole).map(|length| length.ns).ok_or_else(|| {
            format!("“{}” is no time: a range goes from 12.3ms..12.9ms.", shown(text))
        })
    };
    let (from_ns, to_ns) = (read(from, to)?, read(to, from)?);
    let end_ns = scenario.duration_ns;
    if from_ns >= to_ns {
        Err(format!("The range {from}..{to} is empty: its end has to come after its start."))
    } else if to_ns > end_ns {
        Err(format!("{to} is past the end of the run, {}.", length::write(end_ns)))
    } else {
        Ok(Span { from_ns, to_ns })
    }
}

/// The beginning of a text, for sentences.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
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

/// What a vCPU, numbered over all domains, is called.
#[must_use]
pub fn vcpu_name(vcpu: u16, scenario: &Scenario) -> String {
    let mut index = usize::from(vcpu);
    for (domain, own) in scenario.domains.iter().enumerate() {
        if index < own.vcpus.len() {
            return format!("d{}v{index}", domain + 1);
        }
        index -= own.vcpus.len();
    }
    format!("v{vcpu}")
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
        assert_eq!(vcpu_name(3, &scenario), "d2v1");
        assert_eq!(vcpu_name(9, &scenario), "v9");
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

    /// Goal: a range is read to the ns, in any units; what is none gets one sentence with the
    /// value.
    #[test]
    fn ranges_are_read() {
        let scenario = (PRESETS[0].build)();
        let read = |text: &str| parse(text, &scenario);
        let span = |from_ns, to_ns| Ok(Target::Range(Span { from_ns, to_ns }));
        assert_eq!(read("12.3ms..12.9ms"), span(12_300_000, 12_900_000));
        assert_eq!(read(" 12.3 .. 12.9 ms "), span(12_300_000, 12_900_000));
        assert_eq!(read("900us..1ms"), span(900_000, 1_000_000));
        assert_eq!(read("17 ns..300ms"), span(17, 300_000_000));
        for (text, says) in [
            ("12.9ms..12.3ms", "empty"),
            ("1ms..1ms", "empty"),
            ("1ms..400ms", "400ms is past the end of the run, 300 ms"),
            ("1..2", "“1” is no time"),
            ("..5ms", "“” is no time"),
            ("1ms..x", "“x” is no time"),
        ] {
            let sentence = read(text).expect_err(text);
            assert!(sentence.contains(says), "{text}: {sentence}");
        }
    }
}
