//! Headless runs: what benchmarks and comparisons call.
//!
//! Everything that goes wrong ends with one sentence and a status other than 0.

mod args;
mod bench;
mod compare;
mod input;
mod progress;
mod report;
mod run;
mod scale;
mod shares;
mod tiles;

use args::{Command, USAGE};
use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let words = std::env::args().skip(1);
    let done = match args::parse(words) {
        Ok(Command::Help) => print(USAGE),
        Ok(Command::Run(choice)) => run::run(&choice),
        Ok(Command::Compare(choice)) => compare::compare(&choice),
        Ok(Command::Bench(choice)) => bench::bench(&choice),
        Ok(Command::Scale(patches)) => scale::scale(patches),
        Ok(Command::Shares(patches)) => shares::shares(patches),
        Err(sentence) => Err(sentence),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(sentence) => {
            eprintln!("tickle: {sentence}");
            ExitCode::FAILURE
        }
    }
}

/// Prints a text. Whoever has stopped reading, such as `head`, has what they wanted.
fn print(text: &str) -> Result<(), String> {
    written(std::io::stdout().lock().write_all(text.as_bytes()))
}

/// What a failed write means.
fn written(result: std::io::Result<()>) -> Result<(), String> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(format!("the output cannot be written: {error}")),
        Ok(()) => Ok(()),
    }
}
