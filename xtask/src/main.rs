//! The project's chores: set up the tools, build and serve the page, run every test.
//!
//! `cargo xtask serve` and `cargo xtask test` do all the set-up on a fresh machine by themselves.

mod browsers;
mod npm;
mod packages;
mod precache;
mod serve;
mod shell;
mod tests;
mod tools;
mod wasm_target;

use shell::{Failure, root};
use std::process::ExitCode;
use tools::Environment;

const USAGE: &str = "\
cargo xtask <command>

  setup            install what the commands below need, and stop
  serve [--port N] build the page and serve it on 127.0.0.1 (port 8080)
  build            build the page into dist/
  test             run every test, native and in browsers
  e2e [GROUP]      build the page and drive it in real browsers
  figures          build the page and print its sizes and times
  frames           build the page and print its frames and memory for runs of many sizes
  precache         tell the service worker what a build consists of; Trunk runs this
  pictures         build the page and take the README's pictures (docs/pictures/)
  shots [FOLDER]   build the page and take pictures of it (folder shots/)

Tools are kept in $TICKLE_TOOLS, or else in $HOME/.cache/tickle-tools.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["setup"] => setup(),
        ["serve"] => serve::serve("8080"),
        ["serve", port] | ["serve", "--port", port] => serve::serve(port),
        ["build"] => page_environment().and_then(|environment| build(&environment)),
        ["test"] => tests::run(),
        ["e2e", groups @ ..] => e2e("run.mjs", groups),
        ["figures"] => e2e("figures.mjs", &[]),
        ["frames"] => e2e("frames.mjs", &[]),
        ["precache"] => precache::fill_in(),
        ["pictures"] => e2e("readme.mjs", &["docs/pictures"]),
        ["shots"] => e2e("shots.mjs", &["shots"]),
        ["shots", folder] => e2e("shots.mjs", &[folder]),
        _ => Err(Failure::new(USAGE)),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("{failure}");
            ExitCode::FAILURE
        }
    }
}

fn setup() -> Result<(), Failure> {
    let environment = tests::environment()?;
    tools::ensure_wasm_pack(&environment)?;
    shell::say(&format!("ready: tools are in {}", environment.folder().display()));
    Ok(())
}

/// What building the page needs.
fn page_environment() -> Result<Environment, Failure> {
    let mut environment = Environment::new()?;
    wasm_target::ensure(&mut environment)?;
    tools::ensure_page_tools(&environment)?;
    npm::ensure_binaryen(&environment)?;
    Ok(environment)
}

fn build(environment: &Environment) -> Result<(), Failure> {
    shell::say("building the page into dist/");
    let mut trunk = environment.command("trunk");
    shell::run(trunk.args(["build", "--release", "--offline"]))
        .map_err(|failure| failure.because("the page does not build"))
}

/// Builds the page and runs a script of `tests/e2e` on it.
fn e2e(script: &str, arguments: &[&str]) -> Result<(), Failure> {
    let environment = page_environment()?;
    browsers::ensure(&environment)?;
    npm::ensure_e2e(&environment)?;
    build(&environment)?;
    let mut node = environment.command("node");
    node.arg(root().join("tests/e2e").join(script)).arg(root().join("dist")).args(arguments);
    shell::run(&mut node).map_err(|failure| failure.because("the browser run failed"))
}
