//! From pointers and wheels to wishes: zoom, pan, scroll, choose.
//!
//! Pure: knows where things stand and what is shown, not what becomes of a wish.

use super::draw::Point;
use super::layout::Layout;
use super::scale::{Scale, centred, clamped};
use crate::protocol::Span;

/// Which part of the stage an input belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The rows.
    Rows,
    /// The overview strip.
    Overview,
}

/// What a hand does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Input {
    /// A pointer goes down.
    Down(Pointer),
    /// A pointer moves, pressed or not.
    Move(Pointer),
    /// A pointer goes up.
    Up(Pointer),
    /// A pointer is taken away: no click.
    Cancel(Pointer),
    /// The pointer leaves.
    Leave,
    /// The wheel turns.
    Wheel {
        /// Where.
        at: Point,
        /// How far to the right and down, in px.
        turn: Point,
        /// Whether Shift is held.
        shift: bool,
        /// Whether Ctrl is held, which is also how pads tell a pinch.
        ctrl: bool,
    },
}

/// A pointer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pointer {
    /// Which.
    pub id: i32,
    /// Where.
    pub at: Point,
    /// Whether Shift is held.
    pub shift: bool,
    /// Whether it is a finger.
    pub touch: bool,
}

/// What a hand wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wish {
    /// Show this stretch of time.
    Show(Span),
    /// What is at this point of the rows; found within so many px.
    Click(Point, f64),
    /// Choose this range, or none.
    Range(Option<Span>),
    /// The pointer rests here, or nowhere.
    Hover(Option<Point>),
    /// Scroll so many rows down.
    Scroll(i32),
}

/// What a gesture is judged by.
#[derive(Clone, Copy, Debug)]
pub struct Ground<'a> {
    /// Where the rows stand.
    pub layout: &'a Layout,
    /// The time shown.
    pub span: Span,
    /// The whole run over the overview strip.
    pub whole: Scale,
}

/// Gestures under way.
#[derive(Clone, Debug, Default)]
pub struct Gesture {
    held: Vec<Pointer>,
    mode: Mode,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum Mode {
    #[default]
    Rest,
    /// Pressed and not yet moved.
    Press {
        start: Pointer,
        span: Span,
    },
    Pan {
        start: Point,
        span: Span,
        scrolled: i32,
    },
    Range {
        from_ns: u64,
    },
    Pinch {
        start: (Point, Point),
        span: Span,
    },
    /// The brush is dragged: where its start is against the pointer, in px.
    Brush {
        offset: f64,
    },
    /// An edge of the brush is dragged; the other stays, in ns.
    Edge {
        stays_ns: u64,
    },
}

/// A finger that moves less than this is still, in px; a mouse less than half of it.
const STILL: f64 = 8.0;
/// How much a turn of the wheel by a px zooms.
const PER_WHEEL_PX: f64 = 0.0018;
const PER_PINCH_PX: f64 = 0.01;

impl Gesture {
    /// What follows from an input.
    pub fn step(&mut self, part: Part, input: Input, ground: &Ground) -> Vec<Wish> {
        match input {
            Input::Down(pointer) => self.down(part, pointer, ground),
            Input::Move(pointer) => self.moved(part, pointer, ground),
            Input::Up(pointer) => {
                let mode = self.mode;
                self.release(pointer.id);
                match mode {
                    Mode::Press { start, .. } => click(start),
                    _ => Vec::new(),
                }
            }
            Input::Cancel(pointer) => {
                self.release(pointer.id);
                Vec::new()
            }
            Input::Leave => vec![Wish::Hover(None)],
            Input::Wheel { at, turn, shift, ctrl } => wheel(part, at, turn, (shift, ctrl), ground),
        }
    }

    /// Whether something is being dragged.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        !matches!(self.mode, Mode::Rest | Mode::Press { .. })
    }

    fn release(&mut self, id: i32) {
        self.held.retain(|held| held.id != id);
        self.mode = Mode::Rest;
    }

    fn down(&mut self, part: Part, pointer: Pointer, ground: &Ground) -> Vec<Wish> {
        self.held.retain(|held| held.id != pointer.id);
        self.held.push(pointer);
        if part == Part::Overview {
            return self.down_on_overview(pointer, ground);
        }
        self.mode = match self.held[..] {
            [one, other] => Mode::Pinch { start: (one.at, other.at), span: ground.span },
            _ if pointer.shift => Mode::Range { from_ns: time_at(ground, pointer.at) },
            _ => Mode::Press { start: pointer, span: ground.span },
        };
        vec![Wish::Hover(None)]
    }

    fn down_on_overview(&mut self, pointer: Pointer, ground: &Ground) -> Vec<Wish> {
        let Span { from_ns, to_ns } = ground.span;
        let (left, right) = (ground.whole.x_of(from_ns), ground.whole.x_of(to_ns));
        let reach = if pointer.touch { 2.0 * STILL } else { 6.0 };
        // A narrow brush is all edge: its middle third still drags it.
        let reach = reach.min(((right - left) / 3.0).max(2.0));
        let x = pointer.at.x;
        let mut wishes = Vec::new();
        if (x - left).abs() <= reach && right - left > 6.0 {
            self.mode = Mode::Edge { stays_ns: to_ns };
        } else if (x - right).abs() <= reach && right - left > 6.0 {
            self.mode = Mode::Edge { stays_ns: from_ns };
        } else if (left..right).contains(&x) {
            self.mode = Mode::Brush { offset: left - x };
        } else {
            self.mode = Mode::Brush { offset: (left - right) / 2.0 };
            let middle = ground.whole.time_at(x);
            wishes.push(Wish::Show(centred(middle, to_ns - from_ns, duration(ground))));
        }
        wishes
    }

