//! The one random generator: `SplitMix64`, from a seed, the same on every machine.
//!
//! Each use has its own stream, so that a new use does not shift the draws of the others.

/// A stream of 64-bit random numbers (Steele, Lea, Flood: `SplitMix64`, 2014).
#[derive(Clone, Debug)]
pub struct SplitMix64 {
    state: u64,
}

impl SplitMix64 {
    /// A stream that starts from `seed`.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The stream of a vCPU's workload: the vCPUs' streams are spread by a fixed odd constant.
    #[must_use]
    pub const fn workload(seed: u64, vcpu: u64) -> Self {
        // Wrapping: the definition of the stream is modulo 2^64.
        Self::new(seed.wrapping_add(vcpu.wrapping_mul(0xD134_2543_DE82_EF95)))
    }

    /// The next number.
    #[allow(clippy::should_implement_trait)] // an endless stream is no iterator that ends
    pub const fn next(&mut self) -> u64 {
        // Wrapping: the generator is defined modulo 2^64.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, both included.
    pub const fn between(&mut self, low: u64, high: u64) -> u64 {
        low + self.next() % (high - low + 1)
    }
}
