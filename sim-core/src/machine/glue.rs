//! The scheduler-independent part of Xen's scheduling: wake, sleep, pause, move.
//!
//! Follows: xen/common/schedule.c:vcpu_wake, vcpu_sleep_nosync, vcpu_migrate @ ebce2d836c;
//! vcpu_migrate_start, vcpu_migrate_finish @ 9a36de177c.

use super::Machine;
use crate::cpumask::CpuMask;
use crate::decision::{
    Facts, LogLine, PickPurpose, Priority, Reason, Sink, TraceInfo, TraceKind, TraceRecord,
    WakeFacts, WakeSource,
};
use crate::ids::{DecisionId, VcpuId};
use crate::patches::Patch;
use crate::policy::credit1::{WakeAnswer, WakeResult, affinity_migrates};
use crate::policy::cx::{Runstate, pause};
use crate::units::SimTime;

impl Machine {
    /// Books the time since the last change and enters a new state.
    pub(super) fn set_runstate<S: Sink>(&mut self, vcpu: VcpuId, new: Runstate, sink: &mut S) {
        let now = self.system.now;
        if S::TRACES {
            let kind = runstate_change(self.system.vcpu(vcpu).runstate, new);
            self.trace(sink, TraceRecord::Runstate { kind, vcpu });
        }
        let state = &mut self.system.vcpus[vcpu.index()];
        let spent = now - state.entry;
        self.tally.vcpus[vcpu.index()].spent_ns[state.runstate as usize] += spent.as_ns();
        state.runstate = new;
        state.entry = now;
    }

    /// A vCPU may have become ready.
    pub(super) fn vcpu_wake<S: Sink>(
        &mut self,
        vcpu: VcpuId,
        source: WakeSource,
        cause: Option<DecisionId>,
        sink: &mut S,
    ) {
        let processor = self.system.vcpu(vcpu).processor;
        let runstate = self.system.vcpu(vcpu).runstate;
        let current = self.system.current[processor.index()];
        let told_first = self.policy.patches.has(TraceInfo::CHANGED_BY);
        let record = TraceRecord::Of { kind: TraceKind::Wake, vcpu };
        if told_first {
            self.trace(sink, record);
        }
        let answer = if self.system.runnable(vcpu) {
            if matches!(runstate, Runstate::Blocked | Runstate::Offline) {
                self.set_runstate(vcpu, Runstate::Runnable, sink);
            }
            let (policy, mut cx) = self.policy_cx(sink, cause);
            policy.wake(&mut cx, vcpu, source)
        } else {
            let blocked = self.system.vcpu(vcpu).pause & pause::BLOCKED != 0;
            if !blocked && runstate == Runstate::Blocked {
                self.set_runstate(vcpu, Runstate::Offline, sink);
            }
            self.not_runnable(vcpu, source, cause, sink)
        };
        if !told_first {
            self.trace(sink, record);
        }
        if let Some(kicked) = answer.kick {
            self.tally.kicks += 1;
            self.mark_migrating(kicked, answer.why);
        }
        if !answer.tickled.is_empty() {
            self.tally.tickle_calls += 1;
            self.tally.tickled_cpus += u64::from(answer.tickled.len());
            let preempts = !self.system.is_idle(current) && answer.tickled.contains(processor);
            self.tally.wake_preempt += u64::from(preempts);
            for pcpu in answer.tickled.iter() {
                self.raise(sink, pcpu, answer.why);
            }
        }
        if answer.result == WakeResult::Queued
            && matches!(source, WakeSource::Start | WakeSource::Io)
        {
            self.tally.vcpus[vcpu.index()].wakes += 1;
            self.guests[vcpu.index()].woken_at = Some(self.system.now);
        }
        let Priority(pri) = self.policy.vcpu(vcpu).pri;
        let line = LogLine::Wake {
            vcpu,
            source: source as u8,
            processor,
            pri,
            outcome: answer.result as u8,
            tickled: &answer.tickled,
            kick: answer.kick,
        };
        sink.log(self.system.now, self.system.this_pcpu, &line);
    }

    fn not_runnable<S: Sink>(
        &mut self,
        vcpu: VcpuId,
        source: WakeSource,
        cause: Option<DecisionId>,
        sink: &mut S,
    ) -> WakeAnswer {
        let sched = self.policy.vcpu(vcpu);
        let facts = WakeFacts {
            source,
            processor: self.system.vcpu(vcpu).processor,
            pri_before: sched.pri,
            pri_after: sched.pri,
            parked: sched.parked,
            migrated: sched.migrating,
            credit: sched.credit,
        };
        let tickled = CpuMask::empty_like(&self.system.pool);
        let (_, mut cx) = self.policy_cx(sink, cause);
        let (reason, arg) = (Reason::WakeNotRunnable, source as u16);
        let why = cx.record(reason, vcpu, arg, Facts::Wake(&facts));
        WakeAnswer { result: WakeResult::NotRunnable, tickled, kick: None, why }
    }

    /// A vCPU may no longer run.
    pub(super) fn vcpu_sleep<S: Sink>(&mut self, vcpu: VcpuId, why: DecisionId, sink: &mut S) {
        let told_first = self.policy.patches.has(TraceInfo::CHANGED_BY);
        let record = TraceRecord::Of { kind: TraceKind::Sleep, vcpu };
        if told_first {
            self.trace(sink, record);
        }
        if !self.system.runnable(vcpu) {
            if self.system.vcpu(vcpu).runstate == Runstate::Runnable {
                self.set_runstate(vcpu, Runstate::Offline, sink);
            }
            let (policy, mut cx) = self.policy_cx(sink, Some(why));
            if let Some(pcpu) = policy.sleep(&mut cx, vcpu).schedule_on {
                self.raise(sink, pcpu, why);
            }
        }
        if !told_first {
            self.trace(sink, record);
        }
    }

