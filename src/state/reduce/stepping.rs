//! Going to records and moments, and what part of the run is shown.

use super::Cx;
use crate::protocol::{Direction, From, MarkKind, Record, Request, Span, Wanted};
use crate::state::search::{self, Target};
use crate::state::{Phase, Purpose, Step, StepTo, select};
use sim_core::decision::Kind;

/// The shortest stretch of time that can be shown, in ns.
const SHORTEST_NS: u64 = 200;
/// The shortest stretch of time that a selection is fitted to, in ns.
const SHORTEST_FIT_NS: u64 = 20_000;

/// What going to what is wanted is for.
fn going(wanted: Wanted) -> Purpose {
    if matches!(wanted, Wanted::Changed(_)) { Purpose::GoChanged } else { Purpose::Go }
}

impl Cx {
    /// Asks for a record.
    pub(super) fn find(&mut self, from: From, direction: Direction, wanted: Wanted, to: Purpose) {
        let run = self.state.run.id;
        if let Some(ask) = self.ask(to) {
            self.send(Request::Find { run, ask, from, direction, wanted });
        }
    }

    /// The number of a new question for a record; none if there is nothing to ask.
    pub(super) fn ask(&mut self, to: Purpose) -> Option<u32> {
        if self.state.run.phase == Phase::Gone {
            return None;
        }
        let asked = &mut self.state.asked;
        asked.last_ask = asked.last_ask.wrapping_add(1).max(1);
        asked.finds.push((asked.last_ask, to));
        Some(asked.last_ask)
    }

    pub(super) fn is_finding(&self, purpose: Purpose) -> bool {
        self.state.asked.finds.iter().any(|(_, other)| *other == purpose)
    }

    /// Where a step starts: the record selected, or else the cursor.
    fn here(&self) -> From {
        let asked = self.state.predict.open().map(|question| question.record);
        match asked.or(self.state.selection.record) {
            Some(record) => From::Record(record.record),
            None => From::Time(self.state.cursor_ns),
        }
    }

    pub(super) fn step(&mut self, step: Step) {
        self.pause();
        self.state.looks.story = false;
        // Steps pressed faster than they are answered are not queued up.
        if self.is_going() {
            return;
        }
        let kind =
            self.state.selection.record.map_or(Kind::Tickle as u8, |record| record.place.kind);
        let wanted = match step.to {
            StepTo::Decision => Wanted::Decision,
            StepTo::SameKind => Wanted::Kind(kind),
            StepTo::Event => Wanted::Event(self.state.row),
            StepTo::Wanted(wanted) => wanted,
        };
        self.find(self.here(), step.direction, wanted, going(wanted));
    }

    /// Goes to the first record of the run that is wanted.
    pub(super) fn first(&mut self, wanted: Wanted) {
        self.pause();
        self.state.looks.story = false;
        if !self.is_going() {
            self.find(From::Time(0), Direction::Nearest, wanted, going(wanted));
        }
    }

    fn is_going(&self) -> bool {
        self.is_finding(Purpose::Go) || self.is_finding(Purpose::GoChanged)
    }

    pub(super) fn search(&mut self, direction: Direction) {
        let Some(text) = self.state.looks.search.clone() else { return };
        match search::parse(&text, &self.state.scenario) {
            Ok(Target::Wanted(wanted)) => self.step(Step { direction, to: StepTo::Wanted(wanted) }),
            Ok(Target::Pcpu(pcpu)) => {
                self.state.row = pcpu;
                let to = StepTo::Wanted(Wanted::DecisionOn(pcpu));
                self.step(Step { direction, to });
            }
            Ok(Target::Time(ns)) => {
                self.jump(ns);
                self.follow();
            }
            Ok(Target::Range(span)) => {
                self.pause();
                self.range(Some(span));
                self.look_at(span);
            }
            Err(sentence) => self.problem(sentence),
        }
    }

    /// Selects a record and goes there.
    pub(super) fn go(&mut self, record: Record) {
        // What was only said in passing has been read.
        self.state.notices.retain(|notice| notice.problem);
        if !self.shows(record) {
            return;
        }
        self.state.row = self.checked_row(record.place.pcpu);
        self.state.cursor_ns = record.place.time_ns.min(self.state.run.duration_ns);
        self.reveal();
    }

    /// Goes to a record of which only the number is known: the explanation brings the rest.
    pub(super) fn go_number(&mut self, record: u32) {
        self.pause();
        self.state.looks.story = false;
        if self.state.run.phase != Phase::Gone {
            self.state.asked.explain = Some(record);
            self.state.selection.record = None;
            self.send(Request::Explain { run: self.state.run.id, record });
        }
    }

    /// Goes to the record that left a mark; the cursor stands at it at once.
    pub(super) fn go_mark(&mut self, pcpu: u16, time_ns: u64, kind: MarkKind) {
        self.pause();
        self.state.looks.story = false;
        self.state.cursor_ns = time_ns.min(self.state.run.duration_ns);
        self.state.row = self.checked_row(pcpu);
        let run = self.state.run.id;
        if let Some(ask) = self.ask(Purpose::Go) {
            self.send(Request::Mark { run, ask, pcpu, time_ns, kind });
        }
    }

