//! What a stretch of a run adds up to, to the ns at both ends.

use super::picture::{MARK_KINDS, MarkKind};
use super::run_lane::is_guest;
use super::{Lane, RunSum, Trace};
use alloc::vec;
use alloc::vec::Vec;

/// vCPUs are added up one segment after the other: not more than so many.
pub const STRETCH_SEGMENTS_MAX: usize = 1_000_000;

/// What a stretch of one pCPU adds up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PcpuStretch {
    /// How long guests ran, who ran longest, how many segments begin in it.
    pub run: RunSum,
    /// Marks of each kind.
    pub marks: [usize; MARK_KINDS],
}

/// What a stretch of a run adds up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Each pCPU.
    pub pcpus: Vec<PcpuStretch>,
    /// How long each vCPU ran, in ns; none if that was not asked for, or if there are more than
    /// [`STRETCH_SEGMENTS_MAX`] segments.
    pub ran_ns: Option<Vec<u64>>,
}

impl Trace {
    /// What lies from `from_ns` up to and without `to_ns`, which has been simulated; vCPUs only if
    /// `each_vcpu` says so.
    #[must_use]
    pub fn stretch(&self, (from_ns, to_ns): (u64, u64), each_vcpu: bool) -> Stretch {
        let to_ns = to_ns.max(from_ns);
        let pcpu = |lane: &Lane| PcpuStretch {
            run: lane.run.sums_from(from_ns).until(to_ns),
            marks: MarkKind::ALL.map(|kind| lane.marks[kind as usize].count((from_ns, to_ns))),
        };
        let pcpus: Vec<PcpuStretch> = self.lanes.iter().map(pcpu).collect();
        let segments: usize = pcpus.iter().map(|pcpu| pcpu.run.count).sum();
        let ran_ns = (each_vcpu && segments <= STRETCH_SEGMENTS_MAX).then(|| {
            let mut ran_ns = vec![0; self.guests];
            self.lanes.iter().for_each(|lane| add(lane, (from_ns, to_ns), &mut ran_ns));
            ran_ns
        });
        Stretch { pcpus, ran_ns }
    }
}

/// Adds how long each vCPU ran on a lane.
fn add(lane: &Lane, (from_ns, to_ns): (u64, u64), ran_ns: &mut [u64]) {
    let first = lane.run.first_at(from_ns).saturating_sub(1);
    let end = lane.run.first_at(to_ns);
    for at in first..end {
        let (start_ns, vcpu) = lane.run.segment(at);
        if is_guest(vcpu) {
            let next = if at + 1 < end { lane.run.segment(at + 1).0 } else { to_ns };
            ran_ns[usize::from(vcpu)] += next.min(to_ns).saturating_sub(start_ns.max(from_ns));
        }
    }
}
