//! Where rows, names, groups and ruler stand.
//!
//! Must not know time; the rows' width is all that a [`Scale`] needs from here.

use super::below::LaneBox;
use super::draw::Area;
use super::scale::{Scale, count_px, to_index};
use super::shape::{MachineShape, PcpuShape};
use super::theme::Sizes;
use crate::protocol::{Side, Span};

/// The lowest row that can be told from its neighbours, in px.
pub const PITCH_MIN: f64 = 10.0;
/// A row that shows everything, in px.
const PITCH_MAX: f64 = 58.0;
/// Above the first row and below the last, in px.
const MARGIN: f64 = 8.0;
/// The strip between the halves of a doubled row, in px.
const STRIP: f64 = 3.0;
/// More room between threads of two cores, in px.
const CORE_GAP: f64 = 4.0;
/// More room between sockets or nodes, in px.
const GROUP_GAP: f64 = 8.0;

/// What a layout is made for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Room {
    /// Width of the whole picture, in px.
    pub width: f64,
    /// The height that it may take, in px.
    pub height_max: f64,
    /// The first row wanted; moved up if the last row would not reach the end.
    pub first: u16,
    /// Text sizes.
    pub sizes: Sizes,
    /// Whether each row is doubled: A above B.
    pub doubled: bool,
}

/// Where everything stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Layout {
    /// Width of the whole picture, in px.
    pub width: f64,
    /// Height of the whole picture, in px.
    pub height: f64,
    /// The rows' area: right of the names, below the ruler.
    pub plot: Area,
    /// The rows shown, top to bottom.
    pub rows: Vec<RowBox>,
    /// Sockets and nodes; empty if there is one of each.
    pub groups: Vec<GroupBox>,
    /// Rows that are threads of one core, as first and last place in `rows`.
    pub cores: Vec<(usize, usize)>,
    /// How many rows there are, shown or not.
    pub total: u16,
    /// Whether each row is doubled: A above B. [`Layout::side`] has the halves.
    pub doubled: bool,
    /// Lanes below the rows.
    pub below: Vec<LaneBox>,
}

/// Where a row stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowBox {
    /// The pCPU.
    pub pcpu: u16,
    /// The whole row, with what surrounds it.
    pub area: Area,
    /// What runs.
    pub bar: Area,
    /// What the scheduler believes.
    pub belief: Area,
    /// Whether there is room for its name.
    pub named: bool,
}

/// A socket or node.
#[derive(Clone, Debug, PartialEq)]
pub struct GroupBox {
    /// Upper and lower edge, in px.
    pub edges: (f64, f64),
    /// How it is called; empty if there is no room for it.
    pub label: String,
}

impl Layout {
    /// The layout of a machine's rows.
    #[must_use]
    pub fn new(shape: &MachineShape, room: Room) -> Self {
        let places = &shape.pcpus;
        let ruler = room.sizes.text + 12.0;
        let rows_height = room.height_max - ruler - 2.0 * MARGIN;
        let gaps: f64 = (1..places.len()).map(|at| gap_before(places, at)).sum();
        let wanted = (rows_height - gaps) / count_px(places.len().max(1));
        let halves = if room.doubled { 2.0 } else { 1.0 };
        let most = PITCH_MAX * room.sizes.text / 12.0;
        let pitch = wanted.clamp(PITCH_MIN * halves, most * halves).floor();
        let first = usize::from(room.first).min(first_max(places, pitch, rows_height));
        let letter = if room.doubled { room.sizes.letter + 8.0 } else { 0.0 };
        let left = (gutter(shape, room.sizes) + letter).round();
        let width = (room.width - left - 10.0).max(1.0);
        let mut y = ruler + MARGIN;
        let mut rows = Vec::new();
        for (at, pcpu) in (0u16..).take(places.len()).enumerate().skip(first) {
            let top = y + if at > first { gap_before(places, at) } else { 0.0 };
            if top + pitch > ruler + MARGIN + rows_height + 0.5 && at > first {
                break;
            }
            let area = Area { x: left, y: top, w: width, h: pitch };
            let each = to_index((room.sizes.text + 2.0) / pitch) + 1;
            let named = (at - first).is_multiple_of(each);
            rows.push(if room.doubled { both(pcpu, area, named) } else { row(pcpu, area, named) });
            y = top + pitch;
        }
        let total = u16::try_from(places.len()).expect("pCPUs are numbered by u16");
        let plot = Area { x: left, y: ruler, w: width, h: y + MARGIN - ruler };
        let groups = groups(places, &rows, room.sizes);
        let cores = runs(&rows, |row| place(places, row).core);
        let cores = cores.into_iter().filter(|(from, to)| from < to).collect();
        let height = plot.bottom();
        let doubled = room.doubled;
        let (width, below) = (room.width, Vec::new());
        Self { width, height, plot, rows, groups, cores, total, doubled, below }
    }

