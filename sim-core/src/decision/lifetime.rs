//! Since which patch a counter or a trace record exists, and until which.
//!
//! Says when; what is counted or told stands in the tables.

use crate::patches::{Patch, PatchSet};

/// The patches between which something exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    /// The patch that brings it; none if it was there before all of them.
    pub since: Option<Patch>,
    /// The patch that takes it away; none if it is still there.
    pub until: Option<Patch>,
}

impl Lifetime {
    /// Whether it exists with these patches.
    #[must_use]
    pub fn holds(self, patches: PatchSet) -> bool {
        self.since.is_none_or(|patch| patches.has(patch))
            && self.until.is_none_or(|patch| !patches.has(patch))
    }
}

/// The patch of this name, if one is named.
macro_rules! patch {
    () => {
        None
    };
    ($patch:ident) => {
        Some($crate::patches::Patch::$patch)
    };
}

/// The text, if one is given.
macro_rules! text {
    () => {
        None
    };
    ($text:literal) => {
        Some($text)
    };
}
