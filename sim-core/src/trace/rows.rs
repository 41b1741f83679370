//! The records of a run as columns, with a summary per block so that searches skip what cannot
//! match.

use super::packed::{self, Packed};
use crate::decision::{Kind, Row};
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::units::SimTime;
use alloc::vec::Vec;

const BLOCK_BITS: usize = 10;
/// Records of a block; a whole number of packed ones.
const BLOCK: usize = 1 << BLOCK_BITS;
const _: () = assert!(BLOCK.is_multiple_of(packed::BLOCK));

const KINDS: usize = Kind::ALL.len();

/// What may be found in a block, and what came before it.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// A bit per kind.
    kinds: u16,
    /// A bit per pCPU and vCPU, modulo 64.
    pcpus: u64,
    vcpus: u64,
    /// Records of each kind before the block.
    before: [u32; KINDS],
}

/// All records.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    packed: Packed,
    blocks: Vec<Block>,
    /// Records of each kind so far.
    kinds: [u32; KINDS],
}

/// What a search looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Any decision.
    Decision,
    /// A record of one kind.
    Kind(Kind),
    /// Any record of one pCPU.
    Pcpu(PcpuId),
    /// Any decision of one pCPU.
    DecisionOn(PcpuId),
    /// Any record about one vCPU.
    Vcpu(VcpuId),
}

/// The bits of all kinds at which stepping stops.
fn decision_bits() -> u16 {
    let decisions = Kind::ALL.into_iter().filter(|kind| kind.is_decision());
    decisions.fold(0, |bits, kind| bits | 1 << kind as u8)
}

impl Rows {
    /// Adds the next record.
    pub fn push(&mut self, row: &Row) {
        if self.len() & (BLOCK - 1) == 0 {
            self.blocks.push(Block { before: self.kinds, ..Block::default() });
        }
        let kind = row.reason.kind() as u8;
        let block = self.blocks.last_mut().expect("a block was begun");
        block.kinds |= 1 << kind;
        block.pcpus |= 1 << (row.pcpu.0 & 63);
        block.vcpus |= 1 << (row.subject.0 & 63);
        self.kinds[usize::from(kind)] += 1;
        self.packed.push(row);
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packed.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A record, if it exists.
    #[must_use]
    pub fn get(&self, id: DecisionId) -> Option<Row> {
        self.packed.from(place(id)).next().map(|(_, row)| row)
    }

    /// The records from `place` on, with their numbers.
    pub fn from(&self, place: usize) -> impl Iterator<Item = (DecisionId, Row)> + '_ {
        self.packed.from(place).map(|(place, row)| (id(place), row))
    }

    /// The first record at `ns` or later.
    #[must_use]
    pub fn first_at(&self, ns: u64) -> usize {
        self.packed.first_at(ns)
    }

