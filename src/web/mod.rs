//! The only place that names web APIs.
//!
//! Must not know what the page shows or why.

pub mod address;
pub mod canvas;
pub mod chart;
pub mod clipboard;
pub mod files;
pub mod frames;
pub mod offline;
pub mod screen;
pub mod storage;
pub mod style;
pub mod surface;
pub mod worker;
