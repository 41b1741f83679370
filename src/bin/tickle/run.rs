//! One run, from file to totals.

use super::args::Choice;
use super::progress::Progress;
use super::{input, report, written};
use sim_core::machine::Machine;
use sim_core::run::{LogSink, RunEnd, Totals, run_steps};
use std::io::{BufWriter, Write};

/// Steps between two looks at the clock.
const STEPS: u32 = 100_000;

/// Runs what was chosen and prints it.
///
/// # Errors
/// One sentence.
pub fn run(choice: &Choice) -> Result<(), String> {
    let scenario = input::scenario(&choice.file)?;
    let mut machine = Machine::new(&scenario, choice.patches);
    let guests = &machine.system().vcpus[..machine.system().guests];
    let placed: Vec<u16> = guests.iter().map(|vcpu| vcpu.processor.0).collect();
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut failed = None;
    let mut sink = LogSink::new(scenario.duration_ns, placed.len(), |_, line: &[u8]| {
        if choice.log && failed.is_none() {
            failed = out.write_all(line).err();
        }
    });
    let mut progress = Progress::new();
    while run_steps(&mut machine, &mut sink, STEPS, u32::MAX) == RunEnd::Unfinished {
        let lines = sink.digest().lines();
        progress.tell(machine.now().as_ns(), scenario.duration_ns, lines);
    }
    drop(progress);
    let digest = sink.digest().clone();
    drop(sink);
    if let Some(error) = failed {
        return written(Err(error));
    }
    let totals = Totals::of(&machine, scenario.duration_ns);
    let report = report::Report { scenario: &scenario, choice, placed, digest, totals };
    let done = match (choice.json, choice.log) {
        (true, _) => writeln!(out, "{}", report.json()).and_then(|()| out.flush()),
        (false, true) => {
            out.flush().and_then(|()| std::io::stderr().write_all(report.text().as_bytes()))
        }
        (false, false) => out.write_all(report.text().as_bytes()).and_then(|()| out.flush()),
    };
    written(done)
}
