//! What should happen outside the state.

use super::{Format, Theme};
use crate::protocol::Request;

/// Something to be done by whoever runs the page.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Send this to the worker.
    Send(Request),
    /// Write the state's link to the address, soon.
    WriteAddress,
    /// Make an entry of its own in the browser's history for what is shown now.
    PushAddress,
    /// Copy the whole address with this behind `#`, and say whether that worked.
    CopyLink(String),
    /// Copy this text with the whole address of the link in a line below, and say whether that
    /// worked.
    CopyText {
        /// The text.
        text: String,
        /// What stands behind `#`.
        link: String,
    },
    /// Copy this scenario file, and say whether that worked.
    CopyScenario(String),
    /// Give this text as a file of this name.
    SaveFile {
        /// The file's name.
        name: String,
        /// What it holds.
        text: String,
    },
    /// Run what has been edited, once nothing has been edited for a moment.
    RunSoon,
    /// Remember the theme.
    StoreTheme(Theme),
    /// Give a frame's time until told otherwise.
    Frames(bool),
    /// Show the page to a room, with larger text, or no longer.
    Presenting(bool),
    /// Show the page on the whole screen, or no longer. Browsers want a key or a click for it.
    FullScreen(bool),
    /// Save what the timeline shows in this format, with this link behind `#` on it.
    SavePicture(Format, String),
    /// Load the page anew in its newer version.
    TakeNewer,
    /// Leave a mark in the browser's performance timeline.
    Mark(&'static str),
}
