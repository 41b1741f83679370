//! Sets of pCPUs, with the two searches that the schedulers are built on.
//!
//! A set of up to 64 pCPUs is one word and costs no allocation; larger machines keep the further
//! words behind it. Sets that meet in an operation must be of the same width.

use crate::ids::PcpuId;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec;
use core::fmt;
use core::ops::Range;

const WORD_BITS: usize = 64;

/// A set of pCPUs of a machine of fixed size. *Invariant*: no member is beyond the width.
#[derive(PartialEq, Eq, Hash)]
pub struct CpuMask {
    first: u64,
    more: Box<[u64]>,
}

impl Clone for CpuMask {
    #[inline]
    fn clone(&self) -> Self {
        Self { first: self.first, more: self.further(|words| words.into()) }
    }
}

/// The members that two sets share, as [`CpuMask::shared`] gives them.
#[derive(Debug)]
pub struct Shared<'a> {
    sets: [&'a CpuMask; 2],
    range: Range<usize>,
    /// What is left of a word, and the number of its lowest bit.
    word: u64,
    base: u16,
    /// The word behind it.
    next: usize,
}

impl Iterator for Shared<'_> {
    type Item = PcpuId;

    #[inline]
    fn next(&mut self) -> Option<PcpuId> {
        while self.word == 0 {
            let base = self.next * WORD_BITS;
            let Range { start, end } = self.range;
            if base >= end || self.next > self.sets[0].more.len() {
                return None;
            }
            self.word = self.sets[0].word(self.next) & self.sets[1].word(self.next);
            if base < start {
                self.word &= u64::MAX << (start - base);
            }
            if end - base < WORD_BITS {
                self.word &= !(u64::MAX << (end - base));
            }
            self.base = u16::try_from(base).expect("limited pCPUs");
            self.next += 1;
        }
        let bit = u16::try_from(self.word.trailing_zeros()).expect("at most 64");
        self.word &= self.word - 1;
        Some(PcpuId(self.base + bit))
    }
}

/// Why a text is not a set of pCPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CpuMaskError {
    /// The text is empty or holds something that is not a hexadecimal digit.
    NotHex(String),
    /// The set names a pCPU that the machine does not have.
    MissingPcpu {
        /// The highest pCPU named.
        pcpu: usize,
        /// How many pCPUs there are.
        pcpus: usize,
    },
}

impl CpuMask {
    /// The empty set on a machine of `pcpus` pCPUs.
    #[must_use]
    pub fn empty(pcpus: usize) -> Self {
        let further = pcpus.saturating_sub(1) / WORD_BITS; // saturating: a machine of 0 has one word
        Self { first: 0, more: vec![0; further].into_boxed_slice() }
    }

    /// All pCPUs of a machine of `pcpus` pCPUs.
    #[must_use]
    pub fn full(pcpus: usize) -> Self {
        let mut mask = Self::empty(pcpus);
        for pcpu in 0..pcpus {
            mask.set_bit(pcpu);
        }
        mask
    }

    /// The empty set, as wide as `other`.
    #[must_use]
    #[inline]
    pub fn empty_like(other: &Self) -> Self {
        let more = other.further(|words| vec![0; words.len()].into_boxed_slice());
        Self { first: 0, more }
    }

    /// The words behind the first, made from ours: nothing is made on small machines.
    #[inline]
    fn further(&self, make: impl FnOnce(&[u64]) -> Box<[u64]>) -> Box<[u64]> {
        if self.more.is_empty() { Box::default() } else { make(&self.more) }
    }

    /// The set of one pCPU, as wide as `self`.
    #[must_use]
    #[inline]
    pub fn only(&self, pcpu: PcpuId) -> Self {
        let mut mask = Self::empty_like(self);
        mask.insert(pcpu);
        mask
    }

    #[inline]
    fn set_bit(&mut self, bit: usize) {
        match bit / WORD_BITS {
            0 => self.first |= 1 << bit,
            word => self.more[word - 1] |= 1 << (bit % WORD_BITS),
        }
    }

    #[inline]
    fn word(&self, index: usize) -> u64 {
        if index == 0 { self.first } else { self.more[index - 1] }
    }

