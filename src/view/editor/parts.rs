//! The parts of the editor: guests, machine, parameters, changes, file.

use super::{Cx, guests, machine, of_scenario};
use crate::state::edit::field::{At, Field};
use crate::state::edit::lists::{List, ListOp};
use crate::state::edit::{Edit, Tab, form};
use crate::view::icons::{Icon, icon};
use yew::prelude::*;

/// So many changes are shown at once.
const AT_ONCE: usize = 20;

pub(super) fn part(cx: &Cx) -> Html {
    match cx.edit.tab {
        Tab::Guests => guests::guests(cx),
        Tab::Machine => machine(cx),
        Tab::Parameters => cx.fields(of_scenario(form::PARAMETERS)),
        Tab::Changes => changes(cx),
        Tab::File => file(cx),
    }
}

fn changes(cx: &Cx) -> Html {
    let count = cx.edit.draft.scenario.ops.len();
    let add = || Some(Edit::List(List::Changes, ListOp::Add, 0));
    html! {
        <>
            <p class="muted">{ "What is changed while the guests run." }</p>
            { for (0u16..).take(count.min(AT_ONCE)).map(|at| change(cx, at)) }
            { (count > AT_ONCE).then(|| html! {
                <p>{ format!("{} more stand in the file.", count - AT_ONCE) }</p>
            }) }
            { cx.button("change-add", "Add a change", html! { <>{ icon(Icon::Add) }{ "Add a change" }</> }, add()) }
        </>
    }
}

fn change(cx: &Cx, at: u16) -> Html {
    let name = format!("Change {}", u32::from(at) + 1);
    let button = |id: &str, what: &str, face, op| {
        let edit = Some(Edit::List(List::Changes, op, at));
        cx.button(
            &format!("{id}-{at}"),
            &format!("{what} change {}", u32::from(at) + 1),
            icon(face),
            edit,
        )
    };
    html! {
        <section class="ed-card" key={at} aria-label={name.clone()}>
            <div class="ed-list">
                <h3>{ name }</h3>
                { button("change-copy", "Duplicate", Icon::Copy, ListOp::Copy) }
                { button("change-remove", "Remove", Icon::Close, ListOp::Remove) }
            </div>
            { cx.fields(cx.edit.change_fields(at)) }
        </section>
    }
}

fn file(cx: &Cx) -> Html {
    let word = |id, name: &str, edit| cx.button(id, name, html! { { name } }, Some(edit));
    html! {
        <>
            <p>{ "A scenario file can be dropped anywhere on the page, opened with the folder above, or pasted here." }</p>
            <div class="ed-list">
                { word("save-file", "Save as a file", Edit::Save) }
                { word("copy-file", "Copy", Edit::Copy) }
            </div>
            <div class="ed-json">{ cx.field(At::scenario(Field::Json)) }</div>
        </>
    }
}
