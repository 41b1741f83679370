//! The headless program, called as people and benchmarks call it.
#![cfg(not(target_arch = "wasm32"))]

use serde_json::Value;
use sim_core::machine::Machine;
use sim_core::patches::Revision;
use sim_core::presets::Preset;
use sim_core::presets::hosts::host;
use sim_core::run::{LogSink, Totals, run_to_end};
use sim_core::scenario::Scenario;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tickle::engine::sweep::Sweeping;
use tickle::protocol::comparison;
use tickle::state::head;

fn tickle(words: &[&str], input: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_tickle"));
    program.args(words).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that refuses its command line does not read on.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("it ends")
}

/// A folder of its own for the files of a test; it goes with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = format!("tickle-cli-{name}-{}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    /// Writes a file and says where it is.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        path.to_str().expect("a path that is text").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn vectors() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("sim-core/tests/vectors/xen-credit1/runs")
}

fn vector(name: &str) -> String {
    let packed = std::fs::File::open(vectors().join(format!("{name}.jsonl.gz"))).expect("a vector");
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(packed).read_to_string(&mut text).expect("gzip text");
    text
}

/// The line of a revision, with what it takes over from another.
fn recorded(text: &str, revision: &str) -> Value {
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let lines: Vec<Value> = lines.filter(|line| line["type"] == "run").collect();
    let line = lines.iter().find(|line| line["rev"] == revision).expect("the revision").clone();
    let Some(same) = line["same_as"].as_str() else { return line };
    let mut full = lines.iter().find(|other| other["rev"] == same).expect("it exists").clone();
    full["counters"] = line["counters"].clone();
    full["hcounters"] = line["hcounters"].clone();
    full
}

/// Goal: the JSON form has the values of the vectors under their names, whichever way the patches
/// are named.
#[test]
fn json_has_the_values_of_the_vectors() {
    let r2 = "--patches=pick_discount_alone,tickle_prefer_idlers";
    for (name, revision, how) in [
        ("p_16p_10vm", "R2", r2),
        ("p_1p2v_cap", "R0", "--patches="),
        ("p_4p_ops", "R1", "--rev=R1"),
        ("p_uma4_ctx2us", "R9", "--rev=R9"),
        ("p_fuzz03", "R2", "--rev=R2"),
    ] {
        let text = vector(name);
        let output = tickle(&["run", "-", how, "--json"], &text);
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let ours: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");
        let theirs = recorded(&text, revision);
        let fields = ["lines", "digest", "windows", "vcpus", "pcpus", "counters", "hcounters"];
        for field in fields.iter().chain(&["init_cpu", "scenario"]) {
            assert_eq!(ours[*field], theirs[*field], "{name} {field}");
        }
    }
}

/// Goal: the largest machine that a scenario may ask for, 1,024 pCPUs and 8,192 vCPUs, runs from a
/// file, accounting included, and gives what the same run gives in here.
#[test]
fn the_largest_machine_runs_from_a_file() {
    const LENGTH_NS: u64 = 35_000_000;
    let folder = Folder::new("largest");
    let file = folder.file("host.json", &scenario_json::to_json(&host(64, LENGTH_NS)));
    for revision in ["R2", "R9"] {
        let output = tickle(&["run", &file, "--json", "--rev", revision], "");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let told: Value = serde_json::from_slice(&output.stdout).expect("one line of JSON");

        let scenario = host(64, LENGTH_NS).validate().expect("within the limits");
        let patches = Revision::from_name(revision).expect("it exists").patches;
        let mut machine = Machine::new(&scenario, patches);
        let mut sink = LogSink::new(LENGTH_NS, machine.system().guests, |_, _: &[u8]| ());
        run_to_end(&mut machine, &mut sink);
        assert_eq!(told["digest"], format!("{:016x}", sink.digest().whole()), "{revision}");
        assert_eq!(told["lines"], sink.digest().lines(), "{revision}");

        let rows = |name: &str| told[name].as_array().expect("rows").clone();
        let (vcpus, pcpus) = (rows("vcpus"), rows("pcpus"));
        assert_eq!((vcpus.len(), pcpus.len()), (8_192, 1_024));
        let totals = Totals::of(&machine, LENGTH_NS);
        let (mut idle_ns, mut busy_ns) = (0, 0);
        for (told, pcpu) in pcpus.iter().zip(&totals.pcpus) {
            assert_eq!((&told[0], &told[1]), (&pcpu.idle_ns.into(), &pcpu.switches.into()));
            assert!(pcpu.idle_ns < LENGTH_NS && pcpu.switches > 0, "every pCPU is used");
            idle_ns += pcpu.idle_ns;
        }
        for (told, vcpu) in vcpus.iter().zip(&totals.vcpus) {
            assert_eq!(told[0], vcpu.tally.spent_ns[0]);
            busy_ns += vcpu.tally.spent_ns[0];
        }
        assert_eq!(idle_ns + busy_ns, 1_024 * LENGTH_NS, "{revision}");
        // Each vCPU has begun to run, slept for 12 ms at most, and written its line at 30 ms.
        assert!(sink.digest().lines() > 8_192 * 8, "{}", sink.digest().lines());
    }
}

