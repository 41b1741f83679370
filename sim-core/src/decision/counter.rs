//! Performance counters, under the names that Xen gives them (`xen/include/xen/perfc_defn.h`).

/// Defines the counter enum, its table of names and the conversion between them in one list.
macro_rules! counters {
    ($($(#[$doc:meta])* $variant:ident = $name:literal,)*) => {
        /// A performance counter.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum Counter { $($(#[$doc])* $variant,)* }

        /// All counters with their names, in the order of [`Counter`].
        pub const COUNTERS: &[(Counter, &str)] = &[$((Counter::$variant, $name),)*];
    };
}

counters! {
    /// Slice timers that fired.
    SchedIrq = "sched_irq",
    /// Runs of the common scheduling function.
    SchedRun = "sched_run",
    /// Switches to another vCPU.
    SchedCtx = "sched_ctx",
    /// Runs of credit1's scheduling decision.
    Schedule = "schedule",
    /// vCPUs put to sleep.
    VcpuSleep = "vcpu_sleep",
    /// Wakes of a vCPU that is current.
    VcpuWakeRunning = "vcpu_wake_running",
    /// Wakes of a vCPU that is queued.
    VcpuWakeOnrunq = "vcpu_wake_onrunq",
    /// Wakes that queued a vCPU.
    VcpuWakeRunnable = "vcpu_wake_runnable",
    /// Yields.
    VcpuYield = "vcpu_yield",
    /// Wakes that boosted a vCPU.
    VcpuBoost = "vcpu_boost",
    /// vCPUs parked because their domain's cap was used up.
    VcpuPark = "vcpu_park",
    /// vCPUs unparked.
    VcpuUnpark = "vcpu_unpark",
    /// Tickles of the local pCPU, which was idle.
    TickleLocalIdler = "tickle_local_idler",
    /// Tickles of the local pCPU, which ran an OVER vCPU.
    TickleLocalOver = "tickle_local_over",
    /// Tickles of the local pCPU, which ran an UNDER vCPU.
    TickleLocalUnder = "tickle_local_under",
    /// Tickles of the local pCPU, which ran something else. Never counts.
    TickleLocalOther = "tickle_local_other",
    /// Wakes that found no idle pCPU to tell.
    TickleIdlersNone = "tickle_idlers_none",
    /// Wakes that told idle pCPUs.
    TickleIdlersSome = "tickle_idlers_some",
    /// Wakes after which no pCPU was tickled.
    TickledNoCpu = "tickled_no_cpu",
    /// Wakes after which an idle pCPU was tickled.
    TickledIdleCpu = "tickled_idle_cpu",
    /// Wakes after which a busy pCPU was tickled.
    TickledBusyCpu = "tickled_busy_cpu",
    /// Wakes of a pinned vCPU whose pCPU was idle.
    TickledIdleCpuExcl = "tickled_idle_cpu_excl",
    /// Searches for work by a pCPU that would go idle.
    LoadBalanceIdle = "load_balance_idle",
    /// Searches for better work by a pCPU that would run an OVER vCPU.
    LoadBalanceOver = "load_balance_over",
    /// Searches for work by a pCPU in another state. Never counts.
    LoadBalanceOther = "load_balance_other",
    /// Tries to lock a peer's run queue.
    StealTrylock = "steal_trylock",
    /// Tries that found the queue locked. Never counts here: handlers are atomic.
    StealTrylockFailed = "steal_trylock_failed",
    /// Peers that were searched and gave nothing, for whatever reason.
    StealPeerIdle = "steal_peer_idle",
    /// vCPUs stolen from a queue.
    MigrateQueued = "migrate_queued",
    /// vCPUs that a tick asked to leave for a better pCPU.
    MigrateRunning = "migrate_running",
    /// vCPUs that a wake pushed off their pCPU.
    MigrateKickedAway = "migrate_kicked_away",
    /// Queued vCPUs passed over because their cache is still hot.
    VcpuHot = "vcpu_hot",
    /// Accountings with at least one active vCPU.
    AcctRun = "acct_run",
    /// Accountings without an active vCPU.
    AcctNoWork = "acct_no_work",
    /// Accountings that began with a negative balance.
    AcctBalance = "acct_balance",
    /// Domains moved to the head of the active list.
    AcctReorder = "acct_reorder",
    /// Credits clipped at the floor.
    AcctMinCredit = "acct_min_credit",
    /// vCPUs that began to earn credit.
    AcctVcpuActive = "acct_vcpu_active",
    /// vCPUs that stopped earning credit.
    AcctVcpuIdle = "acct_vcpu_idle",
    /// Scheduling decisions that the rate limit took.
    DelayMs = "delay_ms",
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
        COUNTERS.iter().map(|(counter, name)| (*name, self.get(*counter))).filter(|(_, n)| *n != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: the table is in the order of the enum, so that a counter is found by its number.
    #[test]
    fn the_table_follows_the_enum() {
        for (index, (counter, name)) in COUNTERS.iter().enumerate() {
            assert_eq!(*counter as usize, index, "{name}");
        }
    }
}
