//! What the stage has laid out: sizes, colours, and the stretch of time that it draws.
//!
//! Pure, but for the screen's pixel ratio. Must not draw.

use super::StageProps;
use crate::protocol::{Overview, Side, Span};
use crate::timeline::below;
use crate::timeline::differ::Differences;
use crate::timeline::draw::{Area, DrawList, Point};
use crate::timeline::gesture::{Gesture, Ground, Input, Part, Wish};
use crate::timeline::hit::{Hit, What, hit};
use crate::timeline::label::MomentUnit;
use crate::timeline::layout::{Layout, Room};
use crate::timeline::magnified::hidden;
use crate::timeline::paint::{
    Below, Half, Inks, OverviewPicture, PairPicture, Picture, half_picture, overview_height,
    overview_rows, overview_rows_of_both, paint, paint_below, paint_overview, paint_pair,
};
use crate::timeline::scale::{Scale, pixels};
use crate::timeline::theme::Scheme;
use crate::web::surface::dpr;
use std::rc::Rc;

/// The lay-out, with what a hand has asked for and the page has not yet answered.
pub struct Sheet {
    /// Where everything stands.
    pub layout: Layout,
    /// Colours and names.
    pub inks: Inks,
    /// The time shown; ahead of the properties while a hand moves.
    pub span: Span,
    /// The range shown; likewise.
    pub range: Option<Span>,
    width: f64,
    first: u16,
    gesture: Gesture,
    strip: Option<Strip>,
    /// The halves of doubled rows, A's and B's, while there are two runs.
    halves: Option<[Layout; 2]>,
}

/// The overview's rows of colours, with what they were made for.
struct Strip {
    of: Rc<Overview>,
    /// The other run's, if there is one.
    beside: Option<Rc<Overview>>,
    /// Where they stand, screen pixels per px, which colours show.
    look: (Area, f64, Scheme),
    rows: Vec<Rc<[u8]>>,
}

/// Rows on the stage before it knows its width.
const WIDTH_START: f64 = 800.0;
/// The rows' height up to 16 of them, in px.
const HEIGHT: f64 = 424.0;
/// And for more, in px.
const HEIGHT_MANY: f64 = 560.0;

/// What lanes leave to the rows where room is short, in px.
const ROWS_LEAST: f64 = 120.0;

impl Sheet {
    /// The lay-out before the stage is measured.
    pub fn new(props: &StageProps) -> Self {
        let inks = Inks::new(&props.shape, props.scheme, props.sizes);
        let layout = lay_out(props, &inks, WIDTH_START, 0);
        Self {
            layout,
            inks,
            span: props.span,
            range: props.range,
            width: 0.0,
            first: 0,
            gesture: Gesture::default(),
            strip: None,
            halves: None,
        }
    }

    /// The lay-out of a picture that leaves the page: rows from `first` on, `plot` px wide.
    pub fn of(props: &StageProps, plot: f64, first: u16) -> Self {
        let mut sheet = Self::new(props);
        sheet.first = first;
        sheet.width = WIDTH_START - sheet.layout.plot.w + plot;
        sheet.lay_out(props);
        sheet
    }

    /// Takes new properties; whether other tiles are needed for the room that there is now.
    pub fn take(&mut self, props: &StageProps, old: &StageProps) -> bool {
        self.span = props.span;
        self.range = props.range;
        let same_shape = Rc::ptr_eq(&props.shape, &old.shape) || props.shape == old.shape;
        let same_look = (props.scheme, props.sizes) == (old.scheme, old.sizes);
        if !same_shape || !same_look {
            self.inks = Inks::new(&props.shape, props.scheme, props.sizes);
        }
        if !same_shape {
            self.first = 0;
        }
        if props.row != old.row || !same_shape {
            self.first = self.layout.first_to_show(props.row);
        }
        self.lay_out(props)
    }

    /// Takes the stage's width, in px; whether other tiles are needed.
    pub fn set_width(&mut self, props: &StageProps, width: f64) -> bool {
        let first = !self.has_width();
        self.width = width;
        let changed = self.lay_out(props);
        self.has_width() && (first || changed)
    }

