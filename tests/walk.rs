//! The whole way of a wake-up, natively: scenario text, engine, pictures, searches, explanation.

use sim_core::decision::Kind;
use sim_core::patches::{PATCHES, Patch, PatchSet, Revision};
use sim_core::presets::{PRESETS, Preset};
use std::io::Read;
use std::path::Path;
use tickle::engine::Engine;
use tickle::protocol::{
    Difference, Direction, From, MaskRole, Outcome, Piece, Place, Record, Request, Response, RunId,
    RunLane, Span, Summary, Tile, Wanted,
};
use tickle::share::{ScenarioChoice, ShareState, decode, encode};
use tickle::state::predict::Question;

const RUN: RunId = RunId(7);
const PREFER_IDLERS: Wanted = Wanted::Changed(Difference::Patch(Patch::TicklePreferIdlers as u8));

fn run_request(preset: &Preset) -> Request {
    Request::Run {
        run: RUN,
        scenario: scenario_json::to_json(&(preset.build)()),
        patches: preset.patches.bits(),
        select: None,
    }
}

/// Works until there is nothing left to do.
fn work_to_end(engine: &mut Engine) -> Vec<Response> {
    let mut responses = Vec::new();
    while engine.is_working() {
        responses.extend(engine.work(1_000));
    }
    responses
}

fn ended(preset: &Preset) -> (Engine, Summary) {
    let mut engine = Engine::new();
    let first = engine.handle(run_request(preset));
    assert!(matches!(first[..], [Response::Progress { reached_ns: 0, records: 0, .. }]));
    let responses = work_to_end(&mut engine);
    let ended = responses.iter().find_map(|response| match response {
        Response::Ended { summary, cut: None, .. } => Some(summary.clone()),
        _ => None,
    });
    (engine, *ended.expect("the run ends"))
}

fn find(engine: &mut Engine, from: From, direction: Direction, wanted: Wanted) -> Option<Record> {
    let request = Request::Find { run: RUN, ask: 3, from, direction, wanted };
    match &engine.handle(request)[..] {
        [Response::Found { ask: 3, record, .. }] => *record,
        other => panic!("{other:?}"),
    }
}

fn tile(engine: &mut Engine, span: Span, width: u64) -> Tile {
    let count = u16::MAX;
    let shift = ((span.to_ns - span.from_ns) / width).max(1).ilog2();
    match engine.handle(Request::Tile { run: RUN, span, shift, first: 0, count }).pop() {
        Some(Response::Tile(tile)) => tile,
        other => panic!("{other:?}"),
    }
}

/// Goal: the default preset opens right before a tickle that the patch changes, which is found,
/// drawn and explained.
#[test]
fn a_wake_up_goes_all_the_way() {
    let preset = &PRESETS[0];
    let (mut engine, summary) = ended(preset);
    assert_eq!(summary.kinds.iter().sum::<u32>(), summary.records);
    assert!(summary.latency.iter().any(|bucket| bucket.wakes > 0));

    let from = From::Time(preset.cursor_ns);
    let tickle = find(&mut engine, from, Direction::Next, Wanted::Kind(Kind::Tickle as u8));
    let tickle = tickle.expect("a tickle follows");
    let changed = find(&mut engine, from, Direction::Next, PREFER_IDLERS);
    assert_eq!(changed, Some(tickle));

    let (from_ns, to_ns) = preset.view_ns;
    let tile = tile(&mut engine, Span { from_ns, to_ns }, 1_000);
    assert_eq!(tile.lanes.len(), 4);
    assert!(tile.lanes.iter().all(|lane| matches!(lane.run, RunLane::Segments(_))));
    assert!(tile.arrows.iter().any(|arrow| arrow.record == tickle.record));

    let explain = Request::Explain { run: RUN, record: tickle.record };
    let Some(Response::Explained { explanation, now, .. }) = engine.handle(explain).pop() else {
        panic!("the record is explained");
    };
    assert_eq!(explanation.record, tickle);
    assert!(explanation.sides.first().is_some_and(|side| side.differs));
    assert!(explanation.sentence.iter().any(|piece| matches!(piece, Piece::Vcpu(_))));
    assert_eq!(now.time_ns, tickle.place.time_ns);
}

