//! Figures of one run: how fast it goes, how much its trace holds, how soon a picture is there.

use super::args::Choice;
use super::{input, print, tiles};
use sim_core::decision::NoSink;
use sim_core::ids::DecisionId;
use sim_core::machine::Machine;
use sim_core::run::{LogSink, Recording, RunEnd, replay, run_to_end};
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The records that a recorded run may have here.
const RECORDS_MAX: u32 = u32::MAX;

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed())
}

/// Measures what was chosen and prints it.
///
/// # Errors
/// One sentence.
pub fn bench(choice: &Choice) -> Result<(), String> {
    let scenario = input::scenario(&choice.file)?;
    let machine = Machine::new(&scenario, choice.patches);
    let ((), bare) = timed(|| run_to_end(&mut machine.clone(), &mut NoSink));
    let mut sink = LogSink::new(scenario.duration_ns, machine.system().guests, |_, _: &[u8]| ());
    let ((), digested) = timed(|| run_to_end(&mut machine.clone(), &mut sink));
    let mut recording = Recording::new(&scenario, choice.patches);
    let ((), recorded) =
        timed(|| while recording.run(100_000, RECORDS_MAX) == RunEnd::Unfinished {});
    let lines = sink.digest().lines();
    let rate = |took: Duration| {
        let per_second = u128::from(lines) * 1_000_000_000 / took.as_nanos().max(1);
        format!("{took:.1?}, {per_second} log lines/s")
    };
    let mut text = String::new();
    let _ = writeln!(text, "log lines        {lines}");
    let _ = writeln!(text, "without a sink   {}", rate(bare));
    let _ = writeln!(text, "with digest      {}", rate(digested));
    let _ = writeln!(text, "recorded         {}", rate(recorded));
    write_trace(&mut text, &recording, scenario.duration_ns);
    print(&text)
}

fn write_trace(text: &mut String, recording: &Recording, duration_ns: u64) {
    let trace = recording.trace();
    let (segments, records) = (trace.segments(), trace.rows.len());
    let bytes = recording.bytes();
    let per_million = bytes as u128 * 1_000_000 / segments.max(1) as u128 / 1_000;
    let _ = writeln!(text, "segments         {segments}");
    let _ = writeln!(text, "records          {records}, {} kB", trace.rows.bytes() / 1_000);
    let _ = writeln!(text, "keyframes        {} kB", recording.keyframes().bytes() / 1_000);
    let _ = writeln!(
        text,
        "kept             {} kB, {per_million} kB a million segments",
        bytes / 1_000
    );
    tiles::write(text, trace, duration_ns);
    let last = DecisionId(u32::try_from(records).expect("32 bits").saturating_sub(1));
    let keyframe = recording.keyframes().before(last);
    let (_, took) = timed(|| black_box(replay(keyframe, last)));
    let back = last.0 - keyframe.records();
    let _ = writeln!(text, "replay           {back} records: {took:.1?}");
}
