//! The worker's half of the page, without any web API: it owns the run and answers questions.

pub mod explain;
