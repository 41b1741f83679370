//! Goal: the rules of docs/CONVENTIONS.md that a program can check hold. Method: read every source
//! file; who may use whom stands below as a table.

use std::fs;
use std::path::{Path, PathBuf};

/// Modules of sim-core and what each may use of sim-core besides itself.
const CORE: &[(&str, &[&str])] = &[
    ("units", &[]),
    ("ids", &[]),
    ("rng", &[]),
    ("cpumask", &["ids"]),
    ("topology", &["ids", "cpumask"]),
    ("patches", &[]),
    ("workload", &["rng"]),
    ("scenario", &["units", "ids", "cpumask", "topology", "workload"]),
    ("presets", &["ids", "cpumask", "topology", "rng", "patches", "workload", "scenario"]),
    ("decision", &["units", "ids", "cpumask", "topology", "patches"]),
    (
        "policy",
        &["units", "ids", "cpumask", "topology", "patches", "workload", "scenario", "decision"],
    ),
    ("trace", &["units", "ids", "cpumask", "decision"]),
    ("event_queue", &["units", "ids"]),
    (
        "machine",
        &[
            "units",
            "ids",
            "cpumask",
            "topology",
            "patches",
            "workload",
            "scenario",
            "decision",
            "policy",
            "event_queue",
        ],
    ),
    (
        "run",
        &[
            "units",
            "ids",
            "cpumask",
            "topology",
            "patches",
            "workload",
            "scenario",
            "presets",
            "decision",
            "policy",
            "trace",
            "event_queue",
            "machine",
        ],
    ),
];

/// Modules of the page and what each may use of the page besides itself.
const PAGE: &[(&str, &[&str])] = &[
    ("share", &[]),
    ("protocol", &["share"]),
    ("engine", &["share", "protocol"]),
    ("state", &["share", "protocol"]),
    ("timeline", &["protocol"]),
    ("web", &["timeline"]),
    ("worker", &["protocol", "engine", "web"]),
    ("view", &["share", "protocol", "state", "timeline", "worker", "web"]),
    ("bin", &["protocol", "engine", "state", "view", "worker", "web"]),
];

/// The only places where the browser may be named; `view` needs its types of events.
const BROWSER: &[&str] = &["web", "worker", "view", "bin"];

/// What of sim-core the page's drawing may know: names of things, not rules.
const TIMELINE_CORE: &[&str] = &["units", "ids", "scenario", "topology", "presets"];

struct Source {
    path: String,
    text: String,
}

impl Source {
    /// The text without what is compiled for tests only, which stands at the end of a file.
    fn code(&self) -> &str {
        self.text.split("#[cfg(test)]").next().expect("a first part")
    }

    /// The module of a crate's top level that the file belongs to, for files below `folder`.
    fn module(&self, folder: &str) -> Option<&str> {
        let below = self.path.strip_prefix(folder)?.strip_prefix('/')?;
        let name = below.split(['/', '.']).next()?;
        (name != "lib").then_some(name)
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn collect(folder: &Path, ends: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder of the project").filter_map(Result::ok) {
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        let skipped = ["target", "dist", "node_modules", "shots", ".git", "vectors"];
        if path.is_dir() && !skipped.contains(&name.as_ref()) {
            collect(&path, ends, found);
        } else if path.is_file() && ends.iter().any(|end| name.ends_with(end)) {
            found.push(path);
        }
    }
}

fn files(ends: &[&str]) -> Vec<Source> {
    let mut paths = vec![];
    collect(root(), ends, &mut paths);
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a text file");
        let path = path.strip_prefix(root()).expect("below the top").to_string_lossy();
        Source { path: path.replace('\\', "/"), text }
    };
    paths.into_iter().map(read).collect()
}

fn sources() -> Vec<Source> {
    files(&[".rs"])
}

/// The first parts of all paths that begin with `head`, such as `crate::`.
fn uses<'a>(code: &'a str, head: &str) -> Vec<&'a str> {
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    let parts = lines.flat_map(|line| {
        line.match_indices(head).map(|(at, head)| &line[at + head.len()..]).collect::<Vec<_>>()
    });
    parts.filter_map(|rest| rest.split(|c: char| c != '_' && !c.is_alphanumeric()).next()).collect()
}

fn check_layers(folder: &str, table: &[(&str, &[&str])]) {
    let mut checked = 0;
    for source in sources() {
        let Some(module) = source.module(folder) else { continue };
        let entry = table.iter().find(|(name, _)| *name == module);
        let (_, allowed) =
            entry.unwrap_or_else(|| panic!("{}: {module} is not in the table", source.path));
        // A program is a crate of its own and names the page's library.
        let head = if module == "bin" { "tickle::" } else { "crate::" };
        for used in uses(source.code(), head) {
            let fine = used == module || allowed.contains(&used) || used.is_empty();
            assert!(fine, "{}: {module} may not use {used}", source.path);
            checked += 1;
        }
    }
    assert!(checked > 50, "only {checked} paths were found below {folder}");
}

#[test]
fn the_layers_of_sim_core_hold() {
    check_layers("sim-core/src", CORE);
}

