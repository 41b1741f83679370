//! A compiler that builds for wasm32: rustup's target, or else Debian's compiler with a standard
//! library built from its source.

use crate::packages;
use crate::shell::{self, Failure};
use crate::tools::Environment;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const TARGET: &str = "wasm32-unknown-unknown";
/// How long rustup may take, in seconds: where only package registries answer, it hangs.
const RUSTUP_SECONDS: &str = "120";
/// The name that Debian's compiler gets in rustup.
const DEBIAN: &str = "tickle-debian";
const SOURCES: &str = "/usr/lib/rustlib/src/rust/library";

/// Makes sure that a program for wasm32 links.
pub fn ensure(environment: &mut Environment) -> Result<(), Failure> {
    if links(environment) {
        return Ok(());
    }
    shell::say(&format!("adding the target {TARGET}"));
    let mut rustup = Command::new("timeout");
    rustup.args([RUSTUP_SECONDS, "rustup", "target", "add", TARGET]);
    let added = rustup.stdout(Stdio::null()).stderr(Stdio::null()).status();
    if added.is_ok_and(|status| status.success()) && links(environment) {
        return Ok(());
    }
    shell::say("rustup can't add it: taking Debian's compiler");
    debian(environment)
        .map_err(|failure| failure.because(&format!("no compiler for {TARGET} can be had")))
}

/// Whether a small library for the target compiles and links: a target that is merely listed may
/// not.
fn links(environment: &Environment) -> bool {
    let folder = environment.folder().join("probe");
    let source = folder.join("probe.rs");
    let text = "#[unsafe(no_mangle)] pub extern \"C\" fn f(n: usize) -> usize { \
                format!(\"{n}\").len() }";
    if fs::create_dir_all(&folder).and_then(|()| fs::write(&source, text)).is_err() {
        return false;
    }
    let mut rustc = environment.command("rustc");
    rustc.current_dir(&folder).args(["--edition", "2024", "--crate-type", "cdylib"]);
    rustc.args(["--target", TARGET, "probe.rs", "-o", "probe.wasm"]);
    let status = rustc.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

fn debian(environment: &mut Environment) -> Result<(), Failure> {
    packages::ensure(&[
        "rustc-web",
        "cargo-web",
        "rust-web-src",
        "rust-web-llvm",
        "rust-web-clippy",
        "rustfmt-web",
    ])?;
    // The package's linker is a link into a package that nothing depends on.
    let linker = fs::read_link("/usr/bin/rust-lld").ok();
    let linker = linker.as_deref().and_then(Path::file_name).and_then(|name| name.to_str());
    let linker = linker.ok_or_else(|| Failure::new("/usr/bin/rust-lld is missing"))?;
    packages::ensure(&[linker])?;
    shell::run_quietly(Command::new("rustup").args(["toolchain", "link", DEBIAN, "/usr"]))?;
    environment.use_toolchain(DEBIAN);
    if links(environment) {
        return Ok(());
    }
    build_std(environment)?;
    if links(environment) {
        return Ok(());
    }
    Err(Failure::new("the standard library was built, but a program does not link with it"))
}

/// Builds the standard library for the target and puts it where the compiler looks.
fn build_std(environment: &Environment) -> Result<(), Failure> {
    shell::say(&format!("building the standard library for {TARGET} (about 2 minutes)"));
    let build = environment.folder().join("std");
    let library = build.join("library");
    let io = |error: std::io::Error| Failure::new(&format!("{}: {error}", build.display()));
    fs::create_dir_all(&build).map_err(io)?;
    shell::run_quietly(Command::new("cp").args(["-rT", SOURCES]).arg(&library))?;
    let mut cargo = Command::new("/usr/bin/cargo");
    cargo.current_dir(&library).args(["build", "-q", "--manifest-path", "sysroot/Cargo.toml"]);
    cargo.args(["--target", TARGET, "--profile", "dist", "--features"]);
    cargo.arg("panic-unwind,backtrace,compiler-builtins-mem").arg("--target-dir");
    cargo.arg(build.join("target")).env("RUSTC_BOOTSTRAP", "1").env("RUSTC", "/usr/bin/rustc");
    cargo.env("RUSTFLAGS", "-Zforce-unstable-if-unmarked");
    shell::run_quietly(&mut cargo)?;
    let built = build.join("target").join(TARGET).join("dist/deps");
    let home = PathBuf::from("/usr/lib/rustlib").join(TARGET).join("lib");
    fs::create_dir_all(&home).map_err(io)?;
    for entry in fs::read_dir(&built).map_err(io)?.filter_map(Result::ok) {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libsysroot-") {
            fs::copy(entry.path(), home.join(name)).map_err(io)?;
        }
    }
    fs::remove_dir_all(&build).map_err(io)
}
