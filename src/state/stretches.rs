//! What the chosen range and the view add up to: asked for one after the other, of each run.

use super::{Other, Phase, State, select};
use crate::protocol::{RunId, Span, Stretch};
use std::fmt::Write;
use std::rc::Rc;

/// What has been added up of a run; may be of another stretch until the answer comes.
#[derive(Clone, Debug, Default)]
pub struct Stretches {
    /// The chosen range.
    pub range: Option<Rc<Stretch>>,
    /// The view.
    pub view: Option<Rc<Stretch>>,
}

/// A stretch that is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wanted {
    /// From when until when.
    pub span: Span,
    /// Whether each vCPU is wanted too: so it is of a range.
    pub each_vcpu: bool,
}

impl State {
    /// The stretch to ask about next, of the run in hand.
    pub(super) fn wanted_stretch(&self) -> Option<Wanted> {
        let stretches = &self.pictures.stretches;
        if self.asked.stretch.is_some() || self.run.phase == Phase::Gone {
            return None;
        }
        if let Some(span) = self.range.filter(|span| !self.knows(stretches.range.as_ref(), *span)) {
            return Some(Wanted { span, each_vcpu: true });
        }
        // While the view moves, its picture comes first.
        let rests = self.asked.tile.is_none();
        (rests && !self.knows(stretches.view.as_ref(), self.view))
            .then_some(Wanted { span: self.view, each_vcpu: false })
    }

    /// Whether a stretch has been added up as far as the run has come.
    fn knows(&self, stretch: Option<&Rc<Stretch>>, span: Span) -> bool {
        let run = (self.run.id, select::known_ns(&self.run));
        stretch.is_some_and(|stretch| is_of(stretch, run, span))
    }

    /// What the view adds up to, once it is known; none while a decision is to be guessed.
    #[must_use]
    pub fn view_stretch(&self) -> Option<&Rc<Stretch>> {
        let stretch = self.pictures.stretches.view.as_ref();
        stretch.filter(|_| self.veil().is_none() && self.knows(stretch, self.view))
    }

    /// What the chosen range adds up to, once it is known. None while a decision is to be guessed
    /// that lies before its end.
    #[must_use]
    pub fn range_stretch(&self) -> Option<&Rc<Stretch>> {
        let (span, stretch) = (self.range?, self.pictures.stretches.range.as_ref());
        let open = self.veil().is_none_or(|veil| span.to_ns <= veil.until_ns);
        stretch.filter(|_| open && self.knows(stretch, span))
    }
}

/// What the view adds up to in the run beside, once it is known.
#[must_use]
pub fn of_view<'a>(other: &'a Other, state: &State) -> Option<&'a Rc<Stretch>> {
    let (span, known_ns) = (state.view, select::known_ns(&other.run));
    let stretch = other.stretches.view.as_ref().filter(|_| state.veil().is_none())?;
    is_of(stretch, (other.run.id, known_ns), span).then_some(stretch)
}

/// Whether a stretch is that of a run, added up as far as that has come.
fn is_of(stretch: &Stretch, (run, known_ns): (RunId, u64), span: Span) -> bool {
    let whole = stretch.reached_ns >= span.to_ns.min(known_ns);
    stretch.run == run && stretch.span == span && whole
}

/// The table of vCPUs of a stretch: those that ran, the longest first, with their time in ns.
#[must_use]
pub fn ran(stretch: &Stretch) -> Option<Vec<(u16, u64)>> {
    let ran_ns = stretch.ran_ns.as_ref()?;
    let mut ran: Vec<(u16, u64)> = (0u16..).zip(ran_ns.iter().copied()).collect();
    ran.retain(|(_, ns)| *ns > 0);
    ran.sort_by_key(|(vcpu, ns)| (std::cmp::Reverse(*ns), *vcpu));
    Some(ran)
}

/// A range as text for a mail, at most 72 columns wide; vCPUs by the names given.
#[must_use]
pub fn text(stretch: &Stretch, name: impl Fn(u16) -> String) -> String {
    let known_ns = u128::from(stretch.known_ns().max(1));
    let percent = |ns: u64| {
        let tenths = (u128::from(ns) * 1_000 + known_ns / 2) / known_ns;
        format!("{}.{}", tenths / 10, tenths % 10)
    };
    let Span { from_ns, to_ns } = stretch.span;
    let mut text = format!("{from_ns} ns to {to_ns} ns: {} ns\n\n", to_ns - from_ns);
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{:<6} {:>14} {:>6} {:>8} {:>7} {:>7} {:>6} {:>6}",
        "pCPU", "busy ns", "%", "segments", "wakes", "tickled", "steals", "moves"
    );
    for (at, pcpu) in stretch.pcpus.iter().enumerate() {
        use crate::protocol::MarkKind::{Migrate, Steal, Tickled, Wake};
        let [wakes, tickled, steals, moves] =
            [Wake, Tickled, Steal, Migrate].map(|kind| pcpu.marks_of(kind));
        let _ = writeln!(
            text,
            "{:<6} {:>14} {:>6} {:>8} {wakes:>7} {tickled:>7} {steals:>6} {moves:>6}",
            format!("p{at}"),
            pcpu.busy_ns,
            percent(pcpu.busy_ns),
            pcpu.segments,
        );
    }
    if let Some(ran) = ran(stretch) {
        let _ = writeln!(text, "\n{:<10} {:>14} {:>6}", "vCPU", "ran ns", "%");
        for (vcpu, ns) in ran {
            let _ = writeln!(text, "{:<10} {ns:>14} {:>6}", name(vcpu), percent(ns));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{PcpuStretch, RunId};

    /// Goal: a range as text has its figures to the ns, the longest first, and fits a mail.
    #[test]
    fn a_range_fits_a_mail() {
        let pcpu = |busy_ns| PcpuStretch { busy_ns, segments: 7, marks: vec![1, 2, 3, 4, 5, 6] };
        let stretch = Stretch {
            run: RunId(1),
            span: Span { from_ns: 1_000, to_ns: 4_001_000 },
            reached_ns: 2_001_000,
            pcpus: vec![pcpu(1_500_000), pcpu(0)],
            ran_ns: Some(vec![500_000, 0, 1_000_000]),
        };
        assert_eq!(ran(&stretch), Some(vec![(2, 1_000_000), (0, 500_000)]));
        let text = text(&stretch, |vcpu| format!("vcpu{vcpu}"));
        assert!(text.lines().all(|line| line.len() <= 72), "{text}");
        assert!(text.starts_with("1000 ns to 4001000 ns: 4000000 ns\n"), "{text}");
        let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(words(lines[3]), ["p0", "1500000", "75.0", "7", "1", "2", "4", "5"]);
        assert_eq!(words(lines[7]), ["vcpu2", "1000000", "50.0"]);
        assert_eq!(lines.len(), 9);
    }
}
