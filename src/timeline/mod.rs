//! The picture of a run: what is drawn where, and what is under the pointer.
//!
//! Pure: takes tiles of `protocol`, gives draw lists and answers. It must not name a web API and
//! must not compute anything about scheduling.

pub mod below;
pub mod differ;
pub mod draw;
pub mod gesture;
pub mod hit;
pub mod label;
pub mod layout;
pub mod legend;
pub mod magnified;
pub mod paint;
pub mod print;
pub mod ruler;
#[cfg(test)]
mod sample;
pub mod scale;
pub mod shape;
pub mod steps;
pub mod svg;
pub mod theme;
pub mod tip;
pub mod twin;
pub mod veil;
