//! Every field: its entry, its texts, its errors.

use sim_core::presets::PRESETS;
use sim_core::rng::SplitMix64;
use sim_core::scenario::Scenario;
use std::rc::Rc;
use tickle::state::edit::draft::Draft;
use tickle::state::edit::field::{ALL, At, Field, Form, Range, Scope, Seen, Value};
use tickle::state::edit::table::FIELDS;
use tickle::state::edit::work::Kind;
use tickle::state::edit::{access, check, machine, text, work};

fn pinned() -> Scenario {
    (PRESETS[0].build)()
}

/// A scenario that has every field: a vCPU of every kind, a change of every kind.
pub fn everything() -> Draft {
    let mut draft = Draft::new(Rc::new(pinned()), Some(0));
    let first = |field| At::vcpu(field, 0, 0);
    draft.type_text(At::of(Field::Vcpus, 0), "6".into());
    for (vcpu, kind) in (0u16..).zip(tickle::state::edit::table::KINDS) {
        draft.type_text(At::vcpu(Field::Kind, 0, vcpu), (*kind).into());
    }
    let changes = tickle::state::edit::table::CHANGES;
    for (at, kind) in (0u16..).zip(changes) {
        use tickle::state::edit::lists::{List, ListOp};
        draft.list(List::Changes, ListOp::Add, 0).expect("there is room");
        draft.type_text(At::of(Field::ChangeKind, at), (*kind).into());
    }
    draft.done(first(Field::Kind));
    draft.texts.clear();
    assert_eq!(check::problems(&draft), [], "the defaults can be run");
    draft
}

/// All places where a field stands in a scenario.
pub fn places(scenario: &Scenario, field: Field) -> Vec<At> {
    let domains = 0..u16::try_from(scenario.domains.len()).expect("few");
    let mut all = vec![];
    match field.spec().scope {
        Scope::Scenario => all.push(At::scenario(field)),
        Scope::Domain => all.extend(domains.map(|domain| At::of(field, domain))),
        Scope::Change => {
            let changes = 0..u16::try_from(scenario.ops.len()).expect("few");
            all.extend(changes.map(|change| At::of(field, change)));
        }
        Scope::Vcpu | Scope::Step => {
            for domain in domains {
                let count = scenario.domains[usize::from(domain)].vcpus.len();
                for vcpu in 0..u16::try_from(count).expect("few") {
                    let steps = work_steps(scenario, domain, vcpu);
                    match field.spec().scope {
                        Scope::Vcpu => all.push(At::vcpu(field, domain, vcpu)),
                        _ => all.extend((0..steps).map(|n| At::step(field, domain, vcpu, n))),
                    }
                }
            }
        }
    }
    all.retain(|at| access::read(scenario, *at) != Seen::Absent);
    all
}

fn work_steps(scenario: &Scenario, domain: u16, vcpu: u16) -> u16 {
    let steps = tickle::state::edit::lists::steps_of(scenario, domain, vcpu);
    u16::try_from(steps).expect("few")
}

/// Goal: the table stands in the order of its fields, and every entry says all that people need.
#[test]
fn the_table_is_whole() {
    let mut ids = vec![];
    for (index, spec) in FIELDS.iter().enumerate() {
        assert_eq!(spec.field as usize, index, "{}", spec.id);
        assert!(std::ptr::eq(spec.field.spec(), spec), "{}", spec.id);
        assert!(!spec.label.is_empty() && spec.meaning.ends_with('.'), "{}", spec.id);
        let free = matches!(spec.field, Field::Name | Field::Note | Field::Json);
        assert_eq!(spec.default.is_empty(), free, "{}", spec.id);
        ids.push(spec.id);
    }
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), FIELDS.len(), "ids are unique");
    assert_eq!(FIELDS.last().map(|spec| spec.field), Some(Field::Json), "all are listed");
}

