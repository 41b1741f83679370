//! All performance counters and trace records that exist with the patches of the run, with what
//! they mean, and what a change of patches did to them.

use crate::protocol::Summary;
use crate::state::Before;
use crate::timeline::label::count;
use sim_core::decision::{COUNTERS, Lifetime, TRACE_KINDS};
use sim_core::patches::PatchSet;
use std::rc::Rc;
use yew::prelude::*;

/// What the panel shows.
#[derive(Properties, PartialEq)]
pub struct CountersProps {
    /// What the run adds up to.
    pub summary: Rc<Summary>,
    /// The patches of the run.
    pub patches: PatchSet,
    /// The run before the change.
    pub before: Option<Before>,
}

/// A line of the panel.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    name: String,
    meaning: String,
    /// None if it does not exist with the patches.
    value: Option<u64>,
    before: Option<u64>,
}

/// What one more means, and what else is to be known.
fn meaning(sentence: &str, never: Option<&str>, note: Option<&str>) -> String {
    let mut text = sentence.to_owned();
    if let Some(why) = never {
        text.push_str(&format!(" Stays 0 here: {why}."));
    }
    if let Some(note) = note {
        text.push_str(&format!(" History: {note}."));
    }
    text
}

type Of = fn(&Summary, usize) -> u64;

fn counter(summary: &Summary, at: usize) -> u64 {
    let name = COUNTERS[at].name;
    summary.counters.iter().find(|(other, _)| other == name).map_or(0, |(_, value)| *value)
}

fn traced(summary: &Summary, at: usize) -> u64 {
    summary.traced.get(at).copied().unwrap_or(0)
}

/// An entry, if it exists in one of the runs.
fn entry(
    props: &CountersProps,
    (name, meaning): (String, String),
    lifetime: Lifetime,
    (of, at): (Of, usize),
) -> Option<Entry> {
    let value = lifetime.holds(props.patches).then(|| of(&props.summary, at));
    let before = props.before.as_ref().filter(|before| lifetime.holds(before.patches));
    let before = before.map(|before| of(&before.summary, at));
    (value.is_some() || before.is_some()).then_some(Entry { name, meaning, value, before })
}

fn counters(props: &CountersProps) -> Vec<Entry> {
    let entry = |(at, info): (usize, &sim_core::decision::CounterInfo)| {
        let meaning = meaning(info.sentence, info.never, info.note);
        entry(props, (info.name.into(), meaning), info.lifetime, (counter, at))
    };
    COUNTERS.iter().enumerate().filter_map(entry).collect()
}

fn records(props: &CountersProps) -> Vec<Entry> {
    let entry = |(at, info): (usize, &sim_core::decision::TraceInfo)| {
        let meaning = meaning(info.sentence, info.never, info.note);
        let name = format!("{} 0x{:05x}", info.name, info.number);
        entry(props, (name, meaning), info.lifetime, (traced, at))
    };
    TRACE_KINDS.iter().enumerate().filter_map(entry).collect()
}

/// A value after minus before, with its sign.
fn difference(value: Option<u64>, before: Option<u64>) -> String {
    match (value, before) {
        (Some(value), Some(before)) if value == before => "0".into(),
        (Some(value), Some(before)) => {
            let sign = if value > before { "+" } else { "−" };
            format!("{sign}{}", count(value.abs_diff(before)))
        }
        (Some(_), None) => "new".into(),
        _ => "gone".into(),
    }
}

/// The counters.
#[component]
pub fn Counters(props: &CountersProps) -> Html {
    let said = use_state(|| None::<String>);
    let row = |entry: &Entry| {
        let say = {
            let (said, meaning) = (said.setter(), entry.meaning.clone());
            move || said.set(Some(meaning.clone()))
        };
        let onfocus = Callback::from({
            let say = say.clone();
            move |_: FocusEvent| say()
        });
        let onmouseenter = Callback::from(move |_: MouseEvent| say());
        let told = |value: Option<u64>| value.map_or_else(|| "–".into(), count);
        let quiet = entry.value.unwrap_or(0) == 0 && entry.before.unwrap_or(0) == 0;
        html! {
            <tr key={entry.name.clone()} class={quiet.then_some("quiet")} {onmouseenter}>
                <th scope="row">
                    <span tabindex="0" class="term" {onfocus} title={entry.meaning.clone()}>
                        { entry.name.clone() }<span class="hidden">{ format!(": {}", entry.meaning) }</span>
                    </span>
                </th>
                { props.before.as_ref().map(|_| html! { <td>{ told(entry.before) }</td> }) }
                <td>{ told(entry.value) }</td>
                { props.before.as_ref().map(|_| html! { <td>{ difference(entry.value, entry.before) }</td> }) }
            </tr>
        }
    };
    let part = |title: &'static str, id: &'static str, entries: Vec<Entry>| {
        let before = props.before.is_some();
        html! {
            <table data-testid={id}>
                <thead>
                    <tr>
                        <th scope="col">{ title }</th>
                        { before.then(|| html! { <th scope="col">{ "before" }</th> }) }
                        <th scope="col">{ if before { "after" } else { "value" } }</th>
                        { before.then(|| html! { <th scope="col">{ "difference" }</th> }) }
                    </tr>
                </thead>
                <tbody>{ for entries.iter().map(row) }</tbody>
            </table>
        }
    };
    let say = (*said).clone().unwrap_or_else(|| {
        "Every counter and trace record that exists with these patches; point at one for its meaning."
            .into()
    });
    html! {
        <div class="counters">
            <p class="method" data-testid="counter-meaning">{ say }</p>
            <div class="chart-table" tabindex="0" role="region" aria-label="Counters">
                { part("performance counter", "counters", counters(props)) }
                { part("trace record", "trace-records", records(props)) }
            </div>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::patches::Patch;

    /// Goal: what exists is listed with zeros, what a patch brings or takes away says so, and the
    /// difference has its sign.
    #[test]
    fn what_exists_is_listed() {
        let run = |boosts: u64| {
            Rc::new(Summary {
                counters: vec![("tickle_idlers_some".into(), boosts)],
                ..Summary::default()
            })
        };
        let off = PatchSet::of(&[]);
        let on = PatchSet::of(&[Patch::TicklePreferIdlers]);
        let before = Before { patches: off, summary: run(7) };
        let props = CountersProps { summary: run(4), patches: on, before: Some(before) };
        let all = counters(&props);
        let of = |name: &str| all.iter().find(|entry| entry.name == name).expect("it is listed");
        let some = of("tickle_idlers_some");
        assert_eq!((some.value, some.before), (Some(4), Some(7)));
        assert_eq!(difference(some.value, some.before), "−3");
        let gone = of("tickle_local_idler");
        assert_eq!(difference(gone.value, gone.before), "gone");
        let new = of("migrate_kicked_away");
        assert_eq!((new.value, difference(new.value, new.before)), (Some(0), "new".into()));
        let alone = CountersProps { before: None, ..props };
        assert!(counters(&alone).iter().all(|entry| entry.name != "tickle_local_idler"));
        assert!(!records(&alone).is_empty());
    }
}
