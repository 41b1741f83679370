//! The digest of a run: FNV-1a over its log lines, as a whole and per window of 10 ms.

use crate::units::SimTime;
use alloc::vec;
use alloc::vec::Vec;

/// Length of a window, in ns.
pub const WINDOW_NS: u64 = 10_000_000;

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv64(pub u64);

impl Default for Fnv64 {
    fn default() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
}

impl Fnv64 {
    const PRIME: u64 = 0x100_0000_01B3;

    /// Adds one byte.
    #[inline]
    pub const fn byte(&mut self, byte: u8) {
        // Wrapping: the hash is defined modulo 2^64.
        self.0 = (self.0 ^ byte as u64).wrapping_mul(Self::PRIME);
    }
}

/// The digest so far.
#[derive(Clone, Debug)]
pub struct Digest {
    whole: Fnv64,
    windows: Vec<Fnv64>,
    window: usize,
    window_end_ns: u64,
    lines: u64,
}

impl Digest {
    /// The digest of a run of this length before its first line.
    #[must_use]
    pub fn new(duration_ns: u64) -> Self {
        let windows =
            usize::try_from(duration_ns / WINDOW_NS).expect("runs are at most 10 minutes");
        // One more takes what comes after the last whole window.
        let windows = vec![Fnv64::default(); windows + 1];
        Self { whole: Fnv64::default(), windows, window: 0, window_end_ns: WINDOW_NS, lines: 0 }
    }

    /// Adds a line, its end of line included. Lines come in order of time.
    pub fn line(&mut self, time: SimTime, line: &[u8]) {
        while time.as_ns() >= self.window_end_ns && self.window + 1 < self.windows.len() {
            self.window += 1;
            self.window_end_ns += WINDOW_NS;
        }
        let (mut whole, mut window) = (self.whole, self.windows[self.window]);
        let mut add = |byte: u8| {
            whole.byte(byte);
            window.byte(byte);
        };
        let (eights, rest) = line.as_chunks::<8>();
        for eight in eights {
            eight.iter().for_each(|byte| add(*byte));
        }
        rest.iter().for_each(|byte| add(*byte));
        (self.whole, self.windows[self.window]) = (whole, window);
        self.lines += 1;
    }

    /// Lines so far.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.lines
    }

    /// The digest of all lines so far.
    #[must_use]
    pub fn whole(&self) -> u64 {
        self.whole.0
    }

    /// The digests of the whole windows, in order.
    pub fn windows(&self) -> impl Iterator<Item = u64> + '_ {
        self.windows[..self.windows.len() - 1].iter().map(|window| window.0)
    }
}
