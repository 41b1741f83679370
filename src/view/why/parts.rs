//! The parts of an explanation: masks, rules, chain, candidates, inputs, counters.

use crate::protocol::{
    Candidate, ChainLink, FactRow, MaskRole, MaskRow, RuleRow, Table, TableRow, Tone,
};
use crate::state::Action;
use crate::view::names::{Names, bit_heads, bits};
use crate::view::words;
use yew::prelude::*;

/// The most pCPUs whose masks are shown bit by bit at once.
const BITS_MAX: usize = 32;

/// The most rows of a table that are shown at once.
const ROWS_MAX: usize = 40;

/// The masks as rows of bits, with each AND drawn: a line above what comes out.
pub(super) fn masks(names: &Names, rows: &[MaskRow]) -> Html {
    let Some(first) = rows.first() else { return Html::default() };
    let grid = html! {
        <>
            <div class="mask"><span></span>{ bit_heads(first.bits.len()) }</div>
            { for rows.iter().map(|row| mask(names, row)) }
        </>
    };
    if first.bits.len() <= BITS_MAX {
        return html! {
            <section class="of-masks" aria-label="Masks">
                <h3>{ "Masks" }</h3>
                <div class="masks" data-testid="why-masks">{ grid }</div>
            </section>
        };
    }
    html! {
        <section class="of-masks" aria-label="Masks">
            <h3>{ "Masks" }</h3>
            <table class="facts" data-testid="why-masks">
                <tbody>{ for rows.iter().map(|row| named(names, row)) }</tbody>
            </table>
            <details class="bit-by-bit">
                <summary>{ "Bit by bit" }</summary>
                <div class="masks">{ grid }</div>
            </details>
        </section>
    }
}

/// What stands before a mask: how it comes about.
const fn sign(role: MaskRole) -> &'static str {
    match role {
        MaskRole::Input | MaskRole::Or => "",
        MaskRole::And => "∩ ",
        MaskRole::Result => "= ",
    }
}

/// A mask of a large machine: its pCPUs by name.
fn named(names: &Names, row: &MaskRow) -> Html {
    let class = (row.role == MaskRole::Result).then_some("result");
    html! {
        <tr {class}>
            <th scope="row">{ sign(row.role) }{ names.sentence(&row.label) }</th>
            <td>{ words::runs(&row.bits) }</td>
        </tr>
    }
}

fn mask(names: &Names, row: &MaskRow) -> Html {
    let class = match row.role {
        MaskRole::Input => "",
        MaskRole::And => "and",
        MaskRole::Or => "or",
        MaskRole::Result => "result",
    };
    let what = names.plain(&row.label);
    html! {
        <div class={classes!("mask", class)}>
            <span>{ sign(row.role) }{ names.sentence(&row.label) }</span>
            { bits(&row.bits, row.role == MaskRole::Result, &what) }
        </div>
    }
}

/// The decision table with the row taken lit.
pub(super) fn rules(title: &str, rows: &[RuleRow]) -> Html {
    if rows.is_empty() {
        return Html::default();
    }
    html! {
        <section aria-label="Rule taken">
            <h3>{ "Rule taken " }<small>{ title }</small></h3>
            <table class="rules" data-testid="why-table">
                <thead class="hidden">
                    <tr><th scope="col">{ "rule" }</th><th scope="col">{ "when" }</th><th scope="col">{ "then" }</th></tr>
                </thead>
                <tbody>
                    { for rows.iter().map(|row| html! {
                        <tr data-taken={row.taken.to_string()} class={row.taken.then_some("taken")}
                            aria-current={row.taken.then_some("true")}>
                            <td>{ row.code.clone() }</td><td>{ row.when.clone() }</td><td>{ row.then.clone() }</td>
                        </tr>
                    }) }
                </tbody>
            </table>
        </section>
    }
}

/// What led here and what followed; each step can be gone to.
pub(super) fn chain(names: &Names, links: &[ChainLink], on: &Callback<Action>) -> Html {
    if links.is_empty() {
        return Html::default();
    }
    html! {
        <section aria-label="Chain of causes">
            <h3>{ "Because of" }</h3>
            <ol class="chain" data-testid="chain">{ for links.iter().map(|link| step(names, link, on)) }</ol>
        </section>
    }
}

