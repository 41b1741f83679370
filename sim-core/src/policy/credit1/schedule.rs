//! What the executing pCPU runs next.
//!
//! Follows: xen/common/sched_credit.c:csched_schedule @ ebce2d836c, 89216c7999, 58feb9e0ac,
//! e282067cf2.

use super::balance::LivePeers;
use super::{Credit1, balance, balance_counters, burn, burn::signed_ns};
use crate::decision::{
    BalanceInputs, Charge, Counter, Facts, NO_ARG, PeerStep, PeerVerdict, Priority, Reason,
    ScheduleFacts, Sink, TraceRecord,
};
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::patches::{Patch, PatchSet};
use crate::policy::cx::Cx;
use alloc::borrow::Cow;

/// Shortest rest of a rate limit. The scheduler means µs but compares ns, and so does this.
const RATELIMIT_REST_NS: u64 = 100;

/// What a scheduling decision asks for.
#[derive(Debug)]
pub struct Choice {
    /// Who runs next; it may be who runs now.
    pub next: VcpuId,
    /// For how long, in ns; none for the idle vCPU.
    pub slice_ns: Option<u64>,
    /// The pCPU that `next` was stolen from.
    pub stolen_from: Option<PcpuId>,
    /// Whether the rate limit kept the current vCPU.
    pub ratelimited: bool,
    /// Peers that the search for work tried.
    pub tries: u32,
    /// The record that explains it.
    pub why: DecisionId,
}

/// For how long the rate limit keeps the current vCPU, in ns; none if it does not.
#[must_use]
pub fn rate_limit(facts: &ScheduleFacts, patches: PatchSet) -> Option<u64> {
    let honours_yield = patches.has(Patch::YieldSkipsRatelimit) && facts.yielded;
    let (ran_ns, limit_ns) = (facts.runtime_ns, facts.ratelimit_ns);
    if facts.cur_idle || !facts.cur_runnable || ran_ns >= limit_ns || honours_yield {
        return None;
    }
    Some(match ran_ns {
        _ if !patches.has(Patch::RatelimitRemaining) => limit_ns,
        0..RATELIMIT_REST_NS => RATELIMIT_REST_NS,
        _ => limit_ns - ran_ns,
    })
}

impl Credit1 {
    /// Chooses what the executing pCPU runs next.
    pub fn do_schedule<S: Sink>(&mut self, cx: &mut Cx<'_, S>) -> Choice {
        cx.crank(Counter::Schedule);
        let pcpu = cx.system.this_pcpu;
        let now = cx.system.now;
        let cur = cx.system.current[pcpu.index()];
        let patches = self.patches;
        let cur_idle = cx.system.is_idle(cur);
        cx.trace(TraceRecord::Schedule { pcpu, idle: cur_idle });
        let sched = self.vcpu_mut(cur);
        let mut charge = Charge::default();
        if !cur_idle {
            charge = burn(sched, now, patches);
            sched.start_time -= signed_ns(now);
        }
        let mut facts = ScheduleFacts {
            cur,
            cur_pri: sched.pri,
            cur_idle,
            cur_runnable: cx.system.runnable(cur),
            cur_credit: sched.credit,
            charge,
            runtime_ns: (now - cx.system.vcpu(cur).entry).as_ns(),
            ratelimit_ns: self.ratelimit_ns,
            yielded: self.vcpu(cur).yielded,
            head: None,
            stolen: None,
            next: cur,
            next_idle: false,
            slice_ns: None,
        };
        if let Some(slice_ns) = rate_limit(&facts, patches) {
            return self.keep_ratelimited(cx, facts, slice_ns);
        }
        if facts.cur_runnable {
            self.runq_insert(pcpu, cur);
        } else {
            self.count_runnable(pcpu, false);
        }
        let head = self.pcpus[pcpu.index()].runq[0];
        let head_pri = self.vcpu(head).pri;
        facts.head = Some((head, head_pri));
        if !patches.has(Patch::NoStealYielded) {
            self.vcpu_mut(cur).yielded = false;
        }
        let mut tries = 0;
        if head_pri <= Priority::OVER {
            (facts.stolen, tries) = self.load_balance(cx, head, head_pri);
        }
        facts.next = facts.stolen.map_or(head, |(vcpu, _)| vcpu);
        if facts.stolen.is_none() {
            self.runq_remove(pcpu, head);
        }
        facts.next_idle = cx.system.is_idle(facts.next);
        self.believe_idle(cx, facts.next_idle);
        if !facts.next_idle {
            self.vcpu_mut(facts.next).start_time += signed_ns(now);
            facts.slice_ns = Some(self.tslice.ns());
        }
        let why = cx.record(leaf(&facts), cur, facts.next.0, Facts::Schedule(&facts));
        Choice {
            next: facts.next,
            slice_ns: facts.slice_ns,
            stolen_from: facts.stolen.map(|(_, peer)| peer),
            ratelimited: false,
            tries,
            why,
        }
    }

