//! The records of a run as columns, with a summary per block so that searches skip what cannot
//! match.

use super::column::{Column, TimeColumn};
use crate::decision::{Kind, Reason, Row};
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::units::SimTime;
use alloc::vec::Vec;

const BLOCK_BITS: usize = 10;
/// Records of a block.
const BLOCK: usize = 1 << BLOCK_BITS;
/// Set in the column of leaves when a tickle would differ with the patch flipped.
const CHANGED: u8 = 0x80;
/// In the column of causes: the record has none.
const NO_CAUSE: u16 = u16::MAX;
/// In the column of causes: it lies too far back and stands in the list.
const FAR_CAUSE: u16 = u16::MAX - 1;

const KINDS: usize = Kind::ALL.len();

/// What may be found in a block, and what came before it.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    /// A bit per kind.
    kinds: u16,
    /// Whether a tickle would differ with the patch flipped.
    changed: bool,
    /// A bit per pCPU and vCPU, modulo 64.
    pcpus: u64,
    vcpus: u64,
    /// Records of each kind before the block.
    before: [u32; KINDS],
}

/// All records.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    times: TimeColumn,
    pcpus: Column<u16>,
    reasons: Column<u8>,
    subjects: Column<u16>,
    args: Column<u16>,
    /// How many records back the cause lies.
    causes: Column<u16>,
    /// Record and cause, for causes that lie far back, in order of records.
    far_causes: Vec<(u32, u32)>,
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
    /// A tickle that would differ with the patch flipped.
    ChangedTickle,
}

/// The bits of all kinds at which stepping stops.
fn decision_bits() -> u16 {
    let decisions = Kind::ALL.into_iter().filter(|kind| kind.is_decision());
    decisions.fold(0, |bits, kind| bits | 1 << kind as u8)
}

impl Rows {
    /// Adds the next record; `changed` marks a tickle that would differ with the patch flipped.
    pub fn push(&mut self, row: &Row, changed: bool) {
        let id = u32::try_from(self.times.len()).expect("records are numbered by 32 bits");
        if self.times.len() & (BLOCK - 1) == 0 {
            self.blocks.push(Block { before: self.kinds, ..Block::default() });
        }
        let kind = row.reason.kind() as u8;
        let block = self.blocks.last_mut().expect("a block was begun");
        block.kinds |= 1 << kind;
        block.changed |= changed;
        block.pcpus |= 1 << (row.pcpu.0 & 63);
        block.vcpus |= 1 << (row.subject.0 & 63);
        self.kinds[usize::from(kind)] += 1;
        self.times.push(row.time);
        self.pcpus.push(row.pcpu.0);
        self.reasons.push(row.reason as u8 | if changed { CHANGED } else { 0 });
        self.subjects.push(row.subject.0);
        self.args.push(row.arg);
        let back = row.cause.map(|cause| id - cause.0);
        self.causes.push(match back.map(u16::try_from) {
            None => NO_CAUSE,
            Some(Ok(back)) if back < FAR_CAUSE => back,
            Some(_) => {
                let cause = row.cause.expect("it has one").0;
                self.far_causes.push((id, cause));
                FAR_CAUSE
            }
        });
    }

    /// How many records there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// A record, if it exists.
    #[must_use]
    pub fn get(&self, id: DecisionId) -> Option<Row> {
        let place = usize::try_from(id.0).ok().filter(|place| *place < self.len())?;
        let cause = match self.causes.get(place) {
            NO_CAUSE => None,
            FAR_CAUSE => {
                let far = self.far_causes.binary_search_by_key(&id.0, |(record, _)| *record);
                Some(DecisionId(self.far_causes[far.expect("it was put in")].1))
            }
            back => Some(DecisionId(id.0 - u32::from(back))),
        };
        Some(Row {
            time: SimTime::from_ns(self.times.get(place)),
            pcpu: PcpuId(self.pcpus.get(place)),
            reason: self.reason(place),
            subject: VcpuId(self.subjects.get(place)),
            arg: self.args.get(place),
            cause,
        })
    }

    fn reason(&self, place: usize) -> Reason {
        Reason::from_number(self.reasons.get(place) & !CHANGED).expect("it was put in")
    }

    /// When a record that exists was made, in ns.
    #[must_use]
    pub fn time_ns(&self, id: u32) -> u64 {
        self.times.get(id as usize)
    }

    /// The first record at `ns` or later.
    #[must_use]
    pub fn first_at(&self, ns: u64) -> usize {
        self.times.first_at(ns)
    }

    /// Whether a record is a tickle that would differ with the patch flipped.
    #[must_use]
    pub fn is_changed(&self, id: DecisionId) -> bool {
        usize::try_from(id.0)
            .is_ok_and(|place| place < self.len() && self.reasons.get(place) & CHANGED != 0)
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
        for earlier in place & !(BLOCK - 1)..place {
            kinds[self.reason(earlier).kind() as usize] += 1;
        }
        kinds
    }

