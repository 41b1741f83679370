//! What comes from npm: wasm-opt, and what drives the browsers from outside.

use crate::packages;
use crate::shell::{self, Failure, root};
use crate::tools::Environment;
use std::fs;
use std::path::Path;

/// Debian's own binaryen is too old for what the compiler writes.
const BINARYEN: &str = "132.0.0";

/// wasm-opt, which Trunk calls.
pub fn ensure_binaryen(environment: &Environment) -> Result<(), Failure> {
    let folder = environment.folder().join("npm");
    let stamp = folder.join(".version");
    if fs::read_to_string(&stamp).is_ok_and(|version| version == BINARYEN) {
        return Ok(());
    }
    ensure_node(environment)?;
    shell::say(&format!("installing binaryen {BINARYEN} (wasm-opt)"));
    fs::create_dir_all(&folder)
        .map_err(|error| Failure::new(&format!("{} can't be made: {error}", folder.display())))?;
    let package = format!("binaryen@{BINARYEN}");
    npm(environment, &folder, &["install", "--no-save", &package])
        .map_err(|failure| failure.because("wasm-opt can't be had"))?;
    write_stamp(&stamp, BINARYEN)
}

/// The node modules of the tests that drive the page from outside.
pub fn ensure_e2e(environment: &Environment) -> Result<(), Failure> {
    let folder = root().join("tests/e2e");
    let stamp = folder.join("node_modules/.version");
    let lock = fs::read_to_string(folder.join("package-lock.json"))
        .map_err(|error| Failure::new(&format!("tests/e2e/package-lock.json: {error}")))?;
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    ensure_node(environment)?;
    shell::say("installing what drives the browsers");
    npm(environment, &folder, &["ci"])
        .map_err(|failure| failure.because("the browser drivers can't be had"))?;
    write_stamp(&stamp, &lock)
}

fn ensure_node(environment: &Environment) -> Result<(), Failure> {
    let there = |program| shell::answers(&mut environment.command(program));
    if there("node") && there("npm") { Ok(()) } else { packages::ensure(&["nodejs", "npm"]) }
}

/// Runs npm; a registry that does not answer is asked again.
fn npm(environment: &Environment, folder: &Path, arguments: &[&str]) -> Result<(), Failure> {
    let once = || {
        let mut command = environment.command("npm");
        command.current_dir(folder).args(arguments);
        // Install scripts would download browsers, which are there already.
        command.args(["--loglevel=error", "--no-audit", "--no-fund", "--ignore-scripts"]);
        shell::run_quietly(&mut command)
    };
    once().or_else(|_| once()).or_else(|_| once())
}

fn write_stamp(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text)
        .map_err(|error| Failure::new(&format!("{} can't be written: {error}", path.display())))
}