    /// The current vCPU goes on; queue, yield mark and idlers stay as they are.
    fn keep_ratelimited<S: Sink>(
        &mut self,
        cx: &mut Cx<'_, S>,
        mut facts: ScheduleFacts,
        slice_ns: u64,
    ) -> Choice {
        cx.crank(Counter::DelayMs);
        self.vcpu_mut(facts.cur).start_time += signed_ns(cx.system.now);
        facts.slice_ns = Some(slice_ns);
        let (vcpu, runtime_ns) = (facts.cur, facts.runtime_ns);
        cx.trace(TraceRecord::Ratelimit { vcpu, runtime_ns });
        let (reason, next) = (Reason::ScheduleRatelimited, facts.cur);
        let why = cx.record(reason, facts.cur, next.0, Facts::Schedule(&facts));
        Choice {
            next,
            slice_ns: Some(slice_ns),
            stolen_from: None,
            ratelimited: true,
            tries: 0,
            why,
        }
    }

    /// Looks for better work than `head` elsewhere and takes it, unless it looked a moment ago.
    fn load_balance<S: Sink>(
        &mut self,
        cx: &mut Cx<'_, S>,
        head: VcpuId,
        snext_pri: Priority,
    ) -> (Option<(VcpuId, PcpuId)>, u32) {
        let (pcpu, now) = (cx.system.this_pcpu, cx.system.now);
        let inputs = BalanceInputs {
            cpu: pcpu,
            snext_pri,
            now,
            migration_delay_ns: self.migration_delay_ns,
            idlers: Cow::Borrowed(&self.idlers),
            pool: Cow::Borrowed(&cx.system.pool),
            balance_bias: Cow::Borrowed(&self.balance_bias),
            told: Cow::Borrowed(&self.told),
            since_last_ns: (now - self.pcpus[pcpu.index()].last_load_balance).as_ns(),
            limit_ns: self.lb_ratelimit_ns,
        };
        let peers = LivePeers::of(self, cx.system);
        let topology = &cx.system.topology;
        let sink = &mut *cx.sink;
        let outcome = balance(&inputs, peers, topology, self.patches, |step| {
            if S::TRACES
                && let PeerStep::Peer { peer, verdict, .. } = step
            {
                let checked = verdict != PeerVerdict::Skipped;
                sink.trace(now, pcpu, &TraceRecord::StealCheck { peer, checked });
            }
        });
        let victim = outcome.stolen.map(|(_, peer)| peer);
        let reason = match victim {
            Some(_) => Reason::BalanceStole,
            None if outcome.limited => Reason::BalanceLimited,
            None => Reason::BalanceNothing,
        };
        let subject = outcome.stolen.map_or(head, |(vcpu, _)| vcpu);
        let arg = victim.map_or(NO_ARG, |peer| peer.0);
        let facts = Facts::Balance(&inputs, &peers, &outcome);
        cx.cause = Some(cx.record(reason, subject, arg, facts));
        if outcome.limited {
            return (None, 0);
        }
        self.pcpus[pcpu.index()].last_load_balance = now;
        for (counter, count) in balance_counters(snext_pri, &outcome, self.patches) {
            cx.counters.add(counter, count);
        }
        if let Some((vcpu, peer)) = outcome.stolen {
            cx.trace(TraceRecord::StolenVcpu { from: peer, vcpu });
            self.vcpu_mut(vcpu).stats.migrate_q += 1;
            self.runq_remove(peer, vcpu);
            self.count_runnable(peer, false);
            self.count_runnable(pcpu, true);
            let node = usize::from(cx.system.topology.place(peer).node);
            self.balance_bias[node] = peer;
        }
        (outcome.stolen, outcome.tries)
    }

    /// Enters or takes the executing pCPU in or out of the idlers.
    fn believe_idle<S: Sink>(&mut self, cx: &mut Cx<'_, S>, idle: bool) {
        let pcpu = cx.system.this_pcpu;
        self.told.remove(pcpu);
        if self.idlers.contains(pcpu) == idle {
            return;
        }
        if idle {
            self.idlers.insert(pcpu);
        } else {
            self.idlers.remove(pcpu);
        }
        cx.idler(pcpu, idle);
    }
}

/// The leaf that the facts of a decision without rate limit belong to.
fn leaf(facts: &ScheduleFacts) -> Reason {
    let over = facts.head.is_some_and(|(_, pri)| pri <= Priority::OVER);
    match facts {
        _ if facts.stolen.is_some() => Reason::ScheduleStole,
        _ if facts.next_idle && facts.cur_idle => Reason::ScheduleStayIdle,
        _ if facts.next_idle => Reason::ScheduleIdle,
        _ if facts.next == facts.cur => Reason::ScheduleContinue,
        _ if over => Reason::ScheduleSwitchOver,
        _ => Reason::ScheduleSwitch,
    }
}
