//! Running other programs, and saying what is done.

use std::fmt;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Instant;

/// Why a chore could not be done: one sentence for people.
#[derive(Debug)]
pub struct Failure(String);

impl Failure {
    pub fn new(sentence: &str) -> Self {
        Self(sentence.to_owned())
    }

    /// The same failure with what it means in front.
    pub fn because(self, meaning: &str) -> Self {
        Self(format!("{meaning}: {self}"))
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The top folder of the project.
pub fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().expect("xtask is a folder of the project").to_owned()
}

/// Says what is done, with the time since the start.
pub fn say(what: &str) {
    static START: OnceLock<Instant> = OnceLock::new();
    let seconds = START.get_or_init(Instant::now).elapsed().as_secs();
    println!("[{:>2}:{:02}] {what}", seconds / 60, seconds % 60);
}

fn name(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let words: Vec<_> = words.take(6).map(|word| word.to_string_lossy().into_owned()).collect();
    words.join(" ")
}

/// Runs a program to its end, its output going to ours.
pub fn run(command: &mut Command) -> Result<(), Failure> {
    let name = name(command);
    let status = command.current_dir_or_root().status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("`{name}` ended with {status}"))),
        Err(error) => Err(Failure(format!("`{name}` can't be started: {error}"))),
    }
}

/// Runs a program and shows its output only when it fails.
pub fn run_quietly(command: &mut Command) -> Result<(), Failure> {
    let name = name(command);
    let output = command.current_dir_or_root().output();
    match output {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            eprint!("{}", String::from_utf8_lossy(&output.stdout));
            eprint!("{}", String::from_utf8_lossy(&output.stderr));
            Err(Failure(format!("`{name}` ended with {}", output.status)))
        }
        Err(error) => Err(Failure(format!("`{name}` can't be started: {error}"))),
    }
}

/// Runs a program, shows its output and hands every line of it to `see`.
pub fn watch(command: &mut Command, mut see: impl FnMut(&str)) -> Result<(), Failure> {
    let name = name(command);
    let started = command.current_dir_or_root().stdout(Stdio::piped()).spawn();
    let mut child =
        started.map_err(|error| Failure(format!("`{name}` can't be started: {error}")))?;
    let output = child.stdout.take().expect("it is piped");
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        println!("{line}");
        see(&line);
    }
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(Failure(format!("`{name}` ended with {status}"))),
        Err(error) => Err(Failure(format!("`{name}` was lost: {error}"))),
    }
}

/// Whether a program is there and answers to `--version`.
pub fn answers(command: &mut Command) -> bool {
    let status = command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.is_ok_and(|status| status.success())
}

trait AtRoot {
    fn current_dir_or_root(&mut self) -> &mut Self;
}

impl AtRoot for Command {
    fn current_dir_or_root(&mut self) -> &mut Self {
        if self.get_current_dir().is_none() {
            self.current_dir(root());
        }
        self
    }
}
