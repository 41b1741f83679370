//! One field: label, control, what is wrong with it.

use super::{Cx, grid, id_of};
use crate::state::edit::Edit;
use crate::state::edit::field::{At, Form};
use crate::state::edit::form::Shown;
use web_sys::{HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement};
use yew::prelude::*;

pub(super) fn field(cx: &Cx, shown: &Shown) -> Html {
    let at = shown.at;
    let id = id_of(at);
    let help = cx.help.clone();
    let tell = move || {
        if *help != Some(at) {
            help.set(Some(at));
        }
    };
    let onfocusin = {
        let tell = tell.clone();
        Callback::from(move |_: FocusEvent| tell())
    };
    let onmouseenter = Callback::from(move |_: MouseEvent| tell());
    let wide = matches!(shown.spec.form, Form::Line | Form::Lines | Form::Cpus);
    let switch = shown.spec.form == Form::Switch;
    let class = classes!("ed-field", wide.then_some("wide"), switch.then_some("switch"));
    let (problem_id, help_id) = (format!("{id}-problem"), format!("{id}-help"));
    html! {
        <div {class} {onfocusin} {onmouseenter}>
            <label for={id.clone()}>{ shown.spec.label }</label>
            { control(cx, shown, id.clone(), format!("{help_id} {problem_id}")) }
            <span class="hidden" id={help_id}>{ shown.spec.meaning }{ " " }{ &shown.hint }</span>
            <p class="ed-problem" id={problem_id.clone()} data-testid={problem_id}>{ shown.problem.clone() }</p>
            { (shown.spec.form == Form::Cpus).then(|| grid::grid(cx, shown)) }
        </div>
    }
}

/// Tells that the field is left.
fn done<E: 'static>(cx: &Cx, at: At) -> Callback<E> {
    let on = cx.on.clone();
    Callback::from(move |_| on.emit(Edit::Done(at)))
}

fn control(cx: &Cx, shown: &Shown, id: String, described: String) -> Html {
    let at = shown.at;
    let invalid = shown.problem.as_ref().map(|_| "true");
    let on = cx.on.clone();
    let types = move |text| on.emit(Edit::Type(at, text));
    match shown.spec.form {
        Form::Switch => {
            let checked = shown.text == "on";
            let onchange = Callback::from(move |_: Event| {
                types(if checked { "off" } else { "on" }.to_owned());
            });
            html! {
                <input type="checkbox" id={id.clone()} data-testid={id} {checked} {onchange}
                    aria-describedby={described} />
            }
        }
        Form::Choice(words) => {
            let onchange = Callback::from(move |event: Event| {
                types(event.target_unchecked_into::<HtmlSelectElement>().value());
            });
            html! {
                <select id={id.clone()} data-testid={id} {onchange} aria-describedby={described}>
                    { shown.mixed.then(|| html! { <option value="" selected=true disabled=true>{ "differs" }</option> }) }
                    { for words.iter().map(|word| html! {
                        <option value={*word} selected={shown.text == *word}>{ *word }</option>
                    }) }
                </select>
            }
        }
        Form::Lines => {
            let oninput = Callback::from(move |event: InputEvent| {
                types(event.target_unchecked_into::<HtmlTextAreaElement>().value());
            });
            html! {
                <textarea id={id.clone()} data-testid={id} value={shown.text.clone()} {oninput} onblur={done(cx, at)}
                    aria-describedby={described} aria-invalid={invalid} spellcheck="false"
                    placeholder={shown.mixed.then_some("differs")} />
            }
        }
        _ => {
            let oninput = Callback::from(move |event: InputEvent| {
                types(event.target_unchecked_into::<HtmlInputElement>().value());
            });
            let numeric = matches!(shown.spec.form, Form::Number(_)).then_some("numeric");
            html! {
                <input type="text" id={id.clone()} data-testid={id} value={shown.text.clone()} {oninput}
                    onchange={done(cx, at)} onblur={done(cx, at)} aria-describedby={described} aria-invalid={invalid}
                    inputmode={numeric} autocomplete="off" spellcheck="false"
                    placeholder={shown.mixed.then_some("differs")} />
            }
        }
    }
}