/// Goal: every field is there in a scenario that has everything; its default is a value that it
/// takes, and reads back; what it shows is read as what it holds.
#[test]
fn every_field_takes_its_default_and_its_own_text() {
    let draft = everything();
    for spec in FIELDS {
        let all = places(&draft.scenario, spec.field);
        assert!(!all.is_empty(), "{} is nowhere", spec.id);
        for at in all {
            let shown = draft.shown(at).expect("it is there");
            let read = text::parse(&draft.scenario, at, &shown).expect(spec.id);
            assert_eq!(Seen::Value(read), access::read(&draft.scenario, at), "{}", spec.id);
            if spec.default.is_empty() {
                continue;
            }
            let mut changed = draft.clone();
            changed.type_text(at, spec.default.into());
            assert_eq!(changed.shown(at).as_deref(), Some(spec.default), "{}", spec.id);
            changed.done(at);
            // A kind may be looked at as another one once it has its values.
            if spec.field != Field::Kind && spec.field != Field::Steps {
                assert_eq!(changed.shown(at).as_deref(), Some(spec.default), "{}", spec.id);
            }
            assert_eq!(changed.texts.len(), 0, "{}: {:?}", spec.id, changed.texts);
        }
    }
}

/// Goal: just inside its range a number is taken, just outside it is refused with one sentence that
/// names field, value and range, and the scenario stays.
#[test]
fn ranges_end_where_they_say() {
    let draft = everything();
    let mut refused = 0;
    for spec in FIELDS {
        let Some(at) = places(&draft.scenario, spec.field).first().copied() else { continue };
        if !matches!(spec.form, Form::Number(_) | Form::Length(_) | Form::Pcpu) {
            continue;
        }
        let bounds = text::bounds(&draft.scenario, at);
        for (number, fine) in [
            (Some(bounds.least), true),
            (Some(bounds.most), true),
            (bounds.least.checked_sub(1).filter(|n| *n > 0 || !bounds.zero), false),
            (bounds.most.checked_add(1), false),
        ] {
            let Some(number) = number else { continue };
            let shown = text::print(&draft.scenario, spec.field, &Value::Number(number));
            let mut changed = draft.clone();
            changed.type_text(at, shown.clone());
            let problems = check::problems(&changed);
            let here = problems.iter().find(|problem| problem.at == at);
            // Rules of the whole scenario are narrower: all pCPUs are up before the first tick, and
            // the domains have so many vCPUs together.
            let whole = matches!(spec.field, Field::BootStep | Field::Vcpus);
            if fine && whole && number > 0 {
                continue;
            }
            if fine {
                assert_eq!(here, None, "{}: {shown}", spec.id);
                continue;
            }
            let sentence = &here.unwrap_or_else(|| panic!("{} takes {shown}", spec.id)).sentence;
            assert!(sentence.contains(spec.label) && sentence.contains(&shown), "{sentence}");
            assert!(sentence.ends_with('.') && !sentence.contains('\n'), "{sentence}");
            assert_eq!(changed.scenario, draft.scenario, "{}", spec.id);
            refused += 1;
        }
    }
    assert!(refused > 40, "{refused}");
}

