//! The page's state, what changes it and what follows: one [`State`], one pure [`reduce`].
//!
//! No clock, storage, address or worker is touched here: what should happen outside is returned as
//! [`Effect`]s, and the outside comes back as [`Action`]s.

mod ab;
mod action;
pub mod credits;
pub mod edit;
mod effect;
mod key_meaning;
pub mod keys;
pub mod length;
pub mod levels;
pub mod magnifier;
mod play;
pub mod predict;
mod reduce;
pub mod search;
pub mod select;
pub mod stretches;
pub mod talk;
mod views;

pub use ab::{Ab, Other, head, varied};
pub use action::{Action, Format, Step, StepTo};
pub use effect::Effect;
pub use magnifier::Magnifier;
pub use play::{Play, SPEEDS, Speed};
pub use predict::{Guess, Predict};
pub use reduce::reduce;
pub use talk::{Talk, TalkDo};

use crate::protocol::{
    Explanation, Flips, LevelPicture, Now, Overview, Place, Record, RunId, Span, Summary, Tile,
};
use crate::share::Panels;
use sim_core::patches::{Patch, PatchSet};
use sim_core::presets::PRESETS;
use sim_core::scenario::Scenario;
use std::rc::Rc;

/// Everything that the page is.
#[derive(Clone, Debug)]
pub struct State {
    /// The number of the preset that runs; none for a scenario of one's own.
    pub preset: Option<u8>,
    /// What runs.
    pub scenario: Rc<Scenario>,
    /// With which patches.
    pub patches: PatchSet,
    /// The patch that was switched last.
    pub flipped: Option<Patch>,
    /// The run beside this one, while two are compared.
    pub ab: Option<Box<Ab>>,
    /// How the run is getting on.
    pub run: Run,
    /// The stretch of time shown. *Invariant*: not empty, inside the run.
    pub view: Span,
    /// Where the view has been.
    pub views: views::Views,
    /// The cursor, in ns. *Invariant*: inside the run.
    pub cursor_ns: u64,
    /// The row chosen (pCPU). *Invariant*: one of the machine.
    pub row: u16,
    /// The range chosen.
    pub range: Option<Span>,
    /// The record chosen.
    pub selection: Selection,
    /// The machine at the cursor, or where the cursor was until the answer comes.
    pub now: Option<Rc<Now>>,
    /// Pictures of the run.
    pub pictures: Pictures,
    /// What the worker has been asked and has not answered yet.
    pub asked: Asked,
    /// What the pixel under the pointer hides.
    pub magnifier: Magnifier,
    /// Playing.
    pub play: Play,
    /// The talk.
    pub talk: Talk,
    /// Predictions of decisions before they are shown.
    pub predict: Predict,
    /// Bars with a sentence each, oldest first.
    pub notices: Vec<Notice>,
    /// The digest that a link promised.
    pub promised_digest: Option<u64>,
    /// The scenario editor; its draft is what runs, or will once it can.
    pub edit: Rc<edit::Editor>,
    /// The last run of the scenario before its patches changed.
    pub before: Option<Before>,
    /// The look of the page.
    pub looks: Looks,
    /// What a link said of panels that this page does not know: passed on as it came.
    pub panels: Panels,
}

/// A run that came to its end before the patches changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Before {
    /// Its patches.
    pub patches: PatchSet,
    /// What it added up to.
    pub summary: Rc<Summary>,
}

/// A tab of the charts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// What a change of patches did.
    Changed,
    /// Wake-to-run latency.
    Latency,
    /// Credit of vCPUs over the stretch of time in view.
    Credits,
    /// Share against entitlement.
    Entitled,
    /// How each vCPU spent its time.
    Time,
    /// Steals and tries in vain.
    Steals,
    /// What became of the tickles.
    Tickles,
    /// Counters and trace records.
    Counters,
}

impl Tab {
    /// All tabs, in order.
    pub const ALL: [Self; 8] = [
        Self::Changed,
        Self::Latency,
        Self::Credits,
        Self::Entitled,
        Self::Time,
        Self::Steals,
        Self::Tickles,
        Self::Counters,
    ];
}

/// How the run is getting on.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// Its number; answers with another one are stale.
    pub id: RunId,
    /// Where it stands.
    pub phase: Phase,
    /// How far it has come, in ns.
    pub reached_ns: u64,
    /// Its end, in ns.
    pub duration_ns: u64,
    /// Records so far.
    pub records: u32,
    /// What it adds up to, once it has ended.
    pub summary: Option<Rc<Summary>>,
    /// Why it ended early.
    pub cut: Option<String>,
    /// How often each patch would have decided otherwise.
    pub flips: Option<Rc<Flips>>,
    /// Whether it was started by itself because the worker was lost: not a second time.
    pub again: bool,
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Simulating.
    #[default]
    Running,
    /// Over.
    Ended,
    /// Refused, or lost with the worker: nothing can be asked about it.
    Gone,
}

/// The record chosen.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// The record.
    pub record: Option<Record>,
    /// The place that is looked for while the run is not there yet.
    pub place: Option<Place>,
    /// Why a record is as it is. Still that of the record before until the answer comes.
    pub why: Option<Rc<Explanation>>,
    /// The run that `why` is about.
    pub why_run: RunId,
}

