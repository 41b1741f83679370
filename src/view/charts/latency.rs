//! How long wakers wait until they run.
//!
//! Bars are powers of two; percentiles are told as exactly as the run knows them.

use super::figure::{Content, Pencil, Plot, ink};
use crate::protocol::metrics::percentile;
use crate::protocol::{LatencyBucket, Summary};
use crate::timeline::label::{count, duration, percent};
use crate::timeline::scale::{count_px, to_px};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::rc::Rc;

/// Height of the drawing, in px.
pub const HEIGHT: f64 = 140.0;
const TENS: [(u32, &str); 7] = [
    (1, "10 ns"),
    (3, "1 µs"),
    (4, "10 µs"),
    (5, "100 µs"),
    (6, "1 ms"),
    (7, "10 ms"),
    (8, "100 ms"),
];

const METHOD: &str = "From the wake-up that queues a vCPU until a pCPU switches to it. A bar holds a power of \
     two. p95 is the longest wait of the quickest 95 of 100 wake-ups; where two values stand it lies between them.";

/// The percentiles that are marked.
const MARKED: [(u64, &str); 3] = [(50, "p50"), (95, "p95"), (99, "p99")];

/// The words and numbers of the chart.
pub fn content(summary: &Rc<Summary>) -> Content {
    let powers = powers(&summary.latency);
    let wakes: u64 = powers.iter().sum();
    let note = if wakes == 0 {
        "no wakes".into()
    } else {
        let longest = summary.latency.last().map_or(0, |bucket| bucket.most_ns);
        let marks = marks(summary).map(|(name, bucket)| format!("{name} {}", range(bucket)));
        let marks: Vec<String> = marks.collect();
        let (wakes, longest) = (count(wakes), duration(longest));
        format!("{wakes} wakes: {}, longest {longest}", marks.join(", "))
    };
    let mut so_far = 0;
    let row = |(power, wakes_here): (u32, &u64)| {
        so_far += wakes_here;
        vec![
            format!("{} up to {}", duration(start_ns(power)), duration(start_ns(power + 1))),
            count(*wakes_here),
            percent(so_far, wakes),
        ]
    };
    let (first, last) = seen(&powers);
    let rows = (0u32..).zip(&powers).filter(|(n, _)| (first..=last).contains(n)).map(row).collect();
    let heads = vec!["latency", "wakes", "up to there"];
    Content {
        title: "Wake-to-run latency",
        note,
        method: METHOD,
        keys: vec![],
        heads,
        rows,
        plot: Plot::Latency(Rc::clone(summary)),
    }
}

/// The marked percentiles with what they lie in.
fn marks(summary: &Summary) -> impl Iterator<Item = (&'static str, LatencyBucket)> {
    let of = |(part, name)| Some((name, percentile(&summary.latency, part, 100)?));
    MARKED.into_iter().filter_map(of)
}

/// A latency as exactly as it is known.
fn range(bucket: LatencyBucket) -> String {
    let (least, most) = (duration(bucket.least_ns), duration(bucket.most_ns));
    if least == most { most } else { format!("{least} to {most}") }
}

/// Wakes per power of two: the first counts those below 2 ns, the one after it those below 4 ns.
fn powers(latency: &[LatencyBucket]) -> Vec<u64> {
    let mut powers = vec![0; 64];
    for bucket in latency {
        powers[bucket.least_ns.max(1).ilog2() as usize] += bucket.wakes;
    }
    powers
}

/// Where a power starts, in ns; the first holds everything below 2 ns.
fn start_ns(power: u32) -> u64 {
    if power == 0 { 0 } else { 1u64.checked_shl(power).unwrap_or(u64::MAX) }
}

/// The first and the last power that holds any; all of nothing is power 0.
fn seen(powers: &[u64]) -> (u32, u32) {
    let holds = |at: &usize| powers[*at] > 0;
    let first = (0..powers.len()).find(holds).unwrap_or(0);
    let last = (0..powers.len()).rev().find(holds).unwrap_or(0);
    let number = |at| u32::try_from(at).expect("there are 64 powers");
    (number(first), number(last))
}

