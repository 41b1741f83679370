//! Tiles for tests: a small known one, and crowded ones from a seed.
//!
//! Made by hand, not by the engine: tests of the picture must not depend on a run.

use super::draw::Point;
use super::layout::{Layout, Room};
use super::paint::{Inks, Picture};
use super::shape::{MachineShape, PcpuShape, VcpuShape};
use super::theme::{Scheme, Sizes};
use crate::protocol::{
    Arrow, ArrowKind, Belief, Cell, IDLE, LaneTile, Mark, MarkKind, Place, Record, RunId, RunLane,
    SWITCHING, Segment, Span, Tile,
};

/// A machine, a tile of it, and what is needed to paint it.
pub struct Sample {
    pub shape: MachineShape,
    pub inks: Inks,
    pub layout: Layout,
    pub tile: Tile,
    pub lit: Vec<u32>,
    pub selected: Option<Record>,
    pub dpr: f64,
}

impl Sample {
    pub fn new(shape: MachineShape, tile: Tile, width: f64, dpr: f64) -> Self {
        let inks = Inks::new(&shape, Scheme::default(), Sizes::of(false));
        let room =
            Room { width, height_max: 424.0, first: 0, sizes: Sizes::of(false), doubled: false };
        let layout = Layout::new(&shape, room);
        Self { shape, inks, layout, tile, lit: vec![], selected: None, dpr }
    }

    pub fn picture(&self, span: Span) -> Picture<'_> {
        Picture {
            inks: &self.inks,
            layout: &self.layout,
            span,
            tile: Some(&self.tile),
            cursor_ns: u64::midpoint(span.from_ns, span.to_ns),
            selected: self.selected,
            lit: &self.lit,
            row: 0,
            range: None,
            dpr: self.dpr,
            differs: None,
            alike_until_ns: 0,
        }
    }
}

/// A machine of so many pCPUs, two threads to a core, eight to a socket if `grouped`.
pub fn shape(pcpus: u16, vcpus: u16, grouped: bool) -> MachineShape {
    let place = |n: u16| {
        let (core, socket) = if grouped { (n / 2, n / 8) } else { (n, 0) };
        PcpuShape { core, socket, node: socket }
    };
    let vcpu = |n: u16| VcpuShape { domain: n / 2, index: n % 2 };
    MachineShape { pcpus: (0..pcpus).map(place).collect(), vcpus: (0..vcpus).map(vcpu).collect() }
}

fn segment(start_ns: u64, vcpu: u16) -> Segment {
    Segment { start_ns, vcpu }
}

fn mark(time_ns: u64, kind: MarkKind, count: u32) -> Mark {
    Mark { time_ns, kind, count }
}

/// Two pCPUs over 1 ms from 10 ms, 500 px wide: p0 runs d1v0, switches, runs d2v0; p1 idles and
/// is tickled by p0 at 10.4 ms.
pub fn known() -> Sample {
    let ms = 1_000_000;
    let span = Span { from_ns: 10 * ms, to_ns: 11 * ms };
    let first = LaneTile {
        pcpu: 0,
        run: RunLane::Segments(vec![
            segment(9 * ms, 0),
            segment(10_400_000, SWITCHING),
            segment(10_410_000, 2),
            segment(10_700_000, IDLE),
        ]),
        idler: Belief::Spans(vec![(10_700_000, 11 * ms)]),
        tickled: Belief::Spans(vec![]),
        marks: vec![mark(10_400_000, MarkKind::Wake, 1)],
        counts: vec![],
    };
    let second = LaneTile {
        pcpu: 1,
        run: RunLane::Segments(vec![segment(9 * ms, IDLE), segment(10_402_000, 1)]),
        idler: Belief::Spans(vec![(10 * ms, 10_400_000)]),
        tickled: Belief::Spans(vec![(10_400_000, 10_401_000)]),
        marks: vec![mark(10_401_000, MarkKind::Tickled, 3)],
        counts: vec![],
    };
    let arrow = Arrow {
        kind: ArrowKind::Tickle,
        from: 0,
        to: 1,
        start_ns: 10_400_000,
        end_ns: 10_401_000,
        record: 7,
    };
    let tile = Tile {
        run: RunId(1),
        span,
        shift: 10,
        first: 0,
        lanes: vec![first, second],
        arrows: vec![arrow],
        reached_ns: 11 * ms,
    };
    Sample::new(shape(2, 4, false), tile, 550.0, 1.0)
}

/// The record that the known tile's tickle comes from.
pub fn known_record() -> Record {
    Record { record: 7, place: Place { time_ns: 10_400_000, pcpu: 0, kind: 0, nth: 0 }, vcpu: 2 }
}

