//! A vCPU becomes ready or stops being so.
//!
//! Follows: xen/common/sched_credit.c:csched_vcpu_wake, csched_vcpu_sleep, csched_vcpu_yield @
//! ebce2d836c, 89216c7999.

use super::{Credit1, tickle, tickle_counters};
use crate::cpumask::CpuMask;
use crate::decision::{
    Counter, Facts, NO_ARG, Priority, Reason, Sink, TickleInputs, TraceKind, TraceRecord,
    WakeFacts, WakeSource,
};
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::patches::{Patch, PatchSet};
use crate::policy::cx::Cx;
use alloc::borrow::Cow;

/// How a wake ended; the number is that of the log line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum WakeResult {
    /// Queued.
    Queued = 0,
    /// It is current already.
    Current = 1,
    /// It is queued already.
    OnQueue = 2,
    /// Something else still pauses it. Decided by the machine.
    NotRunnable = 3,
}

/// What a wake asks for.
#[derive(Debug)]
pub struct WakeAnswer {
    /// How it ended.
    pub result: WakeResult,
    /// The pCPUs to tell.
    pub tickled: CpuMask,
    /// The vCPU to push off its pCPU.
    pub kick: Option<VcpuId>,
    /// The record that explains both.
    pub why: DecisionId,
}

/// What a sleep asks for.
#[derive(Debug)]
pub struct SleepAnswer {
    /// The pCPU that must give the vCPU up.
    pub schedule_on: Option<PcpuId>,
}

/// Whether a vCPU that is woken like this is boosted: it has credit left, and was not parked or
/// merely moved.
#[must_use]
pub fn boosts(facts: &WakeFacts, patches: PatchSet) -> bool {
    let moved = facts.migrated && patches.has(Patch::NoBoostOnMigrate);
    !moved && facts.pri_before == Priority::UNDER && !facts.parked
}

impl Credit1 {
    /// A vCPU that nothing keeps from running any more is queued, and somebody is told.
    pub fn wake<S: Sink>(
        &mut self,
        cx: &mut Cx<'_, S>,
        vcpu: VcpuId,
        source: WakeSource,
    ) -> WakeAnswer {
        let processor = cx.system.vcpu(vcpu).processor;
        let before = self.vcpu(vcpu);
        let queued = before.queued;
        let mut facts = WakeFacts {
            source,
            processor,
            pri_before: before.pri,
            pri_after: before.pri,
            parked: before.parked,
            migrated: before.migrating,
            credit: before.credit,
        };
        let ignored = if cx.system.current[processor.index()] == vcpu {
            Some((Counter::VcpuWakeRunning, Reason::WakeCurrent, WakeResult::Current))
        } else if queued {
            Some((Counter::VcpuWakeOnrunq, Reason::WakeOnQueue, WakeResult::OnQueue))
        } else {
            None
        };
        if let Some((counter, reason, result)) = ignored {
            cx.crank(counter);
            let why = cx.record(reason, vcpu, source as u16, Facts::Wake(&facts));
            let tickled = CpuMask::empty_like(&self.idlers);
            return WakeAnswer { result, tickled, kick: None, why };
        }
        cx.crank(Counter::VcpuWakeRunnable);
        let boosted = self.boost(cx, vcpu, &facts);
        facts.pri_after = self.vcpu(vcpu).pri;
        self.runq_insert(processor, vcpu);
        self.count_runnable(processor, true);
        let reason = if boosted { Reason::WakeBoosted } else { Reason::WakeQueued };
        cx.cause = Some(cx.record(reason, vcpu, source as u16, Facts::Wake(&facts)));
        self.runq_tickle(cx, vcpu)
    }

    /// Boosts a woken vCPU that has credit left, unless it was parked or merely moved.
    fn boost<S: Sink>(&mut self, cx: &mut Cx<'_, S>, vcpu: VcpuId, facts: &WakeFacts) -> bool {
        let (patches, counts) = (self.patches, self.patches.has(Patch::TraceBoost));
        let sched = self.vcpu_mut(vcpu);
        sched.migrating = false;
        if !boosts(facts, patches) {
            return false;
        }
        sched.pri = Priority::BOOST;
        cx.trace(TraceRecord::Of { kind: TraceKind::BoostStart, vcpu });
        if counts {
            cx.crank(Counter::VcpuBoost);
        }
        true
    }

    /// Decides whom to tell about a vCPU that was just queued, and carries out the bookkeeping.
    fn runq_tickle<S: Sink>(&mut self, cx: &mut Cx<'_, S>, vcpu: VcpuId) -> WakeAnswer {
        let state = cx.system.vcpu(vcpu);
        let this_cpu = cx.system.this_pcpu;
        let current = cx.system.current[state.processor.index()];
        let inputs = TickleInputs {
            cpu: state.processor,
            this_cpu,
            cur: current,
            cur_pri: self.vcpu(current).pri,
            new_pri: self.vcpu(vcpu).pri,
            idlers: Cow::Borrowed(&self.idlers),
            pool: Cow::Borrowed(&cx.system.pool),
            new_hard: Cow::Borrowed(&state.hard),
            new_soft: Cow::Borrowed(&state.soft),
            cur_hard: Cow::Borrowed(&cx.system.vcpu(current).hard),
            tickle_one_idle: self.tickle_one_idle,
            cursor: self.pcpus[this_cpu.index()].cursor,
            told: Cow::Borrowed(&self.told),
        };
        let outcome = tickle(&inputs, self.patches);
        let told = outcome.tickled.first().map_or(NO_ARG, |pcpu| pcpu.0);
        let why = cx.record(outcome.reason, vcpu, told, Facts::Tickle(&inputs, &outcome));
        for counter in tickle_counters(&outcome) {
            cx.crank(counter);
        }
        if S::TRACES {
            outcome.tickled.iter().for_each(|pcpu| cx.trace(TraceRecord::Tickle { pcpu }));
        }
        self.pcpus[this_cpu.index()].cursor = outcome.cursor;
        let kick = outcome.kick.then_some(current);
        if outcome.kick {
            let stats = &mut self.vcpu_mut(current).stats;
            stats.kicked_away += 1;
            stats.migrate_r += 1;
        }
        let told = outcome.tickled.and(&self.idlers);
        self.told.add_all(&told);
        if self.patches.has(Patch::TickledIsBusy) {
            for pcpu in told.iter() {
                cx.idler(pcpu, false);
            }
            self.idlers.remove_all(&told);
        }
        WakeAnswer { result: WakeResult::Queued, tickled: outcome.tickled, kick, why }
    }

    /// A vCPU that may not run any more leaves its queue, or its pCPU is asked to give it up.
    pub fn sleep<S: Sink>(&mut self, cx: &mut Cx<'_, S>, vcpu: VcpuId) -> SleepAnswer {
        cx.crank(Counter::VcpuSleep);
        let processor = cx.system.vcpu(vcpu).processor;
        if cx.system.current[processor.index()] == vcpu {
            return SleepAnswer { schedule_on: Some(processor) };
        }
        if self.vcpu(vcpu).queued {
            self.count_runnable(processor, false);
            self.runq_remove(processor, vcpu);
        }
        SleepAnswer { schedule_on: None }
    }

    /// The running vCPU asks to let others go first.
    pub fn yield_<S: Sink>(&mut self, cx: &mut Cx<'_, S>, vcpu: VcpuId) {
        self.vcpu_mut(vcpu).yielded = true;
        if self.patches.has(Patch::YieldSkipsRatelimit) {
            cx.crank(Counter::VcpuYield);
        }
    }
}
