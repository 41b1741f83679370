//! Records as few bytes: what a record has in common with the one before it is not written.
//!
//! Records are packed by blocks of [`BLOCK`], each of which stands for itself, so that any record
//! is read by unpacking no more than its block.

use super::column::TimeColumn;
use crate::decision::{NO_ARG, Reason, Row};
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::units::SimTime;
use alloc::vec;
use alloc::vec::Vec;

const BLOCK_BITS: usize = 6;
/// Records of a block.
pub(super) const BLOCK: usize = 1 << BLOCK_BITS;
/// Bytes of a chunk.
const CHUNK: usize = 1 << 16;
/// The most that a record takes: sign, leaf, form, and numbers of up to 10, 3, 3, 5 and 3 bytes.
const RECORD_MAX: usize = 27;
/// The sign that says that leaf and form follow; all others stand for a pair of these.
const SPELT_OUT: u8 = u8::MAX;

/// What follows the leaf, a bit each.
mod form {
    pub(super) const TIME: u8 = 1;
    pub(super) const PCPU: u8 = 2;
    pub(super) const SUBJECT: u8 = 4;
    pub(super) const CAUSE: u8 = 8;
    /// The cause is the record before.
    pub(super) const CAUSE_BEFORE: u8 = 16;
    pub(super) const ARG: u8 = 32;
    /// The argument is the subject.
    pub(super) const ARG_SUBJECT: u8 = 64;
    /// The argument is the pCPU.
    pub(super) const ARG_PCPU: u8 = 128;
}

/// What a record is compared with.
#[derive(Clone, Copy, Debug, Default)]
struct Before {
    time_ns: u64,
    pcpu: u16,
    subject: u16,
}

/// Packed records.
#[derive(Clone, Debug, Default)]
pub(super) struct Packed {
    chunks: Vec<Vec<u8>>,
    /// Per block, its first byte: the chunk in the high half, the place in the low one.
    blocks: Vec<u32>,
    /// Per block, the time of its first record.
    times: TimeColumn,
    /// Leaf and form of each sign: records are of few sorts.
    signs: Vec<(u8, u8)>,
    /// The sign of each leaf and form; empty before the first record.
    sign_of: Vec<u8>,
    len: usize,
    before: Before,
}

impl Packed {
    /// How many records there are.
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds the next record.
    pub(super) fn push(&mut self, row: &Row) {
        if self.len & (BLOCK - 1) == 0 {
            self.begin_block(row.time);
        }
        let id = u32::try_from(self.len).expect("records are numbered by 32 bits");
        let (pcpu, subject, before) = (row.pcpu.0, row.subject.0, self.before);
        let back = row.cause.map(|cause| id - cause.0);
        let bit = |set: bool, bit: u8| if set { bit } else { 0 };
        let form = bit(row.time.as_ns() != before.time_ns, form::TIME)
            | bit(pcpu != before.pcpu, form::PCPU)
            | bit(subject != before.subject, form::SUBJECT)
            | match back {
                None => 0,
                Some(1) => form::CAUSE_BEFORE,
                Some(_) => form::CAUSE,
            }
            | match row.arg {
                NO_ARG => 0,
                arg if arg == subject => form::ARG_SUBJECT,
                arg if arg == pcpu => form::ARG_PCPU,
                _ => form::ARG,
            };
        let leaf = row.reason as u8;
        let sign = self.sign(leaf, form);
        let bytes = self.chunks.last_mut().expect("a block was begun");
        bytes.push(sign);
        if sign == SPELT_OUT {
            bytes.extend([leaf, form]);
        }
        let mut number = |wanted: u8, number: u64| {
            if form & wanted != 0 {
                push_number(bytes, number);
            }
        };
        number(form::TIME, row.time.as_ns() - before.time_ns);
        number(form::PCPU, pcpu.into());
        number(form::SUBJECT, subject.into());
        number(form::CAUSE, back.unwrap_or(0).into());
        number(form::ARG, row.arg.into());
        self.before = Before { time_ns: row.time.as_ns(), pcpu, subject };
        self.len += 1;
    }

    /// The sign of a leaf and form, a new one if there is one left.
    fn sign(&mut self, leaf: u8, form: u8) -> u8 {
        if self.sign_of.is_empty() {
            self.sign_of = vec![SPELT_OUT; 1 << 16];
        }
        let sign = &mut self.sign_of[usize::from(leaf) << 8 | usize::from(form)];
        if *sign == SPELT_OUT
            && let Ok(next) = u8::try_from(self.signs.len())
            && next < SPELT_OUT
        {
            *sign = next;
            self.signs.push((leaf, form));
        }
        *sign
    }

