//! Records: kept as they were made, found as a plain walk finds them, given again by a replay.

use crate::{Both, all};
use sim_core::decision::{Kind, Row};
use sim_core::ids::{DecisionId, PcpuId, VcpuId};
use sim_core::rng::SplitMix64;
use sim_core::run::{replay, snapshot_at};
use sim_core::trace::Wanted;
use sim_core::units::SimTime;

fn id(place: usize) -> DecisionId {
    DecisionId(u32::try_from(place).expect("small"))
}

#[test]
fn records_are_kept_as_they_were_made() {
    for both in all() {
        let rows = &both.recording.trace().rows;
        assert_eq!(rows.len(), both.model.rows.len(), "{}", both.name);
        let mut kinds = [0; Kind::ALL.len()];
        let mut decisions = 0;
        for (place, row) in both.model.rows.iter().enumerate() {
            assert_eq!(rows.get(id(place)), Some(*row), "{}", both.name);
            kinds[row.reason.kind() as usize] += 1;
            decisions += u32::from(row.reason.kind().is_decision());
            if place % 37 == 0 {
                assert_eq!(rows.ordinal(id(place)).0, kinds[row.reason.kind() as usize]);
                assert_eq!(rows.decisions_until(id(place)), decisions);
                let nth = rows.nth(id(place));
                let found = rows.at(row.time, row.pcpu, row.reason.kind(), nth);
                assert_eq!(found, Some(id(place)), "{}", both.name);
            }
        }
        assert_eq!(rows.kinds(), kinds, "{}", both.name);
        assert_eq!(rows.get(id(rows.len())), None);
    }
}

fn matches(both: &Both, place: usize, wanted: Wanted) -> bool {
    let row = both.model.rows[place];
    let decision = row.reason.kind().is_decision();
    match wanted {
        Wanted::Decision => decision,
        Wanted::Kind(kind) => row.reason.kind() == kind,
        Wanted::Pcpu(pcpu) => row.pcpu == pcpu,
        Wanted::DecisionOn(pcpu) => row.pcpu == pcpu && decision,
        Wanted::Vcpu(vcpu) => row.subject == vcpu,
    }
}

fn wanted(rng: &mut SplitMix64) -> Wanted {
    let pcpu = PcpuId(u16::try_from(rng.next() % 70).expect("small"));
    match rng.next() % 5 {
        0 => Wanted::Decision,
        1 => Wanted::Kind(Kind::ALL[usize::try_from(rng.next() % 9).expect("small")]),
        2 => Wanted::Pcpu(pcpu),
        3 => Wanted::DecisionOn(pcpu),
        _ => Wanted::Vcpu(VcpuId(u16::try_from(rng.next() % 300).expect("small"))),
    }
}

#[test]
fn searches_find_what_a_plain_walk_finds() {
    for both in all() {
        let (rows, plain) = (&both.recording.trace().rows, &both.model.rows);
        let mut rng = SplitMix64::new(plain.len() as u64);
        for _ in 0..150 {
            let wanted = wanted(&mut rng);
            let from = usize::try_from(rng.next() % (plain.len() as u64 + 1)).expect("small");
            let next = (from..plain.len()).find(|place| matches(&both, *place, wanted));
            let previous = (0..from).rfind(|place| matches(&both, *place, wanted));
            assert_eq!(rows.next(from, wanted), next.map(id), "{} {wanted:?} {from}", both.name);
            assert_eq!(rows.previous(from, wanted), previous.map(id), "{} {wanted:?}", both.name);
            let ns = rng.next() % both.duration_ns;
            let all = (0..plain.len()).filter(|place| matches(&both, *place, wanted));
            let distance = |place: &usize| plain[*place].time.as_ns().abs_diff(ns);
            let closest = all.clone().map(|place| distance(&place)).min();
            let found = rows.nearest(ns, wanted).map(|found| distance(&(found.0 as usize)));
            assert_eq!(found, closest, "{} {wanted:?} {ns}", both.name);
        }
    }
}

/// Goal: the details of a record are those of the record that the run kept.
#[test]
fn replays_give_the_record_again() {
    for both in all() {
        let keyframes = both.recording.keyframes();
        let replayed = |place: usize, row: &Row| {
            let keyframe = keyframes.before(id(place));
            assert!(keyframe.records() as usize <= place);
            let again = replay(keyframe, id(place)).expect("it is made again");
            assert_eq!(again.row, *row, "{} {place}", both.name);
            assert_eq!(again.snapshot.time, row.time);
        };
        let rows = both.model.rows.iter().enumerate();
        let step = (both.model.rows.len() / 60).max(1);
        rows.step_by(step).for_each(|(place, row)| replayed(place, row));
        let last = both.model.rows.len() - 1;
        replayed(last, &both.model.rows[last]);
    }
}

/// Goal: the machine at a moment agrees with the lanes there.
#[test]
fn snapshots_agree_with_the_lanes() {
    for both in all() {
        let mut rng = SplitMix64::new(both.duration_ns ^ 1);
        for _ in 0..20 {
            let time = SimTime::from_ns(rng.next() % both.duration_ns);
            let snapshot = snapshot_at(both.recording.keyframes().at(time), time);
            for (lane, pcpu) in both.model.lanes.iter().zip(&snapshot.pcpus) {
                let last = |spans: &[(u64, Option<u64>)]| {
                    spans.iter().any(|(start, end)| {
                        *start <= time.as_ns() && end.is_none_or(|end| end > time.as_ns())
                    })
                };
                assert_eq!(pcpu.idler, last(&lane.idler), "{} {time:?}", both.name);
                assert_eq!(pcpu.tickled, last(&lane.tickled), "{} {time:?}", both.name);
                let running = lane.segments.iter().rfind(|(start, _)| *start <= time.as_ns());
                let (_, running) = *running.expect("lanes begin at 0");
                if !pcpu.switching {
                    let current = pcpu.current.map_or(u16::MAX, |entry| entry.vcpu.0);
                    assert_eq!(current, running, "{} {time:?}", both.name);
                }
            }
        }
    }
}