/// Draws the histogram; a power of two is a bar, and time runs by powers.
pub fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    pencil: &Pencil,
    summary: &Summary,
) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    let powers = powers(&summary.latency);
    let (first, last) = seen(&powers);
    // Some room on both sides, so that a single bar does not fill the chart.
    let (from, to) = (f64::from(first.saturating_sub(1)), f64::from((last + 2).max(first + 10)));
    let x = |power: f64| 4.0 + (power - from) / (to - from) * (pencil.width - 8.0);
    let (top, foot) = (36.0, HEIGHT - 20.0);
    let most = powers.iter().max().copied().unwrap_or(0).max(1);
    for (power, wakes) in (0u32..).zip(&powers).filter(|(_, wakes)| **wakes > 0) {
        let (left, right) = (x(f64::from(power)), x(f64::from(power) + 1.0));
        // What happened once in a thousand times is still seen.
        let tall = (ratio(*wakes, most) * (foot - top)).max(2.0);
        let corners = [
            (pencil.at(left + 1.0), pencil.at(foot - tall)),
            (pencil.at(right - 1.0), pencil.at(foot)),
        ];
        area.draw(&Rectangle::new(corners, ink(pencil.palette.accent).filled()))?;
        if *wakes == most {
            let text = count(*wakes);
            let half = count_px(text.len()) * 4.0;
            let middle = f64::midpoint(left, right).max(half).min(pencil.width - half);
            let style = pencil.text(pencil.palette.muted, HPos::Center);
            let at = (pencil.at(middle), pencil.at(foot - tall - 9.0));
            area.draw(&Text::new(text, at, style))?;
        }
    }
    draw_marks(area, pencil, summary, |ns| x(to_px(ns.max(1).into()).log2()), foot)?;
    let base = [(pencil.at(0.0), pencil.at(foot)), (pencil.at(pencil.width), pencil.at(foot))];
    area.draw(&PathElement::new(base.to_vec(), ink(pencil.palette.muted).stroke_width(1)))?;
    let none = (first == 0).then(|| (x(0.5), "0"));
    let tens = TENS.iter().map(|(ten, label)| (x(f64::from(*ten) * 10f64.log2()), *label));
    let inside = |(at, _): &(f64, &str)| (24.0..=pencil.width - 24.0).contains(at);
    let mut free_from = 0.0;
    for (at, label) in none.into_iter().chain(tens.filter(inside)) {
        let half = count_px(label.len()) * 3.5;
        if at - half < free_from {
            continue;
        }
        free_from = at + half + 8.0;
        let tick = vec![(pencil.at(at), pencil.at(foot)), (pencil.at(at), pencil.at(foot + 4.0))];
        area.draw(&PathElement::new(tick, ink(pencil.palette.muted).stroke_width(1)))?;
        let style = pencil.text(pencil.palette.muted, HPos::Center);
        area.draw(&Text::new(label, (pencil.at(at), pencil.at(foot + 12.0)), style))?;
    }
    area.present()?;
    Ok(())
}

/// Draws a line for each percentile, its name on top; names that fall together share a line.
fn draw_marks<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    pencil: &Pencil,
    summary: &Summary,
    x: impl Fn(u64) -> f64,
    foot: f64,
) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    let mut names: Vec<(f64, String)> = Vec::new();
    for (name, bucket) in marks(summary) {
        let at = x(bucket.most_ns);
        let line = vec![(pencil.at(at), pencil.at(16.0)), (pencil.at(at), pencil.at(foot))];
        area.draw(&PathElement::new(line, ink(pencil.palette.text).stroke_width(1)))?;
        match names.last_mut() {
            Some((before, text)) if at - *before < count_px(text.len()) * 7.0 => {
                text.push_str(", ");
                text.push_str(name);
            }
            _ => names.push((at, name.into())),
        }
    }
    for (at, text) in names {
        let half = count_px(text.len()) * 3.5;
        let middle = at.max(half).min(pencil.width - half);
        let style = pencil.text(pencil.palette.text, HPos::Center);
        area.draw(&Text::new(text, (pencil.at(middle), pencil.at(8.0)), style))?;
    }
    Ok(())
}

fn ratio(part: u64, whole: u64) -> f64 {
    to_px(part.into()) / to_px(whole.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bucket(least_ns: u64, most_ns: u64, wakes: u64) -> LatencyBucket {
        LatencyBucket { least_ns, most_ns, wakes }
    }

    /// Goal: the table tells what the bars show, and percentiles are told as exactly as known.
    #[test]
    fn the_table_tells_what_the_bars_show() {
        let latency =
            vec![bucket(1_500, 1_500, 2), bucket(1_600, 1_600, 1), bucket(5_000, 5_030, 1)];
        let content = content(&Rc::new(Summary { latency, ..Summary::default() }));
        assert_eq!(
            content.note,
            "4 wakes: p50 1.50 µs, p95 5.00 µs to 5.03 µs, p99 5.00 µs to 5.03 µs, longest 5.03 µs"
        );
        assert_eq!(content.rows.len(), 3);
        assert_eq!(content.rows[0], ["1.02 µs up to 2.04 µs", "3", "75.0 %"]);
        assert_eq!(content.rows[2], ["4.09 µs up to 8.19 µs", "1", "100.0 %"]);
    }

    /// Goal: a run without wakes says so.
    #[test]
    fn a_run_without_wakes_says_so() {
        assert_eq!(content(&Rc::default()).note, "no wakes");
        let latency = vec![bucket(0, 0, 2)];
        let content = content(&Rc::new(Summary { latency, ..Summary::default() }));
        assert_eq!(content.note, "2 wakes: p50 0 ns, p95 0 ns, p99 0 ns, longest 0 ns");
    }
}
