//! Copies of the machine along a run, from which details are replayed.

use crate::ids::DecisionId;
use crate::machine::Machine;
use crate::units::SimTime;
use alloc::vec;
use alloc::vec::Vec;

/// Records between two keyframes at first. Later thinning doubles the distance.
const RECORDS_FIRST: u32 = 2_048;
/// The most that all keyframes together may take, in bytes.
const BYTES_MAX: usize = 48 << 20;
/// The most keyframes, and the least.
const COUNT: (usize, usize) = (8, 1_024);

/// Keyframes of one run, in order. *Invariant*: the first is the machine before its first step.
#[derive(Clone)]
pub struct Keyframes {
    frames: Vec<Machine>,
    /// Records between two of them.
    distance: u32,
    /// The record at which the next is due.
    next: u32,
    most: usize,
    frame_bytes: usize,
}

impl Keyframes {
    /// The keyframes of a run that begins with this machine.
    #[must_use]
    pub fn new(machine: &Machine) -> Self {
        let frame_bytes = machine.bytes();
        Self {
            frames: vec![machine.clone()],
            distance: RECORDS_FIRST,
            next: RECORDS_FIRST,
            most: (BYTES_MAX / frame_bytes).clamp(COUNT.0, COUNT.1),
            frame_bytes,
        }
    }

    /// Looks at the machine between two steps and keeps a copy if one is due.
    #[inline]
    pub fn offer(&mut self, machine: &Machine) {
        if machine.records() >= self.next {
            self.keep(machine);
        }
    }

    fn keep(&mut self, machine: &Machine) {
        self.frames.push(machine.clone());
        if self.frames.len() >= self.most {
            let mut place = 0;
            self.frames.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.distance *= 2;
        }
        let last = self.frames.last().map_or(0, Machine::records);
        self.next = last.saturating_add(self.distance); // saturating: no further one is due
    }

    /// The last keyframe before a record.
    #[must_use]
    pub fn before(&self, record: DecisionId) -> &Machine {
        let behind = self.frames.partition_point(|frame| frame.records() <= record.0);
        &self.frames[behind.saturating_sub(1)]
    }

    /// The last keyframe from which a moment can be reached.
    #[must_use]
    pub fn at(&self, time: SimTime) -> &Machine {
        let behind = self.frames.partition_point(|frame| frame.now() <= time);
        &self.frames[behind.saturating_sub(1)]
    }

    /// Memory held, about, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.frames.len() * self.frame_bytes
    }
}
