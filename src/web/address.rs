//! The part of the address after `#`.

use gloo::events::EventListener;
use gloo::utils::window;
use js_sys::Reflect;
use wasm_bindgen::JsValue;

/// The text after `#`; empty if there is none.
#[must_use]
pub fn read() -> String {
    let hash = window().location().hash().unwrap_or_default();
    hash.strip_prefix('#').unwrap_or(&hash).to_string()
}

/// Puts `text` behind `#` without a new entry in the history.
pub fn replace(text: &str) {
    if let Ok(history) = window().history() {
        // A browser may refuse when it is asked too often; the next change tries again.
        let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{text}")));
    }
}

/// Puts `text` behind `#` as a new entry in the history.
pub fn push(text: &str) {
    if let Ok(history) = window().history() {
        // Refused as above: then the entry before goes on.
        let _ = history.push_state_with_url(&JsValue::NULL, "", Some(&format!("#{text}")));
    }
}

/// Whether the address asks for the stage alone, to stand inside another page: `?embed=1`.
#[must_use]
pub fn embeds() -> bool {
    let search = window().location().search().unwrap_or_default();
    search.trim_start_matches('?').split('&').any(|part| part == "embed=1" || part == "embed")
}

/// The whole address with `text` behind `#`.
#[must_use]
pub fn with(text: &str) -> String {
    let href = window().location().href().unwrap_or_default();
    let base = href.split('#').next().unwrap_or_default();
    format!("{base}#{text}")
}

/// The address of the page with all around the stage, with `text` behind `#`.
#[must_use]
pub fn whole(text: &str) -> String {
    let address = with(text);
    let (page, _) = address.split_once('#').unwrap_or((&address, ""));
    format!("{}#{text}", page.split('?').next().unwrap_or_default())
}

/// Calls when a person opens another link in the same tab, or goes back or forward, until dropped.
pub fn on_change(mut changed: impl FnMut(String) + 'static) -> EventListener {
    EventListener::new(&window(), "hashchange", move |event| {
        // The address itself may have been written over by now.
        let address = Reflect::get(event, &"newURL".into()).ok().and_then(|url| url.as_string());
        let text = address.and_then(|url| url.split_once('#').map(|(_, text)| text.to_owned()));
        changed(text.unwrap_or_default());
    })
}
