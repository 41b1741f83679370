//! What stands around the canvases: tip, legend, the table for those who read.
//!
//! Must not draw on a canvas.

use super::StageProps;
use super::sheet::Sheet;
use crate::timeline::draw::{Point, Sign};
use crate::timeline::hit::Hit;
use crate::timeline::legend::{Entry, Swatch, legend as entries};
use crate::timeline::paint::Inks;
use crate::timeline::shape::MachineShape;
use crate::timeline::theme::{Fill, Texture};
use crate::timeline::tip::tip as lines;
use crate::timeline::twin::twin as rows;
use yew::prelude::*;

/// What the pointer rests on.
pub fn tip(sheet: &Sheet, props: &StageProps, tip: Option<&(Point, Hit)>) -> Html {
    let Some((at, hit)) = tip else { return Html::default() };
    let lines = lines(hit, &props.shape, props.tile.as_deref(), sheet.ns_per_px());
    let side = if at.x > sheet.layout.width / 2.0 {
        format!("right:{:.0}px", sheet.layout.width - at.x + 14.0)
    } else {
        format!("left:{:.0}px", at.x + 14.0)
    };
    html! {
        <div class="stage-tip" style={format!("{side};top:{:.0}px", at.y + 14.0)}>
            { for lines.into_iter().map(|line| html! { <div>{ line }</div> }) }
        </div>
    }
}

/// Where the rows shown stand among all; nothing if all are shown.
pub fn scroll(sheet: &Sheet) -> Html {
    let layout = &sheet.layout;
    let (first, count) = layout.shown();
    if count == layout.total || count == 0 {
        return Html::default();
    }
    let per_row = layout.plot.h / f64::from(layout.total);
    let top = layout.plot.y + f64::from(first) * per_row;
    let style = format!("top:{top:.1}px;height:{:.1}px", f64::from(count) * per_row);
    html! { <div class="stage-scroll" style={style} aria-hidden="true" /> }
}

/// What colours and signs stand for.
pub fn legend(shape: &MachineShape, inks: &Inks) -> Html {
    let entry = |entry: Entry| {
        html! {
            <li title={entry.meaning}>{ swatch(entry.swatch, inks) }{ entry.name }</li>
        }
    };
    html! { <ul class="stage-legend" aria-label="Legend">{ for entries(shape, inks).into_iter().map(entry) }</ul> }
}

fn swatch(swatch: Swatch, inks: &Inks) -> Html {
    match swatch {
        Swatch::Surface(fill) => {
            html! { <i class="swatch" style={background(&fill)} aria-hidden="true" /> }
        }
        Swatch::Lane(fill) => {
            html! { <i class="swatch lane" style={background(&fill)} aria-hidden="true" /> }
        }
        Swatch::Sign(sign) => {
            let accent = sign == Sign::Down;
            let class = if accent { "sign accent" } else { "sign" };
            html! { <i class={class} aria-hidden="true">{ letter(sign) }</i> }
        }
        Swatch::Arrow(dash) => {
            let palette = inks.palette;
            let colour = if dash > 0.0 { palette.text } else { palette.accent };
            html! {
                <svg class="arrow" viewBox="0 0 22 12" aria-hidden="true" fill="none"
                    stroke={colour.css()} stroke-width="1.6">
                    <path d="M1 2C9 2 12 5 15 8" stroke-dasharray={format!("{dash}")} />
                    <path d="M19 11L11.5 9.5L15.5 5.5Z" fill={colour.css()} stroke="none" />
                </svg>
            }
        }
    }
}

const fn letter(sign: Sign) -> &'static str {
    match sign {
        Sign::Up => "▲",
        Sign::Down => "▼",
        Sign::Left => "◀",
        Sign::Right => "▶",
        Sign::Diamond => "◆",
        Sign::Bar => "❘",
    }
}

/// A surface as style sheets write it.
fn background(fill: &Fill) -> String {
    let (ground, ink) = (fill.ground.css(), fill.ink.css());
    let lines =
        |angle| format!("repeating-linear-gradient({angle}deg,{ink} 0 1px,transparent 1px 4px)");
    match fill.texture {
        Texture::Plain => format!("background:{ground}"),
        Texture::Stripes => format!("background:{},{ground}", lines(135)),
        Texture::Cross => format!("background:{},{},{ground}", lines(135), lines(45)),
    }
}

/// The picture as a table.
pub fn twin(props: &StageProps) -> Html {
    let rows = props.tile.as_ref().map(|tile| rows(&props.shape, tile, props.cursor_ns));
    let row = |row: crate::timeline::twin::TwinRow| {
        html! {
            <tr>
                <th scope="row">{ row.pcpu }</th>
                <td>{ row.current }</td>
                <td>{ row.busy }</td>
                <td>{ row.believed_idle }</td>
                <td>{ row.events }</td>
            </tr>
        }
    };
    html! {
        <table class="stage-twin" data-testid="twin">
            <caption>{ "What is in view" }</caption>
            <thead>
                <tr>
                    <th scope="col">{ "pCPU" }</th>
                    <th scope="col">{ "runs at the cursor" }</th>
                    <th scope="col">{ "busy in view" }</th>
                    <th scope="col">{ "believed idle at the cursor" }</th>
                    <th scope="col">{ "events in view" }</th>
                </tr>
            </thead>
            <tbody>{ for rows.into_iter().flatten().map(row) }</tbody>
        </table>
    }
}
