//! Levels over time as shapes: stepped lines, and the lowest and highest of each column of pixels.
//!
//! Must not sample: a column tells about all that it hides.

use super::draw::Point;
use super::scale::{Scale, count_px};
use crate::protocol::{LevelCell, LevelLine, LevelPicture, Span};

/// The part of the view that a picture tells about; none if it tells nothing of it.
fn known(picture: &LevelPicture, view: Span) -> Option<Span> {
    let from_ns = picture.span.from_ns.max(view.from_ns);
    let to_ns = picture.until_ns.min(view.to_ns);
    (from_ns < to_ns).then_some(Span { from_ns, to_ns })
}

/// The value before a stretch, and the cells in it.
fn within(line: &LevelLine, known: Span) -> (i32, &[LevelCell]) {
    let first = line.cells.partition_point(|cell| cell.last_ns < known.from_ns);
    let end = line.cells.partition_point(|cell| cell.last_ns < known.to_ns);
    let before = first.checked_sub(1).map_or(line.start, |at| line.cells[at].last);
    (before, &line.cells[first..end])
}

/// The corners of a stepped line, from its first known moment in view to its last; `y` says how
/// high a value lies, in px.
#[must_use]
pub fn corners(
    picture: &LevelPicture,
    line: &LevelLine,
    scale: &Scale,
    y: impl Fn(i32) -> f64,
) -> Vec<Point> {
    let Some(known) = known(picture, scale.span) else { return Vec::new() };
    let (mut value, cells) = within(line, known);
    let at = |time_ns: u64, value: i32| Point { x: scale.x_of(time_ns), y: y(value) };
    let mut points = vec![at(known.from_ns, value)];
    for cell in cells {
        points.push(at(cell.last_ns, value));
        if cell.changes > 1 {
            points.extend([at(cell.last_ns, cell.least), at(cell.last_ns, cell.most)]);
        }
        points.push(at(cell.last_ns, cell.last));
        value = cell.last;
    }
    points.push(at(known.to_ns, value));
    points
}

/// The lowest and the highest value in each column of a view; none where nothing is known.
#[must_use]
pub fn columns(
    picture: &LevelPicture,
    line: &LevelLine,
    scale: &Scale,
    count: usize,
) -> Vec<Option<(i32, i32)>> {
    let mut columns = vec![None; count];
    let Some(known) = known(picture, scale.span) else { return columns };
    let (mut value, cells) = within(line, known);
    // In whole numbers: a moment on the border of two columns belongs to the later one.
    let place = |time_ns: u64| {
        let behind = u128::from(time_ns.saturating_sub(scale.span.from_ns));
        let column = behind * count as u128 / u128::from(scale.len_ns());
        usize::try_from(column).unwrap_or(usize::MAX).min(count.saturating_sub(1))
    };
    let mut take = |from: usize, to: usize, (least, most): (i32, i32)| {
        for column in &mut columns[from..=to] {
            let (low, high) = column.unwrap_or((least, most));
            *column = Some((low.min(least), high.max(most)));
        }
    };
    let mut from = place(known.from_ns);
    for cell in cells {
        let at = place(cell.last_ns);
        take(from, at, (value, value));
        take(at, at, (cell.least, cell.most));
        (from, value) = (at, cell.last);
    }
    take(from, place(known.to_ns - 1).max(from), (value, value));
    columns
}

