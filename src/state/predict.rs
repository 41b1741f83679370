//! Predict before reveal: a question in the place of a decision, until it has been answered.
//!
//! Pure. The answer is not in here before it is shown: what was decided is asked of the worker only
//! then.

use super::{State, select};
use crate::protocol::{Now, Outcome, Place, Record};
use sim_core::decision::Kind;
use std::rc::Rc;

/// What a person does with predictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guess {
    /// Ask before each decision, or no longer.
    Toggle,
    /// Choose this.
    Choose(Choice),
    /// A digit was typed: a pCPU's number, one digit after the other, or a candidate's.
    Digit(u16),
    /// Show what was decided.
    Uncover,
}

/// An answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// No pCPU is told or robbed; nobody runs.
    Nobody,
    /// This pCPU.
    Pcpu(u16),
    /// This vCPU runs next.
    Vcpu(u16),
    /// A vCPU from another pCPU runs next.
    Elsewhere,
}

/// A decision that is asked about.
#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    /// Which record.
    pub record: Record,
    /// The machine that it is taken on, once it is known.
    pub now: Option<Rc<Now>>,
    /// The answer chosen.
    pub choice: Option<Choice>,
    /// Whether what was decided is shown.
    pub shown: bool,
    /// Whether the answer stands in the tally.
    counted: bool,
}

/// Predictions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Predict {
    /// Whether each decision is asked about.
    pub on: bool,
    /// The decision that is asked about, or was last.
    pub question: Option<Question>,
    /// Right answers, and all of them.
    pub tally: (u32, u32),
    /// The decisions of this run that have been shown: they are not asked again.
    seen: Rc<Vec<Place>>,
}

impl Question {
    /// A question about a record of which nothing else is known.
    #[must_use]
    pub fn new(record: Record) -> Self {
        Self { record, now: None, choice: None, shown: false, counted: false }
    }

    /// Whether it is about a vCPU, not a pCPU.
    #[must_use]
    pub fn is_about_vcpu(&self) -> bool {
        self.record.place.kind == Kind::Schedule as u8
    }

    /// The vCPUs that may run next: the current one and those that wait.
    #[must_use]
    pub fn vcpus(&self) -> Vec<u16> {
        let pcpu = usize::from(self.record.place.pcpu);
        let Some(at) = self.now.as_ref().and_then(|now| now.pcpus.get(pcpu)) else { return vec![] };
        at.current.iter().chain(&at.queue).map(|vcpu| vcpu.vcpu).collect()
    }

    /// Where the vCPU that it is about waits, if it does.
    #[must_use]
    pub fn waits_on(&self) -> Option<u16> {
        let now = self.now.as_ref()?;
        let waits = |queue: &[crate::protocol::VcpuNow]| {
            queue.iter().any(|waiting| waiting.vcpu == self.record.vcpu)
        };
        let at = now.pcpus.iter().position(|pcpu| waits(&pcpu.queue))?;
        u16::try_from(at).ok()
    }

    /// The choice that a digit makes, of a machine with so many pCPUs; none if there is none.
    fn typed(&self, digit: u16, pcpus: u16) -> Option<Choice> {
        if self.is_about_vcpu() {
            let vcpus = self.vcpus();
            let at = usize::from(digit);
            let chosen = vcpus.get(at).map(|vcpu| Choice::Vcpu(*vcpu));
            return chosen.or((at == vcpus.len()).then_some(Choice::Elsewhere));
        }
        let longer = match self.choice {
            Some(Choice::Pcpu(pcpu)) => pcpu.saturating_mul(10).saturating_add(digit), // too large
            _ => digit,
        };
        [longer, digit].into_iter().find(|pcpu| *pcpu < pcpus).map(Choice::Pcpu)
    }

    /// Whether the choice is what came out; none without a choice, or if nothing can be told.
    #[must_use]
    pub fn is_right(&self, outcome: &Outcome) -> Option<bool> {
        Some(match (self.choice?, outcome) {
            (_, Outcome::Other) => return None,
            (Choice::Nobody, Outcome::Pcpus(pcpus)) => pcpus.is_empty(),
            (Choice::Pcpu(pcpu), Outcome::Pcpus(pcpus)) => pcpus.contains(&pcpu),
            (Choice::Nobody, Outcome::Runs(next)) => next.is_none(),
            (Choice::Vcpu(vcpu), Outcome::Runs(next)) => *next == Some(vcpu),
            (Choice::Elsewhere, Outcome::Runs(next)) => {
                next.is_some_and(|next| !self.vcpus().contains(&next))
            }
            (_, _) => false,
        })
    }
}

impl Predict {
    /// Predictions switched on or off; nothing has been shown yet.
    #[must_use]
    pub fn opened(on: bool) -> Self {
        Self { on, ..Self::default() }
    }

    /// Whether the decision of a place must be asked about before it is shown.
    #[must_use]
    pub fn hides(&self, place: Place) -> bool {
        let asked = [Kind::Tickle, Kind::Pick, Kind::Balance, Kind::Schedule];
        let is_asked = asked.iter().any(|kind| *kind as u8 == place.kind);
        self.on && is_asked && !self.seen.contains(&place)
    }

    /// The decision of a place has been shown.
    pub(super) fn saw(&mut self, place: Place) {
        if self.hides(place) {
            Rc::make_mut(&mut self.seen).push(place);
        }
    }

    /// Another run: nothing of it has been shown.
    pub(super) fn forget(&mut self) {
        self.seen = Rc::default();
        self.question = None;
    }

    /// The question that waits for its answer.
    #[must_use]
    pub fn open(&self) -> Option<&Question> {
        self.question.as_ref().filter(|question| !question.shown)
    }

