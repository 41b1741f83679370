//! The part of the address after `#`.

use gloo::events::EventListener;
use gloo::utils::window;
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

/// The whole address with `text` behind `#`.
#[must_use]
pub fn with(text: &str) -> String {
    let href = window().location().href().unwrap_or_default();
    let base = href.split('#').next().unwrap_or_default();
    format!("{base}#{text}")
}

/// Calls when a person opens another link in the same tab, until dropped.
pub fn on_change(mut changed: impl FnMut(String) + 'static) -> EventListener {
    EventListener::new(&window(), "hashchange", move |_| changed(read()))
}