/// The outline of what is filled from `base` up to a height per column, run by run; none is a gap.
#[must_use]
pub fn outlines(heights: &[Option<f64>], left: f64, width: f64, base: f64) -> Vec<Vec<Point>> {
    let column = width / count_px(heights.len().max(1));
    let x = |at: usize| left + count_px(at) * column;
    let mut outlines = Vec::new();
    let mut at = 0;
    for run in heights.chunk_by(|a, b| a.is_some() == b.is_some()) {
        let start = at;
        at += run.len();
        if run[0].is_none() {
            continue;
        }
        let mut points = vec![Point { x: x(start), y: base }];
        let mut from = start;
        for same in run.chunk_by(|a, b| a == b) {
            let y = base - same[0].unwrap_or(0.0);
            let to = from + same.len();
            points.extend([Point { x: x(from), y }, Point { x: x(to), y }]);
            from = to;
        }
        points.push(Point { x: x(at), y: base });
        outlines.push(points);
    }
    outlines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Level, RunId};
    use crate::timeline::sample::below;

    fn picture(cells: Vec<LevelCell>) -> LevelPicture {
        LevelPicture {
            run: RunId(1),
            ask: 1,
            span: Span { from_ns: 0, to_ns: 40_000 },
            shift: 6,
            until_ns: 40_000,
            goes_on: false,
            lines: vec![LevelLine { level: Level::Told, start: 0, cells, accounted: 0 }],
            accounts_ns: vec![],
        }
    }

    fn cell(last_ns: u64, changes: u32, (least, most, last): (i32, i32, i32)) -> LevelCell {
        LevelCell { last_ns, changes, least, most, last }
    }

    /// Goal: a line is stepped, holds the extremes of each cell, and stays in view.
    #[test]
    fn lines_are_stepped_and_hold_the_extremes() {
        let cells = vec![cell(10_000, 1, (-100, -100, -100)), cell(30_000, 2, (-300, 75, 75))];
        let picture = picture(cells);
        let of = |from_ns, to_ns| {
            let scale = Scale { span: Span { from_ns, to_ns }, left: 0.0, width: 400.0 };
            let corners = corners(&picture, &picture.lines[0], &scale, f64::from);
            corners.into_iter().map(|at| (at.x.round(), at.y)).collect::<Vec<_>>()
        };
        let whole = [
            (0.0, 0.0),
            (100.0, 0.0),
            (100.0, -100.0),
            (300.0, -100.0),
            (300.0, -300.0),
            (300.0, 75.0),
            (300.0, 75.0),
            (400.0, 75.0),
        ];
        assert_eq!(of(0, 40_000), whole);
        assert_eq!(of(15_000, 20_000), [(0.0, -100.0), (400.0, -100.0)]);
        assert_eq!(of(50_000, 60_000), []);
    }

    /// Goal: each column holds exactly the values that were there. Method: seeded levels, every ns
    /// looked at.
    #[test]
    fn columns_hold_every_value() {
        for seed in 0..60u64 {
            let mut state = seed;
            let mut values = vec![0i32; 4_000];
            let (mut cells, mut value): (Vec<LevelCell>, i32) = (vec![], 0);
            for time_ns in 0..4_000u64 {
                if below(&mut state, 90) == 0 {
                    let new = i32::try_from(below(&mut state, 9)).expect("small");
                    if new != value {
                        value = new;
                        cells.push(cell(time_ns, 1, (new, new, new)));
                    }
                }
                values[usize::try_from(time_ns).expect("small")] = value;
            }
            let mut picture = picture(cells);
            picture.until_ns = 3_600;
            // Columns of whole ns, so that one can count.
            let from_ns = below(&mut state, 1_000);
            let span = Span { from_ns, to_ns: from_ns + 3_000 };
            let scale = Scale { span, left: 50.0, width: 300.0 };
            let columns = columns(&picture, &picture.lines[0], &scale, 300);
            for (at, column) in columns.iter().enumerate() {
                let start = usize::try_from(from_ns).expect("small") + at * 10;
                let end = (start + 10).min(3_600);
                if start >= end {
                    assert_eq!(*column, None, "seed {seed}, column {at}");
                    continue;
                }
                // What held up to the column's first ns may be seen in it.
                let seen = &values[start.saturating_sub(1)..end];
                let inside = &values[start..end];
                let (least, most) = column.expect("known");
                let bounds =
                    |of: &[i32]| (*of.iter().min().expect("some"), *of.iter().max().expect("some"));
                let (low, high) = bounds(inside);
                assert!(least <= low && high <= most, "seed {seed}, column {at}: a value is lost");
                let (low, high) = bounds(seen);
                assert!(low <= least && most <= high, "seed {seed}, column {at}: more than was");
            }
        }
    }

    /// Goal: outlines begin and end at the base, and leave out what is not known.
    #[test]
    fn outlines_leave_gaps() {
        let some = |height: f64| Some(height);
        let of = [some(2.0), some(2.0), None, some(5.0), some(0.0)];
        let outlines = outlines(&of, 10.0, 5.0, 20.0);
        let flat = |points: &Vec<Point>| points.iter().map(|at| (at.x, at.y)).collect::<Vec<_>>();
        let first = [(10.0, 20.0), (10.0, 18.0), (12.0, 18.0), (12.0, 20.0)];
        assert_eq!(flat(&outlines[0]), first);
        assert_eq!(outlines.len(), 2);
        assert_eq!(outlines[1].last().map(|at| (at.x, at.y)), Some((15.0, 20.0)));
    }
}
