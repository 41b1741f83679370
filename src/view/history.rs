//! The time machine: goes to any stop of the scheduler's history, says what changed there and how
//! many decisions of the run at hand that touches.

use super::patches::go;
use super::words;
use crate::protocol::{Difference, Flip, Flips, Wanted};
use crate::state::Action;
use sim_core::patches::{Patch, PatchSet, REVISIONS, Revision, Standing};
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// What the time machine shows.
#[derive(Properties, PartialEq)]
pub struct HistoryProps {
    /// The patches that are on.
    pub patches: PatchSet,
    /// How many decisions each stop changes; none while the run goes on.
    pub flips: Option<Rc<Flips>>,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

/// The stop at which a choice stands, or the one that comes closest: none but the last stop before
/// the commit, if Xen's tree held the choice between two stops.
fn stop_of(standing: &Standing, patches: PatchSet) -> usize {
    let place = |wanted: PatchSet| REVISIONS.iter().position(|r| r.patches == wanted);
    match standing {
        Standing::Stop(revision) | Standing::Never { nearest: revision, .. } => {
            place(revision.patches).unwrap_or(0)
        }
        Standing::Tree(_) => {
            let holds =
                |revision: &Revision| revision.patches.without_all(patches) == PatchSet::NONE;
            REVISIONS.iter().rposition(holds).unwrap_or(0)
        }
    }
}

/// The time machine.
#[component]
pub fn History(props: &HistoryProps) -> Html {
    let standing = Standing::of(props.patches);
    let stop = stop_of(&standing, props.patches);
    let exact = matches!(standing, Standing::Stop(_));
    html! {
        <div class="machine-of-time">
            { track(props, stop, exact) }
            <div class="at-stop" data-testid="stop">
                { if exact { here(props, stop) } else { between(&standing) } }
            </div>
            <details class="stops">
                <summary>{ format!("All {} stops", REVISIONS.len()) }</summary>
                <ol>{ for (0..REVISIONS.len()).map(|at| entry(props, at, exact && at == stop)) }</ol>
            </details>
        </div>
    }
}

fn to_stop(on: &Callback<Action>, stop: usize) -> Callback<MouseEvent> {
    let (on, patches) = (on.clone(), REVISIONS[stop].patches);
    Callback::from(move |_| on.emit(Action::Patches(patches)))
}

fn track(props: &HistoryProps, stop: usize, exact: bool) -> Html {
    let arrow = |to: Option<usize>, name: &'static str, face: &'static str, id: &'static str| {
        let onclick = to.map(|to| to_stop(&props.on, to));
        html! {
            <button type="button" class="small" aria-label={name} title={name} data-testid={id}
                disabled={to.is_none()} {onclick}>{ face }</button>
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
    let said = if exact { title(stop) } else { format!("near {}", title(stop)) };
    html! {
        <div class="track">
            { arrow(before, "Back in history", "◀", "stop-back") }
            <input type="range" min="0" max={(REVISIONS.len() - 1).to_string()} value={stop.to_string()}
                data-testid="time-machine" aria-label="Time machine" aria-valuetext={said}
                class={(!exact).then_some("between")} {oninput} />
            { arrow(after, "On in history", "▶", "stop-on") }
        </div>
    }
}

/// What a stop is called, with its date.
fn title(stop: usize) -> String {
    let revision = &REVISIONS[stop];
    format!("{}: {}", revision.date, revision.title)
}

/// The patches that came at a stop, and those that went.
fn changes(stop: usize) -> Vec<(bool, Patch)> {
    let Some(before) = stop.checked_sub(1) else { return vec![] };
    let (old, new) = (REVISIONS[before].patches, REVISIONS[stop].patches);
    let came = new.iter().filter(|patch| !old.has(*patch)).map(|patch| (true, patch));
    came.chain(old.iter().filter(|patch| !new.has(*patch)).map(|patch| (false, patch))).collect()
}

/// The stop at which the run stands.
fn here(props: &HistoryProps, stop: usize) -> Html {
    let changes = changes(stop);
    let heading = match changes.len() {
        1 => "What changed here: 1 patch".to_owned(),
        count => format!("What changed here: {count} patches"),
    };
    html! {
        <>
            <p class="stop">{ title(stop) }</p>
            if !changes.is_empty() {
                <p class="meta" data-testid="stop-changed">{ changed(props, stop) }</p>
                <details class="changes" data-testid="stop-patches">
                    <summary>{ heading }</summary>
                    <ul>{ for changes.into_iter().map(|(came, patch)| change(came, patch)) }</ul>
                </details>
            }
        </>
    }
}

fn change(came: bool, patch: Patch) -> Html {
    let info = patch.info();
    let commit: String = info.commit.chars().take(7).collect();
    let (sign, what) = if came { ("+", "came") } else { ("−", "went") };
    html! {
        <li>
            <b><span aria-hidden="true">{ format!("{sign} ") }</span><span class="hidden">{ format!("{what}: ") }</span>{ info.title }</b>
            <small><time datetime={info.date}>{ info.date }</time>{ format!(" · {commit}") }</small>
            <p>{ info.story }</p>
        </li>
    }
}

/// How many decisions of the run a stop changes, and the way to the first of them.
fn changed(props: &HistoryProps, stop: usize) -> Html {
    let Some(Flip { changed, of }) = flip(props, stop) else { return html! { "\u{a0}" } };
    let (some, all) = (words::count(u64::from(changed)), words::count(u64::from(of)));
    let wanted = Wanted::Changed(Difference::Stop(u8::try_from(stop).unwrap_or(u8::MAX)));
    match (changed, of) {
        (_, 0) => html! { "Changes none of this run’s decisions: none of them depends on it." },
        (0, _) => html! { { format!("Changes none of this run’s {all} decisions.") } },
        _ => html! {
            <>
                { "Against the stop before: " }<em>{ format!("{some} of {all}") }</em>{ " decisions change " }
                { go(&props.on, Action::First(wanted), "first", "first-of-stop", "First decision that changes at this stop") }
            </>
        },
    }
}

fn flip(props: &HistoryProps, stop: usize) -> Option<Flip> {
    props.flips.as_ref()?.stops.get(stop).copied()
}

/// A choice that no stop has.
fn between(standing: &Standing) -> Html {
    let never = matches!(standing, Standing::Never { .. });
    html! {
        <p class={classes!("stop", never.then_some("never"))} data-testid="between">{ words::sentence(&standing.to_string()) }</p>
    }
}

/// A stop in the list of all.
fn entry(props: &HistoryProps, stop: usize, here: bool) -> Html {
    let revision = &REVISIONS[stop];
    let count = flip(props, stop).filter(|flip| flip.changed > 0).map(|flip| {
        let some = words::count(u64::from(flip.changed));
        html! { <small class="count">{ format!("{some} changed") }</small> }
    });
    html! {
        <li>
            <button type="button" class="link" aria-current={here.then_some("step")} onclick={to_stop(&props.on, stop)}>
                <span>{ revision.title }</span>
                <small>{ revision.date }</small>
                { count }
            </button>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: the time machine stands on each revision, and elsewhere on the closest one.
    #[test]
    fn the_time_machine_finds_its_stop() {
        let found = |patches| stop_of(&Standing::of(patches), patches);
        for revision in &REVISIONS {
            let stop = &REVISIONS[found(revision.patches)];
            assert_eq!(stop.patches, revision.patches, "{}", revision.name);
        }
        let between = REVISIONS[3].patches.with(Patch::BurnResidual);
        assert_eq!(found(between), 3);
        let last = REVISIONS.len() - 1;
        assert_eq!(found(REVISIONS[last].patches.without(Patch::StealBias)), last);
    }

    /// Goal: every patch came at some stop, and those that were undone went at a later one.
    #[test]
    fn every_patch_comes_at_a_stop() {
        let all: Vec<(bool, Patch)> = (0..REVISIONS.len()).flat_map(changes).collect();
        for info in sim_core::patches::PATCHES {
            assert!(all.contains(&(true, info.patch)), "{}", info.slug);
        }
        let went = all.iter().filter(|(came, _)| !came).map(|(_, patch)| *patch);
        let went: Vec<Patch> = went.collect();
        assert_eq!(went, [Patch::TickleUnfilteredMask, Patch::UnparkBoosts]);
    }
}
