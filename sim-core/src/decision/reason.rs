//! The table of leaves: every record names the leaf of the decision tree that it came from.

/// What sort of record it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Kind {
    /// A vCPU became ready, or tried to.
    Wake,
    /// Whom to tell about a woken vCPU.
    Tickle,
    /// Which pCPU a vCPU should go to.
    Pick,
    /// Whether to take a vCPU from another pCPU.
    Balance,
    /// What a pCPU runs next.
    Schedule,
    /// A pCPU's periodic tick.
    Tick,
    /// The periodic handing out of credit.
    Account,
    /// A cap used up, or free again.
    Park,
    /// A guest or timer event that starts a chain.
    Origin,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 9] = [
        Self::Wake,
        Self::Tickle,
        Self::Pick,
        Self::Balance,
        Self::Schedule,
        Self::Tick,
        Self::Account,
        Self::Park,
        Self::Origin,
    ];

    /// Whether a record of this kind is a choice between possibilities, at which stepping stops.
    #[must_use]
    pub const fn is_decision(self) -> bool {
        matches!(self, Self::Tickle | Self::Pick | Self::Balance | Self::Schedule)
    }

    /// The name of the function that decides, as in the scheduler.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Wake => "vcpu_wake",
            Self::Tickle => "runq_tickle",
            Self::Pick => "cpu_pick",
            Self::Balance => "load_balance",
            Self::Schedule => "do_schedule",
            Self::Tick => "tick",
            Self::Account => "acct",
            Self::Park => "park",
            Self::Origin => "event",
        }
    }
}

/// One leaf.
#[derive(Debug)]
pub struct ReasonInfo {
    /// The leaf.
    pub reason: Reason,
    /// What sort of record it is of.
    pub kind: Kind,
    /// Its short code, as in the decision tables.
    pub code: &'static str,
    /// When this leaf is taken, in a few words.
    pub when: &'static str,
    /// What follows, in a few words.
    pub then: &'static str,
}

/// Defines the leaves and their table in one list.
macro_rules! reasons {
    ($($variant:ident, $kind:ident, $code:literal, $when:literal, $then:literal;)*) => {
        /// A leaf of a decision tree; described by its entry in [`REASONS`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        #[allow(missing_docs)]
        pub enum Reason { $($variant,)* }

        /// All leaves, in the order of [`Reason`].
        pub const REASONS: &[ReasonInfo] = &[$(ReasonInfo {
            reason: Reason::$variant,
            kind: Kind::$kind,
            code: $code,
            when: $when,
            then: $then,
        },)*];
    };
}

reasons! {
    WakeBoosted, Wake, "W+", "ready, UNDER and not parked", "queued with BOOST";
    WakeQueued, Wake, "W", "ready, no boost due", "queued as it is";
    WakeCurrent, Wake, "W=", "already current on its pCPU", "nothing to do";
    WakeOnQueue, Wake, "Wq", "already queued", "nothing to do";
    WakeNotRunnable, Wake, "W-", "still paused for another reason", "nothing to do";

    TickleB1, Tickle, "B1", "its pCPU idle", "{here}";
    TickleB2, Tickle, "B2", "higher, nobody idle", "{here}";
    TickleB3, Tickle, "B3", "higher, no idler allowed", "{here}";
    TickleB4, Tickle, "B4", "higher, an idler allowed", "{here, idler}";
    TickleB5, Tickle, "B5", "not higher, nobody idle", "∅";
    TickleB6, Tickle, "B6", "not higher, no idler allowed", "∅";
    TickleB7, Tickle, "B7", "not higher, an idler allowed", "{idler}";

    TickleA0, Tickle, "A0", "pinned, its pCPU believed idle", "{here}";
    TickleA1, Tickle, "A1", "its pCPU idle", "{here}";
    TickleA2, Tickle, "A2", "higher, nobody idle", "{here}";
    TickleA3, Tickle, "A3", "not higher, nobody idle", "∅";
    TickleA4, Tickle, "A4", "higher, no idler allowed", "{here}, kick";
    TickleA4Futile, Tickle, "A4f", "higher, no idler allowed to either", "{here}";
    TickleA5, Tickle, "A5", "not higher, no idler allowed", "∅";
    TickleA6, Tickle, "A6", "an idler allowed", "{idler}";
    TickleA6Soft, Tickle, "A6s", "a preferred idler", "{idler}";

    PickStay, Pick, "P1", "nothing emptier than where it is", "stay";
    PickStart, Pick, "P2", "may not stay, nothing emptier than the start", "start";
    PickMove, Pick, "P3", "an emptier core or socket", "move";

    BalanceStole, Balance, "L1", "a peer queues something better", "steal";
    BalanceNothing, Balance, "L2", "no peer has something better", "own queue";
    BalanceLimited, Balance, "L0", "searched too recently", "own queue";

    ScheduleRatelimited, Schedule, "S1", "ran less than the rate limit", "keep";
    ScheduleContinue, Schedule, "S2", "still the best of its queue", "keep";
    ScheduleSwitch, Schedule, "S3", "head of the queue has credit", "switch";
    ScheduleSwitchOver, Schedule, "S4", "only OVER here, nothing better elsewhere", "switch";
    ScheduleStole, Schedule, "S5", "better work found elsewhere", "run the stolen";
    ScheduleIdle, Schedule, "S6", "nothing to run anywhere", "go idle";
    ScheduleStayIdle, Schedule, "S7", "idle, and nothing found", "stay idle";

    TickActivate, Tick, "T1", "first seen running", "starts to earn";
    TickStay, Tick, "T2", "no better pCPU", "goes on";
    TickMigrate, Tick, "T3", "a better pCPU exists", "asked to move";

    AccountRun, Account, "C1", "active vCPUs", "credit handed out";
    AccountNoWork, Account, "C2", "no active vCPU", "nothing handed out";

    Park, Park, "K1", "below the cap's threshold", "paused";
    Unpark, Park, "K2", "credit back at zero", "unpaused";

    Block, Origin, "block", "the guest goes to sleep", "gives up its pCPU";
    Yield, Origin, "yield", "the guest yields", "stays ready";
    SliceEnd, Origin, "slice", "the slice is used up", "schedule";
    Change, Origin, "change", "a scripted change", "applied";
}

impl Reason {
    /// The leaf's entry.
    #[must_use]
    pub fn info(self) -> &'static ReasonInfo {
        &REASONS[self as usize]
    }

    /// What sort of record it is of.
    #[must_use]
    pub fn kind(self) -> Kind {
        self.info().kind
    }

    /// The leaf of this number.
    #[must_use]
    pub fn from_number(number: u8) -> Option<Self> {
        REASONS.get(usize::from(number)).map(|info| info.reason)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: an entry is found by its leaf's number, and no two leaves share a code.
    #[test]
    fn the_table_follows_the_enum() {
        for (index, info) in REASONS.iter().enumerate() {
            assert_eq!(info.reason as usize, index, "{}", info.code);
            assert_eq!(REASONS.iter().filter(|other| other.code == info.code).count(), 1);
        }
    }
}