/// Goal: `--log` prints the lines that the vectors hold, and nothing else.
#[test]
fn log_lines_are_those_of_the_vectors() {
    let text = vector("p_2p3v_hogs");
    let theirs = recorded(&text, "R2");
    let output = tickle(&["run", "--log", "-"], &text);
    let ours = String::from_utf8(output.stdout).expect("ASCII");
    let events = theirs["events"].as_array().expect("lines");
    for (ours, theirs) in ours.lines().zip(events) {
        assert_eq!(Some(ours), theirs.as_str());
    }
    assert_eq!(Some(ours.lines().count() as u64), theirs["lines"].as_u64());
    let totals = String::from_utf8(output.stderr).expect("text");
    assert!(totals.contains(theirs["digest"].as_str().expect("digits")), "{totals}");
}

/// Goal: `--trace` prints one line a trace record, with the payload that the revision has, and only
/// records that exist with it; as many of each kind as the totals say.
#[test]
fn trace_records_are_those_of_the_revision() {
    let text = vector("p_2p_kick_pingpong");
    for (revision, present, absent) in [
        ("R2", " 0x2800e switch_infprev dom=1 ran=", "csched:"),
        ("R9", " 0x2200b csched:steal_check peer=", "tasklet dom"),
    ] {
        let output = tickle(&["run", "-", "--trace", "--rev", revision], &text);
        let lines = String::from_utf8(output.stdout).expect("ASCII");
        assert!(lines.contains(present) && !lines.contains(absent), "{revision}");
        let totals = String::from_utf8(output.stderr).expect("text");
        let (_, traced) = totals.split_once("trace records").expect("a table of them");
        let mut sum = 0;
        for row in traced.lines().filter(|row| !row.is_empty()) {
            let (name, count) = row.trim().split_once(' ').expect("name and count");
            let count: usize = count.trim().parse().expect("a number");
            let printed = lines.lines().filter(|line| line.split(' ').nth(3) == Some(name)).count();
            assert_eq!(printed, count, "{revision} {name}");
            sum += count;
        }
        assert_eq!(lines.lines().count(), sum, "{revision}");
        // The vectors count switches too.
        let theirs = recorded(&text, revision);
        let switches = lines.lines().filter(|line| line.split(' ').nth(3) == Some("switch"));
        assert_eq!(Some(switches.count() as u64), theirs["counters"]["sched_ctx"].as_u64());
    }
}

/// Goal: the form for people names each vCPU and pCPU, and says what ran.
#[test]
fn text_is_for_people() {
    let output = tickle(&["run", "-", "--rev", "R2"], &vector("p_4p_ops"));
    let text = String::from_utf8(output.stdout).expect("text");
    for words in ["p_4p_ops at R2, after", "log lines ", "digest ", "d1v0", "p3", "sched_irq"] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
}

/// What the page's comparison says of two revisions.
fn compared(scenario: &Scenario, sides: [&str; 2], seeds: u32) -> String {
    let scenario = scenario.clone().validate().expect("it runs");
    let [a, b] = sides.map(|name| Revision::from_name(name).expect("it exists").patches);
    let mut sweeping = Sweeping::new([(scenario.clone(), a), (scenario.clone(), b)], seeds);
    while sweeping.goes_on() {
        sweeping.work(1_000);
    }
    comparison::text(&head((&scenario, a), (&scenario, b)), &sweeping.told())
}

/// Goal: `compare` prints the table that the page copies for the same sides and seeds, in 72 plain
/// columns, and nothing else.
#[test]
fn compare_prints_the_table_of_the_page() {
    let folder = Folder::new("compare");
    let host = host(1, 40_000_000);
    let file = folder.file("host.json", &scenario_json::to_json(&host));
    let output = tickle(&["compare", &file, "--a", "R8", "--b=R9", "--seeds", "3"], "");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(output.status.success() && output.stderr.is_empty(), "{text}");
    assert_eq!(text, compared(&host, ["R8", "R9"], 3));
    for words in ["A: R8, after", "B: A, +steal_bias\n", "3 seeds: mean +/- ", "| A wins |"] {
        assert!(text.contains(words), "{words}:\n{text}");
    }
    assert!(text.lines().all(|line| line.len() <= 72 && line.is_ascii()), "{text}");

    // Nothing is drawn at random: one run a side, whatever is asked for.
    let fixed = (Preset::from_slug("pinned-waker").expect("it exists").build)();
    let input = scenario_json::to_json(&fixed);
    let output = tickle(&["compare", "-", "--a=R1", "--b=R1,tickle_prefer_idlers"], &input);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text, compared(&fixed, ["R1", "R2"], 30));
    assert!(text.contains("One run a side: nothing is drawn at random"), "{text}");
}

