//! The transport between the page and its worker.
//!
//! The page holds a [`WorkerClient`]; the worker's entry calls [`serve`]. Messages are the
//! protocol's data as bytes. Nothing is decided here.

mod client;
mod freshness;
mod serve;
mod wire;

pub use client::WorkerClient;
pub use serve::serve;
