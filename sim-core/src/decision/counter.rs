//! Performance counters, under the names that Xen gives them (`xen/include/xen/perfc_defn.h`).
//!
//! One table holds them all, those included that this machine never counts, and why not.

use super::Lifetime;

/// What is known of a counter.
#[derive(Debug)]
pub struct CounterInfo {
    /// The counter.
    pub counter: Counter,
    /// Its name in Xen.
    pub name: &'static str,
    /// What one more means, in a sentence.
    pub sentence: &'static str,
    /// With which patches it exists.
    pub lifetime: Lifetime,
    /// Why it stays 0 here, if it does.
    pub never: Option<&'static str>,
    /// What else is to be known of its history.
    pub note: Option<&'static str>,
}

/// Defines the counter enum and its table in one list.
macro_rules! counters {
    ($($variant:ident = $name:literal $(since $since:ident)? $(until $until:ident)?,
        $sentence:literal $(, never $never:literal)? $(, note $note:literal)?;)*) => {
        /// A performance counter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Counter { $(#[doc = $sentence] $variant,)* }

        /// All counters, in the order of [`Counter`].
        pub const COUNTERS: &[CounterInfo] = &[$(CounterInfo {
            counter: Counter::$variant,
            name: $name,
            sentence: $sentence,
            lifetime: Lifetime { since: patch!($($since)?), until: patch!($($until)?) },
            never: text!($($never)?),
            note: text!($($note)?),
        },)*];
    };
}

counters! {
    SchedIrq = "sched_irq", "Slice timers that fired.";
    SchedRun = "sched_run", "Runs of the common scheduling function.";
    SchedCtx = "sched_ctx", "Switches to another vCPU.";
    Schedule = "schedule", "Runs of credit1’s scheduling decision.";
    DomInit = "dom_init", "Domains created.",
        never "all domains exist before the run begins";
    DomDestroy = "dom_destroy", "Domains destroyed.",
        never "no domain ends during a run";
    VcpuInit = "vcpu_init" until TraceSchedule, "vCPUs created.",
        never "all vCPUs exist before the run begins",
        note "renamed vcpu_alloc by dc6c3773b2, between the revisions of 2012 and of 2017";
    VcpuAlloc = "vcpu_alloc" since TraceSchedule, "vCPUs created.",
        never "all vCPUs exist before the run begins",
        note "vcpu_init until dc6c3773b2, between the revisions of 2012 and of 2017";
    VcpuDestroy = "vcpu_destroy" until TraceSchedule, "vCPUs taken out of the scheduler.",
        never "no vCPU ends during a run",
        note "renamed vcpu_remove by dc6c3773b2, between the revisions of 2012 and of 2017";
    VcpuRemove = "vcpu_remove" since TraceSchedule, "vCPUs taken out of the scheduler.",
        never "no vCPU ends during a run",
        note "vcpu_destroy until dc6c3773b2, between the revisions of 2012 and of 2017";
    VcpuInsert = "vcpu_insert" since TraceSchedule, "vCPUs put into the scheduler.",
        never "all vCPUs exist before the run begins",
        note "by dc6c3773b2, between the revisions of 2012 and of 2017";
    VcpuSleep = "vcpu_sleep", "vCPUs that became not runnable other than by their own block.";
    VcpuWakeRunning = "vcpu_wake_running", "Wakes of a vCPU that is current.",
        never "a guest’s sleep is served in the instant in which it is asked for";
    VcpuWakeOnrunq = "vcpu_wake_onrunq", "Wakes of a vCPU that is queued.",
        never "a guest’s sleep is served in the instant in which it is asked for";
    VcpuWakeRunnable = "vcpu_wake_runnable", "Wakes that queued a vCPU.";
    VcpuWakeNotRunnable = "vcpu_wake_not_runnable", "Wakes of a vCPU that something else pauses.",
        never "the scheduler is told of no such wake";
    VcpuYield = "vcpu_yield" since YieldSkipsRatelimit, "Yields.",
        note "brought by a7fa4d5f53 in September 2016, counted here with the patch about yields";
    VcpuBoost = "vcpu_boost" since TraceBoost, "Wakes that boosted a vCPU.";
    VcpuPark = "vcpu_park", "vCPUs parked because their domain’s cap was used up.";
    VcpuUnpark = "vcpu_unpark", "vCPUs unparked because they earned their credit back.";
    TickleLocalIdler = "tickle_local_idler" until TicklePreferIdlers,
        "Tickles of the woken vCPU’s pCPU, which was idle.";
    TickleLocalOver = "tickle_local_over" until TicklePreferIdlers,
        "Tickles of the woken vCPU’s pCPU, which ran an OVER vCPU.";
    TickleLocalUnder = "tickle_local_under" until TicklePreferIdlers,
        "Tickles of the woken vCPU’s pCPU, which ran an UNDER vCPU.";
    TickleLocalOther = "tickle_local_other" until TicklePreferIdlers,
        "Tickles of the woken vCPU’s pCPU, which ran something else.",
        never "nothing is higher than BOOST";
    TickleIdlersNone = "tickle_idlers_none" until PerfTickled,
        "Wakes that found no idle pCPU to tell.";
    TickleIdlersSome = "tickle_idlers_some" until PerfTickled, "Wakes that told idle pCPUs.";
    TickledNoCpu = "tickled_no_cpu" since PerfTickled, "Wakes after which no pCPU was tickled.";
    TickledIdleCpu = "tickled_idle_cpu" since PerfTickled,
        "Wakes after which an idle pCPU was tickled.";
    TickledBusyCpu = "tickled_busy_cpu" since PerfTickled,
        "Wakes after which a busy pCPU was tickled.";
    TickledIdleCpuExcl = "tickled_idle_cpu_excl" since ExclPinning,
        "Wakes of a pinned vCPU whose pCPU was idle.";
    LoadBalanceIdle = "load_balance_idle", "Searches for work by a pCPU that would go idle.";
    LoadBalanceOver = "load_balance_over",
        "Searches for better work by a pCPU that would run an OVER vCPU.";
    LoadBalanceOther = "load_balance_other", "Searches for work by a pCPU in another state.",
        never "only OVER and idle pCPUs search";
    StealTrylock = "steal_trylock" since StealTrace, "Tries to lock a peer’s run queue.";
    StealTrylockFailed = "steal_trylock_failed", "Tries that found the queue locked.",
        never "handlers are atomic: no lock is ever contended";
    StealPeerIdle = "steal_peer_idle",
        "Peers that were searched and gave nothing, for whatever reason.";
    MigrateQueued = "migrate_queued", "vCPUs stolen from a queue.";
    MigrateRunning = "migrate_running", "vCPUs that a tick asked to leave for a better pCPU.";
    MigrateKickedAway = "migrate_kicked_away" since TicklePreferIdlers,
        "vCPUs that a wake pushed off their pCPU.";
    VcpuHot = "vcpu_hot", "Queued vCPUs passed over because their cache is still hot.";
    AcctRun = "acct_run", "Accountings with at least one active vCPU.";
    AcctNoWork = "acct_no_work", "Accountings without an active vCPU.";
    AcctBalance = "acct_balance", "Accountings that began with a negative balance.";
    AcctReorder = "acct_reorder", "Domains moved to the head of the active list.";
    AcctMinCredit = "acct_min_credit", "Credits clipped at the floor of one slice’s worth.";
    AcctVcpuActive = "acct_vcpu_active", "vCPUs that began to earn credit.";
    AcctVcpuIdle = "acct_vcpu_idle", "vCPUs that stopped earning credit.";
    DelayMs = "delay_ms", "Scheduling decisions that the rate limit took.";
    VcpuCheck = "vcpu_check", "Self-checks of a vCPU’s state, two a scheduling decision.",
        never "only debug builds of Xen check";
}

