//! What a pixel hides, in the words of the protocol.

use super::run::Run;
use crate::protocol::{MarkKind, Response, Span, Spot, Thing, Under};
use sim_core::ids::PcpuId;
use sim_core::trace;

/// So many things are told one by one: as many as a box beside the pointer has lines.
const MOST: usize = 12;

impl Run {
    /// What lies under a pixel.
    pub(super) fn under(&self, spot: Spot) -> Response {
        let Span { from_ns, to_ns } = spot.span;
        let reached_ns = self.reached_ns();
        let trace = self.recording().trace();
        let under = trace.under(PcpuId(spot.pcpu), (from_ns, to_ns), reached_ns, MOST);
        let counts = MarkKind::ALL.into_iter().zip(under.marks.map(number));
        Response::Under(Under {
            spot,
            reached_ns,
            things: under.things.into_iter().map(thing).collect(),
            segments: number(under.segments),
            marks: counts.filter(|(_, count)| *count > 0).collect(),
        })
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

fn thing(thing: trace::Thing) -> Thing {
    let from_ns = thing.time_ns;
    match thing.what {
        trace::What::Segment { vcpu, to_ns } => {
            Thing::Segment { vcpu, span: Span { from_ns, to_ns } }
        }
        trace::What::Mark(kind) => {
            Thing::Mark { kind: MarkKind::ALL[kind as usize], time_ns: from_ns }
        }
    }
}