/// A seeded sequence (splitmix64), so that a failure can be repeated.
pub fn draw(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number below `end`, from a seeded sequence.
pub fn below(state: &mut u64, end: u64) -> u64 {
    draw(state) % end.max(1)
}

fn small(state: &mut u64, end: u16) -> u16 {
    u16::try_from(below(state, end.into())).expect("below a u16")
}

fn kind(state: &mut u64) -> MarkKind {
    MarkKind::ALL[usize::from(small(state, 6))]
}

fn times(state: &mut u64, span: Span, most: u64) -> Vec<u64> {
    let count = below(state, most);
    let len = span.to_ns - span.from_ns;
    let mut times: Vec<u64> = (0..count).map(|_| span.from_ns + below(state, len)).collect();
    times.sort_unstable();
    times.dedup();
    times
}

fn belief(state: &mut u64, span: Span, most: u64, cells: usize) -> Belief {
    if below(state, 4) == 0 {
        let share = |_| u8::try_from(below(state, 256)).expect("a byte");
        return Belief::Shares((0..cells).map(share).collect());
    }
    let times = times(state, span, most);
    Belief::Spans(times.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
}

/// A tile with anything in it, up to as much as a screen has pixels; some of it not yet reached.
pub fn crowded(seed: u64) -> Sample {
    let mut s = seed;
    let pcpus = 1 + small(&mut s, 64);
    let vcpus = 1 + small(&mut s, 80);
    let width = 200 + u32::from(small(&mut s, 1_800));
    let most_len = 1 << (10 + below(&mut s, 24));
    let len = 200 + below(&mut s, most_len);
    let from_ns = below(&mut s, 1 << 33);
    let span = Span { from_ns, to_ns: from_ns + len };
    let most = 1u64 << below(&mut s, 11);
    let shift = (len / u64::from(width)).max(1).ilog2();
    let cells = 1 + span.cell_at(shift, span.to_ns - 1);
    let lane = |s: &mut u64, pcpu| LaneTile {
        pcpu,
        run: if below(s, 3) == 0 {
            let cell = |s: &mut u64| Cell {
                busy: u8::try_from(below(s, 256)).expect("a byte"),
                vcpu: if below(s, 4) == 0 { IDLE } else { small(s, vcpus) },
                count: small(s, 99),
            };
            RunLane::Cells((0..cells).map(|_| cell(s)).collect())
        } else {
            let mut starts = times(s, span, most);
            starts.insert(0, from_ns.saturating_sub(below(s, 1_000)));
            let who = |s: &mut u64| match below(s, 8) {
                0..3 => IDLE,
                3 => SWITCHING,
                _ => small(s, vcpus),
            };
            RunLane::Segments(starts.into_iter().map(|at| segment(at, who(s))).collect())
        },
        idler: belief(s, span, most, cells),
        tickled: belief(s, span, most, cells),
        marks: times(s, span, most)
            .into_iter()
            .map(|at| mark(at, kind(s), u32::from(1 + small(s, 3))))
            .collect(),
        counts: if most == 1 << 10 {
            vec![(MarkKind::Wake, (0..cells).map(|_| small(s, 3)).collect())]
        } else {
            vec![]
        },
    };
    let lanes = (0..pcpus).map(|pcpu| lane(&mut s, pcpu)).collect();
    let arrows = times(&mut s, span, most / 4 + 1);
    let arrows = arrows.into_iter().enumerate().map(|(record, start_ns)| Arrow {
        kind: [ArrowKind::Tickle, ArrowKind::Steal, ArrowKind::Migrate][record % 3],
        from: small(&mut s, pcpus),
        to: small(&mut s, pcpus),
        start_ns,
        end_ns: start_ns + below(&mut s, len / 10 + 1),
        record: u32::try_from(record).expect("few"),
    });
    let arrows: Vec<Arrow> = arrows.collect();
    let reached_ns = if below(&mut s, 4) == 0 { from_ns + len / 2 } else { u64::MAX };
    let tile = Tile { run: RunId(1), span, shift, first: 0, lanes, arrows, reached_ns };
    let dpr = [1.0, 1.25, 2.0][usize::from(small(&mut s, 3))];
    let grouped = below(&mut s, 2) == 0;
    let mut sample = Sample::new(shape(pcpus, vcpus, grouped), tile, f64::from(width) + 70.0, dpr);
    sample.lit = vec![0, 1, 2];
    sample.selected = Some(known_record());
    sample
}

/// Another stretch of time near the tile's, as while a hand moves.
pub fn nearby(state: &mut u64, span: Span) -> Span {
    let len = span.to_ns - span.from_ns;
    let from_ns = (span.from_ns + below(state, len * 2)).saturating_sub(len);
    let to_ns = from_ns + (len / 4 + below(state, len * 2)).max(200);
    Span { from_ns, to_ns }
}

/// A point, in px.
pub fn at(x: f64, y: f64) -> Point {
    Point { x, y }
}