    /// Scrolls rows; whether other tiles are needed.
    pub fn scroll(&mut self, props: &StageProps, by: i32) -> bool {
        let first = i32::from(self.layout.shown().0).saturating_add(by).max(0);
        self.first = u16::try_from(first).unwrap_or(u16::MAX);
        self.lay_out(props)
    }

    /// Whether the stage has been measured.
    pub fn has_width(&self) -> bool {
        self.width > 0.0
    }

    /// Width of the rows, in pixels of the screen.
    pub fn width_px(&self) -> u32 {
        pixels(self.layout.plot.w * dpr())
    }

    /// Height of the overview strip, in px.
    pub fn overview_height(&self) -> f64 {
        let rows = usize::from(self.layout.total);
        overview_height(if self.layout.doubled { 2 * rows } else { rows })
    }

    /// What follows from an input.
    pub fn step(&mut self, part: Part, input: Input, duration_ns: u64) -> Vec<Wish> {
        let whole = self.whole(duration_ns);
        self.gesture.step(part, input, &Ground { layout: &self.layout, span: self.span, whole })
    }

    /// A finger has been still for long; see [`Gesture::hold`].
    pub fn hold(&mut self) -> bool {
        self.gesture.hold()
    }

    /// The pixel that shows what was hit, if it may hide more than that.
    pub fn hidden(&self, hit: &Hit) -> Option<Span> {
        hidden(hit, &self.layout.scale(self.span), dpr())
    }

    /// What is at a point of the rows.
    pub fn hit(&self, props: &StageProps, at: Point, reach: f64) -> Option<Hit> {
        let levels = props.levels.as_deref();
        if let Some((time_ns, found)) = below::under(&self.layout, self.span, levels, at) {
            return Some(Hit { pcpu: props.row, time_ns, what: What::Levels(found) });
        }
        let whole = self.picture(props);
        let Some(halves) = self.halves(props) else { return hit(&whole, at, reach) };
        let half = self.layout.side_at(at.y).of(halves);
        hit(&half_picture(&whole, &half), at, reach)
    }

