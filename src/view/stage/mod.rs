//! The stage: overview strip, timeline, legend.
//!
//! Draws the tiles that it is given and tells what people ask for; it must not ask the worker.

use crate::protocol::{Overview, Record, Span, Tile};
use crate::timeline::shape::MachineShape;
use std::rc::Rc;
use yew::prelude::*;

/// What the stage shows.
#[derive(Properties, PartialEq)]
pub struct StageProps {
    /// The machine and its guests.
    pub shape: Rc<MachineShape>,
    /// The newest picture; may be of another stretch of time while the right one is on its way.
    pub tile: Option<Rc<Tile>>,
    /// The whole run.
    pub overview: Option<Rc<Overview>>,
    /// The stretch of time to show.
    pub span: Span,
    /// End of the run, in ns.
    pub duration_ns: u64,
    /// The cursor, in ns.
    pub cursor_ns: u64,
    /// The record selected.
    pub selected: Option<Record>,
    /// Records whose arrows are lit: the selected one and its chain.
    pub selected_arrow_records: Rc<Vec<u32>>,
    /// The row chosen (pCPU).
    pub row: u16,
    /// The range chosen.
    pub range: Option<Span>,
    /// Whether the dark theme shows.
    pub dark: bool,
    /// Whether the page is shown to a room: larger text.
    pub presenting: bool,
    /// Where the stage tells what people ask for.
    pub on: Callback<StageEvent>,
}

/// What people ask for on the stage.
#[derive(Clone, Debug, PartialEq)]
pub enum StageEvent {
    /// The picture that fits: ask for tiles of this width and these rows.
    Size {
        /// Width of the rows, in CSS pixels.
        width_px: u32,
        /// First row and how many.
        rows: (u16, u16),
    },
    /// Show this stretch of time.
    Span(Span),
    /// Put the cursor here.
    Cursor {
        /// When, in ns.
        time_ns: u64,
        /// On which row (pCPU).
        pcpu: u16,
    },
    /// Go to this record.
    Record(u32),
    /// Choose this range, or none.
    Range(Option<Span>),
    /// Choose this row (pCPU).
    Row(u16),
}

/// Overview strip, timeline, legend.
#[component]
pub fn Stage(props: &StageProps) -> Html {
    html! {
        <section class="stage" aria-label="Timeline">
            { format!("{} pCPUs", props.shape.pcpus.len()) }
        </section>
    }
}
