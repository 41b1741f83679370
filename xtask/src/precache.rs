//! Tells the service worker what the page consists of. Run by Trunk after each build, on the folder
//! that it has built.
//!
//! Must change nothing but the page and its service worker.

use crate::shell::{Failure, say};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const PAGE: &str = "index.html";
const SERVICE_WORKER: &str = "sw.js";
/// The lines to fill in, as they stand in the sources.
const VERSION: &str = "<meta name=\"version\" content=\"\" />";
const WORKER_VERSION: &str = "const VERSION = '';";
const WORKER_FILES: &str = "const FILES = {};";
/// What the page loads with its version behind `?`.
const VERSIONED: [&str; 3] = ["start-worker.js", "worker.js", "worker_bg.wasm"];
/// What the page loads with the names of the program's files behind `?`.
const STARTER: &str = "start.js";

/// Fills in the version and the files with their hashes.
pub fn fill_in() -> Result<(), Failure> {
    let folder = std::env::var_os("TRUNK_STAGING_DIR").map(PathBuf::from);
    let folder = folder.ok_or_else(|| Failure::new("this is run by Trunk, after a build"))?;
    let mut files = read(&folder)?;
    let page = text(files.remove(PAGE), PAGE)?;
    let worker = text(files.remove(SERVICE_WORKER), SERVICE_WORKER)?;
    let mut all: Vec<u8> = [page.as_bytes(), worker.as_bytes()].concat();
    for (name, bytes) in &files {
        all.extend(format!("{name} {}\n", hash(bytes)).bytes());
    }
    let version = hash(&all);
    let page = filled(&page, VERSION, &VERSION.replace("\"\"", &format!("\"{version}\"")))?;
    let starter = starter(&page)?;
    let mut list = format!("\n  './': '{}',\n", hash(page.as_bytes()));
    for (name, bytes) in &files {
        let address = match name.as_str() {
            STARTER => starter.clone(),
            name if VERSIONED.contains(&name) => format!("{name}?{version}"),
            name => name.to_owned(),
        };
        list.push_str(&format!("  '{address}': '{}',\n", hash(bytes)));
    }
    let worker = filled(&worker, WORKER_VERSION, &format!("const VERSION = '{version}';"))?;
    let worker = filled(&worker, WORKER_FILES, &format!("const FILES = {{{list}}};"))?;
    write(&folder.join(PAGE), &page)?;
    write(&folder.join(SERVICE_WORKER), &worker)?;
    say(&format!("version {version}: {} files can be had without a network", files.len() + 1));
    Ok(())
}

/// The files of a folder by their names.
fn read(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, Failure> {
    let unreadable = |error: std::io::Error| {
        Failure::new(&format!("{} can't be read: {error}", folder.display()))
    };
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if path.is_file() {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.insert(name, fs::read(&path).map_err(unreadable)?);
        }
    }
    Ok(files)
}

fn text(bytes: Option<Vec<u8>>, name: &str) -> Result<String, Failure> {
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    text.ok_or_else(|| Failure::new(&format!("the build left no {name}")))
}

fn filled(text: &str, line: &str, by: &str) -> Result<String, Failure> {
    match text.matches(line).count() {
        1 => Ok(text.replace(line, by)),
        count => Err(Failure::new(&format!("`{line}` stands {count} times, not once"))),
    }
}

/// The address that the page starts its program from.
fn starter(page: &str) -> Result<String, Failure> {
    let address = page.split("src=\"./").nth(1).and_then(|rest| rest.split('"').next());
    address
        .map(str::to_owned)
        .filter(|address| address.starts_with(STARTER))
        .ok_or_else(|| Failure::new(&format!("the page does not start with {STARTER}")))
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text)
        .map_err(|error| Failure::new(&format!("{} can't be written: {error}", path.display())))
}

/// FNV-1a, 32 bits, as eight hexadecimal digits; `static/sw.js` computes the same.
fn hash(bytes: &[u8]) -> String {
    let sum = bytes
        .iter()
        .fold(0x811c_9dc5_u32, |sum, byte| (sum ^ u32::from(*byte)).wrapping_mul(0x0100_0193));
    format!("{sum:08x}")
}

/// Goal: the hash is the published one. Values: the test vectors of the FNV reference code.
#[test]
fn hashes_are_those_of_the_reference() {
    for (text, expected) in [("", "811c9dc5"), ("a", "e40c292c"), ("foobar", "bf9cf968")] {
        assert_eq!(hash(text.as_bytes()), expected, "{text}");
    }
}

/// Goal: the starter is found with its names; a line that is missing or doubled is refused.
#[test]
fn what_is_filled_in_stands_once() {
    let page = "<script type=\"module\" src=\"./start.js?a.js,b.wasm\"></script>";
    assert_eq!(starter(page).expect("a starter"), "start.js?a.js,b.wasm");
    assert!(starter("<script src=\"./other.js\"></script>").is_err());
    assert_eq!(filled("a = '';", "''", "'1'").expect("once"), "a = '1';");
    assert!(filled("a", "b", "c").is_err());
    assert!(filled("bb", "b", "c").is_err());
}