/// Goal: what people mistype is said in one sentence with the text.
#[test]
fn texts_are_refused_with_a_sentence() {
    let draft = everything();
    let random = At::vcpu(Field::RunMost, 0, 2);
    for (at, typed, sentence) in [
        (
            At::scenario(Field::Duration),
            "30",
            "Length is “30”; that is no length such as 30 ms, 1.5 µs or 20 ns.",
        ),
        (At::scenario(Field::Duration), "1.5 ns", "Length is 1.5 ns; it must be whole ns."),
        (At::scenario(Field::Duration), "0", "Length is 0 ms; it must be 1 ns to 600 s."),
        (At::scenario(Field::Tslice), "1.5 ms", "Time slice is 1.5 ms; it must be whole ms."),
        (At::scenario(Field::Tslice), "", "Time slice is empty; it must be 1 ms to 1 s."),
        (
            At::scenario(Field::Ratelimit),
            "50 us",
            "Rate limit is 50 µs; it must be off or 100 µs to 500 ms.",
        ),
        (At::scenario(Field::Seed), "-1", "Seed is “-1”; that is not 0 to 18446744073709551615."),
        (At::scenario(Field::Sockets), "2000", "Sockets is 2000; it must be 1 to 256."),
        (At::of(Field::Weight, 0), "heavy", "Weight is “heavy”; that is not 1 to 65535."),
        (At::of(Field::Weight, 0), "0", "Weight is 0; it must be 1 to 65535."),
        (At::of(Field::Cap, 0), "401 %", "Cap is 401 %; it must be none to 400 %."),
        (At::vcpu(Field::InitPcpu, 0, 0), "p4", "Created on is p4; it must be p0 to p3."),
        (At::vcpu(Field::Hard, 0, 0), "0,5", "May use names pCPU 5; the machine has 4 (0 to 3)."),
        (At::vcpu(Field::Hard, 0, 0), "", "May use is empty; it must be all, or some of p0 to p3."),
        (At::vcpu(Field::Hard, 0, 0), "3-1", "May use has 3-1, which is upside down."),
        (
            At::vcpu(Field::Hard, 0, 0),
            "1,x",
            "May use has “x”; that is no pCPU and no range such as 0-3.",
        ),
        (random, "100 µs", "Runs at most is 100 µs; it must be 200 µs to 1000000 s."),
        (
            At::vcpu(Field::Steps, 0, 5),
            "sleep 3 ms",
            "Step 1 is “sleep 3 ms” without a compute before it.",
        ),
        (
            At::vcpu(Field::Steps, 0, 5),
            "compute 3",
            "Step 1, compute: “3”; that is no length such as 30 ms, 1.5 µs or 20 ns.",
        ),
        (
            At::vcpu(Field::Steps, 0, 5),
            "compute 3 ms",
            "After the last compute there must be a sleep or a yield.",
        ),
        (
            At::vcpu(Field::Steps, 0, 5),
            "jump",
            "Step 1 is “jump”; it must be compute and a length, sleep and a length, or yield.",
        ),
        (At::of(Field::ChangeVcpu, 1), "d9v0", "vCPU is “d9v0”; that is not d1v0 to d2v1."),
        (
            At::scenario(Field::Json),
            "{}",
            "The text is no scenario: missing field `cpus` at line 1 column 2.",
        ),
    ] {
        let mut changed = draft.clone();
        changed.type_text(at, typed.into());
        let problems = check::problems(&changed);
        assert_eq!(problems.len(), 1, "{typed}: {problems:?}");
        assert_eq!((problems[0].at, problems[0].sentence.as_str()), (at, sentence));
    }
}

/// Goal: rules of the whole scenario are said at a field: whatever its validation refuses is a
/// problem, and stands where a person can mend it.
#[test]
fn rules_of_the_whole_are_said_at_a_field() {
    for (at, typed, place) in [
        (At::scenario(Field::BootStep), "500 ms", Field::BootStep),
        (At::of(Field::Vcpus, 0), "0", Field::Vcpus),
    ] {
        let mut one = Draft::new(Rc::new(pinned()), None);
        one.type_text(At::of(Field::Vcpus, 1), "0".into());
        one.type_text(at, typed.into());
        let problems = check::problems(&one);
        assert_eq!(problems.len(), 1, "{typed}: {problems:?}");
        assert_eq!(problems[0].at.field, place);
    }
}

/// Goal: a smaller machine says at each field who names a pCPU that is gone; a larger one makes all
/// of it good again; fitting leaves nothing to say.
#[test]
fn a_smaller_machine_loses_nothing() {
    let preset = sim_core::presets::Preset::from_slug("two-nodes").expect("a preset");
    let whole = Draft::new(Rc::new((preset.build)()), Some(preset.number));
    let mut draft = whole.clone();
    let cores = At::scenario(Field::Cores);
    draft.type_text(cores, "1".into());
    draft.done(cores);
    let problems = check::problems(&draft);
    assert!(problems.len() > 10, "{problems:?}");
    let hard = problems.iter().find(|problem| problem.at.field == Field::Hard);
    let hard = hard.expect("a set names what is gone");
    assert_eq!(hard.sentence, "May use names pCPU 2; the machine has 2 (0 to 1).");
    let mut fitted = draft.clone();
    fitted.fit();
    assert_eq!(check::problems(&fitted), []);
    draft.type_text(cores, "4".into());
    draft.done(cores);
    assert_eq!(check::problems(&draft), []);
    assert_eq!(draft.scenario.domains, whole.scenario.domains);
    assert_eq!(draft.scenario.topology, whole.scenario.topology);
}

