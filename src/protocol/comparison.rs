//! The figures of two sides over one or many seeds: means, spreads, who is better how often, and
//! all of it as a table for a mail.
//!
//! Compares what [`super::metrics`] lists; must not know how runs come about.

use super::metrics::{Better, Metric, Unit, Verdict, verdict};
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

/// The longest line of a table, in characters.
pub const COLUMNS: usize = 72;

/// A comparison under way or over.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// Seeds that have run on both sides.
    pub done: u32,
    /// Seeds that were asked for; 1 if nothing is drawn at random.
    pub of: u32,
    /// Whether it goes on.
    pub goes_on: bool,
    /// Whether anything is drawn at random: otherwise every seed gives the same run.
    pub is_random: bool,
    /// Seeds at which both sides gave the same run, by its digest.
    pub alike: u32,
    /// Every figure.
    pub figures: Vec<Figure>,
}

/// A figure of two sides.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Its name, with the domain that it is about.
    pub name: String,
    /// What it means, in one sentence.
    pub meaning: String,
    /// What it counts in.
    pub unit: Unit,
    /// Which way is better.
    pub better: Better,
    /// Of A.
    pub a: Spread,
    /// Of B.
    pub b: Spread,
    /// Seeds at which A was better, B was better, and neither.
    pub wins: [u32; 3],
}

/// What the values of a figure spread over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// How many values there are.
    pub count: u32,
    /// Their mean.
    pub mean: f64,
    /// Their standard deviation as a sample (over n − 1); 0 for fewer than two.
    pub deviation: f64,
}

/// A figure as it is written, with its unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The unit; empty for counts.
    pub unit: &'static str,
    /// A, as `mean` or `mean ± deviation`.
    pub a: String,
    /// B.
    pub b: String,
    /// B − A; a dash if one of them is missing.
    pub difference: String,
    /// The same in percent of A.
    pub percent: String,
}

impl Spread {
    /// The spread of values.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "2^53 ns are 104 days, longer than any run")]
    pub fn of(values: &[u64]) -> Self {
        let count = u32::try_from(values.len()).expect("seeds are few");
        if count == 0 {
            return Self::default();
        }
        let mean = values.iter().map(|value| *value as f64).sum::<f64>() / f64::from(count);
        let squares = values.iter().map(|value| (*value as f64 - mean).powi(2)).sum::<f64>();
        let deviation = if count > 1 { (squares / f64::from(count - 1)).sqrt() } else { 0.0 };
        Self { count, mean, deviation }
    }
}

/// The figures of pairs of runs, A's and B's of the same seed.
#[must_use]
pub fn figures(samples: &[[Vec<Metric>; 2]]) -> Vec<Figure> {
    let Some([first, _]) = samples.first() else { return Vec::new() };
    let figure = |metric: &Metric| {
        let of = |all: &[Metric]| all.iter().find(|one| one.key == metric.key)?.value;
        let pairs: Vec<_> = samples.iter().map(|[a, b]| (of(a), of(b))).collect();
        let mut wins = [0; 3];
        for (a, b) in &pairs {
            let winner = match verdict(metric.better, *a, *b) {
                Verdict::Worse => 0,
                Verdict::Better => 1,
                _ => 2,
            };
            wins[winner] += 1;
        }
        let (a, b): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
        let spread =
            |side: Vec<Option<u64>>| Spread::of(&side.into_iter().flatten().collect::<Vec<_>>());
        let domain = metric.key.domain.map(|domain| format!(", d{}", u32::from(domain) + 1));
        Figure {
            name: format!("{}{}", metric.name, domain.unwrap_or_default()),
            meaning: metric.meaning.to_owned(),
            unit: metric.unit,
            better: metric.better,
            a: spread(a),
            b: spread(b),
            wins,
        }
    };
    first.iter().map(figure).collect()
}

impl Figure {
    /// The figure as it is written: both sides in one unit, with as many digits as tell.
    #[must_use]
    pub fn written(&self) -> Written {
        let most = self.a.mean.abs().max(self.b.mean.abs());
        let (unit, per) = match self.unit {
            Unit::Time if most >= 1e9 => ("s", 1e9),
            Unit::Time if most >= 1e6 => ("ms", 1e6),
            Unit::Time if most >= 1e3 => ("µs", 1e3),
            Unit::Time => ("ns", 1.0),
            Unit::Share => ("%", 1e4),
            Unit::Count => ("", 1.0),
        };
        let whole = self.a.count < 2 && per < 2.0;
        let decimals = if whole { 0 } else { decimals(most / per) };
        let value = |spread: Spread| match spread.count {
            0 => "–".to_owned(),
            1 => format!("{:.*}", decimals, spread.mean / per),
            _ => {
                format!(
                    "{:.*} ± {:.*}",
                    decimals,
                    spread.mean / per,
                    decimals,
                    spread.deviation / per
                )
            }
        };
        let both = self.a.count > 0 && self.b.count > 0;
        let by = (self.b.mean - self.a.mean) / per;
        let (difference, percent) = match both {
            false => ("–".to_owned(), "–".to_owned()),
            true if self.a.mean == 0.0 => (signed(by, decimals), "–".to_owned()),
            true => (signed(by, decimals), signed(by * per / self.a.mean * 100.0, 1)),
        };
        Written { unit, a: value(self.a), b: value(self.b), difference, percent }
    }

