//! One run, from file to totals.

use super::args::Choice;
use super::progress::Progress;
use super::{input, report, written};
use sim_core::decision::{LogLine, Sink, TraceRecord};
use sim_core::ids::PcpuId;
use sim_core::machine::Machine;
use sim_core::run::{Digest, LogSink, RunEnd, Totals, TraceSink, TraceText, run_steps};
use sim_core::units::SimTime;
use std::io::{BufWriter, Write};

/// Steps between two looks at the clock.
const STEPS: u32 = 100_000;

/// Keeps the digest and shows trace records.
struct Traced<L, T> {
    log: LogSink<L>,
    trace: TraceSink<T>,
}

impl<L: FnMut(SimTime, &[u8]), T: FnMut(SimTime, PcpuId, &TraceRecord)> Sink for Traced<L, T> {
    const TRACES: bool = true;

    fn log(&mut self, time: SimTime, pcpu: PcpuId, line: &LogLine<'_>) {
        self.log.log(time, pcpu, line);
    }

    fn trace(&mut self, time: SimTime, pcpu: PcpuId, record: &TraceRecord) {
        self.trace.trace(time, pcpu, record);
    }
}

/// Runs a machine to its end and tells how far it has come.
fn drive<S: Sink>(machine: &mut Machine, sink: &mut S, digest: impl Fn(&S) -> &Digest) {
    let duration_ns = machine.scenario().duration_ns;
    let mut progress = Progress::new();
    while run_steps(machine, sink, STEPS, u32::MAX) == RunEnd::Unfinished {
        let reached_ns = machine.now().as_ns();
        progress.tell((reached_ns, duration_ns), || {
            let (reached, whole) = (reached_ns / 1_000_000, duration_ns / 1_000_000);
            format!("{reached} of {whole} ms, {} log lines", digest(sink).lines())
        });
    }
}

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
    let mut show = |text: &[u8]| {
        if failed.is_none() {
            failed = out.write_all(text).err();
        }
    };
    let (digest, traced) = if choice.trace {
        let text = TraceText::new(&scenario, choice.patches);
        let mut line = String::new();
        let trace = TraceSink::new(choice.patches, |time, pcpu, record: &TraceRecord| {
            line.clear();
            // A string takes whatever is written.
            let _ = text.write(&mut line, time, pcpu, record);
            line.push('\n');
            show(line.as_bytes());
        });
        let log = LogSink::new(scenario.duration_ns, placed.len(), |_, _: &[u8]| ());
        let mut sink = Traced { log, trace };
        drive(&mut machine, &mut sink, |sink| sink.log.digest());
        (sink.log.digest().clone(), Some(sink.trace.counts().clone()))
    } else {
        let mut sink = LogSink::new(scenario.duration_ns, placed.len(), |_, line: &[u8]| {
            if choice.log {
                show(line);
            }
        });
        drive(&mut machine, &mut sink, LogSink::digest);
        (sink.digest().clone(), None)
    };
    if let Some(error) = failed {
        return written(Err(error));
    }
    let totals = Totals::of(&machine, scenario.duration_ns);
    let report = report::Report { scenario: &scenario, choice, placed, digest, totals, traced };
    let done = match (choice.json, choice.log || choice.trace) {
        (true, _) => writeln!(out, "{}", report.json()).and_then(|()| out.flush()),
        (false, true) => {
            out.flush().and_then(|()| std::io::stderr().write_all(report.text().as_bytes()))
        }
        (false, false) => out.write_all(report.text().as_bytes()).and_then(|()| out.flush()),
    };
    written(done)
}
