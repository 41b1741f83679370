//! The worker's end: takes requests, and simulates in slices between them.

use super::wire;
use crate::engine::Engine;
use crate::protocol::{Request, Response};
use crate::web::worker::{Scope, Turns};
use std::cell::RefCell;
use std::rc::Rc;

/// How long a slice may take, in ms: a request waits no longer than that.
const SLICE_MS: f64 = 8.0;
/// Steps between two looks at the clock.
const STEPS: u32 = 1_000;

struct Worker {
    scope: Scope,
    engine: Engine,
    /// A slice is due.
    turn_taken: bool,
}

/// Serves the page for as long as the worker lives.
///
/// Nothing happens outside a worker.
pub fn serve() {
    let Some(scope) = Scope::here() else { return };
    std::panic::set_hook(Box::new(move |info| {
        let message = info.to_string();
        if let Some(scope) = Scope::here() {
            scope.post(&wire::buffer(&wire::to_bytes(&Response::Panicked { message })));
        }
    }));
    let worker = Worker { scope: scope.clone(), engine: Engine::new(), turn_taken: false };
    let worker = Rc::new(RefCell::new(worker));
    let turns = {
        let worker = worker.clone();
        Rc::new_cyclic(move |turns: &std::rc::Weak<Turns>| {
            let turns = turns.clone();
            Turns::new(move || {
                let goes_on = worker.borrow_mut().slice();
                if let (true, Some(turns)) = (goes_on, turns.upgrade()) {
                    turns.ask();
                }
            })
        })
    };
    scope.listen(move |data| {
        let Some(request) = wire::bytes(&data).as_deref().and_then(wire::from_bytes) else {
            return;
        };
        if worker.borrow_mut().request(request) {
            turns.ask();
        }
    });
    // An empty message says that requests are heard from now on.
    scope.post(&wire::buffer(&[]));
}

impl Worker {
    /// Answers; says whether a slice has become due.
    fn request(&mut self, request: Request) -> bool {
        let responses = self.engine.handle(request);
        self.post(&responses);
        let due = self.engine.is_working() && !self.turn_taken;
        self.turn_taken |= due;
        due
    }

    /// Simulates for a while; says whether there is more to do.
    fn slice(&mut self) -> bool {
        let start = self.scope.now_ms();
        while self.engine.is_working() && self.scope.now_ms() - start < SLICE_MS {
            let responses = self.engine.work(STEPS);
            self.post(&responses);
        }
        self.turn_taken = self.engine.is_working();
        self.turn_taken
    }

    fn post(&self, responses: &[Response]) {
        for response in responses {
            self.scope.post(&wire::buffer(&wire::to_bytes(response)));
        }
    }
}
