//! What a pixel hides against a walk over everything.

use crate::model::LaneModel;
use crate::{Both, all};
use sim_core::ids::PcpuId;
use sim_core::rng::SplitMix64;
use sim_core::trace::{MARK_KINDS, MarkKind, Thing, Under, What};

/// Random stretches of each lane: from a few ns to all of the run.
const STRETCHES: u64 = 20;

/// Goal: the list is exactly what lies there, in order, cut only at its end, with the true counts.
#[test]
fn lists_agree_with_a_plain_walk() {
    let mut cut = 0;
    for Both { name, recording, model, duration_ns } in all() {
        let mut rng = SplitMix64::new(duration_ns ^ 5);
        for (pcpu, lane) in (0u16..).map(PcpuId).zip(&model.lanes) {
            for _ in 0..STRETCHES {
                let from_ns = rng.next() % duration_ns;
                let to_ns = from_ns + 1 + rng.next() % (1 << (rng.next() % 34));
                let reached_ns = duration_ns - rng.next() % 2 * (rng.next() % duration_ns);
                let most = usize::try_from(1 + rng.next() % 20).expect("few");
                let ours = recording.trace().under(pcpu, (from_ns, to_ns), reached_ns, most);
                let theirs = plain(lane, (from_ns, to_ns), reached_ns, most);
                let said = format!("{name}, {pcpu:?}, {from_ns}..{to_ns}, up to {reached_ns}");
                assert_eq!(ours, theirs, "{said}");
                let all = ours.segments + ours.marks.iter().sum::<usize>();
                cut += usize::from(all > ours.things.len());
            }
        }
    }
    assert!(cut > 100, "{cut} lists were cut");
}

fn plain(lane: &LaneModel, (from_ns, to_ns): (u64, u64), reached_ns: u64, most: usize) -> Under {
    let to_ns = to_ns.min(reached_ns);
    let mut under = Under { things: Vec::new(), segments: 0, marks: [0; MARK_KINDS] };
    if from_ns >= to_ns {
        return under;
    }
    let inside = |ns: &u64| (from_ns..to_ns).contains(ns);
    for kind in MarkKind::ALL {
        let of_kind = lane.marks.iter().filter(|mark| mark.1 == kind && inside(&mark.0));
        let what = What::Mark(kind);
        let things: Vec<Thing> = of_kind.map(|(ns, ..)| Thing { time_ns: *ns, what }).collect();
        under.marks[kind as usize] = things.len();
        under.things.extend(things);
    }
    for (at, (time_ns, vcpu)) in lane.segments.iter().copied().enumerate() {
        let next = lane.segments.get(at + 1).map_or(u64::MAX, |next| next.0);
        if time_ns < to_ns && next > from_ns {
            let what = What::Segment { vcpu, to_ns: next.min(reached_ns) };
            under.things.push(Thing { time_ns, what });
            under.segments += 1;
        }
    }
    under.things.sort_by_key(|thing| thing.time_ns);
    under.things.truncate(most);
    under
}
