//! Edits of all sorts at random: nothing panics, everything can be taken back.

use crate::fields::places;
use sim_core::patches::PatchSet;
use sim_core::presets::PRESETS;
use sim_core::rng::SplitMix64;
use std::rc::Rc;
use tickle::state::edit::draft::Draft;
use tickle::state::edit::field::{ALL, At, Field, Form};
use tickle::state::edit::lists::{List, ListOp};
use tickle::state::edit::table::FIELDS;
use tickle::state::edit::{Edit, Editor, Follows, Tab, text};

const WALKS: u64 = 150;
const STEPS: usize = 60;

fn pick<T: Copy>(rng: &mut SplitMix64, of: &[T]) -> T {
    of[usize::try_from(rng.next() % of.len() as u64).expect("short")]
}

fn small(rng: &mut SplitMix64, most: u64) -> u16 {
    u16::try_from(rng.between(0, most)).expect("small")
}

/// A text for a field: often one that fits, often a broken one.
fn typed(rng: &mut SplitMix64, editor: &Editor, at: At) -> String {
    let spec = at.field.spec();
    let scenario = &editor.draft.scenario;
    if at.field == Field::Json {
        let other = (PRESETS[usize::from(small(rng, 3))].build)();
        return pick(rng, &["{}", "", "[1]"]).to_owned() + &scenario_json::to_json(&other);
    }
    let bounds = text::bounds(scenario, at);
    match rng.next() % 6 {
        0 => spec.default.into(),
        1 => {
            pick(rng, &["", "x", "-1", "99999999999999999999", "1.5 ns", "0-", "ü", "30 ms"]).into()
        }
        2 => spec.word.into(),
        3 if matches!(spec.form, Form::Choice(_)) => match spec.form {
            Form::Choice(words) => pick(rng, words).into(),
            _ => String::new(),
        },
        _ => {
            let number = bounds.least + rng.next() % (bounds.most - bounds.least).clamp(1, 9);
            text::print(scenario, at.field, &tickle::state::edit::field::Value::Number(number))
        }
    }
}

fn place(rng: &mut SplitMix64, editor: &Editor) -> At {
    loop {
        let field = FIELDS[usize::try_from(rng.next() % FIELDS.len() as u64).expect("few")].field;
        let all = places(&editor.draft.scenario, field);
        let Some(mut at) = (!all.is_empty()).then(|| pick(rng, &all)) else { continue };
        let of_vcpu = field.spec().scope == tickle::state::edit::field::Scope::Vcpu;
        if of_vcpu && rng.next().is_multiple_of(3) {
            at.index[1] = ALL;
        }
        return at;
    }
}

fn edit(rng: &mut SplitMix64, editor: &Editor) -> Edit {
    let op = pick(rng, &[ListOp::Add, ListOp::Copy, ListOp::Remove, ListOp::Up, ListOp::Down]);
    match rng.next() % 14 {
        0 => Edit::Tab(pick(rng, &Tab::ALL).0),
        1 => Edit::Domain(small(rng, 9)),
        2 => Edit::Vcpu(pick(rng, &[0, 1, 7, ALL])),
        3 => Edit::GoTo(place(rng, editor)),
        4 => Edit::Toggle(place(rng, editor), small(rng, 9)),
        5 => Edit::List(List::Domains, op, small(rng, 5)),
        6 => Edit::List(List::Changes, op, small(rng, 5)),
        7 => {
            let (domain, vcpu) = (small(rng, 3), pick(rng, &[0, 1, ALL]));
            Edit::List(List::Steps { domain, vcpu }, op, small(rng, 3))
        }
        8 => Edit::Fit,
        9 => Edit::Done(place(rng, editor)),
        _ => {
            let at = place(rng, editor);
            Edit::Type(at, typed(rng, editor, at))
        }
    }
}

/// Whether it is one that sets are put into; others must not be toggled.
fn fits(edit: &Edit) -> bool {
    !matches!(edit, Edit::Toggle(at, _) if at.field.spec().form != Form::Cpus)
}

