//! The stage: overview strip, timeline, legend.
//!
//! Draws the tiles that it is given and tells what people ask for; it must not ask the worker.

mod extras;
mod sheet;

use crate::protocol::{
    Level, LevelPicture, MarkKind, Overview, Record, Side, Span, Stretch, Tile, Under,
};
use crate::timeline::draw::{DrawList, Point};
use crate::timeline::gesture::{Input, Part, Wish};
use crate::timeline::hit::{Hit, What};
use crate::timeline::legend::legend;
use crate::timeline::print::{Caption, print};
use crate::timeline::shape::MachineShape;
use crate::timeline::theme::Scheme;
use crate::timeline::theme::Sizes;
use crate::web::style;
use crate::web::surface::{NextFrame, Surface, WidthWatch};
use gloo::timers::callback::Timeout;
use sheet::Sheet;
use std::cell::Cell;
use std::rc::Rc;
use yew::prelude::*;

/// What the stage shows.
#[derive(Properties, PartialEq)]
pub struct StageProps {
    /// The machine and its guests.
    pub shape: Rc<MachineShape>,
    /// The newest picture; may be of another stretch of time while the right one is on its way.
    pub tile: Option<Rc<Tile>>,
    /// Up to when the whole run is shown, in ns.
    pub until_ns: u64,
    /// The whole run.
    pub overview: Option<Rc<Overview>>,
    /// The stretch of time to show.
    pub span: Span,
    /// End of the run, in ns.
    pub duration_ns: u64,
    /// The cursor, in ns.
    pub cursor_ns: u64,
    /// The record selected.
    pub selected: Option<Record>,
    /// Records whose arrows are lit: the selected one and its chain.
    pub selected_arrow_records: Rc<Vec<u32>>,
    /// The row chosen (pCPU).
    pub row: u16,
    /// The range chosen.
    pub range: Option<Span>,
    /// Which colours show.
    pub scheme: Scheme,
    /// How large text, lines and marks are.
    pub sizes: Sizes,
    /// The most height that the rows may take, in px; none leaves it to their number.
    pub room_px: Option<u32>,
    /// What the view adds up to, once that is known.
    pub stretch: Option<Rc<Stretch>>,
    /// What the pixel under the pointer hides, once that is known.
    pub under: Option<Rc<Under>>,
    /// The run beside, if there is one.
    pub beside: Option<Beside>,
    /// The lanes below the rows, each with its levels.
    pub lanes: Rc<Vec<Vec<Level>>>,
    /// What the lanes show of the run in hand.
    pub levels: Option<Rc<LevelPicture>>,
    /// Where the stage tells what people ask for.
    pub on: Callback<StageEvent>,
}

/// What the stage shows of the run that is not in hand.
#[derive(Clone, PartialEq)]
pub struct Beside {
    /// Which side is in hand, and is what all other properties are about.
    pub in_hand: Side,
    /// The other one's rows.
    pub tile: Option<Rc<Tile>>,
    /// The whole of it.
    pub overview: Option<Rc<Overview>>,
    /// What the view adds up to in it, once that is known.
    pub stretch: Option<Rc<Stretch>>,
    /// The record selected in it.
    pub selected: Option<Record>,
    /// Records whose arrows are lit in it.
    pub lit: Rc<Vec<u32>>,
    /// When the two part, in ns.
    pub parting_ns: Option<u64>,
}

/// A pixel that hides several things: of which side's row (pCPU), and the time that it stands for.
pub type Rest = (Side, u16, Span);

/// What people ask for on the stage.
#[derive(Clone, Debug, PartialEq)]
pub enum StageEvent {
    /// The picture that fits: ask for tiles of this width and these rows.
    Size {
        /// Width of the rows, in pixels of the screen.
        width_px: u32,
        /// First row and how many.
        rows: (u16, u16),
    },
    /// Show this stretch of time.
    Span(Span),
    /// Put the cursor here.
    Cursor {
        /// When, in ns.
        time_ns: u64,
        /// On which row (pCPU).
        pcpu: u16,
    },
    /// Go to this record.
    Record(u32),
    /// Go to the record that left this mark.
    Mark {
        /// On which row (pCPU).
        pcpu: u16,
        /// When, in ns.
        time_ns: u64,
        /// Its kind.
        kind: MarkKind,
    },
    /// The pointer rests on a pixel of this side's row (pCPU) that hides several things, or on
    /// none.
    RestOn(Option<Rest>),
    /// Choose this range, or none.
    Range(Option<Span>),
    /// Choose this row (pCPU).
    Row(u16),
    /// Take this side in hand.
    Hand(Side),
}

/// The timeline of these properties with its legend, as it leaves the page: rows from `first` on,
/// `plot` px wide.
#[must_use]
pub fn picture(props: &StageProps, plot: f64, first: u16, caption: &Caption) -> DrawList {
    let sheet = Sheet::of(props, plot, first);
    let entries = legend(&props.shape, &sheet.inks);
    print(sheet.paint(props), caption, &entries, &sheet.inks)
}