fn vector(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sim-core/tests/vectors/xen-credit1");
    let packed = folder.join(format!("runs/{name}.jsonl.gz"));
    let file = std::fs::File::open(packed).expect("a vector");
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).expect("gzip text");
    text
}

fn run(
    engine: &mut Engine,
    scenario: &str,
    patches: PatchSet,
    select: Option<Place>,
) -> Vec<Response> {
    let (run, scenario, patches) = (RUN, scenario.to_owned(), patches.bits());
    let mut responses = engine.handle(Request::Run { run, scenario, patches, select });
    responses.extend(work_to_end(engine));
    responses
}

fn summary(responses: &[Response]) -> &Summary {
    let ended = responses.iter().find_map(|response| match response {
        Response::Ended { summary, .. } => Some(summary),
        _ => None,
    });
    ended.expect("the run ends")
}

/// Goal: the engine's totals are those of the vectors.
#[test]
fn totals_are_those_of_the_vectors() {
    for (name, revision) in [("p_16p_10vm", "R1"), ("p_uma4_ctx2us", "R2"), ("p_4p_ops", "R0")] {
        let text = vector(name);
        let line = text.lines().skip(1).map(|l| serde_json::from_str(l).expect("JSON"));
        let theirs: serde_json::Value =
            line.into_iter().find(|l: &serde_json::Value| l["rev"] == revision).expect("there");
        let patches = Revision::from_name(revision).expect("it exists").patches;
        let responses = run(&mut Engine::new(), &text, patches, None);
        let ours = summary(&responses);
        assert_eq!(theirs["digest"].as_str(), Some(ours.digest.as_str()), "{name}");
        assert_eq!(theirs["lines"].as_u64(), Some(ours.lines), "{name}");
        for (name, count) in &ours.counters {
            assert_eq!(theirs["counters"][name].as_u64(), Some(*count), "{name}");
        }
        for (vcpu, theirs) in ours.vcpus.iter().zip(theirs["vcpus"].as_array().expect("rows")) {
            let row: Vec<u64> =
                [0, 1, 2, 3, 10, 13].map(|at| theirs[at].as_u64().expect("n")).into();
            let spent = vcpu.spent_ns.into_iter().chain([vcpu.kicks, vcpu.wakes]);
            assert_eq!(spent.collect::<Vec<_>>(), row, "{name}");
        }
        let waked: u64 = ours.latency.iter().map(|bucket| bucket.wakes).sum();
        let counted = theirs["vcpus"].as_array().expect("rows").iter();
        assert_eq!(waked, counted.map(|row| row[14].as_u64().expect("a count")).sum::<u64>());
    }
}

/// Goal: a link carries a run: opened again it gives the same scenario, patches and digest, and the
/// selected record is found while the run still goes on.
#[test]
fn a_link_gives_the_same_run() {
    for name in ["p_smt4x2_pin", "p_4p_ops"] {
        let scenario = scenario_json::parse(&vector(name)).expect("a scenario");
        let patches = PatchSet::of(&[Patch::PickDiscountAlone, Patch::TicklePreferIdlers]);
        let mut engine = Engine::new();
        let sent = run(&mut engine, &scenario_json::to_json(&scenario), patches, None);
        let middle = From::Time(scenario.duration_ns / 2);
        let record = find(&mut engine, middle, Direction::Nearest, Wanted::Decision);
        let record = record.expect("a decision");
        let digest = u64::from_str_radix(&summary(&sent).digest, 16).expect("16 digits");
        let own = ScenarioChoice::Own(Box::new(scenario));
        let state = ShareState {
            selection: Some(record.place),
            digest: Some(digest),
            ..ShareState::bare(own, patches)
        };
        let opened = decode(&encode(&state)).expect("the link opens");
        let ScenarioChoice::Own(scenario) = opened.scenario else { panic!("an own scenario") };
        let scenario = scenario_json::to_json(&scenario);
        let received = run(&mut Engine::new(), &scenario, opened.patches, opened.selection);
        assert_eq!(summary(&received), summary(&sent), "{name}");
        assert_eq!(
            Some(&summary(&received).digest),
            opened.digest.map(|d| format!("{d:016x}")).as_ref()
        );
        let place = |wanted: fn(&Response) -> bool| received.iter().position(wanted);
        let found = place(|r| matches!(r, Response::Found { ask: 0, .. })).expect("it is found");
        assert!(found < place(|r| matches!(r, Response::Ended { .. })).expect("it ends"));
        assert!(
            matches!(received[found], Response::Found { record: Some(again), .. } if again == record)
        );
    }
}

