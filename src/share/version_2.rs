//! Version 2 of links: version 1, then sections of which each names itself and tells its length.
//!
//! A section with an odd number may be skipped by a page that does not know it; without one with an
//! even number the picture would be another one, so the link is refused.

use super::pack::{Packer, Unpacker};
use super::{
    CAPTION_MAX, LinkError, Panels, STOPS_MAX, ScenarioChoice, ShareState, SideB, Stop, scenario,
    version_1,
};
use sim_core::presets::Preset;
use sim_core::scenario::Scenario;

/// The sections' numbers; one is never used for anything else.
mod section {
    pub(super) const ROW: u64 = 1;
    pub(super) const SIDE_B: u64 = 2;
    pub(super) const RANGE: u64 = 3;
    pub(super) const PANELS: u64 = 5;
    pub(super) const STOPS: u64 = 7;
}

mod flag {
    pub(super) const B_SEED: u8 = 1;
    pub(super) const B_PARAMS: u8 = 2;
    pub(super) const B_DIGEST: u8 = 4;
    pub(super) const STOP_SELECTION: u8 = 1;
    /// The row is not that of the selection, or without one not the first.
    pub(super) const STOP_ROW: u8 = 2;
    pub(super) const STOP_RANGE: u8 = 4;
    pub(super) const STOP_PATCHES: u8 = 8;
}

/// Writes what version 1 cannot say; nothing if there is nothing of it.
pub(super) fn pack_sections(state: &ShareState, to: &mut Packer) {
    let mut section = |number: u64, pack: &dyn Fn(&mut Packer)| {
        let mut content = Packer::default();
        pack(&mut content);
        to.number(number);
        to.count(content.bytes.len());
        to.bytes.extend_from_slice(&content.bytes);
    };
    if let Some(row) = state.row {
        section(section::ROW, &|to| to.number(row));
    }
    if let Some(b) = &state.b {
        section(section::SIDE_B, &|to| pack_side_b(b, &state.scenario, to));
    }
    if let Some(range) = state.range {
        section(section::RANGE, &|to| to.stretch(range));
    }
    if state.panels != Panels::default() {
        section(section::PANELS, &|to| to.number(state.panels.bits()));
    }
    if !state.stops.is_empty() {
        section(section::STOPS, &|to| {
            to.count(state.stops.len());
            state.stops.iter().for_each(|stop| pack_stop(stop, to));
        });
    }
}

pub(super) fn unpack(from: &mut Unpacker<'_>) -> Result<ShareState, LinkError> {
    let mut state = version_1::unpack(from)?.upgraded();
    let mut last = None;
    while !from.is_empty() {
        let number = from.number("a section")?;
        if last.is_some_and(|last| last >= number) {
            return Err(LinkError::SectionOrder { section: number });
        }
        last = Some(number);
        let content = &mut from.part("a section")?;
        match number {
            section::ROW => state.row = Some(content.small("the row")?),
            section::SIDE_B => state.b = Some(unpack_side_b(content, &state.scenario)?),
            section::RANGE => state.range = Some(content.stretch("the range")?),
            section::PANELS => state.panels = Panels::from_bits(content.number("the panels")?),
            section::STOPS => state.stops = unpack_stops(content)?,
            odd if odd % 2 == 1 => {
                state.skipped.push(odd);
                continue;
            }
            section => return Err(LinkError::UnknownSection { section }),
        }
        content.finish()?;
    }
    Ok(state)
}

fn built(choice: &ScenarioChoice) -> Result<Scenario, LinkError> {
    match choice {
        ScenarioChoice::Own(own) => Ok((**own).clone()),
        ScenarioChoice::Preset(number) => {
            let preset = Preset::from_number(*number).ok_or(LinkError::Preset(*number))?;
            Ok((preset.build)())
        }
    }
}

