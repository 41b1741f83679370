//! The machine at the cursor: who runs where, who waits, what the scheduler believes.

use super::names::{Names, bit_heads, bits};
use super::{machine, words};
use crate::protocol::{Now, PcpuNow, VcpuNow};
use std::rc::Rc;
use yew::prelude::*;

/// Up to so many waiting vCPUs are named in a row.
const NAMED: usize = 4;

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub struct NowProps {
    /// The machine at the cursor.
    pub now: Option<Rc<Now>>,
    /// The row chosen (pCPU).
    pub row: u16,
    /// Whether a newer one is on its way for another run.
    pub stale: bool,
}

/// The machine at the cursor.
#[component]
pub fn NowPanel(props: &NowProps) -> Html {
    let names = use_context::<Names>().expect("the page gives names to its panels");
    let Some(now) = &props.now else {
        return html! {
            <section class="panel card now" aria-label="Now"><h2>{ "Now" }</h2></section>
        };
    };
    let idlers: Vec<bool> = now.pcpus.iter().map(|pcpu| pcpu.idler).collect();
    let told: Vec<bool> = now.pcpus.iter().map(|pcpu| pcpu.tickled).collect();
    html! {
        <section class={classes!("panel", "card", "now", props.stale.then_some("stale"))} aria-label="Now">
            <h2>{ "Now " }<small>{ words::moment(now.time_ns) }</small></h2>
            <div class="scroll" tabindex="0" role="region" aria-label="Machine at the cursor">
                <table data-testid="now-table">
                    <thead>
                        <tr>
                            <th scope="col"><span class="hidden">{ "pCPU" }</span></th>
                            { for machine::heads().into_iter().enumerate().map(|(at, head)| html! {
                                <th scope="col" class={(at == 2).then_some("number")}>{ head }</th>
                            }) }
                        </tr>
                    </thead>
                    <tbody>
                        { for (0u16..).zip(&now.pcpus).map(|(pcpu, at)| row(&names, pcpu, at, props.row == pcpu)) }
                    </tbody>
                </table>
            </div>
            <div class="masks">
                <div class="mask"><span></span>{ bit_heads(idlers.len()) }</div>
                <div class="mask"><span>{ "idlers" }</span>{ bits(&idlers, false, "idlers") }</div>
                <div class="mask"><span>{ "told" }</span>{ bits(&told, true, "told") }</div>
            </div>
        </section>
    }
}

fn row(names: &Names, pcpu: u16, at: &PcpuNow, chosen: bool) -> Html {
    let (runs, priority, credit) = match at.current {
        Some(vcpu) => (
            names.vcpu(vcpu.vcpu),
            html! { { words::priority(vcpu.pri) } },
            html! { { words::signed(vcpu.credit) } },
        ),
        None => {
            let dash = || html! { <span class="muted">{ "–" }</span> };
            (html! { <span class="muted">{ "idle" }</span> }, dash(), dash())
        }
    };
    let runs = if at.switching {
        html! { <>{ runs }<small>{ " switching" }</small></> }
    } else {
        runs
    };
    let flag = |on: bool| {
        if on {
            html! { <b>{ "1" }</b> }
        } else {
            html! { <span class="muted">{ "0" }</span> }
        }
    };
    html! {
        <tr class={chosen.then_some("chosen")} data-pcpu={pcpu.to_string()}>
            <th scope="row">{ format!("p{pcpu}") }</th>
            <td>{ runs }</td>
            <td>{ priority }</td>
            <td class="number">{ credit }</td>
            <td class="queue">{ queue(names, &at.queue) }</td>
            <td>{ flag(at.idler) }</td>
            <td>{ flag(at.tickled) }</td>
        </tr>
    }
}

fn queue(names: &Names, queue: &[VcpuNow]) -> Html {
    if queue.is_empty() {
        return html! { <span class="muted">{ "–" }</span> };
    }
    let shown = if queue.len() > NAMED + 1 { NAMED } else { queue.len() };
    let waiting = queue[..shown].iter().map(|vcpu| {
        html! {
            <span class="waits">
                { names.vcpu(vcpu.vcpu) }
                <small>{ format!(" {} {}", words::priority(vcpu.pri), words::signed(vcpu.credit)) }</small>
            </span>
        }
    });
    let more = queue.len() - shown;
    html! { <>{ for waiting }{ (more > 0).then(|| format!("and {more} more")) }</> }
}
