//! The event machine: pCPUs, timers, guests, softirqs. Mechanism only; what to run is the policy's.
//!
//! One loop, one closed set of events: take the next event, handle it on its pCPU, then serve that
//! pCPU's schedule softirq as long as it is raised. A handler is atomic and takes no time.

mod account;
mod change;
mod glue;
mod guest;
mod schedule;
mod setup;
mod snapshot;
mod tally;

pub use snapshot::{PcpuSnapshot, QueueEntry, Snapshot};
pub use tally::{Tally, VcpuTally};

use crate::decision::{Belief, Counter, Counters, Facts, NO_ARG, Reason, Sink, TraceRecord};
use crate::event_queue::{EventKind, EventQueue, Ticket};
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::policy::credit1::Credit1;
use crate::policy::cx::{Cx, System, VcpuState};
use crate::scenario::{ValidScenario, VcpuSpec};
use crate::units::SimTime;
use crate::workload::{Guest, Stretch};
use alloc::vec::Vec;

/// A machine with its guests, at one point of a run. A clone is a keyframe.
#[derive(Clone)]
pub struct Machine {
    scenario: ValidScenario,
    policy: Credit1,
    system: System,
    events: EventQueue,
    pcpus: Vec<PcpuRun>,
    guests: Vec<GuestRun>,
    counters: Counters,
    tally: Tally,
    next_record: u32,
    end: SimTime,
}

/// The mechanism's part of a pCPU.
#[derive(Clone, Debug, Default)]
struct PcpuRun {
    /// The schedule softirq is raised, because of this record.
    pending: Option<Option<DecisionId>>,
    /// It was raised from another pCPU.
    tickled: bool,
    /// Until when a context switch goes on, and from whom.
    switch: Option<(SimTime, VcpuId)>,
    slice: SliceTimer,
    ticker: Option<Ticket>,
    stretch: Option<Ticket>,
    /// Since when the current guest makes progress.
    progress_since: Option<SimTime>,
}

/// A pCPU's slice timer. It is armed at every switch but seldom runs out, so its event stays in the
/// queue and looks, when it comes, whether the timer has been put forward since.
#[derive(Clone, Debug, Default)]
struct SliceTimer {
    /// When it runs out; none if it is stopped.
    expiry: Option<SimTime>,
    /// Its event in the queue. *Invariant*: not later than the expiry.
    event: Option<(SimTime, Ticket)>,
}

/// The mechanism's part of a guest's vCPU.
#[derive(Clone, Debug)]
struct GuestRun {
    /// Index of the domain, and of the vCPU in it.
    place: (u16, u16),
    guest: Guest,
    stretch: Stretch,
    /// Execution left in the stretch, in ns.
    remaining_ns: u64,
    /// The pCPU on which the next wake-up is handled.
    wake_pcpu: PcpuId,
    /// The record that explains why the vCPU went to sleep.
    blocked_by: Option<DecisionId>,
    /// The record that explains why the vCPU is to be moved.
    migrated_by: Option<DecisionId>,
    /// When it was last woken, until it runs.
    woken_at: Option<SimTime>,
}

impl GuestRun {
    fn spec<'a>(&self, scenario: &'a ValidScenario) -> &'a VcpuSpec {
        let (domain, vcpu) = self.place;
        &scenario.domains[usize::from(domain)].vcpus[usize::from(vcpu)]
    }
}

/// What one step of a machine was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An event's handler, or nothing for a cancelled event.
    Event,
    /// The schedule softirq of a pCPU.
    Softirq,
    /// The run is over.
    End,
}

impl Machine {
    /// Now.
    #[must_use]
    pub fn now(&self) -> SimTime {
        self.system.now
    }

    /// How many records have been made.
    #[must_use]
    pub fn records(&self) -> u32 {
        self.next_record
    }

