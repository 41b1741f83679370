//! The worker's entry: serves the page.
//!
//! It must hold nothing else.

fn main() {
    tickle::worker::serve();
}
