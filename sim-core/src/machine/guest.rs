//! Guests: execution until the stretch ends, then a sleep or a yield; wake-ups.

use super::Machine;
use crate::decision::{LogLine, NO_ARG, Reason, Sink, TraceKind, TraceRecord, WakeSource};
use crate::event_queue::EventKind;
use crate::ids::{PcpuId, VcpuId};
use crate::policy::cx::pause;
use crate::units::SimDuration;

impl Machine {
    /// The current guest of a pCPU begins to make progress.
    pub(super) fn start_progress<S: Sink>(&mut self, pcpu: PcpuId, sink: &mut S) {
        let vcpu = self.system.current[pcpu.index()];
        let now = self.system.now;
        sink.progress(now, pcpu, vcpu);
        if self.system.is_idle(vcpu) {
            return;
        }
        let left = SimDuration::from_ns(self.guests[vcpu.index()].remaining_ns);
        let ticket = self.events.push(now + left, EventKind::StretchEnd(pcpu));
        let run = &mut self.pcpus[pcpu.index()];
        run.stretch = Some(ticket);
        run.progress_since = Some(now);
    }

    /// A vCPU that is switched out stops making progress.
    pub(super) fn stop_progress(&mut self, pcpu: PcpuId, vcpu: VcpuId) {
        let run = &mut self.pcpus[pcpu.index()];
        run.stretch = None;
        if let Some(since) = run.progress_since.take() {
            let done = (self.system.now - since).as_ns();
            self.guests[vcpu.index()].remaining_ns -= done;
        }
    }

    pub(super) fn stretch_end<S: Sink>(&mut self, pcpu: PcpuId, sink: &mut S) {
        let vcpu = self.system.current[pcpu.index()];
        let now = self.system.now;
        let block_ns = self.guests[vcpu.index()].stretch.block_ns;
        let guest = &mut self.guests[vcpu.index()];
        let spec = guest.spec(&self.scenario);
        guest.stretch = guest.guest.fetch(&spec.workload);
        guest.remaining_ns = guest.stretch.run_ns;
        self.pcpus[pcpu.index()].progress_since = Some(now);
        let reason = if block_ns == 0 { Reason::Yield } else { Reason::Block };
        let why = self.origin(sink, reason, vcpu, NO_ARG);
        if block_ns == 0 {
            sink.log(now, pcpu, &LogLine::Yield { vcpu });
            let (policy, mut cx) = self.policy_cx(sink, Some(why));
            policy.yield_(&mut cx, vcpu);
            self.trace(sink, TraceRecord::Of { kind: TraceKind::Yield, vcpu });
            let left = SimDuration::from_ns(self.guests[vcpu.index()].remaining_ns);
            let ticket = self.events.push(now + left, EventKind::StretchEnd(pcpu));
            self.pcpus[pcpu.index()].stretch = Some(ticket);
        } else {
            sink.log(now, pcpu, &LogLine::Block { vcpu });
            self.trace(sink, TraceRecord::Of { kind: TraceKind::Block, vcpu });
            self.system.vcpus[vcpu.index()].pause |= pause::BLOCKED;
            let guest = &mut self.guests[vcpu.index()];
            guest.blocked_by = Some(why);
            guest.wake_pcpu = guest.spec(&self.scenario).wake_on.unwrap_or(pcpu);
            self.events.push(now + SimDuration::from_ns(block_ns), EventKind::Wake(vcpu));
        }
        self.pcpus[pcpu.index()].pending = Some(Some(why));
    }

    /// A vCPU is started, or its sleep is over.
    pub(super) fn wake_event<S: Sink>(&mut self, vcpu: VcpuId, sink: &mut S) {
        let state = &mut self.system.vcpus[vcpu.index()];
        let cause = self.guests[vcpu.index()].blocked_by.take();
        if state.pause & pause::DOWN != 0 {
            state.pause &= !pause::DOWN;
            self.vcpu_wake(vcpu, WakeSource::Start, cause, sink);
        } else if state.pause & pause::BLOCKED != 0 {
            state.pause &= !pause::BLOCKED;
            self.vcpu_wake(vcpu, WakeSource::Io, cause, sink);
        }
    }
}
