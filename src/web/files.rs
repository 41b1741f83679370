//! Files that a person drops, chooses or saves.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::document;
use std::rc::Rc;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, BlobPropertyBag, DragEvent, File, HtmlElement, HtmlInputElement, Url};

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

/// Gives a person a file of this name; a sentence if the browser refuses.
///
/// # Errors
/// When there is no address for the file.
pub fn save(name: &str, content: &Blob) -> Result<(), String> {
    let refused = |_| format!("The browser does not let {name} be saved.");
    let address = Url::create_object_url_with_blob(content).map_err(refused)?;
    let anchor = document().create_element("a").map_err(refused)?;
    anchor.set_attribute("href", &address).map_err(refused)?;
    anchor.set_attribute("download", name).map_err(refused)?;
    if let Some(anchor) = anchor.dyn_ref::<HtmlElement>() {
        anchor.click();
    }
    // The download has taken its own hold of the content.
    Url::revoke_object_url(&address).map_err(refused)
}

/// A text as the content of a file.
///
/// # Errors
/// When the browser has no room for it.
pub fn text(text: &str, kind: &str) -> Result<Blob, String> {
    let options = BlobPropertyBag::new();
    options.set_type(kind);
    let parts = js_sys::Array::of1(&text.into());
    let blob = Blob::new_with_str_sequence_and_options(&parts, &options);
    blob.map_err(|_| "The browser has no room for this file.".into())
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
