//! Values as people write them, and what is wrong with a text.
//!
//! Every sentence names the field and the offending value. Nothing is changed here.

use super::access;
use super::field::{At, Field, Form, Range, Seen, Spec, Value};
use super::machine;
use crate::state::length;
use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::scenario::{Scenario, limits};

/// Numbers that a field may hold: 0 as well if the first says so, and from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Whether 0 is fine too.
    pub zero: bool,
    /// The least.
    pub least: u64,
    /// The most.
    pub most: u64,
}

/// The least and the most that a field may hold in this scenario.
#[must_use]
pub fn bounds(scenario: &Scenario, at: At) -> Bounds {
    let between = |least, most| Bounds { zero: false, least, most };
    let last = |count: usize| between(0, (count as u64).saturating_sub(1)); // saturating: of none, 0
    let pcpus = scenario.topology.pcpu_count();
    match at.field.spec().range {
        Range::Free => between(0, u64::MAX),
        Range::Between(least, most) => between(least, most),
        Range::ZeroOr(least, most) => Bounds { zero: true, least, most },
        Range::From(field, most) => match access::read(scenario, At { field, ..at }) {
            Seen::Value(Value::Number(least)) => between(least, most),
            _ => between(1, most),
        },
        Range::Shape => {
            let shape = machine::shape(&scenario.topology);
            let all = [shape.sockets, shape.cores, shape.threads].map(u64::from);
            let others = match at.field {
                Field::Sockets => all[1] * all[2],
                Field::Cores => all[0] * all[2],
                _ => all[0] * all[1],
            };
            between(1, limits::PCPUS as u64 / others.max(1))
        }
        Range::UpToCores => {
            let shape = machine::shape(&scenario.topology);
            between(1, u64::from(shape.sockets) * u64::from(shape.cores))
        }
        // As the file's “keep” for a change is a number as well, that number cannot be written.
        Range::UpToMachine => {
            let most = pcpus as u64 * 100;
            let change = at.field == Field::ChangeCap;
            between(0, if change { most.min(u64::from(u16::MAX) - 1) } else { most })
        }
        Range::OfPcpus => last(pcpus),
        Range::OfDomains => last(scenario.domains.len()),
        Range::OfVcpus => last(scenario.domains.iter().map(|domain| domain.vcpus.len()).sum()),
        Range::Characters(most) => between(0, most as u64),
    }
}

/// The range in words: `1 to 65535`, `off or 100 µs to 500 ms`.
#[must_use]
pub fn range_words(scenario: &Scenario, at: At) -> String {
    let spec = at.field.spec();
    let Bounds { zero, least, most } = bounds(scenario, at);
    let number = |value| print(scenario, at.field, &Value::Number(value));
    match (spec.form, spec.range) {
        (_, Range::Characters(most)) => format!("at most {most} characters"),
        (Form::Switch, _) => "on or off".into(),
        (Form::Choice(words), _) => words.join(", "),
        (Form::Lines | Form::Line, _) => String::new(),
        (Form::Cpus, _) => {
            let all = if spec.word.is_empty() { "" } else { "all, or " };
            format!("{all}some of p0 to p{most}")
        }
        _ if zero => format!("{} or {} to {}", spec.word, number(least), number(most)),
        _ if spec.word.is_empty() || (least == 0 && spec.form != Form::Pcpu && !keeps(spec)) => {
            format!("{} to {}", number(least), number(most))
        }
        _ => format!("{} or {} to {}", spec.word, number(least), number(most)),
    }
}

/// Whether the field's word stands for no value, not for 0.
fn keeps(spec: &Spec) -> bool {
    matches!(spec.field, Field::WakeOn | Field::Hard | Field::Soft)
        || matches!(spec.field, Field::ChangeWeight | Field::ChangeCap)
}

