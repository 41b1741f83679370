//! What a pixel hides: everything that a short stretch of a lane holds, one by one.

use super::picture::{MARK_KINDS, MarkKind};
use super::{Lane, Trace};
use crate::ids::PcpuId;
use alloc::vec::Vec;

/// One of the things that a stretch holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thing {
    /// When it begins or happens, in ns; a segment may begin before the stretch.
    pub time_ns: u64,
    /// What.
    pub what: What,
}

/// What a thing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A segment.
    Segment {
        /// Who runs ([`super::IDLE`], [`super::SWITCHING`]).
        vcpu: u16,
        /// Until when, in ns; may be after the stretch.
        to_ns: u64,
    },
    /// A mark.
    Mark(MarkKind),
}

/// What a stretch of a lane holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Under {
    /// The first of all things, in order of time; a mark stands before a segment of its moment.
    pub things: Vec<Thing>,
    /// How many segments touch the stretch.
    pub segments: usize,
    /// How many marks of each kind it holds.
    pub marks: [usize; MARK_KINDS],
}

impl Trace {
    /// What lies on a pCPU from `from_ns` up to and without `to_ns`, as far as `reached_ns` up to
    /// which was simulated; at most `most` things one by one.
    #[must_use]
    pub fn under(
        &self,
        pcpu: PcpuId,
        (from_ns, to_ns): (u64, u64),
        reached_ns: u64,
        most: usize,
    ) -> Under {
        let to_ns = to_ns.min(reached_ns);
        let Some(lane) = self.lanes.get(usize::from(pcpu.0)).filter(|_| from_ns < to_ns) else {
            return Under::default();
        };
        let mut under = Under::default();
        for (kind, count) in MarkKind::ALL.into_iter().zip(&mut under.marks) {
            let times = lane.marks[kind as usize].times();
            let first = times.first_at(from_ns);
            *count = times.first_at(to_ns) - first;
            let shown = first..first + (*count).min(most);
            let what = What::Mark(kind);
            under.things.extend(shown.map(|at| Thing { time_ns: times.get(at), what }));
        }
        let first = lane.run.first_at(from_ns.saturating_add(1)).saturating_sub(1);
        let end = lane.run.first_at(to_ns);
        under.segments = end.saturating_sub(first);
        let shown = first..first + under.segments.min(most);
        under.things.extend(shown.map(|at| segment(lane, at, reached_ns)));
        // Marks came first and the sort is stable.
        under.things.sort_by_key(|thing| thing.time_ns);
        under.things.truncate(most);
        under
    }
}

fn segment(lane: &Lane, at: usize, reached_ns: u64) -> Thing {
    let (time_ns, vcpu) = lane.run.segment(at);
    let next = at + 1;
    let to_ns =
        if next < lane.run.len() { lane.run.segment(next).0.min(reached_ns) } else { reached_ns };
    Thing { time_ns, what: What::Segment { vcpu, to_ns } }
}
