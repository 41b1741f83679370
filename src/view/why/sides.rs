//! What the same state gives under other patches.

use crate::protocol::{Explanation, OtherSide, Unasked};
use crate::state::Action;
use crate::view::names::Names;
use sim_core::patches::PATCHES;
use yew::prelude::*;

/// The side that tells most, then the others in short, then what cannot be asked here.
pub(super) fn sides(names: &Names, why: &Explanation, on: &Callback<Action>) -> Html {
    let Some((first, others)) = why.sides.split_first() else { return unasked(&why.unasked) };
    html! {
        <>
            { leading(names, first, on) }
            { short(names, others, on) }
            { unasked(&why.unasked) }
        </>
    }
}

/// The side that tells most: whole, with the way over there.
fn leading(names: &Names, side: &OtherSide, on: &Callback<Action>) -> Html {
    let Some(info) = PATCHES.get(usize::from(side.patch)) else { return Html::default() };
    let with = if side.on { "with" } else { "without" };
    let onclick = {
        let on = on.clone();
        Callback::from(move |_| on.emit(Action::Flip(info.patch)))
    };
    let verdict = if side.differs {
        html! { <strong class="differs">{ "another outcome" }</strong> }
    } else {
        html! { <span class="muted">{ "the same outcome" }</span> }
    };
    let bits = (!side.bits.is_empty())
        .then(|| crate::view::names::bits(&side.bits, side.differs, "tickled there"));
    html! {
        <section class={classes!("other", side.differs.then_some("differs"))} data-testid="other-side"
            data-differs={side.differs.to_string()} aria-label="The other side of the patch">
            <h3>{ format!("Same state {with} “{}”", info.title) }</h3>
            <p class="verdict"><code class="leaf">{ side.code.clone() }</code>{ verdict }</p>
            <p>{ names.sentence(&side.sentence) }</p>
            { bits }
            <button type="button" data-testid="flip" {onclick}>
                { format!("Switch it {} and compare ▸", if side.on { "on" } else { "off" }) }
            </button>
        </section>
    }
}

/// The other sides in short; those that differ stand first and are open to read.
fn short(names: &Names, sides: &[OtherSide], on: &Callback<Action>) -> Html {
    if sides.is_empty() {
        return Html::default();
    }
    let differing = sides.iter().filter(|side| side.differs).count();
    let summary = match (sides.len(), differing) {
        (1, 0) => "1 other patch: the same outcome".to_owned(),
        (1, _) => "1 other patch: another outcome".to_owned(),
        (count, 0) => format!("{count} other patches: the same outcome"),
        (count, some) => format!("{count} other patches: {some} with another outcome"),
    };
    html! {
        <details class="other-sides" data-testid="other-sides" open={differing > 0}>
            <summary>{ summary }</summary>
            <ul>{ for sides.iter().map(|side| line(names, side, on)) }</ul>
        </details>
    }
}

fn line(names: &Names, side: &OtherSide, on: &Callback<Action>) -> Html {
    let Some(info) = PATCHES.get(usize::from(side.patch)) else { return Html::default() };
    let with = if side.on { "With" } else { "Without" };
    let (on, patch) = (on.clone(), info.patch);
    let onclick = Callback::from(move |_| on.emit(Action::Flip(patch)));
    let verb = if side.on { "Switch on" } else { "Switch off" };
    html! {
        <li class={side.differs.then_some("differs")}>
            <p>
                { format!("{with} “{}” ", info.title) }<code class="leaf">{ side.code.clone() }</code>
                if side.differs {
                    { " " }
                    <button type="button" class="link" {onclick} aria-label={format!("{verb} {}", info.title)}>{ "switch" }</button>
                }
            </p>
            <p class="meta">{ names.sentence(&side.sentence) }</p>
        </li>
    }
}

fn unasked(patches: &[Unasked]) -> Html {
    let line = |unasked: &Unasked| {
        let info = PATCHES.get(usize::from(unasked.patch))?;
        Some(
            html! { <li><p class="meta">{ format!("“{}” {}", info.title, unasked.sentence) }</p></li> },
        )
    };
    if patches.is_empty() {
        return Html::default();
    }
    html! {
        <ul class="other-sides unasked" data-testid="unasked">{ for patches.iter().filter_map(line) }</ul>
    }
}
