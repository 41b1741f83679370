//! Scenarios in and out: files, links, the page.

use crate::generate::Draw;
use sim_core::presets::{PRESETS, Preset};
use sim_core::scenario::Scenario;
use std::rc::Rc;
use tickle::share::{ScenarioChoice, ShareState, decode, encode};
use tickle::state::edit::draft::Draft;
use tickle::state::edit::field::{At, Field};
use tickle::state::edit::lists::{List, ListOp};
use tickle::state::edit::{Edit, check};
use tickle::state::{Action, Effect, State, reduce};

const SEEDS: u64 = 1_500;

/// Goal: what is imported and exported again is the same scenario, in one line and in many.
#[test]
fn files_come_back() {
    for seed in 0..SEEDS {
        let scenario = Draw::new(seed).scenario();
        let lines = scenario_json::to_json_lines(&scenario);
        for text in [scenario_json::to_json(&scenario), lines.clone()] {
            let back =
                scenario_json::parse(&text).unwrap_or_else(|error| panic!("{seed}: {error}"));
            assert_eq!(back, scenario, "seed {seed}");
        }
        let mut draft = Draft::new(Rc::new((PRESETS[0].build)()), None);
        let json = At::scenario(Field::Json);
        draft.type_text(json, lines.clone());
        draft.done(json);
        assert_eq!(check::problems(&draft), [], "seed {seed}");
        assert_eq!((&*draft.scenario, draft.shown(json)), (&scenario, Some(lines)), "seed {seed}");
    }
}

