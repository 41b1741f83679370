//! What is under the pointer, in words.
//!
//! Must not know where it is shown.

use super::below::{self, Told};
use super::hit::{Hit, What};
use super::label::{MomentUnit, count, duration, percent};
use super::shape::MachineShape;
use crate::protocol::{ArrowKind, IDLE, LaneTile, MarkKind, SWITCHING, Tile};

/// The lines of a tip: what it is first, then when and what is believed.
#[must_use]
pub fn tip(hit: &Hit, shape: &MachineShape, tile: Option<&Tile>, ns_per_px: f64) -> Vec<String> {
    let unit = MomentUnit::for_end(tile.map_or(hit.time_ns, |tile| tile.span.to_ns));
    let at = unit.precise(hit.time_ns, ns_per_px);
    let pcpu = hit.pcpu;
    let lane = tile.and_then(|tile| tile.lanes.iter().find(|lane| lane.pcpu == pcpu));
    match &hit.what {
        What::Name => vec![place(shape, pcpu)],
        What::Nothing => vec![format!("p{pcpu} at {at}"), "Nothing is known here yet.".into()],
        What::Segment { vcpu, span } => {
            let who = match *vcpu {
                IDLE => format!("p{pcpu} is idle"),
                SWITCHING => format!("p{pcpu} switches context"),
                vcpu => format!("{} runs on p{pcpu}", shape.vcpu_name(vcpu)),
            };
            let from = unit.precise(span.from_ns, ns_per_px);
            let length = duration(span.to_ns.saturating_sub(span.from_ns));
            let mut lines = vec![who, format!("{length}, from {from}")];
            lines.extend(lane.and_then(|lane| belief(lane, hit.time_ns)));
            lines
        }
        What::Cell(cell) => {
            let who = format!("p{pcpu} at {at}: {} busy", percent(cell.busy.into(), 255));
            let longest = match cell.vcpu {
                IDLE => "no guest ran".into(),
                vcpu => format!("{} ran longest", shape.vcpu_name(vcpu)),
            };
            let begins = format!("{} segments begin in this pixel", count(cell.count.into()));
            vec![who, format!("{longest}, {begins}")]
        }
        What::Mark(mark) => {
            let times = if mark.count > 1 {
                format!("{} from {at}", count(mark.count.into()))
            } else {
                format!("at {at}")
            };
            let what = format!("{} on p{pcpu}", mark_name(mark.kind));
            vec![what, times, mark_click(mark.count).into()]
        }
        What::Levels(levels) => {
            let told = |(level, now): &Told| {
                let now = now.map_or_else(|| "not known yet".into(), below::bounds);
                format!("{}: {now}", below::names(*level, shape).0)
            };
            levels.iter().map(told).chain([format!("at {at}")]).collect()
        }
        What::Arrow(arrow) => {
            let (from, to) = (arrow.from, arrow.to);
            let what = match arrow.kind {
                ArrowKind::Tickle if from == to => format!("p{from} tickles itself"),
                ArrowKind::Tickle => format!("p{from} tickles p{to}"),
                ArrowKind::Steal => format!("p{to} steals from p{from}"),
                ArrowKind::Migrate => format!("A vCPU moves from p{from} to p{to}"),
            };
            let takes = duration(arrow.end_ns.saturating_sub(arrow.start_ns));
            let when = unit.precise(arrow.start_ns, ns_per_px);
            vec![what, format!("at {when}, takes {takes}"), "Click to see why.".into()]
        }
    }
}

/// What a click on a mark that stands for so many does.
#[must_use]
pub const fn mark_click(count: u32) -> &'static str {
    if count > 1 { "Click to see why the first." } else { "Click to see why." }
}

/// A kind of mark, as people call it.
#[must_use]
pub const fn mark_name(kind: MarkKind) -> &'static str {
    match kind {
        MarkKind::Wake => "Wake-up",
        MarkKind::Tickled => "Tickled",
        MarkKind::Kick => "Kicked away",
        MarkKind::Steal => "Steal",
        MarkKind::Migrate => "Moved away",
        MarkKind::Account => "Accounting",
    }
}

fn place(shape: &MachineShape, pcpu: u16) -> String {
    shape.pcpus.get(usize::from(pcpu)).map_or_else(
        || format!("p{pcpu}"),
        |at| format!("p{pcpu}: core {}, socket {}, node {}", at.core, at.socket, at.node),
    )
}

fn belief(lane: &LaneTile, time_ns: u64) -> Option<String> {
    match (lane.idler.holds_at(time_ns), lane.tickled.holds_at(time_ns)) {
        (true, false) => Some("The scheduler believes it idle.".into()),
        (false, true) => Some("It was told to schedule and has not done so yet.".into()),
        (true, true) => Some("Believed idle, and told to schedule.".into()),
        (false, false) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Cell, Mark, Span};
    use crate::timeline::sample::{Sample, known};

    fn lines(sample: &Sample, time_ns: u64, pcpu: u16, what: What) -> Vec<String> {
        tip(&Hit { pcpu, time_ns, what }, &sample.shape, Some(&sample.tile), 2_000.0)
    }

    /// Goal: each thing is told in words, with units, and with what is believed at that moment.
    #[test]
    fn each_thing_is_told_in_words() {
        let sample = known();
        let span = Span { from_ns: 10_000_000, to_ns: 10_402_000 };
        let idle = lines(&sample, 10_100_000, 1, What::Segment { vcpu: IDLE, span });
        assert_eq!(
            idle,
            ["p1 is idle", "402 µs, from 10.000 ms", "The scheduler believes it idle."]
        );
        let runs = lines(&sample, 10_100_000, 0, What::Segment { vcpu: 0, span });
        assert_eq!(runs, ["d1v0 runs on p0", "402 µs, from 10.000 ms"]);
        let mark = Mark { time_ns: 10_401_000, kind: MarkKind::Tickled, count: 3 };
        let tickled = lines(&sample, 10_401_000, 1, What::Mark(mark));
        assert_eq!(tickled, ["Tickled on p1", "3 from 10.401 ms", "Click to see why the first."]);
        let arrow = lines(&sample, 10_400_000, 0, What::Arrow(sample.tile.arrows[0]));
        assert_eq!(arrow[..2], ["p0 tickles p1", "at 10.400 ms, takes 1.00 µs"]);
        let cell = Cell { busy: 51, vcpu: 2, count: 12 };
        let hidden = lines(&sample, 10_400_000, 0, What::Cell(cell));
        assert_eq!(hidden[0], "p0 at 10.400 ms: 20.0 % busy");
        assert_eq!(hidden[1], "d2v0 ran longest, 12 segments begin in this pixel");
        assert_eq!(lines(&sample, 0, 1, What::Name), ["p1: core 1, socket 0, node 0"]);
    }
}
