//! Yew components: what the page shows.
//!
//! They draw what they are given and tell what people do; they must not decide what follows.

pub mod app;
pub mod charts;
pub mod stage;
