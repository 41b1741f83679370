//! Charging execution time in credit.
//!
//! Follows: xen/common/sched_credit.c:burn_credits @ ebce2d836c, 89216c7999.

use super::{CREDITS_PER_MS, Vcpu};
use crate::decision::Charge;
use crate::patches::{Patch, PatchSet};
use crate::units::SimTime;

/// Nanoseconds that one credit is worth.
const NS_PER_CREDIT: i64 = 100_000;
const NS_PER_MS: i64 = 1_000_000;

/// Charges the execution since the last charge.
///
/// Without `burn_residual` rounds to the nearest credit, so that `start_time` may end up slightly
/// in the future; with it whole credits are charged and the remainder is kept.
pub fn burn(vcpu: &mut Vcpu, now: SimTime, patches: PatchSet) -> Charge {
    let delta_ns = signed_ns(now) - vcpu.start_time;
    let (credits, residual) = charge(delta_ns, vcpu.residual, patches);
    let charge = Charge { delta_ns, residual: vcpu.residual, credits };
    vcpu.credit -= credits;
    vcpu.residual = residual;
    vcpu.start_time += i64::from(credits) * NS_PER_CREDIT;
    charge
}

/// The credits that execution of `delta_ns` is charged, and what is kept for the next charge in
/// millionths of a credit, if `residual` was kept from the last one.
#[must_use]
pub fn charge(delta_ns: i64, residual: u32, patches: PatchSet) -> (i32, u32) {
    if delta_ns <= 0 {
        return (0, residual);
    }
    let value = delta_ns * i64::from(CREDITS_PER_MS);
    let (credits, residual) = if patches.has(Patch::BurnResidual) {
        let value = value + i64::from(residual);
        let left = u32::try_from(value % NS_PER_MS).expect("a remainder of a million");
        (value / NS_PER_MS, left)
    } else {
        ((value + NS_PER_MS / 2) / NS_PER_MS, residual)
    };
    (i32::try_from(credits).expect("a run is short enough for its credits"), residual)
}

/// A point in time as the scheduler keeps it.
pub(super) fn signed_ns(time: SimTime) -> i64 {
    i64::try_from(time.as_ns()).expect("runs are shorter than 292 years")
}
