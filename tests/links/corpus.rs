//! Links that were sent, of every version, and what each must open as for ever.
//!
//! A link stands alone in its line, and below it, indented, what it holds. What a version did not
//! know prints nothing, so that the entries of old versions never change.

use sim_core::patches::PatchSet;
use sim_core::scenario::Params;
use std::fmt::Write as _;
use tickle::share::{Panels, ScenarioChoice, ShareState, SideB, Stop, decode};

/// The corpus by version; the first number of each link.
const CORPUS: [(&str, &str); 2] =
    [("1", include_str!("corpus/version-1.txt")), ("2", include_str!("corpus/version-2.txt"))];

/// Parameters by name, all of them: one that comes in later is not printed for links that cannot
/// have it.
fn params(of: &Params) -> String {
    format!(
        "{} ms, {} µs, one idler {}, fill {}, {} µs, {} ns, {} ns, {} ns, {} µs",
        of.tslice_ms,
        of.ratelimit_us,
        of.tickle_one_idle,
        of.smt_power_savings,
        of.migration_delay_us,
        of.ipi_latency_ns,
        of.ctx_switch_ns,
        of.cpu_up_step_ns,
        of.lb_ratelimit_us
    )
}

fn stop(of: &Stop) -> String {
    let Stop { view, cursor_ns, row, selection, range, caption, patches } = of;
    let patches = patches.map(PatchSet::bits);
    format!("{view:?} {cursor_ns} p{row} {selection:?} {range:?} {patches:x?} “{caption}”")
}

/// A state in lines, without a scenario of one's own.
pub fn lines(state: &ShareState) -> String {
    let mut text = String::new();
    let mut line = |words: String| writeln!(text, "  {words}").expect("a string");
    if let ScenarioChoice::Preset(number) = &state.scenario {
        line(format!("preset {number}"));
    }
    line(format!("patches {:#x}", state.patches.bits()));
    if let Some((from_ns, to_ns)) = state.view {
        line(format!("view {from_ns} to {to_ns}"));
    }
    if let Some(cursor_ns) = state.cursor_ns {
        line(format!("cursor {cursor_ns}"));
    }
    if let Some(place) = state.selection {
        line(format!("selection {place:?}"));
    }
    if let Some(digest) = state.digest {
        line(format!("digest {digest:016x}"));
    }
    if let Some(row) = state.row {
        line(format!("row {row}"));
    }
    if let Some(range) = state.range {
        line(format!("range {range:?}"));
    }
    if state.panels != Panels::default() {
        line(format!("panels {:#x}", state.panels.bits()));
    }
    for stop in &state.stops {
        line(format!("stop {}", self::stop(stop)));
    }
    if let Some(b) = &state.b {
        let SideB { patches, seed, params, digest } = b;
        line(format!("side B {:#x} {seed:?} {digest:x?}", patches.bits()));
        if let Some(params) = params {
            line(format!("side B {}", self::params(params)));
        }
    }
    if !state.skipped.is_empty() {
        line(format!("skipped {:?}", state.skipped));
    }
    text
}

/// Goal: every link that was ever sent still opens as what it was.
#[test]
fn links_of_every_version_open_for_ever() {
    for (version, corpus) in CORPUS {
        let mut count = 0;
        for entry in corpus.split("\n\n") {
            let (link, expected) = entry.trim_end().split_once('\n').expect("a link and lines");
            assert!(link.starts_with(&format!("{version}-")), "{link}");
            let state = decode(link).unwrap_or_else(|error| panic!("{link}: {error}"));
            let own = expected.lines().find_map(|line| line.strip_prefix("  own "));
            match (&state.scenario, own) {
                (ScenarioChoice::Own(scenario), Some(json)) => {
                    assert_eq!(scenario_json::parse(json).as_ref().ok(), Some(&**scenario));
                }
                (ScenarioChoice::Preset(_), None) => {}
                (other, own) => panic!("{link}: {other:?} is not {own:?}"),
            }
            let expected: String = (expected.lines())
                .filter(|line| !line.starts_with("  own "))
                .map(|line| format!("{line}\n"))
                .collect();
            assert_eq!(lines(&state), expected, "{link}");
            count += 1;
        }
        assert!(count >= 20, "version {version} has {count} links");
    }
}
