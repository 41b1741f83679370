//! Pictures of known and of crowded tiles.

use super::*;
use crate::protocol::{Arrow, Overview, RunId, RunLane};
use crate::timeline::draw::{DrawOp, Point};
use crate::timeline::sample::{Sample, crowded, known, known_record, nearby};

/// Goal: the picture of a known tile is drawn as it always was, to the last line. Method: the
/// draw list as text against a file; the file changes only with the look.
#[test]
fn a_known_tile_gives_the_known_picture() {
    let mut sample = known();
    sample.lit = vec![7];
    sample.selected = Some(known_record());
    let span = sample.tile.span;
    let mut picture = sample.picture(span);
    picture.cursor_ns = 10_400_000;
    picture.range = Some(Span { from_ns: 10_700_000, to_ns: 10_900_000 });
    let list = paint(&picture).to_string();
    let golden = include_str!("known_tile.txt");
    assert!(list == golden, "the picture is now:\n{list}");
}

/// Every rectangle's edges, every point and every text's anchor of a list.
fn extents(op: &DrawOp) -> Vec<Point> {
    let corners = |area: &Area| {
        vec![Point { x: area.x, y: area.y }, Point { x: area.right(), y: area.bottom() }]
    };
    match op {
        DrawOp::Rect { area, .. } | DrawOp::ImageRow { area, .. } => corners(area),
        DrawOp::Line { ends, .. } => ends.to_vec(),
        DrawOp::Arrow { points, .. } => points.to_vec(),
        DrawOp::Path { points, .. } => points.to_vec(),
        DrawOp::Glyph { at, .. } | DrawOp::Text { at, .. } => vec![*at],
    }
}

fn check_bounds(list: &DrawList, about: &str) {
    for op in &list.ops {
        for point in extents(op) {
            let inside = (-0.01..=list.width + 0.01).contains(&point.x)
                && (-0.01..=list.height + 0.01).contains(&point.y);
            assert!(inside, "{about}: {point} is outside of the picture: {op}");
        }
    }
}

/// Goal: nothing is drawn outside of the picture, and never more than a canvas draws in a frame,
/// whatever the tile holds and wherever it is laid. Method: 40 seeds, each laid over its own
/// span and over one nearby.
#[test]
fn no_tile_is_drawn_outside_or_too_much() {
    let mut most = 0;
    for seed in 0..40 {
        let sample = crowded(seed);
        let mut state = seed;
        for span in [sample.tile.span, nearby(&mut state, sample.tile.span)] {
            let list = paint(&sample.picture(span));
            check_bounds(&list, &format!("seed {seed}"));
            assert!(list.ops.len() <= 2_000, "seed {seed}: {} things", list.ops.len());
            most = most.max(list.ops.len());
        }
    }
    assert!(most > 500, "the seeds hold crowded tiles: at most {most} things");
}

/// Goal: all that a row does is drawn: where bars are, they cover what the row's segments cover,
/// to the pixel.
#[test]
fn bars_cover_what_ran() {
    let sample = known();
    let list = paint(&sample.picture(sample.tile.span));
    let row = sample.layout.rows[0];
    let guest = sample.inks.fill(2);
    let bars = list.ops.iter().filter_map(|op| match op {
        DrawOp::Rect { area, fill, .. } if *fill == guest && area.y == row.bar.y => Some(*area),
        _ => None,
    });
    let [bar] = bars.collect::<Vec<_>>()[..] else { panic!("d2v0 runs once") };
    let scale = sample.layout.scale(sample.tile.span);
    assert!((bar.x - scale.x_of(10_410_000)).abs() <= 0.5, "{bar}");
    assert!((bar.right() - scale.x_of(10_700_000)).abs() <= 1.5, "{bar}");
}

/// Goal: what is too short to draw still leaves a mark: a segment of 1 ns and a bit set for 1 ns
/// are at least a pixel wide.
#[test]
fn what_is_too_short_still_leaves_a_mark() {
    let mut sample = known();
    let lane = &mut sample.tile.lanes[1];
    let RunLane::Segments(segments) = &mut lane.run else { panic!("known") };
    segments.truncate(1);
    let segment = |start_ns, vcpu| crate::protocol::Segment { start_ns, vcpu };
    segments.extend([segment(10_600_000, 3), segment(10_600_001, IDLE)]);
    let list = paint(&sample.picture(sample.tile.span));
    let widths = |fill: Fill| {
        let of = list.ops.iter().filter_map(move |op| match op {
            DrawOp::Rect { area, fill: of, .. } if of.ground == fill.ground => Some(area.w),
            _ => None,
        });
        of.collect::<Vec<f64>>()
    };
    assert_eq!(widths(sample.inks.fill(3)), [1.0]);
    assert_eq!(widths(Fill::plain(sample.inks.palette.told)), [2.0]);
}