    /// Memory that a copy takes, about, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        // Per vCPU besides its tables: its event, its place in queues and lists.
        let vcpu = size_of::<VcpuState>()
            + size_of::<crate::policy::credit1::Vcpu>()
            + size_of::<VcpuTally>()
            + size_of::<GuestRun>()
            + 48;
        let pcpu = size_of::<PcpuRun>() + size_of::<crate::policy::credit1::Pcpu>() + 160;
        let beyond_a_word = self.pcpus.len() / 64 * 16;
        self.system.vcpus.len() * (vcpu + beyond_a_word) + self.pcpus.len() * pcpu
    }

    /// The machine as the policy sees it.
    #[must_use]
    pub fn system(&self) -> &System {
        &self.system
    }

    /// The scheduler.
    #[must_use]
    pub fn policy(&self) -> &Credit1 {
        &self.policy
    }

    /// The scenario that it runs.
    #[must_use]
    pub fn scenario(&self) -> &ValidScenario {
        &self.scenario
    }

    /// Performance counters so far.
    #[must_use]
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Puts the machine into a state of its own: for conformance tests, which ask one rule at a
    /// time. Softirqs that are raised are forgotten.
    pub fn edit(&mut self, change: impl FnOnce(&mut Credit1, &mut System)) {
        change(&mut self.policy, &mut self.system);
        for run in &mut self.pcpus {
            run.pending = None;
        }
    }

    /// Runs one accounting now, on pCPU 0.
    pub fn account_now<S: Sink>(&mut self, sink: &mut S) {
        self.system.this_pcpu = PcpuId(0);
        self.account(sink);
    }

    /// Whether the next step is a pCPU's schedule softirq.
    #[must_use]
    pub fn softirq_is_due(&self) -> bool {
        let pcpu = &self.pcpus[self.system.this_pcpu.index()];
        pcpu.pending.is_some() && pcpu.switch.is_none()
    }

    /// When the next step happens; none if the run is over.
    #[must_use]
    pub fn next_time(&self) -> Option<SimTime> {
        if self.softirq_is_due() {
            return Some(self.system.now);
        }
        self.events.next_time().filter(|time| *time < self.end)
    }

    /// Takes one step.
    pub fn advance<S: Sink>(&mut self, sink: &mut S) -> Step {
        if self.softirq_is_due() {
            self.schedule(sink);
            return Step::Softirq;
        }
        let Some(time) = self.next_time() else { return Step::End };
        let (_, kind, ticket) = self.events.pop().expect("an event is due");
        let pcpu = self.pcpu_of(kind);
        if matches!(kind, EventKind::SliceEnd(_)) && !self.slice_is_over(pcpu, time, ticket) {
            return Step::Event;
        }
        if let Some((until, _)) = self.pcpus[pcpu.index()].switch
            && !matches!(kind, EventKind::SwitchEnd(_))
        {
            self.put_off(until, kind, ticket);
            return Step::Event;
        }
        if self.is_cancelled(kind, ticket) {
            return Step::Event;
        }
        self.system.now = time;
        self.system.this_pcpu = pcpu;
        self.handle(kind, sink);
        Step::Event
    }

    fn handle<S: Sink>(&mut self, kind: EventKind, sink: &mut S) {
        match kind {
            EventKind::SwitchEnd(pcpu) => self.switch_end(pcpu, sink),
            // The interrupt only makes its pCPU look at the softirq.
            EventKind::Ipi(_) => {}
            EventKind::StretchEnd(pcpu) => self.stretch_end(pcpu, sink),
            EventKind::Wake(vcpu) => self.wake_event(vcpu, sink),
            EventKind::Tick(pcpu) => self.tick(pcpu, sink),
            EventKind::Account => self.account(sink),
            EventKind::SliceEnd(pcpu) => self.slice_end(pcpu, sink),
            EventKind::Change(index) => self.change(index, sink),
        }
    }

    /// The pCPU that runs an event's handler.
    fn pcpu_of(&self, kind: EventKind) -> PcpuId {
        match kind {
            EventKind::SwitchEnd(pcpu)
            | EventKind::Ipi(pcpu)
            | EventKind::StretchEnd(pcpu)
            | EventKind::Tick(pcpu)
            | EventKind::SliceEnd(pcpu) => pcpu,
            EventKind::Wake(vcpu) => self.guests[vcpu.index()].wake_pcpu,
            EventKind::Account => PcpuId(0),
            EventKind::Change(index) => self.scenario.ops[usize::from(index)].pcpu,
        }
    }

    /// Starts a pCPU's slice timer anew.
    fn arm_slice(&mut self, pcpu: PcpuId, expiry: SimTime) {
        let timer = &mut self.pcpus[pcpu.index()].slice;
        timer.expiry = Some(expiry);
        if timer.event.is_none_or(|(time, _)| time > expiry) {
            timer.event = Some((expiry, self.events.push(expiry, EventKind::SliceEnd(pcpu))));
        }
    }

    /// Whether the event of a slice timer finds that it has run out. If the timer has been put
    /// forward, so is its event.
    fn slice_is_over(&mut self, pcpu: PcpuId, time: SimTime, ticket: Ticket) -> bool {
        let timer = &mut self.pcpus[pcpu.index()].slice;
        if timer.event != Some((time, ticket)) {
            return false;
        }
        timer.event = None;
        match timer.expiry {
            None => false,
            Some(expiry) if expiry > time => {
                self.arm_slice(pcpu, expiry);
                false
            }
            Some(_) => true,
        }
    }

    /// An event whose pCPU is inside a context switch waits for the end of it.
    fn put_off(&mut self, until: SimTime, kind: EventKind, ticket: Ticket) {
        if let EventKind::SliceEnd(pcpu) = kind {
            return self.arm_slice(pcpu, until);
        }
        let again = self.events.push(until, kind);
        if let Some(timer) = self.timer_of(kind)
            && *timer == Some(ticket)
        {
            *timer = Some(again);
        }
    }

    /// Whether a timer was stopped or re-armed since this event was put in. Consumes the timer.
    fn is_cancelled(&mut self, kind: EventKind, ticket: Ticket) -> bool {
        let Some(timer) = self.timer_of(kind) else { return false };
        if *timer == Some(ticket) {
            *timer = None;
            return false;
        }
        true
    }

    /// The timer that an event belongs to, if it is one whose events can be taken back.
    fn timer_of(&mut self, kind: EventKind) -> Option<&mut Option<Ticket>> {
        match kind {
            EventKind::StretchEnd(pcpu) => Some(&mut self.pcpus[pcpu.index()].stretch),
            EventKind::Tick(pcpu) => Some(&mut self.pcpus[pcpu.index()].ticker),
            _ => None,
        }
    }

    /// Splits the machine into the policy and what its verbs are called with.
    fn policy_cx<'a, S: Sink>(
        &'a mut self,
        sink: &'a mut S,
        cause: Option<DecisionId>,
    ) -> (&'a mut Credit1, Cx<'a, S>) {
        let cx = Cx {
            system: &self.system,
            sink,
            next_record: &mut self.next_record,
            counters: &mut self.counters,
            cause,
        };
        (&mut self.policy, cx)
    }

    /// Leaves a record in the trace buffer of the executing pCPU.
    #[inline]
    fn trace<S: Sink>(&self, sink: &mut S, record: TraceRecord) {
        if S::TRACES {
            sink.trace(self.system.now, self.system.this_pcpu, &record);
        }
    }

    /// Leaves a record that starts a chain.
    fn origin<S: Sink>(
        &mut self,
        sink: &mut S,
        reason: Reason,
        subject: VcpuId,
        arg: u16,
    ) -> DecisionId {
        self.policy_cx(sink, None).1.record(reason, subject, arg, Facts::None)
    }

    /// Raises the schedule softirq of a pCPU, with an interrupt if it is another one.
    fn raise<S: Sink>(&mut self, sink: &mut S, pcpu: PcpuId, why: DecisionId) {
        let (now, this_pcpu) = (self.system.now, self.system.this_pcpu);
        let run = &mut self.pcpus[pcpu.index()];
        if run.pending.is_some() {
            self.tally.raise_dup += 1;
            return;
        }
        run.pending = Some(Some(why));
        if pcpu != this_pcpu {
            self.tally.ipis += 1;
            run.tickled = true;
            sink.belief(now, pcpu, Belief::Tickled, true);
            let latency = crate::units::SimDuration::from_ns(self.scenario.params.ipi_latency_ns);
            self.events.push(now + latency, EventKind::Ipi(pcpu));
        }
    }

    fn slice_end<S: Sink>(&mut self, pcpu: PcpuId, sink: &mut S) {
        self.counters.crank(Counter::SchedIrq);
        self.pcpus[pcpu.index()].slice.expiry = None;
        let current = self.system.current[pcpu.index()];
        let why = self.origin(sink, Reason::SliceEnd, current, NO_ARG);
        self.pcpus[pcpu.index()].pending = Some(Some(why));
    }
}
