//! The credit of vCPUs over a stretch of time.

use super::{RunId, Span};
use serde::{Deserialize, Serialize};

/// The credit of some vCPUs over a stretch of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditPicture {
    /// Which run.
    pub run: RunId,
    /// Number of the question.
    pub ask: u32,
    /// The time told, as it was asked for.
    pub span: Span,
    /// Its cells are 2 to the power of this many ns long, as it was asked for.
    pub shift: u32,
    /// Up to where it has been worked out, in ns.
    pub until_ns: u64,
    /// Whether more is to come.
    pub goes_on: bool,
    /// A line per vCPU, in the order asked for.
    pub lines: Vec<CreditLine>,
    /// When accountings ran, in ns; none if they are too many to be told apart.
    pub accounts_ns: Vec<u64>,
}

/// The credit of a vCPU over a stretch of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditLine {
    /// Whose.
    pub vcpu: u16,
    /// What it was before anything happened in the stretch, in credits.
    pub start: i32,
    /// The cells in which it changed, in order.
    pub cells: Vec<CreditCell>,
    /// Accountings that gave it a share.
    pub accounted: u32,
}

/// What a vCPU's credit did within a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CreditCell {
    /// When it changed for the last time here, in ns.
    pub last_ns: u64,
    /// How often it changed here.
    pub changes: u32,
    /// The lowest value that it took here, in credits.
    pub least: i32,
    /// The highest value that it took here, in credits.
    pub most: i32,
    /// The value that it has from the last change on, in credits.
    pub last: i32,
}

impl CreditLine {
    /// What it is at the end of what is told, in credits.
    #[must_use]
    pub fn end(&self) -> i32 {
        self.cells.last().map_or(self.start, |cell| cell.last)
    }

    /// The lowest and the highest value, in credits.
    #[must_use]
    pub fn bounds(&self) -> (i32, i32) {
        let both = |(least, most): (i32, i32), cell: &CreditCell| {
            (least.min(cell.least), most.max(cell.most))
        };
        self.cells.iter().fold((self.start, self.start), both)
    }

    /// The lowest and the highest value that it may have after all that happens at a moment, in
    /// credits: one value, unless it changes several times in the moment's cell.
    #[must_use]
    pub fn at(&self, time_ns: u64, shift: u32) -> (i32, i32) {
        let next = self.cells.partition_point(|cell| cell.last_ns <= time_ns);
        let before = next.checked_sub(1).map_or(self.start, |at| self.cells[at].last);
        match self.cells.get(next) {
            Some(cell) if cell.changes > 1 && cell.last_ns >> shift == time_ns >> shift => {
                (before.min(cell.least), before.max(cell.most))
            }
            _ => (before, before),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell(last_ns: u64, changes: u32, (least, most, last): (i32, i32, i32)) -> CreditCell {
        CreditCell { last_ns, changes, least, most, last }
    }

    /// Goal: values between changes are exact, and within a cell of several told as bounds.
    #[test]
    fn values_are_exact_between_changes() {
        let cells = vec![cell(35, 1, (-100, -100, -100)), cell(72, 3, (-200, 40, 20))];
        let line = CreditLine { vcpu: 0, start: 7, cells, accounted: 1 };
        let at = |time_ns| line.at(time_ns, 4);
        assert_eq!([at(0), at(34)], [(7, 7), (7, 7)]);
        assert_eq!([at(35), at(63)], [(-100, -100), (-100, -100)]);
        assert_eq!(at(70), (-200, 40));
        assert_eq!([at(72), at(900)], [(20, 20), (20, 20)]);
        assert_eq!((line.end(), line.bounds()), (20, (-200, 40)));
    }
}
