//! Predict before reveal: the question with who can be chosen, and what came out.
//!
//! Puts into words what is asked; it must not know what was decided before it is shown.

use crate::protocol::{Outcome, Piece};
use crate::state::predict::{Choice, Question};
use crate::state::{Action, Guess, State};
use crate::view::names::Names;
use sim_core::decision::Kind;
use yew::prelude::*;

/// Up to so many pCPUs each have a button; of more one types the number.
const BUTTONS: usize = 16;

fn text(words: &str) -> Piece {
    Piece::Text(words.to_owned())
}

fn is(question: &Question, kind: Kind) -> bool {
    question.record.place.kind == kind as u8
}

/// What is asked.
fn asked(question: &Question) -> Vec<Piece> {
    let (vcpu, pcpu) = (Piece::Vcpu(question.record.vcpu), Piece::Pcpu(question.record.place.pcpu));
    if is(question, Kind::Tickle) {
        let Some(waits) = question.waits_on() else {
            return vec![vcpu, text(" woke. Which pCPU will be told?")];
        };
        let waits = Piece::Pcpu(waits);
        return vec![vcpu, text(" woke and waits on "), waits, text(". Which pCPU will be told?")];
    }
    if is(question, Kind::Pick) {
        return vec![text("Which pCPU will be picked for "), vcpu, text("?")];
    }
    if is(question, Kind::Balance) {
        return vec![pcpu, text(" looks for work elsewhere. From which pCPU will it take some?")];
    }
    vec![text("Who runs next on "), pcpu, text("?")]
}

/// pCPUs in a sentence: `p0, p1 and p3`.
fn listed(pcpus: &[u16]) -> Vec<Piece> {
    let mut pieces = vec![];
    for (at, pcpu) in pcpus.iter().enumerate() {
        match pcpus.len() - at {
            _ if at == 0 => {}
            1 => pieces.push(text(" and ")),
            _ => pieces.push(text(", ")),
        }
        pieces.push(Piece::Pcpu(*pcpu));
    }
    pieces
}

/// What came out, in a sentence.
fn came_out(question: &Question, outcome: &Outcome) -> Vec<Piece> {
    let pcpu = Piece::Pcpu(question.record.place.pcpu);
    match outcome {
        Outcome::Runs(Some(next)) => vec![Piece::Vcpu(*next), text(" runs next.")],
        Outcome::Runs(None) => vec![pcpu, text(" goes idle or stays so.")],
        Outcome::Pcpus(pcpus) if is(question, Kind::Balance) => {
            let from = if pcpus.is_empty() { vec![text("nobody")] } else { listed(pcpus) };
            [vec![pcpu, text(" takes work from ")], from, vec![text(".")]].concat()
        }
        Outcome::Pcpus(pcpus) if is(question, Kind::Pick) => {
            [listed(pcpus), vec![text(" is picked.")]].concat()
        }
        Outcome::Pcpus(pcpus) if pcpus.is_empty() => vec![text("Nobody is told.")],
        Outcome::Pcpus(pcpus) => {
            let verb = if pcpus.len() == 1 { " is told." } else { " are told." };
            [listed(pcpus), vec![text(verb)]].concat()
        }
        Outcome::Other => vec![],
    }
}

/// Whether the answer was right, and what came out; none before it is shown.
fn verdict(state: &State) -> Option<(Option<bool>, Vec<Piece>)> {
    let (question, outcome) = state.answered()?;
    let right = question.is_right(outcome);
    let mut pieces = vec![];
    if let (Some(right), Some(choice)) = (right, question.choice) {
        pieces.push(Piece::Strong(if right { "Right".into() } else { "Wrong".into() }));
        if !right {
            pieces.extend([text(", not "), chosen(choice)]);
        }
        pieces.push(text(": "));
    }
    pieces.extend(came_out(question, outcome));
    Some((right, pieces))
}

fn chosen(choice: Choice) -> Piece {
    match choice {
        Choice::Nobody => text("nobody"),
        Choice::Pcpu(pcpu) => Piece::Pcpu(pcpu),
        Choice::Vcpu(vcpu) => Piece::Vcpu(vcpu),
        Choice::Elsewhere => text("one from elsewhere"),
    }
}

/// What those who listen are told: the question, or what came out; none if there is neither.
pub fn spoken(state: &State, names: &Names) -> Option<String> {
    if let Some(question) = state.predict.open() {
        return Some(names.plain(&asked(question)));
    }
    verdict(state).map(|(_, pieces)| names.plain(&pieces))
}

/// Whether the answer was right and what came out, above the reason.
pub fn answer(state: &State, names: &Names) -> Html {
    let Some((right, pieces)) = verdict(state) else { return Html::default() };
    let class = match right {
        Some(true) => "right",
        Some(false) => "wrong",
        None => "",
    };
    html! {
        <p class={classes!("verdict-line", class)} data-testid="verdict">
            { names.sentence(&pieces) }{ " " }{ tally(state) }
        </p>
    }
}

fn tally(state: &State) -> Html {
    let (right, of) = state.predict.tally;
    if of == 0 {
        return Html::default();
    }
    html! { <small class="tally" data-testid="tally">{ format!("{right} of {of} right") }</small> }
}