/// Goal: names stand where there is room for them, and only there.
#[test]
fn names_stand_where_there_is_room() {
    let sample = known();
    let texts = |span| {
        let list = paint(&sample.picture(span));
        let text = |op: &DrawOp| match op {
            DrawOp::Text { text, .. } if text.starts_with('d') => Some(text.clone()),
            _ => None,
        };
        list.ops.iter().filter_map(text).collect::<Vec<_>>()
    };
    assert_eq!(texts(sample.tile.span), ["d1v0", "d2v0", "d1v1"]);
    let far = Span { from_ns: 0, to_ns: 40_000_000 };
    assert!(texts(far).is_empty(), "{:?}", texts(far));
}

/// Goal: the rest of the run that is not simulated yet is shown as such.
#[test]
fn the_rest_is_shown_as_such() {
    let mut sample = known();
    sample.tile.reached_ns = 10_430_000;
    let list = paint(&sample.picture(sample.tile.span)).to_string();
    assert!(list.contains("still to come"), "{list}");
    assert!(!list.contains("d2v0"), "d2v0 has only just begun: {list}");
}

/// Goal: an arrow of the selected record is in the one colour to look at; others are not.
#[test]
fn the_selected_arrow_is_lit() {
    let mut sample = known();
    let hot = sample.inks.palette.hot;
    let pens = |sample: &Sample| {
        let list = paint(&sample.picture(sample.tile.span));
        let pen = |op: &DrawOp| match op {
            DrawOp::Arrow { pen, .. } => Some(pen.colour),
            _ => None,
        };
        list.ops.iter().filter_map(pen).collect::<Vec<_>>()
    };
    assert_ne!(pens(&sample)[0].rgb, hot.rgb);
    sample.lit = vec![7];
    sample.selected = Some(known_record());
    assert_eq!(pens(&sample), [hot]);
}

/// Goal: arrows to rows that are scrolled away end at the picture's edge.
#[test]
fn arrows_to_hidden_rows_end_at_the_edge() {
    let sample = known();
    let arrow = Arrow { from: 1, to: 40, ..sample.tile.arrows[0] };
    let scale = sample.layout.scale(sample.tile.span);
    let [.., end] = curve(&sample.layout, &scale, &arrow).expect("it leaves a row that is shown");
    assert!((end.y - sample.layout.plot.bottom()).abs() < 0.01, "{end}");
}

/// Goal: the overview shows all of the run and frames what is in view.
#[test]
fn the_overview_frames_what_is_in_view() {
    let sample = known();
    let whole = Span { from_ns: 0, to_ns: 20_000_000 };
    let cell = crate::protocol::Cell { busy: 255, vcpu: 0, count: 1 };
    let overview = Overview {
        run: RunId(1),
        span: whole,
        shift: 15,
        reached_ns: 15_000_000,
        lanes: vec![vec![cell; 611]; 2],
    };
    let scale = sample.layout.scale(whole);
    let picture = OverviewPicture {
        inks: &sample.inks,
        scale,
        size: (550.0, overview_height(2)),
        rows: &overview_rows(&overview, &scale, &sample.inks, 1.0),
        reached_ns: overview.reached_ns,
        brush: sample.tile.span,
        cursor_ns: 10_400_000,
        parting_ns: None,
    };
    let list = paint_overview(&picture);
    check_bounds(&list, "overview");
    let brush = list.ops.iter().find_map(|op| match op {
        DrawOp::Rect { area, radius, .. } if *radius > 0.0 => Some(*area),
        _ => None,
    });
    let brush = brush.expect("there is a brush");
    assert!((brush.x - scale.x_of(10_000_000)).abs() < 0.01, "{brush}");
    assert!((brush.right() - scale.x_of(11_000_000)).abs() < 0.01, "{brush}");
}

/// Goal: the cursor's line does not strike a name through if the bar has room beside it.
#[test]
fn names_stand_clear_of_the_cursor() {
    let sample = known();
    let mut picture = sample.picture(sample.tile.span);
    let scale = sample.layout.scale(picture.span);
    picture.cursor_ns = 10_210_000;
    let list = paint(&picture);
    let name = list.ops.iter().find_map(|op| match op {
        DrawOp::Text { text, at, .. } if text == "d1v0" => Some(at.x),
        _ => None,
    });
    let away = (name.expect("there is room") - scale.x_of(picture.cursor_ns)).abs();
    assert!(away > 2.0 * sample.inks.sizes.letter, "{away}");
}
