//! Bars and lines around the stage: notices, progress, the story, the search, the whole run in
//! numbers.

use super::icons::{Icon, icon};
use super::words;
use crate::protocol::Direction;
use crate::state::Run;
use crate::state::{Action, Notice, Phase, State, select};
use crate::web::address;
use web_sys::HtmlInputElement;
use yew::prelude::*;

fn emit(on: &Callback<Action>, action: Action) -> Callback<MouseEvent> {
    let on = on.clone();
    Callback::from(move |_| on.emit(action.clone()))
}

/// Bars with a sentence each.
pub fn notices(notices: &[Notice], on: &Callback<Action>) -> Html {
    html! {
        <div class="notices" role="status" aria-live="polite">
            { for notices.iter().map(|notice| html! {
                <div class={classes!("notice", notice.problem.then_some("problem"))} data-testid="notice" key={notice.id}>
                    <p>
                        { notice.text.clone() }
                        { notice.link.as_ref().map(|link| html! {
                            <>{ " " }<a href={address::with(link)} target="_blank" rel="noopener">{ "This link does the same again." }</a></>
                        }) }
                    </p>
                    <button type="button" class="small" data-testid="notice-close" aria-label="Close"
                        onclick={emit(on, Action::CloseNotice(notice.id))}>{ icon(Icon::Close) }</button>
                </div>
            }) }
        </div>
    }
}

/// A newer version waits; it is never taken unasked.
pub fn newer(on: &Callback<Action>) -> Html {
    html! {
        <div class="notice newer" role="status" data-testid="newer">
            <p>{ "A new version is ready." }</p>
            <button type="button" class="small" data-testid="take-newer" onclick={emit(on, Action::TakeNewer)}>
                { "Reload" }
            </button>
            <button type="button" class="small" data-testid="newer-close" aria-label="Close"
                onclick={emit(on, Action::Newer(false))}>{ icon(Icon::Close) }</button>
        </div>
    }
}

/// The line above the stage: where the cursor stands, and how the run is getting on.
pub fn status(state: &State, on: &Callback<Action>) -> Html {
    let run = &state.run;
    html! {
        <div class="status">
            <span class="where">
                <b data-testid="cursor-time">{ words::moment(state.cursor_ns) }</b>
                <span class="muted">{ format!(" on p{}", state.row) }</span>
            </span>
            { if run.phase == Phase::Running { progress(run, on) } else { sum(run, state.promised_digest) } }
        </div>
    }
}

/// How far the run has come, and the way to end it.
pub fn progress(run: &Run, on: &Callback<Action>) -> Html {
    let end = run.duration_ns.max(1);
    let percent = u128::from(run.reached_ns) * 100 / u128::from(end);
    html! {
        <span class="progress">
            <progress data-testid="progress" max="100" value={percent.to_string()} aria-label="Simulating"></progress>
            <span>{ format!("{} of {}", words::length(run.reached_ns), words::length(run.duration_ns)) }</span>
            <button type="button" class="small" data-testid="cancel" onclick={emit(on, Action::Cancel)}>{ "Cancel" }</button>
        </span>
    }
}

fn sum(run: &Run, promised: Option<u64>) -> Html {
    let Some(summary) = &run.summary else { return Html::default() };
    html! {
        <span class="sum">
            <span>{ words::length(summary.end_ns) }</span>
            <span><b data-testid="lines">{ words::count(summary.lines) }</b>{ " log lines" }</span>
            <span title="Digest of all log lines: the same run has the same one everywhere">
                { "digest " }<code class="quiet" data-testid="digest">{ summary.digest.clone() }</code>
            </span>
            { promised.filter(|_| promised == select::digest(run)).map(|_| html! {
                <span class="same" data-testid="same-run">{ "✓ same run as the link’s, bit for bit" }</span>
            }) }
            { run.cut.as_ref().map(|_| html! { <span class="cut">{ "ended early" }</span> }) }
        </span>
    }
}

/// The preset's story, with what to press.
pub fn story(text: &'static str, on: &Callback<Action>) -> Html {
    html! {
        <div class="story-line" data-testid="story">
            <p>{ text }{ " " }{ step_on() }</p>
            <button type="button" class="small" aria-label="Put the story away" onclick={emit(on, Action::CloseStory)}>
                { icon(Icon::Close) }
            </button>
        </div>
    }
}

/// What is to be said at the stop that is shown.
pub fn caption(text: &str) -> Html {
    html! { <div class="story-line said"><p data-testid="caption">{ text }</p></div> }
}

/// What to press for the next decision, or where to tap.
pub fn step_on() -> Html {
    html! {
        <>
            <span class="press">{ "Press " }<kbd>{ "." }</kbd>{ " to step." }</span>
            <span class="tap">{ "Tap " }{ icon(Icon::Next) }{ " to step." }</span>
        </>
    }
}

/// What the search shows.
#[derive(Properties, PartialEq)]
pub struct SearchProps {
    /// The text looked for.
    pub text: AttrValue,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

/// The search.
#[component]
pub fn Search(props: &SearchProps) -> Html {
    let field = use_node_ref();
    {
        let field = field.clone();
        use_effect_with((), move |()| {
            if let Some(input) = field.cast::<HtmlInputElement>() {
                let _ = input.focus();
            }
        });
    }
    let oninput = {
        let on = props.on.clone();
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            on.emit(Action::SearchText(input.value()));
        })
    };
    let onkeydown = {
        let on = props.on.clone();
        Callback::from(move |event: KeyboardEvent| {
            if event.key() == "Enter" {
                let back = event.shift_key();
                on.emit(Action::Search(if back { Direction::Previous } else { Direction::Next }));
            }
        })
    };
    html! {
        <div class="search" role="search">
            <label>
                <span>{ "Search" }</span>
                <input ref={field} type="text" data-testid="search" value={props.text.clone()} {oninput} {onkeydown}
                    placeholder="d1v0, p3, tickle, steal, 12.4ms, 12.3ms..12.9ms" autocomplete="off" spellcheck="false" />
            </label>
            <button type="button" onclick={emit(&props.on, Action::Search(Direction::Previous))}>{ "Previous" }</button>
            <button type="button" onclick={emit(&props.on, Action::Search(Direction::Next))}>{ "Next" }</button>
            <button type="button" class="small" aria-label="Close the search" onclick={emit(&props.on, Action::Escape)}>
                { icon(Icon::Close) }
            </button>
        </div>
    }
}
