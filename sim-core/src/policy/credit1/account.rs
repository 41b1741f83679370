//! The periodic handing out of credit, with weights, caps and parking.
//!
//! Follows: xen/common/sched_credit.c:csched_acct @ ebce2d836c, 89216c7999.
//!
//! All sums are unsigned 32-bit and wrap around, as the scheduler's do; the balance and a vCPU's
//! credit are signed.

use super::Credit1;
use crate::decision::{
    AccountFacts, Counter, Facts, NO_ARG, Priority, Reason, Sink, TraceKind, TraceRecord,
};
use crate::ids::{DecisionId, DomainId, VcpuId};
use crate::patches::Patch;
use crate::policy::cx::Cx;
use alloc::vec::Vec;

/// What the machine must do between two steps of an accounting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountEffect {
    /// Pause this vCPU: its cap is used up.
    Park(VcpuId, DecisionId),
    /// Unpause this vCPU.
    Unpark(VcpuId, DecisionId),
}

/// An accounting under way: the machine takes vCPU after vCPU from it.
#[derive(Debug)]
pub struct AccountRun {
    /// The record of this accounting.
    pub why: DecisionId,
    domains: Vec<DomainId>,
    vcpus: Vec<VcpuId>,
    domain: DomainId,
    /// Credit per vCPU of the domain.
    fair: u32,
    /// Parking threshold per vCPU. Not reset for a domain without cap, which does not use it.
    threshold: u32,
    cap: u32,
    weight: u32,
    weight_total: u32,
    weight_left: u32,
    credit_total: u32,
    balance_before: i32,
    balance: i32,
    surplus_seen: bool,
}

/// Division that rounds up, on wrapping numbers.
fn div_ceil_wrapping(dividend: u32, divisor: u32) -> u32 {
    dividend.wrapping_add(divisor - 1) / divisor
}

impl Credit1 {
    /// Begins an accounting; none if there is nobody to give credit to.
    pub fn account_begin<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Option<AccountRun> {
        let mut credit_total = self.credit_pool;
        if self.balance < 0 {
            // Wrapping: the scheduler's sum is unsigned.
            credit_total = credit_total.wrapping_sub(self.balance.cast_unsigned());
            cx.crank(Counter::AcctBalance);
        }
        let has_work = self.weight_sum != 0;
        let facts = AccountFacts {
            weight_sum: self.weight_sum,
            credit_total,
            balance: self.balance,
            order: self.active_domains.clone(),
        };
        let reason = if has_work { Reason::AccountRun } else { Reason::AccountNoWork };
        let nobody = cx.system.idle_vcpu(cx.system.this_pcpu);
        let why = cx.record(reason, nobody, NO_ARG, Facts::Account(&facts));
        if !has_work {
            self.balance = 0;
            cx.crank(Counter::AcctNoWork);
            return None;
        }
        cx.crank(Counter::AcctRun);
        let mut domains = facts.order;
        domains.reverse();
        Some(AccountRun {
            why,
            domains,
            vcpus: Vec::new(),
            domain: DomainId(0),
            fair: 0,
            threshold: 0,
            cap: 0,
            weight: 0,
            weight_total: self.weight_sum,
            weight_left: self.weight_sum,
            credit_total,
            balance_before: self.balance,
            balance: 0,
            surplus_seen: false,
        })
    }

    /// The next vCPU to give credit to. Works out the domain's share when a domain begins.
    pub fn account_next<S: Sink>(
        &mut self,
        cx: &mut Cx<'_, S>,
        run: &mut AccountRun,
    ) -> Option<VcpuId> {
        while run.vcpus.is_empty() {
            run.domain = run.domains.pop()?;
            self.account_domain(cx, run);
            run.vcpus.extend(self.domains[run.domain.index()].active.iter().rev());
        }
        run.vcpus.pop()
    }

