//! t
pub use sim_core;