    /// Which of its kind a record that exists is, counted from 1, and of how many so far.
    #[must_use]
    pub fn ordinal(&self, id: DecisionId) -> (u32, u32) {
        let place = id.0 as usize;
        let kind = self.reason(place).kind() as usize;
        (self.kinds_before(place)[kind] + 1, self.kinds[kind])
    }

    /// Decisions up to and with a record.
    #[must_use]
    pub fn decisions_until(&self, id: DecisionId) -> u32 {
        let kinds = self.kinds_before(id.0 as usize + 1);
        let decisions = Kind::ALL.into_iter().filter(|kind| kind.is_decision());
        decisions.map(|kind| kinds[kind as usize]).sum()
    }

    /// The first match at `from` or behind it.
    #[must_use]
    pub fn next(&self, from: usize, wanted: Wanted) -> Option<DecisionId> {
        let mut place = from;
        while place < self.len() {
            if place & (BLOCK - 1) == 0 && !self.may_hold(place >> BLOCK_BITS, wanted) {
                place += BLOCK;
                continue;
            }
            if self.matches(place, wanted) {
                return u32::try_from(place).ok().map(DecisionId);
            }
            place += 1;
        }
        None
    }

    /// The last match before `end`.
    #[must_use]
    pub fn previous(&self, end: usize, wanted: Wanted) -> Option<DecisionId> {
        let mut end = end.min(self.len());
        while end > 0 {
            if end & (BLOCK - 1) == 0 && !self.may_hold((end - 1) >> BLOCK_BITS, wanted) {
                end -= BLOCK;
                continue;
            }
            end -= 1;
            if self.matches(end, wanted) {
                return u32::try_from(end).ok().map(DecisionId);
            }
        }
        None
    }

    /// The match that is closest to a moment; the earlier of equally close ones.
    #[must_use]
    pub fn nearest(&self, ns: u64, wanted: Wanted) -> Option<DecisionId> {
        let here = self.first_at(ns);
        let (before, after) = (self.previous(here, wanted), self.next(here, wanted));
        let (Some(earlier), Some(later)) = (before, after) else { return before.or(after) };
        let (back, on) = (ns - self.time_ns(earlier.0), self.time_ns(later.0) - ns);
        Some(if on < back { later } else { earlier })
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
            Wanted::ChangedTickle => block.changed,
        }
    }

    fn matches(&self, place: usize, wanted: Wanted) -> bool {
        let on = |pcpu: PcpuId| self.pcpus.get(place) == pcpu.0;
        match wanted {
            Wanted::Decision => self.reason(place).kind().is_decision(),
            Wanted::Kind(kind) => self.reason(place).kind() == kind,
            Wanted::Pcpu(pcpu) => on(pcpu),
            Wanted::DecisionOn(pcpu) => on(pcpu) && self.reason(place).kind().is_decision(),
            Wanted::Vcpu(vcpu) => self.subjects.get(place) == vcpu.0,
            Wanted::ChangedTickle => self.reasons.get(place) & CHANGED != 0,
        }
    }

    /// Which of the records of its kind, pCPU and instant a record that exists is, from 0.
    #[must_use]
    pub fn nth(&self, id: DecisionId) -> usize {
        let (place, row) = (id.0 as usize, self.get(id).expect("it exists"));
        let instant = (0..place).rev().take_while(|e| self.times.get(*e) == row.time.as_ns());
        instant.filter(|earlier| self.is_like(*earlier, row.pcpu, row.reason.kind())).count()
    }

    /// The record that is the `nth` of its kind on a pCPU at an instant.
    #[must_use]
    pub fn at(&self, time: SimTime, pcpu: PcpuId, kind: Kind, nth: usize) -> Option<DecisionId> {
        let ns = time.as_ns();
        let instant = (self.first_at(ns)..self.len()).take_while(|e| self.times.get(*e) == ns);
        let place = instant.filter(|place| self.is_like(*place, pcpu, kind)).nth(nth)?;
        u32::try_from(place).ok().map(DecisionId)
    }

    fn is_like(&self, place: usize, pcpu: PcpuId, kind: Kind) -> bool {
        self.pcpus.get(place) == pcpu.0 && self.reason(place).kind() == kind
    }

    /// Memory held, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.times.bytes()
            + self.pcpus.bytes()
            + self.reasons.bytes()
            + self.subjects.bytes()
            + self.args.bytes()
            + self.causes.bytes()
            + self.far_causes.capacity() * size_of::<(u32, u32)>()
            + self.blocks.capacity() * size_of::<Block>()
    }
}
