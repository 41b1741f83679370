//! After every action: ask for whatever the state needs and does not have.
//!
//! One question of a sort at a time, so a slow worker is never flooded.

use super::Cx;
use crate::protocol::Request;
use crate::state::{Phase, levels, select, stretches};

impl Cx {
    pub(super) fn settle(&mut self) {
        self.settle_run();
        if self.state.run.phase != Phase::Gone {
            self.settle_now();
            self.settle_levels();
        }
        if let Some(spot) = self.state.unseen_spot() {
            self.state.magnifier.asked = Some(spot);
            self.send(Request::Under(spot));
        }
        if self.state.ab.is_some() {
            self.settle_match();
            self.state.exchange();
            self.settle_run();
            self.state.exchange();
        }
    }

    /// What is shown of either of two runs.
    fn settle_run(&mut self) {
        if self.state.run.phase != Phase::Gone {
            self.settle_explanation();
            self.settle_tile();
            self.settle_overview();
            self.settle_stretch();
        }
    }

    fn settle_stretch(&mut self) {
        let Some(wanted) = self.state.wanted_stretch() else { return };
        self.state.asked.stretch = Some(wanted);
        let stretches::Wanted { span, each_vcpu } = wanted;
        self.send(Request::Stretch { run: self.state.run.id, span, each_vcpu });
    }

    fn settle_explanation(&mut self) {
        let Some(record) = self.state.selection.record else { return };
        if self.state.asked.explain.is_none() && select::why(&self.state).is_none() {
            self.state.asked.explain = Some(record.record);
            self.send(Request::Explain { run: self.state.run.id, record: record.record });
        }
    }

    fn settle_tile(&mut self) {
        let Some(wanted) = select::wanted_tile(&self.state) else { return };
        let kept = &self.state.pictures.kept;
        let fitting = kept.iter().position(|tile| select::tile_fits(&self.state, tile, &wanted));
        if let Some(at) = fitting {
            let pictures = &mut self.state.pictures;
            pictures.kept[..=at].rotate_right(1);
            pictures.tile = pictures.kept.first().cloned();
            return;
        }
        let stand_in = select::stand_in(&self.state, kept).cloned();
        self.state.pictures.tile = stand_in.or(self.state.pictures.tile.take());
        let asked = &self.state.asked;
        // While the run has not come into view, the picture of the run before is no worse.
        let in_view = wanted.reached_ns > self.state.view.from_ns;
        if asked.tile.is_some() || asked.tile_done == Some(wanted) || !in_view {
            return;
        }
        self.state.asked.tile = Some(wanted);
        self.send(Request::Tile {
            run: wanted.run,
            span: wanted.span,
            shift: wanted.shift,
            first: wanted.rows.0,
            count: wanted.rows.1,
        });
    }

    fn settle_overview(&mut self) {
        let width = self.state.pictures.width_px;
        let known_ns = select::known_ns(&self.state.run);
        let run = self.state.run.id;
        let wanted = Some((width, known_ns));
        let asked = &mut self.state.asked;
        if width > 0 && known_ns > 0 && asked.overview_done != wanted && asked.overview.is_none() {
            asked.overview = wanted;
            self.send(Request::Overview { run, width });
        }
    }

    /// One question at a time, but one that takes long gives way to the next.
    fn settle_levels(&mut self) {
        let Some(wanted) = levels::wanted(&self.state) else { return };
        let asked = &mut self.state.asked;
        if asked.levels.is_some() || asked.levels_done.as_ref() == Some(&wanted) {
            return;
        }
        asked.last_ask = asked.last_ask.wrapping_add(1).max(1);
        let ask = asked.last_ask;
        asked.levels_ask = ask;
        asked.levels = Some(wanted.clone());
        let levels::LevelsKey { run, span, shift, levels } = wanted;
        self.send(Request::Levels { run, ask, span, shift, levels });
    }

    fn settle_now(&mut self) {
        let time_ns = self.state.cursor_ns;
        let has = self.state.asked.snapshot_done_ns == Some(time_ns);
        // The explanation of a record at the cursor brings its moment along.
        let record = self.state.selection.record;
        let coming = record.is_some_and(|record| record.place.time_ns == time_ns)
            && self.state.asked.explain.is_some();
        // So does the one behind a question.
        let coming = coming || self.state.predict.open().is_some();
        let known = select::known_ns(&self.state.run) >= time_ns;
        if known && !has && !coming && self.state.asked.snapshot_ns.is_none() {
            self.state.asked.snapshot_ns = Some(time_ns);
            self.send(Request::Snapshot { run: self.state.run.id, time_ns });
        }
    }
}
