//! The kinds of records in Xen's trace buffer (`xen/include/public/trace.h`), as far as scheduling
//! makes them: number, payload, meaning, and since when.
//!
//! A table and nothing else; what a run tells is a [`TraceRecord`](super::TraceRecord).
//!
//! The commits 5da5a383a0, acdedf455c, 7d42c76150 and f462a9b3f1 changed records between the
//! revisions of 2012 and of April 2017 and are no patches of the list: they count as in with
//! `trace_schedule`, the last patch about records before 2017.

use super::Lifetime;
use crate::patches::{Patch, PatchSet};

/// What the number in a payload word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// The number of a domain, vCPU or pCPU, or a count.
    Number,
    /// A time in ns, of which the low 32 bits stand in the word.
    Ns,
    /// Several numbers in one word; the name tells which.
    Packed,
}

/// One word of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// What its number is.
    pub unit: Unit,
}

/// What is known of a kind of trace record.
#[derive(Debug)]
pub struct TraceInfo {
    /// The kind.
    pub kind: TraceKind,
    /// Its number in the trace buffer.
    pub number: u32,
    /// Its name.
    pub name: &'static str,
    /// What one record says, in a sentence.
    pub sentence: &'static str,
    /// With which patches it exists.
    pub lifetime: Lifetime,
    /// Why there is none here, if so.
    pub never: Option<&'static str>,
    /// What else is to be known of its history.
    pub note: Option<&'static str>,
    /// Its payload words, as they are now.
    latest: &'static [Field],
    /// Its payload words before [`Self::CHANGED_BY`], where they were others.
    earlier: Option<&'static [Field]>,
}

const fn number(name: &'static str) -> Field {
    Field { name, unit: Unit::Number }
}
const fn ns(name: &'static str) -> Field {
    Field { name, unit: Unit::Ns }
}
const fn packed(name: &'static str) -> Field {
    Field { name, unit: Unit::Packed }
}

const DOM: Field = number("dom");
const VCPU: Field = number("vcpu");
/// Domain and vCPU in one word.
const PACKED: &[Field] = &[packed("dom<<16|vcpu")];
/// Domain and vCPU in a word each.
const WHO: &[Field] = &[DOM, VCPU];
const COUNTED: &[Field] = &[DOM, VCPU, number("active")];

/// Defines the kinds and their table in one list.
macro_rules! kinds {
    ($($variant:ident = $number:literal $name:literal $(since $since:ident)?,
        $fields:expr $(, before $earlier:expr)?, $sentence:literal
        $(, never $never:literal)? $(, note $note:literal)?;)*) => {
        /// A kind of trace record.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum TraceKind { $(#[doc = $sentence] $variant,)* }

        /// All kinds, in the order of [`TraceKind`].
        pub const TRACE_KINDS: &[TraceInfo] = &[$(TraceInfo {
            kind: TraceKind::$variant,
            number: $number,
            name: $name,
            sentence: $sentence,
            lifetime: Lifetime { since: patch!($($since)?), until: None },
            never: text!($($never)?),
            note: text!($($note)?),
            latest: $fields,
            earlier: earlier!($($earlier)?),
        },)*];
    };
}

/// The payload of an earlier time, if there was another.
macro_rules! earlier {
    () => {
        None
    };
    ($fields:expr) => {
        Some($fields)
    };
}

