//! Every test of the project, in order, with a count of them all at the end.

use crate::shell::{self, Failure, root};
use crate::tools::{self, Environment};
use crate::{browsers, build, npm, wasm_target};
use std::fs;
use std::process::Command;

const WASM: &str = "wasm32-unknown-unknown";
/// Tests that passed and failed. A part without tests of its own counts as one.
#[derive(Default)]
struct Count {
    passed: u64,
    failed: u64,
}

/// What every test needs.
pub fn environment() -> Result<Environment, Failure> {
    let mut environment = Environment::new()?;
    wasm_target::ensure(&mut environment)?;
    tools::ensure_components(&environment)?;
    browsers::ensure(&environment)?;
    tools::ensure_page_tools(&environment)?;
    tools::ensure_test_tools(&environment)?;
    npm::ensure_binaryen(&environment)?;
    npm::ensure_e2e(&environment)?;
    Ok(environment)
}

/// Runs everything, also after a failure, and ends with `N passed, N failed`.
pub fn run() -> Result<(), Failure> {
    let environment = environment()?;
    let mut count = Count::default();
    let cargo = |arguments: &[&str]| {
        let mut command = environment.command("cargo");
        command.args(arguments);
        command
    };
    count.one("formatting", &mut cargo(&["fmt", "--all", "--check"]));
    let deny = ["--", "-D", "warnings"];
    let native = [&["clippy", "--quiet", "--workspace", "--all-targets"][..], &deny].concat();
    count.one("clippy, native", &mut cargo(&native));
    let page = ["clippy", "--quiet", "--package", "tickle", "--all-targets", "--target", WASM];
    count.one("clippy, wasm", &mut cargo(&[&page[..], &deny].concat()));
    let all = ["test", "--workspace", "--profile", "ci", "--no-fail-fast"];
    count.suites("native tests", &mut cargo(&all));
    let (suites, tests_inside) = browser_suites()?;
    for browser in ["chromium", "firefox"] {
        let mut tests =
            cargo(&["test", "--package", "tickle", "--profile", "ci", "--target", WASM]);
        suites.iter().for_each(|suite| {
            tests.args(["--test", suite]);
        });
        drive_with(&mut tests, &environment, browser);
        count.browser(browser, &mut tests, tests_inside);
    }
    match build(&environment) {
        Ok(()) => {
            count.passed += 1;
            let mut node = environment.command("node");
            node.arg(root().join("tests/e2e/run.mjs")).arg(root().join("dist"));
            count.suites("the built page in real browsers", &mut node);
        }
        Err(failure) => count.fail(&failure),
    }
    println!("{} passed, {} failed", count.passed, count.failed);
    if count.failed == 0 { Ok(()) } else { Err(Failure::new("some tests failed")) }
}

/// The suites that run inside a browser, and how many tests they hold.
fn browser_suites() -> Result<(Vec<String>, u64), Failure> {
    let unreadable = |error: std::io::Error| Failure::new(&format!("tests can't be read: {error}"));
    let (mut suites, mut tests) = (vec![], 0);
    for entry in fs::read_dir(root().join("tests")).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if name.starts_with("browser") && path.is_file() {
            let text = fs::read_to_string(&path).map_err(unreadable)?;
            tests += text.lines().filter(|line| line.trim() == "#[wasm_bindgen_test]").count();
            suites.push(name.to_owned());
        }
    }
    suites.sort();
    Ok((suites, tests as u64))
}

/// The runner takes the browser whose driver it is told of.
fn drive_with(tests: &mut Command, environment: &Environment, browser: &str) {
    let geckodriver = environment.folder().join("bin/geckodriver");
    match browser {
        "firefox" => tests.env_remove("CHROMEDRIVER").env("GECKODRIVER", geckodriver),
        _ => tests.env("CHROMEDRIVER", "/usr/bin/chromedriver"),
    };
}

impl Count {
    fn fail(&mut self, failure: &Failure) {
        self.failed += 1;
        println!("FAILED: {failure}");
    }

    /// A part that passes or fails as a whole.
    fn one(&mut self, what: &str, command: &mut Command) {
        shell::say(what);
        match shell::run(command) {
            Ok(()) => self.passed += 1,
            Err(failure) => self.fail(&failure),
        }
    }

    /// A part that says itself how many passed and failed.
    fn suites(&mut self, what: &str, command: &mut Command) {
        shell::say(what);
        let (mut passed, mut failed) = (0, 0);
        let done = shell::watch(command, |line| {
            if let Some((more_passed, more_failed)) = counted(line) {
                passed += more_passed;
                failed += more_failed;
            }
        });
        self.passed += passed;
        self.failed += failed;
        match done {
            Err(failure) if failed == 0 => self.fail(&failure),
            Ok(()) if passed == 0 => self.fail(&Failure::new(&format!("{what}: nothing ran"))),
            _ => {}
        }
    }

    /// The suites inside a browser. All their tests must have run: the runner passes in silence
    /// over a suite without a test that it knows.
    fn browser(&mut self, browser: &str, command: &mut Command, expected: u64) {
        let before = self.passed + self.failed;
        self.suites(&format!("tests inside {browser}"), command);
        let ran = self.passed + self.failed - before;
        if ran != expected {
            let sentence = format!("{ran} of {expected} tests ran inside {browser}");
            self.fail(&Failure::new(&sentence));
        }
    }
}

/// What a closing line of a runner counts: `test result: ok. 3 passed; 0 failed; …` or
/// `3 passed, 0 failed`.
fn counted(line: &str) -> Option<(u64, u64)> {
    let line = line.trim();
    let number = |word: &str| {
        let (before, _) = line.split_once(word)?;
        before.split([' ', '.', ';', ',']).next_back()?.parse().ok()
    };
    let closing = line.starts_with("test result:") || line.ends_with(" failed");
    closing.then(|| Some((number(" passed")?, number(" failed")?))).flatten()
}

#[test]
fn closing_lines_are_counted() {
    let cargo = "test result: ok. 12 passed; 1 failed; 0 ignored; 0 measured; 3 filtered out";
    assert_eq!(counted(cargo), Some((12, 1)));
    assert_eq!(counted("31 passed, 0 failed"), Some((31, 0)));
    assert_eq!(counted("test a_run_that_failed ... ok"), None);
    assert_eq!(counted("test that it failed"), None);
}
