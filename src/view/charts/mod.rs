//! Charts and tables of a whole run, one behind each tab, and what a change of patches did.
//!
//! They draw what the run adds up to; they must not add up anything themselves.

mod bars;
mod changed;
mod counters;
pub mod credits;
mod figure;
mod latency;
mod moves;
mod shares;

use crate::protocol::Summary;
use crate::state::{Action, Before, Tab};
use crate::timeline::shape::MachineShape;
use crate::timeline::theme::{Palette, Scheme};
use counters::Counters;
use credits::{Credits, Shown};
use figure::{Content, Figure};
use sim_core::patches::PatchSet;
use std::rc::Rc;
use web_sys::HtmlElement;
use yew::prelude::*;

/// What the charts show.
#[derive(Properties, PartialEq)]
pub struct ChartsProps {
    /// What the run adds up to; none while it goes on.
    pub summary: Option<Rc<Summary>>,
    /// The patches of the run.
    pub patches: PatchSet,
    /// The run before the patches changed.
    pub before: Option<Before>,
    /// Credits, while their tab is chosen.
    pub credits: Option<Rc<Shown>>,
    /// The tab chosen.
    pub tab: Tab,
    /// The machine and its guests.
    pub shape: Rc<MachineShape>,
    /// Which colours show.
    pub scheme: Scheme,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

/// A tab's name.
const fn name(tab: Tab) -> &'static str {
    match tab {
        Tab::Changed => "What changed",
        Tab::Latency => "Latency",
        Tab::Credits => "Credits",
        Tab::Entitled => "Share",
        Tab::Time => "Time",
        Tab::Steals => "Steals",
        Tab::Tickles => "Tickles",
        Tab::Counters => "Counters",
    }
}

/// The tabs with what stands behind the one chosen.
#[component]
pub fn Charts(props: &ChartsProps) -> Html {
    let nodes = use_memo((), |()| Tab::ALL.map(|_| NodeRef::default()));
    let Some(summary) = &props.summary else {
        return html! {
            <section class="charts" aria-label="Charts">
                <p class="muted">{ "Charts of the whole run stand here once it is over." }</p>
            </section>
        };
    };
    let onkeydown = {
        let (on, tab, nodes) = (props.on.clone(), props.tab, Rc::clone(&nodes));
        Callback::from(move |event: KeyboardEvent| {
            let Some(next) = moved(tab, &event.key()) else { return };
            event.prevent_default();
            event.stop_propagation();
            on.emit(Action::Tab(next));
            if let Some(node) = nodes[next as usize].cast::<HtmlElement>() {
                let _ = node.focus();
            }
        })
    };
    let button = |tab: &Tab| {
        let (on, tab) = (props.on.clone(), *tab);
        let chosen = tab == props.tab;
        let onclick = Callback::from(move |_: MouseEvent| on.emit(Action::Tab(tab)));
        html! {
            <button type="button" role="tab" ref={nodes[tab as usize].clone()} id={format!("tab-{}", tab as u8)} aria-controls="tab-panel"
                aria-selected={chosen.to_string()} tabindex={if chosen { "0" } else { "-1" }}
                data-testid={format!("tab-{}", name(tab))} {onclick}>
                { name(tab) }
            </button>
        }
    };
    html! {
        <section class="charts" aria-label="Charts">
            { said(props, summary) }
            <div class="tabs" role="tablist" aria-label="Charts of the whole run" {onkeydown}>
                { for Tab::ALL.iter().map(button) }
            </div>
            <div role="tabpanel" id="tab-panel" aria-labelledby={format!("tab-{}", props.tab as u8)}>
                { panel(props, summary) }
            </div>
        </section>
    }
}

/// The tab that a key leads to.
fn moved(tab: Tab, key: &str) -> Option<Tab> {
    let (at, all) = (tab as usize, Tab::ALL.len());
    let to = match key {
        "ArrowRight" => (at + 1) % all,
        "ArrowLeft" => (at + all - 1) % all,
        "Home" => 0,
        "End" => all - 1,
        _ => return None,
    };
    Tab::ALL.get(to).copied()
}

/// What the change did, in a sentence.
fn said(props: &ChartsProps, summary: &Summary) -> Html {
    let Some(before) = &props.before else { return Html::default() };
    let text = changed::sentence(&before.summary, summary);
    html! {
        <p class="changed" role="status" data-testid="changed">
            <b>{ "What this change did. " }</b>{ text }
        </p>
    }
}

fn panel(props: &ChartsProps, summary: &Rc<Summary>) -> Html {
    let palette = Palette::of(props.scheme);
    let before = props.before.as_ref().map(|before| &*before.summary);
    let scheme = props.scheme;
    let figure = |content: Content| html! { <Figure content={Rc::new(content)} {scheme} /> };
    match props.tab {
        Tab::Changed => match before {
            Some(before) => changed::table(before, summary),
            None => html! {
                <p class="muted">
                    { "Switch a patch, or go to another stop of the time machine: what it did to this scenario will \
                       stand here, gains and losses." }
                </p>
            },
        },
        Tab::Latency => figure(latency::content(summary)),
        Tab::Credits => {
            let shown = props.credits.clone();
            let (shape, on) = (props.shape.clone(), props.on.clone());
            shown.map_or_else(Html::default, |shown| {
                html! { <Credits {shown} {shape} {scheme} {on} /> }
            })
        }
        Tab::Entitled => figure(shares::entitled(summary, &props.shape, palette)),
        Tab::Time => figure(shares::time(summary, &props.shape, palette)),
        Tab::Steals => html! {
            <>
                { figure(moves::steals(summary, before, palette)) }
                { figure(moves::vain(summary, before, palette)) }
            </>
        },
        Tab::Tickles => figure(moves::tickles(summary, before, palette)),
        Tab::Counters => {
            let (patches, before) = (props.patches, props.before.clone());
            html! { <Counters {summary} {patches} {before} /> }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: the arrows go round all tabs, and each tab stands at its number.
    #[test]
    fn the_arrows_go_round() {
        let mut tab = Tab::ALL[0];
        for (at, other) in Tab::ALL.iter().enumerate() {
            assert_eq!((tab, tab as usize), (*other, at));
            tab = moved(tab, "ArrowRight").expect("a tab");
        }
        assert_eq!(tab, Tab::ALL[0]);
        assert_eq!(moved(tab, "ArrowLeft"), Tab::ALL.last().copied());
        assert_eq!(moved(tab, "x"), None);
    }
}
