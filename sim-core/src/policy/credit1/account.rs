//! The periodic handing out of credit, with weights, caps and parking, carried out step by step.
//!
//! Follows: xen/common/sched_credit.c:csched_acct @ ebce2d836c, 89216c7999.
//!
//! Who gets what is worked out beforehand by `share_out`: pausing one vCPU and waking another in
//! between changes nobody's credit. The steps are taken one by one all the same, for a wake in
//! between sees the priorities that are set by then.

use super::{Credit1, share_out};
use crate::decision::{
    AccountFacts, Counter, DomainShare, Facts, NO_ARG, ParkFacts, ParkFate, Priority, Purse,
    Reason, Sink, TraceKind, TraceRecord, VcpuShare,
};
use crate::ids::DecisionId;
use crate::patches::Patch;
use crate::policy::cx::Cx;

/// What the machine must do to a vCPU between two steps of an accounting, because of this record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccountEffect {
    /// Pause it: its cap is used up.
    Park(DecisionId),
    /// Unpause it.
    Unpark(DecisionId),
}

impl Credit1 {
    /// Begins an accounting: its record, and who gets what.
    pub fn account_begin<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> (DecisionId, AccountFacts) {
        let purse = Purse {
            weight_sum: self.weight_sum,
            credit_pool: self.credit_pool,
            balance: self.balance,
            slice_credits: self.tslice.credits,
        };
        if self.balance < 0 {
            cx.crank(Counter::AcctBalance);
        }
        let (vcpus, domains) = (&self.vcpus, &self.domains);
        let active = self.active_domains.iter().map(|domain| {
            let active = domains[domain.index()].active.iter().map(|vcpu| {
                let sched = &vcpus[vcpu.index()];
                (*vcpu, sched.credit, sched.parked)
            });
            (*domain, cx.system.domains[domain.index()], active)
        });
        let facts = share_out(purse, active);
        let has_work = self.weight_sum != 0;
        let reason = if has_work { Reason::AccountRun } else { Reason::AccountNoWork };
        cx.crank(if has_work { Counter::AcctRun } else { Counter::AcctNoWork });
        let nobody = cx.system.idle_vcpu(cx.system.this_pcpu);
        let why = cx.record(reason, nobody, NO_ARG, Facts::Account(&facts));
        (why, facts)
    }

    /// A domain's turn comes.
    pub fn account_domain<S: Sink>(&mut self, cx: &mut Cx<'_, S>, share: &DomainShare) {
        if share.reordered {
            cx.crank(Counter::AcctReorder);
            self.active_domains.retain(|domain| *domain != share.domain);
            self.active_domains.insert(0, share.domain);
        }
    }

    /// Gives a vCPU its credit and says whether it is to be parked or unparked.
    pub fn account_credit<S: Sink>(
        &mut self,
        cx: &mut Cx<'_, S>,
        domain: &DomainShare,
        share: VcpuShare,
    ) -> Option<AccountEffect> {
        let boosts = self.patches.has(Patch::UnparkBoosts);
        let sched = self.vcpu_mut(share.vcpu);
        sched.credit = share.earned;
        sched.pri = share.pri();
        let &DomainShare { domain, cap, threshold, .. } = domain;
        let facts = ParkFacts { domain, cap, threshold, share };
        let mut record = |reason| cx.record(reason, share.vcpu, NO_ARG, Facts::Park(&facts));
        match share.fate {
            ParkFate::Stays => None,
            ParkFate::Parked => {
                sched.parked = true;
                let why = record(Reason::Park);
                cx.crank(Counter::VcpuPark);
                Some(AccountEffect::Park(why))
            }
            ParkFate::Unparked => {
                // Whether the wake that follows boosts depends on the mark being cleared before it.
                sched.parked = !boosts;
                let why = record(Reason::Unpark);
                cx.crank(Counter::VcpuUnpark);
                Some(AccountEffect::Unpark(why))
            }
        }
    }

    /// Limits a vCPU's credit after any parking; with more than it can use it stops earning.
    pub fn account_settle<S: Sink>(
        &mut self,
        cx: &mut Cx<'_, S>,
        domain: &DomainShare,
        share: VcpuShare,
    ) {
        let sched = self.vcpu_mut(share.vcpu);
        sched.credit = share.after;
        if share.pri() == Priority::UNDER {
            sched.parked = false;
        }
        if share.is_clipped() {
            cx.crank(Counter::AcctMinCredit);
        }
        if share.stops_earning() {
            self.stop_earning(cx, domain, share);
        }
    }

    fn stop_earning<S: Sink>(
        &mut self,
        cx: &mut Cx<'_, S>,
        domain: &DomainShare,
        VcpuShare { vcpu, .. }: VcpuShare,
    ) {
        cx.crank(Counter::AcctVcpuIdle);
        let sched = self.vcpu_mut(vcpu);
        sched.active = false;
        sched.stats.state_idle += 1;
        self.weight_sum -= domain.weight;
        let active = &mut self.domains[domain.domain.index()].active;
        active.retain(|other| *other != vcpu);
        let left = u32::try_from(active.len()).expect("limited vCPUs");
        if active.is_empty() {
            self.active_domains.retain(|other| *other != domain.domain);
        }
        cx.trace(TraceRecord::Account { kind: TraceKind::AccountStop, vcpu, active: left });
    }

    /// Ends an accounting.
    pub fn account_end(&mut self, facts: &AccountFacts) {
        self.balance = facts.balance_after;
        if !facts.domains.is_empty() {
            // Wrapping: the epoch is only compared for equality.
            self.epoch = self.epoch.wrapping_add(1);
        }
    }
}
