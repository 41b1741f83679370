//! The stops of a talk as a list: their captions, their order.

use crate::share::{STOPS_MAX, Stop};
use crate::state::{Action, Guess, TalkDo};
use crate::view::icons::{Icon, icon};
use crate::view::words;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the list shows.
#[derive(Properties, PartialEq)]
pub struct StopsProps {
    /// The stops.
    pub stops: Rc<Vec<Stop>>,
    /// The one where the talk stands.
    pub at: Option<usize>,
    /// Whether the list is open.
    pub open: bool,
    /// Whether decisions are asked about.
    pub predicting: bool,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

/// The list of stops.
#[component]
pub fn Stops(props: &StopsProps) -> Html {
    let count = props.stops.len();
    let heading = if count == 0 { "Talk".to_owned() } else { words::several(count, "stop") };
    html! {
        <section class="panel talk-stops" aria-label="Stops of the talk" data-testid="stops">
            <div class="talk-head">
                <h2>{ heading }</h2>
                if count > 0 {
                    { small(props, TalkDo::Open(!props.open), "stops-open",
                        if props.open { "Put the list away" } else { "Show the list; Page Down walks along it" },
                        html! { if props.open { { "hide" } } else { { "show" } } }, false) }
                }
                { predict(props) }
                { small(props, TalkDo::Add, "stop-add", "Make a stop of what is shown  [s]",
                    html! { <>{ icon(Icon::Add) }{ "stop" }</> }, count >= STOPS_MAX) }
            </div>
            if props.open && count > 0 {
                <ol>{ for props.stops.iter().enumerate().map(|(at, stop)| entry(props, at, stop)) }</ol>
                <p class="meta press">
                    <kbd>{ "Page Down" }</kbd>{ " goes to the next one, " }<kbd>{ "F5" }</kbd>{ " presents." }
                </p>
            }
        </section>
    }
}

fn predict(props: &StopsProps) -> Html {
    let on = props.on.clone();
    let onclick = Callback::from(move |_: MouseEvent| on.emit(Action::Guess(Guess::Toggle)));
    let name = "Predict: ask before each decision is shown  [g]";
    html! {
        <button type="button" class="small" data-testid="predict-on" aria-pressed={props.predicting.to_string()}
            title={name} aria-label="Predict: ask before each decision is shown" {onclick}>{ "predict" }</button>
    }
}

fn small(
    props: &StopsProps,
    what: TalkDo,
    id: &'static str,
    name: &str,
    face: Html,
    disabled: bool,
) -> Html {
    let on = props.on.clone();
    let onclick = Callback::from(move |_: MouseEvent| on.emit(Action::Talk(what.clone())));
    html! {
        <button type="button" class="small" data-testid={id} title={name.to_owned()} aria-label={name.to_owned()}
            {disabled} {onclick}>{ face }</button>
    }
}

fn entry(props: &StopsProps, at: usize, stop: &Stop) -> Html {
    let here = props.at == Some(at);
    let number = at + 1;
    let go = {
        let on = props.on.clone();
        Callback::from(move |_: MouseEvent| on.emit(Action::Talk(TalkDo::Go(at))))
    };
    let last = at + 1 == props.stops.len();
    let before = at.checked_sub(1).map(|before| props.stops[before].patches);
    let changes = before.is_some_and(|before| before != stop.patches);
    html! {
        <li key={at} class={here.then_some("here")}>
            <div>
                <button type="button" class="link" data-testid="stop-go" aria-current={here.then_some("step")} onclick={go}
                    aria-label={format!("Go to stop {number}")}>
                    <b>{ number }</b>{ format!(" · {}", words::moment(stop.cursor_ns)) }
                </button>
                { small(props, TalkDo::Raise(at), "stop-up", &format!("Move stop {number} up"), icon(Icon::Up), at == 0) }
                { small(props, TalkDo::Raise(at + 1), "stop-down", &format!("Move stop {number} down"), icon(Icon::Down), last) }
                { small(props, TalkDo::Delete(at), "stop-delete", &format!("Delete stop {number}"), icon(Icon::Close), false) }
            </div>
            { changes.then(|| html! { <p class="meta">{ "other patches from here on" }</p> }) }
            <Caption {at} text={stop.caption.clone()} on={props.on.clone()} />
        </li>
    }
}

/// The field of a caption.
#[derive(Properties, PartialEq)]
struct CaptionProps {
    /// Of which stop.
    at: usize,
    /// What it says.
    text: String,
    /// Where to tell what people do.
    on: Callback<Action>,
}

/// The field of a caption: what is typed counts once the field is left.
#[component]
fn Caption(props: &CaptionProps) -> Html {
    let typed = use_state(|| props.text.clone());
    {
        let typed = typed.clone();
        use_effect_with((props.at, props.text.clone()), move |(_, text)| typed.set(text.clone()));
    }
    let value = |event: &Event| event.target_unchecked_into::<HtmlInputElement>().value();
    let oninput = {
        let typed = typed.clone();
        Callback::from(move |event: InputEvent| typed.set(value(&event)))
    };
    let onchange = {
        let (on, at) = (props.on.clone(), props.at);
        Callback::from(move |event: Event| {
            on.emit(Action::Talk(TalkDo::Caption(at, value(&event))))
        })
    };
    html! {
        <input type="text" data-testid="stop-caption" value={(*typed).clone()} {oninput} {onchange}
            aria-label={format!("Caption of stop {}", props.at + 1)} placeholder="what to say here" autocomplete="off" />
    }
}
