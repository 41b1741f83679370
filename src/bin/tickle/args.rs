//! What the command line asks for.

use super::compare::{self, Compare};
use sim_core::patches::{CombinationError, PATCHES, Patch, PatchSet, REVISIONS, Revision};

/// How the program is called.
pub const USAGE: &str = "\
Runs a scenario through Xen's credit scheduler and prints what it adds up to.

  tickle run FILE [--rev R2 | --patches a,b] [--json] [--log | --trace]
  tickle compare FILE --a R8 --b R9 [--seeds N]
  tickle bench FILE [--rev R2 | --patches a,b]
  tickle bench --scale | --shares [--rev R2 | --patches a,b]

FILE holds a scenario as JSON; a run file of the vectors will do, - reads standard input.
  --rev NAME      the scheduler of this revision (R0 to R9, 4.3 to 4.18); R2 if nothing is said
  --patches A,B   the scheduler of December 2012 with these patches; none: --patches=
  --json          totals as one line of JSON
  --log           the log lines; the totals then go to standard error, unless --json is given
  --trace         likewise the records of Xen's trace buffer: ns, pCPU, number, name, payload
compare runs two sides and prints their figures as a table for a mail, 72 columns wide.
  --a, --b NAMES  revisions and patches, as R9 or R9,-steal_bias or two_step_balance,...
  --seeds N       so many seeds, the scenario's own first; 30 if nothing is said
bench measures the same run: log lines a second, memory of its trace, time for a picture.
  --scale         what a step costs on hosts of 16 to 1,024 pCPUs
  --shares        CPU time of hogs against what weights and caps entitle them to, over 60 s
";

/// What is to be done.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// Say how the program is called.
    Help,
    /// Run a scenario.
    Run(Choice),
    /// Compare two choices of patches.
    Compare(Compare),
    /// Measure a run.
    Bench(Choice),
    /// Measure hosts of many sizes.
    Scale(PatchSet),
    /// Compare shares of CPU time with what is due.
    Shares(PatchSet),
}

/// What to run, and what to print.
#[derive(Debug, PartialEq)]
pub struct Choice {
    /// The file; `-` for standard input.
    pub file: String,
    /// Patches.
    pub patches: PatchSet,
    /// Totals as JSON.
    pub json: bool,
    /// Print the log lines.
    pub log: bool,
    /// Print the trace records.
    pub trace: bool,
}

/// Reads the words behind the program's name.
///
/// # Errors
/// One sentence that names the word and what would do.
pub fn parse(words: impl Iterator<Item = String>) -> Result<Command, String> {
    let mut words = words.peekable();
    let (command, is_bench) = match words.next().as_deref() {
        None | Some("help" | "--help" | "-h") => return Ok(Command::Help),
        Some("run") => (Command::Run as fn(Choice) -> Command, false),
        Some("bench") => (Command::Bench as _, true),
        Some("compare") => return compare::parse(words),
        Some(other) => {
            let known = "run, compare, bench and help";
            return Err(format!("there is no command “{other}”; there are {known}"));
        }
    };
    let (mut file, mut patches) = (None, None);
    let (mut json, mut log, mut trace) = (false, false, false);
    let mut whole: Option<fn(PatchSet) -> Command> = None;
    while let Some(word) = words.next() {
        let (name, value) = option(&word);
        let mut value = |what: &str| {
            let given = value.map(str::to_owned).or_else(|| words.next());
            given.ok_or_else(|| format!("{name} needs {what} behind it"))
        };
        match name {
            "--help" | "-h" => return Ok(Command::Help),
            "--json" => json = true,
            "--log" => log = true,
            "--trace" => trace = true,
            "--scale" if is_bench => whole = Some(Command::Scale),
            "--shares" if is_bench => whole = Some(Command::Shares),
            "--rev" | "--patches" if patches.is_some() => {
                return Err("only one of --rev and --patches can be given, and once".into());
            }
            "--rev" => patches = Some(revision(&value("the name of a revision")?)?),
            "--patches" => patches = Some(choice(&value("names of patches")?)?),
            _ if name.starts_with("--") => {
                let known = "--rev, --patches, --json, --log, --trace and --help";
                return Err(format!("there is no option “{name}”; there are {known}"));
            }
            _ if file.is_some() => return Err(format!("“{word}” is one file too many")),
            _ => file = Some(word.clone()),
        }
    }
    if log && trace {
        return Err("only one of --log and --trace can be printed".into());
    }
    let patches = patches.map_or_else(|| revision("R2"), Ok)?;
    match (whole, file) {
        (Some(_), Some(file)) => Err(format!("“{file}” is one file too many: this needs none")),
        (Some(whole), None) => Ok(whole(patches)),
        (None, Some(file)) => Ok(command(Choice { file, patches, json, log, trace })),
        (None, None) => Err("which file? For example: tickle run scenario.json".into()),
    }
}