/// A finger that is still for so long wants to see what is there, in ms.
const HOLD_MS: u32 = 450;
/// How far from the pointer a mark or an arrow may be, in px; from a finger it is further.
const HOVER_REACH: f64 = 6.0;
const HOLD_REACH: f64 = 14.0;

/// What happens to the stage.
pub enum Msg {
    /// Its width is this, in px.
    Width(f64),
    /// A hand did something.
    Input(Part, Input),
    /// A finger has been still here for long.
    Held(Point),
    /// A frame is to be drawn.
    Frame,
}

/// Overview strip, timeline, legend.
pub struct Stage {
    sheet: Sheet,
    /// Where the pointer rests, and on what.
    tip: Option<(Point, Hit)>,
    /// The crowded pixel that was told last.
    rest: Option<Rest>,
    /// Until a finger has been still for long.
    hold: Option<Timeout>,
    /// Asked for within this frame and not yet told.
    wished: Option<Span>,
    ranged: Option<Option<Span>>,
    /// Whether the whole run is in view.
    whole: Rc<Cell<bool>>,
    /// Up to where the wheel scrolls rows, in px; 0 if all rows are shown.
    scrolls_px: Rc<Cell<f64>>,
    frame: NextFrame,
    /// Box, overview, rows, tip, mark of the rows shown.
    nodes: [NodeRef; 5],
    surfaces: Option<(Surface, Surface)>,
    _width: Option<WidthWatch>,
}

impl Component for Stage {
    type Message = Msg;
    type Properties = StageProps;

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link().clone();
        Self {
            sheet: Sheet::new(ctx.props()),
            tip: None,
            rest: None,
            hold: None,
            wished: None,
            ranged: None,
            whole: Rc::default(),
            scrolls_px: Rc::default(),
            frame: NextFrame::new(move || link.send_message(Msg::Frame)),
            nodes: Default::default(),
            surfaces: None,
            _width: None,
        }
    }

    fn changed(&mut self, ctx: &Context<Self>, old: &StageProps) -> bool {
        let props = ctx.props();
        let resized = self.sheet.take(props, old);
        // What a hand asked for since the last frame is newer than what the page answers.
        self.sheet.span = self.wished.unwrap_or(self.sheet.span);
        self.sheet.range = self.ranged.unwrap_or(self.sheet.range);
        if resized {
            self.tell_size(ctx);
        }
        if old.span != props.span || !Rc::ptr_eq(&old.shape, &props.shape) {
            self.tip = None;
        }
        self.frame.ask();
        true
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        match msg {
            Msg::Width(width) => {
                let resized = self.sheet.set_width(ctx.props(), width);
                if resized {
                    self.tell_size(ctx);
                    self.frame.ask();
                }
                resized
            }
            Msg::Input(part, input) => {
                self.watch_hold(ctx, part, input);
                self.input(ctx, part, input)
            }
            Msg::Held(at) => self.sheet.hold() && self.hover(ctx, Some(at), HOLD_REACH),
            Msg::Frame => {
                self.draw(ctx);
                false
            }
        }
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let [box_, overview, rows, tip, scroll] = &self.nodes;
        let props = ctx.props();
        html! {
            <section class="stage" aria-label="Timeline">
                <div class="stage-width" ref={box_.clone()}>
                    <div class="stage-panel stage-overview">
                        <canvas ref={overview.clone()} data-testid="overview" role="img"
                            aria-label="The whole run; the part in view is framed." />
                    </div>
                    <div class="stage-panel stage-rows">
                        <canvas ref={rows.clone()} data-testid="timeline" role="img"
                            aria-label={self.sheet.described(props)} />
                        { extras::tip(&self.sheet, props, self.tip.as_ref(), self.rest, tip) }
                        { extras::scroll(&self.sheet, scroll) }
                    </div>
                </div>
                { extras::legend(&props.shape, &self.sheet.inks) }
                { extras::twin(props) }
                { extras::lanes(props) }
            </section>
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first_render: bool) {
        let [box_, overview, rows, tip, scroll] = &self.nodes;
        let heights = [(overview, self.sheet.overview_height()), (rows, self.sheet.layout.height)];
        for (node, height) in heights {
            if let Some(node) = node.get() {
                style::set_px(&node, "height", height);
            }
        }
        extras::place_tip(&self.sheet, self.tip.as_ref(), tip);
        extras::place_scroll(&self.sheet, scroll);
        if !first_render {
            return;
        }
        let surface = |part, node: &NodeRef| {
            let link = ctx.link().clone();
            let (whole, scrolls_px) = (Rc::clone(&self.whole), Rc::clone(&self.scrolls_px));
            let heard = move |input| {
                link.send_message(Msg::Input(part, input));
                let Input::Wheel { at, turn, ctrl, .. } = input else { return false };
                let scrolls = part == Part::Rows && at.x < scrolls_px.get();
                // Where there is no further out, the wheel is the page's; a pinch never is.
                turn.y <= 0.0 || ctrl || scrolls || !whole.get()
            };
            Surface::new(node.get()?, Rc::new(heard)).ok()
        };
        let overview = surface(Part::Overview, overview);
        self.surfaces = overview.zip(surface(Part::Rows, rows));
        let told = ctx.link().callback(Msg::Width);
        self._width =
            box_.get().and_then(|node| WidthWatch::new(node, move |width| told.emit(width)).ok());
    }
}

