//! What can happen to the page.

use super::credits::Whose;
use super::edit::Edit;
use super::{Guess, SystemLooks, Tab, TalkDo, Theme};
use crate::protocol::{Direction, MarkKind, Record, Response, Side, Span, Wanted};
use sim_core::patches::{Patch, PatchSet};
use sim_core::scenario::Params;

/// Something that happened: a person, the browser or the worker did it.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// A link was opened; the text after `#`, empty for none.
    OpenLink(String),
    /// A preset was chosen, by its stable number.
    OpenPreset(u8),
    /// A scenario file was opened.
    OpenFile {
        /// Its name.
        name: String,
        /// What it holds.
        text: String,
    },
    /// A file could not be read; why.
    FileFailed(String),
    /// Switch a patch.
    Flip(Patch),
    /// Go to this choice of patches (the time machine).
    Patches(PatchSet),
    /// Put a second run beside this one, or take it away again.
    ToggleAb,
    /// Take this side in hand; none: the other one.
    Hand(Option<Side>),
    /// Give side B another seed and other parameters.
    VaryB {
        /// The seed.
        seed: u64,
        /// The parameters.
        params: Box<Params>,
    },
    /// Run both sides over so many seeds.
    Sweep(u32),
    /// Run no further seed.
    StopSweep,
    /// Copy the figures of both sides as text, with the link.
    CopyFigures,
    /// They were copied, or not.
    FiguresCopied(bool),
    /// Go to where the two runs part.
    GoParting,
    /// Copy what the chosen range adds up to as text, with the link.
    CopyRange,
    /// Go back to the view before, or forth again.
    OtherView(Direction),
    /// Stop simulating.
    Cancel,
    /// Step to a record.
    Step(Step),
    /// Go to the first record of the run that is wanted.
    First(Wanted),
    /// Go to this record.
    Go(Record),
    /// Go to the record of this number.
    GoNumber(u32),
    /// Go to the record that left a mark.
    GoMark {
        /// On which row (pCPU).
        pcpu: u16,
        /// When, in ns.
        time_ns: u64,
        /// Its kind.
        kind: MarkKind,
    },
    /// The pointer rests on a pixel of this side's row (pCPU) that hides several things, or on
    /// none.
    RestOn(Option<(Side, u16, Span)>),
    /// List what the pixel under the pointer hides, or no longer.
    ToggleMagnifier,
    /// Put the cursor on a row at a moment.
    Cursor {
        /// When, in ns.
        time_ns: u64,
        /// On which row (pCPU).
        pcpu: u16,
    },
    /// Choose a row (pCPU).
    Row(u16),
    /// Choose the row so many further down.
    RowBy(i32),
    /// Show this stretch of time.
    View(Span),
    /// Zoom at the cursor: in or out.
    Zoom {
        /// Whether closer.
        closer: bool,
    },
    /// Fit the range or the selection.
    Fit,
    /// Show the whole run.
    Whole,
    /// Choose a range, or none.
    Range(Option<Span>),
    /// Cursor to the start of the run.
    ToStart,
    /// Cursor to the end of the run.
    ToEnd,
    /// Play or pause.
    TogglePlay,
    /// Choose a speed, an index into [`super::SPEEDS`].
    Speed(usize),
    /// A frame is drawn, so much real time after the last one.
    Frame {
        /// Real time passed, in µs.
        elapsed_us: u64,
    },
    /// The stage has this size.
    Sized {
        /// Width of the rows, in CSS pixels.
        width_px: u32,
        /// First row and how many.
        rows: (u16, u16),
    },
    /// Choose light or dark.
    Theme(Theme),
    /// The system's wishes changed.
    System(SystemLooks),
    /// Show only the stage, inside another page.
    Embed,
    /// The window is so wide and so high, in px.
    Window(u32, u32),
    /// Open or close the list of keys.
    Help(bool),
    /// Blank the screen, or show it again.
    ToggleBlank,
    /// Start or end presenting.
    TogglePresenting,
    /// The browser shows the page on the whole screen no longer.
    LeftFullScreen,
    /// Do something with the talk.
    Talk(TalkDo),
    /// Do something with predictions.
    Guess(Guess),
    /// Go to the next or previous stop while stops are walked, or else decision.
    Page(Direction),
    /// Close whatever lies on top.
    Escape,
    /// Open the search.
    OpenSearch,
    /// The text looked for.
    SearchText(String),
    /// Look for it.
    Search(Direction),
    /// A newer version of the page waits, or need not be spoken of.
    Newer(bool),
    /// Take the newer version.
    TakeNewer,
    /// Choose a tab of the charts.
    Tab(Tab),
    /// Choose whose credit is charted.
    Whose(Whose),
    /// Switch the lane of this bit of [`crate::share::Panels`].
    Lane(u64),
    /// Switch all lanes off, or the usual ones on.
    Lanes,
    /// Put the preset's story away.
    CloseStory,
    /// Save what the timeline shows as a file.
    Save(Format),
    /// A file could not be saved; why.
    SaveFailed(String),
    /// Do something in the scenario editor.
    Edit(Edit),
    /// Copy the link.
    Share,
    /// The link was copied, or not.
    Copied(bool),
    /// The scenario's text was copied, or not.
    CopiedText(bool),
    /// Close a bar.
    CloseNotice(u32),
    /// The worker said something.
    Answer(Box<Response>),
}

/// A format that a picture is saved in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Pixels, two by two for each of the screen.
    Png,
    /// Shapes and text, for slides.
    Svg,
}

/// A step to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which way.
    pub direction: Direction,
    /// To what.
    pub to: StepTo,
}

/// What a step goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepTo {
    /// A decision.
    Decision,
    /// A record of the kind that is selected.
    SameKind,
    /// A record on the chosen row.
    Event,
    /// What is wanted.
    Wanted(Wanted),
}
