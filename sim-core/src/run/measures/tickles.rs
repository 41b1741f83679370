//! What became of each tickle: whether the pCPU that was told then did anything because of it.
//!
//! A tickle is one pCPU told by one run of `runq_tickle`. Its fate is known when that pCPU next
//! takes a scheduling decision. Must not judge the decision, only what it changed.

use crate::cpumask::CpuMask;
use crate::decision::ScheduleFacts;
use crate::ids::{PcpuId, VcpuId};
use alloc::vec;
use alloc::vec::Vec;

/// Fates of tickles. *Invariant*: they add up to the pCPUs told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TickleFates {
    /// The pCPU then ran the woken vCPU.
    pub ran_woken: u64,
    /// It then switched to another vCPU, or went idle.
    pub ran_other: u64,
    /// It looked and went on as before.
    pub in_vain: u64,
    /// It had already been told and had not yet looked.
    pub duplicate: u64,
    /// The run ended before it looked.
    pub open: u64,
}

impl TickleFates {
    /// All tickles.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.ran_woken + self.ran_other + self.in_vain + self.duplicate + self.open
    }
}

/// Why a pCPU is to look.
#[derive(Clone, Copy, Debug)]
enum Told {
    /// For this vCPU, which woke.
    Tickled(VcpuId),
    /// For another reason: a vCPU to park, a change.
    Otherwise,
}

/// The count under way.
#[derive(Clone, Debug)]
pub(super) struct Tickles {
    fates: TickleFates,
    told: Vec<Option<Told>>,
}

impl Tickles {
    pub(super) fn new(pcpus: usize) -> Self {
        Self { fates: TickleFates::default(), told: vec![None; pcpus] }
    }

    pub(super) fn tickle(&mut self, woken: VcpuId, tickled: &CpuMask) {
        for pcpu in tickled.iter() {
            let told = &mut self.told[pcpu.index()];
            if told.is_some() {
                self.fates.duplicate += 1;
            } else {
                *told = Some(Told::Tickled(woken));
            }
        }
    }

    /// A pCPU was told by another one. A tickle has said so before.
    pub(super) fn told(&mut self, pcpu: PcpuId) {
        self.told[pcpu.index()].get_or_insert(Told::Otherwise);
    }

    pub(super) fn schedule(&mut self, pcpu: PcpuId, facts: &ScheduleFacts) {
        let Some(Told::Tickled(woken)) = self.told[pcpu.index()].take() else { return };
        let fate = if facts.next == facts.cur {
            &mut self.fates.in_vain
        } else if facts.next == woken {
            &mut self.fates.ran_woken
        } else {
            &mut self.fates.ran_other
        };
        *fate += 1;
    }

    pub(super) fn fates(&self) -> TickleFates {
        let open = self.told.iter().filter(|told| matches!(told, Some(Told::Tickled(_)))).count();
        TickleFates { open: open as u64, ..self.fates }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision::Priority;

    fn look(cur: u16, next: u16) -> ScheduleFacts {
        ScheduleFacts {
            cur: VcpuId(cur),
            cur_pri: Priority::UNDER,
            cur_idle: false,
            cur_runnable: true,
            cur_credit: 0,
            charge: crate::decision::Charge::default(),
            runtime_ns: 0,
            ratelimit_ns: 0,
            yielded: false,
            head: None,
            stolen: None,
            next: VcpuId(next),
            next_idle: false,
            slice_ns: None,
        }
    }

    /// Goal: each fate by hand: two wake-ups tell p1 before it looks, p0 goes on as before, p2
    /// switches to somebody else, p3 had been told otherwise, p1 is told again and never looks.
    #[test]
    fn each_fate_by_hand() {
        let mut tickles = Tickles::new(4);
        let mask = |pcpus: &[u16]| {
            let mut mask = CpuMask::empty(4);
            pcpus.iter().for_each(|pcpu| mask.insert(PcpuId(*pcpu)));
            mask
        };
        tickles.tickle(VcpuId(7), &mask(&[0, 1]));
        tickles.told(PcpuId(1));
        tickles.tickle(VcpuId(8), &mask(&[1, 2]));
        tickles.told(PcpuId(3));
        tickles.tickle(VcpuId(9), &mask(&[3]));
        tickles.schedule(PcpuId(0), &look(5, 5));
        tickles.schedule(PcpuId(1), &look(5, 7));
        tickles.schedule(PcpuId(2), &look(5, 7));
        tickles.schedule(PcpuId(3), &look(5, 9));
        // It looks again without having been told: nobody's tickle.
        tickles.schedule(PcpuId(0), &look(5, 6));
        tickles.tickle(VcpuId(7), &mask(&[1]));
        let fates = TickleFates { ran_woken: 1, ran_other: 1, in_vain: 1, duplicate: 2, open: 1 };
        assert_eq!(tickles.fates(), fates);
        assert_eq!(fates.all(), 6);
    }
}
