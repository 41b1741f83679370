//! The scenario in words: machine, guests, parameters.

use super::icons::{Icon, icon};
use super::names::{Names, term};
use super::words;
use crate::state::Action;
use crate::state::edit::Edit;
use sim_core::scenario::{DomainSpec, Scenario, VcpuSpec};
use std::rc::Rc;
use yew::prelude::*;

/// Up to so many vCPUs, every one is shown at once.
const AT_ONCE: usize = 6;

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub struct MachineProps {
    /// The scenario.
    pub scenario: Rc<Scenario>,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

/// The scenario in words.
#[component]
pub fn Machine(props: &MachineProps) -> Html {
    let names = use_context::<Names>().expect("the page gives names to its panels");
    let scenario = &props.scenario;
    let open = scenario.vcpus().count() <= AT_ONCE;
    let edit = {
        let on = props.on.clone();
        Callback::from(move |_| on.emit(Action::Edit(Edit::Open(true))))
    };
    html! {
        <section class="panel machine" aria-label="Scenario">
            <div class="head">
                <h2>{ "Machine" }</h2>
                <button type="button" class="small" data-testid="edit" title="Edit the scenario  [e]" onclick={edit}>
                    { icon(Icon::Edit) }{ "Edit" }
                </button>
            </div>
            <p class="chips">
                <span>{ words::machine(scenario) }</span>
                <span>{ words::several(scenario.topology.nodes().len(), "node") }</span>
                <span title="From telling another pCPU until it is interrupted">
                    { format!("interrupt {}", words::length(scenario.params.ipi_latency_ns)) }
                </span>
            </p>
            <h2>{ "Guests" }</h2>
            <ul class="guests">
                { for (0u16..).zip(&scenario.domains).map(|(domain, spec)| guest(&names, scenario, domain, spec, open)) }
            </ul>
            <h2>{ "Parameters" }</h2>
            <p class="chips">{ for parameters(scenario).into_iter().map(|text| html! { <span>{ text }</span> }) }</p>
        </section>
    }
}

fn parameters(scenario: &Scenario) -> Vec<String> {
    let params = &scenario.params;
    let us = |us: u32| words::length(u64::from(us) * 1_000);
    let mut parts = vec![format!("slice {} ms", params.tslice_ms)];
    parts.push(match params.ratelimit_us {
        0 => "no rate limit".into(),
        limit => format!("rate limit {}", us(limit)),
    });
    let idlers = if params.tickle_one_idle { "one suitable idler" } else { "all suitable idlers" };
    parts.push(format!("tickles {idlers}"));
    if params.smt_power_savings {
        parts.push("fills cores first".into());
    }
    if params.migration_delay_us > 0 {
        parts.push(format!("cache-hot for {}", us(params.migration_delay_us)));
    }
    if params.ctx_switch_ns > 0 {
        parts.push(format!("switch takes {}", words::length(params.ctx_switch_ns)));
    }
    if !scenario.ops.is_empty() {
        parts.push(words::several(scenario.ops.len(), "scripted change"));
    }
    parts.push(format!("{} long", words::length(scenario.duration_ns)));
    parts.push(format!("seed {}", scenario.seed));
    parts
}

fn guest(names: &Names, scenario: &Scenario, domain: u16, spec: &DomainSpec, open: bool) -> Html {
    let first: usize =
        scenario.domains[..usize::from(domain)].iter().map(|before| before.vcpus.len()).sum();
    let cap = (spec.cap > 0).then(|| format!(" · cap {} %", spec.cap));
    let head = html! {
        <>
            { names.swatch(domain) }
            <b>{ format!("d{}", u32::from(domain) + 1) }</b>
            <span>{ format!("{} · weight {}", words::several(spec.vcpus.len(), "vCPU"), spec.weight) }{ cap }</span>
        </>
    };
    let vcpus = (0u16..).zip(&spec.vcpus).map(|(index, vcpu)| {
        let number = u16::try_from(first).unwrap_or(u16::MAX).saturating_add(index);
        html! { <li>{ names.vcpu(number) }<span>{ vcpu_words(vcpu) }</span></li> }
    });
    let list = html! { <ul>{ for vcpus }</ul> };
    if open {
        return html! { <li><div class="domain">{ head }</div>{ list }</li> };
    }
    html! { <li><details><summary class="domain">{ head }</summary>{ list }</details></li> }
}

/// Where a vCPU may run and what it does.
fn vcpu_words(vcpu: &VcpuSpec) -> Html {
    let pin =
        vcpu.hard.as_ref().map_or("free".into(), |mask| format!("only {}", words::pcpus(mask)));
    let soft = vcpu.soft.as_ref().map(|mask| format!(", likes {}", words::pcpus(mask)));
    let wakes = vcpu.wake_on.map(|pcpu| format!(", woken on p{}", pcpu.0));
    let work = words::workload(&vcpu.workload);
    let start = (vcpu.start_ns > 0).then(|| format!(" · from {}", words::length(vcpu.start_ns)));
    html! { <>{ pin }{ soft }{ wakes }{ " · " }{ work }{ start }</> }
}

/// The words at the head of a table of guests' credit, with what they mean.
pub fn heads() -> [Html; 6] {
    [
        term("runs", "The vCPU that this pCPU runs"),
        term("priority", "BOOST is before UNDER, UNDER before OVER"),
        term(
            "credit",
            "As last charged: running costs 10 credits per ms, charged at a tick or when the pCPU \
             schedules; accounting hands out new ones by weight",
        ),
        term("queue", "Who waits for this pCPU, in order, with priority and credit"),
        term("idler", "1: the scheduler believes that this pCPU is idle"),
        term("told", "1: this pCPU was tickled and has not scheduled yet"),
    ]
}
