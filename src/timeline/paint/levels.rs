//! Lanes below the rows: counts as filled steps, dark up to the lowest of each pixel and light up
//! to the highest; credits as stepped lines.

use super::raster::column_count;
use super::{Align, DrawList, Picture};
use crate::protocol::{Level, LevelLine, LevelPicture, Side};
use crate::timeline::below::{LaneBox, at, bounds, fits, names};
use crate::timeline::draw::{Area, DrawOp, Pen, Point};
use crate::timeline::ruler::ticks;
use crate::timeline::scale::count_px;
use crate::timeline::shape::MachineShape;
use crate::timeline::steps::{columns, corners, outlines};
use crate::timeline::theme::{Colour, Fill};

/// A count that is not 0 is seen, in px.
const LEAST: f64 = 2.0;
/// What is left of a colour between the lowest and the highest of a pixel, in 255ths.
const LIGHT: u8 = 110;

/// What the lanes show.
#[derive(Clone, Copy, Debug)]
pub struct Below<'a> {
    /// The machine, for names.
    pub shape: &'a MachineShape,
    /// The levels; may be of another stretch of time, and are then laid where they belong.
    pub levels: Option<&'a LevelPicture>,
    /// Of which run, if there are two.
    pub side: Option<Side>,
}

/// Draws the lanes below the rows of a picture.
pub fn paint_below(picture: &Picture, below: &Below, list: &mut DrawList) {
    if picture.layout.below.is_empty() {
        return;
    }
    list.height = picture.layout.height;
    for lane in &picture.layout.below {
        ground(picture, lane, list);
        caption(picture, below, lane, list);
        let Some(levels) = below.levels else { continue };
        match lane.levels[..] {
            [Level::Credit(_), ..] => credits(picture, levels, lane, list),
            [level] => {
                if let Some(line) = levels.line(level) {
                    count(picture, (levels, line), lane, list);
                }
            }
            _ => {}
        }
    }
    cursor(picture, list);
}

fn ground(picture: &Picture, lane: &LaneBox, list: &mut DrawList) {
    let (inks, body) = (picture.inks, lane.body);
    list.rect(body, inks.palette.idle.with_alpha(90));
    for tick in ticks(&picture.scale(), inks.sizes.letter) {
        let x = picture.snap(tick.x.min(body.right() - 1.0));
        let ends = (Point { x, y: body.y }, Point { x, y: body.bottom() });
        list.line(ends.0, ends.1, Pen::solid(1.0, inks.palette.line));
    }
}

/// The lane's name on the left, and what it is at the cursor on the right.
fn caption(picture: &Picture, below: &Below, lane: &LaneBox, list: &mut DrawList) {
    let (inks, area) = (picture.inks, lane.caption);
    let y = area.middle() + 1.0;
    let credits = matches!(lane.levels[..], [Level::Credit(_), ..]);
    let of = below.side.map_or_else(String::new, |side| format!("{}: ", side.name()));
    let (long, short) = match lane.levels[..] {
        [] => ("credit: nobody runs or waits on the chosen row".into(), "credit".into()),
        [Level::Credit(_), ..] => ("credit".to_owned(), "credit".to_owned()),
        [level, ..] => names(level, below.shape),
    };
    let name = [long, short].map(|name| format!("{of}{name}"));
    let [long, short] = &name;
    let told = told(picture, below, lane);
    let fitting = |(name, told): &(&String, &String)| {
        fits(name.chars().count() + told.chars().count() + 3, area.w, inks.sizes)
    };
    let pairs = [(long, &told.0), (short, &told.0), (long, &told.1)];
    let (name, right) = pairs.into_iter().find(fitting).unwrap_or((short, &told.1));
    list.text(name.as_str(), Point { x: area.x, y }, inks.type_(Align::Start), inks.palette.text);
    let end = Point { x: area.right(), y };
    list.text(right.as_str(), end, inks.type_(Align::End), inks.palette.muted);
    if credits {
        let x = area.x + (count_px(name.chars().count()) + 2.0) * inks.sizes.letter;
        let end = area.right() - (count_px(right.chars().count()) + 2.0) * inks.sizes.letter;
        keys(picture, lane, (Point { x, y }, end), list);
    }
}

