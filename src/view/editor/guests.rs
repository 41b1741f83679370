//! Domains, their vCPUs and what these do.

use super::{Cx, id_of};
use crate::state::edit::Edit;
use crate::state::edit::field::{ALL, At, Field};
use crate::state::edit::form;
use crate::state::edit::lists::{List, ListOp, steps_of};
use crate::state::edit::work::Kind;
use crate::view::icons::{Icon, icon};
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Up to so many are shown as buttons; more are a list to choose from.
const CHIPS: usize = 48;
/// Up to so many steps are shown as rows; more are text only.
const ROWS: usize = 50;

pub(super) fn guests(cx: &Cx) -> Html {
    let domains = &cx.edit.draft.scenario.domains;
    let there = !domains.is_empty();
    html! {
        <>
            <div class="ed-list">
                { choices(cx, "Domain", domains.len(), cx.edit.domain, &|at| format!("d{}", u32::from(at) + 1), Edit::Domain, true) }
                { list_button(cx, "domain-add", "Add a domain", Icon::Add, List::Domains, ListOp::Add) }
            </div>
            { if there { domain(cx) } else { html! { <p>{ "There is no domain yet." }</p> } } }
        </>
    }
}

fn list_button(cx: &Cx, id: &str, name: &str, face: Icon, list: List, op: ListOp) -> Html {
    cx.button(id, name, icon(face), Some(Edit::List(list, op, cx.edit.domain)))
}

fn domain(cx: &Cx) -> Html {
    let domain = cx.edit.domain;
    let last = cx.edit.draft.scenario.domains.len() - 1;
    let of_list = |id, name: &str, face, op, can: bool| {
        let name = format!("{name} d{}", u32::from(domain) + 1);
        cx.button(id, &name, icon(face), can.then_some(Edit::List(List::Domains, op, domain)))
    };
    html! {
        <section class="ed-card" aria-label={format!("Domain d{}", u32::from(domain) + 1)}>
            <div class="ed-list">
                <h3>{ cx.names.swatch(domain) }{ format!(" d{}", u32::from(domain) + 1) }</h3>
                { of_list("domain-up", "Earlier:", Icon::Up, ListOp::Up, domain > 0) }
                { of_list("domain-down", "Later:", Icon::Down, ListOp::Down, usize::from(domain) < last) }
                { of_list("domain-copy", "Duplicate", Icon::Copy, ListOp::Copy, true) }
                { of_list("domain-remove", "Remove", Icon::Close, ListOp::Remove, true) }
            </div>
            { cx.fields(form::DOMAIN.iter().map(|field| At::of(*field, domain))) }
            { vcpus(cx) }
        </section>
    }
}

fn vcpus(cx: &Cx) -> Html {
    let domain = cx.edit.domain;
    let count = cx.edit.draft.scenario.domains[usize::from(domain)].vcpus.len();
    if count == 0 {
        return html! {};
    }
    // Of one vCPU there is nothing to choose.
    let vcpu = cx.edit.vcpu;
    let at = |field: &Field| At::vcpu(*field, domain, vcpu);
    html! {
        <>
            { (count > 1).then(|| html! {
                <div class="ed-list">
                    { cx.chip("vcpu-all".into(), html! { { "all vCPUs" } }, vcpu == ALL, Edit::Vcpu(ALL)) }
                    { choices(cx, "vCPU", count, vcpu, &|at| format!("v{at}"), Edit::Vcpu, false) }
                </div>
            }) }
            { cx.fields(form::VCPU.iter().map(at)) }
            <div class="ed-work">
                { cx.fields(std::iter::once(at(&Field::Kind)).chain(cx.edit.work_fields())) }
                { steps(cx) }
            </div>
            { cx.fields([Field::Hard, Field::Soft].iter().map(at)) }
        </>
    }
}

