//! Pictures against a walk over everything.

use crate::model::LaneModel;
use crate::{Both, all};
use sim_core::ids::PcpuId;
use sim_core::rng::SplitMix64;
use sim_core::trace::{
    ArrowKind, BeliefPicture, Cell, IDLE, LanePicture, Mark, MarkKind, RunPicture, SWITCHING,
    Scale, Segment,
};

/// Random pictures of each run: all of it, pieces, pieces beyond its end, tiny pieces.
const PICTURES: u64 = 12;

#[test]
fn pictures_agree_with_a_plain_walk() {
    for both in all() {
        let mut rng = SplitMix64::new(both.duration_ns);
        for _ in 0..PICTURES {
            let scale = scale(&mut rng, both.duration_ns);
            for (pcpu, lane) in (0u16..).map(PcpuId).zip(&both.model.lanes) {
                let ours = both.recording.trace().lane_picture(pcpu, &scale);
                let theirs = picture(lane, pcpu, &scale);
                assert!(ours == theirs, "{}, {pcpu:?}, {scale:?}", both.name);
            }
            check_arrows(&both, &scale);
        }
    }
}

fn scale(rng: &mut SplitMix64, duration_ns: u64) -> Scale {
    let from_ns = rng.next() % duration_ns;
    let (from_ns, len) = match rng.next() % 4 {
        0 => (0, duration_ns),
        1 => (from_ns, 1 + rng.next() % duration_ns),
        2 => (from_ns, 1 + rng.next() % 2_000_000),
        _ => (from_ns, 1 + rng.next() % 300),
    };
    // Up to about 700 cells.
    let shift = (len / (1 + rng.next() % 700)).max(1).ilog2();
    let reached_ns = if rng.next().is_multiple_of(4) { from_ns + len / 2 } else { duration_ns };
    Scale { from_ns, to_ns: from_ns + len, shift, reached_ns: reached_ns.min(duration_ns) }
}

/// Start and end of each cell, as far as it is shown and known.
pub fn cells(scale: &Scale) -> Vec<(u64, u64)> {
    let size = 1 << scale.shift;
    let end = scale.to_ns.min(scale.reached_ns).max(scale.from_ns);
    let starts = (scale.from_ns / size..).map(|cell| cell * size);
    let starts = starts.take_while(|start| *start < scale.to_ns);
    starts.map(|start| (start.max(scale.from_ns).min(end), (start + size).min(end))).collect()
}

/// What of the plain lists had happened when the picture was made.
fn picture(lane: &LaneModel, pcpu: PcpuId, scale: &Scale) -> LanePicture {
    let mut picture = LanePicture {
        pcpu,
        run: run(lane, scale),
        idler: belief(&lane.idler, scale),
        tickled: belief(&lane.tickled, scale),
        marks: Vec::new(),
        counts: Vec::new(),
    };
    for kind in MarkKind::ALL {
        marks(lane, kind, scale, &mut picture);
    }
    picture
}

fn run(lane: &LaneModel, scale: &Scale) -> RunPicture {
    let end = scale.to_ns.min(scale.reached_ns);
    let first = lane.segments.iter().rposition(|(start, _)| *start <= scale.from_ns).unwrap_or(0);
    let seen = lane.segments[first..].iter().filter(|(start, _)| *start < end);
    let seen: Vec<Segment> =
        seen.map(|(start_ns, vcpu)| Segment { start_ns: *start_ns, vcpu: *vcpu }).collect();
    if seen.len() <= cells(scale).len() {
        return RunPicture::Segments(seen);
    }
    RunPicture::Cells(cells(scale).into_iter().map(|part| cell(lane, part)).collect())
}

pub fn cell(lane: &LaneModel, (from, to): (u64, u64)) -> Cell {
    let count = lane.segments.iter().filter(|(start, _)| (from..to).contains(start)).count();
    let end_of = |index: usize| lane.segments.get(index + 1).map_or(u64::MAX, |next| next.0);
    let (mut busy, mut longest) = (0u64, (0, IDLE));
    for (index, (start, vcpu)) in lane.segments.iter().enumerate() {
        let from = from.max(*start);
        let to = to.min(end_of(index));
        if *vcpu == IDLE || *vcpu == SWITCHING || to <= from {
            continue;
        }
        busy += to - from;
        if to - from > longest.0 {
            longest = (to - from, *vcpu);
        }
    }
    let count = u16::try_from(count).unwrap_or(u16::MAX);
    Cell { busy: share(busy, to - from), vcpu: longest.1, count }
}

fn share(part: u64, of: u64) -> u8 {
    let share = (part * 255).checked_div(of).unwrap_or(0).max(u64::from(part > 0));
    u8::try_from(share).expect("a share")
}

