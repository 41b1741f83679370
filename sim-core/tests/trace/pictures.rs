//! Pictures against a walk over everything.

use crate::model::LaneModel;
use crate::{Both, all};
use sim_core::ids::PcpuId;
use sim_core::rng::SplitMix64;
use sim_core::trace::{
    ArrowKind, Cell, IDLE, LanePicture, Mark, MarkKind, RunPicture, SWITCHING, Scale, Segment,
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
                assert_eq!(ours, theirs, "{}, {scale:?}", both.name);
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
    let width = u32::try_from(1 + rng.next() % 700).expect("small");
    let reached_ns = if rng.next().is_multiple_of(4) { from_ns + len / 2 } else { duration_ns };
    Scale { from_ns, to_ns: from_ns + len, width, reached_ns: reached_ns.min(duration_ns) }
}

/// What of the plain lists had happened when the picture was made.
fn picture(lane: &LaneModel, pcpu: PcpuId, scale: &Scale) -> LanePicture {
    let marks = MarkKind::ALL.iter().flat_map(|kind| marks(lane, *kind, scale));
    LanePicture {
        pcpu,
        run: run(lane, scale),
        idler: spans(&lane.idler, scale),
        tickled: spans(&lane.tickled, scale),
        marks: marks.collect(),
    }
}

fn run(lane: &LaneModel, scale: &Scale) -> RunPicture {
    let end = scale.to_ns.min(scale.reached_ns);
    let first = lane.segments.iter().rposition(|(start, _)| *start <= scale.from_ns).unwrap_or(0);
    let seen = lane.segments[first..].iter().filter(|(start, _)| *start < end);
    let seen: Vec<Segment> =
        seen.map(|(start_ns, vcpu)| Segment { start_ns: *start_ns, vcpu: *vcpu }).collect();
    if seen.len() <= scale.width as usize {
        return RunPicture::Segments(seen);
    }
    RunPicture::Cells((0..scale.width).map(|pixel| cell(lane, scale, pixel)).collect())
}

pub fn cell(lane: &LaneModel, scale: &Scale, pixel: u32) -> Cell {
    let (from, to) = (scale.pixel_ns(pixel), scale.pixel_ns(pixel + 1));
    let count = lane.segments.iter().filter(|(start, _)| (from..to).contains(start)).count();
    let to = to.max(from + 1);
    let end_of = |index: usize| lane.segments.get(index + 1).map_or(u64::MAX, |next| next.0);
    let (mut busy, mut longest) = (0u64, (0, IDLE));
    for (index, (start, vcpu)) in lane.segments.iter().enumerate() {
        let from = from.max(*start);
        let to = to.min(end_of(index)).min(scale.reached_ns);
        if *vcpu == IDLE || *vcpu == SWITCHING || to <= from {
            continue;
        }
        busy += to - from;
        if to - from > longest.0 {
            longest = (to - from, *vcpu);
        }
    }
    let share = (busy * 255 / (to - from)).max(u64::from(busy > 0));
    Cell {
        busy: u8::try_from(share).expect("a share"),
        vcpu: longest.1,
        count: u16::try_from(count).unwrap_or(u16::MAX),
    }
}

fn spans(plain: &[(u64, Option<u64>)], scale: &Scale) -> Vec<(u64, u64)> {
    let (from, to) = (scale.from_ns, scale.to_ns.min(scale.reached_ns));
    let mut spans: Vec<(u64, u64)> = Vec::new();
    let mut end_before = None;
    for (start, end) in plain {
        let end = end.unwrap_or(u64::MAX);
        if end <= from || *start >= to || from >= to {
            continue;
        }
        match spans.last_mut() {
            Some(last) if end_before.is_some_and(|e| start - e < scale.pixel_len_ns()) => {
                last.1 = end.min(to);
            }
            _ => spans.push(((*start).max(from), end.min(to))),
        }
        end_before = Some(end);
    }
    spans
}

fn marks(lane: &LaneModel, kind: MarkKind, scale: &Scale) -> Vec<Mark> {
    let pixel = |time: u64| (0..scale.width).rfind(|p| scale.pixel_ns(*p) <= time).expect("inside");
    let seen = lane
        .marks
        .iter()
        .filter(|(time, other, _)| *other == kind && (scale.from_ns..scale.to_ns).contains(time));
    let mut marks: Vec<(u32, Mark)> = Vec::new();
    for (time_ns, ..) in seen {
        let pixel = pixel(*time_ns);
        match marks.last_mut() {
            Some((last, mark)) if *last == pixel => mark.count += 1,
            _ => marks.push((pixel, Mark { time_ns: *time_ns, kind, count: 1 })),
        }
    }
    marks.into_iter().map(|(_, mark)| mark).collect()
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