/// What stands on the right of a lane's name: what it is at the cursor and in view, and in short.
fn told(picture: &Picture, below: &Below, lane: &LaneBox) -> (String, String) {
    let both = |text: String| (text.clone(), text);
    let Some(levels) = below.levels.filter(|levels| !levels.goes_on) else {
        return both("being worked out".into());
    };
    let [level] = lane.levels[..] else { return both(credit_bounds(levels, lane)) };
    let Some(line) = levels.line(level) else { return both(String::new()) };
    let seen = format!("{} in view", bounds(line.bounds()));
    match at(levels, level, picture.cursor_ns) {
        Some(now) => {
            let now = format!("{} at the cursor", bounds(now));
            (format!("{now}, {seen}"), now)
        }
        None => both(seen),
    }
}

/// From the lowest to the highest credit of a lane.
fn credit_bounds(levels: &LevelPicture, lane: &LaneBox) -> String {
    let lines = lane.levels.iter().filter_map(|level| levels.line(*level));
    let all = lines.map(LevelLine::bounds);
    let all = all.reduce(|(low, high), (least, most)| (low.min(least), high.max(most)));
    all.map_or_else(String::new, bounds)
}

/// Whose line is which, as far as there is room.
fn keys(picture: &Picture, lane: &LaneBox, (from, end): (Point, f64), list: &mut DrawList) {
    let (inks, mut x) = (picture.inks, from.x);
    for level in &lane.levels {
        let Level::Credit(vcpu) = *level else { continue };
        let Some((name, _)) = inks.label(vcpu) else { continue };
        let side = inks.sizes.text - 2.0;
        let wide = side + 5.0 + (count_px(name.len()) + 1.5) * inks.sizes.letter;
        if x + wide > end {
            return;
        }
        let area = Area { x, y: from.y - side / 2.0 - 1.0, w: side, h: side };
        list.ops.push(DrawOp::Rect { area, radius: 2.0, fill: inks.fill(vcpu) });
        let at = Point { x: x + side + 5.0, ..from };
        list.text(name, at, inks.type_(Align::Start), inks.palette.muted);
        x += wide;
    }
}

/// The colour of a count.
fn colour(picture: &Picture, level: Level) -> Colour {
    let palette = picture.inks.palette;
    match level {
        Level::Idlers => palette.believed,
        Level::Told => palette.told,
        _ => palette.muted,
    }
}

/// A count as filled steps. A mask's height is the number of pCPUs, that of a queue its deepest.
fn count(
    picture: &Picture,
    (levels, line): (&LevelPicture, &LevelLine),
    lane: &LaneBox,
    list: &mut DrawList,
) {
    let scale = picture.scale();
    let most = match line.level {
        Level::Idlers | Level::Told => picture.layout.total.into(),
        _ => line.bounds().1,
    };
    let columns = columns(levels, line, &scale, column_count(&scale, picture.dpr));
    let height = |value: i32| {
        let share = f64::from(value) / f64::from(most.max(1));
        if value > 0 { (share * lane.body.h).clamp(LEAST, lane.body.h) } else { 0.0 }
    };
    let colour = colour(picture, line.level);
    let light = colour.with_alpha(LIGHT);
    let mut fill = |colour: Colour, of: fn((i32, i32)) -> i32| {
        let heights: Vec<_> = columns.iter().map(|column| column.map(|c| height(of(c)))).collect();
        let Area { x, w, .. } = lane.body;
        for points in outlines(&heights, x, w, lane.body.bottom()) {
            let pen = Pen::solid(0.0, colour);
            list.ops.push(DrawOp::Path { points: points.into(), filled: true, pen });
        }
    };
    fill(light, |(_, most)| most);
    fill(colour, |(least, _)| least);
}

