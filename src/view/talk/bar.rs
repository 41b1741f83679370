//! What stands below the stage before a room or inside another page: one sentence, large, and the
//! way on.

use super::predict;
use crate::protocol::{Direction, RunId, Side};
use crate::share;
use crate::state::{Action, Phase, State, select};
use crate::view::icons::{Icon, icon};
use crate::view::names::Names;
use crate::view::{bars, toolbar, words};
use crate::web::address;
use sim_core::presets::Preset;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// The sentence and the way on.
pub fn bar(state: &Rc<State>, names: &Names, on: &Callback<Action>) -> Html {
    let running = state.run.phase == Phase::Running;
    let busy = running || state.run.id == RunId::default();
    html! {
        <section class="talk-bar" aria-label="What is shown" aria-busy={busy.to_string()} data-testid="talk-bar">
            <div class="says">
                { predict::answer(state, names) }
                { predict::question(state, names, on).unwrap_or_else(|| says(state, names)) }
            </div>
            <div class="on">
                { state.looks.embed.then(|| toolbar::transport(state.play.on, state.play.speed, on)) }
                { running.then(|| bars::progress(&state.run, on)) }
                { walk(state, on) }
                { if state.looks.embed { open_whole(state) } else { leave(on) } }
            </div>
        </section>
    }
}

/// The caption of the stop that is shown, or else why the decision was taken.
fn says(state: &State, names: &Names) -> Html {
    if let Some(caption) = state.caption_here() {
        return html! { <p class="caption" data-testid="caption">{ caption }</p> };
    }
    if let Some(both) = of_both(state, names) {
        return both;
    }
    match select::why(state) {
        Some(why) => html! {
            <p class="caption" data-testid="why-sentence">{ names.sentence(&why.sentence) }</p>
        },
        None => {
            let story = state.preset.and_then(Preset::from_number).filter(|_| state.looks.story);
            html! { <p class="caption">{ story.map(|preset| preset.story) }</p> }
        }
    }
}

/// The reasons of both sides; none if there is one run or nothing is selected.
fn of_both(state: &State, names: &Names) -> Option<Html> {
    let ab = state.ab.as_ref()?;
    let own = select::why(state)?;
    let other = select::why_of(&ab.other.selection, ab.other.run.id);
    let line = |side: Side, what: Html| {
        html! { <p class="caption both"><span class="badge">{ side.name() }</span><span>{ what }</span></p> }
    };
    let other = other.map_or_else(
        || html! { { "nothing of the sort is decided here" } },
        |why| names.sentence(&why.sentence),
    );
    let [a, b] = state.sides(names.sentence(&own.sentence), other);
    Some(html! { <>{ line(Side::A, a) }{ line(Side::B, b) }</> })
}

fn emit(on: &Callback<Action>, action: Action) -> Callback<MouseEvent> {
    let on = on.clone();
    Callback::from(move |_| on.emit(action.clone()))
}

/// Where the talk stands, and the way to the stop before and the next.
fn walk(state: &State, on: &Callback<Action>) -> Html {
    let count = state.talk.stops.len();
    if count == 0 && state.looks.embed {
        return Html::default();
    }
    let of =
        |what: &str| if count == 0 { format!("{what} decision") } else { format!("{what} stop") };
    let step = |direction, name: String, id: &'static str, face| {
        html! {
            <button type="button" data-testid={id} aria-label={name.clone()} title={name}
                onclick={emit(on, Action::Page(direction))}>{ face }</button>
        }
    };
    let stands = match (count, state.talk.at) {
        (0, _) => words::moment(state.cursor_ns),
        (_, Some(at)) => format!("{} of {count}", at + 1),
        (_, None) => words::several(count, "stop"),
    };
    html! {
        <div class="group" role="group" aria-label="Talk">
            { step(Direction::Previous, of("Previous"), "talk-back", icon(Icon::Previous)) }
            <span data-testid="talk-at">{ stands }</span>
            { step(Direction::Next, of("Next"), "talk-on", icon(Icon::Next)) }
        </div>
    }
}

fn leave(on: &Callback<Action>) -> Html {
    let name = "End presenting  [Esc]";
    html! {
        <button type="button" data-testid="leave" aria-label="End presenting" title={name}
            onclick={emit(on, Action::TogglePresenting)}>{ icon(Icon::Close) }</button>
    }
}

/// The way out of another page: the same picture with everything around it.
fn open_whole(state: &Rc<State>) -> Html {
    // Made only when it is followed: while it plays, the link changes with every frame.
    let state = state.clone();
    let onclick = Callback::from(move |event: MouseEvent| {
        let link = share::encode(&select::share_state(&state));
        if let Some(anchor) = event.target_dyn_into::<Element>() {
            let _ = anchor.set_attribute("href", &address::whole(&link));
        }
    });
    html! {
        <a class="button" data-testid="open-whole" href={address::whole("")} target="_blank" rel="noopener" {onclick}>
            { "Open in Tickle" }
        </a>
    }
}
