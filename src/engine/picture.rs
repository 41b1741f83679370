//! Pictures of a run in the words of the protocol.

use super::run::Run;
use crate::protocol::{
    Arrow, ArrowKind, Cell, LaneTile, Mark, MarkKind, Overview, Response, RunLane, Segment, Span,
    Tile,
};
use sim_core::ids::PcpuId;
use sim_core::trace;

/// The widest picture, in pixels.
const WIDTH_MAX: u32 = 16_384;
/// The most arrows that anybody can tell apart.
const ARROWS_MAX: usize = 1_500;

fn cell(cell: trace::Cell) -> Cell {
    Cell { busy: cell.busy, vcpu: cell.vcpu, count: cell.count }
}

fn segment(segment: trace::Segment) -> Segment {
    Segment { start_ns: segment.start_ns, vcpu: segment.vcpu }
}

fn mark(mark: trace::Mark) -> Mark {
    let kind = match mark.kind {
        trace::MarkKind::Wake => MarkKind::Wake,
        trace::MarkKind::Tickled => MarkKind::Tickled,
        trace::MarkKind::Kick => MarkKind::Kick,
        trace::MarkKind::Steal => MarkKind::Steal,
        trace::MarkKind::Migrate => MarkKind::Migrate,
        trace::MarkKind::Account => MarkKind::Account,
    };
    Mark { time_ns: mark.time_ns, kind, count: mark.count }
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
        idler: picture.idler,
        tickled: picture.tickled,
        marks: picture.marks.into_iter().map(mark).collect(),
    }
}

impl Run {
    /// A picture of some rows; none of an empty stretch of time or width.
    pub(super) fn tile(&self, span: Span, width: u32, first: u16, count: u16) -> Option<Response> {
        let scale = self.scale(span, width)?;
        let trace = self.recording().trace();
        let pcpus = u16::try_from(trace.lanes().len()).expect("validated");
        let rows = first.min(pcpus)..first.saturating_add(count).min(pcpus);
        let lanes = rows.clone().map(|pcpu| lane(trace.lane_picture(PcpuId(pcpu), &scale)));
        Some(Response::Tile(Tile {
            run: self.id(),
            span,
            width,
            first,
            lanes: lanes.collect(),
            arrows: trace.arrows(rows, &scale, ARROWS_MAX).into_iter().map(arrow).collect(),
            reached_ns: scale.reached_ns,
        }))
    }

    /// A picture of the whole run.
    pub(super) fn overview(&self, width: u32) -> Option<Response> {
        let span = Span { from_ns: 0, to_ns: self.scenario().duration_ns };
        let scale = self.scale(span, width)?;
        let lanes = self.recording().trace().lanes().iter();
        let cells = |lane: &trace::Lane| lane.run.cells(&scale).into_iter().map(cell).collect();
        let (run, reached_ns) = (self.id(), scale.reached_ns);
        Some(Response::Overview(Overview {
            run,
            span,
            reached_ns,
            lanes: lanes.map(cells).collect(),
        }))
    }

    fn scale(&self, span: Span, width: u32) -> Option<trace::Scale> {
        let sound = span.from_ns < span.to_ns && (1..=WIDTH_MAX).contains(&width);
        sound.then(|| trace::Scale {
            from_ns: span.from_ns,
            to_ns: span.to_ns,
            width,
            reached_ns: self.reached_ns(),
        })
    }
}
