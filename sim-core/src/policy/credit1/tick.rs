//! A pCPU's periodic tick: charge who runs, let it earn, ask whether it sits well.
//!
//! Follows: xen/common/sched_credit.c:csched_tick, csched_vcpu_acct, __csched_vcpu_acct_start @
//! ebce2d836c, 89216c7999.

use super::{Credit1, burn};
use crate::decision::{
    Counter, Facts, NO_ARG, PickPurpose, Priority, Reason, Sink, TickFacts, TraceKind, TraceRecord,
};
use crate::ids::{DecisionId, VcpuId};
use crate::policy::cx::Cx;

/// What a tick that found a guest running asks for.
#[derive(Debug)]
pub struct TickAnswer {
    /// Whether the vCPU is to be moved.
    pub migrate: bool,
    /// The record that explains it.
    pub why: DecisionId,
}

impl Credit1 {
    /// The tick of the executing pCPU finds `vcpu`, a guest, running.
    pub fn tick_running<S: Sink>(&mut self, cx: &mut Cx<'_, S>, vcpu: VcpuId) -> TickAnswer {
        let (now, patches, pcpu) = (cx.system.now, self.patches, cx.system.this_pcpu);
        let sched = self.vcpu_mut(vcpu);
        let pri_before = sched.pri;
        if sched.pri == Priority::BOOST {
            sched.pri = Priority::UNDER;
            cx.trace(TraceRecord::Of { kind: TraceKind::BoostEnd, vcpu });
        }
        let charge = burn(sched, now, patches);
        let (pri_after, credit, was_active) = (sched.pri, sched.credit, sched.active);
        let mut picked = None;
        let reason = if !was_active {
            self.start_earning(cx, vcpu);
            Reason::TickActivate
        } else {
            let (outcome, id) = self.pick(cx, vcpu, PickPurpose::Tick);
            cx.cause = Some(id);
            picked = Some(outcome.cpu);
            if outcome.cpu == pcpu { Reason::TickStay } else { Reason::TickMigrate }
        };
        let migrate = reason == Reason::TickMigrate;
        if migrate {
            self.vcpu_mut(vcpu).stats.migrate_r += 1;
            cx.crank(Counter::MigrateRunning);
        }
        let facts = TickFacts { pri_before, pri_after, credit, charge, was_active, picked };
        let arg = picked.map_or(NO_ARG, |pcpu| pcpu.0);
        TickAnswer { migrate, why: cx.record(reason, vcpu, arg, Facts::Tick(&facts)) }
    }

    /// The tick's end, whoever runs: the queue is sorted if an accounting has passed.
    pub fn tick_end<S: Sink>(&mut self, cx: &Cx<'_, S>) {
        self.runq_sort(cx.system.this_pcpu);
    }

    /// A vCPU that was seen running begins to earn credit.
    fn start_earning<S: Sink>(&mut self, cx: &mut Cx<'_, S>, vcpu: VcpuId) {
        cx.crank(Counter::AcctVcpuActive);
        let domain = cx.system.vcpu(vcpu).domain;
        let sched = self.vcpu_mut(vcpu);
        sched.active = true;
        sched.stats.state_active += 1;
        self.weight_sum += cx.system.domains[domain.index()].0;
        let active = &mut self.domains[domain.index()].active;
        if active.is_empty() {
            self.active_domains.insert(0, domain);
        }
        active.insert(0, vcpu);
        let active = u32::try_from(active.len()).expect("limited vCPUs");
        cx.trace(TraceRecord::Account { kind: TraceKind::AccountStart, vcpu, active });
    }
}
