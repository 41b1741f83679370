//! The page around `sim-core`: state, pictures, links, worker, view.
//!
//! Layers, lowest first: `protocol` and `share` (data), `engine` (the worker's half, no web API),
//! `state` and `timeline` (the page's half, no web API), `web` (the only place with `web_sys`),
//! `worker` (transport), `view` (Yew).

pub mod engine;
pub mod protocol;
pub mod share;
pub mod state;
pub mod timeline;
pub mod view;
pub mod web;
pub mod worker;
