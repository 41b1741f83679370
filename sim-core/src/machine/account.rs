//! The tickers: each pCPU's tick and the master's accounting.

use super::Machine;
use crate::decision::{LogLine, Priority, Sink};
use crate::event_queue::EventKind;
use crate::ids::{PcpuId, VcpuId};
use crate::patches::Patch;
use crate::policy::credit1::AccountEffect;
use crate::units::{SimDuration, SimTime};

impl Machine {
    pub(super) fn tick<S: Sink>(&mut self, pcpu: PcpuId, sink: &mut S) {
        let now = self.system.now;
        let vcpu = self.system.current[pcpu.index()];
        if !self.system.is_idle(vcpu) {
            let (policy, mut cx) = self.policy_cx(sink, None);
            let answer = policy.tick_running(&mut cx, vcpu);
            if answer.migrate {
                self.mark_migrating(vcpu, answer.why);
                self.raise(sink, pcpu, answer.why);
            }
            let sched = self.policy.vcpu(vcpu);
            let Priority(pri) = sched.pri;
            let (credit, migrate) = (sched.credit, answer.migrate);
            sink.log(now, pcpu, &LogLine::Tick { vcpu, credit, pri, migrate });
        }
        let (policy, cx) = self.policy_cx(sink, None);
        policy.tick_end(&cx);
        let period = SimDuration::from_ns(self.policy.tslice.tick_ns);
        self.arm_ticker(pcpu, now + period);
    }

    pub(super) fn arm_ticker(&mut self, pcpu: PcpuId, expiry: SimTime) {
        let ticket = self.events.push(expiry, EventKind::Tick(pcpu));
        self.pcpus[pcpu.index()].ticker = Some(ticket);
    }

    /// A pCPU switches: its ticker stops while it is idle, and starts again at the next multiple of
    /// its period. Only with `ticker_stops_when_idle`; before, it goes on.
    pub(super) fn switch_ticker(&mut self, pcpu: PcpuId, prev: VcpuId, next: VcpuId) {
        if !self.policy.patches.has(Patch::TickerStopsWhenIdle) {
            return;
        }
        match (self.system.is_idle(prev), self.system.is_idle(next)) {
            (false, true) => self.pcpus[pcpu.index()].ticker = None,
            (true, false) => {
                let (now, period) = (self.system.now, self.policy.tslice.tick_ns);
                let left = SimDuration::from_ns(period - now.as_ns() % period);
                self.arm_ticker(pcpu, now + left);
            }
            _ => {}
        }
    }

    pub(super) fn account<S: Sink>(&mut self, sink: &mut S) {
        let (policy, mut cx) = self.policy_cx(sink, None);
        let (why, facts) = policy.account_begin(&mut cx);
        for domain in &facts.domains {
            let (policy, mut cx) = self.policy_cx(sink, Some(why));
            policy.account_domain(&mut cx, domain);
            for share in &facts.vcpus[domain.vcpus.clone()] {
                let (policy, mut cx) = self.policy_cx(sink, Some(why));
                match policy.account_credit(&mut cx, domain, *share) {
                    Some(AccountEffect::Park(why)) => self.pause(share.vcpu, why, sink),
                    Some(AccountEffect::Unpark(why)) => self.unpause(share.vcpu, why, sink),
                    None => {}
                }
                let (policy, mut cx) = self.policy_cx(sink, Some(why));
                policy.account_settle(&mut cx, domain, *share);
            }
        }
        self.policy.account_end(&facts);
        self.log_account(sink);
        let period = SimDuration::from_ns(self.policy.tslice.ns());
        self.events.push(self.system.now + period, EventKind::Account);
    }

    fn log_account<S: Sink>(&self, sink: &mut S) {
        let (now, pcpu) = (self.system.now, self.system.this_pcpu);
        let line = LogLine::Account {
            balance: self.policy.balance,
            weight_sum: self.policy.weight_sum,
            epoch: self.policy.epoch,
        };
        sink.log(now, pcpu, &line);
        for (vcpu, sched) in (0u16..).map(VcpuId).zip(&self.policy.vcpus[..self.system.guests]) {
            let Priority(pri) = sched.pri;
            let line = LogLine::AccountVcpu {
                vcpu,
                credit: sched.credit,
                pri,
                parked: sched.parked,
                active: sched.active,
            };
            sink.log(now, pcpu, &line);
        }
    }
}
