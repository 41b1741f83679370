//! Pictures while one zooms: nothing flickers, neighbours stay apart, places are exact to the ns.

use super::*;
use crate::protocol::{Belief, Cell, LaneTile, MarkKind, RunId, RunLane, Segment};
use crate::timeline::draw::DrawOp;
use crate::timeline::sample::{Sample, below, known, shape};
use crate::timeline::scale::{to_ns, to_px};
use std::rc::Rc;

/// Nothing but this segmentation on p0; p1 idles.
fn segmented(span: Span, segments: Vec<Segment>, dpr: f64) -> Sample {
    let mut sample = known();
    let tile = &mut sample.tile;
    (tile.span, tile.reached_ns, sample.dpr) = (span, span.to_ns, dpr);
    tile.arrows.clear();
    for lane in &mut tile.lanes {
        let idle = vec![Segment { start_ns: span.from_ns, vcpu: IDLE }];
        (lane.run, lane.marks) = (RunLane::Segments(idle), vec![]);
        (lane.idler, lane.tickled) = (Belief::Spans(vec![]), Belief::Spans(vec![]));
    }
    tile.lanes[0].run = RunLane::Segments(segments);
    sample
}

/// The bars of vCPU 0 on p0, from left to right.
fn bars(sample: &Sample, picture: &Picture) -> Vec<Area> {
    let (row, own) = (sample.layout.rows[0], sample.inks.fill(0));
    let of = |op: &DrawOp| match op {
        DrawOp::Rect { area, fill, .. } if *fill == own && area.y == row.bar.y => Some(*area),
        _ => None,
    };
    paint(picture).ops.iter().filter_map(of).collect()
}

/// All rows of colours of a picture, with where they stand.
fn colours(picture: &Picture) -> Vec<(Area, Rc<[u8]>)> {
    let of = |op: &DrawOp| match op {
        DrawOp::ImageRow { area, rgba } => Some((*area, rgba.clone())),
        _ => None,
    };
    paint(picture).ops.iter().filter_map(of).collect()
}

/// Cells of 2^20 ns from the `first`th of a seed's row on: what runs, both beliefs and all marks.
fn celled(first: usize, count: usize) -> Sample {
    let lane = |pcpu: u16| {
        let mut state = 77 + u64::from(pcpu);
        let mut byte = move || u8::try_from(below(&mut state, 256)).expect("a byte");
        let mut all = |of: &mut dyn FnMut(u8, u8)| (0..1_500).for_each(|_| of(byte(), byte()));
        let (mut cells, mut idler, mut wakes) = (vec![], vec![], vec![]);
        all(&mut |busy, vcpu| cells.push(Cell { busy, vcpu: u16::from(vcpu % 8), count: 3 }));
        all(&mut |share, other| {
            idler.push(share);
            wakes.push(u16::from(other % 2));
        });
        let part = first..first + count;
        LaneTile {
            pcpu,
            run: RunLane::Cells(cells[part.clone()].to_vec()),
            idler: Belief::Shares(idler[part.clone()].to_vec()),
            tickled: Belief::Shares(idler[part.clone()].iter().map(|share| 255 - share).collect()),
            marks: vec![],
            counts: vec![(MarkKind::Wake, wakes[part.clone()].to_vec())],
        }
    };
    let at = |cell: usize| u64::try_from(cell).expect("few") << 20;
    let span = Span { from_ns: at(first), to_ns: at(first + count) };
    let tile = Tile {
        run: RunId(1),
        span,
        shift: 20,
        first: 0,
        lanes: (0..4).map(lane).collect(),
        arrows: vec![],
        reached_ns: span.to_ns,
    };
    Sample::new(shape(4, 8, false), tile, 700.0, 1.0)
}

/// Goal: no shimmer: zooming by a hair changes no column by more than what comes in at its edges.
/// Method: a whole picture of cells, beliefs and marks, zoomed by steps that move the edge by a
/// sixteenth of a pixel at most, so that a column changes by an eighth at most.
#[test]
fn columns_keep_their_colours_while_one_zooms() {
    let sample = celled(0, 1_500);
    let mut view = Span { from_ns: 300 << 20, to_ns: 1_200 << 20 };
    let mut before = colours(&sample.picture(view));
    assert!(before.len() >= 4 * 4, "all rows are of colours: {}", before.len());
    for step in 0..300 {
        let scale = sample.layout.scale(view);
        view = scale.zoomed(scale.left + scale.width * 0.37, 1.0 - 0.09 / scale.width, 2_000 << 20);
        let now = colours(&sample.picture(view));
        assert_eq!(now.len(), before.len());
        for ((area, old), (same, new)) in before.iter().zip(&now) {
            assert_eq!(area, same);
            for (at, (old, new)) in old.iter().zip(new.iter()).enumerate() {
                let column = at / 4;
                assert!(old.abs_diff(*new) <= 33, "step {step}, column {column}: {old} to {new}");
            }
        }
        before = now;
    }
    assert!(view.to_ns - view.from_ns < 880 << 20, "it was zoomed: {view:?}");
}

/// Goal: the next tile of the same grid changes no colour of what both know.
#[test]
fn another_tile_of_the_grid_is_the_same() {
    let view = Span { from_ns: (400 << 20) + 12_345, to_ns: (1_000 << 20) + 777 };
    let (one, other) = (celled(0, 1_408), celled(320, 1_088));
    assert_eq!(colours(&one.picture(view)), colours(&other.picture(view)));
}

