//! Two runs side by side: which is in hand, where they part, and the other one's reason.
//!
//! Shows what is known of both; it must not compare anything itself.

mod table;

pub use table::table;

use super::icons::{Icon, icon};
use super::names::Names;
use super::words;
use crate::protocol::{Parting, Record, Side};
use crate::state::{Ab, Action, Phase, State, select, varied};
use sim_core::patches::{PatchSet, Revision};
use yew::prelude::*;

fn emit(on: &Callback<Action>, action: Action) -> Callback<MouseEvent> {
    let on = on.clone();
    Callback::from(move |_| on.emit(action.clone()))
}

/// Which side is in hand, to be changed.
pub fn sides(side: Side, id: &'static str, label: &'static str, on: &Callback<Action>) -> Html {
    html! {
        <div class="ab-sides" role="group" aria-label={label} data-testid={id}>
            <span class="muted">{ label }</span>
            <span class="choice">
                { for Side::BOTH.map(|one| html! {
                    <button type="button" class="small" aria-pressed={(one == side).to_string()}
                        data-testid={format!("{id}-{}", one.name())}
                        onclick={emit(on, Action::Hand(Some(one)))}>{ one.name() }</button>
                }) }
            </span>
        </div>
    }
}

/// The line above the stage while two runs are compared.
pub fn bar(state: &State, on: &Callback<Action>) -> Html {
    let Some(ab) = &state.ab else { return Html::default() };
    let [a, b] = state.sides(state.patches, ab.other.patches);
    let [from, to] = state.sides(&state.scenario, &ab.other.scenario);
    let varied: String = varied(from, to).iter().map(|text| format!(", {text}")).collect();
    html! {
        <section class="ab-bar" aria-label="A and B" data-testid="ab-bar">
            { sides(ab.side, "hand", "In hand", on) }
            <p class="what" data-testid="ab-what"><b>{ "B" }</b>{ " is A" }{ changed(a, b) }{ varied }</p>
            { parting(state, ab, on) }
            <button type="button" class="small" aria-label="End the comparison" title="End the comparison  [a]"
                data-testid="ab-close" onclick={emit(on, Action::ToggleAb)}>{ icon(Icon::Close) }</button>
        </section>
    }
}

/// The patches in which B is another one than A.
fn changed(a: PatchSet, b: PatchSet) -> String {
    let more: Vec<&str> = b.iter().filter(|p| !a.has(*p)).map(|p| p.info().title).collect();
    let less: Vec<&str> = a.iter().filter(|p| !b.has(*p)).map(|p| p.info().title).collect();
    let list = |word: &str, titles: &[&str]| match titles {
        [] => String::new(),
        [first, second, third, rest @ ..] if !rest.is_empty() => {
            format!(" {word} “{first}”, “{second}”, “{third}” and {} more", rest.len())
        }
        titles => format!(" {word} “{}”", titles.join("”, “")),
    };
    if let (Some(revision), 4..) = (Revision::of(b), more.len() + less.len()) {
        return format!(" at {}", revision.title);
    }
    if more.is_empty() && less.is_empty() {
        return " with the same patches".into();
    }
    format!("{}{}", list("with", &more), list("without", &less))
}

fn parting(state: &State, ab: &Ab, on: &Callback<Action>) -> Html {
    let place = ab.parting_records().map(|records| records.into_iter().flatten().min_by_key(ns_of));
    let text = match (ab.parting, place.flatten()) {
        (_, Some(record)) => {
            let at = words::moment(record.place.time_ns);
            return html! {
                <button type="button" class="part" data-testid="go-parting" onclick={emit(on, Action::GoParting)}
                    title="Go to the first decision where they part  [d]">
                    <span>{ format!("They part at {at} on p{}", record.place.pcpu) }</span>{ icon(Icon::Next) }
                </button>
            };
        }
        (Some(Parting::NotBefore(ns)), _) => {
            format!("Alike up to {}, where one was stopped", words::length(ns))
        }
        (Some(_), _) => "The same run, record for record".into(),
        (None, _) => {
            let known = [&state.run, &ab.other.run];
            if known.iter().any(|run| run.phase == Phase::Gone) {
                "One of them cannot be run".into()
            } else {
                let until = known.map(select::known_ns).into_iter().min().unwrap_or(0);
                format!("Alike up to {} so far", words::length(until))
            }
        }
    };
    html! { <span class="muted" data-testid="parting">{ text }</span> }
}

fn ns_of(record: &Record) -> u64 {
    record.place.time_ns
}

/// What the run that is not in hand decides at the same place.
pub fn other_reason(state: &State, names: &Names, on: &Callback<Action>) -> Html {
    let (Some(ab), Some(own)) = (&state.ab, state.selection.record) else { return Html::default() };
    let side = ab.side.other().name();
    let other = &ab.other;
    let reason = match other.selection.record {
        None if other.run.phase == Phase::Running => {
            html! { <p class="muted">{ format!("{side} has not come here yet.") }</p> }
        }
        None => html! {
            <p>{ format!("{side} decides nothing of the sort here: no record of this kind at this moment on p{}.", own.place.pcpu) }</p>
        },
        Some(record) => {
            let why = select::why_of(&other.selection, other.run.id);
            let elsewhere = record.place != own.place;
            let at = elsewhere.then(|| html! {
                <small>{ format!("p{} · {}", record.place.pcpu, words::moment(record.place.time_ns)) }</small>
            });
            let same = select::why(state).zip(why).is_some_and(|(own, other)| {
                own.code == other.code && own.sentence == other.sentence
            });
            match why {
                None => html! { <p class="muted">{ "…" }</p> },
                Some(_) if same => {
                    html! { <p class="muted">{ "The same decision for the same reason." }</p> }
                }
                Some(why) => html! {
                    <>
                        <p class="verdict"><code class="leaf">{ why.code.clone() }</code>{ at }</p>
                        <p>{ names.sentence(&why.sentence) }</p>
                    </>
                },
            }
        }
    };
    html! {
        <section class="ab-other" aria-label={format!("The reason in {side}")} data-testid="other-reason">
            <h3>
                <span class="badge">{ side }</span>
                <button type="button" class="link" data-testid="take-other" onclick={emit(on, Action::Hand(None))}
                    title="Take it in hand  [x]">{ format!("explain {side}") }</button>
            </h3>
            { reason }
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::patches::{Patch, REVISIONS};

    /// Goal: it is said in words what B has and lacks; a whole release by its name.
    #[test]
    fn differences_are_told_in_words() {
        let a = PatchSet::of(&[Patch::PickDiscountAlone]);
        let title = |patch: Patch| patch.info().title;
        assert_eq!(changed(a, a), " with the same patches");
        let with = changed(a, a.with(Patch::TicklePreferIdlers));
        assert_eq!(with, format!(" with “{}”", title(Patch::TicklePreferIdlers)));
        let both = changed(a, PatchSet::of(&[Patch::TraceCredit]));
        let (more, less) = (title(Patch::TraceCredit), title(Patch::PickDiscountAlone));
        assert_eq!(both, format!(" with “{more}” without “{less}”"));
        let last = REVISIONS.last().expect("there are revisions");
        assert_eq!(changed(a, last.patches), format!(" at {}", last.title));
    }
}
