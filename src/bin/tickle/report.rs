//! What a run adds up to: for people, or as JSON under the names of the vectors.

use super::args::Choice;
use serde_json::{Map, Value, json};
use sim_core::decision::TRACE_KINDS;
use sim_core::patches::{Revision, Standing};
use sim_core::run::{Digest, Totals, TraceCounts};
use sim_core::scenario::ValidScenario;
use std::fmt::Write;

/// Everything that is printed.
pub struct Report<'a> {
    /// What ran.
    pub scenario: &'a ValidScenario,
    /// How.
    pub choice: &'a Choice,
    /// Per vCPU, its pCPU after set-up.
    pub placed: Vec<u16>,
    /// The digest of its log lines.
    pub digest: Digest,
    /// What it adds up to.
    pub totals: Totals,
    /// How many trace records of each kind, if they were asked for.
    pub traced: Option<TraceCounts>,
}

fn object(counts: &[(&str, u64)]) -> Value {
    let entries = counts.iter().map(|(name, count)| ((*name).to_owned(), json!(count)));
    Value::Object(entries.collect::<Map<_, _>>())
}

impl Report<'_> {
    /// One line of JSON.
    pub fn json(&self) -> Value {
        let Totals { vcpus, pcpus, counters, hcounters } = &self.totals;
        let windows: String =
            self.digest.windows().map(|window| format!("{window:016x}")).collect();
        let slugs: Vec<_> = self.choice.patches.iter().map(|patch| patch.info().slug).collect();
        let mut report = json!({
            "scenario": self.scenario.name,
            "rev": Revision::of(self.choice.patches).map(|revision| revision.name),
            "patches": slugs,
            "init_cpu": self.placed,
            "lines": self.digest.lines(),
            "digest": format!("{:016x}", self.digest.whole()),
            "windows": windows,
            "vcpus": vcpus.iter().map(|vcpu| vcpu.row()).collect::<Vec<_>>(),
            "pcpus": pcpus.iter().map(|pcpu| [pcpu.idle_ns, pcpu.switches]).collect::<Vec<_>>(),
            "counters": object(counters),
            "hcounters": object(hcounters),
        });
        if let Some(traced) = self.traced() {
            report["traced"] = object(&traced);
        }
        report
    }

    /// The trace records that there were, with their names.
    fn traced(&self) -> Option<Vec<(&'static str, u64)>> {
        let traced = self.traced.as_ref()?;
        let all = TRACE_KINDS.iter().map(|info| (info.name, traced.get(info.kind)));
        Some(all.filter(|(_, count)| *count > 0).collect())
    }

    /// Tables for people.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write_head(&mut text);
        self.write_vcpus(&mut text);
        self.write_pcpus(&mut text);
        let traced = self.traced().unwrap_or_default();
        for (title, counts) in [
            ("counters", &self.totals.counters),
            ("machine", &self.totals.hcounters),
            ("trace records", &traced),
        ] {
            if counts.is_empty() {
                continue;
            }
            let _ = writeln!(text, "\n{title}");
            for (name, count) in counts.iter().filter(|(_, count)| *count != 0) {
                let _ = writeln!(text, "  {name:24}{count:>12}");
            }
        }
        text
    }

    fn write_head(&self, text: &mut String) {
        let patches = self.choice.patches;
        let name = if self.scenario.name.is_empty() { "scenario" } else { &self.scenario.name };
        let _ = writeln!(text, "{name} at {}", Standing::of(patches));
        let _ = writeln!(text, "length    {} ms", ms(self.scenario.duration_ns));
        let _ = writeln!(text, "log lines {}", self.digest.lines());
        let _ = writeln!(text, "digest    {:016x}", self.digest.whole());
    }

    fn write_vcpus(&self, text: &mut String) {
        let _ = writeln!(
            text,
            "\n{:>8} {:>12} {:>12} {:>12} {:>12} {:>6} {:5} {:>7} {:>9} {:>9} {:>6} {:>6} {:>6} on",
            "vCPU",
            "running ms",
            "ready ms",
            "asleep ms",
            "offline ms",
            "credit",
            "prio",
            "wakes",
            "mean µs",
            "worst µs",
            "moves",
            "steals",
            "kicked"
        );
        let domains = self.scenario.domains.iter().enumerate();
        let names = domains.flat_map(|(domain, spec)| {
            (0..spec.vcpus.len()).map(move |vcpu| format!("d{}v{vcpu}", domain + 1))
        });
        for (name, vcpu) in names.zip(&self.totals.vcpus) {
            let tally = &vcpu.tally;
            let [running, runnable, blocked, offline] = tally.spent_ns.map(ms);
            let mean_ns = tally.latency_ns_sum.checked_div(tally.latency_count).unwrap_or(0);
            let (mean, worst) = (us(mean_ns), us(tally.latency_ns_max));
            let (credit, prio) = (vcpu.credit, vcpu.pri.name());
            let (wakes, moves, steals) = (tally.wakes, tally.moves, tally.steals);
            let (kicked, on) = (vcpu.stats.kicked_away, vcpu.processor);
            let _ = writeln!(
                text,
                "{name:>8} {running:>12} {runnable:>12} {blocked:>12} {offline:>12} {credit:>6} \
                 {prio:5} {wakes:>7} {mean:>9} {worst:>9} {moves:>6} {steals:>6} {kicked:>6} p{on}"
            );
        }
    }

    fn write_pcpus(&self, text: &mut String) {
        let _ = writeln!(text, "\n{:>8} {:>12} {:>12}", "pCPU", "idle ms", "switches");
        for (index, pcpu) in self.totals.pcpus.iter().enumerate() {
            let (name, idle) = (format!("p{index}"), ms(pcpu.idle_ns));
            let _ = writeln!(text, "{name:>8} {idle:>12} {:>12}", pcpu.switches);
        }
    }
}

/// Milliseconds with three digits, rounded down.
fn ms(ns: u64) -> String {
    format!("{}.{:03}", ns / 1_000_000, ns / 1_000 % 1_000)
}

/// Microseconds with one digit, rounded down.
fn us(ns: u64) -> String {
    format!("{}.{}", ns / 1_000, ns / 100 % 10)
}
