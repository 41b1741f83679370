//! What an accounting must do with the credit: hand out one share per domain, clip, halve, and keep
//! the sum of what it leaves.

use crate::invariants::guests;
use sim_core::decision::{Facts, Reason, Row, Sink};
use sim_core::ids::DecisionId;
use sim_core::machine::Machine;

/// Notices an accounting with work.
#[derive(Default)]
pub struct SawAccounting(pub bool);

impl Sink for SawAccounting {
    fn record(&mut self, _: DecisionId, row: &Row, _: Facts<'_>) {
        self.0 |= row.reason == Reason::AccountRun;
    }
}

/// Whether each guest's vCPU earns, and its credit.
pub fn credits(machine: &Machine) -> Vec<(bool, i32)> {
    let of = |vcpu| (machine.policy().vcpu(vcpu).active, machine.policy().vcpu(vcpu).credit);
    guests(machine).map(of).collect()
}

/// The first thing that an accounting that found these credits did wrong, if any.
pub fn wrong(before: &[(bool, i32)], after: &Machine) -> Option<String> {
    let most = i32::try_from(after.policy().tslice.credits).expect("a slice is at most a second");
    let mut shares = vec![None; after.system().domains.len()];
    let mut balance = 0;
    for (vcpu, (was_active, had)) in guests(after).zip(before) {
        let is = after.policy().vcpu(vcpu);
        if !was_active {
            if *had != is.credit {
                return Some(format!("vCPU {} earned without being active", vcpu.0));
            }
            continue;
        }
        balance += is.credit;
        // Who keeps earning is within a slice's worth; who had more stops, with half of it.
        if is.credit < -most || is.active && is.credit > most || !is.active && is.credit < most / 2
        {
            return Some(format!("vCPU {} has {} credits, most are {most}", vcpu.0, is.credit));
        }
        if is.credit == -most {
            continue; // clipped, so that its share cannot be seen
        }
        let domain = after.system().vcpu(vcpu).domain.index();
        let halved = !is.active;
        // Halving rounds towards zero: the share is one of two numbers.
        let least = if halved { 2 * is.credit } else { is.credit } - had;
        let range = (least, least + i32::from(halved));
        let (low, high) = shares[domain].unwrap_or(range);
        let both = (low.max(range.0), high.min(range.1));
        if both.0 > both.1 {
            return Some(format!("vCPU {} got {range:?}, its domain {:?}", vcpu.0, (low, high)));
        }
        shares[domain] = Some(both);
    }
    let kept = after.policy().balance;
    (balance != kept).then(|| format!("credits add up to {balance}, the balance is {kept}"))
}