    /// The words, lowest first.
    pub fn words(&self) -> impl DoubleEndedIterator<Item = u64> + '_ {
        core::iter::once(self.first).chain(self.more.iter().copied())
    }

    /// Adds a pCPU.
    #[inline]
    pub fn insert(&mut self, pcpu: PcpuId) {
        self.set_bit(pcpu.index());
    }

    /// Takes a pCPU out.
    #[inline]
    pub fn remove(&mut self, pcpu: PcpuId) {
        let bit = pcpu.index();
        match bit / WORD_BITS {
            0 => self.first &= !(1 << bit),
            word => self.more[word - 1] &= !(1 << (bit % WORD_BITS)),
        }
    }

    /// Whether a pCPU is a member.
    #[must_use]
    #[inline]
    pub fn contains(&self, pcpu: PcpuId) -> bool {
        let bit = pcpu.index();
        if bit < WORD_BITS {
            return self.first >> bit & 1 != 0;
        }
        self.more.get(bit / WORD_BITS - 1).is_some_and(|word| word >> (bit % WORD_BITS) & 1 != 0)
    }

    /// Whether there is no member.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.first == 0 && self.more.iter().all(|word| *word == 0)
    }

    /// Number of members.
    #[must_use]
    pub fn len(&self) -> u32 {
        self.first.count_ones() + self.more.iter().map(|word| word.count_ones()).sum::<u32>()
    }

    /// Members of both sets.
    #[must_use]
    #[inline]
    pub fn and(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.keep(other);
        both
    }

    /// Keeps only members of `other`.
    #[inline]
    pub fn keep(&mut self, other: &Self) {
        self.first &= other.first;
        for (word, theirs) in self.more.iter_mut().zip(&other.more) {
            *word &= theirs;
        }
    }

    /// Adds all members of `other`.
    #[inline]
    pub fn add_all(&mut self, other: &Self) {
        self.first |= other.first;
        for (word, theirs) in self.more.iter_mut().zip(&other.more) {
            *word |= theirs;
        }
    }

    /// Takes all members of `other` out.
    #[inline]
    pub fn remove_all(&mut self, other: &Self) {
        self.first &= !other.first;
        for (word, theirs) in self.more.iter_mut().zip(&other.more) {
            *word &= !theirs;
        }
    }

    /// Whether the two sets share a member.
    #[must_use]
    #[inline]
    pub fn intersects(&self, other: &Self) -> bool {
        self.first & other.first != 0
            || self.more.iter().zip(&other.more).any(|(mine, theirs)| mine & theirs != 0)
    }

    /// How many members the two sets share.
    #[must_use]
    #[inline]
    pub fn len_shared(&self, other: &Self) -> u32 {
        let further = self.more.iter().zip(&other.more);
        (self.first & other.first).count_ones()
            + further.map(|(mine, theirs)| (mine & theirs).count_ones()).sum::<u32>()
    }

    /// Whether every member of `self` is a member of `other`.
    #[must_use]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.first & !other.first == 0
            && self.more.iter().zip(&other.more).all(|(mine, theirs)| mine & !theirs == 0)
    }

    /// The lowest member.
    #[must_use]
    #[inline]
    pub fn first(&self) -> Option<PcpuId> {
        self.lowest_from(0)
    }

    /// The lowest member above `pcpu`, or else the lowest member: Xen's `cpumask_cycle`.
    #[must_use]
    #[inline]
    pub fn cycle(&self, pcpu: PcpuId) -> Option<PcpuId> {
        self.lowest_from(pcpu.index() + 1).or_else(|| self.first())
    }

    /// The lowest member that is not below `bit`.
    #[inline]
    fn lowest_from(&self, bit: usize) -> Option<PcpuId> {
        if self.more.is_empty() {
            let word = if bit < WORD_BITS { self.first & u64::MAX << bit } else { 0 };
            let found = u16::try_from(word.trailing_zeros()).expect("at most 64");
            return (word != 0).then_some(PcpuId(found));
        }
        self.lowest_from_many(bit)
    }

    fn lowest_from_many(&self, bit: usize) -> Option<PcpuId> {
        let start = bit / WORD_BITS;
        let words = 1 + self.more.len();
        for index in start..words {
            let mut word = self.word(index);
            if index == start {
                word &= u64::MAX << (bit % WORD_BITS);
            }
            if word != 0 {
                let found = index * WORD_BITS + word.trailing_zeros() as usize;
                return Some(PcpuId(
                    u16::try_from(found).expect("a machine has under 65,536 pCPUs"),
                ));
            }
        }
        None
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = PcpuId> + '_ {
        let mut next = 0;
        core::iter::from_fn(move || {
            let found = self.lowest_from(next)?;
            next = found.index() + 1;
            Some(found)
        })
    }

    /// The members of both sets with numbers in this range, in ascending order.
    #[inline]
    #[must_use]
    pub fn shared<'a>(&'a self, other: &'a Self, range: Range<usize>) -> Shared<'a> {
        Shared { sets: [self, other], next: range.start / WORD_BITS, word: 0, base: 0, range }
    }

    /// Reads a hexadecimal mask without prefix, bit n = pCPU n, for a machine of `pcpus` pCPUs.
    ///
    /// # Errors
    /// When the text is not hexadecimal or names a pCPU that the machine does not have.
    pub fn from_hex(text: &str, pcpus: usize) -> Result<Self, CpuMaskError> {
        if text.is_empty() {
            return Err(CpuMaskError::NotHex(String::new()));
        }
        let mut mask = Self::empty(pcpus);
        for (place, digit) in text.chars().rev().enumerate() {
            let value = digit
                .to_digit(16)
                .ok_or_else(|| CpuMaskError::NotHex(text.chars().take(40).collect()))?;
            for bit in 0..4 {
                if value >> bit & 1 != 0 {
                    let pcpu = place * 4 + bit;
                    if pcpu >= pcpus {
                        return Err(CpuMaskError::MissingPcpu { pcpu, pcpus });
                    }
                    mask.set_bit(pcpu);
                }
            }
        }
        Ok(mask)
    }
}

