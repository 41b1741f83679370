//! A canvas of the page: its size, what hands do on it, and a frame to draw in.
//!
//! Must not know what inputs mean.

use super::canvas::Painter;
use crate::timeline::draw::{DrawList, Point};
use crate::timeline::gesture::{Input, Pointer};
use crate::timeline::theme::Colour;
use gloo::events::{EventListener, EventListenerOptions};
use gloo::render::{AnimationFrame, request_animation_frame};
use gloo::utils::window;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, HtmlCanvasElement, Node, PointerEvent, ResizeObserver, WheelEvent};

/// Hears inputs; says whether the browser should leave them alone.
pub type Heard = Rc<dyn Fn(Input) -> bool>;

/// A canvas with everything that listens to it.
pub struct Surface {
    painter: Painter,
    _listeners: Vec<EventListener>,
}

impl Surface {
    /// Takes over a canvas of the page.
    ///
    /// # Errors
    /// What the browser says, or the node itself if it is no canvas.
    pub fn new(node: Node, heard: Heard) -> Result<Self, JsValue> {
        let canvas = node.dyn_into::<HtmlCanvasElement>()?;
        let listeners = listen(&canvas, &heard);
        Ok(Self { painter: Painter::new(canvas)?, _listeners: listeners })
    }

    /// Draws a picture. What a browser refuses to draw is left out: there is nobody to tell.
    pub fn draw(&mut self, list: &DrawList, ground: Colour) {
        let _ = self.painter.draw(list, ground, dpr());
    }
}

/// Screen pixels per CSS pixel.
#[must_use]
pub fn dpr() -> f64 {
    window().device_pixel_ratio().clamp(0.5, 4.0)
}

fn listen(canvas: &HtmlCanvasElement, heard: &Heard) -> Vec<EventListener> {
    let kinds = ["pointerdown", "pointermove", "pointerup", "pointercancel", "pointerleave"];
    let mut listeners: Vec<_> =
        kinds.into_iter().map(|kind| pointer_listener(canvas, kind, heard)).collect();
    listeners.push(wheel_listener(canvas, heard));
    listeners
}

fn pointer_listener(
    canvas: &HtmlCanvasElement,
    kind: &'static str,
    heard: &Heard,
) -> EventListener {
    let (target, heard) = (canvas.clone(), Rc::clone(heard));
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(canvas, kind, options, move |event| {
        let Some(event) = event.dyn_ref::<PointerEvent>() else { return };
        let pointer = Pointer {
            id: event.pointer_id(),
            at: place(&target, event.client_x().into(), event.client_y().into()),
            shift: event.shift_key(),
            touch: event.pointer_type() == "touch",
        };
        let input = match kind {
            "pointerdown" if event.button() == 0 => Input::Down(pointer),
            "pointerdown" => return,
            "pointermove" => Input::Move(pointer),
            "pointerup" => Input::Up(pointer),
            "pointercancel" => Input::Cancel(pointer),
            _ => Input::Leave,
        };
        if kind == "pointerdown" {
            // Without capture a drag ends at the canvas's edge, which is no harm.
            let _ = target.set_pointer_capture(event.pointer_id());
        }
        if heard(input) {
            event.prevent_default();
        }
    })
}

fn wheel_listener(canvas: &HtmlCanvasElement, heard: &Heard) -> EventListener {
    let (target, heard) = (canvas.clone(), Rc::clone(heard));
    let options = EventListenerOptions::enable_prevent_default();
    EventListener::new_with_options(canvas, "wheel", options, move |event| {
        let Some(event) = event.dyn_ref::<WheelEvent>() else { return };
        let unit = match event.delta_mode() {
            WheelEvent::DOM_DELTA_LINE => 40.0,
            WheelEvent::DOM_DELTA_PAGE => 800.0,
            _ => 1.0,
        };
        let input = Input::Wheel {
            at: place(&target, event.client_x().into(), event.client_y().into()),
            turn: Point { x: event.delta_x() * unit, y: event.delta_y() * unit },
            shift: event.shift_key(),
            ctrl: event.ctrl_key() || event.meta_key(),
        };
        if heard(input) {
            event.prevent_default();
        }
    })
}

fn place(canvas: &HtmlCanvasElement, client_x: f64, client_y: f64) -> Point {
    let rect = canvas.get_bounding_client_rect();
    Point { x: client_x - rect.left(), y: client_y - rect.top() }
}

/// Tells the width of an element now and whenever it changes, until dropped.
pub struct WidthWatch {
    observer: ResizeObserver,
    _called: Closure<dyn FnMut()>,
}

impl WidthWatch {
    /// Watches an element; tells its inner width, in CSS pixels.
    ///
    /// # Errors
    /// What the browser says, or the node itself if it is no element.
    pub fn new(node: Node, told: impl Fn(f64) + 'static) -> Result<Self, JsValue> {
        let element = node.dyn_into::<Element>()?;
        let watched = element.clone();
        let called = Closure::<dyn FnMut()>::new(move || told(f64::from(watched.client_width())));
        let observer = ResizeObserver::new(called.as_ref().unchecked_ref())?;
        observer.observe(&element);
        Ok(Self { observer, _called: called })
    }
}

impl Drop for WidthWatch {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}

/// Calls once in the next frame, however often it is asked before.
pub struct NextFrame {
    pending: Rc<RefCell<Option<AnimationFrame>>>,
    called: Rc<dyn Fn()>,
}

impl NextFrame {
    /// Calls this.
    pub fn new(called: impl Fn() + 'static) -> Self {
        Self { pending: Rc::new(RefCell::new(None)), called: Rc::new(called) }
    }

    /// Asks for a frame, unless one is on its way.
    pub fn ask(&self) {
        if self.pending.borrow().is_some() {
            return;
        }
        let (slot, called) = (Rc::downgrade(&self.pending), Rc::clone(&self.called));
        let frame = request_animation_frame(move |_| {
            if let Some(slot) = slot.upgrade() {
                slot.borrow_mut().take();
            }
            called();
        });
        *self.pending.borrow_mut() = Some(frame);
    }
}
