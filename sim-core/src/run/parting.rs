//! Where two runs part: the first record with another outcome.
//!
//! Must not ask why; each side's record explains itself.

use crate::decision::{Kind, Row};
use crate::ids::DecisionId;
use crate::trace::Trace;

/// A comparison of two runs under way, record by record from the first one on.
///
/// Runs part in a record if its time, pCPU, kind or vCPU is another one, or what follows from it:
/// what the table of leaves says, the pCPU or vCPU that the leaf names, and whom a tickle told. A
/// patch that leads to the same by another leaf has changed nothing yet. *Invariant*: all records
/// before the one that is looked at next are alike.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Parting {
    alike: usize,
}

impl Parting {
    /// Compares as far as both runs have records; the number of the first record that parts them.
    /// It stays the answer, however often it is asked for.
    pub fn go_on(&mut self, one: &Trace, other: &Trace) -> Option<DecisionId> {
        let rows = one.rows.from(self.alike).zip(other.rows.from(self.alike));
        for ((id, left), (_, right)) in rows {
            if !same(&left, &right) || told(one, id, &left) != told(other, id, &right) {
                return Some(id);
            }
            self.alike += 1;
        }
        None
    }

    /// How many records are known to be alike.
    #[must_use]
    pub fn alike(&self) -> usize {
        self.alike
    }
}

/// Whether two records are alike. The cause is left out: it names a record before, and all of
/// those are alike.
fn same(left: &Row, right: &Row) -> bool {
    let of = |row: &Row| (row.time, row.pcpu, row.subject, row.arg);
    let leads = |row: &Row| (row.reason.kind(), row.reason.info().then);
    let same_leaf = left.reason == right.reason;
    of(left) == of(right) && (same_leaf || leads(left) == leads(right))
}

/// Whom a tickle told besides the pCPU that its row names.
fn told<'a>(trace: &'a Trace, id: DecisionId, row: &Row) -> impl PartialEq + use<'a> {
    let tickle = row.reason.kind() == Kind::Tickle;
    if tickle { trace.told_besides(id) } else { &[] }
}
