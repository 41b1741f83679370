//! A canvas for charts.
//!
//! Must not know what is charted.

use crate::timeline::scale::pixels;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::JsCast;
use web_sys::{HtmlCanvasElement, Node};

/// A canvas of this size in screen pixels, cleared; none where there is no 2D canvas.
#[must_use]
pub fn backend(node: Node, width: f64, height: f64) -> Option<CanvasBackend> {
    let canvas = node.dyn_into::<HtmlCanvasElement>().ok()?;
    // Setting the size clears the canvas.
    canvas.set_width(pixels(width));
    canvas.set_height(pixels(height));
    CanvasBackend::with_canvas_object(canvas)
}
