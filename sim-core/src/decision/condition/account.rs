//! The conditions of accountings, parks and unparks: sums of what each domain and vCPU gets.
//!
//! The scheduler's sums wrap around in 32 bits; what wraps is left out here.

use crate::decision::{AccountFacts, DomainShare, ParkFacts, ParkFate, Purse, Reason, VcpuShare};

/// The quotient rounded up.
fn div_ceil(dividend: u64, divisor: u64) -> u64 {
    dividend.div_ceil(divisor)
}

/// The product, if 32 bits hold it.
fn product(a: u32, b: u32, c: u32) -> Option<u64> {
    let product = u128::from(a) * u128::from(b) * u128::from(c);
    u32::try_from(product).ok().map(u64::from)
}

pub(super) fn account(reason: Reason, facts: &AccountFacts) -> bool {
    let AccountFacts { purse, domains, vcpus, .. } = facts;
    if reason == Reason::AccountNoWork {
        return purse.weight_sum == 0 && domains.is_empty() && facts.balance_after == 0;
    }
    let owed = i64::from(purse.balance.min(0));
    let count = |share: &DomainShare| u32::try_from(share.vcpus.len()).unwrap_or(u32::MAX);
    let weights = domains.iter().map(|share| u64::from(share.weight) * u64::from(count(share)));
    let after = vcpus.iter().map(|share| i64::from(share.after));
    let mut next = 0;
    let mut wanted = false;
    reason == Reason::AccountRun
        && weights.sum::<u64>() == u64::from(purse.weight_sum)
        && i64::from(facts.credit_total) == i64::from(purse.credit_pool) - owed
        && after.sum::<i64>() == i64::from(facts.balance_after)
        && domains.iter().all(|share| {
            let adjoins = share.vcpus.start == next && !share.vcpus.is_empty();
            next = share.vcpus.end;
            // Only who gets all that it can take, behind one that does not, goes to the head.
            let reordered = wanted && share.fair >= share.peak;
            wanted |= share.fair < share.peak;
            adjoins
                && share.reordered == reordered
                && domain(purse, share, count(share))
                && vcpus[share.vcpus.clone()].iter().all(|of| vcpu(purse, share, of))
        })
        && next == vcpus.len()
}

/// Fair share, peak and what each vCPU gets.
fn domain(purse: &Purse, share: &DomainShare, count: u32) -> bool {
    let total = u64::from(purse.weight_sum);
    let fair = product(share.credit_total, share.weight, count);
    let is_fair = fair.is_none_or(|product| u64::from(share.fair) == div_ceil(product, total));
    let capped = product(share.cap, purse.slice_credits, 1).map(|product| div_ceil(product, 100));
    let debt = product(purse.balance.min(0).unsigned_abs(), share.weight, count);
    let uncapped =
        debt.map(|debt| u64::from(count) * u64::from(purse.slice_credits) + div_ceil(debt, total));
    let peak = match (share.cap, capped) {
        (0, _) => uncapped,
        (_, Some(capped)) => uncapped.map(|most| most.min(capped)),
        _ => None,
    };
    let threshold = match (share.cap, capped) {
        (0, _) => share.threshold.is_none(),
        (_, Some(capped)) => share.threshold.map(u64::from) == Some(div_ceil(capped, count.into())),
        _ => true,
    };
    let taken = u64::from(share.fair.min(share.peak));
    is_fair
        && threshold
        && peak.is_none_or(|peak| u64::from(share.peak) == peak)
        && u64::from(share.given) == div_ceil(taken, count.into())
}

/// What the share makes of the credit, and of the pause.
fn vcpu(purse: &Purse, domain: &DomainShare, share: &VcpuShare) -> bool {
    let (most, earned) = (i64::from(purse.slice_credits), i64::from(share.earned));
    let after = match earned {
        _ if earned < -most => -most,
        _ if earned > most => earned / 2,
        _ => earned,
    };
    let used_up = domain.threshold.is_some_and(|threshold| earned < -i64::from(threshold));
    let fate = match (earned < 0, share.was_parked) {
        (true, false) if used_up => ParkFate::Parked,
        (false, true) => ParkFate::Unparked,
        _ => ParkFate::Stays,
    };
    earned == i64::from(share.before) + i64::from(domain.given)
        && i64::from(share.after) == after
        && share.fate == fate
}

pub(super) fn park(reason: Reason, facts: &ParkFacts) -> bool {
    let ParkFacts { cap, threshold, share, .. } = facts;
    let owes = |threshold: u32| i64::from(share.earned) < -i64::from(threshold);
    match (reason, share.fate) {
        (Reason::Park, ParkFate::Parked) => {
            *cap != 0 && !share.was_parked && threshold.is_some_and(owes)
        }
        (Reason::Unpark, ParkFate::Unparked) => share.was_parked && share.earned >= 0,
        _ => false,
    }
}
