//! What a decision is taken on, and what comes out of it.
//!
//! The inputs borrow from the running scheduler and can be turned into values of their own, so that
//! the same function can be asked again later, or with a patch flipped.

use crate::cpumask::CpuMask;
use crate::ids::{PcpuId, VcpuId};
use crate::topology::Topology;
use crate::units::SimTime;
use alloc::borrow::Cow;
use alloc::vec::Vec;

use super::{AccountFacts, Counter, ParkFacts, Reason};

/// Credit1's priorities: the larger runs first [SC].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Priority(pub i8);

impl Priority {
    /// Just woken with credit left.
    pub const BOOST: Self = Self(0);
    /// Has credit left.
    pub const UNDER: Self = Self(-1);
    /// Has used more than its share.
    pub const OVER: Self = Self(-2);
    /// The idle vCPU.
    pub const IDLE: Self = Self(-64);

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::BOOST => "BOOST",
            Self::UNDER => "UNDER",
            Self::OVER => "OVER",
            _ => "IDLE",
        }
    }
}

/// Which affinity a round of a search goes by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Preferred pCPUs.
    Soft,
    /// Allowed pCPUs.
    Hard,
}

/// What the tickle decision looks at.
#[derive(Clone, Debug)]
pub struct TickleInputs<'a> {
    /// The woken vCPU's pCPU.
    pub cpu: PcpuId,
    /// The pCPU that runs the wake.
    pub this_cpu: PcpuId,
    /// The vCPU that is current on `cpu`, and is pushed off it if the outcome says so.
    pub cur: VcpuId,
    /// Its priority.
    pub cur_pri: Priority,
    /// Priority of the woken vCPU, boost included.
    pub new_pri: Priority,
    /// The pCPUs believed idle.
    pub idlers: Cow<'a, CpuMask>,
    /// The pCPUs of the pool.
    pub pool: Cow<'a, CpuMask>,
    /// Hard affinity of the woken vCPU.
    pub new_hard: Cow<'a, CpuMask>,
    /// Its soft affinity.
    pub new_soft: Cow<'a, CpuMask>,
    /// Hard affinity of the current vCPU.
    pub cur_hard: Cow<'a, CpuMask>,
    /// Tickle one idler, or all suitable ones.
    pub tickle_one_idle: bool,
    /// The idler that `this_cpu` tickled last.
    pub cursor: PcpuId,
    /// Idle pCPUs that were told to schedule and have not yet done so: with `tickled_is_busy` they
    /// are not among the idlers, without it they are.
    pub told: Cow<'a, CpuMask>,
}

impl TickleInputs<'_> {
    /// The same facts as values of their own.
    #[must_use]
    pub fn to_owned(&self) -> TickleInputs<'static> {
        TickleInputs {
            idlers: Cow::Owned(self.idlers.as_ref().clone()),
            pool: Cow::Owned(self.pool.as_ref().clone()),
            new_hard: Cow::Owned(self.new_hard.as_ref().clone()),
            new_soft: Cow::Owned(self.new_soft.as_ref().clone()),
            cur_hard: Cow::Owned(self.cur_hard.as_ref().clone()),
            told: Cow::Owned(self.told.as_ref().clone()),
            ..*self
        }
    }
}

/// What the tickle decision says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TickleOutcome {
    /// The leaf taken.
    pub reason: Reason,
    /// The pCPUs to tell.
    pub tickled: CpuMask,
    /// Whether the current vCPU is pushed off its pCPU.
    pub kick: bool,
    /// The cursor of `this_cpu` afterwards.
    pub cursor: PcpuId,
    /// The counters cranked, at most two of them besides those of the kick.
    pub counters: [Option<Counter>; 2],
}

/// What heads a run queue, as the pick sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunqHead {
    /// Nothing, or the idle vCPU.
    Idle,
    /// A guest's vCPU.
    Guest,
}

