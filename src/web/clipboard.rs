//! Copying text.

use gloo::utils::window;
use wasm_bindgen_futures::{JsFuture, spawn_local};

/// Copies a text and says whether that worked.
pub fn copy(text: &str, done: impl FnOnce(bool) + 'static) {
    let navigator = window().navigator();
    // Pages that are not served securely have no clipboard: the property is undefined.
    let clipboard = js_sys::Reflect::get(&navigator, &"clipboard".into());
    if !clipboard.is_ok_and(|clipboard| clipboard.is_object()) {
        done(false);
        return;
    }
    let copied = navigator.clipboard().write_text(text);
    spawn_local(async move { done(JsFuture::from(copied).await.is_ok()) });
}