/// Goal: a reader that stops early is no failure.
#[test]
fn a_closed_pipe_is_no_failure() {
    let folder = Folder::new("pipe");
    let file = folder.file("scenario.json", &vector("p_16p_10vm"));
    let mut program = Command::new(env!("CARGO_BIN_EXE_tickle"));
    program.arg("run").arg(&file).arg("--log").stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().expect("the program starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// A scenario of one vCPU with something in it replaced.
fn broken(from: &str, to: &str) -> String {
    let scenario = r#"{"cpus":[["1","1",0]],"duration_ns":1000000,
        "domains":[{"weight":256,"cap":0,"vcpus":[{"init_cpu":0,"script":[[1000,1000]]}]}]}"#;
    assert!(scenario.contains(from), "{from}");
    scenario.replace(from, to)
}

/// Goal: whatever is wrong ends with one sentence that names it, and a status other than 0.
#[test]
fn bad_input_ends_with_one_sentence() {
    assert!(tickle(&["run", "-"], &broken("256", "256")).status.success());
    for (input, words) in [
        (String::new(), "the text is no scenario"),
        ("{\n  \"cpus\": [[1]]".into(), "line 2 column"),
        ("[]".into(), "the text is no scenario"),
        (broken("256", "0"), "domain 0 has weight 0; it must be 1 to 65535"),
        (broken("\"cap\":0", "\"cap\":101"), "a cap of 101 %; all pCPUs together are 100 %"),
        (broken("1000000,", "0,"), "the run is 0 ns long"),
        (broken("[[1000,1000]]", "[[0,5]]"), "is 0 ns; it must be 1 ns to"),
        (broken("[[\"1\",\"1\",0]]", "[]"), "the machine has no pCPU"),
        (broken("\"init_cpu\":0", "\"init_cpu\":7"), "names pCPU 7; the machine has 1"),
        (broken("\"init_cpu\":0", "\"init_cpu\":0,\"hard\":\"0\""), "is empty"),
        (broken("\"init_cpu\":0", "\"init_cpu\":0,\"hard\":\"2\""), "names pCPU 1"),
    ] {
        let output = tickle(&["run", "-"], &input);
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success() && output.stdout.is_empty(), "{input}: {said}");
        assert!(said.starts_with("tickle: -: ") && said.contains(words), "{words}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
    for (words, said) in [
        (&["run", "/nowhere/at-all.json"][..], "tickle: /nowhere/at-all.json cannot be read: "),
        (&["run", "-", "--rev", "R77"], "tickle: there is no revision “R77”; there are R0, R1"),
        (&["run", "-", "--patches", "x"], "tickle: there is no patch “x”; there are pick"),
        (&["fly"], "tickle: there is no command “fly”"),
        (&["compare", "-", "--a", "R8"], "tickle: compare needs --b, a revision or names"),
        (&["compare", "-", "--a=R8", "--b=R10"], "tickle: there is no revision or patch “R10”"),
        (&["compare", "-", "--a=R8", "--b=R9", "--seeds=0"], "tickle: --seeds is “0”; it must"),
        (&["compare", "/nowhere.json", "--a=R8", "--b=R9"], "tickle: /nowhere.json cannot be"),
        (&["compare", "-", "--a=R8", "--b=R9"], "tickle: -: the text is no scenario"),
    ] {
        let output = tickle(words, "");
        let stderr = String::from_utf8(output.stderr).expect("text");
        assert!(!output.status.success() && stderr.starts_with(said), "{words:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
    }
}

/// Goal: a recorded scenario may hold caps above what its machine has; one of one's own may not.
#[test]
fn recorded_caps_are_run_as_they_are() {
    let with_cap = broken("\"cap\":0", "\"cap\":400");
    assert!(!tickle(&["run", "-"], &with_cap).status.success());
    let recorded = with_cap.replacen('{', "{\"full_until_ns\":1,", 1);
    assert!(tickle(&["run", "-"], &recorded).status.success());
}
