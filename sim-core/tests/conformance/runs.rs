//! Whole runs: log lines, digests of the run and of every window, totals, counters.

use crate::vectors::{Tally, counters, lines, named};
use serde_json::{Value, json};
use sim_core::machine::Machine;
use sim_core::patches::{PatchSet, Revision};
use sim_core::run::{LogSink, Totals, run_to_end};
use sim_core::scenario::ValidScenario;
use std::fmt::Write;

pub fn check(name: &str) -> Tally {
    let lines = lines(&format!("runs/{name}"));
    let scenario = scenario_json::parse(&lines[0]).expect("a scenario");
    let scenario = scenario.validate_recorded().unwrap_or_else(|error| panic!("{name}: {error}"));
    let runs: Vec<Value> =
        (lines[1..].iter()).map(|line| serde_json::from_str(line).expect("JSON lines")).collect();
    let mut tally = Tally::default();
    for run in &runs {
        let revision = run["rev"].as_str().expect("a name");
        let Some(revision) = Revision::from_name(revision) else { continue };
        let same = run["same_as"].as_str();
        let full = same.map_or(run, |same| {
            runs.iter().find(|other| other["rev"] == same).expect("the run referred to")
        });
        let difference = difference(&scenario, revision.patches, run, full);
        let what = || format!("{name} {}", revision.name);
        tally.compare(what, &difference.as_deref().unwrap_or("same"), &"same");
    }
    tally
}

/// The first thing in which our run differs, if any.
fn difference(
    scenario: &ValidScenario,
    patches: PatchSet,
    run: &Value,
    full: &Value,
) -> Option<String> {
    let mut machine = Machine::new(scenario, patches);
    let guests = machine.system().guests;
    let placed = machine.system().vcpus[..guests].iter().map(|vcpu| vcpu.processor.0);
    let placed: Vec<u16> = placed.collect();
    if json!(placed) != full["init_cpu"] {
        return Some(format!("placed {placed:?}, not {}", full["init_cpu"]));
    }
    let events = full["events"].as_array().expect("log lines");
    let mut expected = events.iter();
    let mut first = None;
    let mut sink = LogSink::new(scenario.duration_ns, guests, |_, line: &[u8]| {
        let line = std::str::from_utf8(line).expect("ASCII").trim_end();
        if let Some(theirs) = expected.next()
            && theirs.as_str() != Some(line)
        {
            first.get_or_insert_with(|| format!("line `{line}`, the vector says {theirs}"));
        }
    });
    run_to_end(&mut machine, &mut sink);
    let digest = sink.digest().clone();
    first.or_else(|| {
        let mut windows = String::new();
        digest.windows().for_each(|window| write!(windows, "{window:016x}").expect("a string"));
        let totals = Totals::of(&machine, scenario.duration_ns);
        let vcpus: Vec<_> = totals.vcpus.iter().map(|vcpu| vcpu.row()).collect();
        let pcpus: Vec<_> = totals.pcpus.iter().map(|p| [p.idle_ns, p.switches]).collect();
        let ours = [
            ("lines", json!(digest.lines())),
            ("windows", json!(windows)),
            ("digest", json!(format!("{:016x}", digest.whole()))),
            ("vcpus", json!(vcpus)),
            ("pcpus", json!(pcpus)),
        ];
        let differs = ours.into_iter().find(|(name, ours)| full[*name] != *ours);
        if let Some((name, ours)) = differs {
            return Some(format!("{name} {ours}, the vector says {}", full[name]));
        }
        let counted =
            [("counters", named(totals.counters)), ("hcounters", named(totals.hcounters))];
        counted.into_iter().find_map(|(name, ours)| {
            let theirs = named(counters(&run[name]).iter().map(|(n, c)| (n.as_str(), *c)));
            (ours != theirs).then(|| format!("{name} {ours:?}, the vector says {theirs:?}"))
        })
    })
}
