//! How long wakers wait until they run.
//!
//! Buckets come from the run; nothing finer is known, and nothing finer is claimed.

use super::figure::{Content, Pencil, ink};
use crate::protocol::Summary;
use crate::timeline::label::{count, duration, percent};
use crate::timeline::scale::{count_px, to_px};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

const HEIGHT: f64 = 128.0;
const TENS: [(u32, &str); 7] = [
    (1, "10 ns"),
    (3, "1 µs"),
    (4, "10 µs"),
    (5, "100 µs"),
    (6, "1 ms"),
    (7, "10 ms"),
    (8, "100 ms"),
];

/// The words and numbers of the chart.
pub fn content(summary: &Summary) -> Content {
    let wakes: u64 = summary.latency.iter().sum();
    let note = match median_below(&summary.latency) {
        Some(2) => format!("{} wakes, half of them run at once", count(wakes)),
        Some(below) => format!("{} wakes, half of them within {}", count(wakes), duration(below)),
        None => "no wakes".into(),
    };
    let mut so_far = 0;
    let row = |(bucket, wakes_here): (u32, &u64)| {
        so_far += wakes_here;
        vec![
            format!("{} up to {}", duration(start_ns(bucket)), duration(start_ns(bucket + 1))),
            count(*wakes_here),
            percent(so_far, wakes),
        ]
    };
    let (first, last) = seen(&summary.latency);
    let buckets = (0u32..).zip(&summary.latency);
    let rows = buckets.filter(|(n, _)| (first..=last).contains(n)).map(row).collect();
    let heads = vec!["latency", "wakes", "up to there"];
    Content { title: "Wake-to-run latency", note, keys: vec![], heads, rows, height: HEIGHT }
}

/// Where a bucket starts, in ns; the first holds everything below 2 ns.
fn start_ns(bucket: u32) -> u64 {
    if bucket == 0 { 0 } else { 1u64.checked_shl(bucket).unwrap_or(u64::MAX) }
}

/// The first and the last bucket that holds any; all of nothing is bucket 0.
fn seen(latency: &[u64]) -> (u32, u32) {
    let holds = |at: &usize| latency[*at] > 0;
    let first = (0..latency.len()).find(holds).unwrap_or(0);
    let last = (0..latency.len()).rev().find(holds).unwrap_or(0);
    let number = |at| u32::try_from(at).expect("there are 64 buckets");
    (number(first), number(last))
}

/// The end of the bucket that holds the middle wake, in ns.
fn median_below(latency: &[u64]) -> Option<u64> {
    let wakes: u64 = latency.iter().sum();
    let mut so_far = 0;
    let bucket = latency.iter().position(|here| {
        so_far += here;
        so_far * 2 >= wakes && so_far > 0
    })?;
    Some(start_ns(u32::try_from(bucket).expect("there are 64 buckets") + 1))
}

/// Draws the histogram; a bucket is a bar, and time runs by powers.
pub fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    pencil: &Pencil,
    summary: &Summary,
    height: f64,
) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    let (first, last) = seen(&summary.latency);
    // Some room on both sides, so that a single bar does not fill the chart.
    let (from, to) = (f64::from(first.saturating_sub(1)), f64::from((last + 2).max(first + 10)));
    let x = |power: f64| 4.0 + (power - from) / (to - from) * (pencil.width - 8.0);
    let (top, foot) = (20.0, height - 20.0);
    let most = summary.latency.iter().max().copied().unwrap_or(0).max(1);
    for (bucket, wakes) in (0u32..).zip(&summary.latency).filter(|(_, wakes)| **wakes > 0) {
        let (left, right) = (x(f64::from(bucket)), x(f64::from(bucket) + 1.0));
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

fn ratio(part: u64, whole: u64) -> f64 {
    to_px(part.into()) / to_px(whole.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: the table tells what the bars show, and the median is what the buckets allow.
    #[test]
    fn the_table_tells_what_the_bars_show() {
        let mut summary = Summary { latency: vec![0; 64], ..Summary::default() };
        summary.latency[10] = 3;
        summary.latency[12] = 1;
        let content = content(&summary);
        assert_eq!(content.note, "4 wakes, half of them within 2.04 µs");
        assert_eq!(content.rows.len(), 3);
        assert_eq!(content.rows[0], ["1.02 µs up to 2.04 µs", "3", "75.0 %"]);
        assert_eq!(content.rows[2], ["4.09 µs up to 8.19 µs", "1", "100.0 %"]);
    }

    /// Goal: a run without wakes says so.
    #[test]
    fn a_run_without_wakes_says_so() {
        assert_eq!(content(&Summary::default()).note, "no wakes");
        let mut empty = Summary { latency: vec![0; 64], ..Summary::default() };
        assert_eq!(content(&empty).note, "no wakes");
        empty.latency[0] = 2;
        assert_eq!(content(&empty).note, "2 wakes, half of them run at once");
    }
}