/// Goal: every record of a preset that a reader can reach is explained, whatever its kind.
#[test]
fn every_kind_is_explained() {
    let (mut engine, summary) = ended(&PRESETS[2]);
    let mut kinds = [0; Kind::ALL.len()];
    for record in (0..summary.records).step_by(7) {
        let Some(Response::Explained { explanation, .. }) =
            engine.handle(Request::Explain { run: RUN, record }).pop()
        else {
            panic!("record {record} is explained");
        };
        assert!(!explanation.sentence.is_empty() && !explanation.function.is_empty());
        kinds[usize::from(explanation.record.place.kind)] += 1;
    }
    assert!(kinds[Kind::Tickle as usize] > 0 && kinds[Kind::Schedule as usize] > 0);
    let beyond = Request::Explain { run: RUN, record: summary.records };
    assert_eq!(engine.handle(beyond), []);
}

/// Goal: what came out of a decision is what its explanation shows; who runs next is one of those
/// who can be chosen when the decision is guessed, unless it came from another pCPU.
#[test]
fn outcomes_are_those_explained() {
    let (mut engine, summary) = ended(&PRESETS[5]);
    let (mut pcpus_told, mut elsewhere, mut here) = (0, 0, 0);
    for record in (0..summary.records.min(20_000)).step_by(7) {
        let Some(Response::Explained { explanation, now, .. }) =
            engine.handle(Request::Explain { run: RUN, record }).pop()
        else {
            panic!("record {record} is explained");
        };
        let result = explanation.masks.iter().find(|row| row.role == MaskRole::Result);
        match &explanation.outcome {
            Outcome::Pcpus(pcpus) => {
                let Some(result) = result else { continue };
                let shown = (0u16..).zip(&result.bits).filter(|(_, set)| **set);
                let shown: Vec<u16> = shown.map(|(pcpu, _)| pcpu).collect();
                assert_eq!(*pcpus, shown, "record {record}");
                pcpus_told += pcpus.len();
            }
            Outcome::Runs(next) => {
                let mut question = Question::new(explanation.record);
                question.now = Some(now.into());
                let Some(next) = next else { continue };
                if question.vcpus().contains(next) {
                    here += 1;
                } else {
                    assert_eq!(explanation.code, "S5", "record {record}: {:?}", question.vcpus());
                    elsewhere += 1;
                }
            }
            Outcome::Other => {
                let kind = explanation.record.place.kind;
                assert!(!(1..=4).contains(&kind), "record {record} of kind {kind}");
            }
        }
    }
    assert!(pcpus_told > 0 && elsewhere > 0 && here > 0, "{pcpus_told}, {elsewhere}, {here}");
}

