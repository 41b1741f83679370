//! Version 1 of links: one side, its view, cursor, selection and digest.
//!
//! Its bytes never change. Version 2 begins with the same.

use super::pack::{Packer, Unpacker};
use super::{LinkError, Place, ScenarioChoice, ShareState, scenario};
use sim_core::patches::PatchSet;
use sim_core::presets::Preset;

mod flag {
    pub(super) const OWN: u8 = 1;
    pub(super) const VIEW: u8 = 2;
    pub(super) const CURSOR: u8 = 4;
    pub(super) const SELECTION: u8 = 8;
    pub(super) const DIGEST: u8 = 16;
}

/// What a link of version 1 holds.
pub(super) struct Link1 {
    scenario: ScenarioChoice,
    patches: PatchSet,
    view: Option<(u64, u64)>,
    cursor_ns: Option<u64>,
    selection: Option<Place>,
    digest: Option<u64>,
}

impl Link1 {
    /// What version 1 can say of a state.
    pub(super) fn of(state: &ShareState) -> Self {
        Self {
            scenario: state.scenario.clone(),
            patches: state.patches,
            view: state.view,
            cursor_ns: state.cursor_ns,
            selection: state.selection,
            digest: state.digest,
        }
    }

    /// The same as a state of version 2: what came in with it is absent.
    pub(super) fn upgraded(self) -> ShareState {
        let Self { scenario, patches, view, cursor_ns, selection, digest } = self;
        let bare = ShareState::bare(scenario, patches);
        ShareState { view, cursor_ns, selection, digest, ..bare }
    }
}

pub(super) fn pack(link: &Link1, to: &mut Packer) {
    let bit = |set: bool, bit: u8| if set { bit } else { 0 };
    to.byte(
        bit(matches!(link.scenario, ScenarioChoice::Own(_)), flag::OWN)
            | bit(link.view.is_some(), flag::VIEW)
            | bit(link.cursor_ns.is_some(), flag::CURSOR)
            | bit(link.selection.is_some(), flag::SELECTION)
            | bit(link.digest.is_some(), flag::DIGEST),
    );
    match &link.scenario {
        ScenarioChoice::Preset(number) => to.byte(*number),
        ScenarioChoice::Own(own) => scenario::pack(own, to),
    }
    to.number(link.patches.bits());
    if let Some(view) = link.view {
        to.stretch(view);
    }
    if let Some(cursor_ns) = link.cursor_ns {
        to.time(cursor_ns);
    }
    if let Some(place) = link.selection {
        to.place(place);
    }
    if let Some(digest) = link.digest {
        to.digest(digest);
    }
}

pub(super) fn unpack(from: &mut Unpacker<'_>) -> Result<Link1, LinkError> {
    let bits = from.byte("its content")?;
    if bits > 31 {
        return Err(LinkError::Range { what: "the content", value: bits.into() });
    }
    let has = |bit: u8| bits & bit != 0;
    let scenario = if has(flag::OWN) {
        let own = scenario::unpack(from)?;
        own.clone().validate().map_err(LinkError::Scenario)?;
        ScenarioChoice::Own(Box::new(own))
    } else {
        let number = from.byte("the preset")?;
        Preset::from_number(number).ok_or(LinkError::Preset(number))?;
        ScenarioChoice::Preset(number)
    };
    Ok(Link1 {
        scenario,
        patches: from.patches()?,
        view: has(flag::VIEW).then(|| from.stretch("the view")).transpose()?,
        cursor_ns: has(flag::CURSOR).then(|| from.time("the cursor")).transpose()?,
        selection: has(flag::SELECTION).then(|| from.place()).transpose()?,
        digest: has(flag::DIGEST).then(|| from.digest()).transpose()?,
    })
}