impl Counter {
    /// The counter's entry.
    #[must_use]
    pub fn info(self) -> &'static CounterInfo {
        &COUNTERS[self as usize]
    }

    /// Its name in Xen.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.info().name
    }
}

/// The values of all counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counters([u64; COUNTERS.len()]);

impl Default for Counters {
    fn default() -> Self {
        Self([0; COUNTERS.len()])
    }
}

impl Counters {
    /// Adds one.
    #[inline]
    pub fn crank(&mut self, counter: Counter) {
        self.add(counter, 1);
    }

    /// Adds `count`.
    #[inline]
    pub fn add(&mut self, counter: Counter, count: u64) {
        self.0[counter as usize] += count;
    }

    /// The value of a counter.
    #[must_use]
    pub fn get(&self, counter: Counter) -> u64 {
        self.0[counter as usize]
    }

    /// The counters that are not zero, in table order.
    pub fn nonzero(&self) -> impl Iterator<Item = (&'static str, u64)> + '_ {
        let all = COUNTERS.iter().map(|info| (info.name, self.get(info.counter)));
        all.filter(|(_, count)| *count != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: the table is in the order of the enum, so that a counter is found by its number, and
    /// no name stands for two counters that exist together.
    #[test]
    fn the_table_follows_the_enum() {
        for (index, info) in COUNTERS.iter().enumerate() {
            assert_eq!(info.counter as usize, index, "{}", info.name);
            assert!(info.sentence.ends_with('.'), "{}", info.name);
            assert_eq!(COUNTERS.iter().filter(|other| other.name == info.name).count(), 1);
        }
    }
}