/// Goal: a run can be cancelled; what is there stays usable.
#[test]
fn a_cancelled_run_stays_usable() {
    let mut engine = Engine::new();
    engine.handle(run_request(&PRESETS[5]));
    let worked = engine.work(5_000);
    assert!(!worked.iter().any(|response| matches!(response, Response::Ended { .. })));
    let responses = engine.handle(Request::Cancel { run: RUN });
    let Some(Response::Ended { summary, cut: Some(cut), .. }) =
        responses.iter().find(|response| matches!(response, Response::Ended { .. }))
    else {
        panic!("{responses:?}");
    };
    assert!(cut.starts_with("You stopped the run at ") && cut.ends_with(" of 500 ms."), "{cut}");
    // Behind it goes the count of changed decisions, which can be stopped too.
    assert!(engine.is_working());
    let counting = engine.handle(Request::Cancel { run: RUN });
    let [Response::Flips { flips, .. }] = &counting[..] else { panic!("{counting:?}") };
    assert!(!flips.goes_on && flips.records == summary.records && flips.counted < flips.records);
    assert!(!engine.is_working() && engine.work(1_000).is_empty());
    assert!(summary.end_ns < 500_000_000 && summary.records > 0);
    let whole = Span { from_ns: 0, to_ns: 500_000_000 };
    assert_eq!(tile(&mut engine, whole, 300).reached_ns, summary.end_ns);
    assert!(find(&mut engine, From::Time(0), Direction::Next, Wanted::Decision).is_some());
    let last = From::Record(summary.records - 1);
    assert_eq!(find(&mut engine, last, Direction::Next, Wanted::Event(0)), None);
}

/// Goal: what cannot be run is refused with a sentence, and the run before stays.
#[test]
fn bad_scenarios_are_refused_and_nothing_is_lost() {
    let (mut engine, _) = ended(&PRESETS[0]);
    let good = scenario_json::to_json(&(PRESETS[0].build)());
    for (scenario, patches, words) in [
        ("{".to_owned(), 0, "the text is no scenario"),
        (good.replace("\"weight\":256", "\"weight\":0"), 0, "domain 0 has weight 0"),
        (good.replace("\"cap\":0", "\"cap\":401"), 0, "all pCPUs together are 400 %"),
        (good.clone(), 1 << PATCHES.len(), "does not exist"),
        (good.clone(), 1 << Patch::TwoStepBalance as u8, "needs tickle_prefer_idlers"),
    ] {
        let request = Request::Run { run: RunId(8), scenario, patches, select: None };
        match &engine.handle(request)[..] {
            [Response::Refused { run: RunId(8), sentence }] => {
                assert!(sentence.contains(words), "{sentence}");
            }
            other => panic!("{words}: {other:?}"),
        }
    }
    assert!(find(&mut engine, From::Time(0), Direction::Next, PREFER_IDLERS).is_some());
    let other = Request::Overview { run: RunId(8), width: 100 };
    assert_eq!(engine.handle(other), []);
}

/// Goal: no question, however odd, makes the engine panic.
#[test]
fn odd_questions_are_survived() {
    let (mut engine, _) = ended(&PRESETS[0]);
    let times = [0, 1, 299_999_999, 300_000_000, 300_000_001, u64::MAX];
    for (from_ns, to_ns) in times.iter().flat_map(|from| times.map(|to| (*from, to))) {
        for width in [0, 1, 7, 16_384, 16_385, u32::MAX] {
            for (first, count) in [(0, 4), (3, u16::MAX), (4, 1), (u16::MAX, u16::MAX)] {
                let span = Span { from_ns, to_ns };
                let shift = width;
                engine.handle(Request::Tile { run: RUN, span, shift, first, count });
            }
            engine.handle(Request::Overview { run: RUN, width });
        }
        engine.handle(Request::Snapshot { run: RUN, time_ns: from_ns });
        let (ask, wanted) = (1, Wanted::Kind(u8::MAX));
        for direction in [Direction::Next, Direction::Previous, Direction::Nearest] {
            for from in [From::Time(from_ns), From::Record(u32::MAX), From::Record(0)] {
                engine.handle(Request::Find { run: RUN, ask, from, direction, wanted });
            }
        }
    }
}