/// The question that waits, with who can be chosen; none if there is none.
pub fn question(state: &State, names: &Names, on: &Callback<Action>) -> Option<Html> {
    let question = state.predict.open()?;
    let uncover = guess(on, Guess::Uncover);
    Some(html! {
        <section class="panel predict" aria-label="Predict" data-testid="predict">
            <p class="sentence caption" data-testid="question">{ names.sentence(&asked(question)) }</p>
            <div class="choices" role="group" aria-label="Who can be chosen">{ choices(state, question, names, on) }</div>
            <p class="reveal">
                <button type="button" class="primary" data-testid="uncover" onclick={uncover}>
                    { "Show it" }<kbd class="press">{ "." }</kbd>
                </button>
                { tally(state) }
            </p>
        </section>
    })
}

fn guess(on: &Callback<Action>, guess: Guess) -> Callback<MouseEvent> {
    let on = on.clone();
    Callback::from(move |_| on.emit(Action::Guess(guess)))
}

fn choices(state: &State, question: &Question, names: &Names, on: &Callback<Action>) -> Html {
    // A pCPU's name says its key.
    let named = |choice: Choice| matches!(choice, Choice::Pcpu(_));
    let button = |key: String, choice: Choice, face: Html| {
        let pressed = (question.choice == Some(choice)).to_string();
        html! {
            <button type="button" data-testid={format!("choice-{key}")} aria-pressed={pressed}
                onclick={guess(on, Guess::Choose(choice))}>{ face }{ (!named(choice)).then(|| html! { <kbd class="press">{ key }</kbd> }) }</button>
        }
    };
    let nobody = |face: &'static str| button("n".into(), Choice::Nobody, html! { { face } });
    if question.is_about_vcpu() {
        let vcpus = question.vcpus();
        let elsewhere = vcpus.len();
        let vcpus = vcpus.into_iter().enumerate();
        return html! {
            <>
                { for vcpus.map(|(at, vcpu)| button(at.to_string(), Choice::Vcpu(vcpu), names.vcpu(vcpu))) }
                { button(elsewhere.to_string(), Choice::Elsewhere, html! { "one from elsewhere" }) }
                { nobody("nobody: idle") }
            </>
        };
    }
    let pcpus = state.scenario.topology.pcpu_count();
    let none = if is(question, Kind::Balance) { "from nobody" } else { "nobody" };
    let may_be_none = !is(question, Kind::Pick);
    if pcpus > BUTTONS {
        let own = question.choice.filter(|choice| *choice != Choice::Nobody).map(chosen);
        return html! {
            <>
                <span class="typed" data-testid="typed">
                    { own.map_or_else(|| html! { "Type its number, or click its row." }, |own| names.sentence(&[own])) }
                </span>
                { may_be_none.then(|| nobody(none)) }
            </>
        };
    }
    let each = (0..u16::try_from(pcpus).unwrap_or(0)).map(|pcpu| {
        let face = html! { { format!("p{pcpu}") } };
        button(pcpu.to_string(), Choice::Pcpu(pcpu), face)
    });
    html! { <>{ for each }{ may_be_none.then(|| nobody(none)) }</> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Place, Record};
    use crate::timeline::shape::MachineShape;
    use crate::timeline::theme::Scheme;
    use std::rc::Rc;

    fn plain(pieces: &[Piece]) -> String {
        let scenario = (sim_core::presets::PRESETS[0].build)();
        let shape = Rc::new(MachineShape::of(&scenario));
        Names { shape, scheme: Scheme::default() }.plain(pieces)
    }

    /// Goal: every sort of question and outcome is a sentence of its own, and a question tells
    /// nothing that the decision adds.
    #[test]
    fn questions_and_outcomes_are_sentences() {
        let pcpus = |pcpus: &[u16]| Outcome::Pcpus(pcpus.to_vec());
        for (kind, question, outcome, sentence) in [
            (Kind::Tickle, "d2v0 woke. Which pCPU will be told?", pcpus(&[]), "Nobody is told."),
            (
                Kind::Tickle,
                "d2v0 woke. Which pCPU will be told?",
                pcpus(&[0, 1, 3]),
                "p0, p1 and p3 are told.",
            ),
            (Kind::Pick, "Which pCPU will be picked for d2v0?", pcpus(&[1]), "p1 is picked."),
            (
                Kind::Balance,
                "p1 looks for work elsewhere. From which pCPU will it take some?",
                pcpus(&[]),
                "p1 takes work from nobody.",
            ),
            (Kind::Schedule, "Who runs next on p1?", Outcome::Runs(Some(2)), "d2v0 runs next."),
            (
                Kind::Schedule,
                "Who runs next on p1?",
                Outcome::Runs(None),
                "p1 goes idle or stays so.",
            ),
        ] {
            let place = Place { time_ns: 5, pcpu: 1, kind: kind as u8, nth: 0 };
            let one = Question::new(Record { record: 7, place, vcpu: 2 });
            assert_eq!(plain(&asked(&one)), question);
            assert_eq!(plain(&came_out(&one, &outcome)), sentence);
        }
    }
}
