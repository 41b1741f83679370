//! A picture as a list of what to draw, in order, in CSS pixels.
//!
//! Plain data: whoever draws it needs to know nothing else. Must not know what it means.

use super::theme::{Colour, Fill, Texture};
use std::fmt;
use std::rc::Rc;

/// A picture.
#[derive(Clone, Debug, PartialEq)]
pub struct DrawList {
    /// Width, in px.
    pub width: f64,
    /// Height, in px.
    pub height: f64,
    /// What to draw, the lowest first.
    pub ops: Vec<DrawOp>,
}

/// A point, in px from the picture's upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// An upright rectangle, in px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Left edge.
    pub x: f64,
    /// Upper edge.
    pub y: f64,
    /// Width.
    pub w: f64,
    /// Height.
    pub h: f64,
}

/// Something to draw.
#[derive(Clone, Debug, PartialEq)]
pub enum DrawOp {
    /// A rectangle.
    Rect {
        /// Where.
        area: Area,
        /// Radius of its corners, in px.
        radius: f64,
        /// Its surface.
        fill: Fill,
    },
    /// A straight line.
    Line {
        /// From and to.
        ends: [Point; 2],
        /// How it is drawn.
        pen: Pen,
    },
    /// A curve that ends in an arrow head.
    Arrow {
        /// Start, two control points, end.
        points: [Point; 4],
        /// How it is drawn.
        pen: Pen,
        /// Length of its head, in px.
        head: f64,
    },
    /// A small sign.
    Glyph {
        /// Which.
        sign: Sign,
        /// Its middle.
        at: Point,
        /// From side to side, in px.
        size: f64,
        /// Its colour.
        colour: Colour,
        /// Colour of a rim that sets it off.
        rim: Colour,
    },
    /// A word or two.
    Text {
        /// What.
        text: String,
        /// Where, on half the height of its letters.
        at: Point,
        /// How.
        type_: Type,
        /// Its colour.
        colour: Colour,
    },
    /// Straight lines through points.
    Path {
        /// The points.
        points: Rc<[Point]>,
        /// Whether what they enclose is filled with the pen's colour, instead of drawn along.
        filled: bool,
        /// How it is drawn.
        pen: Pen,
    },
    /// One row of colours, stretched over an area.
    ImageRow {
        /// Where.
        area: Area,
        /// Red, green, blue, opacity of each column.
        rgba: Rc<[u8]>,
    },
}

/// How a line is drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pen {
    /// How thick, in px; 1 is drawn as a hairline on the pixel grid.
    pub width: f64,
    /// Its colour.
    pub colour: Colour,
    /// Length of its dashes and of the gaps between, in px; 0 draws it through.
    pub dash: f64,
}

/// How text is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Type {
    /// Size, in px.
    pub size: f64,
    /// Whether it is bold.
    pub bold: bool,
    /// Where its point is.
    pub align: Align,
    /// Whether it is read from bottom to top.
    pub turned: bool,
}

/// Where the point of a text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// At its start.
    Start,
    /// In its middle.
    Middle,
    /// At its end.
    End,
}

/// Small signs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// Triangle that points up.
    Up,
    /// Triangle that points down.
    Down,
    /// Triangle that points left.
    Left,
    /// Triangle that points right.
    Right,
    /// Square on its corner.
    Diamond,
    /// Short upright line.
    Bar,
}

impl DrawList {
    /// An empty picture of this size, in px.
    #[must_use]
    pub const fn new(width: f64, height: f64) -> Self {
        Self { width, height, ops: Vec::new() }
    }

    /// Adds a rectangle without corners or lines.
    pub fn rect(&mut self, area: Area, colour: Colour) {
        self.ops.push(DrawOp::Rect { area, radius: 0.0, fill: Fill::plain(colour) });
    }

    /// Adds a line.
    pub fn line(&mut self, from: Point, to: Point, pen: Pen) {
        self.ops.push(DrawOp::Line { ends: [from, to], pen });
    }

    /// Adds text.
    pub fn text(&mut self, text: impl Into<String>, at: Point, type_: Type, colour: Colour) {
        self.ops.push(DrawOp::Text { text: text.into(), at, type_, colour });
    }
}

impl Sign {
    /// The corners of a sign around a point, from side to side `size` px.
    #[must_use]
    pub fn outline(self, at: Point, size: f64) -> Vec<Point> {
        let half = size / 2.0;
        let corners: &[(f64, f64)] = match self {
            Self::Up => &[(-1.0, 0.8), (0.0, -0.8), (1.0, 0.8)],
            Self::Down => &[(-1.0, -0.8), (0.0, 0.8), (1.0, -0.8)],
            Self::Left => &[(0.8, -1.0), (-0.8, 0.0), (0.8, 1.0)],
            Self::Right => &[(-0.8, -1.0), (0.8, 0.0), (-0.8, 1.0)],
            Self::Diamond => &[(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)],
            Self::Bar => &[(-0.25, -1.0), (0.25, -1.0), (0.25, 1.0), (-0.25, 1.0)],
        };
        corners.iter().map(|(x, y)| Point { x: at.x + x * half, y: at.y + y * half }).collect()
    }
}

