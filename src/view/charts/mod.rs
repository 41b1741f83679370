//! Charts of a whole run, each with its table.
//!
//! They draw what the run adds up to; they must not add up anything themselves.

use crate::protocol::Summary;
use crate::timeline::shape::MachineShape;
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
    let wakes = props.summary.as_ref().map_or(0, |summary| summary.latency.iter().sum::<u64>());
    html! { <section class="charts" aria-label="Charts">{ format!("{wakes} wakes") }</section> }
}
