//! How soon pictures of a run are there, at several zooms and places.

use sim_core::ids::PcpuId;
use sim_core::trace::{Scale, Trace};
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Parts of the run that a picture shows.
const PARTS: [u64; 5] = [1, 10, 100, 1_000, 100_000];
/// Pictures of each part, at places spread over the run.
const PLACES: u64 = 15;
/// A picture is made so often; the fastest counts, since other programs share the machine.
const TIMES: usize = 5;
/// Width of a picture, in pixels.
const WIDTH: u64 = 1_920;
/// Rows of a picture.
const LANES: u16 = 16;
/// Arrows of a picture, as the page asks for them.
const ARROWS: usize = 1_500;

/// Writes, for each part, the median and the longest time of its pictures, and what of the median
/// the rows and the arrows took.
pub fn write(text: &mut String, trace: &Trace, duration_ns: u64) {
    let lanes = u16::try_from(trace.lanes().len()).map_or(LANES, |lanes| lanes.min(LANES));
    for part in PARTS {
        let len_ns = (duration_ns / part).max(1);
        let mut all: Vec<(Duration, Duration)> = (0..PLACES)
            .map(|place| {
                let from_ns = (duration_ns - len_ns) / PLACES * place;
                let to_ns = from_ns + len_ns;
                let shift = (len_ns / WIDTH).max(1).ilog2();
                let scale = Scale { from_ns, to_ns, shift, reached_ns: duration_ns };
                let times = (0..TIMES).map(|_| picture(trace, lanes, &scale));
                times.min_by_key(|(rows, arrows)| *rows + *arrows).unwrap_or_default()
            })
            .collect();
        all.sort_by_key(|(rows, arrows)| *rows + *arrows);
        let (rows, arrows) = all[all.len() / 2];
        let (rows_max, arrows_max) = all[all.len() - 1];
        let _ = writeln!(
            text,
            "tile of 1/{part:<7} {lanes} rows of {WIDTH} px: p50 {:.1?} (rows {rows:.1?}, arrows {arrows:.1?}), max {:.1?}",
            rows + arrows,
            rows_max + arrows_max,
        );
    }
}

fn picture(trace: &Trace, lanes: u16, scale: &Scale) -> (Duration, Duration) {
    let start = Instant::now();
    for pcpu in 0..lanes {
        black_box(trace.lane_picture(PcpuId(pcpu), scale));
    }
    let rows = start.elapsed();
    black_box(trace.arrows(0..lanes, scale, ARROWS));
    (rows, start.elapsed() - rows)
}
