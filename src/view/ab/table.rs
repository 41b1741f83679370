//! The figures of both sides as a table, over one seed or many, and what B runs with.
//!
//! Prints what is compared; it must not compare.

use super::emit;
use crate::protocol::comparison::{Figure, Sweep};
use crate::protocol::metrics::Better;
use crate::state::{Action, State};
use sim_core::scenario::{Params, Scenario};
use std::rc::Rc;
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Seeds of a comparison.
const SEEDS: u32 = 30;

/// The figures of both sides; nothing without a second run.
pub fn table(state: &State, on: &Callback<Action>) -> Html {
    let Some(ab) = &state.ab else { return Html::default() };
    let sweep = ab.sweep.as_deref();
    let compared = state.compared();
    let [_, b] = state.sides(&state.scenario, &ab.other.scenario);
    html! {
        <section class="card ab-table" aria-label="Figures of A and B" data-testid="ab-table">
            <div class="ab-head">
                <h2>{ "A and B " }<small>{ compared.as_deref().map(over) }</small></h2>
                { seeds(sweep, on) }
                <button type="button" class="small" data-testid="copy-figures" disabled={compared.is_none()}
                    onclick={emit(on, Action::CopyFigures)}>{ "Copy as text" }</button>
            </div>
            { match compared.as_deref() {
                Some(sweep) => figures(sweep),
                None => html! { <p class="muted">{ "The figures stand here once both runs are over." }</p> },
            } }
            { varied(b, on) }
        </section>
    }
}

/// Over what the figures are.
fn over(sweep: &Sweep) -> String {
    if !sweep.is_random {
        return "nothing is drawn at random: every seed gives the same two runs".into();
    }
    match sweep.done {
        1 if sweep.of == 1 => "of these two runs".into(),
        done => {
            let alike = match sweep.alike {
                0 => String::new(),
                alike => format!(", the same run at {alike}"),
            };
            format!("mean ± standard deviation over {done} seeds{alike}")
        }
    }
}

/// Runs both sides over many seeds, or says how far that is.
fn seeds(sweep: Option<&Sweep>, on: &Callback<Action>) -> Html {
    if let Some(sweep) = sweep.filter(|sweep| sweep.goes_on) {
        let (done, of) = (sweep.done.to_string(), sweep.of.to_string());
        return html! {
            <span class="progress">
                <progress data-testid="sweep-progress" max={of.clone()} value={done.clone()} aria-label="Seeds"></progress>
                <span>{ format!("{done} of {of} seeds") }</span>
                <button type="button" class="small" data-testid="sweep-cancel" onclick={emit(on, Action::StopSweep)}>
                    { "Cancel" }
                </button>
            </span>
        };
    }
    let submit = {
        let on = on.clone();
        Callback::from(move |event: SubmitEvent| {
            event.prevent_default();
            let form: web_sys::Element = event.target_unchecked_into();
            let field = form.query_selector("input").ok().flatten();
            let field = field.and_then(|field| field.dyn_into::<HtmlInputElement>().ok());
            let count = field.and_then(|field| field.value().trim().parse().ok()).unwrap_or(SEEDS);
            on.emit(Action::Sweep(count));
        })
    };
    html! {
        <form class="seeds" onsubmit={submit}>
            <label>{ "over " }<input type="number" min="2" max="1000" value={SEEDS.to_string()} data-testid="seeds" />
                { " seeds" }</label>
            <button type="submit" class="small" data-testid="sweep">{ "Run" }</button>
        </form>
    }
}

fn figures(sweep: &Sweep) -> Html {
    let many = sweep.of > 1;
    html! {
        <div class="scroll" tabindex="0" role="region" aria-label="Figures">
            <table data-testid="figures">
                <thead>
                    <tr>
                        <th scope="col"><span class="hidden">{ "Figure" }</span></th>
                        { for ["A", "B", "B − A", "%"].map(|head| html! { <th scope="col">{ head }</th> }) }
                        { for many.then_some(["A better", "B better", "same"]).into_iter().flatten()
                            .map(|head| html! { <th scope="col">{ head }</th> }) }
                    </tr>
                </thead>
                <tbody>{ for sweep.figures.iter().map(|figure| row(figure, many)) }</tbody>
            </table>
        </div>
    }
}

