//! Lanes below the rows: where they stand, what they are called, what is under the pointer.
//!
//! Must not draw.

use super::draw::{Area, Point};
use super::layout::Layout;
use super::scale::count_px;
use super::shape::MachineShape;
use super::theme::Sizes;
use crate::protocol::{Level, LevelPicture, Span};

/// Height of a lane of counts, and of one of credits, in px.
const HEIGHTS: (f64, f64) = (24.0, 64.0);
/// Below each lane, in px.
const GAP: f64 = 6.0;

/// A lane below the rows.
#[derive(Clone, Debug, PartialEq)]
pub struct LaneBox {
    /// What it tells: one count, or credits.
    pub levels: Vec<Level>,
    /// Where its name stands.
    pub caption: Area,
    /// Where it is drawn.
    pub body: Area,
}

/// Height of lanes, in px.
#[must_use]
pub fn height(lanes: &[Vec<Level>], sizes: Sizes) -> f64 {
    lanes.iter().map(|levels| caption(sizes) + body(levels, sizes) + GAP).sum()
}

fn caption(sizes: Sizes) -> f64 {
    sizes.text + 6.0
}

fn body(levels: &[Level], sizes: Sizes) -> f64 {
    let counts = !matches!(levels, [Level::Credit(_), ..] | []);
    let height = if counts { HEIGHTS.0 } else { HEIGHTS.1 };
    (height * sizes.text / 12.0).round()
}

impl Layout {
    /// The same with lanes below the rows.
    #[must_use]
    pub fn with_below(mut self, lanes: &[Vec<Level>], sizes: Sizes) -> Self {
        let Area { x, w, .. } = self.plot;
        let mut y = self.plot.bottom();
        for levels in lanes {
            let caption = Area { x, y, w, h: caption(sizes) };
            let body = Area { x, y: caption.bottom(), w, h: body(levels, sizes) };
            y = body.bottom() + GAP;
            self.below.push(LaneBox { levels: levels.clone(), caption, body });
        }
        self.height = y;
        self
    }
}

/// What a level is called: in full, and in short.
#[must_use]
pub fn names(level: Level, shape: &MachineShape) -> (String, String) {
    let (long, short) = match level {
        Level::Idlers => ("idlers: pCPUs believed idle", "idlers"),
        Level::Told => ("tickled: pCPUs told, not yet there", "tickled"),
        Level::WaitingAll => ("run-queue depth: vCPUs that wait on all pCPUs", "waiting"),
        Level::Waiting(pcpu) => {
            let long = format!("run-queue depth of p{pcpu}: vCPUs that wait there");
            return (long, format!("waiting on p{pcpu}"));
        }
        Level::Credit(vcpu) => {
            let name = shape.vcpu_name(vcpu);
            return (format!("credit of {name}"), name);
        }
    };
    (long.into(), short.into())
}

/// A value as it is written.
#[must_use]
pub fn value(value: i32) -> String {
    let sign = if value < 0 { "−" } else { "" };
    format!("{sign}{}", super::label::count(value.unsigned_abs().into()))
}

/// One value, or from where to where.
#[must_use]
pub fn bounds((least, most): (i32, i32)) -> String {
    if least == most { value(least) } else { format!("{} to {}", value(least), value(most)) }
}

/// The lowest and the highest that a level may be at a moment, if that is told.
#[must_use]
pub fn at(picture: &LevelPicture, level: Level, time_ns: u64) -> Option<(i32, i32)> {
    let told = (picture.span.from_ns..picture.until_ns).contains(&time_ns);
    let line = picture.line(level).filter(|_| told)?;
    Some(line.at(time_ns, picture.shift))
}

/// A level with the lowest and the highest that it may be at a moment, if that is told.
pub type Told = (Level, Option<(i32, i32)>);

