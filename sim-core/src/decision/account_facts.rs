//! What an accounting is taken on and what comes out of it: per domain, and per vCPU in it.
//!
//! Only the shape; the sums are worked out in `policy`.

use super::Priority;
use crate::ids::{DomainId, VcpuId};
use alloc::vec::Vec;
use core::ops::Range;

/// What an accounting has to hand out. Credits: 10 are worth one ms of execution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Purse {
    /// Sum of the weights of the active vCPUs.
    pub weight_sum: u32,
    /// Credit handed out per accounting: a slice's worth per pCPU.
    pub credit_pool: u32,
    /// Sum of credits at the end of the last accounting; a debt is handed out besides.
    pub balance: i32,
    /// A slice's worth of credit, the most that a vCPU may keep and the most that it may owe.
    pub slice_credits: u32,
}

/// The facts of an accounting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountFacts {
    /// What there is.
    pub purse: Purse,
    /// Credit to hand out: the pool, and what is owed.
    pub credit_total: u32,
    /// Active domains in list order; none if nobody is active.
    pub domains: Vec<DomainShare>,
    /// Their active vCPUs, domain by domain, in list order.
    pub vcpus: Vec<VcpuShare>,
    /// Sum of credits afterwards.
    pub balance_after: i32,
}

/// What an accounting gives to a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DomainShare {
    /// The domain.
    pub domain: DomainId,
    /// Its weight.
    pub weight: u32,
    /// Its cap in percent of one pCPU; 0 = none.
    pub cap: u32,
    /// Where its vCPUs stand in [`AccountFacts::vcpus`].
    pub vcpus: Range<usize>,
    /// Credit to hand out when its turn comes: with what earlier domains could not take.
    pub credit_total: u32,
    /// Its fair share by weight, all its vCPUs together.
    pub fair: u32,
    /// The most that it can take: a slice's worth per vCPU and its part of the debt, or its cap.
    pub peak: u32,
    /// What each of its vCPUs gets.
    pub given: u32,
    /// What the domains behind it can take of its share, if it cannot take all and there are any.
    pub offered: Option<u32>,
    /// Whether it moves to the head of the list, so that next time its rest is offered to all.
    pub reordered: bool,
    /// How much a vCPU may owe before it is parked; none without a cap.
    pub threshold: Option<u32>,
}

/// What an accounting does to a vCPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VcpuShare {
    /// The vCPU.
    pub vcpu: VcpuId,
    /// Its credit before.
    pub before: i32,
    /// With its share, not yet limited.
    pub earned: i32,
    /// Its credit after: at least minus a slice's worth, and half of it if it was more than that.
    pub after: i32,
    /// Whether it was parked before.
    pub was_parked: bool,
    /// Whether it is paused or unpaused.
    pub fate: ParkFate,
}

/// What becomes of a vCPU's pause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParkFate {
    /// Nothing.
    Stays,
    /// Its domain's cap is used up: it is paused.
    Parked,
    /// It has its credit back: it is unpaused.
    Unparked,
}

/// The facts of a park or unpark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParkFacts {
    /// The vCPU's domain.
    pub domain: DomainId,
    /// The domain's cap in percent of one pCPU; 0 = none any more.
    pub cap: u32,
    /// How much a vCPU of it may owe; none without a cap.
    pub threshold: Option<u32>,
    /// What the accounting does to the vCPU.
    pub share: VcpuShare,
}

impl VcpuShare {
    /// Its priority after: whoever owes credit is OVER.
    #[must_use]
    pub fn pri(&self) -> Priority {
        if self.earned < 0 { Priority::OVER } else { Priority::UNDER }
    }

    /// Whether it owed more than it may.
    #[must_use]
    pub fn is_clipped(&self) -> bool {
        self.earned < 0 && self.after != self.earned
    }

    /// Whether it had more than it may keep, and stops earning.
    #[must_use]
    pub fn stops_earning(&self) -> bool {
        self.earned > 0 && self.after != self.earned
    }
}