fn row(figure: &Figure, many: bool) -> Html {
    let written = figure.written();
    let judged = figure.better != Better::Neither;
    // Which side a single pair of runs, or most of many, speaks for.
    let [a, b, _] = figure.wins;
    let class = match a.cmp(&b) {
        std::cmp::Ordering::Less => "for-b",
        std::cmp::Ordering::Greater => "for-a",
        std::cmp::Ordering::Equal => "",
    };
    let title = format!("{}{}", figure.meaning, if judged { " Lower is better." } else { "" });
    html! {
        <tr class={class}>
            <th scope="row" {title}>{ figure.title() }</th>
            <td class="a">{ written.a }</td>
            <td class="b">{ written.b }</td>
            <td>{ written.difference }</td>
            <td>{ written.percent }</td>
            { for many.then_some(figure.wins).into_iter().flatten().map(|count| html! {
                <td>{ if judged { count.to_string() } else { "–".into() } }</td>
            }) }
        </tr>
    }
}

/// A number of B's parameters: its name, its value, and what another value makes of them.
type Field = (&'static str, &'static str, u64, fn(&mut (u64, Params), u64));

fn narrow(value: u64) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

/// What B runs with, to be changed.
fn varied(b: &Rc<Scenario>, on: &Callback<Action>) -> Html {
    let params = &b.params;
    let fields: [Field; 7] = [
        ("seed", "Seed", b.seed, |to, value| to.0 = value),
        ("tslice", "Slice, ms", params.tslice_ms.into(), |to, v| to.1.tslice_ms = narrow(v)),
        ("ratelimit", "Rate limit, µs", params.ratelimit_us.into(), |to, v| {
            to.1.ratelimit_us = narrow(v);
        }),
        ("delay", "Migration delay, µs", params.migration_delay_us.into(), |to, v| {
            to.1.migration_delay_us = narrow(v);
        }),
        ("lb", "Balance limit, µs", params.lb_ratelimit_us.into(), |to, v| {
            to.1.lb_ratelimit_us = narrow(v);
        }),
        ("ipi", "Interrupt, ns", params.ipi_latency_ns, |to, v| to.1.ipi_latency_ns = v),
        ("switch", "Context switch, ns", params.ctx_switch_ns, |to, v| to.1.ctx_switch_ns = v),
    ];
    let changed = |change: fn(&mut (u64, Params), u64),
                   value: fn(&HtmlInputElement) -> Option<u64>| {
        let (on, b) = (on.clone(), b.clone());
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let mut to = (b.seed, b.params.clone());
            if let Some(value) = value(&input) {
                change(&mut to, value);
                on.emit(Action::VaryB { seed: to.0, params: Box::new(to.1) });
            }
        })
    };
    let number = |(id, name, value, change): Field| {
        let onchange = changed(change, |input| input.value().trim().parse().ok());
        html! {
            <label><span>{ name }</span>
                <input type="number" min="0" value={value.to_string()} data-testid={format!("b-{id}")} {onchange} /></label>
        }
    };
    let checked = |name: &'static str, on: bool, change: fn(&mut (u64, Params), u64)| {
        let onchange = changed(change, |input| Some(input.checked().into()));
        html! { <label class="check"><input type="checkbox" checked={on} {onchange} /><span>{ name }</span></label> }
    };
    html! {
        <details class="ab-vary">
            <summary data-testid="b-vary">{ "What B runs with" }</summary>
            <div>
                { for fields.map(number) }
                { checked("Tickle one idler only", params.tickle_one_idle, |to, v| to.1.tickle_one_idle = v > 0) }
                { checked("Fill cores first", params.smt_power_savings, |to, v| to.1.smt_power_savings = v > 0) }
            </div>
        </details>
    }
}
