//! The picture as a table, for those who read it instead of seeing it.
//!
//! Must not know how it is laid out.

use super::label::percent;
use super::shape::MachineShape;
use super::tip::mark_name;
use crate::protocol::{
    Belief, IDLE, LaneTile, MarkKind, PcpuStretch, RunLane, Span, Stretch, Tile,
};

/// A row of the table: a pCPU.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwinRow {
    /// The pCPU, as it is called.
    pub pcpu: String,
    /// Who runs at the cursor.
    pub current: String,
    /// Share of the time in view that a guest runs.
    pub busy: String,
    /// Whether it is believed idle at the cursor.
    pub believed_idle: &'static str,
    /// What happens in view, with how often.
    pub events: String,
}

/// The table of what a tile shows, with what the view adds up to, once that is known.
#[must_use]
pub fn twin(
    shape: &MachineShape,
    tile: &Tile,
    stretch: Option<&Stretch>,
    cursor_ns: u64,
) -> Vec<TwinRow> {
    let end_ns = tile.span.to_ns.min(tile.reached_ns);
    let known = Span { from_ns: tile.span.from_ns, to_ns: end_ns.max(tile.span.from_ns) };
    let inside = (known.from_ns..known.to_ns).contains(&cursor_ns);
    let of = |lane: &LaneTile| {
        let stretch = stretch?;
        Some((stretch.pcpus.get(usize::from(lane.pcpu))?, stretch.known_ns()))
    };
    let row = |lane: &LaneTile| TwinRow {
        pcpu: format!("p{}", lane.pcpu),
        current: if inside { current(shape, lane, tile, cursor_ns) } else { "–".into() },
        busy: of(lane).map_or("…".into(), |(pcpu, known_ns)| percent(pcpu.busy_ns, known_ns)),
        believed_idle: if inside { believed(&lane.idler, tile, cursor_ns) } else { "–" },
        events: of(lane).map_or("…".into(), |(pcpu, _)| events(pcpu)),
    };
    tile.lanes.iter().map(row).collect()
}

fn believed(belief: &Belief, tile: &Tile, cursor_ns: u64) -> &'static str {
    match belief {
        Belief::Spans(_) if belief.holds_at(cursor_ns) => "yes",
        Belief::Spans(_) => "no",
        Belief::Shares(shares) => {
            match shares.get(tile.span.cell_at(tile.shift, cursor_ns)).copied().unwrap_or(0) {
                0 => "no",
                u8::MAX => "yes",
                _ => "partly",
            }
        }
    }
}

fn current(shape: &MachineShape, lane: &LaneTile, tile: &Tile, cursor_ns: u64) -> String {
    match &lane.run {
        RunLane::Segments(segments) => {
            let next = segments.partition_point(|segment| segment.start_ns <= cursor_ns);
            let vcpu = next.checked_sub(1).map_or(IDLE, |at| segments[at].vcpu);
            shape.vcpu_name(vcpu)
        }
        RunLane::Cells(cells) => {
            let at = tile.span.cell_at(tile.shift, cursor_ns);
            let name = cells.get(at).map_or("–".into(), |cell| shape.vcpu_name(cell.vcpu));
            format!("mostly {name}")
        }
    }
}

fn events(pcpu: &PcpuStretch) -> String {
    let of = |kind: MarkKind| {
        let count = pcpu.marks_of(kind);
        (count > 0).then(|| format!("{}: {count}", mark_name(kind)))
    };
    let events: Vec<String> = MarkKind::ALL.into_iter().filter_map(of).collect();
    if events.is_empty() { "none".into() } else { events.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Cell, RunId};
    use crate::timeline::sample::known;

    fn stretch() -> Stretch {
        let pcpu =
            |busy_ns, marks: [u32; 6]| PcpuStretch { busy_ns, segments: 2, marks: marks.into() };
        Stretch {
            run: RunId(1),
            span: Span { from_ns: 10_000_000, to_ns: 11_000_000 },
            reached_ns: 10_500_000,
            pcpus: vec![pcpu(345_000, [1, 0, 0, 0, 0, 0]), pcpu(0, [0; 6])],
            ran_ns: None,
        }
    }

    /// Goal: the table tells what the picture shows, and what the view adds up to, of the part that
    /// is known.
    #[test]
    fn the_table_tells_what_the_picture_shows() {
        let sample = known();
        let sums = stretch();
        let rows = twin(&sample.shape, &sample.tile, Some(&sums), 10_500_000);
        assert_eq!((rows[0].pcpu.as_str(), rows[0].current.as_str()), ("p0", "d2v0"));
        assert_eq!((rows[0].busy.as_str(), rows[0].believed_idle), ("69.0 %", "no"));
        assert_eq!(rows[0].events, "Wake-up: 1");
        assert_eq!((rows[1].current.as_str(), rows[1].busy.as_str()), ("d1v1", "0.0 %"));
        assert_eq!(rows[1].events, "none");
        let before = twin(&sample.shape, &sample.tile, None, 10_100_000);
        assert_eq!((before[1].current.as_str(), before[1].believed_idle), ("idle", "yes"));
        assert_eq!((before[1].busy.as_str(), before[1].events.as_str()), ("…", "…"));
        let outside = twin(&sample.shape, &sample.tile, None, 1);
        assert_eq!((outside[0].current.as_str(), outside[0].believed_idle), ("–", "–"));
    }

    /// Goal: a row of pixels that hide several tells who ran longest.
    #[test]
    fn cells_tell_the_longest() {
        let mut sample = known();
        sample.tile.shift = 19;
        let cell = |busy, vcpu| Cell { busy, vcpu, count: 2 };
        sample.tile.lanes[0].run = RunLane::Cells(vec![cell(255, 0), cell(0, IDLE)]);
        let rows = twin(&sample.shape, &sample.tile, None, 10_100_000);
        assert_eq!(rows[0].current, "mostly d1v0");
    }
}