/// Goal: two stretches of the same guest, one after the other, are told apart by a gap from 3 px
/// on, on every screen. Method: rows of equal segments whose borders fall anywhere in a pixel.
#[test]
fn equal_neighbours_have_a_gap() {
    for dpr in [1.0, 1.25, 1.5, 2.0, 3.0] {
        for width in [3.0, 3.3, 3.5, 3.9, 4.1, 7.7, 23.4] {
            let span = Span { from_ns: 7_000_000, to_ns: 8_000_000 };
            let per_px = known().layout.scale(span).ns_per_px();
            let starts = (0..40u32).map(|at| span.from_ns + to_ns(f64::from(at) * width * per_px));
            let starts = starts.filter(|start_ns| *start_ns < span.to_ns);
            let all: Vec<_> = starts.map(|start_ns| Segment { start_ns, vcpu: 0 }).collect();
            let count = all.len();
            let sample = segmented(span, all, dpr);
            let bars = bars(&sample, &sample.picture(span));
            assert_eq!(bars.len(), count);
            for pair in bars.windows(2) {
                let gap = pair[1].x - pair[0].right();
                let drawn = gap >= 1.0 / dpr - 1e-6 && gap <= 1.0 + 1e-6;
                assert!(drawn, "{width} px wide at {dpr}: {gap} px");
                assert!(pair[0].w >= 1.0 / dpr, "{width} px at {dpr}: nothing is left of the bar");
            }
        }
    }
}

/// Goal: the same on a row with so many segments that it is drawn as one row of colours.
#[test]
fn equal_neighbours_have_a_gap_on_crowded_rows() {
    for dpr in [1.0, 2.0] {
        let span = Span { from_ns: 0, to_ns: 1_000_000 };
        let scale = known().layout.scale(span);
        let many = (0..600u16).map(|at| Segment { start_ns: 300 * u64::from(at), vcpu: at % 2 });
        let wide = |at: u32| Segment {
            start_ns: 300_000 + to_ns(f64::from(at) * 3.4 * scale.ns_per_px()),
            vcpu: 0,
        };
        let all: Vec<_> = many.chain((0..60).map(wide)).collect();
        let borders: Vec<_> = all[601..].iter().map(|one| scale.x_of(one.start_ns)).collect();
        let sample = segmented(span, all, dpr);
        let rows = colours(&sample.picture(span));
        let (_, rgba) = rows
            .iter()
            .find(|(area, _)| area.y == sample.layout.rows[0].bar.y)
            .expect("the row is one of colours");
        let idle = sample.inks.palette.idle.rgb;
        let idle_at = |at: usize| rgba[at * 4..at * 4 + 3] == idle;
        let borders = borders.iter().map(|x| to_ns(((x - scale.left) * dpr).round()));
        for border in borders.map(|column| usize::try_from(column).expect("a column")) {
            let around: Vec<bool> = (border - 2..=border + 1).map(idle_at).collect();
            assert_eq!(around, [false, true, false, false], "at column {border}, {dpr}");
        }
    }
}

/// Goal: at 1 ns to a pixel each bar begins at its own pixel, hours into a run as well.
#[test]
fn places_are_exact_at_one_ns_a_pixel() {
    let width = to_ns(known().layout.plot.w);
    assert!((to_px(width.into()) - known().layout.plot.w).abs() < 1e-9, "whole pixels");
    for from_ns in [0, 1 << 33, 3_600_000_000_123, (1 << 52) + 1] {
        let span = Span { from_ns, to_ns: from_ns + width };
        let at = |n: u64| Segment {
            start_ns: from_ns + n * (n + 5) / 2,
            vcpu: if n.is_multiple_of(2) { 0 } else { IDLE },
        };
        let all: Vec<_> = (0..30).map(at).filter(|one| one.start_ns < span.to_ns).collect();
        let starts: Vec<u64> =
            all.iter().filter(|one| one.vcpu == 0).map(|one| one.start_ns - from_ns).collect();
        let sample = segmented(span, all, 1.0);
        let bars = bars(&sample, &sample.picture(span));
        assert!(bars.len() > 10 && bars.len() == starts.len(), "{}", bars.len());
        for (bar, start) in bars.iter().zip(starts) {
            let off = bar.x - bars[0].x - to_px(start.into());
            assert!(off.abs() < 1e-6, "{start} ns after {from_ns} is {off} px off");
        }
    }
}

/// Goal: every ns is under its own pixels, at one ns to a pixel and closer, wherever in a run.
#[test]
fn every_ns_is_under_its_own_pixels() {
    for from_ns in [0, 1 << 33, 3_600_000_000_123, (1 << 52) + 1] {
        for len in [200, 333, 500] {
            let span = Span { from_ns, to_ns: from_ns + len };
            let scale = known().layout.scale(span);
            let ns_px = scale.width / to_px(len.into());
            for ns in from_ns..span.to_ns {
                for part in [0.0, 0.3, 0.5, 0.9] {
                    let under = scale.ns_under(scale.x_of(ns) + part * ns_px);
                    assert_eq!(under, ns, "{part} of its width, {len} ns from {from_ns}");
                }
            }
        }
    }
}