/// Writes the mask as hexadecimal without prefix: the form of the log lines.
impl fmt::Display for CpuMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut leading = true;
        for word in self.more.iter().rev() {
            if !leading {
                write!(f, "{word:016x}")?;
            } else if *word != 0 {
                write!(f, "{word:x}")?;
                leading = false;
            }
        }
        if leading { write!(f, "{:x}", self.first) } else { write!(f, "{:016x}", self.first) }
    }
}

impl fmt::Debug for CpuMask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use alloc::vec::Vec;

    /// Goal: searches, sets and text agree with a plain list of booleans, also beyond one word.
    /// Method: seeded random sets on machines of 1 to 300 pCPUs.
    #[test]
    fn masks_agree_with_a_plain_list() {
        let mut rng = crate::rng::SplitMix64::new(7);
        for _ in 0..2_000 {
            let pcpus = 1 + usize::try_from(rng.next() % 300).expect("small");
            let list: Vec<bool> = (0..pcpus).map(|_| rng.next().is_multiple_of(3)).collect();
            let mut mask = CpuMask::empty(pcpus);
            for (pcpu, member) in list.iter().enumerate() {
                if *member {
                    mask.insert(at(pcpu));
                }
            }
            let members: Vec<usize> = (0..pcpus).filter(|pcpu| list[*pcpu]).collect();
            assert_eq!(mask.iter().map(PcpuId::index).collect::<Vec<_>>(), members);
            let from = rng.next() % (pcpus as u64);
            let from = PcpuId(u16::try_from(from).expect("small"));
            let above = members.iter().find(|pcpu| **pcpu > from.index()).or(members.first());
            assert_eq!(mask.cycle(from).map(PcpuId::index), above.copied());
            assert_eq!(CpuMask::from_hex(&mask.to_string(), pcpus), Ok(mask.clone()));
            assert_eq!(mask.len() as usize, members.len());
            let mut other = CpuMask::full(pcpus);
            (0..pcpus).step_by(5).for_each(|pcpu| other.remove(at(pcpu)));
            let end = from.index() + usize::try_from(rng.next() % 100).expect("small");
            for range in [0..pcpus, from.index()..end, 0..from.index(), end..from.index()] {
                let both = members.iter().copied().filter(|member| member % 5 != 0);
                let expected: Vec<usize> = both.filter(|member| range.contains(member)).collect();
                let shared = mask.shared(&other, range);
                assert_eq!(shared.map(PcpuId::index).collect::<Vec<_>>(), expected);
            }
        }
    }

    fn at(pcpu: usize) -> PcpuId {
        PcpuId(u16::try_from(pcpu).expect("small"))
    }

    /// Goal: a mask text that names nothing sensible is refused with the value.
    #[test]
    fn bad_texts_are_refused() {
        assert_eq!(CpuMask::from_hex("", 4), Err(CpuMaskError::NotHex(String::new())));
        assert_eq!(CpuMask::from_hex("0x3", 4), Err(CpuMaskError::NotHex("0x3".into())));
        let missing = CpuMaskError::MissingPcpu { pcpu: 4, pcpus: 4 };
        assert_eq!(CpuMask::from_hex("1f", 4), Err(missing));
    }
}