kinds! {
    ContinueRunning = 0x21002 "continue_running", PACKED,
        "A scheduling decision kept the same vCPU.";
    RunningToRunnable = 0x21011 "running_to_runnable", PACKED,
        "The vCPU was switched out and waits for a pCPU.";
    RunningToBlocked = 0x21021 "running_to_blocked", PACKED,
        "The vCPU was switched out and sleeps.";
    RunningToOffline = 0x21031 "running_to_offline", PACKED,
        "The vCPU was switched out and is paused, or is about to be moved.";
    RunnableToRunning = 0x21101 "runnable_to_running", PACKED, "The vCPU was given a pCPU.";
    RunnableToOffline = 0x21131 "runnable_to_offline", PACKED,
        "The vCPU waited for a pCPU and was paused, or is about to be moved.";
    BlockedToRunnable = 0x21211 "blocked_to_runnable", PACKED,
        "The vCPU’s sleep is over: it waits for a pCPU.";
    BlockedToOffline = 0x21231 "blocked_to_offline", PACKED,
        "The vCPU’s sleep is over, but it is paused.";
    OfflineToRunnable = 0x21311 "offline_to_runnable", PACKED,
        "The vCPU was started, moved or unpaused: it waits for a pCPU.";

    SchedTasklet = 0x22001 "csched:sched_tasklet" since TraceCredit, &[],
        "The pCPU does work of the hypervisor itself.",
        never "there are no tasklets";
    AccountStart = 0x22002 "csched:account_start" since TraceCredit, COUNTED,
        "The vCPU begins to earn credit; so many of its domain do now.";
    AccountStop = 0x22003 "csched:account_stop" since TraceCredit, COUNTED,
        "The vCPU stops earning credit; so many of its domain still do.";
    StolenVcpu = 0x22004 "csched:stolen_vcpu" since TraceCredit, &[number("from"), DOM, VCPU],
        "The pCPU took the vCPU from the queue of another.";
    PickedCpu = 0x22005 "csched:picked_cpu" since TraceCredit, &[DOM, VCPU, number("cpu")],
        "A search for the best pCPU of the vCPU ended here, asked by a tick or for a move.";
    Tickle = 0x22006 "csched:runq_tickle" since TraceCredit, &[number("cpu")],
        "The pCPU is told to schedule because of a wake.",
        note "without a time stamp until 44c4112f57 in February 2016";
    BoostStart = 0x22007 "csched:boost_start" since TraceBoost, WHO,
        "The woken vCPU gets the highest priority.";
    BoostEnd = 0x22008 "csched:boost_end" since TraceBoost, WHO,
        "A tick takes the highest priority away; when an accounting does, nothing is told.";
    Schedule = 0x22009 "csched:schedule" since TraceSchedule,
        &[packed("cpu|tasklet<<16|idle<<24")], "A scheduling decision begins.";
    Ratelimit = 0x2200A "csched:ratelimit" since TraceSchedule,
        &[packed("dom<<16|vcpu"), ns("runtime")],
        "The vCPU goes on because it has run for less than the rate limit.";
    StealCheck = 0x2200B "csched:steal_check" since StealTrace,
        &[number("peer"), number("checked")],
        "A pCPU that searches for work came to this peer; 1: looked into its queue, 0: skipped it.";

    DomAdd = 0x28001 "dom_add", &[DOM], before WHO, "A domain is created.",
        never "all domains exist before the run begins",
        note "one a vCPU, with its number, until 7d42c76150";
    DomRem = 0x28002 "dom_rem" since TraceSchedule, &[DOM], "A domain is destroyed.",
        never "no domain ends during a run", note "by 7d42c76150";
    Sleep = 0x28003 "sleep", WHO, "The vCPU may have become not runnable.",
        note "the last record of its group until 5da5a383a0, then the first";
    Wake = 0x28004 "wake", WHO, "The vCPU may have become runnable.",
        note "the last record of its group until 5da5a383a0, then the first";
    Yield = 0x28005 "yield", WHO, "The vCPU asks that others go first.";
    Block = 0x28006 "block", WHO, "The vCPU goes to sleep.";
    Shutdown = 0x28007 "shutdown", &[DOM, VCPU, number("reason")], "The domain shuts down.",
        never "no domain ends during a run";
    AdjustDom = 0x28009 "adjdom", &[DOM], "The domain’s weight or cap was set.";
    Switch = 0x2800A "switch",
        &[number("prev_dom"), number("prev_vcpu"), number("next_dom"), number("next_vcpu")],
        "The pCPU switches from one vCPU to another.";
    SwitchInfPrev = 0x2800E "switch_infprev", &[DOM, VCPU, ns("ran")], before &[DOM, ns("ran")],
        "The vCPU that is switched out, and how long it has run.",
        note "without the vCPU’s number until acdedf455c";
    SwitchInfNext = 0x2800F "switch_infnext", &[DOM, VCPU, ns("waited"), ns("slice")],
        before &[DOM, ns("waited"), ns("slice")],
        "The vCPU that runs next, how long it has waited, and its slice (−1: no end).",
        note "without the vCPU’s number until acdedf455c";
    ShutdownCode = 0x28010 "shutdown_code", &[DOM, VCPU, number("reason")],
        "The domain has said why it shuts down.",
        never "no domain ends during a run";
    SwitchInfCont = 0x28011 "switch_infcont" since TraceSchedule,
        &[DOM, VCPU, ns("ran"), ns("slice")],
        "The vCPU that goes on, how long it has run, and its slice (−1: no end).",
        note "by f462a9b3f1 in March 2017";
}

impl TraceKind {
    /// The kind's entry.
    #[must_use]
    pub fn info(self) -> &'static TraceInfo {
        &TRACE_KINDS[self as usize]
    }
}

impl TraceInfo {
    /// The patch from which on [`Self::fields`] are as they are now.
    pub const CHANGED_BY: Patch = Patch::TraceSchedule;

    /// Its payload words with these patches.
    #[must_use]
    pub fn fields(&self, patches: PatchSet) -> &'static [Field] {
        let earlier = self.earlier.filter(|_| !patches.has(Self::CHANGED_BY));
        earlier.unwrap_or(self.latest)
    }

    /// Whether the patch changes its payload.
    #[must_use]
    pub fn is_changed_by(&self, patch: Patch) -> bool {
        self.earlier.is_some() && patch == Self::CHANGED_BY
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: an entry is found by its kind; numbers and names are unique and ascend; a payload has
    /// at most seven words, all that the trace buffer's format holds.
    #[test]
    fn the_table_follows_the_enum() {
        for (index, info) in TRACE_KINDS.iter().enumerate() {
            assert_eq!(info.kind as usize, index, "{}", info.name);
            assert!(index == 0 || TRACE_KINDS[index - 1].number < info.number, "{}", info.name);
            assert_eq!(TRACE_KINDS.iter().filter(|other| other.name == info.name).count(), 1);
            assert!(info.sentence.ends_with('.') && info.latest.len() <= 7, "{}", info.name);
        }
    }
}