/// Numbered things to choose one from.
fn choices(
    cx: &Cx,
    what: &str,
    count: usize,
    chosen: u16,
    name: &dyn Fn(u16) -> String,
    edit: fn(u16) -> Edit,
    swatch: bool,
) -> Html {
    let all = (0u16..).take(count);
    if count <= CHIPS {
        return html! {
            { for all.map(|at| {
                let swatch = swatch.then(|| cx.names.swatch(at));
                cx.chip(format!("ed-{}", name(at)), html! { <>{ swatch }{ name(at) }</> }, at == chosen, edit(at))
            }) }
        };
    }
    let onchange = {
        let on = cx.on.clone();
        Callback::from(move |event: Event| {
            let value = event.target_unchecked_into::<HtmlSelectElement>().value();
            value.parse().into_iter().for_each(|at| on.emit(edit(at)));
        })
    };
    html! {
        <select aria-label={what.to_owned()} data-testid={format!("ed-choose-{what}")} {onchange}>
            { (usize::from(chosen) >= count).then(|| html! { <option selected=true disabled=true>{ what }</option> }) }
            { for all.map(|at| html! {
                <option value={at.to_string()} selected={at == chosen}>{ name(at) }</option>
            }) }
        </select>
    }
}

/// The stretches of a workload as rows and as text.
fn steps(cx: &Cx) -> Html {
    let (domain, vcpu) = (cx.edit.domain, cx.edit.vcpu);
    if cx.edit.kind() != Some(Kind::Script) {
        return html! {};
    }
    let count = steps_of(&cx.edit.draft.scenario, domain, vcpu);
    let list = List::Steps { domain, vcpu };
    html! {
        <>
            { (count <= ROWS).then(|| html! {
                <ol class="ed-steps">{ for (0u16..).take(count).map(|step| row(cx, step, count)) }</ol>
            }) }
            { cx.button("step-add", "Add a step", html! { <>{ icon(Icon::Add) }{ "Add a step" }</> },
                Some(Edit::List(list, ListOp::Add, 0))) }
            { cx.fields([At::vcpu(Field::Steps, domain, vcpu)]) }
        </>
    }
}

fn row(cx: &Cx, step: u16, count: usize) -> Html {
    let (domain, vcpu) = (cx.edit.domain, cx.edit.vcpu);
    let list = List::Steps { domain, vcpu };
    let at = |field| At::step(field, domain, vcpu, step);
    let ends = at(Field::StepSleep);
    let yields = cx.edit.draft.shown(ends).is_some_and(|text| text == ends.field.spec().word);
    let onchange = {
        let on = cx.on.clone();
        Callback::from(move |event: Event| {
            let value = event.target_unchecked_into::<HtmlSelectElement>().value();
            on.emit(Edit::Type(ends, value));
            on.emit(Edit::Done(ends));
        })
    };
    let spec = ends.field.spec();
    let button = |id: &str, name: &str, face, op, can: bool| {
        let name = format!("{name} {}", step + 1);
        cx.button(
            &format!("{id}-{step}"),
            &name,
            icon(face),
            can.then_some(Edit::List(list, op, step)),
        )
    };
    html! {
        <li key={step}>
            { cx.field(at(Field::StepRun)) }
            <label class="ed-field">
                <span>{ "then" }</span>
                <select {onchange} data-testid={format!("{}-kind", id_of(ends))}>
                    <option value={spec.default} selected={!yields}>{ "sleeps" }</option>
                    <option value={spec.word} selected={yields}>{ "yields" }</option>
                </select>
            </label>
            { if yields { html! { <span></span> } } else { cx.field(ends) } }
            <span class="ed-ops">
                { button("step-up", "Earlier: step", Icon::Up, ListOp::Up, step > 0) }
                { button("step-down", "Later: step", Icon::Down, ListOp::Down, usize::from(step) + 1 < count) }
                { button("step-remove", "Remove step", Icon::Close, ListOp::Remove, count > 1) }
            </span>
        </li>
    }
}