#[test]
fn the_layers_of_the_page_hold() {
    check_layers("src", PAGE);
    for source in sources() {
        let Some(module) = source.module("src") else { continue };
        let browser = ["web_sys::", "js_sys::", "wasm_bindgen::", "gloo::"];
        let named = browser.iter().find(|name| source.code().contains(**name));
        assert!(
            named.is_none() || BROWSER.contains(&module),
            "{}: {module} may not name {}",
            source.path,
            named.unwrap_or(&"")
        );
        if module == "timeline" {
            let rules = uses(source.code(), "sim_core::");
            let rule = rules.into_iter().find(|used| !TIMELINE_CORE.contains(used));
            assert_eq!(rule, None, "{}: drawing needs no rules", source.path);
        }
    }
}

#[test]
fn sim_core_names_nothing_that_could_differ() {
    let manifest = fs::read_to_string(root().join("sim-core/Cargo.toml")).expect("a manifest");
    assert!(!manifest.contains("[dependencies]"), "sim-core has no dependencies");
    let lib = fs::read_to_string(root().join("sim-core/src/lib.rs")).expect("a crate");
    assert!(lib.contains("#![no_std]") && lib.contains("#![forbid(unsafe_code)]"));
    for source in sources().iter().filter(|source| source.path.starts_with("sim-core/src/")) {
        for word in ["std::", "HashMap", "f32", "f64", "Serialize", "extern \"C\""] {
            let code = source.code();
            let at = code.match_indices(word).find(|(at, _)| {
                let before = code[..*at].chars().next_back();
                !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
            });
            assert_eq!(at, None, "{}", source.path);
        }
    }
}

#[test]
fn every_file_says_what_it_is_for_and_is_short() {
    for source in sources() {
        assert!(source.text.starts_with("//!"), "{}: no first line `//!`", source.path);
        let lines = source.text.lines().count();
        assert!(lines <= 800, "{}: {lines} lines, at most 800", source.path);
        // Code is kept short by rustfmt, which leaves comments and macros as they are.
        let mut comments = source.text.lines().filter(|line| line.trim_start().starts_with("//"));
        let long = comments.find(|line| line.chars().count() > 100);
        assert_eq!(long, None, "{}: longer than 100", source.path);
        if source.path.starts_with("sim-core/src/policy/credit1/") {
            let named = source.text.lines().any(|line| line.starts_with("//! Follows: xen/"));
            assert!(named, "{}: no line `//! Follows:`", source.path);
        }
    }
}

#[test]
fn nothing_is_left_unfinished_or_switched_off() {
    let own = "tests/tidy.rs";
    let code = files(&[".rs", ".mjs", ".toml", ".html", ".css"]);
    for source in code.iter().filter(|source| source.path != own) {
        for word in [
            "TODO",
            "FIXME",
            "todo!(",
            "unimplemented!(",
            "dbg!(",
            "#[ignore",
            "#[should_panic",
            "thread::sleep",
            "test.only(",
            "test.skip(",
            "waitForTimeout(",
        ] {
            assert!(!source.text.contains(word), "{}: {word}", source.path);
        }
    }
    assert!(code.len() > 100, "only {} files were read", code.len());
}

/// What the page may load, and from where.
const POLICY: [&str; 9] = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
];

#[test]
fn the_page_loads_nothing_foreign_and_holds_nothing_inline() {
    let page = fs::read_to_string(root().join("index.html")).expect("the page");
    let policy = page.split("http-equiv=\"Content-Security-Policy\"").nth(1).expect("a policy");
    let policy = policy.split("content=\"").nth(1).and_then(|rest| rest.split('"').next());
    let directives: Vec<_> = policy.expect("a content").split(';').map(str::trim).collect();
    assert_eq!(directives, POLICY);
    for word in ["<script", "<style", "style=", "onload=", "onclick=", "://"] {
        assert!(!page.contains(word), "index.html: {word}");
    }
    let mut views = 0;
    for source in sources().iter().filter(|source| source.path.starts_with("src/view/")) {
        // The policy refuses what is set so; `web::style` sets it so that it is allowed.
        for word in [" style=", "{style}", "<style", "<script", "set_attribute(\"style"] {
            assert!(!source.code().contains(word), "{}: {word}", source.path);
        }
        views += 1;
    }
    assert!(views > 10, "only {views} views were read");
    for source in files(&[".css", ".webmanifest", ".js"]) {
        if source.path.starts_with("static/") {
            for word in ["http:", "https:", "@import", "eval(", "Function("] {
                assert!(!source.text.contains(word), "{}: {word}", source.path);
            }
        }
    }
}

#[test]
fn the_architecture_names_every_folder_and_dependency() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md");
    for entry in fs::read_dir(root()).expect("the top folder").filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        let hidden = name.starts_with('.') || ["target", "dist", "shots"].contains(&name.as_str());
        if entry.path().is_dir() && !hidden {
            assert!(text.contains(&format!("{name}/")), "ARCHITECTURE.md does not name {name}/");
        }
    }
    let manifest = fs::read_to_string(root().join("Cargo.toml")).expect("a manifest");
    let after = manifest.split("\n[dependencies]\n").nth(1).expect("dependencies");
    let own = ["sim-core", "scenario-json"];
    for line in after.lines().take_while(|line| !line.starts_with("[profile")) {
        let name = line.split(" = ").next().unwrap_or("");
        let plain =
            !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "-_".contains(c));
        if line.contains(" = ") && plain && !own.contains(&name) && name != "version" {
            let named = name == "features" || text.contains(&format!("`{name}`"));
            assert!(named, "ARCHITECTURE.md does not say why there is `{name}`");
        }
    }
}
