//! Pictures of a run in the words of the protocol.

use super::run::Run;
use crate::protocol::{
    Arrow, ArrowKind, Belief, Cell, LaneTile, Mark, MarkKind, Overview, Response, RunLane, Segment,
    Span, Tile,
};
use sim_core::ids::PcpuId;
use sim_core::trace;

/// The most cells of a row.
pub(super) const CELLS_MAX: u64 = 1 << 16;
/// The longest cells, as a power of two of ns: 18 minutes, longer than any run.
pub(super) const SHIFT_MAX: u32 = 40;
/// The most arrows that anybody can tell apart.
const ARROWS_MAX: usize = 1_500;

fn cell(cell: trace::Cell) -> Cell {
    Cell { busy: cell.busy, vcpu: cell.vcpu, count: cell.count }
}

fn segment(segment: trace::Segment) -> Segment {
    Segment { start_ns: segment.start_ns, vcpu: segment.vcpu }
}

const fn kind(kind: trace::MarkKind) -> MarkKind {
    MarkKind::ALL[kind as usize]
}

fn mark(mark: trace::Mark) -> Mark {
    Mark { time_ns: mark.time_ns, kind: kind(mark.kind), count: mark.count }
}

fn belief(picture: trace::BeliefPicture) -> Belief {
    match picture {
        trace::BeliefPicture::Spans(spans) => Belief::Spans(spans),
        trace::BeliefPicture::Shares(shares) => Belief::Shares(shares),
    }
}

fn arrow(arrow: trace::Arrow) -> Arrow {
    Arrow {
        kind: match arrow.kind {
            trace::ArrowKind::Tickle => ArrowKind::Tickle,
            trace::ArrowKind::Steal => ArrowKind::Steal,
            trace::ArrowKind::Migrate => ArrowKind::Migrate,
        },
        from: arrow.from.0,
        to: arrow.to.0,
        start_ns: arrow.start_ns,
        end_ns: arrow.end_ns,
        record: arrow.record.0,
    }
}

fn lane(picture: trace::LanePicture) -> LaneTile {
    LaneTile {
        pcpu: picture.pcpu.0,
        run: match picture.run {
            trace::RunPicture::Segments(segments) => {
                RunLane::Segments(segments.into_iter().map(segment).collect())
            }
            trace::RunPicture::Cells(cells) => {
                RunLane::Cells(cells.into_iter().map(cell).collect())
            }
        },
        idler: belief(picture.idler),
        tickled: belief(picture.tickled),
        marks: picture.marks.into_iter().map(mark).collect(),
        counts: picture.counts.into_iter().map(|(of, counts)| (kind(of), counts)).collect(),
    }
}

impl Run {
    /// A picture of some rows; none of an empty stretch of time or too many cells.
    pub(super) fn tile(&self, span: Span, shift: u32, first: u16, count: u16) -> Option<Response> {
        let scale = self.scale(span, shift)?;
        let trace = self.recording().trace();
        let pcpus = u16::try_from(trace.lanes().len()).expect("validated");
        let rows = first.min(pcpus)..first.saturating_add(count).min(pcpus);
        let lanes = rows.clone().map(|pcpu| lane(trace.lane_picture(PcpuId(pcpu), &scale)));
        Some(Response::Tile(Tile {
            run: self.id(),
            span,
            shift,
            first,
            lanes: lanes.collect(),
            arrows: trace.arrows(rows, &scale, ARROWS_MAX).into_iter().map(arrow).collect(),
            reached_ns: scale.reached_ns,
        }))
    }

    /// A picture of the whole run.
    pub(super) fn overview(&self, width: u32) -> Option<Response> {
        let span = Span { from_ns: 0, to_ns: self.scenario().duration_ns };
        let shift = (span.to_ns.checked_div(width.into())?).max(1).ilog2();
        let scale = self.scale(span, shift)?;
        let lanes = self.recording().trace().lanes().iter();
        let cells = |lane: &trace::Lane| lane.run.cells(&scale).into_iter().map(cell).collect();
        let (run, reached_ns) = (self.id(), scale.reached_ns);
        Some(Response::Overview(Overview {
            run,
            span,
            shift,
            reached_ns,
            lanes: lanes.map(cells).collect(),
        }))
    }

    /// The record that left a mark.
    pub(super) fn marked(&self, ask: u32, pcpu: u16, time_ns: u64, kind: MarkKind) -> Response {
        let trace = self.recording().trace();
        let kind = trace::MarkKind::ALL[kind as usize];
        let known = usize::from(pcpu) < trace.lanes().len();
        let record = known.then(|| trace.marked(PcpuId(pcpu), kind, time_ns)).flatten();
        self.found(ask, record)
    }

    fn scale(&self, span: Span, shift: u32) -> Option<trace::Scale> {
        let Span { from_ns, to_ns } = span;
        let sound = from_ns < to_ns && shift <= SHIFT_MAX;
        (sound && (to_ns - from_ns) >> shift < CELLS_MAX).then(|| trace::Scale {
            from_ns,
            to_ns,
            shift,
            reached_ns: self.reached_ns(),
        })
    }
}
