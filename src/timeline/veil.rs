//! A picture that ends where something is still to be guessed.
//!
//! Cuts what it is given; it must not know why.

use crate::protocol::{Arrow, Belief, LaneTile, Mark, MarkKind, RunLane, Span, Tile};

/// The same picture up to `until_ns`, with the arrows of all records before `records`. A wake-up at
/// that very moment is kept: it is what the next decision is about.
#[must_use]
pub fn veiled(tile: &Tile, until_ns: u64, records: u32) -> Tile {
    let reached_ns = tile.reached_ns.min(until_ns);
    let span = Span { from_ns: tile.span.from_ns, to_ns: tile.span.to_ns.min(until_ns) };
    let cells = if span.to_ns > span.from_ns { span.cell_at(tile.shift, span.to_ns) } else { 0 };
    let shown = |arrow: &&Arrow| arrow.start_ns < until_ns || arrow.record < records;
    Tile {
        run: tile.run,
        span: tile.span,
        shift: tile.shift,
        first: tile.first,
        lanes: tile.lanes.iter().map(|lane| cut(lane, (until_ns, tile.shift), cells)).collect(),
        arrows: tile.arrows.iter().filter(shown).copied().collect(),
        reached_ns,
    }
}

/// A row up to `until_ns`, of which so many cells lie before.
fn cut(lane: &LaneTile, (until_ns, shift): (u64, u32), cells: usize) -> LaneTile {
    let run = match &lane.run {
        RunLane::Segments(all) => {
            RunLane::Segments(all.iter().filter(|one| one.start_ns < until_ns).copied().collect())
        }
        RunLane::Cells(all) => RunLane::Cells(all.iter().take(cells).copied().collect()),
    };
    let belief = |belief: &Belief| match belief {
        Belief::Spans(spans) => {
            let before = spans.iter().filter(|(from, _)| *from < until_ns);
            Belief::Spans(before.map(|(from, to)| (*from, (*to).min(until_ns))).collect())
        }
        Belief::Shares(shares) => Belief::Shares(shares.iter().take(cells).copied().collect()),
    };
    let woken = |kind, time_ns| kind == MarkKind::Wake && time_ns == until_ns;
    let marks = lane.marks.iter();
    let marks = marks.filter(|mark| mark.time_ns < until_ns || woken(mark.kind, mark.time_ns));
    // One mark stands for all of its cell, of which some may lie behind the veil.
    let marks = marks.map(|mark| match mark.time_ns >> shift == until_ns >> shift {
        true => Mark { count: 1, ..*mark },
        false => *mark,
    });
    let counts = lane.counts.iter();
    LaneTile {
        pcpu: lane.pcpu,
        run,
        idler: belief(&lane.idler),
        tickled: belief(&lane.tickled),
        marks: marks.collect(),
        counts: counts
            .map(|(kind, all)| (*kind, all.iter().take(cells).copied().collect()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Cell;
    use crate::timeline::sample::known;
    use crate::timeline::twin::twin;

    /// Goal: nothing that happens from then on is in the picture or in its table, whatever the
    /// moment; what happened before is all there.
    #[test]
    fn nothing_behind_the_veil_is_told() {
        let sample = known();
        let whole = &sample.tile;
        for until_ns in (whole.span.from_ns..=whole.span.to_ns).step_by(50_000) {
            let tile = veiled(whole, until_ns, 0);
            assert!(tile.arrows.iter().all(|arrow| arrow.start_ns < until_ns));
            for (lane, all) in tile.lanes.iter().zip(&whole.lanes) {
                let RunLane::Segments(segments) = &lane.run else { panic!("segments") };
                let RunLane::Segments(known) = &all.run else { panic!("segments") };
                assert!(segments.iter().all(|one| one.start_ns < until_ns));
                let before = known.iter().filter(|one| one.start_ns < until_ns).count();
                assert_eq!(segments.len(), before);
                for belief in [&lane.idler, &lane.tickled] {
                    let Belief::Spans(spans) = belief else { panic!("spans") };
                    assert!(spans.iter().all(|(from, to)| from < to && *to <= until_ns));
                }
                let woken = |mark: &&Mark| mark.kind == MarkKind::Wake;
                let late = lane.marks.iter().filter(|mark| mark.time_ns >= until_ns);
                assert!(late.clone().all(|mark| woken(&mark) && mark.time_ns == until_ns));
            }
            let rows = twin(&sample.shape, &tile, None, until_ns + 1);
            assert!(rows.iter().all(|row| row.current == "–" && row.believed_idle == "–"));
        }
    }

    /// Goal: the arrow of the decision that is shown stays, though it begins at that very moment.
    #[test]
    fn the_arrow_of_what_is_shown_stays() {
        let tile = known().tile;
        let arrow = tile.arrows[0];
        let has = |records| {
            let tile = veiled(&tile, arrow.start_ns, records);
            tile.arrows.iter().any(|other| other.record == arrow.record)
        };
        assert!(has(arrow.record + 1) && !has(arrow.record));
    }

    /// Goal: a row of pixels ends with the last one that lies wholly before.
    #[test]
    fn cells_are_cut_short() {
        let mut tile = known().tile;
        tile.span = Span { from_ns: 0, to_ns: 4_096 };
        tile.shift = 10;
        let cell = Cell { busy: 1, vcpu: 0, count: 1 };
        tile.lanes[0].run = RunLane::Cells(vec![cell; 4]);
        tile.lanes[0].idler = Belief::Shares(vec![9; 4]);
        for (until_ns, left) in [(0, 0), (1_023, 0), (1_024, 1), (3_000, 2), (9_999, 4)] {
            let lane = &veiled(&tile, until_ns, 0).lanes[0];
            let RunLane::Cells(cells) = &lane.run else { panic!("cells") };
            let Belief::Shares(shares) = &lane.idler else { panic!("shares") };
            assert_eq!((cells.len(), shares.len()), (left, left), "{until_ns}");
        }
    }
}