    /// A's and B's rows; none if there is one run.
    fn halves<'a>(&'a self, props: &'a StageProps) -> Option<[Half<'a>; 2]> {
        let (beside, layouts) = (props.beside.as_ref()?, self.halves.as_ref()?);
        let in_hand = Half {
            layout: &layouts[0],
            tile: props.tile.as_deref(),
            selected: props.selected,
            lit: &props.selected_arrow_records,
        };
        let other = Half {
            layout: &layouts[0],
            tile: beside.tile.as_deref(),
            selected: beside.selected,
            lit: &beside.lit,
        };
        let mut halves = beside.in_hand.in_order(in_hand, other);
        halves[1].layout = &layouts[1];
        Some(halves)
    }

    /// The rows, and the lanes below them.
    pub fn paint(&self, props: &StageProps) -> DrawList {
        let mut list = self.paint_rows(props);
        let (levels, side) = (props.levels.as_deref(), props.beside.as_ref());
        let side = side.map(|beside| beside.in_hand);
        let below = Below { shape: &props.shape, levels, side };
        paint_below(&self.picture(props), &below, &mut list);
        list
    }

    fn paint_rows(&self, props: &StageProps) -> DrawList {
        let whole = self.picture(props);
        let Some(halves) = self.halves(props) else { return paint(&whole) };
        let parting_ns = props.beside.as_ref().and_then(|beside| beside.parting_ns);
        let differs = match halves.map(|half| half.tile) {
            [Some(a), Some(b)] => Differences::of([a, b], self.span),
            _ => Differences::default(),
        };
        let alike_until_ns = parting_ns.unwrap_or(u64::MAX);
        let whole = Picture { differs: Some(&differs), alike_until_ns, ..whole };
        paint_pair(&PairPicture { whole, halves, parting_ns })
    }

    /// The overview strip.
    pub fn paint_overview(&mut self, props: &StageProps) -> DrawList {
        self.refresh_strip(props);
        let strip = self.strip.as_ref();
        paint_overview(&OverviewPicture {
            inks: &self.inks,
            scale: self.whole(props.duration_ns),
            size: (self.layout.width, self.overview_height()),
            rows: strip.map_or(&[], |strip| &strip.rows),
            reached_ns: strip.map_or(0, |strip| strip.of.reached_ns).min(props.until_ns),
            brush: self.span,
            cursor_ns: props.cursor_ns,
            parting_ns: props.beside.as_ref().and_then(|beside| beside.parting_ns),
        })
    }

    /// Makes the overview's rows of colours anew if they are of another overview or look.
    fn refresh_strip(&mut self, props: &StageProps) {
        let Some(overview) = &props.overview else {
            self.strip = None;
            return;
        };
        let look = (self.layout.plot, dpr(), props.scheme);
        let beside = props.beside.as_ref().and_then(|beside| beside.overview.as_ref());
        let fresh = |strip: &Strip| {
            let same = match (&strip.beside, beside) {
                (Some(old), Some(new)) => Rc::ptr_eq(old, new),
                (old, new) => old.is_none() && new.is_none(),
            };
            same && Rc::ptr_eq(&strip.of, overview) && strip.look == look
        };
        if !self.strip.as_ref().is_some_and(fresh) {
            let scale = self.whole(props.duration_ns);
            let side = props.beside.as_ref().map_or(Side::A, |beside| beside.in_hand);
            let rows = match beside {
                Some(other) => {
                    let both = side.in_order(&**overview, &**other);
                    overview_rows_of_both(both, &scale, &self.inks, dpr())
                }
                None => overview_rows(overview, &scale, &self.inks, dpr()),
            };
            let (of, beside) = (Rc::clone(overview), beside.cloned());
            self.strip = Some(Strip { of, beside, look, rows });
        }
    }

    /// The rows in a sentence.
    pub fn described(&self, props: &StageProps) -> String {
        let unit = MomentUnit::for_end(props.span.to_ns);
        let moment = |ns| unit.precise(ns, self.ns_per_px());
        let doubled = if self.layout.doubled { ", each with A above B," } else { "" };
        format!(
            "{} pCPUs{doubled} from {} to {}, cursor at {}. The table below tells the same.",
            props.shape.pcpus.len(),
            moment(props.span.from_ns),
            moment(props.span.to_ns),
            moment(props.cursor_ns),
        )
    }

    /// Up to where the wheel scrolls rows, in px; 0 if all rows are shown.
    pub fn scrolls_px(&self) -> f64 {
        let (_, count) = self.layout.shown();
        if count < self.layout.total { self.layout.plot.x } else { 0.0 }
    }

    /// How long a pixel is, in ns.
    pub fn ns_per_px(&self) -> f64 {
        self.layout.scale(self.span).ns_per_px()
    }

    fn whole(&self, duration_ns: u64) -> Scale {
        self.layout.scale(Span { from_ns: 0, to_ns: duration_ns })
    }

    fn picture<'a>(&'a self, props: &'a StageProps) -> Picture<'a> {
        Picture {
            inks: &self.inks,
            layout: &self.layout,
            span: self.span,
            tile: props.tile.as_deref(),
            cursor_ns: props.cursor_ns,
            selected: props.selected,
            lit: &props.selected_arrow_records,
            row: props.row,
            range: self.range,
            dpr: dpr(),
            differs: None,
            alike_until_ns: 0,
        }
    }

    fn lay_out(&mut self, props: &StageProps) -> bool {
        let width = if self.width > 0.0 { self.width } else { WIDTH_START };
        let layout = lay_out(props, &self.inks, width, self.first);
        let changed = layout != self.layout;
        self.halves = layout.doubled.then(|| Side::BOTH.map(|side| layout.side(side)));
        self.layout = layout;
        self.first = self.layout.shown().0;
        changed && self.width > 0.0
    }
}

fn lay_out(props: &StageProps, inks: &Inks, width: f64, first: u16) -> Layout {
    let doubled = props.beside.is_some();
    let few = if doubled { 4 } else { 16 };
    let height = if props.shape.pcpus.len() <= few { HEIGHT } else { HEIGHT_MANY };
    let sizes = inks.sizes;
    let lanes = below::height(&props.lanes, sizes);
    let left = |room: u32| (f64::from(room) - lanes).max(ROWS_LEAST);
    let height_max = props.room_px.map_or(height, left);
    let layout = Layout::new(&props.shape, Room { width, height_max, first, sizes, doubled });
    layout.with_below(&props.lanes, sizes)
}
