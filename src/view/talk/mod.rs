//! The talk: its stops as a list to prepare them, and what of the page stands before a room.
//!
//! Shows what is known; it must not decide where a stop leads.

mod bar;
mod predict;
mod stops;

pub use bar::bar;
pub use predict::{answer, question, spoken};
pub use stops::Stops;
