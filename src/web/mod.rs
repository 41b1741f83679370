//! The only place that names web APIs.
//!
//! Must not know what the page shows or why.
