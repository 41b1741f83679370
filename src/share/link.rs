//! The text form of a link: the version, a hyphen, and letters.

use super::pack::{Packer, Unpacker};
use super::{LinkError, Place, ScenarioChoice, ShareState, letters, scenario};
use sim_core::patches::PatchSet;
use sim_core::presets::Preset;

/// The version that is written; all versions up to it are read.
pub const VERSION: u32 = 1;
/// The longest link that is looked at, in characters.
pub const LINK_MAX: usize = 1 << 17;

mod flag {
    pub(super) const OWN: u8 = 1;
    pub(super) const VIEW: u8 = 2;
    pub(super) const CURSOR: u8 = 4;
    pub(super) const SELECTION: u8 = 8;
    pub(super) const DIGEST: u8 = 16;
}

/// The link of a state: letters, digits, `-` and `_` only.
#[must_use]
pub fn encode(state: &ShareState) -> String {
    let mut to = Packer::default();
    let bit = |set: bool, bit: u8| if set { bit } else { 0 };
    to.byte(
        bit(matches!(state.scenario, ScenarioChoice::Own(_)), flag::OWN)
            | bit(state.view.is_some(), flag::VIEW)
            | bit(state.cursor_ns.is_some(), flag::CURSOR)
            | bit(state.selection.is_some(), flag::SELECTION)
            | bit(state.digest.is_some(), flag::DIGEST),
    );
    match &state.scenario {
        ScenarioChoice::Preset(number) => to.byte(*number),
        ScenarioChoice::Own(own) => scenario::pack(own, &mut to),
    }
    to.number(state.patches.bits());
    if let Some((from_ns, to_ns)) = state.view {
        to.time(from_ns);
        to.time(to_ns);
    }
    if let Some(cursor_ns) = state.cursor_ns {
        to.time(cursor_ns);
    }
    if let Some(place) = state.selection {
        to.time(place.time_ns);
        to.number(place.pcpu);
        to.byte(place.kind);
        to.byte(place.nth);
    }
    if let Some(digest) = state.digest {
        digest.to_le_bytes().into_iter().for_each(|byte| to.byte(byte));
    }
    format!("{VERSION}-{}", letters::encode(&to.bytes))
}

/// The state of a link, its scenario checked.
///
/// # Errors
/// When the link cannot be opened, whatever is wrong with it.
pub fn decode(link: &str) -> Result<ShareState, LinkError> {
    if link.len() > LINK_MAX {
        return Err(LinkError::TooLong { length: link.chars().count() });
    }
    let start = || LinkError::NoVersion { start: link.chars().take(12).collect() };
    let (version, letters) = link.split_once('-').ok_or_else(start)?;
    let digits = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || version.len() > 9 || (version.len() > 1 && version.starts_with('0')) {
        return Err(start());
    }
    // A later version gets its own reader here, and this one's result is brought up to it.
    match version.parse() {
        Ok(1u32) => version_1(&letters::decode(letters, version.len() + 1)?),
        _ => Err(LinkError::Version { version: version.to_owned() }),
    }
}

fn version_1(bytes: &[u8]) -> Result<ShareState, LinkError> {
    let mut from = Unpacker::new(bytes);
    let bits = from.byte("its content")?;
    if bits > 31 {
        return Err(LinkError::Range { what: "the content", value: bits.into() });
    }
    let has = |bit: u8| bits & bit != 0;
    let scenario = if has(flag::OWN) {
        let own = scenario::unpack(&mut from)?;
        own.clone().validate().map_err(LinkError::Scenario)?;
        ScenarioChoice::Own(Box::new(own))
    } else {
        let number = from.byte("the preset")?;
        Preset::from_number(number).ok_or(LinkError::Preset(number))?;
        ScenarioChoice::Preset(number)
    };
    let patches = from.number("the patches")?;
    let patches = PatchSet::from_bits(patches).map_err(LinkError::Patches)?;
    let mut view = None;
    if has(flag::VIEW) {
        let (from_ns, to_ns) = (from.time("the view")?, from.time("the view")?);
        if from_ns >= to_ns {
            return Err(LinkError::View { from_ns, to_ns });
        }
        view = Some((from_ns, to_ns));
    }
    let cursor_ns = has(flag::CURSOR).then(|| from.time("the cursor")).transpose()?;
    let selection = has(flag::SELECTION).then(|| place(&mut from)).transpose()?;
    let digest = has(flag::DIGEST).then(|| digest(&mut from)).transpose()?;
    from.finish()?;
    Ok(ShareState { scenario, patches, view, cursor_ns, selection, digest })
}

fn place(from: &mut Unpacker<'_>) -> Result<Place, LinkError> {
    Ok(Place {
        time_ns: from.time("the selection")?,
        pcpu: from.small("the selected pCPU")?,
        kind: from.byte("the selection")?,
        nth: from.byte("the selection")?,
    })
}

fn digest(from: &mut Unpacker<'_>) -> Result<u64, LinkError> {
    let mut bytes = [0; 8];
    for byte in &mut bytes {
        *byte = from.byte("the digest")?;
    }
    Ok(u64::from_le_bytes(bytes))
}
