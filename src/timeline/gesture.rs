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
    /// Whether what a still finger was shown stays when the finger leaves.
    stays: bool,
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
            Input::Leave if self.stays => Vec::new(),
            Input::Leave => vec![Wish::Hover(None)],
            Input::Wheel { at, turn, shift, ctrl } => wheel(part, at, turn, (shift, ctrl), ground),
        }
    }

    /// A finger has been still for long: it wants to see what is there, and does not click. False
    /// if it has moved or gone.
    pub fn hold(&mut self) -> bool {
        let holds = matches!(self.mode, Mode::Press { .. });
        if holds {
            self.mode = Mode::Rest;
            self.stays = true;
        }
        holds
    }

    fn release(&mut self, id: i32) {
        self.held.retain(|held| held.id != id);
        self.mode = Mode::Rest;
    }

    fn down(&mut self, part: Part, pointer: Pointer, ground: &Ground) -> Vec<Wish> {
        self.stays = false;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::layout::Room;
    use crate::timeline::sample::{at, shape};
    use crate::timeline::theme::Sizes;

    const MS: u64 = 1_000_000;
    const SPAN: Span = Span { from_ns: 10 * MS, to_ns: 20 * MS };

    /// A stage of 1,000 px of rows over 10 ms of a run of 100 ms; keeps what it is asked to show.
    struct Hand {
        layout: Layout,
        span: Span,
        gesture: Gesture,
    }

    impl Hand {
        fn new(pcpus: u16) -> Self {
            let sizes = Sizes::of(false);
            let room = Room { width: 1_000.0, height_max: 300.0, first: 0, sizes, doubled: false };
            let layout = Layout::new(&shape(pcpus, 2, false), room);
            Self { layout, span: SPAN, gesture: Gesture::default() }
        }

        fn x(&self, share: f64) -> f64 {
            self.layout.plot.x + share * self.layout.plot.w
        }

        fn step(&mut self, part: Part, input: Input) -> Vec<Wish> {
            let whole = self.layout.scale(Span { from_ns: 0, to_ns: 100 * MS });
            let ground = Ground { layout: &self.layout, span: self.span, whole };
            let wishes = self.gesture.step(part, input, &ground);
            for wish in &wishes {
                if let Wish::Show(span) = wish {
                    self.span = *span;
                }
            }
            wishes
        }

        /// A pointer goes down at the first share of the width and moves over the others.
        fn drag(&mut self, part: Part, shift: bool, shares: &[f64]) -> Vec<Wish> {
            let pointer = |x| Pointer { id: 1, at: at(x, 60.0), shift, touch: false };
            let mut wishes = Vec::new();
            for (nth, share) in shares.iter().enumerate() {
                let pointer = pointer(self.x(*share));
                let input = if nth == 0 { Input::Down(pointer) } else { Input::Move(pointer) };
                wishes = self.step(part, input);
            }
            let last = pointer(self.x(*shares.last().expect("somewhere")));
            wishes.extend(self.step(part, Input::Up(last)));
            wishes
        }
    }

    fn close(ns: u64, wanted: u64) -> bool {
        ns.abs_diff(wanted) < 2_000
    }

    /// Goal: dragging pans, a click is a click, Shift chooses a range.
    #[test]
    fn dragging_pans_clicking_clicks_and_shift_chooses() {
        let mut hand = Hand::new(4);
        hand.drag(Part::Rows, false, &[0.5, 0.6, 0.7]);
        assert!(
            close(hand.span.from_ns, 8 * MS) && close(hand.span.to_ns, 18 * MS),
            "{:?}",
            hand.span
        );
        let x = hand.x(0.5);
        assert_eq!(hand.drag(Part::Rows, false, &[0.5, 0.501]), [Wish::Click(at(x, 60.0), 6.0)]);
        let wishes = hand.drag(Part::Rows, true, &[0.75, 0.5, 0.25]);
        let [Wish::Range(Some(range))] = wishes[..] else { panic!("{wishes:?}") };
        assert!(close(range.from_ns, 10_500_000) && close(range.to_ns, 15_500_000), "{range:?}");
    }

    /// Goal: the wheel zooms at the pointer, sideways and with Shift it pans; what changes nothing
    /// is left to the page.
    #[test]
    fn the_wheel_zooms_and_pans() {
        let mut hand = Hand::new(4);
        let wheel = |hand: &Hand, turn, shift| Input::Wheel {
            at: at(hand.x(0.25), 60.0),
            turn,
            shift,
            ctrl: false,
        };
        let input = wheel(&hand, at(0.0, -400.0), false);
        hand.step(Part::Rows, input);
        let under = hand.layout.scale(hand.span).time_at(hand.x(0.25));
        assert!(close(under, 12_500_000) && hand.span.to_ns - hand.span.from_ns < 5 * MS);
        hand.span = SPAN;
        for (turn, shift) in [(at(97.0, 0.0), false), (at(0.0, 97.0), true)] {
            hand.span = SPAN;
            let input = wheel(&hand, turn, shift);
            hand.step(Part::Rows, input);
            assert!(hand.span.from_ns > 10 * MS && hand.span.to_ns - hand.span.from_ns == 10 * MS);
        }
        hand.span = Span { from_ns: 0, to_ns: 100 * MS };
        let input = wheel(&hand, at(0.0, 400.0), false);
        assert_eq!(hand.step(Part::Rows, input), []);
    }

    /// Goal: two fingers zoom: what was under each stays under it.
    #[test]
    fn two_fingers_zoom() {
        let mut hand = Hand::new(4);
        let finger = |hand: &Hand, id, share| Pointer {
            id,
            at: at(hand.x(share), 60.0),
            shift: false,
            touch: true,
        };
        let (left, right) = (finger(&hand, 1, 0.4), finger(&hand, 2, 0.6));
        hand.step(Part::Rows, Input::Down(left));
        hand.step(Part::Rows, Input::Down(right));
        let (left, right) = (finger(&hand, 1, 0.2), finger(&hand, 2, 0.8));
        hand.step(Part::Rows, Input::Move(left));
        hand.step(Part::Rows, Input::Move(right));
        let scale = hand.layout.scale(hand.span);
        assert!(close(scale.time_at(left.at.x), 14 * MS), "{:?}", hand.span);
        assert!(close(scale.time_at(right.at.x), 16 * MS), "{:?}", hand.span);
        hand.step(Part::Rows, Input::Up(left));
        assert_eq!(hand.step(Part::Rows, Input::Up(right)), [], "lifting is no click");
    }

    /// Goal: on the overview a click centres, dragging the brush moves it, dragging an edge moves
    /// that edge only.
    #[test]
    fn the_overview_is_a_brush() {
        let mut hand = Hand::new(4);
        hand.drag(Part::Overview, false, &[0.5]);
        assert!(
            close(hand.span.from_ns, 45 * MS) && close(hand.span.to_ns, 55 * MS),
            "{:?}",
            hand.span
        );
        hand.drag(Part::Overview, false, &[0.5, 0.6]);
        assert!(
            close(hand.span.from_ns, 55 * MS) && close(hand.span.to_ns, 65 * MS),
            "{:?}",
            hand.span
        );
        hand.drag(Part::Overview, false, &[0.65, 0.8]);
        assert!(
            close(hand.span.from_ns, 55 * MS) && close(hand.span.to_ns, 80 * MS),
            "{:?}",
            hand.span
        );
        hand.drag(Part::Overview, false, &[0.55, 0.9]);
        assert!(
            close(hand.span.from_ns, 80 * MS) && close(hand.span.to_ns, 90 * MS),
            "{:?}",
            hand.span
        );
    }

    /// Goal: rows that do not fit are scrolled by dragging and by the wheel over their names.
    #[test]
    fn rows_are_scrolled() {
        let mut hand = Hand::new(64);
        let over_names =
            Input::Wheel { at: at(5.0, 60.0), turn: at(0.0, 100.0), shift: false, ctrl: false };
        assert_eq!(hand.step(Part::Rows, over_names), [Wish::Scroll(3)]);
        let pointer = |y| Pointer { id: 1, at: at(300.0, y), shift: false, touch: false };
        hand.step(Part::Rows, Input::Down(pointer(200.0)));
        let wishes = hand.step(Part::Rows, Input::Move(pointer(165.0)));
        assert_eq!(wishes.last(), Some(&Wish::Scroll(3)));
        let mut few = Hand::new(4);
        few.step(Part::Rows, Input::Down(pointer(100.0)));
        assert_eq!(few.step(Part::Rows, Input::Move(pointer(60.0))), [Wish::Show(SPAN)]);
    }
}
