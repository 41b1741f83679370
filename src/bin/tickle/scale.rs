//! What a step of the machine costs on hosts of 16 to 1,024 pCPUs under the same load per pCPU.

use super::print;
use sim_core::decision::NoSink;
use sim_core::machine::{Machine, Step};
use sim_core::patches::PatchSet;
use sim_core::presets::hosts::{SOCKET_PCPUS, host};
use sim_core::run::LogSink;
use std::fmt::Write;
use std::time::Instant;

/// Sockets of the hosts: 16, 64, 256 and 1,024 pCPUs.
const SOCKETS: [u16; 4] = [1, 4, 16, 64];
/// Simulated time of the largest host: four accountings. Smaller ones run for longer, so that all
/// have about as many steps.
const LEAST_NS: u64 = 125_000_000;
/// Runs of each, of which the fastest counts: others use the same processors.
const RUNS: u32 = 3;

/// Measures hosts with these patches and prints a table.
///
/// # Errors
/// One sentence.
pub fn scale(patches: PatchSet) -> Result<(), String> {
    let mut text = format!(
        "{:>6} {:>6} {:>10} {:>14} {:>6} {:>14} {:>6}\n",
        "pCPUs", "vCPUs", "steps", "ns a step", "ratio", "with digest", "ratio"
    );
    let mut first = None;
    for sockets in SOCKETS {
        let factor = u64::from(SOCKETS[SOCKETS.len() - 1] / sockets).min(16);
        let scenario = host(sockets, LEAST_NS * factor);
        let scenario = scenario.validate().map_err(|error| error.to_string())?;
        let machine = Machine::new(&scenario, patches);
        let guests = machine.system().guests;
        let (steps, bare) = fastest(&machine, || NoSink);
        let digest = || LogSink::new(scenario.duration_ns, guests, |_, _: &[u8]| ());
        let (_, digested) = fastest(&machine, digest);
        let (bare_16, digested_16) = *first.get_or_insert((bare, digested));
        let (pcpus, ratios) = (sockets * SOCKET_PCPUS, [bare / bare_16, digested / digested_16]);
        let [ratio, ratio_digested] = ratios;
        let _ = writeln!(
            text,
            "{pcpus:>6} {guests:>6} {steps:>10} {bare:>14.0} {ratio:>6.2} {digested:>14.0} \
             {ratio_digested:>6.2}"
        );
    }
    print(&text)
}

/// Steps of a run, and the least time that one took, in ns.
fn fastest<S: sim_core::decision::Sink>(machine: &Machine, sink: impl Fn() -> S) -> (u32, f64) {
    let mut best = (0, f64::INFINITY);
    for _ in 0..RUNS {
        let (mut machine, mut sink) = (machine.clone(), sink());
        let mut steps = 0u32;
        let start = Instant::now();
        while machine.advance(&mut sink) != Step::End {
            steps += 1;
        }
        let each = start.elapsed().as_secs_f64() * 1e9 / f64::from(steps.max(1));
        best = (steps, each.min(best.1));
    }
    best
}