/// Goal: a file for people has a line for each pCPU, vCPU and change, and texts are not touched.
#[test]
fn files_can_be_read_by_people() {
    let mut scenario = (PRESETS[0].build)();
    scenario.note = "say \"{[,:\\".into();
    let text = scenario_json::to_json_lines(&scenario);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines.contains(&r#"  "note": "say \"{[,:\\","#), "{text}");
    assert!(lines.contains(&r#"    ["1", "f", 0],"#), "{text}");
    assert!(lines.iter().any(|line| line.starts_with(r#"        {"init_cpu": 0, "#)), "{text}");
    assert!(text.contains("\"ops\": []"), "{text}");
    assert!(lines.iter().all(|line| line.len() < 200), "{text}");
    assert_eq!(scenario_json::parse(&text).expect("a scenario"), scenario);
}

/// Ten VMs as a person would make them: each with its own weight, cap, place and work.
fn ten_vms() -> Scenario {
    let mut draft = Draft::new(Rc::new((PRESETS[0].build)()), Some(0));
    let mut set = |at, text: &str| {
        draft.type_text(at, text.into());
        draft.done(at);
    };
    set(At::scenario(Field::Name), "Ten VMs of the afternoon");
    set(At::scenario(Field::Note), "What happens to the small ones when the large ones burst?");
    set(At::scenario(Field::Sockets), "2");
    set(At::scenario(Field::Threads), "2");
    set(At::scenario(Field::Duration), "2 s");
    for _ in 0..8 {
        draft.list(List::Domains, ListOp::Add, 0).expect("there is room");
    }
    let kinds = ["hog", "periodic", "random", "bursty", "yielder"];
    for domain in 0..10u16 {
        let mut set = |at, text: &str| {
            draft.type_text(at, text.into());
            draft.done(at);
        };
        let number = usize::from(domain);
        set(At::of(Field::Weight, domain), &(100 + 77 * domain).to_string());
        set(At::of(Field::Cap, domain), ["none", "50", "150"][number % 3]);
        set(At::of(Field::Vcpus, domain), "4");
        for vcpu in 0..4u16 {
            let at = |field| At::vcpu(field, domain, vcpu);
            set(at(Field::Kind), kinds[(number + usize::from(vcpu)) % 5]);
            set(at(Field::Start), &format!("{} µs", 137 * (domain * 4 + vcpu)));
            set(at(Field::Hard), ["all", "0-7", "8-15", "1,3,5,7"][usize::from(vcpu)]);
            set(at(Field::Soft), ["all", "0-3"][number % 2]);
        }
    }
    assert_eq!(check::problems(&draft), []);
    (*draft.scenario).clone()
}

/// Goal: a scenario of ten VMs made by hand gives a link of less than 2,000 characters that opens.
#[test]
fn ten_vms_fit_into_a_link() {
    let scenario = ten_vms();
    assert_eq!(scenario.vcpus().count(), 40);
    let own = ScenarioChoice::Own(Box::new(scenario));
    let state = ShareState {
        view: Some((123_456_789, 234_567_891)),
        cursor_ns: Some(200_000_001),
        digest: Some(u64::MAX),
        ..ShareState::bare(own, PRESETS[0].patches)
    };
    let link = encode(&state);
    assert!(link.len() < 2_000, "{} characters", link.len());
    assert_eq!(decode(&link).expect("a link"), state);
}

fn does(state: State, action: Action) -> (State, Vec<Effect>) {
    reduce(state, action)
}

/// All of them, one after the other; gives the state and what the worker was asked to run.
fn plays(actions: impl IntoIterator<Item = Action>) -> (State, Vec<Scenario>) {
    let mut state = State::default();
    let mut ran = vec![];
    for action in actions {
        let effects;
        (state, effects) = does(state, action);
        for effect in effects {
            if let Effect::Send(tickle::protocol::Request::Run { scenario, .. }) = effect {
                ran.push(scenario_json::parse(&scenario).expect("a scenario"));
            }
        }
    }
    (state, ran)
}

fn types(at: At, text: &str) -> Action {
    Action::Edit(Edit::Type(at, text.into()))
}

/// Goal: an edit runs, a wrong one leaves the last good run, undo runs what was there before.
#[test]
fn edits_run() {
    let weight = At::of(Field::Weight, 0);
    let open = [Action::OpenLink(String::new()), Action::Edit(Edit::Open(true))];
    let run = || Action::Edit(Edit::Run);
    let (state, ran) = plays(open.clone().into_iter().chain([types(weight, "512"), run()]));
    let weights: Vec<u32> = ran.iter().map(|one| one.domains[0].weight).collect();
    assert_eq!((weights, state.preset), (vec![256, 512], None));
    assert_eq!(state.view.to_ns, PRESETS[0].view_ns.1, "the view stays");
    let wrong = [types(weight, "512"), run(), types(weight, "5120000"), run()];
    let (state, ran) = plays(open.clone().into_iter().chain(wrong.clone()));
    assert_eq!((ran.len(), state.scenario.domains[0].weight), (2, 512));
    assert_eq!(state.edit.problems().len(), 1);
    let back = [Action::Edit(Edit::Undo), run()];
    let (state, ran) = plays(open.into_iter().chain(wrong).chain(back));
    assert_eq!((state.preset, ran.len()), (Some(0), 3), "the same field typed into is one edit");
    assert_eq!(*state.scenario, (PRESETS[0].build)());
}

/// Goal: a preset chosen or a file dropped in between is taken back like any other edit, with the
/// patches of that time; a file that cannot be opened changes nothing.
#[test]
fn openings_can_be_taken_back() {
    let other = PRESETS.iter().find(|preset| preset.patches != PRESETS[0].patches);
    let other: &Preset = other.expect("presets differ in their patches");
    let file = Action::OpenFile {
        name: "own.json".into(),
        text: scenario_json::to_json(&Draw::new(4).scenario()),
    };
    let bad = Action::OpenFile { name: "bad.json".into(), text: "{}".into() };
    let weight = At::of(Field::Weight, 0);
    let (state, _) = plays([
        Action::OpenLink(String::new()),
        Action::Edit(Edit::Open(true)),
        types(weight, "512"),
        Action::Edit(Edit::Done(weight)),
        Action::OpenPreset(other.number),
        file,
        bad,
    ]);
    assert_eq!((state.preset, state.notices.len()), (None, 1));
    let run = |state| does(state, Action::Edit(Edit::Run)).0;
    let undo = |state| run(does(state, Action::Edit(Edit::Undo)).0);
    let state = undo(state);
    assert_eq!((state.preset, state.patches), (Some(other.number), other.patches));
    let state = undo(state);
    assert_eq!((state.preset, state.patches), (None, PRESETS[0].patches));
    assert_eq!(state.scenario.domains[0].weight, 512);
    let state = undo(state);
    assert_eq!(state.preset, Some(0));
    let state = undo(state);
    assert_eq!(state.preset, Some(0), "there is nothing before the first");
    let redo = |state| run(does(state, Action::Edit(Edit::Redo)).0);
    let state = redo(redo(state));
    assert_eq!((state.preset, state.patches), (Some(other.number), other.patches));
}

/// Goal: a machine of another size starts with nothing on the screen that it does not have.
#[test]
fn another_machine_is_drawn_anew() {
    let (state, _) = plays([
        Action::OpenPreset(5),
        Action::Row(15),
        Action::Edit(Edit::Open(true)),
        types(At::scenario(Field::Sockets), "1"),
        Action::Edit(Edit::Fit),
        Action::Edit(Edit::Run),
    ]);
    assert_eq!(state.scenario.topology.pcpu_count(), 8);
    assert_eq!((state.row, state.now.is_none(), state.pictures.tile.is_none()), (7, true, true));
    assert_eq!(state.edit.problems(), []);
}

/// Goal: saving gives a file whose name and content open again.
#[test]
fn saving_gives_the_file() {
    let (state, _) = plays([Action::OpenPreset(0)]);
    let (_, effects) = does(state.clone(), Action::Edit(Edit::Save));
    let Some(Effect::SaveFile { name, text }) = effects.first() else { panic!("{effects:?}") };
    assert_eq!(name, "pinned-waker.json");
    assert_eq!(scenario_json::parse(text).expect("a scenario"), *state.scenario);
    let (_, effects) = does(state, Action::Edit(Edit::Copy));
    assert_eq!(effects, [Effect::CopyScenario(text.clone())]);
}
