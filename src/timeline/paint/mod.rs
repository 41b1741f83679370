//! The timeline as a draw list.
//!
//! Pure: the same tile and the same view give the same list, byte by byte, and never more than a
//! few thousand things to draw: what is too much is drawn as rows of colours. Must not know who
//! draws.

mod arrows;
mod bars;
mod belief;
mod frame;
mod levels;
mod marks;
mod overview;
mod pair;
mod raster;

pub use arrows::{curve, dash};
pub use levels::{Below, paint_below};
pub use marks::{Shown, shown_marks, sign_of};
pub use overview::{
    OverviewPicture, overview_height, overview_rows, overview_rows_of_both, paint_overview,
};
pub use pair::{Half, PairPicture, half_picture, paint_pair};
pub use raster::cells_of;

use super::differ::Differences;
use super::draw::{Align, Area, DrawList, Type};
use super::layout::Layout;
use super::scale::Scale;
use super::shape::MachineShape;
use super::theme::{Colour, Fill, Palette, Scheme, Sizes, Texture};
use crate::protocol::{IDLE, Record, SWITCHING, Span, Tile};

/// What is left of a colour that is greyed, in 255ths.
const GREYED: u8 = 76;

/// Surfaces and names of everything that can run; made once for a machine and a theme.
#[derive(Clone, Debug, PartialEq)]
pub struct Inks {
    /// The theme's colours.
    pub palette: &'static Palette,
    /// The theme's sizes.
    pub sizes: Sizes,
    /// Per vCPU, its surface, the colour of its name there, and its name.
    vcpus: Vec<(Fill, Colour, String)>,
}

/// What a timeline shows.
#[derive(Clone, Copy, Debug)]
pub struct Picture<'a> {
    /// Colours and names.
    pub inks: &'a Inks,
    /// Where everything stands.
    pub layout: &'a Layout,
    /// The time to show.
    pub span: Span,
    /// What is known; may be of another stretch of time, and is then laid where it belongs.
    pub tile: Option<&'a Tile>,
    /// The cursor, in ns.
    pub cursor_ns: u64,
    /// The selected record.
    pub selected: Option<Record>,
    /// Records whose arrows are lit.
    pub lit: &'a [u32],
    /// The chosen row (pCPU).
    pub row: u16,
    /// The chosen range.
    pub range: Option<Span>,
    /// Screen pixels per px.
    pub dpr: f64,
    /// Where another run differs, if there is one beside: all else is grey.
    pub differs: Option<&'a Differences>,
    /// Up to when the run beside is alike, in ns: signs and arrows before are grey. 0 without one.
    pub alike_until_ns: u64,
}

impl Inks {
    /// The surfaces of a machine's guests.
    #[must_use]
    pub fn new(shape: &MachineShape, scheme: Scheme, sizes: Sizes) -> Self {
        let palette = Palette::of(scheme);
        let ink = |(number, vcpu)| {
            let fill = palette.vcpu(vcpu);
            (fill, palette.label_on(fill.ground), shape.vcpu_name(number))
        };
        let vcpus = (0u16..).zip(shape.vcpus.iter().copied()).map(ink).collect();
        Self { palette, sizes, vcpus }
    }

    /// The surface of whatever runs; a context switch is striped.
    #[must_use]
    pub fn fill(&self, vcpu: u16) -> Fill {
        match vcpu {
            SWITCHING => Fill {
                ground: self.palette.idle,
                texture: Texture::Stripes,
                ink: self.palette.muted.with_alpha(200),
            },
            IDLE => Fill::plain(self.palette.idle),
            _ => self
                .vcpus
                .get(usize::from(vcpu))
                .map_or(Fill::plain(self.palette.muted), |(fill, _, _)| *fill),
        }
    }

    /// The surface of what runs alike beside: a trace of its colour is left.
    #[must_use]
    pub fn greyed(&self, fill: Fill) -> Fill {
        let ground = self.palette.idle.mixed(fill.ground, GREYED);
        Fill { ground, texture: fill.texture, ink: self.palette.panel.with_alpha(110) }
    }

    /// A guest's name and the colour that it is written in on its surface.
    #[must_use]
    pub fn label(&self, vcpu: u16) -> Option<(&str, Colour)> {
        self.vcpus.get(usize::from(vcpu)).map(|(_, colour, name)| (name.as_str(), *colour))
    }

    fn type_(&self, align: Align) -> Type {
        Type { size: self.sizes.text, bold: false, align, turned: false }
    }

    fn bold(&self, align: Align) -> Type {
        Type { bold: true, ..self.type_(align) }
    }
}

impl Picture<'_> {
    fn scale(&self) -> Scale {
        self.layout.scale(self.span)
    }

    /// A pixel on the screen's own grid, so that edges are crisp.
    fn snap(&self, px: f64) -> f64 {
        (px * self.dpr).round() / self.dpr
    }

    /// The part of the view that the tile knows about, in ns; none if it knows nothing of it.
    fn known(&self) -> Option<Span> {
        let tile = self.tile?;
        let from_ns = tile.span.from_ns.max(self.span.from_ns);
        let to_ns = tile.span.to_ns.min(self.span.to_ns).min(tile.reached_ns);
        (from_ns < to_ns).then_some(Span { from_ns, to_ns })
    }

    /// A tile's cells laid over the view.
    fn laid<'a>(&self, tile: &Tile, scale: &'a Scale, count: usize) -> raster::Laid<'a> {
        let to_ns = tile.span.to_ns.min(tile.reached_ns).max(tile.span.from_ns);
        let span = Span { from_ns: tile.span.from_ns, to_ns };
        raster::Laid { scale, count, span, shift: tile.shift }
    }

    /// The area between two moments at the height of `band`, held within the rows, at least
    /// `width_min` px wide.
    fn stretch(&self, scale: &Scale, span: (u64, u64), band: &Area, width_min: f64) -> Area {
        let x = self.snap(scale.x_within(span.0)).clamp(band.x, band.right());
        let right = self.snap(scale.x_within(span.1)).clamp(band.x, band.right());
        let w = (right - x).max(width_min);
        Area { x: x.min(band.right() - w).max(band.x), w: w.min(band.w), ..*band }
    }
}

/// Draws a timeline.
#[must_use]
pub fn paint(picture: &Picture) -> DrawList {
    let mut list = DrawList::new(picture.layout.width, picture.layout.height);
    frame::grid(picture, &mut list);
    frame::names(picture, &mut list);
    lanes(picture, &mut list);
    frame::rest(picture, &mut list);
    frame::range(picture, &mut list);
    frame::cursor(picture, &mut list);
    list
}

/// Draws what is known of the rows.
fn lanes(picture: &Picture, list: &mut DrawList) {
    let (Some(tile), Some(known)) = (picture.tile, picture.known()) else { return };
    let names = bars::paint(picture, tile, known, list);
    belief::paint(picture, tile, known, list);
    arrows::paint(picture, tile, list);
    list.ops.extend(names);
    marks::paint(picture, tile, known, list);
    arrows::paint_lit(picture, tile, list);
}

#[cfg(test)]
mod tests;
#[cfg(test)]
mod zoom_tests;