/// The name of an option, with the value if it stands in the same word.
pub fn option(word: &str) -> (&str, Option<&str>) {
    match word.split_once('=') {
        Some((name, value)) if name.starts_with("--") => (name, Some(value)),
        _ => (word, None),
    }
}

fn revision(name: &str) -> Result<PatchSet, String> {
    let revision = Revision::from_name(name).ok_or_else(|| {
        let names: Vec<_> = REVISIONS.iter().map(|revision| revision.name).collect();
        format!("there is no revision “{name}”; there are {}", names.join(", "))
    })?;
    Ok(revision.patches)
}

fn choice(names: &str) -> Result<PatchSet, String> {
    let mut patches = PatchSet::NONE;
    for slug in names.split(',').map(str::trim).filter(|slug| !slug.is_empty()) {
        let patch = Patch::from_slug(slug).ok_or_else(|| {
            let slugs: Vec<_> = PATCHES.iter().map(|info| info.slug).collect();
            format!("there is no patch “{slug}”; there are {}", slugs.join(", "))
        })?;
        patches = patches.with(patch);
    }
    defined(patches, "--patches")
}

/// The patches that an option was given, if they go together.
///
/// # Errors
/// One sentence that names the patch and what it needs.
pub fn defined(patches: PatchSet, option: &str) -> Result<PatchSet, String> {
    patches.checked().map_err(|error| match error {
        CombinationError::Needs { patch, needed } => {
            let (patch, needed) = (patch.info().slug, needed.info().slug);
            format!("the patch {patch} needs {needed}, which is not in {option}")
        }
        CombinationError::UnknownBit(bit) => format!("patch number {bit} does not exist"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    /// Goal: what is asked for is understood, in either way of giving values.
    #[test]
    fn lines_are_understood() {
        let run = Choice {
            file: "a.json".into(),
            patches: revision("R2").expect("it exists"),
            json: false,
            log: false,
            trace: false,
        };
        assert_eq!(words(""), Ok(Command::Help));
        assert_eq!(words("run a.json --help"), Ok(Command::Help));
        let r0 = Choice { patches: PatchSet::NONE, json: true, log: true, ..choice_of(&run) };
        for line in ["run --rev R0 a.json --json --log", "run a.json --patches= --log --json"] {
            assert_eq!(words(line), Ok(Command::Run(choice_of(&r0))));
        }
        let traced = Choice { trace: true, ..choice_of(&run) };
        assert_eq!(words("run a.json --trace"), Ok(Command::Run(traced)));
        assert_eq!(words("bench --scale --rev R0"), Ok(Command::Scale(PatchSet::NONE)));
        assert_eq!(words("bench --rev R0 --shares"), Ok(Command::Shares(PatchSet::NONE)));
        assert_eq!(words("bench a.json"), Ok(Command::Bench(run)));
    }

    fn choice_of(choice: &Choice) -> Choice {
        Choice { file: choice.file.clone(), ..*choice }
    }

    /// Goal: each mistake has a sentence that names it.
    #[test]
    fn mistakes_have_their_sentence() {
        for (line, start) in [
            ("walk", "there is no command “walk”; there are run, compare"),
            ("run", "which file?"),
            ("run a b", "“b” is one file too many"),
            ("run a --fast", "there is no option “--fast”; there are --rev"),
            ("run a --rev", "--rev needs the name of a revision"),
            ("run a --rev R77", "there is no revision “R77”; there are R0, R1, R2"),
            ("run a --patches up", "there is no patch “up”; there are pick_discount_alone"),
            (
                "run a --patches two_step_balance",
                "the patch two_step_balance needs tickle_prefer_idlers, which is not in --patches",
            ),
            ("run a --rev R1 --patches=", "only one of --rev and --patches"),
            ("run a --log --trace", "only one of --log and --trace"),
            ("run a --scale", "there is no option “--scale”"),
            ("bench a --scale", "“a” is one file too many"),
        ] {
            let sentence = words(line).expect_err(line);
            assert!(sentence.starts_with(start), "{line}: {sentence}");
        }
    }
}
