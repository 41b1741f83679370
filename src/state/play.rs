//! Playing: simulated time per real time, and what has been passed.
//!
//! Must not know frames or clocks; it is told how much real time went by.

use crate::protocol::Record;

/// A speed: simulated time per real second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Speed {
    /// Simulated ns per real second.
    pub ns_per_s: u64,
    /// As shown.
    pub name: &'static str,
}

const fn speed(ns_per_s: u64, name: &'static str) -> Speed {
    Speed { ns_per_s, name }
}

/// The speeds to choose from, slowest first.
pub const SPEEDS: [Speed; 10] = [
    speed(1_000, "1 µs/s"),
    speed(10_000, "10 µs/s"),
    speed(100_000, "100 µs/s"),
    speed(300_000, "300 µs/s"),
    speed(1_000_000, "1 ms/s"),
    speed(3_000_000, "3 ms/s"),
    speed(10_000_000, "10 ms/s"),
    speed(30_000_000, "30 ms/s"),
    speed(100_000_000, "100 ms/s"),
    speed(1_000_000_000, "1 s/s"),
];

/// Playing.
#[derive(Clone, Debug)]
pub struct Play {
    /// Whether time goes on.
    pub on: bool,
    /// Index into [`SPEEDS`].
    pub speed: usize,
    /// Where the cursor should be by the speed, in ns; ahead of it while an answer is awaited.
    pub due_ns: u64,
    /// What is left of a ns, in millionths: so slow speeds lose nothing to rounding.
    pub rest: u64,
    /// The next decision, once known.
    pub next: Option<(Record, u32)>,
    /// No decision lies before this moment, in ns.
    pub clear_ns: u64,
    /// Decisions up to and with the last one shown.
    pub shown: Option<u32>,
    /// Decisions passed in the last move; more than 1 when they follow each other too fast.
    pub passed: u32,
}

impl Default for Play {
    fn default() -> Self {
        Self {
            on: false,
            speed: 4,
            due_ns: 0,
            rest: 0,
            next: None,
            clear_ns: 0,
            shown: None,
            passed: 0,
        }
    }
}

impl Play {
    /// The speed chosen.
    #[must_use]
    pub fn ns_per_s(&self) -> u64 {
        SPEEDS[self.speed].ns_per_s
    }

    /// Lets real time pass: moves `due_ns` on.
    pub fn advance(&mut self, elapsed_us: u64) {
        let millionths = elapsed_us * self.ns_per_s() + self.rest;
        self.due_ns = self.due_ns.saturating_add(millionths / 1_000_000);
        self.rest = millionths % 1_000_000;
    }

    /// Whether the cursor is so far behind that single steps cannot catch up: an eighth of a
    /// second.
    #[must_use]
    pub fn is_behind(&self, at_ns: u64) -> bool {
        self.due_ns.saturating_sub(at_ns) > self.ns_per_s() / 8
    }
}
