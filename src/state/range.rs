//! What happens in a chosen range, from the picture at hand.
//!
//! Only exact pictures count: where a pixel hides several segments, nothing is said.

use crate::protocol::{IDLE, RunLane, SWITCHING, Span, Tile};

/// What happens in a range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RangeSums {
    /// Time of all rows together, in ns.
    pub all_ns: u64,
    /// Time that any guest ran, over all rows, in ns.
    pub busy_ns: u64,
    /// Who ran how long, in ns; longest first.
    pub ran_ns: Vec<(u16, u64)>,
}

/// Adds up a range; none if the picture does not show every segment of it.
#[must_use]
pub fn sums(tile: &Tile, range: Span) -> Option<RangeSums> {
    let covers = tile.span.from_ns <= range.from_ns && range.to_ns <= tile.span.to_ns;
    if !covers || tile.reached_ns < range.to_ns {
        return None;
    }
    let mut ran_ns: Vec<(u16, u64)> = Vec::new();
    for lane in &tile.lanes {
        let RunLane::Segments(segments) = &lane.run else { return None };
        let ends = segments.iter().skip(1).map(|next| next.start_ns).chain([range.to_ns]);
        for (segment, end_ns) in segments.iter().zip(ends) {
            let from_ns = segment.start_ns.max(range.from_ns);
            let ns = end_ns.min(range.to_ns).saturating_sub(from_ns);
            if ns == 0 || segment.vcpu == IDLE || segment.vcpu == SWITCHING {
                continue;
            }
            match ran_ns.iter_mut().find(|(vcpu, _)| *vcpu == segment.vcpu) {
                Some((_, sum)) => *sum += ns,
                None => ran_ns.push((segment.vcpu, ns)),
            }
        }
    }
    ran_ns.sort_by_key(|(vcpu, ns)| (std::cmp::Reverse(*ns), *vcpu));
    let busy_ns = ran_ns.iter().map(|(_, ns)| ns).sum();
    let all_ns = (range.to_ns - range.from_ns) * tile.lanes.len() as u64;
    Some(RangeSums { all_ns, busy_ns, ran_ns })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Belief, LaneTile, RunId, Segment};

    fn tile(lanes: Vec<RunLane>) -> Tile {
        let lane = |(pcpu, run)| LaneTile {
            pcpu,
            run,
            idler: Belief::Spans(vec![]),
            tickled: Belief::Spans(vec![]),
            marks: vec![],
            counts: vec![],
        };
        Tile {
            run: RunId(1),
            span: Span { from_ns: 0, to_ns: 100 },
            shift: 0,
            first: 0,
            lanes: (0u16..).zip(lanes).map(lane).collect(),
            arrows: vec![],
            reached_ns: 100,
        }
    }

    fn segments(all: &[(u64, u16)]) -> RunLane {
        let segment = |(start_ns, vcpu): &(u64, u16)| Segment { start_ns: *start_ns, vcpu: *vcpu };
        RunLane::Segments(all.iter().map(segment).collect())
    }

    /// Goal: segments are clipped to the range, added up over rows, idle and switches left out.
    #[test]
    fn segments_are_added_up() {
        let lanes = vec![
            segments(&[(0, 3), (30, IDLE), (60, 4)]),
            segments(&[(0, IDLE), (20, SWITCHING), (25, 4), (45, 3)]),
        ];
        let sums = sums(&tile(lanes), Span { from_ns: 10, to_ns: 70 }).expect("it is covered");
        assert_eq!(sums.all_ns, 120);
        assert_eq!(sums.ran_ns, [(3, 20 + 25), (4, 10 + 20)]);
        assert_eq!(sums.busy_ns, 75);
    }

    /// Goal: nothing is said about what the picture does not show exactly.
    #[test]
    fn inexact_pictures_say_nothing() {
        let range = Span { from_ns: 10, to_ns: 70 };
        assert_eq!(sums(&tile(vec![RunLane::Cells(vec![])]), range), None);
        let mut early = tile(vec![segments(&[(0, 3)])]);
        early.reached_ns = 60;
        assert_eq!(sums(&early, range), None);
        early.reached_ns = 100;
        assert_eq!(sums(&early, Span { from_ns: 10, to_ns: 101 }), None);
    }
}
