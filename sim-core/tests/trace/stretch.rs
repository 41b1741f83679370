//! What a stretch adds up to against a walk over everything.

use crate::model::LaneModel;
use crate::{Both, all};
use sim_core::rng::SplitMix64;
use sim_core::trace::{IDLE, MarkKind, SWITCHING};

/// Random stretches of each run: from a few ns to all of it.
const STRETCHES: u64 = 40;

/// The segments of a lane with their ends, cut at the ends of the stretch.
fn cut(lane: &LaneModel, (from_ns, to_ns): (u64, u64)) -> impl Iterator<Item = (u64, u16)> {
    lane.segments.iter().enumerate().map(move |(at, (start_ns, vcpu))| {
        let end_ns = lane.segments.get(at + 1).map_or(to_ns, |next| next.0);
        (end_ns.min(to_ns).saturating_sub((*start_ns).max(from_ns)), *vcpu)
    })
}

/// Goal: time, segments and marks of any stretch are those of a plain walk, cut to the ns.
#[test]
fn stretches_agree_with_a_plain_walk() {
    for Both { name, recording, model, duration_ns } in all() {
        let mut rng = SplitMix64::new(duration_ns ^ 9);
        for _ in 0..STRETCHES {
            let from_ns = rng.next() % duration_ns;
            let to_ns = (from_ns + 1 + rng.next() % (1 << (rng.next() % 34))).min(duration_ns);
            let stretch = (from_ns, to_ns);
            let ours = recording.trace().stretch(stretch, true);
            let said = format!("{name}, {from_ns}..{to_ns}");
            let ran_ns = ours.ran_ns.expect("few segments");
            let mut theirs = vec![0; ran_ns.len()];
            for (lane, pcpu) in model.lanes.iter().zip(&ours.pcpus) {
                let guests = |(_, vcpu): &(u64, u16)| ![IDLE, SWITCHING].contains(vcpu);
                let mut busy_ns = 0;
                for (ns, vcpu) in cut(lane, stretch).filter(guests) {
                    theirs[usize::from(vcpu)] += ns;
                    busy_ns += ns;
                }
                assert_eq!(pcpu.run.busy_ns, busy_ns, "{said}");
                let inside = |ns: u64| (from_ns..to_ns).contains(&ns);
                let begun = lane.segments.iter().filter(|segment| inside(segment.0)).count();
                assert_eq!(pcpu.run.count, begun, "{said}");
                for kind in MarkKind::ALL {
                    let of = lane.marks.iter().filter(|mark| mark.1 == kind && inside(mark.0));
                    assert_eq!(pcpu.marks[kind as usize], of.count(), "{said}, {kind:?}");
                }
            }
            assert_eq!(ran_ns, theirs, "{said}");
            let without = recording.trace().stretch(stretch, false);
            assert_eq!((without.pcpus, without.ran_ns), (ours.pcpus, None), "{said}");
        }
    }
}