    /// Works out what each vCPU of a domain gets.
    fn account_domain<S: Sink>(&mut self, cx: &mut Cx<'_, S>, run: &mut AccountRun) {
        let index = run.domain.index();
        let count = u32::try_from(self.domains[index].active.len()).expect("limited vCPUs");
        let credits = self.tslice.credits;
        (run.weight, run.cap) = cx.system.domains[index];
        let (total, share) = (run.weight_total, run.weight.wrapping_mul(count));
        run.weight_left = run.weight_left.wrapping_sub(share);
        let mut peak = count * credits;
        if run.balance_before < 0 {
            let debt = run.balance_before.unsigned_abs().wrapping_mul(share);
            peak = peak.wrapping_add(div_ceil_wrapping(debt, total));
        }
        if run.cap != 0 {
            let capped = (run.cap.wrapping_mul(credits)).wrapping_add(99) / 100;
            peak = peak.min(capped);
            run.threshold = div_ceil_wrapping(capped, count);
        }
        let mut fair = div_ceil_wrapping(run.credit_total.wrapping_mul(share), total);
        if fair < peak {
            run.surplus_seen = true;
        } else {
            if run.weight_left != 0 {
                let surplus = (fair - peak).wrapping_mul(total);
                let offered = div_ceil_wrapping(surplus, run.weight_left);
                run.credit_total = run.credit_total.wrapping_add(offered);
            }
            if run.surplus_seen {
                cx.crank(Counter::AcctReorder);
                self.active_domains.retain(|domain| *domain != run.domain);
                self.active_domains.insert(0, run.domain);
            }
            fair = peak;
        }
        run.fair = div_ceil_wrapping(fair, count);
    }

    /// Gives a vCPU its credit and says whether it is to be parked or unparked.
    pub fn account_credit<S: Sink>(
        &mut self,
        cx: &mut Cx<'_, S>,
        run: &AccountRun,
        vcpu: VcpuId,
    ) -> Option<AccountEffect> {
        let boosts = self.patches.has(Patch::UnparkBoosts);
        let sched = self.vcpu_mut(vcpu);
        // Wrapping: the scheduler adds an unsigned share to a signed credit.
        sched.credit = sched.credit.wrapping_add_unsigned(run.fair);
        let credit = sched.credit;
        let facts = Facts::Park { credit, threshold: run.threshold };
        let over = i64::from(credit) < -i64::from(run.threshold);
        sched.pri = if credit < 0 { Priority::OVER } else { Priority::UNDER };
        cx.cause = Some(run.why);
        if credit < 0 && run.cap != 0 && over && !sched.parked {
            sched.parked = true;
            cx.crank(Counter::VcpuPark);
            return Some(AccountEffect::Park(vcpu, cx.record(Reason::Park, vcpu, NO_ARG, facts)));
        }
        if credit >= 0 && sched.parked {
            cx.crank(Counter::VcpuUnpark);
            // Whether the wake that follows boosts depends on the mark being cleared before it.
            sched.parked = !boosts;
            let why = cx.record(Reason::Unpark, vcpu, NO_ARG, facts);
            return Some(AccountEffect::Unpark(vcpu, why));
        }
        None
    }

    /// Clips a vCPU's credit after any parking, and counts it into the balance.
    pub fn account_settle<S: Sink>(
        &mut self,
        cx: &mut Cx<'_, S>,
        run: &mut AccountRun,
        vcpu: VcpuId,
    ) {
        let most = i32::try_from(self.tslice.credits).expect("a slice is at most a second");
        let sched = self.vcpu_mut(vcpu);
        if sched.credit < 0 {
            if sched.credit < -most {
                cx.crank(Counter::AcctMinCredit);
                sched.credit = -most;
            }
        } else {
            sched.parked = false;
            if sched.credit > most {
                sched.credit /= 2;
                self.stop_earning(cx, run, vcpu);
            }
        }
        // Wrapping: the scheduler's sum is a plain signed word.
        run.balance = run.balance.wrapping_add(self.vcpu(vcpu).credit);
    }

    /// A vCPU that has more credit than it can use stops earning.
    fn stop_earning<S: Sink>(&mut self, cx: &mut Cx<'_, S>, run: &AccountRun, vcpu: VcpuId) {
        cx.crank(Counter::AcctVcpuIdle);
        let sched = self.vcpu_mut(vcpu);
        sched.active = false;
        sched.stats.state_idle += 1;
        self.weight_sum -= run.weight;
        let active = &mut self.domains[run.domain.index()].active;
        active.retain(|other| *other != vcpu);
        let left = u32::try_from(active.len()).expect("limited vCPUs");
        if active.is_empty() {
            self.active_domains.retain(|domain| *domain != run.domain);
        }
        cx.trace(TraceRecord::Account { kind: TraceKind::AccountStop, vcpu, active: left });
    }

    /// Ends an accounting that had work.
    pub fn account_end(&mut self, run: &AccountRun) {
        self.balance = run.balance;
        // Wrapping: the epoch is only compared for equality.
        self.epoch = self.epoch.wrapping_add(1);
    }
}