    pub(super) fn checked_row(&self, row: u16) -> u16 {
        let pcpus = u16::try_from(self.state.scenario.topology.pcpu_count()).unwrap_or(u16::MAX);
        row.min(pcpus - 1)
    }

    /// Puts the cursor somewhere and explains what is nearest.
    pub(super) fn point(&mut self, time_ns: u64, pcpu: u16) {
        self.pause();
        self.state.cursor_ns = time_ns.min(self.state.run.duration_ns);
        self.state.row = self.checked_row(pcpu);
        self.follow();
    }

    /// Asks for the decision on the row that is nearest to the cursor.
    pub(super) fn follow(&mut self) {
        if !self.is_finding(Purpose::Follow) {
            let from = From::Time(self.state.cursor_ns);
            let wanted = Wanted::DecisionOn(self.state.row);
            self.find(from, Direction::Nearest, wanted, Purpose::Follow);
        }
    }

    pub(super) fn row(&mut self, row: u16) {
        self.state.row = self.checked_row(row);
        self.follow();
    }

    pub(super) fn row_by(&mut self, by: i32) {
        let row = i32::from(self.state.row).saturating_add(by).max(0);
        self.row(u16::try_from(row).unwrap_or(u16::MAX));
    }

    /// The cursor goes to a moment, and the view with it.
    pub(super) fn jump(&mut self, time_ns: u64) {
        self.pause();
        self.state.cursor_ns = time_ns.min(self.state.run.duration_ns);
        self.state.selection.record = None;
        self.state.selection.place = None;
        self.reveal();
    }

    /// Shows a stretch of time, as far as the run has it.
    pub(super) fn look_at(&mut self, span: Span) {
        let duration_ns = self.state.run.duration_ns;
        let shortest = SHORTEST_NS.min(duration_ns);
        let wanted_ns = span.to_ns.saturating_sub(span.from_ns);
        let length = wanted_ns.clamp(shortest, duration_ns);
        // One that is too short grows around its middle.
        let from_ns = span.from_ns.saturating_sub((length - wanted_ns.min(length)) / 2);
        let from_ns = from_ns.min(duration_ns - length);
        self.state.view = Span { from_ns, to_ns: from_ns + length };
    }

    /// Moves the view so that the cursor stands inside, not at the rim.
    pub(super) fn reveal(&mut self) {
        let Span { from_ns, to_ns } = self.state.view;
        let (length, cursor) = (to_ns - from_ns, self.state.cursor_ns);
        let rim = length / 20;
        if cursor < from_ns.saturating_add(rim) || cursor > to_ns.saturating_sub(rim) {
            let from_ns = cursor.saturating_sub(length * 2 / 5);
            self.look_at(Span { from_ns, to_ns: from_ns.saturating_add(length) });
        }
    }

    pub(super) fn zoom(&mut self, closer: bool) {
        let Span { from_ns, to_ns } = self.state.view;
        let length = to_ns - from_ns;
        let wanted = if closer { length * 5 / 8 } else { length.saturating_mul(8) / 5 };
        let wanted =
            wanted.clamp(SHORTEST_NS.min(self.state.run.duration_ns), self.state.run.duration_ns);
        // Around the cursor if it is in view, or else around the middle.
        let cursor = self.state.cursor_ns;
        let pivot = if (from_ns..=to_ns).contains(&cursor) { cursor } else { from_ns + length / 2 };
        let before = u128::from(pivot - from_ns) * u128::from(wanted) / u128::from(length);
        let from_ns = pivot.saturating_sub(u64::try_from(before).unwrap_or(u64::MAX));
        self.look_at(Span { from_ns, to_ns: from_ns.saturating_add(wanted) });
    }

    /// Fits the range, or the selected record with its chain.
    pub(super) fn fit(&mut self) {
        if let Some(range) = self.state.range {
            return self.look_at(range);
        }
        let cursor = self.state.cursor_ns;
        let mut times = vec![cursor];
        if let Some(why) = select::why(&self.state) {
            times.extend(why.chain.iter().map(|link| link.record.place.time_ns));
        }
        let first = times.iter().copied().min().unwrap_or(cursor);
        let last = times.iter().copied().max().unwrap_or(cursor);
        let rim = ((last - first) / 4).max(SHORTEST_FIT_NS / 2);
        self.look_at(Span { from_ns: first.saturating_sub(rim), to_ns: last.saturating_add(rim) });
    }

    pub(super) fn whole(&mut self) {
        self.look_at(Span { from_ns: 0, to_ns: self.state.run.duration_ns });
    }

    pub(super) fn range(&mut self, range: Option<Span>) {
        let duration_ns = self.state.run.duration_ns;
        self.state.range = range
            .map(|span| Span { from_ns: span.from_ns, to_ns: span.to_ns.min(duration_ns) })
            .filter(|span| span.from_ns < span.to_ns);
    }

    /// Up to where the cursor can play, in ns.
    pub(super) fn known_ns(&self) -> u64 {
        select::known_ns(&self.state.run).min(self.state.run.duration_ns)
    }
}
