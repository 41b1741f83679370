//! The document as a whole: theme, full screen, focus, keys, marks for measuring.

use gloo::events::{EventListener, EventListenerOptions};
use gloo::utils::{document, window};
use std::cell::Cell;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlElement, KeyboardEvent, MediaQueryList};

/// What a system may wish of all pages.
#[derive(Clone, Copy)]
pub enum Wish {
    /// Dark colours.
    Dark,
    /// More contrast.
    Contrast,
    /// The system's own colours; these say by `Dark` what they are.
    ForcedColours,
    /// That nothing moves.
    Still,
}

fn query(wish: Wish) -> Option<MediaQueryList> {
    let text = match wish {
        Wish::Dark => "(prefers-color-scheme: dark)",
        Wish::Contrast => "(prefers-contrast: more)",
        Wish::ForcedColours => "(forced-colors: active)",
        Wish::Still => "(prefers-reduced-motion: reduce)",
    };
    window().match_media(text).ok().flatten()
}

/// Whether the system wishes so.
#[must_use]
pub fn wishes(wish: Wish) -> bool {
    query(wish).is_some_and(|query| query.matches())
}

/// Calls when one of the wishes changes, until dropped.
pub fn on_wishes(changed: impl Fn() + Clone + 'static) -> impl Iterator<Item = EventListener> {
    let queries = [Wish::Dark, Wish::Contrast, Wish::ForcedColours, Wish::Still]
        .into_iter()
        .filter_map(query);
    queries.map(move |query| {
        let changed = changed.clone();
        EventListener::new(&query, "change", move |_| changed())
    })
}

/// Calls when the page does not fill the screen any more: browsers end that on Escape without
/// telling of the key. Until dropped.
pub fn on_left_full_screen(left: impl Fn() + 'static) -> EventListener {
    EventListener::new(&document(), "fullscreenchange", move |_| {
        if document().fullscreen_element().is_none() {
            left();
        }
    })
}

/// Width and height of what is to be seen of the page, in px.
#[must_use]
pub fn size_px() -> (u32, u32) {
    let px = |size: Result<JsValue, JsValue>| {
        let size = size.ok().and_then(|size| size.as_f64());
        crate::timeline::scale::pixels(size.unwrap_or(0.0))
    };
    (px(window().inner_width()), px(window().inner_height()))
}

/// Calls when the window has another size, until dropped.
pub fn on_resized(resized: impl Fn() + 'static) -> EventListener {
    EventListener::new(&window(), "resize", move |_| resized())
}

/// Takes the focus from whatever has it: the next key is the page's.
pub fn blur() {
    let focused = document().active_element();
    if let Some(element) = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.blur();
    }
}

/// Sets an attribute of the root element, or takes it away.
pub fn set_root(name: &str, value: Option<&str>) {
    if let Some(root) = document().document_element() {
        let _ = match value {
            Some(value) => root.set_attribute(name, value),
            None => root.remove_attribute(name),
        };
    }
}

/// Fills the screen with the page, or no longer. The browser may refuse; nothing depends on it.
pub fn full_screen(on: bool) {
    if on {
        if let Some(root) = document().document_element() {
            let _ = root.request_fullscreen();
        }
    } else if document().fullscreen_element().is_some() {
        document().exit_fullscreen();
    }
}

/// Gives the focus to the element of this id, and shows it.
pub fn focus(id: &str) {
    let element = document().get_element_by_id(id);
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
        element.scroll_into_view_with_bool(false);
    }
}

/// Leaves a mark in the browser's performance timeline.
pub fn mark(name: &str) {
    if let Some(performance) = window().performance() {
        let _ = performance.mark(name);
    }
}

/// A key press, as far as the page is interested.
pub struct Pressed {
    /// The browser's event.
    event: KeyboardEvent,
}

impl Pressed {
    /// The character or name that the key gives.
    #[must_use]
    pub fn key(&self) -> String {
        self.event.key()
    }

    /// Where the key sits, whatever it gives.
    #[must_use]
    pub fn code(&self) -> String {
        self.event.code()
    }

    /// Whether Shift is held.
    #[must_use]
    pub fn shift(&self) -> bool {
        self.event.shift_key()
    }

    fn target_is(&self, selectors: &str) -> bool {
        let target = self.event.target().and_then(|target| target.dyn_into::<Element>().ok());
        target.is_some_and(|element| element.closest(selectors).ok().flatten().is_some())
    }

    /// Whether Ctrl or Command is held.
    #[must_use]
    pub fn ctrl(&self) -> bool {
        self.event.ctrl_key() || self.event.meta_key()
    }

    /// Whether it was pressed in the scenario editor.
    #[must_use]
    pub fn in_editor(&self) -> bool {
        self.target_is(".editor")
    }

    /// Whether it was pressed in a field or on something that uses keys itself.
    #[must_use]
    pub fn in_field(&self) -> bool {
        self.target_is(
            "input:not([type=checkbox]), select, textarea, [contenteditable], dialog, .ed-grid",
        )
    }

    /// Whether it was pressed on something that Space and Enter belong to.
    #[must_use]
    pub fn on_button(&self) -> bool {
        self.target_is("button, a, summary, input[type=checkbox], label")
    }

    /// Keeps the browser from doing what it does with the key.
    pub fn take(&self) {
        self.event.prevent_default();
    }
}

/// Whether a menu lies open; browsers that know no such menus say no.
fn menu_is_open() -> bool {
    document().query_selector(":popover-open").is_ok_and(|menu| menu.is_some())
}

/// Calls on every key that Alt does not go with, until dropped.
pub fn on_key(pressed: impl Fn(Pressed) + 'static) -> EventListener {
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(&document(), "keydown", options, move |event| {
        let Some(event) = event.dyn_ref::<KeyboardEvent>() else { return };
        // An open menu is closed by the browser itself.
        let closes = event.key() == "Escape" && menu_is_open();
        if !event.alt_key() && !event.is_composing() && !closes {
            pressed(Pressed { event: event.clone() });
        }
    })
}

/// After a click, gives the focus back to the page, so that the page's keys work again: whoever
/// uses the mouse does not mean the button with the next Space, nor the list with Page Down.
/// Whoever uses the keyboard keeps the focus where it is. Until dropped.
pub fn release_focus() -> [EventListener; 4] {
    let by_pointer = Rc::new(Cell::new(false));
    let noted = |name: &'static str, pointer: bool| {
        let by_pointer = by_pointer.clone();
        EventListener::new(&document(), name, move |_| by_pointer.set(pointer))
    };
    let released = |name: &'static str, what: &'static str| {
        let by_pointer = by_pointer.clone();
        EventListener::new(&document(), name, move |_| {
            let focused = document().active_element();
            let focused = focused.and_then(|element| element.dyn_into::<HtmlElement>().ok());
            if let Some(element) = focused.filter(|_| by_pointer.get())
                && element.matches(what).unwrap_or(false)
            {
                let _ = element.blur();
            }
        })
    };
    [
        noted("pointerdown", true),
        noted("keydown", false),
        released("click", "button, summary, input[type=checkbox]"),
        released("change", "select, input[type=range]"),
    ]
}
