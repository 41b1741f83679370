//! What follows from the state: nothing here is stored.

use super::{Phase, Run, State};
use crate::protocol::{Explanation, RunId, Span};
use crate::share::{Panels, Place, ScenarioChoice, ShareState};
use std::rc::Rc;

/// Which tile: what [`crate::protocol::Request::Tile`] asks, and how far the run had come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TileKey {
    /// Which run.
    pub run: RunId,
    /// The time to show.
    pub span: Span,
    /// How many pixels wide.
    pub width: u32,
    /// First row and how many.
    pub rows: (u16, u16),
    /// Up to where the run must have come, in ns.
    pub reached_ns: u64,
}

/// What a link carries: everything that makes the picture.
#[must_use]
pub fn share_state(state: &State) -> ShareState {
    let scenario = match state.preset {
        Some(number) => ScenarioChoice::Preset(number),
        None => ScenarioChoice::Own(Box::new((*state.scenario).clone())),
    };
    ShareState {
        view: Some((state.view.from_ns, state.view.to_ns)),
        cursor_ns: Some(state.cursor_ns),
        selection: place(state),
        digest: digest(&state.run),
        row: own_row(state),
        range: state.range.map(|range| (range.from_ns, range.to_ns)),
        panels: state.panels.with(Panels::PRESENTING, state.looks.presenting),
        ..ShareState::bare(scenario, state.patches)
    }
}

/// The row chosen, unless whoever opens the link comes to the same one by the selection.
fn own_row(state: &State) -> Option<u16> {
    let implied = place(state).map_or(0, |place| place.pcpu);
    (state.row != implied).then_some(state.row)
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
    let selection = &state.selection;
    let record = selection.record?.record;
    let why = selection.why.as_ref()?;
    (why.record.record == record && selection.why_run == state.run.id).then_some(why)
}

/// Whether changed decisions are still being counted.
#[must_use]
pub fn is_counting(run: &Run) -> bool {
    run.phase == Phase::Ended && run.flips.as_ref().is_none_or(|flips| flips.goes_on)
}

/// Records whose arrows are lit: the selected one and its chain.
#[must_use]
pub fn lit_records(state: &State) -> Vec<u32> {
    let Some(record) = state.selection.record else { return Vec::new() };
    let chain =
        why(state).into_iter().flat_map(|why| why.chain.iter().map(|link| link.record.record));
    std::iter::once(record.record).chain(chain.filter(|other| *other != record.record)).collect()
}

/// Up to where something is known of the run, in ns.
#[must_use]
pub fn known_ns(run: &Run) -> u64 {
    run.summary.as_ref().map_or(run.reached_ns, |summary| summary.end_ns.max(run.reached_ns))
}

/// The tile that the view needs: half a view more on either side, as dense as the screen.
#[must_use]
pub fn wanted_tile(state: &State) -> Option<TileKey> {
    let width_px = u64::from(state.pictures.width_px);
    if width_px == 0 || state.pictures.rows.1 == 0 {
        return None;
    }
    let view = state.view;
    let length = view.to_ns - view.from_ns;
    let span = Span {
        from_ns: view.from_ns.saturating_sub(length / 2),
        to_ns: (view.to_ns + length / 2).min(state.run.duration_ns),
    };
    let width = u128::from(width_px) * u128::from(span.to_ns - span.from_ns) / u128::from(length);
    Some(TileKey {
        run: state.run.id,
        span,
        width: u32::try_from(width).unwrap_or(u32::MAX).max(1),
        rows: state.pictures.rows,
        reached_ns: known_ns(&state.run).min(span.to_ns),
    })
}

/// Whether the tile at hand is as good as the wanted one for the view.
#[must_use]
pub fn tile_fits(state: &State, wanted: &TileKey) -> bool {
    let Some(tile) = &state.pictures.tile else { return false };
    let covers = tile.span.from_ns <= state.view.from_ns && state.view.to_ns <= tile.span.to_ns;
    let rows = (tile.first, u16::try_from(tile.lanes.len()).unwrap_or(u16::MAX));
    let density = |width: u32, span: Span| {
        u128::from(width) * 1_000_000_000 / u128::from((span.to_ns - span.from_ns).max(1))
    };
    let (have, want) = (density(tile.width, tile.span), density(wanted.width, wanted.span));
    tile.run == wanted.run
        && covers
        && rows == wanted.rows
        && have * 4 >= want * 3
        && have * 3 <= want * 4
        && tile.reached_ns >= known_ns(&state.run).min(tile.span.to_ns)
}
