//! Who steals from whom, who locks in vain, and what became of the tickles; with the values before
//! a change as marks.

use super::bars::{Axis, Bar, Bars, Line};
use super::figure::{Content, Plot};
use crate::protocol::{PcpuSummary, Summary, TickleSummary};
use crate::timeline::label::{count, percent};
use crate::timeline::theme::{Colour, Palette};

/// A count with the one before the change.
type Pair = (u64, Option<u64>);

fn line((value, mark): Pair, colour: Colour) -> Line {
    Line { parts: vec![(value, colour)], mark }
}

fn cells((value, before): Pair) -> [String; 2] {
    [count(value), before.map_or_else(|| "–".into(), count)]
}

/// A count of each pCPU, with the one before.
fn pairs(summary: &Summary, before: Option<&Summary>, of: fn(&PcpuSummary) -> u64) -> Vec<Pair> {
    let old = |at: usize| before.and_then(|before| before.pcpus.get(at)).map(of);
    summary.pcpus.iter().enumerate().map(|(at, pcpu)| (of(pcpu), old(at))).collect()
}

fn mark_key(palette: &Palette, before: Option<&Summary>) -> Option<(Colour, &'static str)> {
    before.map(|_| (palette.text, "before the change"))
}

/// Steals per pCPU, as thief and as victim.
pub fn steals(summary: &Summary, before: Option<&Summary>, palette: &Palette) -> Content {
    let thefts = pairs(summary, before, |pcpu| pcpu.thefts);
    let losses = pairs(summary, before, |pcpu| pcpu.losses);
    let both = thefts.iter().zip(&losses).enumerate();
    let bar = |(at, (theft, loss)): (usize, (&Pair, &Pair))| Bar {
        name: format!("p{at}"),
        lines: vec![line(*theft, palette.accent), line(*loss, palette.told)],
        text: format!("{} / {}", count(theft.0), count(loss.0)),
    };
    let row = |(at, (theft, loss)): (usize, (&Pair, &Pair))| {
        let [took, took_before] = cells(*theft);
        let [lost, lost_before] = cells(*loss);
        vec![format!("p{at}"), took, took_before, lost, lost_before]
    };
    let all: u64 = losses.iter().map(|(value, _)| value).sum();
    let note =
        match (losses.iter().map(|pair| pair.0).min(), losses.iter().map(|pair| pair.0).max()) {
            (Some(least), Some(most)) if all > 0 => format!(
                "{} steals; the pCPUs were victims {} to {} times",
                count(all),
                count(least),
                count(most)
            ),
            _ => "nothing was stolen".into(),
        };
    let mut keys = vec![(palette.accent, "as thief"), (palette.told, "as victim")];
    keys.extend(mark_key(palette, before));
    Content {
        title: "Steals",
        note,
        method: "",
        keys,
        heads: vec!["pCPU", "as thief", "before", "as victim", "before"],
        rows: both.clone().map(row).collect(),
        plot: Plot::Bars(Bars {
            bars: both.map(bar).collect(),
            axis: Axis::Count,
            end: None,
            rooms: (36.0, 84.0),
        }),
    }
}

/// Run queues of others that each pCPU locked and that gave nothing.
pub fn vain(summary: &Summary, before: Option<&Summary>, palette: &Palette) -> Content {
    let tries = pairs(summary, before, |pcpu| pcpu.vain_tries);
    let bar = |(at, pair): (usize, &Pair)| Bar {
        name: format!("p{at}"),
        lines: vec![line(*pair, palette.accent)],
        text: count(pair.0),
    };
    let row = |(at, pair): (usize, &Pair)| {
        std::iter::once(format!("p{at}")).chain(cells(*pair)).collect()
    };
    let all: u64 = tries.iter().map(|(value, _)| value).sum();
    let mut keys = vec![(palette.accent, "locked in vain by")];
    keys.extend(mark_key(palette, before));
    Content {
        title: "Peers locked in vain",
        note: format!("{} in all", count(all)),
        method: "A search for work locks the run queue of one peer after the other; in vain if it takes \
                 nothing from it. Peers that are skipped unlocked are not counted.",
        keys,
        heads: vec!["pCPU", "in vain", "before"],
        rows: tries.iter().enumerate().map(row).collect(),
        plot: Plot::Bars(Bars {
            bars: tries.iter().enumerate().map(bar).collect(),
            axis: Axis::Count,
            end: None,
            rooms: (36.0, 60.0),
        }),
    }
}