    /// Pauses a vCPU once more.
    pub(super) fn pause<S: Sink>(&mut self, vcpu: VcpuId, why: DecisionId, sink: &mut S) {
        sink.log(self.system.now, self.system.this_pcpu, &LogLine::Park { vcpu });
        self.system.vcpus[vcpu.index()].pause_count += 1;
        self.vcpu_sleep(vcpu, why, sink);
    }

    /// Takes one pause back, and wakes the vCPU if it was the last.
    pub(super) fn unpause<S: Sink>(&mut self, vcpu: VcpuId, why: DecisionId, sink: &mut S) {
        sink.log(self.system.now, self.system.this_pcpu, &LogLine::Unpark { vcpu });
        let state = &mut self.system.vcpus[vcpu.index()];
        state.pause_count -= 1;
        if state.pause_count == 0 {
            self.vcpu_wake(vcpu, WakeSource::Unpark, Some(why), sink);
        }
    }

    /// A vCPU is to be moved as soon as it is off its pCPU; until then it is not runnable.
    pub(super) fn mark_migrating(&mut self, vcpu: VcpuId, why: DecisionId) {
        self.system.vcpus[vcpu.index()].pause |= pause::MIGRATING;
        self.guests[vcpu.index()].migrated_by = Some(why);
    }

    /// Picks a pCPU for a vCPU and moves it there, unless it still runs.
    pub(super) fn migrate<S: Sink>(&mut self, vcpu: VcpuId, sink: &mut S) {
        let state = self.system.vcpu(vcpu);
        let stays = state.is_running || state.pause & pause::MIGRATING == 0;
        if stays && self.policy.patches.has(Patch::MigrateStartFinish) {
            return;
        }
        let cause = self.guests[vcpu.index()].migrated_by;
        let (policy, mut cx) = self.policy_cx(sink, cause);
        let (new, why) = policy.pick_pcpu(&mut cx, vcpu, PickPurpose::Migrate);
        if stays {
            return;
        }
        let state = &mut self.system.vcpus[vcpu.index()];
        state.pause &= !pause::MIGRATING;
        let old = state.processor;
        state.processor = new;
        self.tally.migrations += 1;
        self.tally.vcpus[vcpu.index()].moves += u64::from(old != new);
        let line = LogLine::Migrate { vcpu, old, new };
        sink.log(self.system.now, self.system.this_pcpu, &line);
        self.vcpu_wake(vcpu, WakeSource::Migrate, Some(why), sink);
    }

    /// Gives a vCPU a new affinity and moves it if the scheduler wants that.
    pub(super) fn set_affinity<S: Sink>(
        &mut self,
        vcpu: VcpuId,
        soft: bool,
        mask: &CpuMask,
        why: Option<DecisionId>,
        sink: &mut S,
    ) {
        if soft && !self.knows_soft_affinity() {
            // Nobody reads it here, but the other side of the patch can be asked about.
            self.system.vcpus[vcpu.index()].soft = mask.clone();
            return;
        }
        let patches = self.policy.patches;
        let state = &mut self.system.vcpus[vcpu.index()];
        if soft {
            state.soft = mask.clone();
        } else {
            state.hard = mask.clone();
        }
        if affinity_migrates(&state.hard, state.processor, patches) {
            // During set-up there is no record to name.
            let why = why.unwrap_or(DecisionId(0));
            self.mark_migrating(vcpu, why);
            self.vcpu_sleep(vcpu, why, sink);
            self.migrate(vcpu, sink);
        }
    }

    /// The switch away from `prev` is complete.
    pub(super) fn context_saved<S: Sink>(&mut self, prev: VcpuId, sink: &mut S) {
        let state = &mut self.system.vcpus[prev.index()];
        state.is_running = false;
        if state.pause & pause::MIGRATING != 0 {
            self.migrate(prev, sink);
        }
    }

    /// The latency of a wake ends when its vCPU is switched to.
    pub(super) fn count_latency(&mut self, vcpu: VcpuId, now: SimTime) {
        if self.system.is_idle(vcpu) {
            return;
        }
        if let Some(woken) = self.guests[vcpu.index()].woken_at.take() {
            self.tally.vcpus[vcpu.index()].latency(now - woken);
        }
    }
}

/// The kind of trace record that tells of a change of run state.
fn runstate_change(old: Runstate, new: Runstate) -> TraceKind {
    match (old, new) {
        (Runstate::Running, Runstate::Runnable) => TraceKind::RunningToRunnable,
        (Runstate::Running, Runstate::Blocked) => TraceKind::RunningToBlocked,
        (Runstate::Running, Runstate::Offline) => TraceKind::RunningToOffline,
        (Runstate::Runnable, Runstate::Running) => TraceKind::RunnableToRunning,
        (Runstate::Runnable, Runstate::Offline) => TraceKind::RunnableToOffline,
        (Runstate::Blocked, Runstate::Runnable) => TraceKind::BlockedToRunnable,
        (Runstate::Blocked, Runstate::Offline) => TraceKind::BlockedToOffline,
        (Runstate::Offline, Runstate::Runnable) => TraceKind::OfflineToRunnable,
        _ => panic!("a vCPU never goes from {old:?} to {new:?}"),
    }
}