/// Goal: whatever is edited, undo gives back each state that there was and redo each again; a draft
/// without a problem is a scenario that can be run and that names its own places.
#[test]
fn every_edit_can_be_taken_back() {
    let (mut changed, mut ran) = (0, 0);
    for seed in 0..WALKS {
        let mut rng = SplitMix64::new(seed);
        let mut editor = Editor::default();
        let preset = PRESETS[usize::from(small(&mut rng, 14))].build;
        editor.opened(Rc::new(preset()), None, None);
        let mut states: Vec<Draft> = vec![editor.draft.clone()];
        for _ in 0..STEPS {
            let edit = edit(&mut rng, &editor);
            if !fits(&edit) {
                continue;
            }
            let said = format!("seed {seed}: {edit:?}");
            let before = editor.draft.clone();
            editor.apply(Edit::Done(place(&mut rng, &editor)), PatchSet::NONE);
            let left = editor.draft.clone();
            let follows = editor.apply(edit.clone(), PatchSet::NONE);
            if left != before {
                *states.last_mut().expect("a first") = left.clone();
            }
            if editor.draft != left && !matches!(edit, Edit::Done(_)) {
                assert_eq!(follows, Follows::Changed, "{said}");
                states.push(editor.draft.clone());
                changed += 1;
            } else {
                *states.last_mut().expect("a first") = editor.draft.clone();
            }
            let problems = editor.problems();
            if problems.is_empty() {
                let valid = (*editor.draft.scenario).clone().validate();
                assert!(valid.is_ok(), "{said}: {:?}", valid.err());
                ran += 1;
            }
            for problem in &problems {
                assert!(problem.sentence.ends_with('.'), "{said}: {}", problem.sentence);
                assert!(editor.show(problem.at, &problems).is_some(), "{said}: {problem:?}");
            }
        }
        let last = states.len() - 1;
        for state in states[..last].iter().rev() {
            editor.apply(Edit::Undo, PatchSet::NONE);
            assert_eq!(editor.draft.scenario, state.scenario, "seed {seed}");
        }
        assert!(!editor.can_undo(), "seed {seed}");
        for state in &states[1..] {
            editor.apply(Edit::Redo, PatchSet::NONE);
            assert_eq!(editor.draft.scenario, state.scenario, "seed {seed}");
        }
        assert!(!editor.can_redo(), "seed {seed}");
    }
    assert!(changed > 3_000 && ran > 500, "{changed} edits, {ran} could be run");
}

/// Goal: letters typed one after another are one edit; leaving the field ends it.
#[test]
fn typing_is_one_edit() {
    let mut editor = Editor::default();
    let at = At::of(Field::Weight, 0);
    let types = |editor: &mut Editor, text: &str| {
        editor.apply(Edit::Type(at, text.into()), PatchSet::NONE);
    };
    for text in ["5", "51", "512"] {
        types(&mut editor, text);
    }
    editor.apply(Edit::Done(at), PatchSet::NONE);
    types(&mut editor, "7");
    assert_eq!(editor.draft.scenario.domains[0].weight, 7);
    editor.apply(Edit::Undo, PatchSet::NONE);
    assert_eq!(editor.draft.scenario.domains[0].weight, 512);
    editor.apply(Edit::Undo, PatchSet::NONE);
    assert_eq!(editor.draft.scenario.domains[0].weight, 256);
    assert_eq!(editor.draft.preset, Some(0), "the preset again");
    assert!(!editor.can_undo() && editor.can_redo());
}

/// Goal: who changes a preset has a scenario of their own, which does not tell the preset's story.
#[test]
fn a_changed_preset_is_ones_own() {
    let mut editor = Editor::default();
    assert!(!editor.draft.scenario.note.is_empty());
    editor.apply(Edit::Type(At::of(Field::Weight, 0), "512".into()), PatchSet::NONE);
    let draft = &editor.draft;
    assert_eq!((draft.preset, draft.scenario.name.as_str()), (None, ""));
    assert_eq!(draft.scenario.note, "");
}

/// Goal: a domain that is moved, copied or removed takes along what changes say of it.
#[test]
fn changes_follow_their_domain() {
    let preset = sim_core::presets::Preset::from_slug("changes-while-running").expect("a preset");
    let mut draft = Draft::new(Rc::new((preset.build)()), None);
    let named = |draft: &Draft| -> Vec<String> {
        let all = (0u16..).take(draft.scenario.ops.len());
        let shown = |at| {
            [Field::ChangeDomain, Field::ChangeVcpu]
                .iter()
                .find_map(|field| draft.shown(At::of(*field, at)))
        };
        all.filter_map(shown).collect()
    };
    assert_eq!(named(&draft), ["d1", "d1v0", "d2v0", "d1v2", "d1v0"]);
    draft.list(List::Domains, ListOp::Down, 0).expect("it moves");
    assert_eq!(named(&draft), ["d2", "d2v0", "d1v0", "d2v2", "d2v0"]);
    draft.list(List::Domains, ListOp::Copy, 0).expect("it is copied");
    assert_eq!(named(&draft), ["d3", "d3v0", "d1v0", "d3v2", "d3v0"]);
    draft.list(List::Domains, ListOp::Remove, 0).expect("it goes");
    assert_eq!(named(&draft), ["d2", "d2v0", "d2v2", "d2v0"]);
    draft.type_text(At::of(Field::Vcpus, 1), "2".into());
    assert_eq!(named(&draft), ["d2", "d2v0", "d2v0"]);
}
