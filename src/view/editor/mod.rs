//! The scenario editor: draws the fields of `state::edit` and tells what people do with them.
//!
//! Which fields there are, what they mean and what is wrong with them is not decided here.

mod field;
mod grid;
mod guests;
mod parts;

use super::icons::{Icon, icon};
use super::names::Names;
use crate::state::Action;
use crate::state::edit::check::Problem;
use crate::state::edit::field::{ALL, At, Scope};
use crate::state::edit::{self, Edit, Tab, draft, form};
use crate::web::screen;
use std::rc::Rc;
use yew::prelude::*;

/// Up to so many things are named at once.
const AT_ONCE: usize = 2;

/// What the editor shows.
#[derive(Properties)]
pub struct EditorProps {
    /// The draft and what shows of it.
    pub edit: Rc<edit::Editor>,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

impl PartialEq for EditorProps {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.edit, &other.edit) && self.on == other.on
    }
}

/// What all parts of the editor need.
struct Cx {
    edit: Rc<edit::Editor>,
    problems: Vec<Problem>,
    names: Names,
    on: Callback<Edit>,
    /// The field whose help shows.
    help: UseStateHandle<Option<At>>,
}

impl Cx {
    /// A button that does an edit.
    fn button(&self, id: &str, name: &str, face: Html, edit: Option<Edit>) -> Html {
        let disabled = edit.is_none();
        let onclick = self.does(edit);
        html! {
            <button type="button" class="small" data-testid={id.to_owned()} aria-label={name.to_owned()}
                title={name.to_owned()} {disabled} {onclick}>{ face }</button>
        }
    }

    /// A button of a row of choices.
    fn chip(&self, id: String, face: Html, chosen: bool, edit: Edit) -> Html {
        let onclick = self.does(Some(edit));
        html! {
            <button type="button" class="small chip" data-testid={id} aria-pressed={chosen.to_string()} {onclick}>
                { face }
            </button>
        }
    }

    fn does(&self, edit: Option<Edit>) -> Callback<MouseEvent> {
        let on = self.on.clone();
        Callback::from(move |_| edit.iter().for_each(|edit| on.emit(edit.clone())))
    }

    /// A field, if there is one.
    fn field(&self, at: At) -> Html {
        let shown = self.edit.show(at, &self.problems);
        shown.map(|shown| field::field(self, &shown)).unwrap_or_default()
    }

    fn fields(&self, all: impl IntoIterator<Item = At>) -> Html {
        html! { <div class="ed-fields">{ for all.into_iter().map(|at| self.field(at)) }</div> }
    }
}

/// The element of a field.
fn id_of(at: At) -> String {
    let id = at.field.spec().id;
    match at.field.spec().scope {
        Scope::Step => format!("ed-{id}-{}", at.index[2]),
        Scope::Change => format!("ed-{id}-{}", at.index[0]),
        _ => format!("ed-{id}"),
    }
}

/// The scenario editor.
#[component]
pub fn Editor(props: &EditorProps) -> Html {
    let names = use_context::<Names>().expect("the page gives names to its panels");
    let help = use_state(|| None);
    let on = props.on.reform(Action::Edit);
    let edit = props.edit.clone();
    use_effect_with((), |()| screen::focus("editor"));
    use_effect_with(edit.wanted, |wanted| {
        if let Some((at, _)) = wanted {
            screen::focus(&id_of(*at));
        }
    });
    let problems = edit.problems();
    let cx = Cx { edit, problems, names, on, help };
    html! {
        <section class="editor" id="editor" data-testid="editor" tabindex="-1" aria-label="Edit the scenario">
            { head(&cx) }
            { tabs(&cx) }
            <div class="ed-body" key={cx.edit.tab as usize}>{ parts::part(&cx) }</div>
            <div class="ed-foot">
                { wrong(&cx) }
                { help_line(&cx) }
            </div>
        </section>
    }
}

