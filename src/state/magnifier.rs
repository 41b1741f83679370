//! What the pixel under the pointer hides: asked for while the pointer rests on one that hides
//! several things.

use super::{Phase, State};
use crate::protocol::{RunId, Side, Span, Spot, Under};
use std::rc::Rc;

/// The magnifier.
#[derive(Clone, Debug)]
pub struct Magnifier {
    /// Whether it is wanted at all.
    pub on: bool,
    /// The pixel under the pointer, if it hides something.
    pub spot: Option<Spot>,
    /// The question under way.
    pub asked: Option<Spot>,
    /// The last answer; may be about another pixel.
    pub told: Option<Rc<Under>>,
}

impl Default for Magnifier {
    fn default() -> Self {
        Self { on: true, spot: None, asked: None, told: None }
    }
}

impl State {
    /// What is under the pointer, once it is known.
    #[must_use]
    pub fn magnified(&self) -> Option<&Rc<Under>> {
        let spot = self.magnified_spot()?;
        self.magnifier.told.as_ref().filter(|told| told.spot == spot)
    }

    /// The pixel that is magnified, of a run that is still there. None while a decision is to be
    /// guessed: what lies under it may go on until after that.
    fn magnified_spot(&self) -> Option<Spot> {
        let spot = self.magnifier.spot.filter(|_| self.magnifier.on && self.veil().is_none())?;
        self.reached_by(spot.run).is_some().then_some(spot)
    }

    /// How far a run has come, in ns; none of one that is not there any more.
    fn reached_by(&self, run: RunId) -> Option<u64> {
        let sides = [Side::A, Side::B].into_iter().filter_map(|side| self.run_of(side));
        sides.into_iter().find(|(id, _)| *id == run).map(|(_, reached_ns)| reached_ns)
    }

    /// Which run a side shows, and how far it is known, in ns; none of a run that is gone.
    fn run_of(&self, side: Side) -> Option<(RunId, u64)> {
        let run = match &self.ab {
            Some(ab) if ab.side != side => &ab.other.run,
            _ => &self.run,
        };
        (run.phase != Phase::Gone).then_some((run.id, run.reached_ns))
    }

    /// The pointer rests on a pixel that hides something, or on none.
    pub(super) fn rest_on(&mut self, place: Option<(Side, u16, Span)>) {
        self.magnifier.spot = place.and_then(|(side, pcpu, span)| {
            let (run, _) = self.run_of(side)?;
            Some(Spot { run, pcpu, span })
        });
    }

    /// The pixel to ask about next: one question at a time, and none twice unless the run has come
    /// further.
    pub(super) fn unseen_spot(&self) -> Option<Spot> {
        let Magnifier { asked, told, .. } = &self.magnifier;
        let spot = self.magnified_spot()?;
        // A question about a run that is not there any more has no answer.
        let waits = asked.is_some_and(|asked| self.reached_by(asked.run).is_some());
        let reached_ns = self.reached_by(spot.run)?;
        let known = told.as_ref().is_some_and(|told| {
            let whole = told.reached_ns >= spot.span.to_ns || told.reached_ns >= reached_ns;
            told.spot == spot && whole
        });
        (!waits && !known).then_some(spot)
    }
}
