//! What follows from the state: nothing here is stored.

use super::{Before, Phase, Purpose, Run, Selection, State, Tab};
use crate::protocol::{Explanation, RunId, Side, Span, Tile};
use crate::share::{Panels, Place, ScenarioChoice, ShareState, SideB};
use std::rc::Rc;

/// Which tile: what [`crate::protocol::Request::Tile`] asks, and how far the run had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileKey {
    /// Which run.
    pub run: RunId,
    /// The time to show.
    pub span: Span,
    /// Its cells are 2 to the power of this many ns long.
    pub shift: u32,
    /// First row and how many.
    pub rows: (u16, u16),
    /// Up to where the run must have come, in ns.
    pub reached_ns: u64,
}

/// What a link carries: everything that makes the picture.
#[must_use]
pub fn share_state(state: &State) -> ShareState {
    let own = (&state.scenario, state.patches, &state.run);
    let other = state.ab.as_ref().map(|ab| (&ab.other.scenario, ab.other.patches, &ab.other.run));
    let [(scenario, patches, run), (b_scenario, b_patches, b_run)] =
        state.sides(own, other.unwrap_or(own));
    let b = other.map(|_| SideB {
        patches: b_patches,
        seed: (b_scenario.seed != scenario.seed).then_some(b_scenario.seed),
        params: (b_scenario.params != scenario.params).then(|| b_scenario.params.clone()),
        digest: digest(b_run),
    });
    let choice = match state.preset {
        Some(number) => ScenarioChoice::Preset(number),
        None => ScenarioChoice::Own(Box::new((**scenario).clone())),
    };
    let panels = state.panels.with(Panels::PRESENTING, state.looks.presenting);
    let panels = panels.with(Panels::PREDICT, state.predict.on);
    let view = state.view_to_be();
    ShareState {
        view: Some((view.from_ns, view.to_ns)),
        cursor_ns: Some(state.cursor_ns),
        selection: place(state),
        digest: digest(run),
        row: own_row(state),
        range: state.range.map(|range| (range.from_ns, range.to_ns)),
        panels: panels.with(Panels::HAND_B, state.side() == Side::B),
        b,
        stops: (*state.talk.stops).clone(),
        ..ShareState::bare(choice, patches)
    }
}

/// The row chosen, unless whoever opens the link comes to the same one by the selection.
fn own_row(state: &State) -> Option<u16> {
    let implied = place(state).map_or(0, |place| place.pcpu);
    (state.row != implied).then_some(state.row)
}

/// The run to compare with: of the same length, and neither of the two ended early.
#[must_use]
pub fn before(state: &State) -> Option<&Before> {
    let summary = state.run.summary.as_ref().filter(|_| state.run.cut.is_none())?;
    state.before.as_ref().filter(|before| before.summary.end_ns == summary.end_ns)
}

/// The tab of the charts that shows: what a change did comes by itself unless one was chosen.
#[must_use]
pub fn tab(state: &State) -> Tab {
    let own = if before(state).is_some() { Tab::Changed } else { Tab::Latency };
    state.looks.tab.unwrap_or(own)
}

/// The place of the selected record, or the one that is looked for.
#[must_use]
pub fn place(state: &State) -> Option<Place> {
    state.selection.record.map(|record| record.place).or(state.selection.place)
}

/// The digest of a run that came to its end.
#[must_use]
pub fn digest(run: &Run) -> Option<u64> {
    let summary = run.summary.as_ref().filter(|_| run.cut.is_none())?;
    u64::from_str_radix(&summary.digest, 16).ok()
}

/// The explanation of the selected record, if it is there.
#[must_use]
pub fn why(state: &State) -> Option<&Rc<Explanation>> {
    why_of(&state.selection, state.run.id)
}

/// The explanation of the record that is selected in a run, if it is there.
#[must_use]
pub fn why_of(selection: &Selection, run: RunId) -> Option<&Rc<Explanation>> {
    let record = selection.record?.record;
    let why = selection.why.as_ref()?;
    (why.record.record == record && selection.why_run == run).then_some(why)
}

/// Whether a reason is on its way: asked for, or looked for.
#[must_use]
pub fn is_reading(state: &State) -> bool {
    let looks = |(_, purpose): &(u32, Purpose)| {
        matches!(purpose, Purpose::Go | Purpose::GoChanged | Purpose::Follow)
    };
    place(state).is_some() || state.asked.explain.is_some() || state.asked.finds.iter().any(looks)
}

/// Whether changed decisions are still being counted.
#[must_use]
pub fn is_counting(run: &Run) -> bool {
    run.phase == Phase::Ended && run.flips.as_ref().is_none_or(|flips| flips.goes_on)
}

/// Records whose arrows are lit: the selected one and its chain.
#[must_use]
pub fn lit_records(state: &State) -> Vec<u32> {
    lit_of(&state.selection, state.run.id)
}

/// The same of a run's own selection.
#[must_use]
pub fn lit_of(selection: &Selection, run: RunId) -> Vec<u32> {
    let Some(record) = selection.record else { return Vec::new() };
    let why = why_of(selection, run);
    let chain = why.into_iter().flat_map(|why| why.chain.iter().map(|link| link.record.record));
    std::iter::once(record.record).chain(chain.filter(|other| *other != record.record)).collect()
}

