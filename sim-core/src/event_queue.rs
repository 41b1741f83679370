//! What happens next: a queue with the total order of simultaneous events.
//!
//! Events at one time go by class, then by id, then in the order in which they were put in.

use crate::ids::{PcpuId, VcpuId};
use crate::units::SimTime;
use alloc::collections::BinaryHeap;
use core::cmp::Reverse;

/// Everything that can happen. The order of the variants is the order of the classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// A context switch is complete.
    SwitchEnd(PcpuId),
    /// An interrupt from another pCPU arrives.
    Ipi(PcpuId),
    /// The stretch that a pCPU's guest executes ends.
    StretchEnd(PcpuId),
    /// A vCPU is started, or its sleep is over.
    Wake(VcpuId),
    /// A pCPU's ticker.
    Tick(PcpuId),
    /// The master ticker.
    Account,
    /// A pCPU's slice is used up.
    SliceEnd(PcpuId),
    /// A scripted change, by index.
    Change(u16),
}

/// Names one entry of the queue, to tell it from a later one for the same timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket(u64);

const SEQ_BITS: u32 = 45;

/// Time and key of an entry.
#[inline]
fn halves(entry: u128) -> (SimTime, u64) {
    let half = |half: u128| u64::try_from(half).expect("64 bits");
    (SimTime::from_ns(half(entry >> 64)), half(entry & u128::from(u64::MAX)))
}

/// The queue. An entry cannot be taken back; whoever re-arms a timer forgets the old ticket.
#[derive(Clone, Debug, Default)]
pub struct EventQueue {
    /// Time in the high half, key in the low one: compared as one number.
    heap: BinaryHeap<Reverse<u128>>,
    seq: u64,
}

impl EventQueue {
    /// Puts an event in.
    pub fn push(&mut self, time: SimTime, kind: EventKind) -> Ticket {
        let (class, id) = match kind {
            EventKind::SwitchEnd(pcpu) => (0, pcpu.0),
            EventKind::Ipi(pcpu) => (1, pcpu.0),
            EventKind::StretchEnd(pcpu) => (2, pcpu.0),
            EventKind::Wake(vcpu) => (3, vcpu.0),
            EventKind::Tick(pcpu) => (4, pcpu.0),
            EventKind::Account => (5, 0),
            EventKind::SliceEnd(pcpu) => (6, pcpu.0),
            EventKind::Change(index) => (7, index),
        };
        let key = (class << 16 | u64::from(id)) << SEQ_BITS | self.seq;
        self.seq += 1;
        assert!(self.seq >> SEQ_BITS == 0, "a run has fewer than 2^45 events");
        self.heap.push(Reverse(u128::from(time.as_ns()) << 64 | u128::from(key)));
        Ticket(key)
    }

    /// When the next event is due.
    #[must_use]
    pub fn next_time(&self) -> Option<SimTime> {
        self.heap.peek().map(|Reverse(entry)| halves(*entry).0)
    }

    /// Takes the next event out.
    pub fn pop(&mut self) -> Option<(SimTime, EventKind, Ticket)> {
        let Reverse(entry) = self.heap.pop()?;
        let (time, key) = halves(entry);
        let id = u16::try_from(key >> SEQ_BITS & 0xFFFF).expect("16 bits");
        let kind = match key >> (SEQ_BITS + 16) {
            0 => EventKind::SwitchEnd(PcpuId(id)),
            1 => EventKind::Ipi(PcpuId(id)),
            2 => EventKind::StretchEnd(PcpuId(id)),
            3 => EventKind::Wake(VcpuId(id)),
            4 => EventKind::Tick(PcpuId(id)),
            5 => EventKind::Account,
            6 => EventKind::SliceEnd(PcpuId(id)),
            _ => EventKind::Change(id),
        };
        Some((time, kind, Ticket(key)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    /// Goal: time goes before class, class before id, id before order of insertion.
    #[test]
    fn events_come_in_total_order() {
        let mut queue = EventQueue::default();
        let at = SimTime::from_ns;
        let kinds = [
            (at(5), EventKind::Ipi(PcpuId(1))),
            (at(3), EventKind::Change(0)),
            (at(3), EventKind::Tick(PcpuId(2))),
            (at(3), EventKind::Tick(PcpuId(1))),
            (at(3), EventKind::Wake(VcpuId(9))),
        ];
        let tickets: Vec<_> = kinds.iter().map(|(time, kind)| queue.push(*time, *kind)).collect();
        let again = queue.push(at(3), EventKind::Tick(PcpuId(1)));
        let order: Vec<_> =
            core::iter::from_fn(|| queue.pop()).map(|(_, _, ticket)| ticket).collect();
        let expected = [4, 3].map(|index| tickets[index]);
        assert_eq!(order[..2], expected);
        assert_eq!(order[2..], [again, tickets[2], tickets[1], tickets[0]]);
    }
}
