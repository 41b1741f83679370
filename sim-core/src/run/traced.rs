//! Xen's trace records of a run: how many of each kind, and each as a line of text.

use crate::decision::{IDLE_DOMAIN, Sink, TRACE_KINDS, TraceKind, TraceRecord, Unit, Words};
use crate::ids::{DomainId, PcpuId, VcpuId};
use crate::patches::PatchSet;
use crate::scenario::Scenario;
use crate::units::SimTime;
use alloc::vec::Vec;
use core::fmt;

/// How many trace records of each kind a run has left. Records that do not exist with its patches
/// are not counted.
#[derive(Clone, Debug)]
pub struct TraceCounts {
    counts: [u64; TRACE_KINDS.len()],
    /// Per kind, 1 if it exists.
    exists: [bool; TRACE_KINDS.len()],
}

impl TraceCounts {
    /// Nothing counted yet, for a run with these patches.
    #[must_use]
    pub fn new(patches: PatchSet) -> Self {
        let mut exists = [false; TRACE_KINDS.len()];
        for info in TRACE_KINDS {
            exists[info.kind as usize] = info.lifetime.holds(patches);
        }
        Self { counts: [0; TRACE_KINDS.len()], exists }
    }

    /// Counts a record, and says whether it exists.
    #[inline]
    pub fn count(&mut self, record: &TraceRecord) -> bool {
        let kind = record.kind() as usize;
        let exists = self.exists[kind];
        self.counts[kind] += u64::from(exists);
        exists
    }

    /// How many of a kind.
    #[must_use]
    pub fn get(&self, kind: TraceKind) -> u64 {
        self.counts[kind as usize]
    }
}

/// Writes trace records with the numbers of their domains and vCPUs. Domains count from 1, as the
/// guests of a Xen host do.
#[derive(Clone, Debug)]
pub struct TraceText {
    patches: PatchSet,
    /// Per guest, domain and number in it.
    guests: Vec<(u16, u16)>,
}

impl TraceText {
    /// A writer for runs of this scenario with these patches.
    #[must_use]
    pub fn new(scenario: &Scenario, patches: PatchSet) -> Self {
        let domains = (1u16..).zip(&scenario.domains);
        let guests = domains.flat_map(|(domain, spec)| {
            (0u16..).zip(&spec.vcpus).map(move |(vcpu, _)| (domain, vcpu))
        });
        Self { patches, guests: guests.collect() }
    }

    /// The payload of a record.
    #[must_use]
    pub fn words(&self, record: &TraceRecord) -> Words {
        let name = |vcpu: VcpuId| {
            let idle = || u16::try_from(vcpu.index() - self.guests.len()).expect("limited pCPUs");
            self.guests.get(vcpu.index()).copied().unwrap_or_else(|| (IDLE_DOMAIN, idle()))
        };
        record.words(self.patches, name, |DomainId(domain)| domain + 1)
    }

    /// A line without its end: time in ns, pCPU, number, name, payload. Packed words are
    /// hexadecimal.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(
        &self,
        out: &mut impl fmt::Write,
        time: SimTime,
        pcpu: PcpuId,
        record: &TraceRecord,
    ) -> fmt::Result {
        let info = record.kind().info();
        write!(out, "{} {} 0x{:05x} {}", time.as_ns(), pcpu.0, info.number, info.name)?;
        let (words, count) = self.words(record);
        for (field, word) in info.fields(self.patches).iter().zip(&words[..count]) {
            match field.unit {
                Unit::Packed => write!(out, " {}=0x{word:08x}", field.name)?,
                // No end of a slice is all ones, which stands for −1.
                Unit::Ns if *word == u32::MAX => write!(out, " {}=-1", field.name)?,
                Unit::Ns | Unit::Number => write!(out, " {}={word}", field.name)?,
            }
        }
        Ok(())
    }
}

/// Counts the trace records of a run and shows each that exists.
pub struct TraceSink<F> {
    counts: TraceCounts,
    show: F,
}

impl<F: FnMut(SimTime, PcpuId, &TraceRecord)> TraceSink<F> {
    /// A sink for a run with these patches.
    pub fn new(patches: PatchSet, show: F) -> Self {
        Self { counts: TraceCounts::new(patches), show }
    }

    /// How many of each kind so far.
    pub fn counts(&self) -> &TraceCounts {
        &self.counts
    }
}

impl<F: FnMut(SimTime, PcpuId, &TraceRecord)> Sink for TraceSink<F> {
    const TRACES: bool = true;

    fn trace(&mut self, time: SimTime, pcpu: PcpuId, record: &TraceRecord) {
        if self.counts.count(record) {
            (self.show)(time, pcpu, record);
        }
    }
}