/// A value as it is written.
#[must_use]
pub fn print(scenario: &Scenario, field: Field, value: &Value) -> String {
    let spec = field.spec();
    match (value, spec.form) {
        (Value::Text(text), _) => text.clone(),
        (Value::Nothing, _) => spec.word.into(),
        (Value::Number(0), _) if !spec.word.is_empty() && !keeps(spec) => spec.word.into(),
        (Value::Cpus(mask), _) => print_cpus(mask),
        (Value::Number(number), form) => match form {
            Form::Number("") => number.to_string(),
            Form::Number(unit) => format!("{number} {unit}"),
            Form::Length(scale) => match number.checked_mul(scale) {
                Some(ns) => length::write(ns),
                None => number.to_string(),
            },
            Form::Switch => if *number == 0 { "off" } else { "on" }.into(),
            Form::Choice(words) => {
                let index = usize::try_from(*number).unwrap_or(usize::MAX);
                words.get(index).copied().unwrap_or_default().into()
            }
            Form::Pcpu => format!("p{number}"),
            Form::Domain => format!("d{}", number.saturating_add(1)),
            Form::Vcpu => print_vcpu(scenario, *number),
            Form::Line | Form::Lines | Form::Cpus => number.to_string(),
        },
    }
}

fn print_vcpu(scenario: &Scenario, number: u64) -> String {
    let mut left = number;
    for (domain, spec) in (1u32..).zip(&scenario.domains) {
        let count = spec.vcpus.len() as u64;
        if left < count {
            return format!("d{domain}v{left}");
        }
        left -= count;
    }
    number.to_string()
}

/// A set as a list: `0-3,7`.
#[must_use]
pub fn print_cpus(mask: &CpuMask) -> String {
    let mut text = String::new();
    let mut all = mask.iter().map(|pcpu| pcpu.0).peekable();
    while let Some(first) = all.next() {
        let mut last = first;
        while let Some(next) = all.next_if(|next| *next == last + 1) {
            last = next;
        }
        if !text.is_empty() {
            text.push(',');
        }
        text.push_str(&first.to_string());
        if last > first {
            text.push(if last == first + 1 { ',' } else { '-' });
            text.push_str(&last.to_string());
        }
    }
    text
}

/// Reads what a person wrote into a field, and checks its range.
///
/// # Errors
/// One sentence with the offending value.
pub fn parse(scenario: &Scenario, at: At, text: &str) -> Result<Value, String> {
    let value = read(scenario, at, text)?;
    check(scenario, at, &value)?;
    Ok(value)
}

fn read(scenario: &Scenario, at: At, text: &str) -> Result<Value, String> {
    let spec = at.field.spec();
    if matches!(spec.form, Form::Line | Form::Lines) {
        return Ok(Value::Text(text.into()));
    }
    let text = text.trim();
    if !spec.word.is_empty() && text.eq_ignore_ascii_case(spec.word) {
        return Ok(if keeps(spec) { Value::Nothing } else { Value::Number(0) });
    }
    if text.is_empty() {
        return Err(format!("{} is empty; it must be {}.", spec.label, range_words(scenario, at)));
    }
    let refused = |what: &str| {
        format!(
            "{} is “{}”; that is {what}.",
            spec.label,
            text.chars().take(40).collect::<String>()
        )
    };
    let number = |text: &str| text.parse::<u64>().ok();
    let value = match spec.form {
        Form::Line | Form::Lines => None,
        Form::Cpus => return read_cpus(scenario, spec, text),
        Form::Length(scale) => {
            return length(text, scale)
                .map(Value::Number)
                .map_err(|why| format!("{} is {why}", spec.label));
        }
        Form::Number(unit) => number(text.strip_suffix(unit).unwrap_or(text).trim_end()),
        Form::Switch => match text {
            "on" => Some(1),
            "off" => Some(0),
            _ => None,
        },
        Form::Choice(words) => words.iter().position(|word| *word == text).map(|at| at as u64),
        Form::Pcpu => number(text.strip_prefix('p').unwrap_or(text)),
        Form::Domain => {
            text.strip_prefix('d').and_then(number).and_then(|number| number.checked_sub(1))
        }
        Form::Vcpu => read_vcpu(scenario, text),
    };
    value.map(Value::Number).ok_or_else(|| {
        let wanted = range_words(scenario, at);
        refused(&if wanted.is_empty() { "no number".into() } else { format!("not {wanted}") })
    })
}

fn read_vcpu(scenario: &Scenario, text: &str) -> Option<u64> {
    let (domain, vcpu) = text.strip_prefix('d')?.split_once('v')?;
    let (domain, vcpu): (usize, usize) = (domain.parse().ok()?, vcpu.parse().ok()?);
    let own = scenario.domains.get(domain.checked_sub(1)?)?;
    let before: usize = scenario.domains[..domain - 1].iter().map(|d| d.vcpus.len()).sum();
    (vcpu < own.vcpus.len()).then_some((before + vcpu) as u64)
}

