//! Two choices of patches over many seeds, as the table that the page copies for a mail.
//!
//! Only asks for it: runs, figures and text are those of the page.

use super::args::{Command, defined, option};
use super::progress::Progress;
use super::{input, print};
use sim_core::patches::{PATCHES, Patch, PatchSet, REVISIONS, Revision};
use std::str::FromStr;
use tickle::engine::sweep::{SEEDS_MAX, Sweeping};
use tickle::protocol::comparison;
use tickle::state::head;

/// Seeds if nothing is said, as on the page.
const SEEDS: u32 = 30;
/// Steps between two looks at the clock.
const STEPS: u32 = 100_000;

/// What to compare.
#[derive(Debug, PartialEq)]
pub struct Compare {
    /// The file; `-` for standard input.
    pub file: String,
    /// The patches of A and of B.
    pub sides: [PatchSet; 2],
    /// How many seeds; one is enough if nothing is drawn at random.
    pub seeds: u32,
}

/// Reads the words behind `compare`.
///
/// # Errors
/// One sentence that names the word and what would do.
pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Command, String> {
    let (mut file, mut sides, mut seeds) = (None, [None, None], None);
    while let Some(word) = words.next() {
        let (name, value) = option(&word);
        let mut value = |what: &str| {
            let given = value.map(str::to_owned).or_else(|| words.next());
            given.ok_or_else(|| format!("{name} needs {what} behind it"))
        };
        let what = "a revision or names of patches";
        match name {
            "--help" | "-h" => return Ok(Command::Help),
            "--a" => once(&mut sides[0], name, side(name, &value(what)?)?)?,
            "--b" => once(&mut sides[1], name, side(name, &value(what)?)?)?,
            "--seeds" => once(&mut seeds, name, number(&value("a number")?)?)?,
            _ if name.starts_with("--") => {
                let known = "--a, --b, --seeds and --help";
                return Err(format!("compare has no option “{name}”; there are {known}"));
            }
            _ => {
                let more = format!("“{word}” is one file too many");
                if file.replace(word).is_some() {
                    return Err(more);
                }
            }
        }
    }
    let example = "for example: tickle compare scenario.json --a R8 --b R9";
    let file = file.ok_or_else(|| format!("which file? {example}"))?;
    let [Some(a), Some(b)] = sides else {
        let missing = if sides[0].is_none() { "--a" } else { "--b" };
        return Err(format!("compare needs {missing}, a revision or names of patches; {example}"));
    };
    Ok(Command::Compare(Compare { file, sides: [a, b], seeds: seeds.unwrap_or(SEEDS) }))
}

/// Keeps what an option is given, the first time.
fn once<T>(kept: &mut Option<T>, name: &str, given: T) -> Result<(), String> {
    match kept.replace(given) {
        None => Ok(()),
        Some(_) => Err(format!("{name} can be given once")),
    }
}

/// A side: names of revisions and patches, one behind the other; `-` takes a patch out again.
fn side(name: &str, text: &str) -> Result<PatchSet, String> {
    let mut patches = PatchSet::NONE;
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        let without = word.strip_prefix('-').and_then(Patch::from_slug);
        patches = match (Revision::from_name(word), Patch::from_slug(word), without) {
            (Some(revision), ..) => patches.with_all(revision.patches),
            (_, Some(patch), _) => patches.with(patch),
            (.., Some(patch)) => patches.without(patch),
            _ => {
                let revisions: Vec<_> = REVISIONS.iter().map(|revision| revision.name).collect();
                let slugs: Vec<_> = PATCHES.iter().map(|info| info.slug).collect();
                return Err(format!(
                    "there is no revision or patch “{word}”; there are {} and {}",
                    revisions.join(", "),
                    slugs.join(", ")
                ));
            }
        };
    }
    defined(patches, name)
}

fn number(text: &str) -> Result<u32, String> {
    let seeds = u32::from_str(text).ok().filter(|seeds| (1..=SEEDS_MAX).contains(seeds));
    seeds.ok_or_else(|| format!("--seeds is “{text}”; it must be a number from 1 to {SEEDS_MAX}"))
}

/// Runs both sides and prints the table.
///
/// # Errors
/// One sentence.
pub fn compare(Compare { file, sides, seeds }: &Compare) -> Result<(), String> {
    let scenario = input::scenario(file)?;
    let [a, b] = *sides;
    let mut sweeping = Sweeping::new([(scenario.clone(), a), (scenario.clone(), b)], *seeds);
    let of = u64::from(sweeping.told().of);
    let (mut done, mut progress) = (0, Progress::new());
    while sweeping.goes_on() {
        done += u64::from(sweeping.work(STEPS));
        progress.tell((done, of), || format!("{done} of {of} seeds"));
    }
    drop(progress);
    let head = head((&scenario, a), (&scenario, b));
    print(&comparison::text(&head, &sweeping.told()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Result<Command, String> {
        parse(line.split_whitespace().map(str::to_owned))
    }

    fn patches(name: &str) -> PatchSet {
        Revision::from_name(name).expect("it exists").patches
    }

    /// Goal: sides are understood as revisions, as patches, as both, and with patches taken out.
    #[test]
    fn sides_are_understood() {
        let asked = |sides, seeds| Ok(Command::Compare(Compare { file: "f".into(), sides, seeds }));
        let (r0, r1, r9) = (patches("R0"), patches("R1"), patches("R9"));
        assert_eq!(words("f --a R0 --b R9"), asked([r0, r9], SEEDS));
        assert_eq!(words("--a= f --b=pick_discount_alone --seeds=7"), asked([r0, r1], 7));
        let without = r9.without(Patch::StealBias);
        assert_eq!(words("f --a R9,-steal_bias --b R8,steal_bias"), asked([without, r9], SEEDS));
        assert_eq!(words("f --help"), Ok(Command::Help));
    }

    /// Goal: each mistake has a sentence that names it.
    #[test]
    fn mistakes_have_their_sentence() {
        for (line, start) in [
            ("--a R0 --b R1", "which file? for example: tickle compare"),
            ("f --a R0", "compare needs --b, a revision or names of patches; for example"),
            ("f --b R0", "compare needs --a, a revision"),
            ("f --a R0 --b", "--b needs a revision or names of patches behind it"),
            ("f --a R0 --a R1", "--a can be given once"),
            ("f g --a R0 --b R1", "“g” is one file too many"),
            ("f --a R77 --b R1", "there is no revision or patch “R77”; there are R0, R1"),
            ("f --a R2,-up --b R1", "there is no revision or patch “-up”"),
            (
                "f --a two_step_balance --b R1",
                "the patch two_step_balance needs tickle_prefer_idle",
            ),
            ("f --a R0 --b R1 --seeds 0", "--seeds is “0”; it must be a number from 1 to 1000"),
            ("f --a R0 --b R1 --seeds many", "--seeds is “many”; it must be"),
            ("f --a R0 --b R1 --json", "compare has no option “--json”; there are --a, --b"),
        ] {
            let sentence = words(line).expect_err(line);
            assert!(sentence.starts_with(start), "{line}: {sentence}");
        }
    }
}