    fn moved(&mut self, part: Part, pointer: Pointer, ground: &Ground) -> Vec<Wish> {
        let Some(held) = self.held.iter_mut().find(|held| held.id == pointer.id) else {
            return if part == Part::Rows { vec![Wish::Hover(Some(pointer.at))] } else { vec![] };
        };
        held.at = pointer.at;
        let still = if pointer.touch { STILL } else { STILL / 2.0 };
        if let Mode::Press { start, span } = self.mode {
            let away = (pointer.at.x - start.at.x).hypot(pointer.at.y - start.at.y);
            if away < still {
                return vec![];
            }
            self.mode = Mode::Pan { start: start.at, span, scrolled: 0 };
        }
        self.dragged(pointer.at, ground)
    }

    fn dragged(&mut self, at: Point, ground: &Ground) -> Vec<Wish> {
        match &mut self.mode {
            Mode::Pan { start, span, scrolled } => {
                let scale = ground.layout.scale(*span);
                let show = Wish::Show(scale.panned(at.x - start.x, duration(ground)));
                let rows = rows_between(ground.layout, start.y - at.y);
                let by = rows - *scrolled;
                *scrolled = rows;
                if by == 0 { vec![show] } else { vec![show, Wish::Scroll(by)] }
            }
            Mode::Range { from_ns } => {
                let to_ns = time_at(ground, at);
                let (from_ns, to_ns) = (to_ns.min(*from_ns), to_ns.max(*from_ns));
                vec![Wish::Range((from_ns < to_ns).then_some(Span { from_ns, to_ns }))]
            }
            Mode::Pinch { start, span } => match self.held[..] {
                [one, other] => {
                    vec![Wish::Show(pinched(*start, (one.at, other.at), *span, ground))]
                }
                _ => vec![],
            },
            Mode::Brush { offset } => {
                let from_ns = ground.whole.time_at(at.x + *offset);
                let len = ground.span.to_ns - ground.span.from_ns;
                let span = Span { from_ns, to_ns: from_ns + len };
                vec![Wish::Show(clamped(span, duration(ground)))]
            }
            Mode::Edge { stays_ns } => {
                let moves_ns = ground.whole.time_at(at.x);
                let (from_ns, to_ns) = (moves_ns.min(*stays_ns), moves_ns.max(*stays_ns));
                vec![Wish::Show(clamped(Span { from_ns, to_ns }, duration(ground)))]
            }
            Mode::Rest | Mode::Press { .. } => vec![],
        }
    }
}

fn click(start: Pointer) -> Vec<Wish> {
    vec![Wish::Click(start.at, if start.touch { 14.0 } else { 6.0 })]
}

fn duration(ground: &Ground) -> u64 {
    ground.whole.span.to_ns
}

fn time_at(ground: &Ground, at: Point) -> u64 {
    ground.layout.scale(ground.span).time_at(at.x)
}

/// Two fingers: what was under each stays under it.
fn pinched(start: (Point, Point), now: (Point, Point), span: Span, ground: &Ground) -> Span {
    let apart = |(a, b): (Point, Point)| (a.x - b.x).abs().max(10.0);
    let middle = |(a, b): (Point, Point)| f64::midpoint(a.x, b.x);
    let scale = ground.layout.scale(span);
    let zoomed = scale.zoomed(middle(start), apart(start) / apart(now), duration(ground));
    ground.layout.scale(zoomed).panned(middle(now) - middle(start), duration(ground))
}

/// How many rows a distance in px stands for, where not all are shown.
fn rows_between(layout: &Layout, distance: f64) -> i32 {
    let Some(row) = layout.rows.first().filter(|_| layout.rows.len() < layout.total.into()) else {
        return 0;
    };
    whole(distance / row.area.h)
}

/// A number of rows or wheel steps; far below what an `i32` holds.
#[expect(clippy::cast_possible_truncation, reason = "held within the rows that there can be")]
fn whole(value: f64) -> i32 {
    value.clamp(-65_536.0, 65_536.0) as i32
}

fn wheel(
    part: Part,
    at: Point,
    turn: Point,
    (shift, ctrl): (bool, bool),
    ground: &Ground,
) -> Vec<Wish> {
    let layout = ground.layout;
    let scale = layout.scale(ground.span);
    let sideways = if turn.x.abs() > turn.y.abs() { turn.x } else { turn.y };
    let show = |span| if span == ground.span { vec![] } else { vec![Wish::Show(span)] };
    if !ctrl && (shift || turn.x.abs() > turn.y.abs()) {
        return show(scale.panned(-sideways, duration(ground)));
    }
    let beside = part == Part::Rows && at.x < layout.plot.x && !ctrl;
    if beside && layout.rows.len() < layout.total.into() {
        return vec![Wish::Scroll(whole(turn.y.signum() * (turn.y.abs() / 40.0).ceil()))];
    }
    let factor = (turn.y * if ctrl { PER_PINCH_PX } else { PER_WHEEL_PX }).exp();
    let x = if part == Part::Rows { at.x } else { layout.plot.x + layout.plot.w / 2.0 };
    show(scale.zoomed(x, factor.clamp(0.2, 5.0), duration(ground)))
}
