//! What the chosen range adds up to.
//!
//! Must not add up anything itself.

use super::icons::{Icon, icon};
use super::names::Names;
use super::words;
use crate::protocol::{MarkKind, PcpuStretch, Span, Stretch};
use crate::state::{Action, State, stretches};
use crate::timeline::label::percent;
use yew::prelude::*;

/// The columns of marks, with their heads.
const MARKS: [(MarkKind, &str); 6] = [
    (MarkKind::Wake, "wake-ups"),
    (MarkKind::Tickled, "tickled"),
    (MarkKind::Kick, "kicks"),
    (MarkKind::Steal, "steals"),
    (MarkKind::Migrate, "moves away"),
    (MarkKind::Account, "accountings"),
];

/// The panel below the stage while a range is chosen.
pub fn panel(names: &Names, state: &State, span: Span, on: &Callback<Action>) -> Html {
    let stretch = state.range_stretch();
    let emit = |action: Action| {
        let on = on.clone();
        Callback::from(move |_: MouseEvent| on.emit(action.clone()))
    };
    html! {
        <section class="range-panel" aria-label="The chosen range" data-testid="range">
            <header>
                <h2>{ "Range " }<b>{ words::length(span.to_ns - span.from_ns) }</b></h2>
                <span class="muted">
                    { format!("{} to {}", words::moment(span.from_ns), words::moment(span.to_ns)) }
                </span>
                <button type="button" class="small" onclick={emit(Action::Fit)}>{ "Fit" }</button>
                <button type="button" class="small" disabled={stretch.is_none()} data-testid="copy-range"
                    onclick={emit(Action::CopyRange)}>{ "Copy as text" }</button>
                <button type="button" class="small" aria-label="Let the range go" onclick={emit(Action::Range(None))}>
                    { icon(Icon::Close) }
                </button>
            </header>
            { stretch.map_or_else(waiting, |stretch| tables(names, stretch)) }
        </section>
    }
}

fn waiting() -> Html {
    html! { <p class="muted">{ "Its figures come once the run has come so far." }</p> }
}

fn tables(names: &Names, stretch: &Stretch) -> Html {
    let known_ns = stretch.known_ns();
    let pcpu = |(at, pcpu): (usize, &PcpuStretch)| {
        let mark = |(kind, _): &(MarkKind, &str)| {
            html! { <td>{ words::count(pcpu.marks_of(*kind).into()) }</td> }
        };
        html! {
            <tr>
                <th scope="row">{ format!("p{at}") }</th>
                <td>{ words::length(pcpu.busy_ns) }</td>
                <td>{ percent(pcpu.busy_ns, known_ns) }</td>
                <td>{ words::count(pcpu.segments.into()) }</td>
                { for MARKS.iter().map(mark) }
            </tr>
        }
    };
    html! {
        <div class="range-tables">
            <div class="chart-table" tabindex="0" role="region" aria-label="pCPUs in the range">
                <table data-testid="range-pcpus">
                    <thead>
                        <tr>
                            <th scope="col">{ "pCPU" }</th>
                            <th scope="col">{ "busy" }</th>
                            <th scope="col">{ "share" }</th>
                            <th scope="col" title="Segments that begin in the range">{ "segments" }</th>
                            { for MARKS.iter().map(|(_, head)| html! { <th scope="col">{ *head }</th> }) }
                        </tr>
                    </thead>
                    <tbody>{ for stretch.pcpus.iter().enumerate().map(pcpu) }</tbody>
                </table>
            </div>
            { vcpus(names, stretch) }
        </div>
    }
}

fn vcpus(names: &Names, stretch: &Stretch) -> Html {
    let Some(ran) = stretches::ran(stretch) else {
        return html! {
            <p class="muted">{ "There are more than a million segments in this range: choose a shorter one to have \
                                each vCPU added up." }</p>
        };
    };
    let known_ns = stretch.known_ns();
    let row = |(vcpu, ns): (u16, u64)| {
        html! {
            <tr>
                <th scope="row">{ names.vcpu(vcpu) }</th>
                <td>{ words::length(ns) }</td>
                <td>{ percent(ns, known_ns) }</td>
            </tr>
        }
    };
    html! {
        <div class="chart-table" tabindex="0" role="region" aria-label="vCPUs in the range">
            <table data-testid="range-vcpus">
                <thead>
                    <tr>
                        <th scope="col">{ "vCPU" }</th>
                        <th scope="col">{ "ran" }</th>
                        <th scope="col" title="Of one pCPU">{ "share" }</th>
                    </tr>
                </thead>
                <tbody>{ for ran.into_iter().map(row) }</tbody>
            </table>
        </div>
    }
}
