//! Charts of a whole run, each with its table.
//!
//! They draw what the run adds up to; they must not add up anything themselves.

mod figure;
mod latency;
mod shares;

use crate::protocol::Summary;
use crate::timeline::shape::MachineShape;
use figure::{Chart, Figure};
use std::rc::Rc;
use yew::prelude::*;

/// What the charts show.
#[derive(Properties, PartialEq)]
pub struct ChartsProps {
    /// What the run adds up to; none while it goes on.
    pub summary: Option<Rc<Summary>>,
    /// The machine and its guests.
    pub shape: Rc<MachineShape>,
    /// Whether the dark theme shows.
    pub dark: bool,
}

/// Wake-to-run latency and share per vCPU.
#[component]
pub fn Charts(props: &ChartsProps) -> Html {
    let (shape, dark) = (&props.shape, props.dark);
    let charts = props.summary.as_ref().map(|summary| {
        html! {
            <>
                <Figure chart={Chart::Latency} {summary} {shape} {dark} />
                <Figure chart={Chart::Shares} {summary} {shape} {dark} />
            </>
        }
    });
    html! {
        <section class="charts" aria-label="Charts">
            { charts.unwrap_or_else(|| html! {
                <p class="muted">{ "Charts of the whole run stand here once it is over." }</p>
            }) }
        </section>
    }
}
