//! The picture as a table, for those who read it instead of seeing it.
//!
//! Must not know how it is laid out.

use super::label::percent;
use super::shape::{MachineShape, is_guest};
use super::tip::mark_name;
use crate::protocol::{Belief, IDLE, LaneTile, MarkKind, RunLane, Span, Tile};

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

/// The table of what a tile shows.
#[must_use]
pub fn twin(shape: &MachineShape, tile: &Tile, cursor_ns: u64) -> Vec<TwinRow> {
    let end_ns = tile.span.to_ns.min(tile.reached_ns);
    let known = Span { from_ns: tile.span.from_ns, to_ns: end_ns.max(tile.span.from_ns) };
    let inside = (known.from_ns..known.to_ns).contains(&cursor_ns);
    let row = |lane: &LaneTile| TwinRow {
        pcpu: format!("p{}", lane.pcpu),
        current: if inside { current(shape, lane, tile, cursor_ns) } else { "–".into() },
        busy: busy(lane, known),
        believed_idle: if inside { believed(&lane.idler, tile, cursor_ns) } else { "–" },
        events: events(lane),
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

fn busy(lane: &LaneTile, known: Span) -> String {
    match &lane.run {
        RunLane::Segments(segments) => {
            let ends = segments.iter().skip(1).map(|next| next.start_ns);
            let ends = ends.chain([known.to_ns]);
            let held = |time_ns: u64| time_ns.clamp(known.from_ns, known.to_ns);
            let spent = segments.iter().zip(ends).filter(|(segment, _)| is_guest(segment.vcpu));
            let busy = spent.map(|(segment, end)| held(end) - held(segment.start_ns)).sum();
            percent(busy, known.to_ns - known.from_ns)
        }
        RunLane::Cells(cells) => {
            let busy = cells.iter().map(|cell| u64::from(cell.busy)).sum();
            percent(busy, cells.len() as u64 * 255)
        }
    }
}

fn events(lane: &LaneTile) -> String {
    let of = |kind: MarkKind| {
        let marks = lane.marks.iter().filter(|mark| mark.kind == kind);
        let counts = lane.counts.iter().filter(|(of, _)| *of == kind);
        let counts = counts.flat_map(|(_, counts)| counts.iter().map(|count| u64::from(*count)));
        let count: u64 = marks.map(|mark| u64::from(mark.count)).chain(counts).sum();
        (count > 0).then(|| format!("{}: {count}", mark_name(kind)))
    };
    let events: Vec<String> = MarkKind::ALL.into_iter().filter_map(of).collect();
    if events.is_empty() { "none".into() } else { events.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Cell;
    use crate::timeline::sample::known;

    /// Goal: the table tells what the picture shows.
    #[test]
    fn the_table_tells_what_the_picture_shows() {
        let sample = known();
        let rows = twin(&sample.shape, &sample.tile, 10_500_000);
        assert_eq!((rows[0].pcpu.as_str(), rows[0].current.as_str()), ("p0", "d2v0"));
        assert_eq!((rows[0].busy.as_str(), rows[0].believed_idle), ("69.0 %", "no"));
        assert_eq!(rows[0].events, "Wake-up: 1");
        assert_eq!((rows[1].current.as_str(), rows[1].busy.as_str()), ("d1v1", "59.8 %"));
        assert_eq!(rows[1].events, "Tickled: 3");
        let before = twin(&sample.shape, &sample.tile, 10_100_000);
        assert_eq!((before[1].current.as_str(), before[1].believed_idle), ("idle", "yes"));
        let outside = twin(&sample.shape, &sample.tile, 1);
        assert_eq!((outside[0].current.as_str(), outside[0].believed_idle), ("–", "–"));
    }

    /// Goal: a row of pixels that hide several tells shares and the longest.
    #[test]
    fn cells_tell_shares() {
        let mut sample = known();
        sample.tile.shift = 19;
        let cell = |busy, vcpu| Cell { busy, vcpu, count: 2 };
        sample.tile.lanes[0].run = RunLane::Cells(vec![cell(255, 0), cell(0, IDLE)]);
        let rows = twin(&sample.shape, &sample.tile, 10_100_000);
        assert_eq!((rows[0].busy.as_str(), rows[0].current.as_str()), ("50.0 %", "mostly d1v0"));
    }
}