/// Credits as stepped lines over their own axis, with a line at 0.
fn credits(picture: &Picture, levels: &LevelPicture, lane: &LaneBox, list: &mut DrawList) {
    let lines = || lane.levels.iter().filter_map(|level| levels.line(*level));
    let all = lines().map(LevelLine::bounds);
    let (least, most) = all.fold((0, 1), |(low, high), (l, m)| (low.min(l), high.max(m)));
    let Area { x, y, w, h } = lane.body;
    let height = |credit: i32| {
        let share = |credit: i32| f64::from(credit) - f64::from(least);
        y + h - 1.0 - share(credit) / share(most) * (h - 2.0)
    };
    let zero = picture.snap(height(0));
    let ends = (Point { x, y: zero }, Point { x: x + w, y: zero });
    list.line(ends.0, ends.1, Pen::solid(1.0, picture.inks.palette.muted.with_alpha(150)));
    for line in lines() {
        let Level::Credit(vcpu) = line.level else { continue };
        let Fill { ground, .. } = picture.inks.fill(vcpu);
        let points = corners(levels, line, &picture.scale(), height);
        let pen = Pen::solid(picture.inks.sizes.line, ground);
        list.ops.push(DrawOp::Path { points: points.into(), filled: false, pen });
    }
}

/// The cursor, through all lanes.
fn cursor(picture: &Picture, list: &mut DrawList) {
    let span = picture.span;
    if !(span.from_ns..=span.to_ns).contains(&picture.cursor_ns) {
        return;
    }
    let plot = picture.layout.plot;
    let x = picture.snap(picture.scale().x_of(picture.cursor_ns).min(plot.right() - 1.0));
    let pen = Pen::solid(picture.inks.sizes.line, picture.inks.palette.hot);
    for lane in &picture.layout.below {
        list.line(Point { x, y: lane.body.y }, Point { x, y: lane.body.bottom() }, pen);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{LevelCell, RunId, Span};
    use crate::timeline::paint::paint;
    use crate::timeline::sample::known;
    use crate::timeline::theme::Sizes;

    fn levels() -> LevelPicture {
        let cell =
            |last_ns, changes, least, most, last| LevelCell { last_ns, changes, least, most, last };
        let line = |level, cells| LevelLine { level, start: 0, cells, accounted: 0 };
        LevelPicture {
            run: RunId(1),
            ask: 1,
            span: Span { from_ns: 10_000_000, to_ns: 11_000_000 },
            shift: 10,
            until_ns: 11_000_000,
            goes_on: false,
            lines: vec![
                line(Level::WaitingAll, vec![cell(10_400_000, 2, 1, 4, 2)]),
                line(Level::Credit(0), vec![cell(10_200_000, 1, -100, -100, -100)]),
            ],
            accounts_ns: vec![],
        }
    }

    /// Goal: without lanes nothing is drawn; with them the lowest is dark, the highest light, both
    /// inside their lane, and nothing else of the picture changes.
    #[test]
    fn lowest_and_highest_are_drawn() {
        let sample = known();
        let (levels, shape) = (levels(), &sample.shape);
        let below = Below { shape, levels: Some(&levels), side: None };
        let picture = sample.picture(sample.tile.span);
        let mut plain = paint(&picture);
        let before = plain.clone();
        paint_below(&picture, &below, &mut plain);
        assert_eq!(plain, before, "no lane is on");

        let lanes = [vec![Level::WaitingAll], vec![Level::Credit(0)], vec![Level::Idlers]];
        let layout = sample.layout.clone().with_below(&lanes, Sizes::of(false));
        let picture = Picture { layout: &layout, ..picture };
        let mut list = paint(&picture);
        let rows = list.ops.len();
        assert_eq!(list.ops, before.ops);
        paint_below(&picture, &below, &mut list);
        let paths = list.ops[rows..].iter().filter_map(|op| match op {
            DrawOp::Path { points, filled, pen } => Some((points, *filled, pen.colour)),
            _ => None,
        });
        let paths: Vec<_> = paths.collect();
        let fills: Vec<u8> = paths.iter().filter(|path| path.1).map(|path| path.2.alpha).collect();
        assert_eq!(fills, [LIGHT, 255]);
        let top = |at: usize| paths[at].0.iter().map(|point| point.y).fold(f64::MAX, f64::min);
        let body = layout.below[0].body;
        assert!((top(0) - body.y).abs() < 0.01, "the deepest fills the lane");
        assert!((top(1) - body.middle()).abs() < 0.01, "2 of 4 is never left again");
        for (points, ..) in &paths {
            assert!(points.iter().all(|at| {
                layout.below.iter().any(|lane| (lane.body.y..=lane.body.bottom()).contains(&at.y))
            }));
        }
        assert_eq!(list.height, layout.height);
    }
}
