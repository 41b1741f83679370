//! One record of Xen's trace buffer, as data.
//!
//! The machine tells all that a record can say; with which patches it exists, and which of its
//! words it has then, is [`TraceInfo`](super::TraceInfo)'s.

use super::TraceKind;
use crate::ids::{DomainId, PcpuId, VcpuId};
use crate::patches::PatchSet;

/// The domain number of the idle vCPUs; the number of each is that of its pCPU.
pub const IDLE_DOMAIN: u16 = 32_767;
/// The most words that a record here has.
pub const WORDS_MAX: usize = 4;

/// A trace record. Which pCPU tells it, and when, is not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the fields are those of the kind's entry
pub enum TraceRecord {
    /// A change of run state, or that the vCPU keeps running.
    Runstate {
        kind: TraceKind,
        vcpu: VcpuId,
    },
    /// A record that says no more than whom it is about.
    Of {
        kind: TraceKind,
        vcpu: VcpuId,
    },
    /// A vCPU begins or stops to earn.
    Account {
        kind: TraceKind,
        vcpu: VcpuId,
        active: u32,
    },
    StolenVcpu {
        from: PcpuId,
        vcpu: VcpuId,
    },
    PickedCpu {
        vcpu: VcpuId,
        pcpu: PcpuId,
    },
    Tickle {
        pcpu: PcpuId,
    },
    Schedule {
        pcpu: PcpuId,
        idle: bool,
    },
    Ratelimit {
        vcpu: VcpuId,
        runtime_ns: u64,
    },
    StealCheck {
        peer: PcpuId,
        checked: bool,
    },
    AdjustDom {
        domain: DomainId,
    },
    Switch {
        prev: VcpuId,
        next: VcpuId,
    },
    SwitchInfPrev {
        vcpu: VcpuId,
        ran_ns: u64,
    },
    SwitchInfNext {
        vcpu: VcpuId,
        waited_ns: u64,
        slice_ns: Option<u64>,
    },
    SwitchInfCont {
        vcpu: VcpuId,
        ran_ns: u64,
        slice_ns: Option<u64>,
    },
}

/// Payload words, and how many of them there are.
pub type Words = ([u32; WORDS_MAX], usize);

/// The low 32 bits, which are all that a word holds.
fn low(ns: u64) -> u32 {
    u32::try_from(ns & u64::from(u32::MAX)).expect("32 bits")
}

impl TraceRecord {
    /// Its kind.
    #[must_use]
    #[inline]
    pub const fn kind(&self) -> TraceKind {
        match self {
            Self::Runstate { kind, .. } | Self::Of { kind, .. } | Self::Account { kind, .. } => {
                *kind
            }
            Self::StolenVcpu { .. } => TraceKind::StolenVcpu,
            Self::PickedCpu { .. } => TraceKind::PickedCpu,
            Self::Tickle { .. } => TraceKind::Tickle,
            Self::Schedule { .. } => TraceKind::Schedule,
            Self::Ratelimit { .. } => TraceKind::Ratelimit,
            Self::StealCheck { .. } => TraceKind::StealCheck,
            Self::AdjustDom { .. } => TraceKind::AdjustDom,
            Self::Switch { .. } => TraceKind::Switch,
            Self::SwitchInfPrev { .. } => TraceKind::SwitchInfPrev,
            Self::SwitchInfNext { .. } => TraceKind::SwitchInfNext,
            Self::SwitchInfCont { .. } => TraceKind::SwitchInfCont,
        }
    }

    /// Its payload with these patches; `name` gives the numbers of a vCPU's domain and of the vCPU
    /// in it, `domain` that of a domain.
    #[must_use]
    pub fn words(
        &self,
        patches: PatchSet,
        name: impl Fn(VcpuId) -> (u16, u16),
        domain: impl Fn(DomainId) -> u16,
    ) -> Words {
        let packed = |vcpu| {
            let (domain, vcpu) = name(vcpu);
            u32::from(domain) << 16 | u32::from(vcpu)
        };
        let who = |vcpu| {
            let (domain, vcpu) = name(vcpu);
            [u32::from(domain), u32::from(vcpu)]
        };
        let end = |slice_ns: Option<u64>| slice_ns.map_or(u32::MAX, low);
        let pcpu = |pcpu: PcpuId| u32::from(pcpu.0);
        let one = |word| ([word, 0, 0, 0], 1);
        // The words of a record that names its vCPU since `trace_schedule`, its domain before.
        let named = |vcpu, first, second: Option<u32>| {
            let [domain, vcpu] = who(vcpu);
            let more = usize::from(second.is_some());
            let second = second.unwrap_or(0);
            if patches.has(super::TraceInfo::CHANGED_BY) {
                ([domain, vcpu, first, second], 3 + more)
            } else {
                ([domain, first, second, 0], 2 + more)
            }
        };
        match *self {
            Self::Runstate { vcpu, .. } => one(packed(vcpu)),
            Self::Of { vcpu, .. } => {
                let [domain, vcpu] = who(vcpu);
                ([domain, vcpu, 0, 0], 2)
            }
            Self::Account { vcpu, active, .. } => {
                let [domain, vcpu] = who(vcpu);
                ([domain, vcpu, active, 0], 3)
            }
            Self::StolenVcpu { from, vcpu } => {
                let [domain, vcpu] = who(vcpu);
                ([pcpu(from), domain, vcpu, 0], 3)
            }
            Self::PickedCpu { vcpu, pcpu: picked } => {
                let [domain, vcpu] = who(vcpu);
                ([domain, vcpu, pcpu(picked), 0], 3)
            }
            Self::Tickle { pcpu: told } => one(pcpu(told)),
            Self::Schedule { pcpu: here, idle } => one(pcpu(here) | u32::from(idle) << 24),
            Self::Ratelimit { vcpu, runtime_ns } => ([packed(vcpu), low(runtime_ns), 0, 0], 2),
            Self::StealCheck { peer, checked } => ([pcpu(peer), u32::from(checked), 0, 0], 2),
            Self::AdjustDom { domain: adjusted } => one(u32::from(domain(adjusted))),
            Self::Switch { prev, next } => {
                let ([prev_domain, prev], [next_domain, next]) = (who(prev), who(next));
                ([prev_domain, prev, next_domain, next], 4)
            }
            Self::SwitchInfPrev { vcpu, ran_ns } => named(vcpu, low(ran_ns), None),
            Self::SwitchInfNext { vcpu, waited_ns, slice_ns } => {
                named(vcpu, low(waited_ns), Some(end(slice_ns)))
            }
            Self::SwitchInfCont { vcpu, ran_ns, slice_ns } => {
                named(vcpu, low(ran_ns), Some(end(slice_ns)))
            }
        }
    }
}
