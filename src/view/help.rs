//! The list of keys.

use crate::state::{Action, keys};
use web_sys::HtmlDialogElement;
use yew::prelude::*;

/// What the list shows.
#[derive(Properties, PartialEq)]
pub struct HelpProps {
    /// Whether it is open.
    pub open: bool,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

/// The list of keys.
#[component]
pub fn Help(props: &HelpProps) -> Html {
    let dialog = use_node_ref();
    {
        let dialog = dialog.clone();
        use_effect_with(props.open, move |open| {
            let Some(dialog) = dialog.cast::<HtmlDialogElement>() else { return };
            if *open && !dialog.open() {
                let _ = dialog.show_modal();
            } else if !*open && dialog.open() {
                dialog.close();
            }
        });
    }
    let close = {
        let on = props.on.clone();
        Callback::from(move |_| on.emit(Action::Help(false)))
    };
    // The browser closes a dialog by itself on Escape: it says so before (cancel) and after
    // (close). Heard before, no key that follows at once is taken for one of the dialog's.
    let onclose = {
        let on = props.on.clone();
        Callback::from(move |_: Event| on.emit(Action::Help(false)))
    };
    html! {
        <dialog ref={dialog} class="help" data-testid="help" aria-labelledby="help-title"
            oncancel={onclose.clone()} {onclose}>
            <h2 id="help-title">{ "Keys" }</h2>
            <dl>
                { for keys::HELP.iter().map(|(key, what)| html! {
                    <div><dt>{ for split(key) }</dt><dd>{ *what }</dd></div>
                }) }
            </dl>
            <p class="muted">
                { "Tickle runs the rules of Xen’s credit scheduler in this page, exactly. \
                   Nothing is sent anywhere; the address holds everything that makes the picture." }
            </p>
            <button type="button" class="primary" onclick={close}>{ "Close" }</button>
        </dialog>
    }
}

/// Words between the keys stay words.
fn split(keys: &'static str) -> impl Iterator<Item = Html> {
    keys.split(" or ").enumerate().map(|(at, key)| {
        html! { <>{ (at > 0).then_some(" or ") }<kbd>{ key }</kbd></> }
    })
}
