//! The patches: what each does, whether it is on, how often it mattered; the time machine.

use super::words;
use crate::protocol::{Direction, Flip, Wanted};
use crate::state::{Action, Step, StepTo};
use sim_core::patches::{PATCHES, Patch, PatchInfo, PatchKind, PatchSet, REVISIONS, Revision};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// The two of the first series, shown first.
const FIRST: [Patch; 2] = [Patch::PickDiscountAlone, Patch::TicklePreferIdlers];

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub struct PatchesProps {
    /// The patches that are on.
    pub patches: PatchSet,
    /// How often each would have decided otherwise; none while the run goes on.
    pub flips: Option<Rc<Vec<Flip>>>,
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
            { time_machine(props) }
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

/// Which revision comes closest to a choice: the same, or else the last one that it holds.
fn stop_of(patches: PatchSet) -> usize {
    let same = |revision: &Revision| revision.patches == patches;
    let holds = |revision: &Revision| revision.patches.bits() & !patches.bits() == 0;
    let all = REVISIONS.iter();
    all.clone().rposition(same).or_else(|| all.clone().rposition(holds)).unwrap_or(0)
}

fn time_machine(props: &PatchesProps) -> Html {
    let stop = stop_of(props.patches);
    let revision = &REVISIONS[stop];
    let exact = revision.patches == props.patches;
    let arrow = |to: Option<usize>, name: &'static str, face: &'static str| {
        let on = props.on.clone();
        let onclick = to.map(|to| {
            Callback::from(move |_: MouseEvent| on.emit(Action::Patches(REVISIONS[to].patches)))
        });
        html! {
            <button type="button" class="small" aria-label={name} title={name} disabled={to.is_none()} {onclick}>
                { face }
            </button>
        }
    };
    let oninput = {
        let on = props.on.clone();
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let stop = input.value().parse().ok().and_then(|stop: usize| REVISIONS.get(stop));
            if let Some(revision) = stop {
                on.emit(Action::Patches(revision.patches));
            }
        })
    };
    let before = if exact { stop.checked_sub(1) } else { Some(stop) };
    let after = (stop + 1 < REVISIONS.len()).then_some(stop + 1);
    let title = if exact {
        format!("{}: {}", revision.date, revision.title)
    } else {
        "A choice that no release ever had".into()
    };
    html! {
        <div class="machine-of-time">
            <div class="track">
                { arrow(before, "Back in history", "◀") }
                <input type="range" min="0" max={(REVISIONS.len() - 1).to_string()} value={stop.to_string()}
                    data-testid="time-machine" aria-label="Time machine" aria-valuetext={title.clone()}
                    class={(!exact).then_some("between")} {oninput} />
                { arrow(after, "On in history", "▶") }
            </div>
            <p class="stop">{ title }</p>
        </div>
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
                <p class="meta">
                    <time datetime={info.date}>{ info.date }</time>
                    { format!(" · {commit}") }
                    { needs(props.patches, info) }
                </p>
                { mattered(props, info, on) }
                <details class="story"><summary>{ "What it changes" }</summary><p>{ info.story }</p></details>
            </div>
        </div>
    }
}

fn needs(patches: PatchSet, info: &PatchInfo) -> Html {
    let missing = info.needs.iter().filter(|needed| !patches.has(**needed));
    let names: Vec<&str> = missing.map(|needed| needed.info().title).collect();
    if names.is_empty() {
        return Html::default();
    }
    html! { <span class="needs">{ format!(" · brings along “{}”", names.join("”, “")) }</span> }
}

/// How often a patch mattered, or why it cannot.
fn mattered(props: &PatchesProps, info: &PatchInfo, on: bool) -> Html {
    match info.kind {
        PatchKind::Counter => {
            return html! { <p class="meta">{ "changes only what is counted" }</p> };
        }
        PatchKind::Nothing => {
            return html! { <p class="meta">{ "changes no decision" }</p> };
        }
        PatchKind::Decision => {}
    }
    let Some(flips) = &props.flips else { return html! { <p class="meta">{ "\u{a0}" }</p> } };
    let Some(flip) = flips.iter().find(|flip| usize::from(flip.patch) == info.patch as usize)
    else {
        return Html::default();
    };
    let of = words::count(u64::from(flip.of));
    if flip.changed == 0 {
        return html! { <p class="meta">{ format!("changes none of {of} decisions here") }</p> };
    }
    let verb = if on { "off, it would change " } else { "would change " };
    let changed = format!("{} of {of}", words::count(u64::from(flip.changed)));
    let next = (info.patch == Patch::TicklePreferIdlers).then(|| {
        let on = props.on.clone();
        let step = Step { direction: Direction::Next, to: StepTo::Wanted(Wanted::ChangedTickle) };
        let onclick = Callback::from(move |_| on.emit(Action::Step(step)));
        html! {
            <button type="button" class="link" data-testid="next-changed" {onclick}
                title="Go to the next decision that this patch would change">
                { "next one" }
            </button>
        }
    });
    html! { <p class="meta">{ verb }<em>{ changed }</em>{ " decisions " }{ next }</p> }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: the time machine stands on each revision, and between two on the earlier one.
    #[test]
    fn the_time_machine_finds_its_stop() {
        for revision in &REVISIONS {
            let stop = &REVISIONS[stop_of(revision.patches)];
            assert_eq!(stop.patches, revision.patches, "{}", revision.name);
        }
        let between = REVISIONS[1].patches.with(Patch::BurnResidual);
        assert_eq!(stop_of(between), 1);
    }
}
