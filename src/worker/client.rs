//! The page's end: starts the worker, sends requests, hands answers on, starts it again after a
//! panic.

use super::freshness::Freshness;
use super::wire;
use crate::protocol::{Request, Response};
use crate::web::offline::version;
use crate::web::worker::{Event, Worker};
use std::cell::RefCell;
use std::rc::Rc;

/// The page's end of the worker. Clones speak to the same worker.
#[derive(Clone)]
pub struct WorkerClient {
    inner: Rc<RefCell<Inner>>,
}

struct Inner {
    worker: Option<Worker>,
    /// The worker has said that it listens; until then requests wait.
    ready: bool,
    waiting: Vec<Vec<u8>>,
    fresh: Freshness,
    on_response: Rc<dyn Fn(Response)>,
}

impl WorkerClient {
    /// Starts the worker; `on_response` gets every answer that still counts.
    #[must_use]
    pub fn spawn(on_response: impl Fn(Response) + 'static) -> Self {
        let client = Self {
            inner: Rc::new(RefCell::new(Inner {
                worker: None,
                ready: false,
                waiting: Vec::new(),
                fresh: Freshness::default(),
                on_response: Rc::new(on_response),
            })),
        };
        client.start();
        client
    }

    /// Asks something.
    pub fn send(&self, request: &Request) {
        let mut inner = self.inner.borrow_mut();
        inner.fresh.asked(request);
        let bytes = wire::to_bytes(request);
        match &inner.worker {
            Some(worker) if inner.ready => worker.send(&wire::buffer(&bytes)),
            _ => inner.waiting.push(bytes),
        }
    }

    fn start(&self) {
        let weak = Rc::downgrade(&self.inner);
        let on_event = move |event| {
            if let Some(inner) = weak.upgrade() {
                Self { inner }.event(event);
            }
        };
        // The version in its address keeps caches from giving the worker of another one.
        let script = format!("start-worker.js?{}", version());
        let worker = Worker::start(&script, on_event);
        let mut inner = self.inner.borrow_mut();
        inner.ready = false;
        match worker {
            Ok(worker) => inner.worker = Some(worker),
            Err(message) => {
                let on_response = inner.on_response.clone();
                drop(inner);
                on_response(Response::Panicked { message });
            }
        }
    }

    fn event(&self, event: Event) {
        match event {
            Event::Message(data) => match wire::bytes(&data).as_deref() {
                Some([]) => self.ready(),
                Some(bytes) => self.answer(wire::from_bytes(bytes)),
                None => {}
            },
            Event::Failed(message) => self.restart(message),
        }
    }

    fn ready(&self) {
        let mut inner = self.inner.borrow_mut();
        inner.ready = true;
        let waiting = std::mem::take(&mut inner.waiting);
        for bytes in waiting {
            if let Some(worker) = &inner.worker {
                worker.send(&wire::buffer(&bytes));
            }
        }
    }

    fn answer(&self, response: Option<Response>) {
        match response {
            Some(Response::Panicked { message }) => self.restart(message),
            Some(response) => {
                let mut inner = self.inner.borrow_mut();
                if inner.fresh.counts(&response) {
                    let on_response = inner.on_response.clone();
                    // The page may ask something while it takes the answer.
                    drop(inner);
                    on_response(response);
                }
            }
            None => {}
        }
    }

    /// The worker is gone and its run with it: a new one takes its place.
    fn restart(&self, message: String) {
        let mut inner = self.inner.borrow_mut();
        let was_ready = inner.ready;
        inner.worker = None;
        inner.waiting.clear();
        inner.fresh = Freshness::default();
        let on_response = inner.on_response.clone();
        drop(inner);
        // A worker that never came up would not come up the next time either.
        if was_ready {
            self.start();
        }
        on_response(Response::Panicked { message });
    }
}