/// A sort of tickle: its name, how many there are, its colour.
type Sort = (&'static str, fn(&TickleSummary) -> u64, Colour);

/// What became of the tickles.
pub fn tickles(summary: &Summary, before: Option<&Summary>, palette: &Palette) -> Content {
    let sorts: [Sort; 5] = [
        ("useful: ran the woken", |fates| fates.ran_woken, palette.accent),
        ("useful: switched else", |fates| fates.ran_other, palette.believed),
        ("in vain", |fates| fates.in_vain, palette.hot),
        ("duplicate", |fates| fates.duplicate, palette.told),
        ("run over before", |fates| fates.open, palette.idle),
    ];
    let pair = |of: fn(&TickleSummary) -> u64| {
        (of(&summary.tickles), before.map(|before| of(&before.tickles)))
    };
    let all: u64 = sorts.iter().map(|(_, of, _)| of(&summary.tickles)).sum();
    let bar = |(name, of, colour): &Sort| Bar {
        name: (*name).into(),
        lines: vec![line(pair(*of), *colour)],
        text: count(pair(*of).0),
    };
    let row = |(name, of, _): &Sort| {
        let [value, old] = cells(pair(*of));
        vec![(*name).into(), value, percent(pair(*of).0, all), old]
    };
    Content {
        title: "What became of the tickles",
        note: format!("{} pCPUs told", count(all)),
        method: "A tickle tells a pCPU to look at its run queue. Useful: when it next looked, it switched to the \
                 woken vCPU, or to another one or idle. In vain: it looked and went on as before. Duplicate: it \
                 had already been told and had not yet looked.",
        keys: mark_key(palette, before).into_iter().collect(),
        heads: vec!["tickles", "count", "part", "before"],
        rows: sorts.iter().map(row).collect(),
        plot: Plot::Bars(Bars {
            bars: sorts.iter().map(bar).collect(),
            axis: Axis::Count,
            end: None,
            rooms: (150.0, 50.0),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::theme::Scheme;

    /// Goal: each pCPU has its counts and, after a change, those before it.
    #[test]
    fn each_pcpu_has_its_counts() {
        let pcpu = |thefts, losses| PcpuSummary { thefts, losses, ..PcpuSummary::default() };
        let after = Summary { pcpus: vec![pcpu(1, 4), pcpu(4, 1)], ..Summary::default() };
        let before = Summary { pcpus: vec![pcpu(0, 9), pcpu(9, 0)], ..Summary::default() };
        let content = steals(&after, Some(&before), Palette::of(Scheme::default()));
        assert_eq!(content.rows[1], ["p1", "4", "9", "1", "0"]);
        assert_eq!(content.note, "5 steals; the pCPUs were victims 1 to 4 times");
        let alone = steals(&after, None, Palette::of(Scheme::default()));
        assert_eq!(alone.rows[0], ["p0", "1", "–", "4", "–"]);
    }

    /// Goal: all fates of tickles stand in the table with their part.
    #[test]
    fn fates_have_their_part() {
        let tickles = TickleSummary { ran_woken: 6, in_vain: 2, ..TickleSummary::default() };
        let content = super::tickles(
            &Summary { tickles, ..Summary::default() },
            None,
            Palette::of(Scheme::default()),
        );
        assert_eq!(content.rows[0], ["useful: ran the woken", "6", "75.0 %", "–"]);
        assert_eq!(content.rows[2], ["in vain", "2", "25.0 %", "–"]);
    }
}