/// Reads a length that is kept in units of `scale` ns.
///
/// # Errors
/// The rest of a sentence that begins with the field: the value, and what is wrong with it.
pub fn length(text: &str, scale: u64) -> Result<u64, String> {
    let shown: String = text.chars().take(40).collect();
    let unit = match scale {
        1 => "ns",
        1_000 => "µs",
        _ => "ms",
    };
    let read = length::read(text).or_else(|| {
        // Without a unit only 0 is clear.
        text.parse::<u64>().ok().filter(|number| *number == 0)?;
        length::number_of(text, 1)
    });
    let Some(read) = read else {
        return Err(format!("“{shown}”; that is no length such as 30 ms, 1.5 µs or 20 ns."));
    };
    if !read.exact || read.ns % scale != 0 {
        return Err(format!("{shown}; it must be whole {unit}."));
    }
    Ok(read.ns / scale)
}

fn read_cpus(scenario: &Scenario, spec: &Spec, text: &str) -> Result<Value, String> {
    let pcpus = scenario.topology.pcpu_count();
    let mut mask = CpuMask::empty(pcpus);
    let number = |text: &str| {
        let text = text.trim();
        text.strip_prefix('p').unwrap_or(text).parse::<u16>().ok()
    };
    for part in text.split(',').filter(|part| !part.trim().is_empty()) {
        let (first, last) = part.split_once(['-', '–']).unwrap_or((part, part));
        let shown: String = part.trim().chars().take(40).collect();
        let (Some(first), Some(last)) = (number(first), number(last)) else {
            return Err(format!(
                "{} has “{shown}”; that is no pCPU and no range such as 0-3.",
                spec.label
            ));
        };
        if first > last {
            return Err(format!("{} has {shown}, which is upside down.", spec.label));
        }
        if usize::from(last) >= pcpus {
            let label = spec.label;
            let most = pcpus.saturating_sub(1); // saturating: a machine of none is refused elsewhere
            return Err(format!(
                "{label} names pCPU {last}; the machine has {pcpus} (0 to {most})."
            ));
        }
        (first..=last).for_each(|pcpu| mask.insert(PcpuId(pcpu)));
    }
    Ok(Value::Cpus(mask))
}

/// Whether a value may stand in a field of this scenario.
///
/// # Errors
/// One sentence with the offending value.
pub fn check(scenario: &Scenario, at: At, value: &Value) -> Result<(), String> {
    let spec = at.field.spec();
    let label = spec.label;
    match value {
        Value::Nothing => Ok(()),
        Value::Cpus(mask) if mask.is_empty() => {
            Err(format!("{label} is empty; it needs at least one pCPU."))
        }
        Value::Cpus(_) => Ok(()),
        Value::Text(text) => check_text(at.field, text),
        Value::Number(number) => {
            let Bounds { zero, least, most } = bounds(scenario, at);
            if (zero && *number == 0) || (least..=most).contains(number) {
                return Ok(());
            }
            let (shown, range) = (print(scenario, at.field, value), range_words(scenario, at));
            Err(format!("{label} is {shown}; it must be {range}."))
        }
    }
}

fn check_text(field: Field, text: &str) -> Result<(), String> {
    let spec = field.spec();
    match field {
        Field::Steps => match super::work::read_steps(text)?.len() {
            0 => Err("There are no steps; a script needs at least one compute.".into()),
            n if n > limits::STRETCHES => {
                Err(format!("There are {n} computes; the most is {}.", limits::STRETCHES))
            }
            _ => Ok(()),
        },
        Field::Json => {
            let scenario = scenario_json::parse(text).map_err(|error| sentence(&error))?;
            scenario.validate().map(|_| ()).map_err(|error| sentence(&error))
        }
        _ => match (spec.range, text.chars().count()) {
            (Range::Characters(most), count) if count > most => {
                Err(format!("{} has {count} characters; the most is {most}.", spec.label))
            }
            _ => Ok(()),
        },
    }
}

/// An error as a sentence: with a capital and a full stop.
#[must_use]
pub fn sentence(error: &dyn std::fmt::Display) -> String {
    let text = error.to_string();
    let mut letters = text.chars();
    let first = letters.next().map(char::to_uppercase).into_iter().flatten();
    let mut sentence: String = first.chain(letters).collect();
    if !sentence.ends_with('.') {
        sentence.push('.');
    }
    sentence
}
