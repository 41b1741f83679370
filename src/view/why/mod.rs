//! Why the selected record is as it is.
//!
//! Prints an explanation; it must not conclude anything from it.

mod parts;
mod sides;

use super::names::Names;
use super::{bars, words};
use crate::protocol::{Explanation, Piece, Side};
use crate::state::Action;
use std::rc::Rc;
use yew::prelude::*;

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub struct WhyProps {
    /// Why.
    pub why: Option<Rc<Explanation>>,
    /// Whether a newer explanation is on its way.
    pub stale: bool,
    /// Whether any is on its way.
    pub reading: bool,
    /// How many of the record's kind the whole run has, once it has ended.
    pub of_kind: Option<u32>,
    /// What to read while nothing is selected: a story of its own, unless it stands elsewhere.
    pub story: Option<AttrValue>,
    /// Decisions passed since the last one shown; more than 1 only while playing fast.
    pub passed: u32,
    /// Which side it is about, while two runs are compared.
    pub side: Option<Side>,
    /// The other side's reason, to stand beside.
    pub beside: Html,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

/// Why the selected record is as it is.
#[component]
pub fn Why(props: &WhyProps) -> Html {
    let names = use_context::<Names>().expect("the page gives names to its panels");
    let Some(why) = &props.why else {
        return if props.reading { reading() } else { nothing_yet(props.story.as_ref()) };
    };
    html! {
        <section class={classes!("panel", "why", props.stale.then_some("stale"))} aria-label="Why">
            <h2 class="hidden">{ "Why" }</h2>
            { head(props, why) }
            <p class="sentence" data-testid="why-sentence">{ names.sentence(&why.sentence) }</p>
            { props.beside.clone() }
            { (props.passed > 1).then(|| html! {
                <p class="meta">{ format!("{} decisions passed since the last one shown", words::count(u64::from(props.passed))) }</p>
            }) }
            { parts::masks(&names, &why.masks) }
            { parts::shares(&names, why.shares.as_ref()) }
            { parts::rules(&why.table_title, &why.table) }
            { sides::sides(&names, why, &props.on) }
            { parts::chain(&names, &why.chain, &props.on) }
            { parts::candidates(&names, &why.candidates) }
            { parts::facts(&names, &why.facts) }
            { parts::counters(&why.counters) }
            <p class="source">{ why.source.clone() }</p>
        </section>
    }
}

/// What the words mean, for whoever meets them here first.
const WORDS: [(&str, &str); 7] = [
    ("pCPU", "A processor of the machine: a row of the timeline, p0, p1 …"),
    ("vCPU", "A processor of a guest: d1v0 is the first one of domain 1."),
    ("run queue", "The vCPUs that wait for a pCPU, best priority first."),
    ("idler", "A pCPU that the scheduler believes to be idle."),
    ("tickle", "To tell a pCPU to choose anew what it runs, because a vCPU woke."),
    ("credit", "Running costs it, accounting hands it out again by weight."),
    (
        "priority",
        "BOOST: just woken, goes first. UNDER: has credit left. OVER: has used it up, goes last.",
    ),
];

fn reading() -> Html {
    html! {
        <section class="panel why stale" aria-label="Why" aria-busy="true">
            <h2>{ "Why" }</h2>
            <p class="muted">{ "Reading the reason…" }</p>
        </section>
    }
}

fn nothing_yet(story: Option<&AttrValue>) -> Html {
    html! {
        <section class="panel why" aria-label="Why">
            <h2>{ "Why" }</h2>
            { story.map(|story| html! { <p class="sentence">{ story }</p> }) }
            <p class="sentence" data-testid="why-sentence">
                { "Every decision of the scheduler is explained here. " }
                { bars::step_on() }
                <span class="press">{ " " }<kbd>{ "," }</kbd>{ " steps back." }</span>
            </p>
            <h3>{ "Words" }</h3>
            <dl class="words">
                { for WORDS.iter().map(|(word, meaning)| html! {
                    <div><dt>{ *word }</dt><dd>{ *meaning }</dd></div>
                }) }
            </dl>
        </section>
    }
}

fn head(props: &WhyProps, why: &Explanation) -> Html {
    let (nth, so_far) = why.ordinal;
    let of = props.of_kind.unwrap_or(so_far).max(nth);
    let kind = words::kind(why.record.place.kind);
    let ordinal =
        format!("{kind} {} of {}", words::count(u64::from(nth)), words::count(u64::from(of)));
    html! {
        <div class="head">
            { props.side.map(|side| html! { <span class="badge" data-testid="why-side">{ side.name() }</span> }) }
            <code data-testid="why-function">{ why.function.clone() }</code>
            <code class="leaf" data-testid="why-code" title="The leaf of the decision tree">{ why.code.clone() }</code>
            <span data-testid="ordinal">{ ordinal }</span>
            <span class="at">{ format!("p{} · {}", why.record.place.pcpu, words::moment(why.record.place.time_ns)) }</span>
        </div>
    }
}

/// What a sentence is in plain text, for those who listen.
#[must_use]
pub fn spoken(names: &Names, sentence: &[Piece], passed: u32) -> String {
    let text = names.plain(sentence);
    if passed > 1 { format!("{passed} decisions passed. {text}") } else { text }
}
