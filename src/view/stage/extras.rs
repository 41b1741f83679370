//! What stands around the canvases: tip, legend, the table for those who read.
//!
//! Must not draw on a canvas.

use super::sheet::Sheet;
use super::{Rest, StageProps};
use crate::protocol::{Level, Stretch, Tile, Under};
use crate::timeline::below::row as level_row;
use crate::timeline::draw::{Point, Sign};
use crate::timeline::hit::{Hit, What};
use crate::timeline::legend::{Entry, Swatch, legend as entries};
use crate::timeline::magnified::{Line, Magnified, magnified};
use crate::timeline::paint::Inks;
use crate::timeline::shape::MachineShape;
use crate::timeline::tip::{mark_click, tip as lines};
use crate::timeline::twin::twin as rows;
use crate::view::names::swatch as surface;
use crate::web::style;
use std::rc::Rc;
use yew::prelude::*;

/// What the pointer rests on.
pub fn tip(
    sheet: &Sheet,
    props: &StageProps,
    tip: Option<&(Point, Hit)>,
    rest: Option<Rest>,
    node: &NodeRef,
) -> Html {
    let Some((at, hit)) = tip else { return Html::default() };
    let of_rest = |under: &&Rc<Under>| {
        rest.is_some_and(|(_, pcpu, span)| (under.spot.pcpu, under.spot.span) == (pcpu, span))
    };
    if let Some(under) = props.under.as_ref().filter(of_rest) {
        let side = props.beside.as_ref().map(|_| sheet.layout.side_at(at.y).name());
        let click = match &hit.what {
            What::Mark(mark) => Some(mark_click(mark.count)),
            _ => None,
        };
        return list(&magnified(under, &props.shape), side, click, node);
    }
    let (mut tile, mut of) = (props.tile.as_deref(), None);
    if let Some(beside) = &props.beside {
        let lane = matches!(hit.what, What::Levels(_));
        let side = if lane { beside.in_hand } else { sheet.layout.side_at(at.y) };
        of = Some(side.name());
        tile = side.of(beside.in_hand.in_order(tile, beside.tile.as_deref()));
    }
    let mut lines = lines(hit, &props.shape, tile, sheet.ns_per_px());
    if let (Some(of), Some(first)) = (of, lines.first_mut()) {
        *first = format!("{of}: {first}");
    }
    html! {
        <div class="stage-tip" ref={node.clone()}>
            { for lines.into_iter().map(|line| html! { <div>{ line }</div> }) }
        </div>
    }
}

/// What a pixel hides, one by one.
fn list(
    told: &Magnified,
    side: Option<&'static str>,
    click: Option<&'static str>,
    node: &NodeRef,
) -> Html {
    let [place, counts] = &told.head;
    let row = |line: &Line| {
        html! { <tr><td>{ &line.time }</td><td>{ &line.what }</td><td>{ &line.length }</td></tr> }
    };
    html! {
        <div class="stage-tip magnified" ref={node.clone()} data-testid="magnifier">
            <div>{ side.map(|side| format!("{side}: ")) }{ place }</div>
            <div>{ counts }</div>
            <table><tbody>{ for told.lines.iter().map(row) }</tbody></table>
            { for told.more.as_deref().into_iter().chain(click).map(|line| html! { <div>{ line.to_owned() }</div> }) }
        </div>
    }
}

/// Puts the tip beside the pointer, on the sides that have more room.
pub fn place_tip(sheet: &Sheet, tip: Option<&(Point, Hit)>, node: &NodeRef) {
    let Some(((at, _), node)) = tip.zip(node.get()) else { return };
    let (width, height) = (sheet.layout.width, sheet.layout.height);
    let (side, other, gap) =
        if at.x > width / 2.0 { ("right", "left", width - at.x) } else { ("left", "right", at.x) };
    style::set_px(&node, side, gap + 14.0);
    style::set(&node, other, "auto");
    let (side, other, gap) = if at.y > height / 2.0 {
        ("bottom", "top", height - at.y)
    } else {
        ("top", "bottom", at.y)
    };
    style::set_px(&node, side, gap + 14.0);
    style::set(&node, other, "auto");
}

/// Where the rows shown stand among all; nothing if all are shown.
pub fn scroll(sheet: &Sheet, node: &NodeRef) -> Html {
    let (_, count) = sheet.layout.shown();
    if count == sheet.layout.total || count == 0 {
        return Html::default();
    }
    html! { <div class="stage-scroll" ref={node.clone()} aria-hidden="true" /> }
}

/// Puts the mark of [`scroll`] where it belongs.
pub fn place_scroll(sheet: &Sheet, node: &NodeRef) {
    let layout = &sheet.layout;
    let (first, count) = layout.shown();
    if let Some(node) = node.get() {
        let per_row = layout.plot.h / f64::from(layout.total);
        style::set_px(&node, "top", layout.plot.y + f64::from(first) * per_row);
        style::set_px(&node, "height", f64::from(count) * per_row);
    }
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
        Swatch::Surface(fill) => surface(&fill, "swatch", (11, 11)),
        Swatch::Lane(fill) => surface(&fill, "swatch lane", (18, 5)),
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

/// The picture as a table; that of two runs as one for each.
pub fn twin(props: &StageProps) -> Html {
    let Some(beside) = &props.beside else {
        return table(props, (props.tile.as_deref(), props.stretch.as_deref()), "What is in view");
    };
    let own = (props.tile.as_deref(), props.stretch.as_deref());
    let [a, b] = beside.in_hand.in_order(own, (beside.tile.as_deref(), beside.stretch.as_deref()));
    html! {
        <>
            { table(props, a, "What is in view of A") }
            { table(props, b, "What is in view of B") }
        </>
    }
}

fn table(
    props: &StageProps,
    (tile, stretch): (Option<&Tile>, Option<&Stretch>),
    caption: &'static str,
) -> Html {
    let rows = tile.map(|tile| rows(&props.shape, tile, stretch, props.cursor_ns));
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
            <caption>{ caption }</caption>
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

/// The lanes below the rows as a table.
pub fn lanes(props: &StageProps) -> Html {
    if props.lanes.is_empty() {
        return Html::default();
    }
    let levels = props.levels.as_deref();
    let row = |level: &Level| {
        let [name, cursor, view] = level_row(*level, &props.shape, levels, props.cursor_ns);
        html! { <tr><th scope="row">{ name }</th><td>{ cursor }</td><td>{ view }</td></tr> }
    };
    let of = props.beside.as_ref().map(|beside| format!(" of {}", beside.in_hand.name()));
    html! {
        <table class="stage-twin" data-testid="lanes-twin">
            <caption>{ "Lanes below the rows" }{ of }</caption>
            <thead>
                <tr>
                    <th scope="col">{ "lane" }</th>
                    <th scope="col">{ "at the cursor" }</th>
                    <th scope="col">{ "lowest to highest in view" }</th>
                </tr>
            </thead>
            <tbody>{ for props.lanes.iter().flatten().map(row) }</tbody>
        </table>
    }
}