fn step(names: &Names, link: &ChainLink, on: &Callback<Action>) -> Html {
    let class = match link.tone {
        Tone::Cause => "cause",
        Tone::Here => "here",
        Tone::Effect => "effect",
    };
    let record = link.record;
    let onclick = {
        let on = on.clone();
        Callback::from(move |_| on.emit(Action::Go(record)))
    };
    let here = link.tone == Tone::Here;
    html! {
        <li {class}>
            <button type="button" class="link" {onclick} aria-current={here.then_some("step")}>
                <span>{ names.sentence(&link.sentence) }</span>
                <small>{ words::moment(record.place.time_ns) }</small>
            </button>
        </li>
    }
}

/// Who was looked at, and why or why not taken.
pub(super) fn candidates(names: &Names, rows: &[Candidate]) -> Html {
    if rows.is_empty() {
        return Html::default();
    }
    html! {
        <section aria-label="Candidates">
            <h3>{ "Looked at" }</h3>
            <ul class="candidates">
                { for rows.iter().map(|row| html! {
                    <li class={row.taken.then_some("taken")}>
                        <span class="who">{ names.sentence(&row.who) }</span>
                        <span>{ names.sentence(&row.verdict) }</span>
                    </li>
                }) }
            </ul>
        </section>
    }
}

/// What an accounting gives to whom; of very many only the first at once.
pub(super) fn shares(names: &Names, table: Option<&Table>) -> Html {
    let Some(table) = table else { return Html::default() };
    let (first, rest) = table.rows.split_at(table.rows.len().min(ROWS_MAX));
    html! {
        <section aria-label={table.title.clone()}>
            <h3>{ &table.title }{ " " }<small>{ &table.unit }</small></h3>
            { share_rows(names, table, first) }
            if !rest.is_empty() {
                <details>
                    <summary>{ format!("{} more rows", rest.len()) }</summary>
                    { share_rows(names, table, rest) }
                </details>
            }
        </section>
    }
}

fn share_rows(names: &Names, table: &Table, rows: &[TableRow]) -> Html {
    let span = table.head.len().saturating_sub(1).to_string();
    html! {
        <div class="wide-table" tabindex="0" role="region" aria-label={table.title.clone()}>
            <table class="shares" data-testid="shares">
                <thead><tr>{ for table.head.iter().map(|name| html! { <th scope="col">{ name }</th> }) }</tr></thead>
                <tbody>{ for rows.iter().map(|row| share_row(names, row, &span)) }</tbody>
            </table>
        </div>
    }
}

fn share_row(names: &Names, row: &TableRow, span: &str) -> Html {
    match row {
        TableRow::Cells(cells) => html! {
            <tr>{ for cells.iter().map(|cell| html! { <td>{ names.sentence(cell) }</td> }) }</tr>
        },
        TableRow::Under { who, what, lit } => html! {
            <tr class={classes!("under", lit.then_some("lit"))}>
                <th scope="row">{ names.sentence(who) }</th>
                <td colspan={span.to_owned()}>{ names.sentence(what) }</td>
            </tr>
        },
    }
}

/// The inputs with their units.
pub(super) fn facts(names: &Names, rows: &[FactRow]) -> Html {
    if rows.is_empty() {
        return Html::default();
    }
    html! {
        <section aria-label="Inputs">
            <h3>{ "Inputs" }</h3>
            <table class="facts">
                <tbody>
                    { for rows.iter().map(|row| html! {
                        <tr><th scope="row">{ row.label.clone() }</th><td>{ names.sentence(&row.value) }</td></tr>
                    }) }
                </tbody>
            </table>
        </section>
    }
}

/// The counters cranked.
pub(super) fn counters(names: &[String]) -> Html {
    if names.is_empty() {
        return Html::default();
    }
    html! {
        <p class="counters">
            { "Counted: " }
            { for names.iter().map(|name| html! { <code class="quiet">{ name.clone() }</code> }) }
        </p>
    }
}
