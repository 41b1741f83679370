//! Levels that the page shows over time: those of the lanes below the rows, and of the chart of
//! credits.

use super::{Phase, State, Tab, credits, select};
use crate::protocol::{Level, LevelPicture, RunId, Span};
use crate::share::Panels;
use std::rc::Rc;

/// A lane below the rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lane {
    /// The bit of [`Panels`] that says that it is on.
    pub bit: u64,
    /// What it is called.
    pub name: &'static str,
}

/// All lanes, in order.
pub const LANES: [Lane; 5] = [
    Lane { bit: Panels::LANE_IDLERS, name: "idlers: pCPUs believed idle" },
    Lane { bit: Panels::LANE_TOLD, name: "tickled: told, not yet there" },
    Lane { bit: Panels::LANE_WAITING, name: "run-queue depth, all pCPUs" },
    Lane { bit: Panels::LANE_ROW, name: "run-queue depth, chosen row" },
    Lane { bit: Panels::LANE_CREDIT, name: "credit of vCPUs" },
];

/// The lanes that the key switches on: what the scheduler believes, and who waits.
const USUAL: u64 = Panels::LANE_IDLERS | Panels::LANE_TOLD | Panels::LANE_WAITING;

/// What is asked: which levels, when, and how finely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelsKey {
    /// Which run.
    pub run: RunId,
    /// The time to tell.
    pub span: Span,
    /// Its cells are 2 to the power of this many ns long.
    pub shift: u32,
    /// Which levels.
    pub levels: Vec<Level>,
}

/// The lanes that are on, each with its levels.
#[must_use]
pub fn lanes(state: &State) -> Vec<Vec<Level>> {
    let levels = |bit: u64| match bit {
        Panels::LANE_IDLERS => vec![Level::Idlers],
        Panels::LANE_TOLD => vec![Level::Told],
        Panels::LANE_WAITING => vec![Level::WaitingAll],
        Panels::LANE_ROW => vec![Level::Waiting(state.row)],
        _ => credits::vcpus(state).into_iter().map(Level::Credit).collect(),
    };
    LANES.iter().filter(|lane| state.panels.has(lane.bit)).map(|lane| levels(lane.bit)).collect()
}

/// The panels after the key of the lanes: none of them if any is on, or else the usual ones.
#[must_use]
pub fn toggled(panels: Panels) -> Panels {
    let all = LANES.iter().fold(0, |all, lane| all | lane.bit);
    let on = panels.bits() & all != 0;
    Panels::from_bits(if on { panels.bits() & !all } else { panels.bits() | USUAL })
}

/// What lanes and chart need to know; none while nobody looks at them.
#[must_use]
pub fn wanted(state: &State) -> Option<LevelsKey> {
    let width_px = u64::from(state.pictures.width_px);
    if width_px == 0 || state.run.phase != Phase::Ended {
        return None;
    }
    let mut levels = lanes(state).concat();
    if select::tab(state) == Tab::Credits && !state.panels.has(Panels::LANE_CREDIT) {
        levels.extend(credits::vcpus(state).into_iter().map(Level::Credit));
    }
    let span = state.view;
    // The chart may be a little wider than the rows.
    let shift = ((span.to_ns - span.from_ns) / (2 * width_px)).max(1).ilog2();
    (!levels.is_empty()).then_some(LevelsKey { run: state.run.id, span, shift, levels })
}

/// The levels to show: of this run; may be of another stretch of time until the answer comes. While
/// decisions are guessed they tell nothing of what is to be.
#[must_use]
pub fn picture(state: &State) -> Option<Rc<LevelPicture>> {
    let picture = state.pictures.levels.as_ref().filter(|picture| picture.run == state.run.id)?;
    Some(match state.veil() {
        Some(veil) => Rc::new(picture.until(veil.until_ns)),
        None => picture.clone(),
    })
}