    pub(super) fn open_mut(&mut self) -> Option<&mut Question> {
        self.question.as_mut().filter(|question| !question.shown)
    }

    /// A digit was typed.
    pub(super) fn digit(&mut self, digit: u16, pcpus: u16) {
        if let Some(question) = self.open_mut() {
            question.choice = question.typed(digit, pcpus).or(question.choice);
        }
    }

    /// What came out is known: the answer goes into the tally, once.
    pub(super) fn count(&mut self, record: u32, outcome: &Outcome) {
        let asked = self.question.as_mut().filter(|question| {
            question.shown && !question.counted && question.record.record == record
        });
        if let Some(question) = asked
            && let Some(right) = question.is_right(outcome)
        {
            question.counted = true;
            self.tally.0 += u32::from(right);
            self.tally.1 += 1;
        }
    }
}

/// How far a picture may go while decisions are guessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Veil {
    /// Up to when everything is shown, in ns.
    pub until_ns: u64,
    /// Records before this number are shown, too.
    pub records: u32,
}

impl State {
    /// How far pictures may go; none shows everything. What lies behind the decision shown, or
    /// behind the cursor, would tell the next one.
    #[must_use]
    pub fn veil(&self) -> Option<Veil> {
        if !self.predict.on {
            return None;
        }
        let shown = |record: Record| Veil {
            until_ns: record.place.time_ns.max(self.cursor_ns),
            records: record.record.saturating_add(1), // saturating: the last number is never used
        };
        if let Some(question) = self.predict.open() {
            let record = question.record;
            return Some(Veil { records: record.record, ..shown(record) });
        }
        let none = Veil { until_ns: self.cursor_ns, records: 0 };
        Some(self.selection.record.map_or(none, shown))
    }

    /// The question that was answered last, with what came out, while that is what is shown.
    #[must_use]
    pub fn answered(&self) -> Option<(&Question, &Outcome)> {
        let question = self.predict.question.as_ref().filter(|question| question.shown)?;
        let why = select::why(self)?;
        (why.record == question.record).then_some((question, &why.outcome))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{PcpuNow, VcpuNow};

    fn question(kind: Kind) -> Question {
        let place = Place { time_ns: 5, pcpu: 0, kind: kind as u8, nth: 0 };
        Question::new(Record { record: 7, place, vcpu: 3 })
    }

    /// Goal: digits are put together to a pCPU's number as long as there is such a pCPU, and begin
    /// anew otherwise.
    #[test]
    fn digits_make_numbers() {
        let typed = |digits: &[u16], pcpus| {
            let mut predict = Predict::opened(true);
            predict.question = Some(question(Kind::Tickle));
            digits.iter().for_each(|digit| predict.digit(*digit, pcpus));
            predict.question.and_then(|question| question.choice)
        };
        assert_eq!(typed(&[3], 4), Some(Choice::Pcpu(3)));
        assert_eq!(typed(&[3, 1], 4), Some(Choice::Pcpu(1)));
        assert_eq!(typed(&[3, 7], 4), Some(Choice::Pcpu(3)), "there is no p7");
        assert_eq!(typed(&[1, 2], 16), Some(Choice::Pcpu(12)));
        assert_eq!(typed(&[1, 2, 3], 16), Some(Choice::Pcpu(3)));
        assert_eq!(typed(&[0, 0, 5], 16), Some(Choice::Pcpu(5)));
        assert_eq!(typed(&[9], 4), None);
    }

    /// Goal: who runs next is chosen among the current vCPU and those that wait, or from elsewhere.
    #[test]
    fn who_runs_next_is_chosen_among_those_there() {
        let at = |vcpu| VcpuNow { vcpu, pri: -1, credit: 0 };
        let pcpu = PcpuNow {
            current: Some(at(4)),
            switching: false,
            queue: vec![at(3), at(9)],
            idler: false,
            tickled: false,
        };
        let mut asked = question(Kind::Schedule);
        asked.now = Some(Rc::new(Now { time_ns: 5, pcpus: vec![pcpu] }));
        assert_eq!((asked.vcpus(), asked.waits_on()), (vec![4, 3, 9], Some(0)));
        assert_eq!(asked.typed(1, 4), Some(Choice::Vcpu(3)));
        assert_eq!(asked.typed(3, 4), Some(Choice::Elsewhere));
        assert_eq!(asked.typed(4, 4), None);
        let right = |choice, next| {
            let choice = Some(choice);
            Question { choice, ..asked.clone() }.is_right(&Outcome::Runs(next))
        };
        assert_eq!(right(Choice::Vcpu(3), Some(3)), Some(true));
        assert_eq!(right(Choice::Vcpu(3), Some(4)), Some(false));
        assert_eq!(right(Choice::Nobody, None), Some(true));
        assert_eq!(right(Choice::Elsewhere, Some(9)), Some(false));
        assert_eq!(right(Choice::Elsewhere, Some(1)), Some(true));
    }

    /// Goal: one of several pCPUs told is right, none is right only if none was.
    #[test]
    fn one_of_several_is_right() {
        let right = |choice, pcpus: &[u16]| {
            let choice = Some(choice);
            let outcome = Outcome::Pcpus(pcpus.to_vec());
            Question { choice, ..question(Kind::Tickle) }.is_right(&outcome)
        };
        assert_eq!(right(Choice::Pcpu(2), &[0, 2]), Some(true));
        assert_eq!(right(Choice::Pcpu(1), &[0, 2]), Some(false));
        assert_eq!(right(Choice::Nobody, &[0]), Some(false));
        assert_eq!(right(Choice::Nobody, &[]), Some(true));
        assert_eq!(question(Kind::Tickle).is_right(&Outcome::Pcpus(vec![])), None);
    }
}
