//! What a stretch of a run adds up to, in the words of the protocol.

use super::run::Run;
use crate::protocol::{PcpuStretch, Response, Span, Stretch};
use sim_core::trace;

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn pcpu(of: &trace::PcpuStretch) -> PcpuStretch {
    PcpuStretch {
        busy_ns: of.run.busy_ns,
        segments: number(of.run.count),
        marks: of.marks.into_iter().map(number).collect(),
    }
}

impl Run {
    /// What a stretch adds up to, as far as the run has come.
    pub(super) fn stretch(&self, span: Span, each_vcpu: bool) -> Response {
        let reached_ns = self.reached_ns();
        let stretch = (span.from_ns.min(reached_ns), span.to_ns.min(reached_ns));
        let sums = self.recording().trace().stretch(stretch, each_vcpu);
        Response::Stretch(Stretch {
            run: self.id(),
            span,
            reached_ns,
            pcpus: sums.pcpus.iter().map(pcpu).collect(),
            ran_ns: sums.ran_ns,
        })
    }
}
