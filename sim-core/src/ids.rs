//! Numbers that name things: pCPUs, vCPUs, domains, decisions.
//!
//! Each is an index into the one table that owns the thing; this module owns none of them.

/// A pCPU, an index into the machine's table of pCPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PcpuId(pub u16);

/// A vCPU, an index into the machine's table of vCPUs.
///
/// Guests come first, in order of the scenario; then one idle vCPU per pCPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VcpuId(pub u16);

/// A domain (a virtual machine), an index in order of the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DomainId(pub u16);

/// A record of the run, numbered from 0 in the order in which records were made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DecisionId(pub u32);

impl PcpuId {
    /// The pCPU as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl VcpuId {
    /// The vCPU as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl DomainId {
    /// The domain as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}