/// What is under the pointer: the moment, and each level of the lane with what it is then.
#[must_use]
pub fn under(
    layout: &Layout,
    span: Span,
    picture: Option<&LevelPicture>,
    pointer: Point,
) -> Option<(u64, Vec<Told>)> {
    let lane = |lane: &&LaneBox| {
        let whole = Area { h: lane.body.bottom() - lane.caption.y + GAP, ..lane.caption };
        whole.holds(Point { x: pointer.x.clamp(whole.x, whole.right() - 1.0), ..pointer })
    };
    let lane = layout.below.iter().find(lane)?;
    let time_ns = layout.scale(span).ns_under(pointer.x);
    let told = |level: &Level| (*level, picture.and_then(|picture| at(picture, *level, time_ns)));
    Some((time_ns, lane.levels.iter().map(told).collect()))
}

/// A line of the table of lanes: what, at the cursor, in view.
#[must_use]
pub fn row(
    level: Level,
    shape: &MachineShape,
    picture: Option<&LevelPicture>,
    cursor_ns: u64,
) -> [String; 3] {
    let none = || "–".to_owned();
    let cursor = picture.and_then(|picture| at(picture, level, cursor_ns));
    let line = picture.and_then(|picture| picture.line(level));
    [
        names(level, shape).0,
        cursor.map_or_else(none, bounds),
        line.map_or_else(none, |line| bounds(line.bounds())),
    ]
}

/// Whether a text of so many letters fits, in px.
#[must_use]
pub fn fits(letters: usize, width: f64, sizes: Sizes) -> bool {
    count_px(letters) * sizes.letter <= width
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{LevelCell, LevelLine, RunId};
    use crate::timeline::sample::known;

    fn picture() -> LevelPicture {
        let cell = LevelCell { last_ns: 10_400_000, changes: 1, least: 2, most: 2, last: 2 };
        let line =
            LevelLine { level: Level::WaitingAll, start: 0, cells: vec![cell], accounted: 0 };
        LevelPicture {
            run: RunId(1),
            ask: 1,
            span: Span { from_ns: 10_000_000, to_ns: 11_000_000 },
            shift: 10,
            until_ns: 11_000_000,
            goes_on: false,
            lines: vec![line],
            accounts_ns: vec![],
        }
    }

    /// Goal: lanes stand below the rows, one below the other, and are found where they stand;
    /// rows stay where they were.
    #[test]
    fn lanes_stand_below_the_rows() {
        let sample = known();
        let sizes = Sizes::of(false);
        let lanes = [vec![Level::Idlers], vec![Level::WaitingAll], vec![Level::Credit(0)]];
        let layout = sample.layout.clone().with_below(&lanes, sizes);
        assert_eq!((&layout.rows, layout.plot), (&sample.layout.rows, sample.layout.plot));
        assert!((layout.height - sample.layout.height - height(&lanes, sizes)).abs() < 0.01);
        for pair in layout.below.windows(2) {
            assert!(pair[0].body.bottom() < pair[1].caption.y);
        }
        let (span, picture) = (sample.tile.span, picture());
        let x = layout.scale(span).x_of(10_600_000);
        let y = layout.below[1].body.middle();
        let (time_ns, found) = under(&layout, span, Some(&picture), Point { x, y }).expect("it");
        assert!(time_ns.abs_diff(10_600_000) <= 1);
        assert_eq!(found, [(Level::WaitingAll, Some((2, 2)))]);
        let row = Point { x, y: layout.rows[0].bar.middle() };
        assert_eq!(under(&layout, span, Some(&picture), row), None);
    }

    /// Goal: the table tells each level at the cursor and in view, and nothing that is not known.
    #[test]
    fn the_table_tells_levels() {
        let (shape, picture) = (known().shape, picture());
        let of = |level, cursor_ns| row(level, &shape, Some(&picture), cursor_ns);
        assert_eq!(of(Level::WaitingAll, 10_500_000)[1..], ["2", "0 to 2"]);
        assert_eq!(of(Level::WaitingAll, 12_000_000)[1..], ["–", "0 to 2"]);
        assert_eq!(of(Level::Credit(0), 10_500_000), ["credit of d1v0", "–", "–"]);
        assert_eq!(value(-1_200), "−1,200");
    }
}
