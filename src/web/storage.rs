//! What the browser remembers for the page. Works without, too: some browsers refuse.

use gloo::utils::window;

/// What was stored under a name.
#[must_use]
pub fn read(name: &str) -> Option<String> {
    window().local_storage().ok()??.get_item(name).ok()?
}

/// Stores a value under a name.
pub fn write(name: &str, value: &str) {
    if let Ok(Some(storage)) = window().local_storage() {
        let _ = storage.set_item(name, value);
    }
}
