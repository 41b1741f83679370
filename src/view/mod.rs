//! Yew components: what the page shows.
//!
//! They draw what they are given and tell what people do; they must not decide what follows.

pub mod ab;
pub mod app;
pub mod bars;
pub mod charts;
pub mod editor;
pub mod help;
mod history;
pub mod icons;
pub mod machine;
pub mod names;
pub mod now;
pub mod patches;
mod picture;
mod range;
pub mod stage;
mod talk;
pub mod toolbar;
pub mod why;
pub mod words;