    /// The records of an instant, with their numbers.
    pub fn at_instant(&self, ns: u64) -> impl Iterator<Item = (DecisionId, Row)> + '_ {
        let from = self.packed.from(self.first_at(ns)).map(|(place, row)| (id(place), row));
        from.take_while(move |(_, row)| row.time.as_ns() == ns)
    }

    /// Records of each kind, in the order of [`Kind::ALL`].
    #[must_use]
    pub fn kinds(&self) -> [u32; KINDS] {
        self.kinds
    }

    /// Records of each kind before `place`.
    fn kinds_before(&self, place: usize) -> [u32; KINDS] {
        if place >= self.len() {
            return self.kinds;
        }
        let mut kinds = self.blocks[place >> BLOCK_BITS].before;
        let earlier = self.packed.from(place & !(BLOCK - 1)).take_while(|(at, _)| *at < place);
        earlier.for_each(|(_, row)| kinds[row.reason.kind() as usize] += 1);
        kinds
    }

    /// Which of its kind a record that exists is, counted from 1, and of how many so far.
    #[must_use]
    pub fn ordinal(&self, id: DecisionId) -> (u32, u32) {
        let kind = self.get(id).expect("it exists").reason.kind() as usize;
        (self.kinds_before(place(id))[kind] + 1, self.kinds[kind])
    }

    /// Decisions up to and with a record.
    #[must_use]
    pub fn decisions_until(&self, id: DecisionId) -> u32 {
        let kinds = self.kinds_before(place(id) + 1);
        let decisions = Kind::ALL.into_iter().filter(|kind| kind.is_decision());
        decisions.map(|kind| kinds[kind as usize]).sum()
    }

    /// The first match at `from` or behind it.
    #[must_use]
    pub fn next(&self, from: usize, wanted: Wanted) -> Option<DecisionId> {
        let mut from = from;
        while from < self.len() {
            let end = (from | (BLOCK - 1)) + 1;
            if self.may_hold(from >> BLOCK_BITS, wanted) {
                let mut block = self.packed.from(from).take_while(|(place, _)| *place < end);
                if let Some((place, _)) = block.find(|(_, row)| matches(row, wanted)) {
                    return Some(id(place));
                }
            }
            from = end;
        }
        None
    }

    /// The last match before `end`.
    #[must_use]
    pub fn previous(&self, end: usize, wanted: Wanted) -> Option<DecisionId> {
        let mut end = end.min(self.len());
        while end > 0 {
            let large = (end - 1) & !(BLOCK - 1);
            if !self.may_hold(large >> BLOCK_BITS, wanted) {
                end = large;
                continue;
            }
            let from = (end - 1) & !(packed::BLOCK - 1);
            let block = self.packed.from(from).take_while(|(place, _)| *place < end);
            let found = block.filter(|(_, row)| matches(row, wanted)).last();
            if let Some((place, _)) = found {
                return Some(id(place));
            }
            end = from;
        }
        None
    }

    /// The match that is closest to a moment; the earlier of equally close ones.
    #[must_use]
    pub fn nearest(&self, ns: u64, wanted: Wanted) -> Option<DecisionId> {
        let here = self.first_at(ns);
        let (before, after) = (self.previous(here, wanted), self.next(here, wanted));
        let (Some(earlier), Some(later)) = (before, after) else { return before.or(after) };
        let time = |id| self.get(id).expect("it was found").time.as_ns();
        Some(if time(later) - ns < ns - time(earlier) { later } else { earlier })
    }

    fn may_hold(&self, block: usize, wanted: Wanted) -> bool {
        let block = &self.blocks[block];
        let pcpu = |pcpu: PcpuId| block.pcpus >> (pcpu.0 & 63) & 1 != 0;
        match wanted {
            Wanted::Decision => block.kinds & decision_bits() != 0,
            Wanted::Kind(kind) => block.kinds >> kind as u8 & 1 != 0,
            Wanted::Pcpu(on) => pcpu(on),
            Wanted::DecisionOn(on) => pcpu(on) && block.kinds & decision_bits() != 0,
            Wanted::Vcpu(vcpu) => block.vcpus >> (vcpu.0 & 63) & 1 != 0,
        }
    }

    /// Which of the records of its kind, pCPU and instant a record that exists is, from 0.
    #[must_use]
    pub fn nth(&self, id: DecisionId) -> usize {
        let row = self.get(id).expect("it exists");
        let earlier = self.at_instant(row.time.as_ns()).take_while(|(other, _)| *other < id);
        earlier.filter(|(_, other)| is_like(other, row.pcpu, row.reason.kind())).count()
    }

    /// The record that is the `nth` of its kind on a pCPU at an instant.
    #[must_use]
    pub fn at(&self, time: SimTime, pcpu: PcpuId, kind: Kind, nth: usize) -> Option<DecisionId> {
        let mut like = self.at_instant(time.as_ns()).filter(|(_, row)| is_like(row, pcpu, kind));
        like.nth(nth).map(|(id, _)| id)
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.packed.bytes() + self.blocks.capacity() * size_of::<Block>()
    }
}

fn place(id: DecisionId) -> usize {
    id.0 as usize
}

fn id(place: usize) -> DecisionId {
    DecisionId(u32::try_from(place).expect("records are numbered by 32 bits"))
}

fn is_like(row: &Row, pcpu: PcpuId, kind: Kind) -> bool {
    row.pcpu == pcpu && row.reason.kind() == kind
}

fn matches(row: &Row, wanted: Wanted) -> bool {
    let kind = row.reason.kind();
    match wanted {
        Wanted::Decision => kind.is_decision(),
        Wanted::Kind(wanted) => kind == wanted,
        Wanted::Pcpu(pcpu) => row.pcpu == pcpu,
        Wanted::DecisionOn(pcpu) => row.pcpu == pcpu && kind.is_decision(),
        Wanted::Vcpu(vcpu) => row.subject == vcpu,
    }
}