    /// The name with its unit behind it.
    #[must_use]
    pub fn title(&self) -> String {
        match self.written().unit {
            "" => self.name.clone(),
            unit => format!("{}, {unit}", self.name),
        }
    }
}

/// How many digits behind the point give four that count.
fn decimals(value: f64) -> usize {
    match value {
        value if value >= 1_000.0 => 0,
        value if value >= 100.0 => 1,
        value if value >= 10.0 => 2,
        _ => 3,
    }
}

/// A number with its sign; what is written as nothing has none.
fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{:.*}", decimals, value.abs());
    if text.bytes().all(|byte| matches!(byte, b'0' | b'.')) {
        return text;
    }
    format!("{}{text}", if value < 0.0 { '−' } else { '+' })
}

/// Letters that a plain mail takes.
fn plain(text: &str) -> String {
    let text = text.replace('±', "+/-").replace(['−', '–'], "-").replace('µ', "u");
    text.replace(['“', '”'], "\"").replace('’', "'").replace('…', "..")
}

/// Everything as plain text for a mail: the lines of `head`, then the figures in the form of the
/// scheduler's own mails. No line has more than [`COLUMNS`] characters.
#[must_use]
pub fn text(head: &[String], sweep: &Sweep) -> String {
    let mut text = String::new();
    for line in head {
        wrap(&mut text, &plain(line));
    }
    let seeds = match (sweep.is_random, sweep.done) {
        (false, _) => {
            "One run a side: nothing is drawn at random, every seed gives the same.".into()
        }
        (true, 1) => "One run a side.".into(),
        (true, done) => format!(
            "{done} seeds: mean +/- standard deviation; both runs the same at {} of them.",
            sweep.alike
        ),
    };
    wrap(&mut text, &seeds);
    wrap(&mut text, "Lower is better, but for the figures marked (*).");
    text.push('\n');
    let names = |figure: &Figure| {
        let mark = if figure.better == Better::Neither { " (*)" } else { "" };
        plain(&format!("{}{mark}", figure.title()))
    };
    let rows = sweep.figures.iter().map(|figure| {
        let written = figure.written();
        vec![names(figure), plain(&written.a), plain(&written.b)]
    });
    table(&mut text, ["", "A", "B"].map(str::to_owned).into(), rows.collect());
    text.push('\n');
    let rows = sweep.figures.iter().map(|figure| {
        let written = figure.written();
        let mut row = vec![names(figure), plain(&written.difference), plain(&written.percent)];
        let judged = figure.better != Better::Neither;
        row.extend(figure.wins.map(|wins| if judged { wins.to_string() } else { "-".into() }));
        row
    });
    let heads = ["", "B - A", "%", "A wins", "B wins", "same"];
    table(&mut text, heads.map(str::to_owned).into(), rows.collect());
    text
}

/// Adds a table whose first column gives way to the others.
fn table(text: &mut String, heads: Vec<String>, rows: Vec<Vec<String>>) {
    let letters = |cell: &String| cell.chars().count();
    let all = || std::iter::once(&heads).chain(&rows);
    let widest = |at: usize| all().map(|row| letters(&row[at])).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..heads.len()).map(widest).collect();
    // ` | ` before every cell and ` |` behind the last.
    let frame = 3 * widths.len() + 2;
    let others: usize = widths[1..].iter().sum();
    widths[0] = widths[0].min(COLUMNS.saturating_sub(frame + others));
    for row in all() {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let cell = shortened(cell, *width);
            let _ = match at {
                0 => write!(line, " | {cell:<width$}"),
                _ => write!(line, " | {cell:>width$}"),
            };
        }
        line.push_str(" |");
        let _ = writeln!(text, "{}", line.chars().take(COLUMNS).collect::<String>());
    }
}

/// What is too long ends with two dots.
fn shortened(cell: &str, width: usize) -> String {
    if cell.chars().count() <= width {
        return cell.to_owned();
    }
    // The unit stays: without it a number says nothing.
    let unit = cell.rfind(", ").map_or("", |at| &cell[at..]);
    let unit = if unit.chars().count() < 8 { unit } else { "" };
    let room = width.saturating_sub(unit.chars().count() + 2);
    let start: String = cell.chars().take(room).collect();
    format!("{}..{unit}", start.trim_end())
}