    /// The upper or the lower halves of doubled rows.
    #[must_use]
    pub fn side(&self, side: Side) -> Self {
        let half = |row: &RowBox| half(row.pcpu, row.area, side);
        Self { rows: self.rows.iter().map(half).collect(), ..self.clone() }
    }

    /// Which half of a doubled row a height lies in.
    #[must_use]
    pub fn side_at(&self, y: f64) -> Side {
        let below = self.row_at(y).is_some_and(|row| y >= half(row.pcpu, row.area, Side::B).area.y);
        if below { Side::B } else { Side::A }
    }

    /// Time laid over the rows.
    #[must_use]
    pub fn scale(&self, span: Span) -> Scale {
        Scale { span, left: self.plot.x, width: self.plot.w }
    }

    /// The row of a pCPU, if it is shown.
    #[must_use]
    pub fn row(&self, pcpu: u16) -> Option<&RowBox> {
        let first = self.rows.first()?.pcpu;
        self.rows.get(usize::from(pcpu.checked_sub(first)?))
    }

    /// The row at this height, or the nearest one.
    #[must_use]
    pub fn row_at(&self, y: f64) -> Option<&RowBox> {
        self.rows.iter().find(|row| y < row.area.bottom()).or(self.rows.last())
    }

    /// First row shown and how many are.
    #[must_use]
    pub fn shown(&self) -> (u16, u16) {
        let count = u16::try_from(self.rows.len()).expect("pCPUs are numbered by u16");
        (self.rows.first().map_or(0, |row| row.pcpu), count)
    }

    /// The first row to show so that this pCPU's row is seen.
    #[must_use]
    pub fn first_to_show(&self, pcpu: u16) -> u16 {
        let (first, count) = self.shown();
        if pcpu < first {
            pcpu
        } else if pcpu >= first + count.max(1) {
            pcpu + 1 - count.max(1)
        } else {
            first
        }
    }
}

/// Room for the rows' names and the groups, in px.
fn gutter(shape: &MachineShape, sizes: Sizes) -> f64 {
    let letters = 1 + shape.pcpus.len().saturating_sub(1).checked_ilog10().unwrap_or(0) + 1;
    let names = 18.0 + f64::from(letters) * (sizes.letter + 0.6);
    if has_groups(&shape.pcpus) { names + sizes.text + 12.0 } else { names }
}

fn has_groups(places: &[PcpuShape]) -> bool {
    places.windows(2).any(|pair| group_of(pair[0]) != group_of(pair[1]))
}

fn group_of(place: PcpuShape) -> (u16, u16) {
    (place.node, place.socket)
}

fn place(places: &[PcpuShape], row: &RowBox) -> PcpuShape {
    places[usize::from(row.pcpu)]
}

/// More room above the row at this place, in px.
fn gap_before(places: &[PcpuShape], at: usize) -> f64 {
    let (above, here) = (places[at - 1], places[at]);
    let threaded = |place: PcpuShape| places.iter().filter(|p| p.core == place.core).count() > 1;
    if group_of(above) != group_of(here) {
        GROUP_GAP
    } else if above.core != here.core && (threaded(above) || threaded(here)) {
        CORE_GAP
    } else {
        0.0
    }
}

/// The last row that may be the first one shown: from there everything fits.
fn first_max(places: &[PcpuShape], pitch: f64, height: f64) -> usize {
    let mut used = pitch;
    let mut first = places.len().saturating_sub(1);
    while first > 0 {
        used += pitch + gap_before(places, first);
        if used > height + 0.5 {
            break;
        }
        first -= 1;
    }
    first
}