impl DrawOp {
    /// An arrow's curve, and the corners of its head: the curve ends within the head, so that its
    /// thickness does not blunt the tip.
    #[must_use]
    pub fn arrow_shape(points: &[Point; 4], head: f64) -> ([Point; 4], [Point; 3]) {
        let [from, first, second, tip] = *points;
        let (dx, dy) = (tip.x - second.x, tip.y - second.y);
        let length = dx.hypot(dy).max(1e-6);
        let (dx, dy) = (dx / length * head, dy / length * head);
        let back =
            |from: Point, share: f64| Point { x: from.x - dx * share, y: from.y - dy * share };
        let foot = back(tip, 1.0);
        let side = |by: f64| Point { x: foot.x - dy * by, y: foot.y + dx * by };
        ([from, first, back(second, 0.3), back(tip, 0.7)], [tip, side(0.45), side(-0.45)])
    }

    /// The same elsewhere.
    #[must_use]
    pub fn moved(mut self, by: Point) -> Self {
        let shift = |point: &mut Point| {
            point.x += by.x;
            point.y += by.y;
        };
        match &mut self {
            Self::Rect { area, .. } | Self::ImageRow { area, .. } => {
                area.x += by.x;
                area.y += by.y;
            }
            Self::Line { ends, .. } => ends.iter_mut().for_each(shift),
            Self::Arrow { points, .. } => points.iter_mut().for_each(shift),
            Self::Glyph { at, .. } | Self::Text { at, .. } => shift(at),
            Self::Path { points, .. } => Rc::make_mut(points).iter_mut().for_each(shift),
        }
        self
    }
}

impl Area {
    /// The right edge, in px.
    #[must_use]
    pub fn right(&self) -> f64 {
        self.x + self.w
    }

    /// The lower edge, in px.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        self.y + self.h
    }

    /// Half its height down, in px.
    #[must_use]
    pub fn middle(&self) -> f64 {
        self.y + self.h / 2.0
    }

    /// Whether a point lies in it.
    #[must_use]
    pub fn holds(&self, at: Point) -> bool {
        (self.x..self.right()).contains(&at.x) && (self.y..self.bottom()).contains(&at.y)
    }
}

impl Pen {
    /// A line drawn through.
    #[must_use]
    pub const fn solid(width: f64, colour: Colour) -> Self {
        Self { width, colour, dash: 0.0 }
    }
}

impl fmt::Display for DrawList {
    /// One line for each thing, for tests that compare pictures as text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} x {}", self.width, self.height)?;
        self.ops.iter().try_for_each(|op| writeln!(f, "{op}"))
    }
}

impl fmt::Display for DrawOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rect { area, radius, fill } => {
                write!(f, "rect {area} r{radius} {}", fill.ground.css())?;
                match fill.texture {
                    Texture::Plain => Ok(()),
                    texture => write!(f, " {texture:?} {}", fill.ink.css()),
                }
            }
            Self::Line { ends: [from, to], pen } => write!(f, "line {from} {to} {pen}"),
            Self::Arrow { points: [a, b, c, d], pen, head } => {
                write!(f, "arrow {a} {b} {c} {d} {pen} head {head}")
            }
            Self::Glyph { sign, at, size, colour, .. } => {
                write!(f, "glyph {sign:?} {at} {size} {}", colour.css())
            }
            Self::Text { text, at, type_, colour } => {
                let bold = if type_.bold { " bold" } else { "" };
                let turned = if type_.turned { " turned" } else { "" };
                let (align, size) = (type_.align, type_.size);
                write!(f, "text {text:?} {at} {size} {align:?}{bold}{turned} {}", colour.css())
            }
            Self::Path { points, filled, pen } => {
                let how = if *filled { "filled" } else { "drawn" };
                write!(f, "path {how}, {} points {pen}", points.len())
            }
            Self::ImageRow { area, rgba } => write!(f, "image {area} {} columns", rgba.len() / 4),
        }
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1},{:.1}", self.x, self.y)
    }
}

impl fmt::Display for Area {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.1},{:.1} {:.1}x{:.1}", self.x, self.y, self.w, self.h)
    }
}

impl fmt::Display for Pen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.width, self.colour.css())?;
        if self.dash > 0.0 { write!(f, " dash {}", self.dash) } else { Ok(()) }
    }
}