/// Adds a line, broken between words where it would be too long.
fn wrap(text: &mut String, line: &str) {
    let mut length = 0;
    for word in line.split(' ') {
        let mut rest: Vec<char> = word.chars().collect();
        if length > 0 && length + 1 + rest.len() > COLUMNS {
            text.push_str("\n  ");
            length = 2;
        } else if length > 0 {
            text.push(' ');
            length += 1;
        }
        while length + rest.len() > COLUMNS {
            let more = rest.split_off(COLUMNS - length);
            text.extend(rest);
            text.push_str("\n  ");
            (rest, length) = (more, 2);
        }
        length += rest.len();
        text.extend(rest);
    }
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::metrics::metrics;
    use crate::protocol::{LatencyBucket, PcpuSummary, Summary, VcpuSummary};

    /// A run that switches so often, with wake-ups that wait so long.
    fn run(switches: u64, wait_ns: u64) -> Vec<Metric> {
        let wakes = u64::from(wait_ns > 0);
        metrics(&Summary {
            latency: vec![LatencyBucket { least_ns: wait_ns, most_ns: wait_ns, wakes }],
            vcpus: vec![VcpuSummary { wakes, latency_ns_max: wait_ns, ..VcpuSummary::default() }],
            pcpus: vec![PcpuSummary { switches, ..PcpuSummary::default() }],
            ..Summary::default()
        })
    }

    fn figure<'a>(all: &'a [Figure], name: &str) -> &'a Figure {
        all.iter().find(|figure| figure.name == name).expect("it exists")
    }

    /// Goal: means, deviations and wins are those worked out by hand: 2, 4, 4, 4, 5, 5, 7, 9 have
    /// the mean 5 and the sum of squares 32.
    #[test]
    fn spreads_are_those_worked_out_by_hand() {
        let spread = Spread::of(&[2, 4, 4, 4, 5, 5, 7, 9]);
        assert_eq!((spread.count, spread.mean), (8, 5.0));
        assert!((spread.deviation - (32.0f64 / 7.0).sqrt()).abs() < 1e-12, "{spread:?}");
        assert_eq!(Spread::of(&[3]), Spread { count: 1, mean: 3.0, deviation: 0.0 });
        assert_eq!(Spread::of(&[]).count, 0);
        let samples = [[run(10, 3_000), run(12, 1_000)], [run(20, 1_000), run(12, 1_000)]];
        let all = figures(&samples);
        let switches = figure(&all, "context switches");
        assert_eq!((switches.a.mean, switches.b.mean, switches.wins), (15.0, 12.0, [1, 1, 0]));
        assert_eq!(figure(&all, "wake-to-run p50").wins, [0, 1, 1]);
        let written = switches.written();
        assert_eq!((written.a.as_str(), written.b.as_str()), ("15.00 ± 7.07", "12.00 ± 0.00"));
        assert_eq!((written.difference.as_str(), written.percent.as_str()), ("−3.00", "−20.0"));
    }

    /// Goal: one run a side is written without spreads, counts whole; what is missing is a dash.
    #[test]
    fn one_run_has_no_spread() {
        let all = figures(&[[run(1_234, 1_000), run(1_300, 3_600)]]);
        let written = figure(&all, "context switches").written();
        assert_eq!((written.a.as_str(), written.difference.as_str()), ("1234", "+66"));
        let latency = figure(&all, "wake-to-run p50");
        assert_eq!(
            (latency.title(), latency.written().b),
            ("wake-to-run p50, µs".into(), "3.600".into())
        );
        let none = figures(&[[run(1, 0), run(1, 0)]]);
        assert_eq!(figure(&none, "wake-to-run longest").written().difference, "–");
    }

    /// Goal: no line of the text is longer than 72 characters or holds other letters than a mail
    /// takes, whatever the figures. Method: small and huge values, long heads.
    #[test]
    fn no_line_is_longer_than_a_mail_takes() {
        for scale in [1, 1_000, 1_000_000, 10_000_000_000] {
            let samples: Vec<_> = (1..9)
                .map(|n| [run(n * scale, n * scale * 3), run(scale, n * n * scale)])
                .collect();
            for (count, is_random) in [(1, true), (8, true), (1, false)] {
                let sweep = Sweep {
                    done: u32::try_from(count).expect("few"),
                    of: 30,
                    is_random,
                    figures: figures(&samples[..count]),
                    ..Sweep::default()
                };
                let head = ["x".repeat(200), format!("B: {}", "“a patch”, ".repeat(20))];
                let text = text(&head, &sweep);
                for line in text.lines() {
                    assert!(line.chars().count() <= COLUMNS, "{line}");
                    assert!(line.is_ascii(), "{line}");
                }
                assert!(text.contains("wake-to-run p50") && text.contains("B - A"), "{text}");
                assert_eq!(text.contains(" +/- "), count > 1, "{text}");
            }
        }
    }
}
