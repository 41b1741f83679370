//! A chart on its canvas, with its title, keys and table.
//!
//! Must not know what it plots.

use super::bars::{self, Bars};
use super::{credits, latency};
use crate::protocol::Summary;
use crate::timeline::theme::{Colour, Fill, Palette, Scheme};
use crate::view::names::swatch;
use crate::web::chart::backend;
use crate::web::style;
use crate::web::surface::{WidthWatch, dpr};
use plotters::prelude::*;
use plotters::style::text_anchor;
use std::rc::Rc;
use yew::prelude::*;

/// What a figure draws.
#[derive(Clone, Debug, PartialEq)]
pub enum Plot {
    /// Bars over an axis.
    Bars(Bars),
    /// Wake-to-run latency.
    Latency(Rc<Summary>),
    /// Credit over time.
    Credits(credits::Lines),
}

/// The words and numbers of a chart.
#[derive(Clone, Debug, PartialEq)]
pub struct Content {
    /// What it shows.
    pub title: &'static str,
    /// Beside the title.
    pub note: String,
    /// How it is worked out, where that is to be told.
    pub method: &'static str,
    /// Colours with what they stand for.
    pub keys: Vec<(Colour, &'static str)>,
    /// Heads of the table's columns.
    pub heads: Vec<&'static str>,
    /// The table's rows.
    pub rows: Vec<Vec<String>>,
    /// What is drawn.
    pub plot: Plot,
}

impl Content {
    /// Height of the canvas, in px.
    fn height(&self) -> f64 {
        match &self.plot {
            Plot::Bars(bars) => bars.height(),
            Plot::Latency(_) => latency::HEIGHT,
            Plot::Credits(_) => credits::HEIGHT,
        }
    }
}

/// What a figure shows.
#[derive(Properties, PartialEq)]
pub struct FigureProps {
    /// Its words and numbers.
    pub content: Rc<Content>,
    /// Which colours show.
    pub scheme: Scheme,
}

/// What a chart is drawn with: a canvas whose unit is a screen pixel.
pub struct Pencil<'a> {
    /// Colours.
    pub palette: &'a Palette,
    /// Screen pixels per px.
    pub dpr: f64,
    /// Width, in px.
    pub width: f64,
}

impl Pencil<'_> {
    /// Whole screen pixels.
    pub fn at(&self, px: f64) -> i32 {
        whole(px * self.dpr)
    }

    /// The style of text, its point at the middle of its height.
    pub fn text(&self, colour: Colour, h: text_anchor::HPos) -> TextStyle<'static> {
        let size = self.at(12.0);
        let font = FontDesc::new(
            FontFamily::Name("system-ui, 'DejaVu Sans', sans-serif"),
            size.into(),
            FontStyle::Normal,
        );
        let pos = text_anchor::Pos::new(h, text_anchor::VPos::Center);
        TextStyle { font, color: ink(colour).to_backend_color(), pos }
    }
}

/// A colour as plotters takes it.
pub fn ink(colour: Colour) -> RGBAColor {
    let [r, g, b] = colour.rgb;
    RGBAColor(r, g, b, f64::from(colour.alpha) / 255.0)
}

#[expect(clippy::cast_possible_truncation, reason = "pixels of a screen are few")]
fn whole(value: f64) -> i32 {
    value.round().clamp(-1e6, 1e6) as i32
}

/// A chart with its title, keys and table.
#[component]
pub fn Figure(props: &FigureProps) -> Html {
    let content = &props.content;
    let canvas = use_node_ref();
    let frame = use_node_ref();
    let width = use_state(|| 0.0f64);
    use_effect_with(frame.clone(), {
        let width = width.setter();
        move |frame| {
            let watch =
                frame.get().and_then(|node| WidthWatch::new(node, move |now| width.set(now)).ok());
            move || drop(watch)
        }
    });
    use_effect_with((Rc::clone(content), props.scheme, *width), {
        let (canvas, height) = (canvas.clone(), content.height());
        move |(content, scheme, width)| {
            if let Some(node) = canvas.get() {
                style::set_px(&node, "height", height);
            }
            if let Some(node) = canvas.get().filter(|_| *width > 0.0)
                && let Some(backend) = backend(node, *width * dpr(), height * dpr())
            {
                let palette = Palette::of(*scheme);
                let pencil = Pencil { palette, dpr: dpr(), width: *width };
                let area = backend.into_drawing_area();
                // A chart that a browser refuses to draw still has its table.
                let _ = match &content.plot {
                    Plot::Bars(bars) => bars::draw(&area, &pencil, bars),
                    Plot::Latency(summary) => latency::draw(&area, &pencil, summary),
                    Plot::Credits(lines) => credits::draw(&area, &pencil, lines),
                };
            }
        }
    });
    let key = |(colour, name): &(Colour, &'static str)| {
        html! { <li>{ swatch(&Fill::plain(*colour), "swatch", (11, 11)) }{ *name }</li> }
    };
    html! {
        <figure class="chart">
            <h2>{ content.title }{ " " }<small>{ &content.note }</small></h2>
            <div class="chart-frame" ref={frame}>
                <canvas ref={canvas} role="img"
                    aria-label={format!("{}: {}. The table below tells the same.", content.title, content.note)} />
            </div>
            { (!content.keys.is_empty()).then(|| html! {
                <ul class="chart-keys">{ for content.keys.iter().map(key) }</ul>
            }) }
            { (!content.method.is_empty()).then(|| html! { <p class="method">{ content.method }</p> }) }
            { table(content) }
        </figure>
    }
}

fn table(content: &Content) -> Html {
    let cells = |row: &Vec<String>| {
        let mut cells = row.iter();
        let head = cells.next().cloned().unwrap_or_default();
        html! {
            <tr><th scope="row">{ head }</th>{ for cells.map(|cell| html! { <td>{ cell }</td> }) }</tr>
        }
    };
    html! {
        <details>
            <summary data-testid="as-table">{ "As a table" }</summary>
            <div class="chart-table" tabindex="0" role="region" aria-label={content.title}>
                <table data-testid="chart-table">
                    <thead>
                        <tr>{ for content.heads.iter().map(|head| html! { <th scope="col">{ *head }</th> }) }</tr>
                    </thead>
                    <tbody>{ for content.rows.iter().map(cells) }</tbody>
                </table>
            </div>
        </details>
    }
}
