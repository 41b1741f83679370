//! The patches: what each does, whether it is on, how often it mattered.

use super::history::History;
use super::words;
use crate::protocol::{Difference, Direction, Flips, Side, Wanted};
use crate::state::{Action, Step, StepTo};
use sim_core::patches::{PATCHES, Patch, PatchInfo, PatchKind, PatchSet};
use sim_core::run::ASKED;
use std::rc::Rc;
use yew::prelude::*;

/// The two of the first series, shown first.
const FIRST: [Patch; 2] = [Patch::PickDiscountAlone, Patch::TicklePreferIdlers];

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub struct PatchesProps {
    /// The patches that are on.
    pub patches: PatchSet,
    /// While two runs are compared: which side is in hand, and the other side's patches.
    pub beside: Option<(Side, PatchSet)>,
    /// How often each would have decided otherwise; none while the run goes on.
    pub flips: Option<Rc<Flips>>,
    /// Whether that is still being counted.
    pub counting: bool,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

/// The patches.
#[component]
pub fn Patches(props: &PatchesProps) -> Html {
    let mut later: Vec<&PatchInfo> =
        PATCHES.iter().filter(|info| !FIRST.contains(&info.patch)).collect();
    later.sort_by_key(|info| (info.date, info.patch));
    let on_later = later.iter().filter(|info| props.patches.has(info.patch)).count();
    html! {
        <section class="panel patches" aria-label="Patches">
            <h2>{ "Patches" }</h2>
            { props.beside.map(|(side, _)| super::ab::sides(side, "patches-of", "Switches act on", &props.on)) }
            <History patches={props.patches} flips={props.flips.clone()} on={props.on.clone()} />
            { counting(props) }
            <div class="list">
                { for FIRST.iter().map(|patch| entry(props, patch.info())) }
            </div>
            <details class="later">
                <summary>
                    { format!("Later: {} patches", later.len()) }
                    <small>{ format!("{on_later} on") }</small>
                </summary>
                <div class="list">{ for later.into_iter().map(|info| entry(props, info)) }</div>
            </details>
        </section>
    }
}

fn entry(props: &PatchesProps, info: &'static PatchInfo) -> Html {
    let on = props.patches.has(info.patch);
    let onchange = {
        let on = props.on.clone();
        Callback::from(move |_: Event| on.emit(Action::Flip(info.patch)))
    };
    let id = format!("patch-{}", info.slug);
    let commit: String = info.commit.chars().take(7).collect();
    html! {
        <div class={classes!("patch", on.then_some("on"))} key={info.slug}>
            <input type="checkbox" id={id.clone()} data-testid={id.clone()} checked={on} {onchange} />
            <div>
                <label for={id}>{ info.title }</label>
                { props.beside.filter(|(_, other)| other.has(info.patch) != on).map(|(side, _)| {
                    let [here, there] = [side, side.other()].map(Side::name);
                    let state = |on: bool| if on { "on" } else { "off" };
                    html! { <span class="parts">{ format!("{here} {}, {there} {}", state(on), state(!on)) }</span> }
                }) }
                <p class="meta">
                    <time datetime={info.date}>{ info.date }</time>
                    { format!(" · {commit}") }
                    { along(props.patches, info) }
                </p>
                { mattered(props, info, on) }
                <details class="story"><summary>{ "What it changes" }</summary><p>{ info.story }</p></details>
            </div>
        </div>
    }
}

/// What a flip brings along or takes away besides.
fn along(patches: PatchSet, info: &PatchInfo) -> Html {
    let besides = patches.flipped(info.patch).bits() ^ patches.bits();
    let others = PATCHES.iter().filter(|other| other.patch != info.patch);
    let others = others.filter(|other| besides >> other.patch as u8 & 1 != 0);
    let names: Vec<&str> = others.map(|other| other.title).collect();
    let verb = if patches.has(info.patch) { "takes along" } else { "brings along" };
    if names.is_empty() {
        return Html::default();
    }
    let others = match names.len() {
        1 | 2 => format!("“{}”", names.join("” and “")),
        count if patches.has(info.patch) => format!("{count} patches that need it"),
        count => format!("{count} patches that it needs"),
    };
    html! { <span class="needs" title={names.join(", ")}>{ format!(" · {verb} {others}") }</span> }
}

/// How often a patch mattered, or why it cannot.
fn mattered(props: &PatchesProps, info: &PatchInfo, on: bool) -> Html {
    let said = |text: &'static str| html! { <p class="meta">{ text }</p> };
    if !ASKED.has(info.patch) {
        return said(match info.kind {
            PatchKind::Decision => "acts over time: no single decision can be asked",
            PatchKind::Counter => "changes only what is counted",
            PatchKind::Nothing => "changes no decision",
        });
    }
    let flip = props.flips.as_ref().and_then(|flips| flips.patches.get(info.patch as usize));
    let Some(flip) = flip else { return said("\u{a0}") };
    let what = if info.patch == Patch::BurnResidual { "charges" } else { "decisions" };
    let of = words::count(u64::from(flip.of));
    if flip.changed == 0 {
        let only = if info.kind == PatchKind::Counter { "only what is counted, " } else { "" };
        return html! { <p class="meta">{ format!("changes {only}none of {of} {what} here") }</p> };
    }
    let verb = if on { "off, it would change " } else { "would change " };
    let changed = format!("{} of {of}", words::count(u64::from(flip.changed)));
    let wanted = Wanted::Changed(Difference::Patch(info.patch as u8));
    let named = |which: &str| format!("{which} decision that “{}” would change", info.title);
    html! {
        <p class="meta">
            { verb }<em>{ changed }</em>{ format!(" {what} ") }
            { go(&props.on, Action::First(wanted), "first", "first-changed", &named("First")) }
            { " " }
            { go(&props.on, next(wanted), "next", "next-changed", &named("Next")) }
        </p>
    }
}

/// The step to the next record that is wanted.
fn next(wanted: Wanted) -> Action {
    Action::Step(Step { direction: Direction::Next, to: StepTo::Wanted(wanted) })
}

/// A button in a line of text.
pub(super) fn go(
    on: &Callback<Action>,
    action: Action,
    face: &'static str,
    id: &'static str,
    name: &str,
) -> Html {
    let on = on.clone();
    let onclick = Callback::from(move |_: MouseEvent| on.emit(action.clone()));
    html! {
        <button type="button" class="link" data-testid={id} {onclick} title={name.to_owned()}
            aria-label={name.to_owned()}>{ face }</button>
    }
}

/// How far changed decisions are counted, while that goes on.
fn counting(props: &PatchesProps) -> Html {
    if !props.counting {
        return Html::default();
    }
    let flips = props.flips.as_ref();
    let part =
        flips.map_or(0, |flips| u64::from(flips.counted) * 100 / u64::from(flips.records.max(1)));
    let stop = "Stop counting changed decisions";
    html! {
        <p class="meta" data-testid="counting">
            { format!("Counting changed decisions: {part} % ") }
            { go(&props.on, Action::Cancel, "stop", "stop-counting", stop) }
        </p>
    }
}