    fn begin_block(&mut self, time: SimTime) {
        if self.chunks.last().is_none_or(|chunk| chunk.len() + BLOCK * RECORD_MAX > CHUNK) {
            // The first chunk grows as it needs: most runs are short.
            let room = if self.chunks.is_empty() { 0 } else { CHUNK };
            self.chunks.push(Vec::with_capacity(room));
        }
        let (chunk, place) = (self.chunks.len() - 1, self.chunks[self.chunks.len() - 1].len());
        let block = u32::try_from(chunk << 16 | place).expect("fewer than 2^16 chunks");
        self.blocks.push(block);
        self.times.push(time);
        self.before = Before::default();
    }

    /// The records from the start of the block that holds `place` on, with their numbers.
    pub(super) fn block_of(&self, place: usize) -> Reader<'_> {
        let block = place >> BLOCK_BITS;
        let place = block << BLOCK_BITS;
        let bytes = self.blocks.get(block).map_or(&[][..], |first| {
            &self.chunks[(first >> 16) as usize][(first & 0xFFFF) as usize..]
        });
        Reader { packed: self, bytes, place, before: Before::default() }
    }

    /// The records from `place` on.
    pub(super) fn from(&self, place: usize) -> impl Iterator<Item = (usize, Row)> + '_ {
        self.block_of(place).skip(place & (BLOCK - 1))
    }

    /// The first record at `ns` or later.
    pub(super) fn first_at(&self, ns: u64) -> usize {
        let behind = self.times.first_at(ns);
        // It may stand in the block before the first one that begins that late.
        let Some(block) = behind.checked_sub(1) else { return 0 };
        let end = (behind << BLOCK_BITS).min(self.len);
        let within = self.block_of(block << BLOCK_BITS).take_while(|(place, _)| *place < end);
        let early = within.take_while(|(_, row)| row.time.as_ns() < ns).count();
        (block << BLOCK_BITS) + early
    }

    /// Memory held, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.chunks.iter().map(Vec::capacity).sum::<usize>()
            + self.blocks.capacity() * size_of::<u32>()
            + self.times.bytes()
            + self.sign_of.capacity()
    }
}

#[inline]
fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7F {
        bytes.push(u8::try_from(number & 0x7F).expect("seven bits") | 0x80);
        number >>= 7;
    }
    bytes.push(u8::try_from(number).expect("seven bits"));
}

/// Unpacks record after record.
pub(super) struct Reader<'a> {
    packed: &'a Packed,
    bytes: &'a [u8],
    place: usize,
    before: Before,
}

impl Reader<'_> {
    #[inline]
    fn byte(&mut self) -> u8 {
        let (first, rest) = self.bytes.split_first().expect("records are whole");
        self.bytes = rest;
        *first
    }

    #[inline]
    fn number(&mut self) -> u64 {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = self.byte();
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return number;
            }
            shift += 7;
        }
    }

    #[inline]
    fn small(&mut self) -> u16 {
        u16::try_from(self.number()).expect("it was a small number")
    }
}

impl Iterator for Reader<'_> {
    type Item = (usize, Row);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let place = self.place;
        if place >= self.packed.len {
            return None;
        }
        if place & (BLOCK - 1) == 0 {
            *self = self.packed.block_of(place);
        }
        self.place += 1;
        let (leaf, form) = match self.byte() {
            SPELT_OUT => (self.byte(), self.byte()),
            sign => self.packed.signs[usize::from(sign)],
        };
        let has = |wanted: u8| form & wanted != 0;
        if has(form::TIME) {
            self.before.time_ns += self.number();
        }
        if has(form::PCPU) {
            self.before.pcpu = self.small();
        }
        if has(form::SUBJECT) {
            self.before.subject = self.small();
        }
        let id = u32::try_from(place).expect("records are numbered by 32 bits");
        let cause = if has(form::CAUSE) {
            let back = u32::try_from(self.number()).expect("no longer than the run");
            Some(DecisionId(id - back))
        } else {
            has(form::CAUSE_BEFORE).then(|| DecisionId(id - 1))
        };
        let Before { time_ns, pcpu, subject } = self.before;
        let arg = match form & (form::ARG | form::ARG_SUBJECT | form::ARG_PCPU) {
            0 => NO_ARG,
            form::ARG_SUBJECT => subject,
            form::ARG_PCPU => pcpu,
            _ => self.small(),
        };
        let row = Row {
            time: SimTime::from_ns(time_ns),
            pcpu: PcpuId(pcpu),
            reason: Reason::from_number(leaf).expect("it was put in"),
            subject: VcpuId(subject),
            arg,
            cause,
        };
        Some((place, row))
    }
}