impl Stage {
    fn tell_size(&self, ctx: &Context<Self>) {
        ctx.props().on.emit(StageEvent::Size {
            width_px: self.sheet.width_px(),
            rows: self.sheet.layout.shown(),
        });
    }

    /// Takes an input; whether the view changes, as opposed to the canvases.
    fn input(&mut self, ctx: &Context<Self>, part: Part, input: Input) -> bool {
        let mut view = false;
        for wish in self.sheet.step(part, input, ctx.props().duration_ns) {
            match wish {
                // Spans and ranges are told once a frame, however fast a hand moves.
                Wish::Show(span) => {
                    self.sheet.span = span;
                    self.wished = Some(span);
                    view |= self.tip.take().is_some();
                }
                Wish::Range(range) => {
                    self.sheet.range = range;
                    self.ranged = Some(range);
                }
                Wish::Hover(at) => {
                    view |= self.hover(ctx, at, HOVER_REACH);
                    continue;
                }
                Wish::Click(at, reach) => self.click(ctx, at, reach),
                Wish::Scroll(by) => {
                    if self.sheet.scroll(ctx.props(), by) {
                        self.tell_size(ctx);
                        view = true;
                    }
                }
            }
            self.frame.ask();
        }
        view
    }

    /// The pointer rests here, or nowhere; whether the view changes.
    fn hover(&mut self, ctx: &Context<Self>, at: Option<Point>, reach: f64) -> bool {
        let props = ctx.props();
        let tip = at.and_then(|at| Some((at, self.sheet.hit(props, at, reach)?)));
        let rest = tip.as_ref().and_then(|(at, hit)| {
            let side = props.beside.as_ref().map_or(Side::A, |_| self.sheet.layout.side_at(at.y));
            Some((side, hit.pcpu, self.sheet.hidden(hit)?))
        });
        if rest != self.rest {
            self.rest = rest;
            props.on.emit(StageEvent::RestOn(rest));
        }
        let changes = tip != self.tip;
        self.tip = tip;
        changes
    }

    /// A finger that stays still on the rows will want to see what is there.
    fn watch_hold(&mut self, ctx: &Context<Self>, part: Part, input: Input) {
        match input {
            Input::Down(pointer) if pointer.touch && part == Part::Rows => {
                let link = ctx.link().clone();
                let held = move || link.send_message(Msg::Held(pointer.at));
                self.hold = Some(Timeout::new(HOLD_MS, held));
            }
            Input::Down(_) | Input::Up(_) | Input::Cancel(_) => self.hold = None,
            Input::Move(_) | Input::Leave | Input::Wheel { .. } => {}
        }
    }

    fn click(&self, ctx: &Context<Self>, at: Point, reach: f64) {
        let Some(hit) = self.sheet.hit(ctx.props(), at, reach) else { return };
        let Hit { pcpu, time_ns, what } = hit;
        let on = &ctx.props().on;
        if let Some(beside) = &ctx.props().beside
            && !matches!(what, What::Name | What::Levels(_))
        {
            let side = self.sheet.layout.side_at(at.y);
            if side != beside.in_hand {
                on.emit(StageEvent::Hand(side));
            }
        }
        if ctx.props().range.is_some() {
            on.emit(StageEvent::Range(None));
        }
        match what {
            What::Name => on.emit(StageEvent::Row(pcpu)),
            What::Arrow(arrow) => on.emit(StageEvent::Record(arrow.record)),
            What::Mark(mark) => {
                on.emit(StageEvent::Mark { pcpu, time_ns, kind: mark.kind });
            }
            What::Nothing | What::Segment { .. } | What::Cell(_) | What::Levels(_) => {
                on.emit(StageEvent::Cursor { time_ns, pcpu });
            }
        }
    }

    fn draw(&mut self, ctx: &Context<Self>) {
        let props = ctx.props();
        self.whole.set(self.sheet.span.to_ns - self.sheet.span.from_ns >= props.duration_ns);
        self.scrolls_px.set(self.sheet.scrolls_px());
        if let Some((overview, rows)) = &mut self.surfaces
            && self.sheet.has_width()
        {
            let ground = self.sheet.inks.palette.panel;
            rows.draw(&self.sheet.paint(props), ground);
            overview.draw(&self.sheet.paint_overview(props), ground);
        }
        if let Some(span) = self.wished.take() {
            props.on.emit(StageEvent::Span(span));
        }
        if let Some(range) = self.ranged.take() {
            props.on.emit(StageEvent::Range(range));
        }
    }
}