/// Pictures of the run; may be of an older run or another stretch of time until the answer comes.
#[derive(Clone, Debug, Default)]
pub struct Pictures {
    /// Width of the rows on the screen, in CSS pixels; 0 until the stage has told.
    pub width_px: u32,
    /// First row and how many.
    pub rows: (u16, u16),
    /// The rows: the best of the tiles that are kept.
    pub tile: Option<Rc<Tile>>,
    /// Tiles that are kept, the one used last first.
    pub kept: Vec<Rc<Tile>>,
    /// The whole run.
    pub overview: Option<Rc<Overview>>,
    /// The levels answered last.
    pub levels: Option<Rc<LevelPicture>>,
    /// What range and view add up to.
    pub stretches: stretches::Stretches,
}

/// What has been asked and not been answered: one question of a sort at a time.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Number of the last question.
    pub last_ask: u32,
    /// The searches under way, with what they are for.
    pub finds: Vec<(u32, Purpose)>,
    /// The tile under way.
    pub tile: Option<select::TileKey>,
    /// The tile answered last: never asked for twice in a row.
    pub tile_done: Option<select::TileKey>,
    /// The width and progress of the overview under way.
    pub overview: Option<(u32, u64)>,
    /// The width and progress of the overview answered last.
    pub overview_done: Option<(u32, u64)>,
    /// The stretch that is being added up.
    pub stretch: Option<stretches::Wanted>,
    /// The levels under way of which nothing has been answered yet.
    pub levels: Option<levels::LevelsKey>,
    /// The levels of which something has been answered.
    pub levels_done: Option<levels::LevelsKey>,
    /// Number of the question about levels that counts.
    pub levels_ask: u32,
    /// The record whose explanation is under way.
    pub explain: Option<u32>,
    /// The moment whose snapshot is under way, in ns.
    pub snapshot_ns: Option<u64>,
    /// The moment that `State::now` answers, in ns.
    pub snapshot_done_ns: Option<u64>,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Go there: select, move the cursor.
    Go,
    /// Go to a changed decision, as far as they are counted.
    GoChanged,
    /// Explain what is under the cursor, which stays.
    Follow,
    /// The next decision that playing will come to.
    PlayNext,
    /// The last decision that playing has passed.
    PlayPassed,
    /// Select the record that has the same place in the run beside.
    Match,
    /// Select the record of the place that is looked for.
    Place,
}

/// A bar with a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// Its number.
    pub id: u32,
    /// Whether something went wrong.
    pub problem: bool,
    /// The sentence.
    pub text: String,
    /// A link that gives the same again, after `#`.
    pub link: Option<String>,
}

/// Light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// As the system likes it.
    #[default]
    Auto,
    /// Always light.
    Light,
    /// Always dark.
    Dark,
}

/// What the system wishes of all pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SystemLooks {
    /// It likes it dark.
    pub dark: bool,
    /// It asks for more contrast.
    pub contrast: bool,
    /// It puts colours of its own on all pages, dark or not as `dark` says.
    pub forced: bool,
    /// It likes nothing to move.
    pub still: bool,
}

/// The look of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Looks {
    /// Light or dark.
    pub theme: Theme,
    /// What the system wishes.
    pub system: SystemLooks,
    /// Whether the list of keys is open.
    pub help: bool,
    /// Whether the screen is blanked.
    pub blank: bool,
    /// Whether the page is shown to a room.
    pub presenting: bool,
    /// Whether only the stage shows, inside another page.
    pub embed: bool,
    /// Width and height of the window, in px.
    pub window_px: (u32, u32),
    /// The text looked for, while the search is open.
    pub search: Option<String>,
    /// Whether the preset's story stands above the timeline.
    pub story: bool,
    /// Whether a newer version of the page waits to be taken.
    pub newer: bool,
    /// The tab of the charts; none until one is chosen.
    pub tab: Option<Tab>,
    /// Whose credit is charted.
    pub whose: credits::Whose,
}

impl Looks {
    /// Whether the dark theme shows. Colours that the system forces on the page leave no choice.
    #[must_use]
    pub fn dark(&self) -> bool {
        match self.theme {
            _ if self.system.forced => self.system.dark,
            Theme::Auto => self.system.dark,
            Theme::Light => false,
            Theme::Dark => true,
        }
    }

    /// Whether the colours of strong contrast show.
    #[must_use]
    pub const fn strong(&self) -> bool {
        self.system.contrast || self.system.forced
    }
}

impl Default for State {
    /// The default preset before anything has been asked.
    fn default() -> Self {
        let preset = &PRESETS[0];
        let scenario = Rc::new((preset.build)());
        let duration_ns = scenario.duration_ns;
        Self {
            preset: Some(preset.number),
            scenario,
            patches: preset.patches,
            flipped: None,
            ab: None,
            run: Run { duration_ns, phase: Phase::Gone, ..Run::default() },
            view: Span { from_ns: preset.view_ns.0, to_ns: preset.view_ns.1 },
            views: views::Views::default(),
            cursor_ns: preset.cursor_ns,
            row: 0,
            range: None,
            selection: Selection::default(),
            now: None,
            pictures: Pictures::default(),
            asked: Asked::default(),
            magnifier: Magnifier::default(),
            play: Play::default(),
            talk: Talk::default(),
            predict: Predict::default(),
            notices: Vec::new(),
            promised_digest: None,
            edit: Rc::default(),
            before: None,
            looks: Looks { story: true, ..Looks::default() },
            panels: Panels::default(),
        }
    }
}