fn pack_side_b(b: &SideB, a: &ScenarioChoice, to: &mut Packer) {
    let bit = |set: bool, bit: u8| if set { bit } else { 0 };
    to.byte(
        bit(b.seed.is_some(), flag::B_SEED)
            | bit(b.params.is_some(), flag::B_PARAMS)
            | bit(b.digest.is_some(), flag::B_DIGEST),
    );
    to.number(b.patches.bits());
    if let Some(seed) = b.seed {
        to.number(seed);
    }
    if let Some(params) = &b.params {
        // A preset that does not exist is refused on reading before its parameters matter.
        let a = built(a).map(|scenario| scenario.params).unwrap_or_default();
        scenario::pack_params(params, &a, to);
    }
    if let Some(digest) = b.digest {
        to.digest(digest);
    }
}

fn unpack_side_b(from: &mut Unpacker<'_>, a: &ScenarioChoice) -> Result<SideB, LinkError> {
    let bits = from.byte("side B")?;
    if bits > 7 {
        return Err(LinkError::Range { what: "the content of side B", value: bits.into() });
    }
    let has = |bit: u8| bits & bit != 0;
    let patches = from.patches()?;
    let seed = has(flag::B_SEED).then(|| from.number("the seed of side B")).transpose()?;
    let mut params = None;
    if has(flag::B_PARAMS) {
        let mut scenario = built(a)?;
        scenario.params = scenario::unpack_params(from, scenario.params)?;
        params = Some(scenario.params.clone());
        scenario.validate().map_err(LinkError::Scenario)?;
    }
    let digest = has(flag::B_DIGEST).then(|| from.digest()).transpose()?;
    Ok(SideB { patches, seed, params, digest })
}

/// The row that a stop has unless it says another one.
fn row_of(stop: &Stop) -> u16 {
    stop.selection.map_or(0, |place| place.pcpu)
}

fn pack_stop(stop: &Stop, to: &mut Packer) {
    let bit = |set: bool, bit: u8| if set { bit } else { 0 };
    let own_row = stop.row != row_of(stop);
    to.byte(
        bit(stop.selection.is_some(), flag::STOP_SELECTION)
            | bit(own_row, flag::STOP_ROW)
            | bit(stop.range.is_some(), flag::STOP_RANGE)
            | bit(stop.patches.is_some(), flag::STOP_PATCHES),
    );
    to.stretch(stop.view);
    to.time(stop.cursor_ns);
    if let Some(place) = stop.selection {
        to.place(place);
    }
    if own_row {
        to.number(stop.row);
    }
    if let Some(range) = stop.range {
        to.stretch(range);
    }
    if let Some(patches) = stop.patches {
        to.number(patches.bits());
    }
    to.text(&stop.caption);
}

fn unpack_stops(from: &mut Unpacker<'_>) -> Result<Vec<Stop>, LinkError> {
    let count = from.count("the number of stops")?;
    if count > STOPS_MAX {
        return Err(LinkError::Range { what: "the number of stops", value: count as u64 });
    }
    (0..count).map(|_| unpack_stop(from)).collect()
}

fn unpack_stop(from: &mut Unpacker<'_>) -> Result<Stop, LinkError> {
    let bits = from.byte("a stop")?;
    if bits > 15 {
        return Err(LinkError::Range { what: "the content of a stop", value: bits.into() });
    }
    let has = |bit: u8| bits & bit != 0;
    let view = from.stretch("the view of a stop")?;
    let cursor_ns = from.time("the cursor of a stop")?;
    let selection = has(flag::STOP_SELECTION).then(|| from.place()).transpose()?;
    let mut stop = Stop {
        view,
        cursor_ns,
        row: 0,
        selection,
        range: None,
        caption: String::new(),
        patches: None,
    };
    stop.row = if has(flag::STOP_ROW) { from.small("the row of a stop")? } else { row_of(&stop) };
    stop.range = has(flag::STOP_RANGE).then(|| from.stretch("the range of a stop")).transpose()?;
    stop.patches = has(flag::STOP_PATCHES).then(|| from.patches()).transpose()?;
    stop.caption = from.text("a caption")?;
    let length = stop.caption.chars().count();
    if length > CAPTION_MAX {
        return Err(LinkError::Range { what: "the length of a caption", value: length as u64 });
    }
    Ok(stop)
}
