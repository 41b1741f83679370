//! Schedulers. A policy answers the verbs of Xen's scheduler interface; what it wants done is in
//! its answers, each with the record that explains it. It reads a [`cx::Cx`] and never the machine.

pub mod credit1;
pub mod cx;
