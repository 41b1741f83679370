//! What a pixel hides: whether it hides something, and that in words.
//!
//! Must not know where it is shown.

use super::hit::{Hit, What};
use super::label::{MomentUnit, count, duration};
use super::scale::Scale;
use super::shape::MachineShape;
use super::tip::mark_name;
use crate::protocol::{IDLE, SWITCHING, Span, Thing, Under};

/// The time of the pixel of the screen that shows what was hit, if it may hide more than that;
/// `dpr` is how many pixels a px has.
#[must_use]
pub fn hidden(hit: &Hit, scale: &Scale, dpr: f64) -> Option<Span> {
    let left = (scale.x_of(hit.time_ns) * dpr + 1e-6).floor() / dpr;
    let from_ns = scale.time_at(left).min(hit.time_ns);
    let to_ns = scale.time_at(left + 1.0 / dpr).max(hit.time_ns + 1);
    let hides = match &hit.what {
        What::Cell(cell) => cell.count > 0,
        What::Mark(_) => true,
        What::Segment { span, .. } => from_ns < span.from_ns || span.to_ns < to_ns,
        What::Name | What::Nothing | What::Arrow(_) | What::Levels(_) => false,
    };
    hides.then_some(Span { from_ns, to_ns })
}

/// A line of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// When, to the ns.
    pub time: String,
    /// What.
    pub what: String,
    /// For how long; empty for what takes no time.
    pub length: String,
}

/// What stands above the list, the list, and what stands below it if not all is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Magnified {
    /// Where, and how many of what.
    pub head: [String; 2],
    /// The first things, in order of time.
    pub lines: Vec<Line>,
    /// How many more.
    pub more: Option<String>,
}

/// The list of what lies under a pixel.
#[must_use]
pub fn magnified(under: &Under, shape: &MachineShape) -> Magnified {
    let span = under.spot.span;
    let unit = MomentUnit::for_end(span.to_ns);
    let exact = |ns| unit.exact(ns, 1);
    let length = duration(span.to_ns.saturating_sub(span.from_ns));
    let place = format!("p{} from {}, {length} wide", under.spot.pcpu, exact(span.from_ns));
    let line = |thing: &Thing| match *thing {
        Thing::Segment { vcpu, span } => Line {
            time: exact(span.from_ns),
            what: match vcpu {
                IDLE => "idle".into(),
                SWITCHING => "context switch".into(),
                vcpu => format!("{} runs", shape.vcpu_name(vcpu)),
            },
            length: duration(span.to_ns.saturating_sub(span.from_ns)),
        },
        Thing::Mark { kind, time_ns } => Line {
            time: exact(time_ns),
            what: mark_name(kind).to_lowercase(),
            length: String::new(),
        },
    };
    let left = under.count().saturating_sub(under.things.len() as u64);
    Magnified {
        head: [place, counted(under)],
        lines: under.things.iter().map(line).collect(),
        more: (left > 0).then(|| format!("and {} more; zoom in to see them", count(left))),
    }
}

/// How many of what.
fn counted(under: &Under) -> String {
    let segments = match under.segments {
        1 => "1 segment".into(),
        more => format!("{} segments", count(more.into())),
    };
    let marks = under.marks.iter().map(|(kind, times)| {
        format!("{} × {}", count((*times).into()), mark_name(*kind).to_lowercase())
    });
    std::iter::once(segments).chain(marks).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Cell, Mark, MarkKind, RunId, Spot};
    use crate::timeline::sample::shape;

    /// Goal: a pixel is asked about where it may hide something, and holds what was hit.
    #[test]
    fn crowded_pixels_are_asked_about() {
        let scale = Scale { span: Span { from_ns: 0, to_ns: 100_000 }, left: 40.0, width: 1_000.0 };
        let at = |time_ns, what| hidden(&Hit { pcpu: 0, time_ns, what }, &scale, 1.0);
        let cell = |count| What::Cell(Cell { busy: 255, vcpu: 0, count });
        let pixel = Some(Span { from_ns: 5_000, to_ns: 5_100 });
        assert_eq!(at(5_099, cell(3)), pixel);
        assert_eq!(at(5_000, cell(3)), pixel);
        assert_eq!(at(5_000, cell(0)), None, "one segment runs all through");
        let segment = |from_ns, to_ns| What::Segment { vcpu: 0, span: Span { from_ns, to_ns } };
        assert_eq!(at(5_020, segment(4_000, 9_000)), None);
        assert_eq!(at(5_020, segment(5_010, 9_000)), pixel);
        assert_eq!(at(5_020, segment(4_000, 5_050)), pixel);
        assert_eq!(at(5_020, What::Name), None);
        let mark = What::Mark(Mark { time_ns: 5_020, kind: MarkKind::Wake, count: 1 });
        assert_eq!(at(5_020, mark), pixel);
        // Two pixels of the screen in each px.
        let fine = hidden(&Hit { pcpu: 0, time_ns: 5_060, what: cell(3) }, &scale, 2.0);
        assert_eq!(fine, Some(Span { from_ns: 5_050, to_ns: 5_100 }));
    }

    /// Goal: everything is told to the ns and in order, with what is left out.
    #[test]
    fn all_is_told_to_the_ns() {
        let span = Span { from_ns: 12_000_000, to_ns: 12_050_000 };
        let under = Under {
            spot: Spot { run: RunId(1), pcpu: 3, span },
            reached_ns: 20_000_000,
            things: vec![
                Thing::Segment {
                    vcpu: IDLE,
                    span: Span { from_ns: 11_000_000, to_ns: 12_000_007 },
                },
                Thing::Mark { kind: MarkKind::Wake, time_ns: 12_000_007 },
                Thing::Segment { vcpu: 0, span: Span { from_ns: 12_000_007, to_ns: 12_001_007 } },
            ],
            segments: 1_204,
            marks: vec![(MarkKind::Wake, 1)],
        };
        let told = magnified(&under, &shape(4, 2, false));
        let plain = |text: &str| text.replace('\u{202f}', " ");
        assert_eq!(plain(&told.head[0]), "p3 from 12.000 000 ms, 50.0 µs wide");
        assert_eq!(plain(&told.head[1]), "1,204 segments, 1 × wake-up");
        let lines = told
            .lines
            .iter()
            .map(|line| [plain(&line.time), line.what.clone(), line.length.clone()]);
        let wanted = [
            ["11.000 000 ms", "idle", "1.00 ms"],
            ["12.000 007 ms", "wake-up", ""],
            ["12.000 007 ms", "d1v0 runs", "1.00 µs"],
        ];
        assert_eq!(lines.collect::<Vec<_>>(), wanted);
        assert_eq!(told.more, Some(format!("and {} more; zoom in to see them", count(1_202))));
    }
}
