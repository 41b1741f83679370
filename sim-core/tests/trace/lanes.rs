//! Long lanes, so that every level of the pyramid is used.

use crate::model::LaneModel;
use crate::pictures::{cell, cells};
use sim_core::rng::SplitMix64;
use sim_core::trace::{IDLE, RunLane, SWITCHING, Scale};
use sim_core::units::SimTime;

/// Goal: sums over any stretch of a lane of many segments agree with a walk over all of them.
/// Method: 70,000 random segments, some of them without length, random stretches.
#[test]
fn long_lanes_agree_with_a_plain_walk() {
    let mut rng = SplitMix64::new(70);
    let (mut lane, mut model, mut now) = (RunLane::default(), LaneModel::default(), 0);
    for _ in 0..70_000 {
        let vcpu = match rng.next() % 10 {
            0..3 => IDLE,
            3 => SWITCHING,
            _ => u16::try_from(rng.next() % 300).expect("small"),
        };
        lane.push(SimTime::from_ns(now), vcpu);
        model.segments.push((now, vcpu));
        now += match rng.next() % 20 {
            0 => 0,
            1 => rng.next() % 1_000_000,
            _ => rng.next() % 3_000,
        };
    }
    for _ in 0..40 {
        let from_ns = rng.next() % now;
        let len = match rng.next() % 3 {
            0 => now - from_ns,
            1 => 1 + rng.next() % (now - from_ns),
            _ => 1 + rng.next() % 100_000,
        };
        let shift = (len / (1 + rng.next() % 12)).max(1).ilog2();
        let scale = Scale { from_ns, to_ns: from_ns + len, shift, reached_ns: now };
        let plain: Vec<_> = cells(&scale).into_iter().map(|part| cell(&model, part)).collect();
        assert_eq!(lane.cells(&scale), plain, "{scale:?}");
    }
}
