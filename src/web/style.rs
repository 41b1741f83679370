//! Looks that no style sheet knows beforehand. The page's policy forbids style attributes, so
//! they are set by script.
//!
//! Must not know what is shown.

use gloo::utils::document;
use js_sys::{Array, Reflect};
use wasm_bindgen::JsCast;
use web_sys::{CssStyleSheet, HtmlElement, Node};

/// Sets a property of an element; no other node has any.
pub fn set(node: &Node, property: &str, value: &str) {
    if let Some(element) = node.dyn_ref::<HtmlElement>() {
        // Refused only if the property may not be set, which is a rule of another sheet.
        let _ = element.style().set_property(property, value);
    }
}

/// Sets a property of an element to a length, in CSS px.
pub fn set_px(node: &Node, property: &str, px: f64) {
    set(node, property, &format!("{px}px"));
}

/// Gives the document a style sheet besides its own, instead of the one that it was given before.
pub fn adopt(css: &str) {
    let Ok(sheet) = CssStyleSheet::new() else { return };
    if sheet.replace_sync(css).is_ok() {
        // A browser without adopted sheets shows names without their colours.
        let _ = Reflect::set(&document(), &"adoptedStyleSheets".into(), &Array::of1(&sheet));
    }
}
