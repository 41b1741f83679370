//! The schedule softirq and the context switch.
//!
//! Follows: xen/common/schedule.c:schedule, context_saved @ ebce2d836c.

use super::Machine;
use crate::decision::{Belief, Counter, LogLine, Sink, TraceKind, TraceRecord};
use crate::event_queue::EventKind;
use crate::ids::{PcpuId, VcpuId};
use crate::policy::cx::{Runstate, pause};
use crate::units::SimDuration;

impl Machine {
    /// Serves the executing pCPU's schedule softirq.
    pub(super) fn schedule<S: Sink>(&mut self, sink: &mut S) {
        self.counters.crank(Counter::SchedRun);
        let (pcpu, now) = (self.system.this_pcpu, self.system.now);
        let run = &mut self.pcpus[pcpu.index()];
        let cause = run.pending.take().flatten();
        run.slice.expiry = None;
        if core::mem::take(&mut run.tickled) {
            sink.belief(now, pcpu, Belief::Tickled, false);
        }
        let prev = self.system.current[pcpu.index()];
        let (policy, mut cx) = self.policy_cx(sink, cause);
        let choice = policy.do_schedule(&mut cx);
        self.tally.trylocks += u64::from(choice.tries);
        if choice.stolen_from.is_some() {
            self.tally.steals += 1;
            self.tally.vcpus[choice.next.index()].steals += 1;
            self.system.vcpus[choice.next.index()].processor = pcpu;
        }
        self.system.current[pcpu.index()] = choice.next;
        if let Some(slice_ns) = choice.slice_ns {
            self.arm_slice(pcpu, now + SimDuration::from_ns(slice_ns));
        }
        if choice.next == prev {
            self.trace_continue(prev, choice.slice_ns, sink);
            let line = LogLine::Continue {
                vcpu: prev,
                slice_ns: choice.slice_ns,
                ratelimited: choice.ratelimited,
            };
            sink.log(now, pcpu, &line);
            return;
        }
        self.switch_ticker(pcpu, prev, choice.next);
        self.trace_switch(prev, choice.next, choice.slice_ns, sink);
        self.switch_out(prev, sink);
        self.set_runstate(choice.next, Runstate::Running, sink);
        self.system.vcpus[choice.next.index()].is_running = true;
        self.count_latency(choice.next, now);
        self.counters.crank(Counter::SchedCtx);
        self.tally.switches[pcpu.index()] += 1;
        let line = LogLine::Switch {
            prev,
            next: choice.next,
            from: choice.stolen_from,
            slice_ns: choice.slice_ns,
            credit: self.policy.vcpu(prev).credit,
        };
        sink.log(now, pcpu, &line);
        self.stop_progress(pcpu, prev);
        self.switch(pcpu, prev, sink);
    }

    /// What the trace buffer holds of a decision to go on.
    fn trace_continue<S: Sink>(&self, vcpu: VcpuId, slice_ns: Option<u64>, sink: &mut S) {
        let ran_ns = (self.system.now - self.system.vcpu(vcpu).entry).as_ns();
        self.trace(sink, TraceRecord::SwitchInfCont { vcpu, ran_ns, slice_ns });
        self.trace(sink, TraceRecord::Runstate { kind: TraceKind::ContinueRunning, vcpu });
    }

    /// What the trace buffer holds of a switch, before the changes of run state.
    fn trace_switch<S: Sink>(
        &self,
        prev: VcpuId,
        next: VcpuId,
        slice_ns: Option<u64>,
        sink: &mut S,
    ) {
        let since = |vcpu: VcpuId| (self.system.now - self.system.vcpu(vcpu).entry).as_ns();
        let waits = self.system.vcpu(next).runstate == Runstate::Runnable;
        let waited_ns = if waits { since(next) } else { 0 };
        self.trace(sink, TraceRecord::SwitchInfPrev { vcpu: prev, ran_ns: since(prev) });
        self.trace(sink, TraceRecord::SwitchInfNext { vcpu: next, waited_ns, slice_ns });
        self.trace(sink, TraceRecord::Switch { prev, next });
    }

    fn switch_out<S: Sink>(&mut self, prev: VcpuId, sink: &mut S) {
        let blocked = self.system.vcpu(prev).pause & pause::BLOCKED != 0;
        let state = if blocked {
            Runstate::Blocked
        } else if self.system.runnable(prev) {
            Runstate::Runnable
        } else {
            Runstate::Offline
        };
        self.set_runstate(prev, state, sink);
        self.system.vcpus[prev.index()].last_run = self.system.now;
    }

    /// Switches at once, or over the time that a switch takes.
    fn switch<S: Sink>(&mut self, pcpu: PcpuId, prev: VcpuId, sink: &mut S) {
        let length_ns = self.scenario.params.ctx_switch_ns;
        if length_ns == 0 {
            self.start_progress(pcpu, sink);
            self.context_saved(prev, sink);
            return;
        }
        let now = self.system.now;
        let until = now + SimDuration::from_ns(length_ns);
        self.pcpus[pcpu.index()].switch = Some((until, prev));
        sink.switching(now, pcpu);
        self.events.push(until, EventKind::SwitchEnd(pcpu));
    }

    pub(super) fn switch_end<S: Sink>(&mut self, pcpu: PcpuId, sink: &mut S) {
        let (_, prev) = self.pcpus[pcpu.index()].switch.take().expect("a switch goes on");
        self.start_progress(pcpu, sink);
        self.context_saved(prev, sink);
    }
}
