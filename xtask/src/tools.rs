//! Tools that cargo installs, kept outside `target` so that a fresh clone finds them.

use crate::shell::{self, Failure, root};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// 0.22 wants a newer compiler than the project's.
const TRUNK: &str = "0.21.14";
const WASM_PACK: &str = "0.15.1";
const GECKODRIVER: &str = "0.37.1";

/// Where the tools are, and with which toolchain cargo runs.
pub struct Environment {
    folder: PathBuf,
    toolchain: Option<&'static str>,
}

impl Environment {
    pub fn new() -> Result<Self, Failure> {
        let given = std::env::var_os("TICKLE_TOOLS").map(PathBuf::from);
        let home =
            std::env::var_os("HOME").map(|home| Path::new(&home).join(".cache/tickle-tools"));
        let folder = given.or(home).ok_or_else(|| {
            Failure::new("neither TICKLE_TOOLS nor HOME is set: nowhere to keep the tools")
        })?;
        fs::create_dir_all(&folder).map_err(|error| {
            Failure::new(&format!("{} can't be made: {error}", folder.display()))
        })?;
        Ok(Self { folder, toolchain: None })
    }

    /// Where the tools are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Uses another toolchain for everything that follows.
    pub fn use_toolchain(&mut self, toolchain: &'static str) {
        self.toolchain = Some(toolchain);
    }

    /// A program that finds the tools first.
    pub fn command(&self, program: &str) -> Command {
        let mut command = Command::new(self.find(program));
        command.env("PATH", self.path());
        command.env("TRUNK_SKIP_VERSION_CHECK", "true");
        command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
        if let Some(toolchain) = self.toolchain {
            command.env("RUSTUP_TOOLCHAIN", toolchain);
        }
        command
    }

    fn folders(&self) -> [PathBuf; 2] {
        [self.folder.join("bin"), self.folder.join("npm/node_modules/.bin")]
    }

    fn path(&self) -> OsString {
        let before = std::env::var_os("PATH").unwrap_or_default();
        let all = self.folders().into_iter().chain(std::env::split_paths(&before));
        std::env::join_paths(all).expect("folders of PATH hold no separator")
    }

    fn find(&self, program: &str) -> PathBuf {
        let own = self.folders().map(|folder| folder.join(program));
        own.into_iter().find(|path| path.exists()).unwrap_or_else(|| program.into())
    }
}

/// What building the page needs.
pub fn ensure_page_tools(environment: &Environment) -> Result<(), Failure> {
    install(environment, "wasm-bindgen-cli", &locked_version("wasm-bindgen")?, &[])?;
    install(environment, "trunk", TRUNK, &["--no-default-features"])
}

/// What testing in browsers needs besides.
pub fn ensure_test_tools(environment: &Environment) -> Result<(), Failure> {
    install(environment, "wasm-bindgen-cli", &locked_version("wasm-bindgen")?, &[])?;
    install(environment, "geckodriver", GECKODRIVER, &[])
}

/// What of the toolchain itself the tests call; the smallest toolchains come without.
pub fn ensure_components(environment: &Environment) -> Result<(), Failure> {
    for (component, program) in [("rustfmt", "cargo-fmt"), ("clippy", "cargo-clippy")] {
        if shell::answers(&mut environment.command(program)) {
            continue;
        }
        shell::say(&format!("adding {component}"));
        let mut rustup = environment.command("rustup");
        shell::run_quietly(rustup.args(["component", "add", component]))
            .map_err(|failure| failure.because(&format!("{component} can't be had")))?;
    }
    Ok(())
}

/// For those who would rather call wasm-pack than cargo.
pub fn ensure_wasm_pack(environment: &Environment) -> Result<(), Failure> {
    install(environment, "wasm-pack", WASM_PACK, &[])
}

/// The version of a crate in Cargo.lock: the tool that goes with a crate must have the same.
fn locked_version(name: &str) -> Result<String, Failure> {
    let lock = fs::read_to_string(root().join("Cargo.lock"))
        .map_err(|error| Failure::new(&format!("Cargo.lock can't be read: {error}")))?;
    let head = format!("name = \"{name}\"\nversion = \"");
    let version = lock.split_once(&head).and_then(|(_, rest)| rest.split_once('"'));
    version
        .map(|(version, _)| version.to_owned())
        .ok_or_else(|| Failure::new(&format!("{name} is not in Cargo.lock")))
}

fn install(
    environment: &Environment,
    name: &str,
    version: &str,
    options: &[&str],
) -> Result<(), Failure> {
    let record = environment.folder.join(".crates.toml");
    let installed = fs::read_to_string(record).unwrap_or_default();
    if installed.contains(&format!("\"{name} {version} ")) {
        return Ok(());
    }
    shell::say(&format!("installing {name} {version}"));
    let build = environment.folder.join("build");
    let mut cargo = environment.command("cargo");
    cargo.args(["install", "--quiet", "--locked", name, "--version", version, "--root"]);
    cargo.arg(&environment.folder).args(options);
    // A tool that runs for seconds is not worth minutes of optimisation.
    cargo.env("CARGO_TARGET_DIR", &build);
    cargo.env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "1");
    cargo.env("CARGO_PROFILE_RELEASE_LTO", "off");
    cargo.env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16");
    let done = shell::run(&mut cargo)
        .map_err(|failure| failure.because(&format!("{name} {version} can't be had")));
    // What was built on the way is of no use later; that it stays would only cost room.
    let _ = fs::remove_dir_all(build);
    done
}
