//! How much credit an accounting gives to whom. Pure.
//!
//! Follows: xen/common/sched_credit.c:csched_acct @ ebce2d836c, 89216c7999.
//!
//! All sums are unsigned 32-bit and wrap around, as the scheduler's do; the balance and a vCPU's
//! credit are signed.

use crate::decision::{AccountFacts, DomainShare, ParkFate, Purse, VcpuShare};
use crate::ids::{DomainId, VcpuId};
use alloc::vec::Vec;

/// Division that rounds up, on wrapping numbers.
fn div_ceil_wrapping(dividend: u32, divisor: u32) -> u32 {
    dividend.wrapping_add(divisor - 1) / divisor
}

/// What is left while the domains are gone through.
struct Left {
    weight: u32,
    credit_total: u32,
    /// A domain has got less than it could take.
    surplus_wanted: bool,
}

/// Shares the purse out among these domains, each with weight, cap and vCPUs, each of these with
/// its credit and whether it is parked.
pub fn share_out<V: Iterator<Item = (VcpuId, i32, bool)>>(
    purse: Purse,
    domains: impl Iterator<Item = (DomainId, (u32, u32), V)>,
) -> AccountFacts {
    let debt = if purse.balance < 0 { purse.balance.cast_unsigned() } else { 0 };
    // Wrapping: the scheduler's sum is unsigned.
    let credit_total = purse.credit_pool.wrapping_sub(debt);
    let mut facts = AccountFacts {
        purse,
        credit_total,
        domains: Vec::new(),
        vcpus: Vec::new(),
        balance_after: 0,
    };
    if facts.purse.weight_sum == 0 {
        return facts;
    }
    let weight = facts.purse.weight_sum;
    let mut left = Left { weight, credit_total, surplus_wanted: false };
    for (domain, weight_and_cap, vcpus) in domains {
        let first = facts.vcpus.len();
        facts.vcpus.extend(vcpus.map(|(vcpu, before, was_parked)| VcpuShare {
            vcpu,
            before,
            earned: before,
            after: before,
            was_parked,
            fate: ParkFate::Stays,
        }));
        let range = first..facts.vcpus.len();
        let count = u32::try_from(range.len()).expect("limited vCPUs");
        let mut share = domain_share(&facts.purse, &mut left, domain, weight_and_cap, count);
        for vcpu in &mut facts.vcpus[range.clone()] {
            vcpu_share(&facts.purse, &share, vcpu);
            // Wrapping: the scheduler's sum is a plain signed word.
            facts.balance_after = facts.balance_after.wrapping_add(vcpu.after);
        }
        share.vcpus = range;
        facts.domains.push(share);
    }
    facts
}

/// What the `count` active vCPUs of a domain get.
fn domain_share(
    purse: &Purse,
    left: &mut Left,
    domain: DomainId,
    (weight, cap): (u32, u32),
    count: u32,
) -> DomainShare {
    let (total, part) = (purse.weight_sum, weight.wrapping_mul(count));
    left.weight = left.weight.wrapping_sub(part);
    let mut peak = count * purse.slice_credits;
    if purse.balance < 0 {
        let debt = purse.balance.unsigned_abs().wrapping_mul(part);
        peak = peak.wrapping_add(div_ceil_wrapping(debt, total));
    }
    let mut threshold = None;
    if cap != 0 {
        let capped = (cap.wrapping_mul(purse.slice_credits)).wrapping_add(99) / 100;
        peak = peak.min(capped);
        threshold = Some(div_ceil_wrapping(capped, count));
    }
    let credit_total = left.credit_total;
    let fair = div_ceil_wrapping(credit_total.wrapping_mul(part), total);
    let (mut offered, mut reordered) = (None, false);
    if fair < peak {
        left.surplus_wanted = true;
    } else {
        if left.weight != 0 {
            let surplus = (fair - peak).wrapping_mul(total);
            let more = div_ceil_wrapping(surplus, left.weight);
            left.credit_total = credit_total.wrapping_add(more);
            offered = Some(more);
        }
        reordered = left.surplus_wanted;
    }
    let given = div_ceil_wrapping(fair.min(peak), count);
    let vcpus = 0..0;
    DomainShare {
        domain,
        weight,
        cap,
        vcpus,
        credit_total,
        fair,
        peak,
        given,
        offered,
        reordered,
        threshold,
    }
}

/// What its share makes of a vCPU's credit.
fn vcpu_share(purse: &Purse, share: &DomainShare, vcpu: &mut VcpuShare) {
    let most = i32::try_from(purse.slice_credits).expect("a slice is at most a second");
    // Wrapping: the scheduler adds an unsigned share to a signed credit.
    vcpu.earned = vcpu.before.wrapping_add_unsigned(share.given);
    let owes_more_than = |threshold: u32| i64::from(vcpu.earned) < -i64::from(threshold);
    vcpu.fate = match vcpu.was_parked {
        false if vcpu.earned < 0 && share.threshold.is_some_and(owes_more_than) => ParkFate::Parked,
        true if vcpu.earned >= 0 => ParkFate::Unparked,
        _ => ParkFate::Stays,
    };
    vcpu.after = match vcpu.earned {
        earned if earned < -most => -most,
        // Truncating: the scheduler halves a signed number.
        earned if earned > most => earned / 2,
        earned => earned,
    };
}
