//! The records of Xen's trace buffer say the same as counters, log lines and run state times, which
//! the vectors hold.

use sim_core::decision::{Counter, Facts, LogLine, Priority, TraceKind, TraceRecord};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::machine::Machine;
use sim_core::patches::PatchSet;
use sim_core::policy::cx::Runstate;
use sim_core::run::TraceCounts;
use sim_core::units::SimTime;

/// What the records of one run add up to.
pub struct Traced {
    patches: PatchSet,
    counts: TraceCounts,
    /// Per vCPU: its run state, since when, and the time spent in each.
    states: Vec<(Runstate, SimTime, [u64; 4])>,
    checked: u64,
    wakes: u64,
    blocks: u64,
    yields: u64,
    picks: u64,
    boosts_ended: u64,
    wrong: Option<String>,
}

/// From which run state to which, if the kind says so.
fn change(kind: TraceKind) -> Option<(Runstate, Runstate)> {
    Some(match kind {
        TraceKind::RunningToRunnable => (Runstate::Running, Runstate::Runnable),
        TraceKind::RunningToBlocked => (Runstate::Running, Runstate::Blocked),
        TraceKind::RunningToOffline => (Runstate::Running, Runstate::Offline),
        TraceKind::RunnableToRunning => (Runstate::Runnable, Runstate::Running),
        TraceKind::RunnableToOffline => (Runstate::Runnable, Runstate::Offline),
        TraceKind::BlockedToRunnable => (Runstate::Blocked, Runstate::Runnable),
        TraceKind::BlockedToOffline => (Runstate::Blocked, Runstate::Offline),
        TraceKind::OfflineToRunnable => (Runstate::Offline, Runstate::Runnable),
        _ => return None,
    })
}

impl Traced {
    pub fn new(machine: &Machine, patches: PatchSet) -> Self {
        let vcpus = machine.system().vcpus.iter();
        Self {
            patches,
            counts: TraceCounts::new(patches),
            states: vcpus.map(|vcpu| (vcpu.runstate, vcpu.entry, [0; 4])).collect(),
            checked: 0,
            wakes: 0,
            blocks: 0,
            yields: 0,
            picks: 0,
            boosts_ended: 0,
            wrong: None,
        }
    }

    pub fn record(&mut self, facts: Facts<'_>) {
        match facts {
            Facts::Pick(..) => self.picks += 1,
            Facts::Tick(tick) => {
                self.boosts_ended += u64::from(tick.pri_before == Priority::BOOST);
            }
            _ => {}
        }
    }

    pub fn log(&mut self, line: &LogLine<'_>) {
        match line {
            LogLine::Wake { .. } => self.wakes += 1,
            LogLine::Block { .. } => self.blocks += 1,
            LogLine::Yield { .. } => self.yields += 1,
            _ => {}
        }
    }

    pub fn trace(&mut self, time: SimTime, pcpu: PcpuId, record: &TraceRecord) {
        let wrong = |what: &str| Some(format!("{what} at {time:?} on p{}: {record:?}", pcpu.0));
        self.counts.count(record);
        match *record {
            TraceRecord::Runstate { kind, vcpu } => {
                let Some((from, to)) = change(kind) else { return };
                let (state, since, spent) = &mut self.states[vcpu.index()];
                if *state != from {
                    self.wrong = wrong("another run state");
                }
                spent[from as usize] += (time - *since).as_ns();
                (*state, *since) = (to, time);
            }
            TraceRecord::StealCheck { checked, .. } => self.checked += u64::from(checked),
            TraceRecord::Schedule { pcpu: named, .. } if named != pcpu => {
                self.wrong = wrong("another pCPU");
            }
            _ => {}
        }
    }

    /// The first thing in which the records say otherwise than the machine, if any.
    pub fn differs(self, machine: &Machine) -> Option<String> {
        let at = machine.now();
        let wrong_time = |(index, (state, since, mut spent)): (u16, (Runstate, SimTime, _))| {
            let spent: &mut [u64; 4] = &mut spent;
            spent[state as usize] += (at - since).as_ns();
            let theirs = machine.vcpu_tally(VcpuId(index), at.as_ns()).spent_ns;
            (*spent != theirs)
                .then(|| format!("vCPU {index} spent {spent:?}, the run says {theirs:?}"))
        };
        let mut times = (0u16..).zip(self.states.iter().copied());
        let counted = |counter| machine.counters().get(counter);
        let (runs, switches) = (counted(Counter::SchedRun), counted(Counter::SchedCtx));
        let exact = [
            (TraceKind::ContinueRunning, runs - switches),
            (TraceKind::SwitchInfCont, runs - switches),
            (TraceKind::Switch, switches),
            (TraceKind::SwitchInfPrev, switches),
            (TraceKind::SwitchInfNext, switches),
            (TraceKind::RunnableToRunning, switches),
            (TraceKind::Schedule, counted(Counter::Schedule)),
            (TraceKind::Ratelimit, counted(Counter::DelayMs)),
            (TraceKind::StolenVcpu, counted(Counter::MigrateQueued)),
            (TraceKind::AccountStart, counted(Counter::AcctVcpuActive)),
            (TraceKind::AccountStop, counted(Counter::AcctVcpuIdle)),
            (TraceKind::Sleep, counted(Counter::VcpuSleep)),
            (TraceKind::BoostStart, counted(Counter::VcpuBoost)),
            (TraceKind::BoostEnd, self.boosts_ended),
            (TraceKind::Tickle, machine.tally().tickled_cpus),
            (TraceKind::PickedCpu, self.picks),
            (TraceKind::Wake, self.wakes),
            (TraceKind::Block, self.blocks),
            (TraceKind::Yield, self.yields),
        ];
        let wrong_count = exact.into_iter().find_map(|(kind, theirs)| {
            let info = kind.info();
            let theirs = if info.lifetime.holds(self.patches) { theirs } else { 0 };
            let ours = self.counts.get(kind);
            (ours != theirs).then(|| format!("{ours} records {}, not {theirs}", info.name))
        });
        let tries = machine.tally().trylocks;
        let wrong_tries = (self.checked != tries)
            .then(|| format!("{} peers looked at, not {tries}", self.checked));
        self.wrong.or(times.find_map(wrong_time)).or(wrong_count).or(wrong_tries)
    }
}
