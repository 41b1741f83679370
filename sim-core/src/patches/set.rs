//! A choice of patches.

use super::{PATCHES, Patch};

/// Which patches are on, a bit each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PatchSet(u64);

/// Why a choice of patches is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombinationError {
    /// A patch is on whose base is off.
    Needs {
        /// The patch that is on.
        patch: Patch,
        /// What it needs.
        needed: Patch,
    },
    /// A bit is set that belongs to no patch.
    UnknownBit(u32),
}

impl PatchSet {
    /// No patch: the scheduler of December 2012 before the series.
    pub const NONE: Self = Self(0);

    /// These patches.
    #[must_use]
    pub const fn of(patches: &[Patch]) -> Self {
        let mut set = Self(0);
        let mut index = 0;
        while index < patches.len() {
            set.0 |= 1 << patches[index] as u8;
            index += 1;
        }
        set
    }

    /// The set as link bits.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Reads link bits.
    ///
    /// # Errors
    /// When a bit belongs to no patch or a patch is on without what it needs.
    pub fn from_bits(bits: u64) -> Result<Self, CombinationError> {
        let known = (1u64 << PATCHES.len()) - 1;
        if bits & !known != 0 {
            return Err(CombinationError::UnknownBit((bits & !known).trailing_zeros()));
        }
        Self(bits).checked()
    }

    /// Whether a patch is on.
    #[must_use]
    #[inline]
    pub const fn has(self, patch: Patch) -> bool {
        self.0 >> patch as u8 & 1 != 0
    }

    /// The set with a patch on.
    #[must_use]
    pub const fn with(self, patch: Patch) -> Self {
        Self(self.0 | 1 << patch as u8)
    }

    /// The set with a patch off.
    #[must_use]
    pub const fn without(self, patch: Patch) -> Self {
        Self(self.0 & !(1 << patch as u8))
    }

    /// The set with all of `others` on.
    #[must_use]
    pub const fn with_all(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// The set with all of `others` off.
    #[must_use]
    pub const fn without_all(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// The set with a patch flipped, and with it whatever keeps the choice defined: switching on
    /// brings what the patch needs, switching off takes away what needs it.
    #[must_use]
    pub fn flipped(self, patch: Patch) -> Self {
        if !self.has(patch) {
            return self.with(patch).closed();
        }
        let mut set = self.without(patch);
        while let Err(CombinationError::Needs { patch, .. }) = set.checked() {
            set = set.without(patch);
        }
        set
    }

    /// The set with everything that its members need.
    #[must_use]
    pub fn closed(self) -> Self {
        let mut set = self;
        while let Err(CombinationError::Needs { needed, .. }) = set.checked() {
            set = set.with(needed);
        }
        set
    }

    /// The patches that are on, in table order.
    pub fn iter(self) -> impl Iterator<Item = Patch> {
        PATCHES.iter().map(|info| info.patch).filter(move |patch| self.has(*patch))
    }

    /// The same set, if it is defined.
    ///
    /// # Errors
    /// When a patch is on whose base is off.
    pub fn checked(self) -> Result<Self, CombinationError> {
        for patch in self.iter() {
            for &needed in patch.info().needs {
                if !self.has(needed) {
                    return Err(CombinationError::Needs { patch, needed });
                }
            }
        }
        Ok(self)
    }
}
