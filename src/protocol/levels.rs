//! Levels over a stretch of time: credits, queues, masks.

use super::{RunId, Span};
use serde::{Deserialize, Serialize};

/// Something that is counted over time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    /// The credit of the vCPU of this number.
    Credit(u16),
    /// Guests that wait on the run queue of this pCPU.
    Waiting(u16),
    /// Guests that wait on all run queues.
    WaitingAll,
    /// pCPUs that are believed idle.
    Idlers,
    /// pCPUs that were told to schedule and have not yet done so.
    Told,
}

/// Some levels over a stretch of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelPicture {
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
    /// A line per level, in the order asked for.
    pub lines: Vec<LevelLine>,
    /// When accountings ran, in ns; none if they are too many to be told apart.
    pub accounts_ns: Vec<u64>,
}

/// A level over a stretch of time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelLine {
    /// Which.
    pub level: Level,
    /// What it was before anything happened in the stretch.
    pub start: i32,
    /// The cells in which it changed, in order.
    pub cells: Vec<LevelCell>,
    /// Accountings that gave the vCPU a share whose credit it is.
    pub accounted: u32,
}

/// What a level did within a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LevelCell {
    /// When it changed for the last time here, in ns.
    pub last_ns: u64,
    /// How often it changed here.
    pub changes: u32,
    /// The lowest value that it took here.
    pub least: i32,
    /// The highest value that it took here.
    pub most: i32,
    /// The value that it has from the last change on.
    pub last: i32,
}

impl LevelPicture {
    /// The same as if nothing were known from `until_ns` on. A cell that reaches beyond is left out
    /// with all that it holds.
    #[must_use]
    pub fn until(&self, until_ns: u64) -> Self {
        let cut = |line: &LevelLine| {
            let end = line.cells.partition_point(|cell| cell.last_ns < until_ns);
            LevelLine { cells: line.cells[..end].to_vec(), ..*line }
        };
        let accounts = self.accounts_ns.iter().copied().filter(|time_ns| *time_ns < until_ns);
        Self {
            until_ns: self.until_ns.min(until_ns).max(self.span.from_ns),
            lines: self.lines.iter().map(cut).collect(),
            accounts_ns: accounts.collect(),
            ..*self
        }
    }

    /// Whether it tells about all of its stretch.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.goes_on && self.until_ns >= self.span.to_ns
    }

    /// The line of a level, if it was asked for.
    #[must_use]
    pub fn line(&self, level: Level) -> Option<&LevelLine> {
        self.lines.iter().find(|line| line.level == level)
    }

    /// The credits among the levels: whose, and their lines.
    pub fn credits(&self) -> impl Iterator<Item = (u16, &LevelLine)> + Clone {
        self.lines.iter().filter_map(|line| match line.level {
            Level::Credit(vcpu) => Some((vcpu, line)),
            _ => None,
        })
    }
}

impl LevelLine {
    /// What it is at the end of what is told.
    #[must_use]
    pub fn end(&self) -> i32 {
        self.cells.last().map_or(self.start, |cell| cell.last)
    }

    /// The lowest and the highest value.
    #[must_use]
    pub fn bounds(&self) -> (i32, i32) {
        let both = |(least, most): (i32, i32), cell: &LevelCell| {
            (least.min(cell.least), most.max(cell.most))
        };
        self.cells.iter().fold((self.start, self.start), both)
    }

    /// The lowest and the highest value that it may have after all that happens at a moment:
    /// one value, unless it changes several times in the moment's cell.
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

    fn cell(last_ns: u64, changes: u32, (least, most, last): (i32, i32, i32)) -> LevelCell {
        LevelCell { last_ns, changes, least, most, last }
    }

    /// Goal: values between changes are exact, and within a cell of several told as bounds.
    #[test]
    fn values_are_exact_between_changes() {
        let cells = vec![cell(35, 1, (-100, -100, -100)), cell(72, 3, (-200, 40, 20))];
        let line = LevelLine { level: Level::Told, start: 7, cells, accounted: 1 };
        let at = |time_ns| line.at(time_ns, 4);
        assert_eq!([at(0), at(34)], [(7, 7), (7, 7)]);
        assert_eq!([at(35), at(63)], [(-100, -100), (-100, -100)]);
        assert_eq!(at(70), (-200, 40));
        assert_eq!([at(72), at(900)], [(20, 20), (20, 20)]);
        assert_eq!((line.end(), line.bounds()), (20, (-200, 40)));
    }

    /// Goal: what is cut tells nothing of what comes later.
    #[test]
    fn a_cut_picture_tells_nothing_of_later() {
        let cells = vec![cell(35, 1, (5, 5, 5)), cell(72, 3, (-200, 40, 20))];
        let line = LevelLine { level: Level::Told, start: 7, cells, accounted: 0 };
        let picture = LevelPicture {
            run: RunId(1),
            ask: 1,
            span: Span { from_ns: 0, to_ns: 90 },
            shift: 4,
            until_ns: 90,
            goes_on: false,
            lines: vec![line],
            accounts_ns: vec![30, 60],
        };
        let cut = picture.until(50);
        assert_eq!((cut.until_ns, cut.lines[0].bounds()), (50, (5, 7)));
        assert_eq!((cut.lines[0].cells.len(), &cut.accounts_ns[..]), (1, &[30][..]));
        assert!(picture.is_whole() && !cut.is_whole());
        assert_eq!(picture.until(200), picture);
    }
}
