//! Text files that a person drops or chooses.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{DragEvent, File, HtmlInputElement};

/// A file's name and text, or a sentence why it could not be read.
pub type Opened = Result<(String, String), String>;

/// The largest file that is read at all, in bytes.
const BYTES: f64 = 64_000_000.0;

/// Calls with every file dropped anywhere on the page, until dropped.
pub fn on_drop(opened: impl Fn(Opened) + 'static) -> [EventListener; 2] {
    let opened = Rc::new(opened);
    let options = EventListenerOptions::enable_prevent_default();
    // A page that does not refuse the drag-over is never asked about the drop.
    let over = EventListener::new_with_options(&document(), "dragover", options, |event| {
        event.prevent_default();
    });
    let drop = EventListener::new_with_options(&document(), "drop", options, move |event| {
        event.prevent_default();
        let transfer = event.dyn_ref::<DragEvent>().and_then(DragEvent::data_transfer);
        let file = transfer.and_then(|transfer| transfer.files()).and_then(|files| files.get(0));
        if let Some(file) = file {
            read(file, opened.clone());
        }
    });
    [over, drop]
}

/// Reads the file chosen in a file field, and empties the field so that it can be chosen again.
pub fn read_chosen(input: &HtmlInputElement, opened: impl Fn(Opened) + 'static) {
    if let Some(file) = input.files().and_then(|files| files.get(0)) {
        read(file, Rc::new(opened));
    }
    input.set_value("");
}

fn read(file: File, opened: Rc<dyn Fn(Opened)>) {
    let name = file.name();
    if file.size() > BYTES {
        opened(Err(format!("{name} has {} bytes; that is no scenario.", file.size())));
        return;
    }
    spawn_local(async move {
        let text = JsFuture::from(file.text()).await.ok().and_then(|text| text.as_string());
        opened(text.map(|text| (name.clone(), text)).ok_or(format!("{name} cannot be read.")));
    });
}
