//! Charging execution time in credit.
//!
//! Follows: xen/common/sched_credit.c:burn_credits @ ebce2d836c, 89216c7999.

use super::{CREDITS_PER_MS, Vcpu};
use crate::patches::{Patch, PatchSet};
use crate::units::SimTime;

/// Nanoseconds that one credit is worth.
const NS_PER_CREDIT: i64 = 100_000;
const NS_PER_MS: i64 = 1_000_000;

/// Charges the execution since the last charge.
///
/// Without `burn_residual` rounds to the nearest credit, so that `start_time` may end up slightly
/// in the future; with it whole credits are charged and the remainder is kept.
pub fn burn(vcpu: &mut Vcpu, now: SimTime, patches: PatchSet) {
    let delta = signed_ns(now) - vcpu.start_time;
    if delta <= 0 {
        return;
    }
    let value = delta * i64::from(CREDITS_PER_MS);
    let credits = if patches.has(Patch::BurnResidual) {
        let value = value + i64::from(vcpu.residual);
        vcpu.residual = u32::try_from(value % NS_PER_MS).expect("a remainder of a million");
        value / NS_PER_MS
    } else {
        (value + NS_PER_MS / 2) / NS_PER_MS
    };
    vcpu.credit -= i32::try_from(credits).expect("a run is short enough for its credits");
    vcpu.start_time += credits * NS_PER_CREDIT;
}

/// A point in time as the scheduler keeps it.
pub(super) fn signed_ns(time: SimTime) -> i64 {
    i64::try_from(time.as_ns()).expect("runs are shorter than 292 years")
}