fn row(pcpu: u16, area: Area, named: bool) -> RowBox {
    let belief_h = (area.h / 8.0).clamp(2.0, 5.0).round();
    let gap = (area.h / 16.0).clamp(1.0, 3.0).round();
    let apart = (area.h / 8.0).clamp(1.0, 6.0).round();
    let bar = Area { h: area.h - belief_h - gap - apart, ..area };
    let belief = Area { y: bar.bottom() + gap, h: belief_h, ..area };
    RowBox { pcpu, area, bar, belief, named }
}

/// The part of a doubled row that is A's or B's.
fn half(pcpu: u16, area: Area, side: Side) -> RowBox {
    let apart = (area.h / 16.0).clamp(1.0, 8.0).round();
    let h = ((area.h - apart) / 2.0).floor();
    match side {
        Side::B => row(pcpu, Area { y: area.y + h, h, ..area }, true),
        // Between the two there is always room for the strip that tells where they differ.
        Side::A => {
            let of = row(pcpu, Area { h, ..area }, true);
            let lacks = (STRIP - (of.area.bottom() - of.belief.bottom())).max(0.0);
            let bar = Area { h: of.bar.h - lacks, ..of.bar };
            RowBox { bar, belief: Area { y: of.belief.y - lacks, ..of.belief }, ..of }
        }
    }
}

/// A doubled row: from A's bar down to B's.
fn both(pcpu: u16, area: Area, named: bool) -> RowBox {
    let [a, b] = Side::BOTH.map(|side| half(pcpu, area, side));
    let bar = Area { h: b.bar.bottom() - a.bar.y, ..a.bar };
    RowBox { pcpu, area, bar, belief: b.belief, named }
}

/// Runs of neighbouring rows with the same key, as first and last place.
fn runs<K: PartialEq>(rows: &[RowBox], key: impl Fn(&RowBox) -> K) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for at in 0..rows.len() {
        match runs.last_mut() {
            Some((_, last)) if key(&rows[*last]) == key(&rows[at]) => *last = at,
            _ => runs.push((at, at)),
        }
    }
    runs
}