/// What the pick looks at.
#[derive(Clone, Debug)]
pub struct PickInputs<'a> {
    /// The vCPU's pCPU now.
    pub processor: PcpuId,
    /// Its hard affinity.
    pub hard: Cow<'a, CpuMask>,
    /// Its soft affinity.
    pub soft: Cow<'a, CpuMask>,
    /// The pCPUs believed idle.
    pub idlers: Cow<'a, CpuMask>,
    /// The pCPUs of the pool.
    pub pool: Cow<'a, CpuMask>,
    /// Fill cores before spreading.
    pub smt_power_savings: bool,
    /// What heads the queue of `processor`.
    pub runq_head: RunqHead,
    /// Per pCPU, the last choice among the idle group that it led.
    pub idle_bias: Cow<'a, [PcpuId]>,
    /// As in [`TickleInputs::told`].
    pub told: Cow<'a, CpuMask>,
}

impl PickInputs<'_> {
    /// The same facts as values of their own.
    #[must_use]
    pub fn to_owned(&self) -> PickInputs<'static> {
        PickInputs {
            hard: Cow::Owned(self.hard.as_ref().clone()),
            soft: Cow::Owned(self.soft.as_ref().clone()),
            idlers: Cow::Owned(self.idlers.as_ref().clone()),
            pool: Cow::Owned(self.pool.as_ref().clone()),
            idle_bias: Cow::Owned(self.idle_bias.to_vec()),
            told: Cow::Owned(self.told.as_ref().clone()),
            ..*self
        }
    }
}

/// What a pick is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickPurpose {
    /// A tick asks whether there is a better place; the answer is thrown away.
    Tick,
    /// A vCPU is being moved.
    Migrate,
    /// A new vCPU is placed.
    Insert,
}

/// What the pick says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PickOutcome {
    /// The pCPU picked.
    pub cpu: PcpuId,
    /// The leader of the idle group chosen from, whose bias becomes `cpu` if the pick counts.
    pub bias_of: Option<PcpuId>,
}

/// One comparison of the pick: the place so far against another group of idle pCPUs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PickStep {
    /// The affinity that the round goes by.
    pub step: Step,
    /// The place so far.
    pub cpu: PcpuId,
    /// The candidate.
    pub next: PcpuId,
    /// Whether both share a socket: then cores are compared, otherwise sockets.
    pub same_socket: bool,
    /// Idle pCPUs around `cpu`.
    pub cpu_idle: u32,
    /// Idle pCPUs around `next`.
    pub next_idle: u32,
    /// The pCPU taken from the candidate's group, if it was better.
    pub taken: Option<PcpuId>,
}

/// A queued vCPU as a thief sees it.
#[derive(Clone, Debug)]
pub struct QueuedVcpu<'a> {
    /// Who.
    pub vcpu: VcpuId,
    /// Its priority.
    pub pri: Priority,
    /// It yielded before it was queued; only looked at with `no_steal_yielded`.
    pub yielded: bool,
    /// Its hard affinity.
    pub hard: Cow<'a, CpuMask>,
    /// Its soft affinity.
    pub soft: Cow<'a, CpuMask>,
    /// It is still being switched out.
    pub is_running: bool,
    /// When it was last switched out.
    pub last_run: SimTime,
}

/// What a thief may look at on its peers.
pub trait Peers {
    /// Whether the idle vCPU is current on `peer`.
    fn is_idle(&self, peer: PcpuId) -> bool;
    /// Runnable guests of `peer`, queued or current.
    fn nr_runnable(&self, peer: PcpuId) -> u32;
    /// Who stands at `place` of the peer's queue, with priority; the idle vCPU is left out.
    fn waiting(&self, peer: PcpuId, place: usize) -> Option<(VcpuId, Priority)>;
    /// All that a thief sees of the vCPU that stands there.
    fn queued(&self, peer: PcpuId, place: usize) -> Option<QueuedVcpu<'_>>;
}

impl<T: Peers + ?Sized> Peers for &T {
    #[inline]
    fn is_idle(&self, peer: PcpuId) -> bool {
        (**self).is_idle(peer)
    }
    #[inline]
    fn nr_runnable(&self, peer: PcpuId) -> u32 {
        (**self).nr_runnable(peer)
    }
    #[inline]
    fn waiting(&self, peer: PcpuId, place: usize) -> Option<(VcpuId, Priority)> {
        (**self).waiting(peer, place)
    }
    #[inline]
    fn queued(&self, peer: PcpuId, place: usize) -> Option<QueuedVcpu<'_>> {
        (**self).queued(peer, place)
    }
}