/// Goal: what is typed for all vCPUs of a domain is written to all of them, and where they differ
/// nothing is claimed.
#[test]
fn all_vcpus_of_a_domain_are_written_at_once() {
    let mut draft = everything();
    let at = At::vcpu(Field::Start, 0, ALL);
    draft.type_text(At::vcpu(Field::Start, 0, 1), "3 ms".into());
    assert_eq!(access::read(&draft.scenario, at), Seen::Mixed);
    draft.type_text(at, "7 ms".into());
    assert_eq!(access::read(&draft.scenario, at), Seen::Value(Value::Number(7_000_000)));
    assert!(draft.scenario.domains[0].vcpus.iter().all(|vcpu| vcpu.start_ns == 7_000_000));
    assert_eq!(draft.scenario.domains[1].vcpus[0].start_ns, pinned().domains[1].vcpus[0].start_ns);
}

/// Goal: each kind of workload is what it says, in stretches of the model, and is seen as itself.
#[test]
fn kinds_are_stretches() {
    let draft = everything();
    let script = |vcpu: usize| match &draft.scenario.domains[0].vcpus[vcpu].workload {
        sim_core::workload::Workload::Script(all) => {
            all.iter().map(|one| (one.run_ns, one.block_ns)).collect::<Vec<_>>()
        }
        sim_core::workload::Workload::Random(_) => vec![],
    };
    let (ms, us) = (1_000_000, 1_000);
    assert_eq!(script(0), [(1_000_000_000 * ms, 1)]);
    assert_eq!(script(1), [(ms, 4 * ms)]);
    assert_eq!(script(2), []);
    let burst = (ms, 300 * us);
    assert_eq!(script(3), [burst, burst, burst, burst, (ms, 20 * ms)]);
    assert_eq!(script(4), [(ms, 0)]);
    for (vcpu, kind) in draft.scenario.domains[0].vcpus.iter().zip(Kind::ALL) {
        if kind != Kind::Script {
            assert_eq!(work::kind(&vcpu.workload), kind);
        }
    }
    // The hog of the presets is a hog.
    assert_eq!(work::kind(&pinned().domains[0].vcpus[0].workload), Kind::Hog);
}

/// Goal: steps are read as they are written, and one after another is added up.
#[test]
fn steps_come_back() {
    let mut rng = SplitMix64::new(3);
    for _ in 0..500 {
        let count = rng.between(1, 6);
        let stretch = |_| sim_core::workload::Stretch {
            run_ns: rng.between(1, 9_000_000),
            block_ns: rng.between(0, 1) * rng.between(1, 9_000),
        };
        let all: Vec<_> = (0..count).map(stretch).collect();
        assert_eq!(work::read_steps(&work::steps_text(&all)), Ok(all));
    }
    let short = work::read_steps("compute 1ms, run 2 ms; YIELD").expect("three steps");
    assert_eq!((short[0].run_ns, short[0].block_ns), (3_000_000, 0));
}

/// Goal: every regular machine has its shape, and an irregular one can still be shown.
#[test]
fn machines_have_a_shape() {
    let mut rng = SplitMix64::new(9);
    for _ in 0..300 {
        let number = |rng: &mut SplitMix64, most| u16::try_from(rng.between(1, most)).expect("few");
        let (sockets, cores) = (number(&mut rng, 4), number(&mut rng, 8));
        let threads = number(&mut rng, 4);
        let nodes = number(&mut rng, u64::from(sockets * cores));
        let shape = sim_core::topology::Shape { sockets, cores, threads, nodes };
        let topology = shape.topology();
        assert_eq!(topology.shape(), Some(shape));
        assert_eq!(machine::shape(&topology), shape);
        let regular = sim_core::topology::Topology::regular(sockets, cores, threads, nodes > 1);
        assert_eq!(topology == regular, nodes == 1 || nodes == sockets, "{shape:?}");
    }
    assert!(FIELDS.iter().any(|spec| spec.range == Range::Shape));
}