fn groups(places: &[PcpuShape], rows: &[RowBox], sizes: Sizes) -> Vec<GroupBox> {
    if !has_groups(places) {
        return Vec::new();
    }
    let many_nodes = places.iter().any(|place| place.node != places[0].node);
    let many_sockets = places.iter().any(|place| place.socket != places[0].socket);
    let runs = runs(rows, |row| group_of(place(places, row)));
    let group = |(from, to): (usize, usize)| {
        let PcpuShape { node, socket, .. } = place(places, &rows[from]);
        let edges = (rows[from].bar.y, rows[to].belief.bottom());
        let long = match (many_nodes, many_sockets) {
            (true, true) => format!("node {node} · socket {socket}"),
            (true, false) => format!("node {node}"),
            _ => format!("socket {socket}"),
        };
        let short = if many_nodes { format!("n{node}") } else { format!("s{socket}") };
        let room = |label: &String| count_px(label.chars().count()) * sizes.letter;
        let fits = |label: &String| room(label) + 4.0 <= edges.1 - edges.0;
        let label = [long, short].into_iter().find(fits).unwrap_or_default();
        GroupBox { edges, label }
    };
    runs.into_iter().map(group).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::presets::PRESETS;
    use sim_core::topology::Topology;

    fn layout(topology: Topology, height_max: f64, first: u16) -> Layout {
        room(topology, height_max, first, false)
    }

    fn room(topology: Topology, height_max: f64, first: u16, doubled: bool) -> Layout {
        let mut scenario = (PRESETS[0].build)();
        scenario.topology = topology;
        let shape = MachineShape::of(&scenario);
        let room = Room { width: 884.0, height_max, first, sizes: Sizes::of(false), doubled };
        Layout::new(&shape, room)
    }

    /// Goal: four pCPUs have the bars of the mock, sixteen fit into 420 px.
    #[test]
    fn rows_are_as_high_as_the_room_allows() {
        let four = layout(Topology::regular(1, 4, 1, false), 420.0, 0);
        assert!((four.rows[0].bar.h - 44.0).abs() < 0.1, "{:?}", four.rows[0]);
        let sixteen = layout(Topology::regular(2, 4, 2, true), 420.0, 0);
        assert_eq!(sixteen.rows.len(), 16);
        assert!(sixteen.height <= 420.5 && sixteen.rows[0].bar.h >= 14.0, "{}", sixteen.height);
    }

    /// Goal: rows and lanes never overlap, stay within the picture, and every pCPU can be reached
    /// by scrolling. Method: 1 to 64 pCPUs in three shapes and two heights.
    #[test]
    fn rows_do_not_overlap_and_are_all_reached() {
        for (count, threads, height) in
            (1..=64u16).flat_map(|n| [(n, 1, 420.0), (n, 2, 300.0), (n, 4, 420.0)])
        {
            let topology = || Topology::regular(2, count.div_ceil(threads * 2), threads, true);
            let total = u16::try_from(topology().pcpu_count()).expect("few");
            let mut seen = vec![false; usize::from(total)];
            for first in 0..total {
                let layout = layout(topology(), height, first);
                assert!(layout.height <= height + 0.5, "{count} rows take {}", layout.height);
                for row in &layout.rows {
                    seen[usize::from(row.pcpu)] = true;
                    assert!(row.bar.bottom() < row.belief.y && row.bar.h >= 5.0, "{row:?}");
                    assert!(row.belief.bottom() <= row.area.bottom(), "{row:?}");
                    assert_eq!(layout.row(row.pcpu), Some(row));
                    assert_eq!(layout.row_at(row.bar.middle()), Some(row));
                }
                for pair in layout.rows.windows(2) {
                    assert!(pair[0].area.bottom() <= pair[1].area.y, "{pair:?}");
                }
            }
            assert!(seen.iter().all(|seen| *seen), "{count} rows: some cannot be reached");
        }
    }

    /// Goal: doubled rows have A above B with a strip between, nothing overlaps, and a height
    /// belongs to the half that is drawn there. Method: 4, 16 and 64 pCPUs.
    #[test]
    fn doubled_rows_have_two_halves() {
        for (sockets, height) in [(1, 424.0), (4, 560.0), (16, 560.0)] {
            let layout = room(Topology::regular(sockets, 4, 1, false), height, 0, true);
            assert!(layout.height <= height + 0.5, "{}", layout.height);
            let [a, b] = Side::BOTH.map(|side| layout.side(side));
            for ((row, a), b) in layout.rows.iter().zip(&a.rows).zip(&b.rows) {
                assert!(a.bar.h >= 3.0 && a.bar.bottom() < a.belief.y, "{a:?}");
                assert!(a.belief.bottom() + STRIP <= b.bar.y + 0.01, "{a:?} {b:?}");
                assert!(b.belief.bottom() <= row.area.bottom(), "{b:?} {row:?}");
                for (side, half) in [(Side::A, a), (Side::B, b)] {
                    assert_eq!(layout.side_at(half.bar.middle()), side);
                    assert_eq!(layout.row_at(half.bar.middle()), Some(row));
                }
            }
        }
    }

    /// Goal: groups are named where there are several, and threads of a core are bracketed.
    #[test]
    fn groups_and_cores_are_named() {
        let flat = layout(Topology::regular(1, 4, 1, false), 420.0, 0);
        assert!(flat.groups.is_empty() && flat.cores.is_empty());
        let numa = layout(Topology::regular(2, 4, 2, true), 420.0, 0);
        let labels: Vec<_> = numa.groups.iter().map(|group| group.label.as_str()).collect();
        assert_eq!(labels, ["node 0 · socket 0", "node 1 · socket 1"]);
        assert_eq!(numa.cores.len(), 8);
        let uma = layout(Topology::regular(2, 2, 1, false), 420.0, 0);
        assert_eq!(uma.groups[1].label, "socket 1");
    }

    /// Goal: a row out of sight is found again by the least scrolling.
    #[test]
    fn a_hidden_row_is_scrolled_to() {
        let layout = layout(Topology::regular(1, 64, 1, false), 300.0, 10);
        let (first, count) = layout.shown();
        assert_eq!((first, count < 64), (10, true));
        assert_eq!(layout.first_to_show(3), 3);
        assert_eq!(layout.first_to_show(12), 10);
        assert_eq!(layout.first_to_show(63), 64 - count);
    }
}