/// All peers as values of their own.
#[derive(Clone, Debug, Default)]
pub struct PeerSnapshot {
    /// Per pCPU: idle, runnable guests, queue.
    pub pcpus: Vec<(bool, u32, Vec<QueuedVcpu<'static>>)>,
}

impl PeerSnapshot {
    /// Copies what a thief may see.
    #[must_use]
    pub fn of(peers: &dyn Peers, topology: &Topology) -> Self {
        let queue = |pcpu| {
            (0..)
                .map_while(|place| peers.queued(pcpu, place))
                .map(|queued| QueuedVcpu {
                    hard: Cow::Owned(queued.hard.into_owned()),
                    soft: Cow::Owned(queued.soft.into_owned()),
                    ..queued
                })
                .collect()
        };
        let pcpu = |pcpu| (peers.is_idle(pcpu), peers.nr_runnable(pcpu), queue(pcpu));
        Self { pcpus: topology.pcpus().map(pcpu).collect() }
    }
}

impl Peers for PeerSnapshot {
    fn is_idle(&self, peer: PcpuId) -> bool {
        self.pcpus[peer.index()].0
    }
    fn nr_runnable(&self, peer: PcpuId) -> u32 {
        self.pcpus[peer.index()].1
    }
    fn waiting(&self, peer: PcpuId, place: usize) -> Option<(VcpuId, Priority)> {
        self.pcpus[peer.index()].2.get(place).map(|queued| (queued.vcpu, queued.pri))
    }
    fn queued(&self, peer: PcpuId, place: usize) -> Option<QueuedVcpu<'_>> {
        self.pcpus[peer.index()].2.get(place).cloned()
    }
}

/// What a search for work looks at, besides the peers.
#[derive(Clone, Debug)]
pub struct BalanceInputs<'a> {
    /// The thief.
    pub cpu: PcpuId,
    /// Priority of the best that the thief has itself.
    pub snext_pri: Priority,
    /// Now.
    pub now: SimTime,
    /// A vCPU that ran less than this ago is left, in ns.
    pub migration_delay_ns: u64,
    /// The pCPUs believed idle.
    pub idlers: Cow<'a, CpuMask>,
    /// The pCPUs of the pool.
    pub pool: Cow<'a, CpuMask>,
    /// Per node, the last victim; only looked at with `steal_bias`.
    pub balance_bias: Cow<'a, [PcpuId]>,
    /// As in [`TickleInputs::told`].
    pub told: Cow<'a, CpuMask>,
    /// Time since the thief last searched, in ns; only looked at with `lb_ratelimit`.
    pub since_last_ns: u64,
    /// No search within so much time after the last one, in ns; only looked at likewise.
    pub limit_ns: u64,
}

impl BalanceInputs<'_> {
    /// The same facts as values of their own.
    #[must_use]
    pub fn to_owned(&self) -> BalanceInputs<'static> {
        BalanceInputs {
            idlers: Cow::Owned(self.idlers.as_ref().clone()),
            pool: Cow::Owned(self.pool.as_ref().clone()),
            balance_bias: Cow::Owned(self.balance_bias.to_vec()),
            told: Cow::Owned(self.told.as_ref().clone()),
            ..*self
        }
    }
}

/// What a search for work found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BalanceOutcome {
    /// The vCPU to take and the pCPU that queues it.
    pub stolen: Option<(VcpuId, PcpuId)>,
    /// Peers tried.
    pub tries: u32,
    /// Queued vCPUs passed over as cache-hot.
    pub hot: u32,
    /// Whether it was too early to search at all.
    pub limited: bool,
}

/// Why a queued vCPU was or was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueuedVerdict {
    /// Taken.
    Taken,
    /// Not of a higher priority than what the thief has: the search of this queue ends.
    NotHigher,
    /// Has no preference that says anything; left for the hard step.
    NoSoftAffinity,
    /// It has yielded.
    Yielded,
    /// Still being switched out.
    Running,
    /// Cache-hot.
    Hot,
    /// The thief is outside its affinity.
    NotAllowed,
}

