//! Workers, seen from the page and from inside.
//!
//! Knows nothing of what the messages mean.

use js_sys::{Array, ArrayBuffer};
use std::rc::Rc;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{DedicatedWorkerGlobalScope, ErrorEvent, MessageChannel, MessageEvent};

/// What a worker does, seen from the page.
pub enum Event {
    /// It sent this.
    Message(JsValue),
    /// It failed; what the browser said.
    Failed(String),
}

/// A running worker. Ends when it is dropped.
pub struct Worker {
    worker: web_sys::Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(ErrorEvent)>,
}

impl Worker {
    /// Starts a worker from a script that lies beside the page.
    ///
    /// # Errors
    /// When the browser refuses; what it said.
    pub fn start(script: &str, on_event: impl Fn(Event) + 'static) -> Result<Self, String> {
        let worker = web_sys::Worker::new(script).map_err(|error| format!("{error:?}"))?;
        let on_event = Rc::new(on_event);
        let on_error = {
            let on_event = on_event.clone();
            Closure::new(move |event: ErrorEvent| {
                event.prevent_default();
                on_event(Event::Failed(event.message()));
            })
        };
        let on_message = Closure::new(move |event: MessageEvent| {
            on_event(Event::Message(event.data()));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self { worker, _on_message: on_message, _on_error: on_error })
    }

    /// Sends a buffer, which is handed over.
    pub fn send(&self, buffer: &ArrayBuffer) {
        // A worker that is gone hears nothing; its failure is told by an event.
        let _ = self.worker.post_message_with_transfer(buffer, &Array::of1(buffer));
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}

/// The inside of a worker.
#[derive(Clone)]
pub struct Scope(DedicatedWorkerGlobalScope);

impl Scope {
    /// The worker that this code runs in, if it is one.
    #[must_use]
    pub fn here() -> Option<Self> {
        js_sys::global().dyn_into().ok().map(Self)
    }

    /// Sends a buffer to the page; it is handed over.
    pub fn post(&self, buffer: &ArrayBuffer) {
        // Nobody is left to be told if the page is gone.
        let _ = self.0.post_message_with_transfer(buffer, &Array::of1(buffer));
    }

    /// Listens to the page from now on.
    pub fn listen(&self, mut on_message: impl FnMut(JsValue) + 'static) {
        let listener: Closure<dyn FnMut(MessageEvent)> =
            Closure::new(move |event: MessageEvent| on_message(event.data()));
        // It lives as long as the worker.
        self.0.set_onmessage(Some(listener.into_js_value().unchecked_ref()));
    }

    /// Milliseconds since the worker began.
    #[must_use]
    pub fn now_ms(&self) -> f64 {
        self.0.performance().map_or(0.0, |clock| clock.now())
    }
}

/// Calls a function again after everything that has already arrived.
pub struct Turns {
    channel: MessageChannel,
    _on_turn: Closure<dyn FnMut(MessageEvent)>,
}

impl Turns {
    /// `on_turn` is called once for each [`Turns::ask`].
    ///
    /// # Panics
    /// Where there are no message channels; every browser with workers has them.
    #[must_use]
    pub fn new(mut on_turn: impl FnMut() + 'static) -> Self {
        let channel = MessageChannel::new().expect("browsers with workers have channels");
        let on_turn: Closure<dyn FnMut(MessageEvent)> = Closure::new(move |_| on_turn());
        channel.port1().set_onmessage(Some(on_turn.as_ref().unchecked_ref()));
        Self { channel, _on_turn: on_turn }
    }

    /// Asks for a turn.
    pub fn ask(&self) {
        // A message without content cannot fail to be cloned.
        let _ = self.channel.port2().post_message(&JsValue::NULL);
    }
}