/// Up to where something is known of the run, in ns.
#[must_use]
pub fn known_ns(run: &Run) -> u64 {
    run.summary.as_ref().map_or(run.reached_ns, |summary| summary.end_ns.max(run.reached_ns))
}

/// Tiles begin and end at a multiple of so many cells, as a power of two.
const STEP_BITS: u32 = 6;

/// The tile that the view needs: half a view more on either side, a quarter of the rows more where
/// there are more, and cells no longer than a pixel.
#[must_use]
pub fn wanted_tile(state: &State) -> Option<TileKey> {
    let width_px = u64::from(state.pictures.width_px);
    let (first, count) = state.pictures.rows;
    if width_px == 0 || count == 0 {
        return None;
    }
    let view = state.view;
    let length = view.to_ns - view.from_ns;
    let shift = (length / width_px).max(1).ilog2();
    let step = shift + STEP_BITS;
    let span = Span {
        from_ns: view.from_ns.saturating_sub(length / 2) >> step << step,
        to_ns: ((((view.to_ns + length / 2) >> step) + 1) << step).min(state.run.duration_ns),
    };
    let pcpus = u16::try_from(state.scenario.topology.pcpu_count()).unwrap_or(u16::MAX);
    let from = first.saturating_sub(count / 4).min(pcpus);
    let to = first.saturating_add(count).saturating_add(count / 4).min(pcpus);
    Some(TileKey {
        run: state.run.id,
        span,
        shift,
        rows: (from, to - from),
        reached_ns: known_ns(&state.run).min(span.to_ns),
    })
}

/// The rows of a tile, first and how many.
fn rows_of(tile: &Tile) -> (u16, u16) {
    (tile.first, u16::try_from(tile.lanes.len()).unwrap_or(u16::MAX))
}

/// How many of the rows shown a tile has.
fn rows_shown(state: &State, tile: &Tile) -> u16 {
    let ((first, count), (has, lanes)) = (state.pictures.rows, rows_of(tile));
    let pcpus = u16::try_from(state.scenario.topology.pcpu_count()).unwrap_or(u16::MAX);
    let end = first.saturating_add(count).min(pcpus).min(has.saturating_add(lanes));
    end.saturating_sub(first.max(has))
}

/// Whether a tile is as good as the wanted one for the view, and reaches so far beyond it that
/// the next one is there before it is needed.
#[must_use]
pub fn tile_fits(state: &State, tile: &Tile, wanted: &TileKey) -> bool {
    let Span { from_ns, to_ns } = state.view;
    let rim = (to_ns - from_ns) / 8;
    let end_ns = to_ns.saturating_add(rim).min(state.run.duration_ns);
    tile.run == wanted.run
        && tile.span.from_ns <= from_ns.saturating_sub(rim)
        && end_ns <= tile.span.to_ns
        && rows_shown(state, tile) >= state.pictures.rows.1.min(wanted.rows.1)
        && (tile.shift == wanted.shift || tile.shift + 1 == wanted.shift)
        && tile.reached_ns >= known_ns(&state.run).min(tile.span.to_ns)
}

/// The tile to show until the wanted one is there: one of this run, if any, that shows most of the
/// view, and of those the one that is nearest to it in fineness.
#[must_use]
pub fn stand_in<'a>(state: &State, kept: &'a [Rc<Tile>]) -> Option<&'a Rc<Tile>> {
    let view = state.view;
    let wanted = wanted_tile(state)?;
    let worth = |tile: &&Rc<Tile>| {
        let (from, to) = (tile.span.from_ns.max(view.from_ns), tile.span.to_ns.min(view.to_ns));
        let parts = u128::from(to.saturating_sub(from)) * 16
            / u128::from((view.to_ns - view.from_ns).max(1));
        let coarse = std::cmp::Reverse(tile.shift.abs_diff(wanted.shift));
        (tile.run == wanted.run, rows_shown(state, tile), parts, coarse, tile.reached_ns)
    };
    kept.iter().max_by_key(worth)
}

/// The most tiles that are kept, and the most cells of all of them.
const KEPT: (usize, usize) = (12, 2_000_000);

/// Puts a tile in front of those that are kept, and drops what is one too many, older of the same
/// or of another run.
pub fn keep(kept: &mut Vec<Rc<Tile>>, tile: Rc<Tile>) {
    let same =
        |old: &Tile| (old.span, old.shift, rows_of(old)) == (tile.span, tile.shift, rows_of(&tile));
    kept.retain(|old| old.run == tile.run && !same(old));
    kept.insert(0, tile);
    let mut cells = 0usize;
    let mut place = 0;
    kept.retain(|tile| {
        let own = tile.span.cell_at(tile.shift, tile.span.to_ns).saturating_mul(tile.lanes.len());
        (cells, place) = (cells.saturating_add(own), place + 1);
        place == 1 || (place <= KEPT.0 && cells <= KEPT.1)
    });
}