/// Why a peer did or did not give something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerVerdict {
    /// Skipped unseen: at most one runnable vCPU.
    Skipped,
    /// The idle vCPU is current there.
    Idle,
    /// Its queue was searched; the verdicts on its vCPUs came before this one.
    Searched {
        /// Whether something was taken.
        taken: bool,
    },
}

/// One step of a search for work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PeerStep {
    /// A queued vCPU was looked at.
    Queued {
        /// Whose queue.
        peer: PcpuId,
        /// Who.
        vcpu: VcpuId,
        /// What was found.
        verdict: QueuedVerdict,
    },
    /// A peer was done with.
    Peer {
        /// Which.
        peer: PcpuId,
        /// The affinity that the round goes by.
        step: Step,
        /// What was found.
        verdict: PeerVerdict,
    },
}

/// Where a wake came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum WakeSource {
    /// The vCPU's first start.
    Start = 0,
    /// Its timer or I/O.
    Io = 1,
    /// It was moved.
    Migrate = 2,
    /// It was unparked.
    Unpark = 3,
}

/// The facts of a wake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WakeFacts {
    /// Where it came from.
    pub source: WakeSource,
    /// The vCPU's pCPU.
    pub processor: PcpuId,
    /// Its priority before.
    pub pri_before: Priority,
    /// Its priority after.
    pub pri_after: Priority,
    /// Whether its cap has parked it.
    pub parked: bool,
    /// Whether a move just brought it here, which spares the boost.
    pub migrated: bool,
    /// Its credit.
    pub credit: i32,
}

/// What execution was charged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Charge {
    /// Execution since the last charge, in ns; not positive if that was charged in advance.
    pub delta_ns: i64,
    /// Kept from the last charge, in millionths of a credit; only with `burn_residual`.
    pub residual: u32,
    /// Charged, in credits.
    pub credits: i32,
}

/// The facts of a scheduling decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleFacts {
    /// Who was current.
    pub cur: VcpuId,
    /// Its priority.
    pub cur_pri: Priority,
    /// Whether it is an idle vCPU.
    pub cur_idle: bool,
    /// Whether it can go on.
    pub cur_runnable: bool,
    /// Its credit after burning.
    pub cur_credit: i32,
    /// What was burnt; nothing of the idle vCPU.
    pub charge: Charge,
    /// How long it has run, in ns.
    pub runtime_ns: u64,
    /// The rate limit, in ns; 0 = off.
    pub ratelimit_ns: u64,
    /// Whether it asked to yield.
    pub yielded: bool,
    /// Who heads the queue after `cur` was put back, with priority; none if the rate limit spoke.
    pub head: Option<(VcpuId, Priority)>,
    /// Who was stolen, and from whom.
    pub stolen: Option<(VcpuId, PcpuId)>,
    /// Who runs next.
    pub next: VcpuId,
    /// Whether that is an idle vCPU.
    pub next_idle: bool,
    /// Its slice, in ns; none for idle.
    pub slice_ns: Option<u64>,
}

/// The facts of a tick that found a guest running.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TickFacts {
    /// Its priority before.
    pub pri_before: Priority,
    /// Its priority after.
    pub pri_after: Priority,
    /// Its credit after burning.
    pub credit: i32,
    /// What was burnt.
    pub charge: Charge,
    /// Whether it already earned credit.
    pub was_active: bool,
    /// The pCPU that the pick named, if it was asked.
    pub picked: Option<PcpuId>,
}

/// What a record was taken on.
#[derive(Clone, Copy)]
#[allow(missing_docs)] // each is described by its type
pub enum Facts<'a> {
    Wake(&'a WakeFacts),
    Tickle(&'a TickleInputs<'a>, &'a TickleOutcome),
    Pick(&'a PickInputs<'a>, &'a PickOutcome, PickPurpose),
    Balance(&'a BalanceInputs<'a>, &'a dyn Peers, &'a BalanceOutcome),
    Schedule(&'a ScheduleFacts),
    Tick(&'a TickFacts),
    Account(&'a AccountFacts),
    Park(&'a ParkFacts),
    /// An origin: its row says all.
    None,
}
