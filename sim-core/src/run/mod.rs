//! Runs as a whole: from a scenario to its digest and totals, with a limit on the work done.

mod asked;
mod digest;
mod flips;
mod keyframes;
mod levels;
mod log;
mod measures;
mod parting;
mod recording;
mod replay;
mod totals;
mod traced;

pub use asked::{ASKED, Difference};
pub use digest::{Digest, Fnv64, WINDOW_NS};
pub use flips::{Flip, Flips};
pub use keyframes::Keyframes;
pub use levels::{ACCOUNTS_MAX, Level, LevelCell, LevelLine, LevelSpan, Levels};
pub use log::{LogSink, LogText};
pub use measures::{Claim, Latencies, LatencyBucket, Measures, StealTally, TickleFates, fill};
pub use parting::Parting;
pub use recording::Recording;
pub use replay::{Replayed, replay, snapshot_at};
pub use totals::{PcpuTotals, Totals, VcpuTotals};
pub use traced::{TraceCounts, TraceSink, TraceText};

use crate::decision::Sink;
use crate::machine::{Machine, Step};
use crate::units::SimTime;

/// How a run ended, or that it goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    /// It goes on: call again.
    Unfinished,
    /// The end of the scenario.
    Horizon,
    /// More records than a run may have.
    Budget {
        /// How far it came.
        reached: SimTime,
        /// The most records allowed.
        records: u32,
    },
}

/// Runs a machine for at most `steps` steps and `records` records in all.
pub fn run_steps<S: Sink>(machine: &mut Machine, sink: &mut S, steps: u32, records: u32) -> RunEnd {
    for _ in 0..steps {
        if machine.advance(sink) == Step::End {
            return RunEnd::Horizon;
        }
        if machine.records() >= records {
            return RunEnd::Budget { reached: machine.now(), records };
        }
    }
    RunEnd::Unfinished
}

/// Runs a machine to the end of its scenario.
pub fn run_to_end<S: Sink>(machine: &mut Machine, sink: &mut S) {
    while machine.advance(sink) != Step::End {}
}