fn belief(plain: &[(u64, Option<u64>)], scale: &Scale) -> BeliefPicture {
    let within = |from: u64, to: u64| {
        let spans = plain.iter().map(|(start, end)| (*start, end.unwrap_or(u64::MAX)));
        let seen = spans.filter(move |(start, end)| *end > from && *start < to);
        seen.map(move |(start, end)| (start.max(from), end.min(to))).collect::<Vec<_>>()
    };
    let spans = within(scale.from_ns, scale.to_ns.min(scale.reached_ns).max(scale.from_ns));
    if spans.len() <= cells(scale).len() {
        return BeliefPicture::Spans(spans);
    }
    let held = |(from, to)| within(from, to).iter().map(|(start, end)| end - start).sum();
    let shares = cells(scale).into_iter().map(|cell| share(held(cell), cell.1 - cell.0));
    BeliefPicture::Shares(shares.collect())
}

/// Goal: no wake-up, tickle, kick, steal, move or accounting is lost, however many a cell hides.
fn marks(lane: &LaneModel, kind: MarkKind, scale: &Scale, picture: &mut LanePicture) {
    let times: Vec<u64> =
        lane.marks.iter().filter(|mark| mark.1 == kind).map(|mark| mark.0).collect();
    let within = |(from, to): (u64, u64)| {
        times.iter().copied().filter(move |time| (from..to).contains(time))
    };
    let cells = cells(scale);
    let end = scale.to_ns.min(scale.reached_ns);
    if within((scale.from_ns, end)).count() > cells.len() / 4 {
        let counts = cells.iter().map(|cell| within(*cell).count());
        let counts = counts.map(|count| u16::try_from(count).unwrap_or(u16::MAX));
        picture.counts.push((kind, counts.collect()));
        return;
    }
    for cell in cells {
        let count = u32::try_from(within(cell).count()).expect("small");
        picture.marks.extend(within(cell).next().map(|time_ns| Mark { time_ns, kind, count }));
    }
}

/// Goal: a picture does not change while it is moved or zoomed: a cell is the same in every
/// picture of its fineness, and has the mean of the two that it is made of. Method: random
/// pictures of a run's lanes, each a second time moved on, and once more half as fine.
#[test]
fn cells_are_the_same_in_every_picture() {
    let mut compared = 0;
    for both in all() {
        let mut rng = SplitMix64::new(both.duration_ns ^ 5);
        for _ in 0..PICTURES {
            let shift = 8 + u32::try_from(rng.next() % 10).expect("small");
            let size = 1u64 << shift;
            let cells = 200.min(both.duration_ns / size / 2 * 2);
            let first = rng.next() % (both.duration_ns / size - cells + 1) / 2 * 2;
            let moved = rng.next() % (cells.max(2) / 2);
            let scale = |first: u64, cells: u64, shift: u32| Scale {
                from_ns: first << shift,
                to_ns: (first + cells) << shift,
                shift,
                reached_ns: both.duration_ns,
            };
            for lane in both.recording.trace().lanes() {
                let here = lane.run.cells(&scale(first, cells, shift));
                let there = lane.run.cells(&scale(first + moved, cells - moved, shift));
                let from = usize::try_from(moved).expect("small");
                assert_eq!(here[from..], there[..], "{} at {shift}", both.name);
                let coarse = lane.run.cells(&scale(first / 2, cells / 2, shift + 1));
                for (pair, cell) in here.chunks_exact(2).zip(coarse) {
                    let mean = (u16::from(pair[0].busy) + u16::from(pair[1].busy)) / 2;
                    assert!(mean.abs_diff(cell.busy.into()) <= 1, "{pair:?} became {cell:?}");
                    assert_eq!(pair[0].count + pair[1].count, cell.count);
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 10_000, "{compared} cells were compared");
}

/// Every mark of a tickle, steal or move that can be seen has its arrow, and nothing else has.
fn check_arrows(both: &Both, scale: &Scale) {
    let lanes = 1..3;
    let arrows = both.recording.trace().arrows(lanes.clone(), scale, usize::MAX / 8);
    let kind_of = |kind| match kind {
        MarkKind::Tickled => Some(ArrowKind::Tickle),
        MarkKind::Steal => Some(ArrowKind::Steal),
        MarkKind::Migrate => Some(ArrowKind::Migrate),
        _ => None,
    };
    let mut expected = Vec::new();
    for (lane, model) in (0u16..).zip(&both.model.lanes) {
        for (time, kind, id) in &model.marks {
            let Some(arrow) = kind_of(*kind) else { continue };
            let row = both.model.rows[id.0 as usize];
            let (from, to) = match arrow {
                ArrowKind::Tickle => (row.pcpu.0, lane),
                ArrowKind::Steal => (row.arg, lane),
                ArrowKind::Migrate => (lane, row.arg),
            };
            let seen = lanes.contains(&from) || lanes.contains(&to);
            if seen && (scale.from_ns..scale.to_ns).contains(time) {
                expected.push((id.0, to, arrow));
            }
        }
    }
    expected.sort_unstable();
    let begun = arrows.iter().filter(|arrow| arrow.start_ns >= scale.from_ns);
    let ours: Vec<_> = begun.map(|arrow| (arrow.record.0, arrow.to.0, arrow.kind)).collect();
    assert_eq!(ours, expected, "{}, {scale:?}", both.name);
    assert!(arrows.iter().all(|arrow| arrow.end_ns >= scale.from_ns));
}