fn head(cx: &Cx) -> Html {
    let undo = cx.edit.can_undo().then_some(Edit::Undo);
    let redo = cx.edit.can_redo().then_some(Edit::Redo);
    html! {
        <div class="ed-head">
            <h2>{ "Edit the scenario" }</h2>
            { cx.button("undo", "Undo  [Ctrl+Z]", icon(Icon::Undo), undo) }
            { cx.button("redo", "Redo  [Ctrl+Shift+Z]", icon(Icon::Redo), redo) }
            { cx.button("editor-close", "Close the editor  [Esc]", icon(Icon::Close), Some(Edit::Open(false))) }
        </div>
    }
}

/// Whether the draft runs, and if not, why.
fn wrong(cx: &Cx) -> Html {
    let count = cx.problems.len();
    if count == 0 {
        return html! {
            <p class="ed-state muted" role="status" data-testid="editor-state">{ "Every edit runs at once." }</p>
        };
    }
    let fields =
        if count == 1 { "One field needs".to_owned() } else { format!("{count} fields need") };
    let to_fit = cx.problems.iter().any(|problem| draft::names_pcpus(problem.at.field));
    html! {
        <div class="ed-state problem" role="status" data-testid="editor-state">
            <p>{ fields }{ " another value; the last good run stays." }</p>
            <ul>{ for cx.problems.iter().take(AT_ONCE).map(|problem| html! {
                <li><button type="button" class="link" onclick={cx.does(Some(Edit::GoTo(problem.at)))}>
                    { place(problem.at) }{ problem.sentence.clone() }
                </button></li>
            }) }</ul>
            { (count > AT_ONCE).then(|| html! { <p>{ format!("And {} more.", count - AT_ONCE) }</p> }) }
            { to_fit.then(|| html! {
                <button type="button" class="small" data-testid="fit" onclick={cx.does(Some(Edit::Fit))}>
                    { "Fit the guests to the machine" }
                </button>
            }) }
        </div>
    }
}

/// Whose field it is, before a sentence about it.
fn place(at: At) -> String {
    let [first, second, _] = at.index;
    let domain = u32::from(first) + 1;
    match at.field.spec().scope {
        Scope::Scenario => String::new(),
        Scope::Change => format!("Change {domain}: "),
        Scope::Vcpu | Scope::Step if second != ALL => format!("d{domain}v{second}: "),
        _ => format!("d{domain}: "),
    }
}

fn tabs(cx: &Cx) -> Html {
    html! {
        <nav class="ed-tabs" aria-label="Parts of the scenario">
            { for Tab::ALL.iter().map(|(tab, name)| {
                let wrong = cx.problems.iter().filter(|problem| Tab::of(problem.at.field) == *tab).count();
                let wrong = (wrong > 0).then(|| html! {
                    <b class="ed-wrong" title="Fields that need another value">{ wrong }</b>
                });
                let id = format!("tab-{}", name.to_lowercase());
                cx.chip(id, html! { <>{ *name }{ wrong }</> }, cx.edit.tab == *tab, Edit::Tab(*tab))
            }) }
        </nav>
    }
}

/// What the field under the pointer, or in focus, is.
fn help_line(cx: &Cx) -> Html {
    let here = cx.help.filter(|at| Tab::of(at.field) == cx.edit.tab);
    let shown = here.and_then(|at| cx.edit.show(at, &[]));
    html! {
        <div class="ed-help" data-testid="editor-help" aria-hidden="true">
            { match shown {
                Some(shown) => html! {
                    <><p><b>{ shown.spec.label }</b>{ " – " }{ shown.spec.meaning }</p><p class="muted">{ shown.hint }</p></>
                },
                None => html! { <p class="muted">{ "Each field says here what it means, its unit, range and default." }</p> },
            } }
        </div>
    }
}

/// Fields of the scenario as a whole.
fn of_scenario(all: &[edit::field::Field]) -> impl Iterator<Item = At> + '_ {
    all.iter().map(|field| At::scenario(*field))
}

/// The fields of the machine and of its regularity.
fn machine(cx: &Cx) -> Html {
    let irregular = cx.edit.draft.scenario.topology.shape().is_none();
    html! {
        <>
            { cx.fields(of_scenario(form::MACHINE)) }
            { irregular.then(|| html! {
                <p class="muted">{ "This machine came from a file and is not regular; another number of sockets, \
                    cores, threads or nodes makes it so." }</p>
            }) }
        </>
    }
}
