//! Numbers, times, texts and sets as few bytes, and back.
//!
//! Reading never trusts a length: whatever is read is bounded by what is there.

use super::{LinkError, Place};
use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::patches::PatchSet;

/// Units of time, largest first; a time is written in the largest that keeps it whole.
const UNITS_NS: [u64; 4] = [1_000_000_000, 1_000_000, 1_000, 1];

/// Writes bytes.
#[derive(Default)]
pub(super) struct Packer {
    pub(super) bytes: Vec<u8>,
}

impl Packer {
    pub(super) fn byte(&mut self, byte: u8) {
        self.bytes.push(byte);
    }

    /// A number, seven bits a byte, the lowest first.
    pub(super) fn number(&mut self, number: impl Into<u64>) {
        let mut left = number.into();
        while left > 0x7F {
            self.byte(u8::try_from(left & 0x7F).expect("seven bits") | 0x80);
            left >>= 7;
        }
        self.byte(u8::try_from(left).expect("seven bits"));
    }

    pub(super) fn count(&mut self, count: usize) {
        self.number(count as u64);
    }

    /// A time: its unit in the lowest two bits of the first byte and the number in the rest.
    pub(super) fn time(&mut self, ns: u64) {
        let unit =
            UNITS_NS.iter().position(|unit| ns.is_multiple_of(*unit)).expect("1 divides all");
        let number = ns / UNITS_NS[unit];
        let low = u8::try_from(number & 0x1F).expect("five bits") << 2;
        let low = low | u8::try_from(unit).expect("one of four");
        if number > 0x1F {
            self.byte(low | 0x80);
            self.number(number >> 5);
        } else {
            self.byte(low);
        }
    }

    /// A stretch of time: start, end.
    pub(super) fn stretch(&mut self, (from_ns, to_ns): (u64, u64)) {
        self.time(from_ns);
        self.time(to_ns);
    }

    pub(super) fn place(&mut self, place: Place) {
        self.time(place.time_ns);
        self.number(place.pcpu);
        self.byte(place.kind);
        self.byte(place.nth);
    }

    pub(super) fn digest(&mut self, digest: u64) {
        self.bytes.extend_from_slice(&digest.to_le_bytes());
    }

    pub(super) fn text(&mut self, text: &str) {
        self.count(text.len());
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A set: how many bytes, then these, pCPU 0 in the lowest bit of the first.
    pub(super) fn mask(&mut self, mask: &CpuMask) {
        let mut bytes: Vec<u8> = mask.words().flat_map(u64::to_le_bytes).collect();
        let used = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        bytes.truncate(used);
        self.count(used);
        self.bytes.extend_from_slice(&bytes);
    }
}

/// Reads bytes.
pub(super) struct Unpacker<'a> {
    left: &'a [u8],
}

impl<'a> Unpacker<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    pub(super) fn byte(&mut self, what: &'static str) -> Result<u8, LinkError> {
        let (first, rest) = self.left.split_first().ok_or(LinkError::Ends { what })?;
        self.left = rest;
        Ok(*first)
    }

    pub(super) fn number(&mut self, what: &'static str) -> Result<u64, LinkError> {
        let mut number = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte(what)?;
            let bits = u64::from(byte & 0x7F);
            if shift == 63 && bits > 1 {
                break;
            }
            number |= bits << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(LinkError::Range { what, value: u64::MAX })
    }

    /// A number that must fit a smaller type.
    pub(super) fn small<T: TryFrom<u64>>(&mut self, what: &'static str) -> Result<T, LinkError> {
        let value = self.number(what)?;
        T::try_from(value).map_err(|_| LinkError::Range { what, value })
    }

    /// How many things follow, each of at least one byte.
    pub(super) fn count(&mut self, what: &'static str) -> Result<usize, LinkError> {
        let count: usize = self.small(what)?;
        if count > self.left.len() { Err(LinkError::Ends { what }) } else { Ok(count) }
    }

    pub(super) fn time(&mut self, what: &'static str) -> Result<u64, LinkError> {
        let first = self.byte(what)?;
        let low = u64::from(first >> 2 & 0x1F);
        let high = if first & 0x80 == 0 { 0 } else { self.number(what)? };
        let range = || LinkError::Range { what, value: high };
        let number =
            high.checked_mul(32).and_then(|high| high.checked_add(low)).ok_or_else(range)?;
        number.checked_mul(UNITS_NS[usize::from(first & 3)]).ok_or_else(range)
    }

    pub(super) fn text(&mut self, what: &'static str) -> Result<String, LinkError> {
        let text = self.part(what)?.left.to_vec();
        String::from_utf8(text).map_err(|_| LinkError::Text { what })
    }

    pub(super) fn mask(&mut self, what: &'static str, pcpus: usize) -> Result<CpuMask, LinkError> {
        let bytes = self.part(what)?.left;
        let mut mask = CpuMask::empty(pcpus);
        for (index, byte) in bytes.iter().enumerate() {
            for bit in (0..8).filter(|bit| byte >> bit & 1 != 0) {
                let pcpu = index * 8 + bit;
                let value = pcpu as u64;
                let id = u16::try_from(pcpu).ok().filter(|_| pcpu < pcpus);
                mask.insert(PcpuId(id.ok_or(LinkError::Range { what, value })?));
            }
        }
        Ok(mask)
    }

    /// A stretch of time that is not empty.
    pub(super) fn stretch(&mut self, what: &'static str) -> Result<(u64, u64), LinkError> {
        let (from_ns, to_ns) = (self.time(what)?, self.time(what)?);
        let sound = from_ns < to_ns;
        sound.then_some((from_ns, to_ns)).ok_or(LinkError::Stretch { what, from_ns, to_ns })
    }

    pub(super) fn place(&mut self) -> Result<Place, LinkError> {
        Ok(Place {
            time_ns: self.time("the selection")?,
            pcpu: self.small("the selected pCPU")?,
            kind: self.byte("the selection")?,
            nth: self.byte("the selection")?,
        })
    }

    pub(super) fn digest(&mut self) -> Result<u64, LinkError> {
        let mut bytes = [0; 8];
        for byte in &mut bytes {
            *byte = self.byte("the digest")?;
        }
        Ok(u64::from_le_bytes(bytes))
    }

    pub(super) fn patches(&mut self) -> Result<PatchSet, LinkError> {
        PatchSet::from_bits(self.number("the patches")?).map_err(LinkError::Patches)
    }

    /// A part that tells its length in bytes, to be read by itself.
    pub(super) fn part(&mut self, what: &'static str) -> Result<Self, LinkError> {
        let count = self.count(what)?;
        let (part, rest) = self.left.split_at(count);
        self.left = rest;
        Ok(Self { left: part })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Nothing may be left at the end.
    pub(super) fn finish(&self) -> Result<(), LinkError> {
        match self.left.len() {
            0 => Ok(()),
            bytes => Err(LinkError::Rest { bytes }),
        }
    }
}
