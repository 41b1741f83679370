//! The text form of a link: the version, a hyphen, and letters.

use super::pack::{Packer, Unpacker};
use super::version_1::Link1;
use super::{LinkError, ShareState, letters, version_1, version_2};

/// The newest version; all versions up to it are read.
pub const VERSION: u32 = 2;
/// The longest link that is looked at, in characters.
pub const LINK_MAX: usize = 1 << 17;

/// The link of a state: letters, digits, `-` and `_` only.
///
/// It is of the oldest version that holds all of it, so that older pages open it, too.
#[must_use]
pub fn encode(state: &ShareState) -> String {
    let mut to = Packer::default();
    version_1::pack(&Link1::of(state), &mut to);
    let head = to.bytes.len();
    version_2::pack_sections(state, &mut to);
    let version = if to.bytes.len() == head { 1 } else { 2 };
    format!("{version}-{}", letters::encode(version, &to.bytes))
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
    let other = || LinkError::Version { version: version.to_owned() };
    let version: u32 = version.parse().map_err(|_| other())?;
    // A later version gets its own reader, and what each reads is brought up to the newest.
    let read: fn(&mut Unpacker<'_>) -> Result<ShareState, LinkError> = match version {
        1 => |from| Ok(version_1::unpack(from)?.upgraded()),
        2 => version_2::unpack,
        _ => return Err(other()),
    };
    let bytes = letters::decode(version, letters)?;
    let mut from = Unpacker::new(&bytes);
    let state = read(&mut from)?;
    from.finish()?;
    Ok(state)
}
