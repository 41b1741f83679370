//! Goal: every kind of record is explained, and no explanation changes unnoticed. Method: the
//! explanations of the first records of the three small presets, and of some vector runs with other
//! patches, are printed and compared with the files in `tests/golden`. A file is rewritten by
//! running with `TICKLE_GOLDEN=write`; the commit that does so says why.

use sim_core::decision::{Facts, Row, Sink};
use sim_core::ids::DecisionId;
use sim_core::machine::Machine;
use sim_core::patches::{Patch, PatchSet, Revision};
use sim_core::presets::Preset;
use sim_core::run::{Replayed, replay, run_steps};
use sim_core::scenario::ValidScenario;
use std::fmt::Write;
use std::path::Path;
use tickle::engine::explain::{Context, Rows, explain};
use tickle::protocol::{Explanation, MaskRole, Piece, TableRow, Tone};

struct Recorded {
    start: Machine,
    rows: Vec<Row>,
}

impl Sink for Recorded {
    fn record(&mut self, _: DecisionId, row: &Row, _: Facts<'_>) {
        self.rows.push(*row);
    }
}

impl Rows for Recorded {
    fn row(&self, id: DecisionId) -> Option<Row> {
        self.rows.get(id.0 as usize).copied()
    }
    fn ordinal(&self, id: DecisionId) -> (u32, u32) {
        let kind = self.rows[id.0 as usize].reason.kind();
        let of_kind = |rows: &[Row]| rows.iter().filter(|row| row.reason.kind() == kind).count();
        let count = |rows| u32::try_from(of_kind(rows)).expect("few records");
        (count(&self.rows[..=id.0 as usize]), count(&self.rows))
    }
    fn nth(&self, id: DecisionId) -> usize {
        let (earlier, row) = (&self.rows[..id.0 as usize], self.rows[id.0 as usize]);
        let like = |other: &&Row| {
            (other.time, other.pcpu, other.reason.kind()) == (row.time, row.pcpu, row.reason.kind())
        };
        earlier.iter().filter(like).count()
    }
    fn replayed(&self, id: DecisionId) -> Option<Replayed> {
        replay(&self.start, id)
    }
}

/// The explanations of a run's first records.
fn log(scenario: &ValidScenario, patches: PatchSet, records: u32) -> String {
    let start = Machine::new(scenario, patches);
    let mut recorded = Recorded { start: start.clone(), rows: vec![] };
    run_steps(&mut start.clone(), &mut recorded, u32::MAX, records);
    let cx = Context { scenario, patches, rows: &recorded };
    let names: Vec<String> = scenario
        .domains
        .iter()
        .enumerate()
        .flat_map(|(domain, spec)| {
            (0..spec.vcpus.len()).map(move |vcpu| format!("d{}v{vcpu}", domain + 1))
        })
        .collect();
    let mut log = String::new();
    for id in 0..recorded.rows.len() {
        let id = DecisionId(u32::try_from(id).expect("few records"));
        let replayed = recorded.replayed(id).expect("it was recorded");
        print(&mut log, &explain(&cx, id, &replayed), &names).expect("a string takes all");
    }
    log
}

fn said(pieces: &[Piece], names: &[String]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.clone(),
        Piece::Vcpu(vcpu) => names[usize::from(*vcpu)].clone(),
        Piece::Pcpu(pcpu) => format!("p{pcpu}"),
        Piece::Strong(text) => format!("*{text}*"),
        Piece::Lit(text) => format!("[{text}]"),
    };
    pieces.iter().map(piece).collect()
}

fn print(log: &mut String, why: &Explanation, names: &[String]) -> std::fmt::Result {
    let place = why.record.place;
    let (nth, of) = why.ordinal;
    writeln!(
        log,
        "{} {} ns p{} {} {} {nth} of {of}",
        why.record.record, place.time_ns, place.pcpu, why.function, why.code
    )?;
    writeln!(log, "  {}", said(&why.sentence, names))?;
    let facts = why.facts.iter().map(|fact| format!("{} {}", fact.label, said(&fact.value, names)));
    let facts: Vec<String> = facts.collect();
    writeln!(log, "  facts: {}", facts.join("; "))?;
    for mask in &why.masks {
        let role = match mask.role {
            MaskRole::Input => ' ',
            MaskRole::And => '&',
            MaskRole::Or => '+',
            MaskRole::Result => '=',
        };
        let bits = mask.bits.iter().map(|bit| if *bit { '1' } else { '0' });
        writeln!(log, "  {role} {} {}", bits.collect::<String>(), said(&mask.label, names))?;
    }
    for candidate in &why.candidates {
        let mark = if candidate.taken { '>' } else { '-' };
        let (who, verdict) = (said(&candidate.who, names), said(&candidate.verdict, names));
        writeln!(log, "  {mark} {who}: {verdict}")?;
    }
    for row in why.shares.iter().flat_map(|table| &table.rows) {
        match row {
            TableRow::Cells(cells) => {
                let cells: Vec<String> = cells.iter().map(|cell| said(cell, names)).collect();
                writeln!(log, "  | {}", cells.join(" | "))?;
            }
            TableRow::Under { who, what, .. } => {
                writeln!(log, "  |   {} {}", said(who, names), said(what, names))?;
            }
        }
    }
    if !why.counters.is_empty() {
        writeln!(log, "  counters: {}", why.counters.join(", "))?;
    }
    for side in &why.sides {
        let slug = sim_core::patches::PATCHES[usize::from(side.patch)].slug;
        let (on, differs) = (
            if side.on { "with" } else { "without" },
            if side.differs { "differs" } else { "same" },
        );
        let sentence = said(&side.sentence, names);
        writeln!(log, "  {on} {slug}: {} ({differs}) {sentence}", side.code)?;
    }
    for unasked in &why.unasked {
        let slug = sim_core::patches::PATCHES[usize::from(unasked.patch)].slug;
        writeln!(log, "  {slug} {}", unasked.sentence)?;
    }
    let links = why.chain.iter().map(|link| {
        let here = if link.tone == Tone::Here { "*" } else { "" };
        format!("{here}{}{here}", said(&link.sentence, names))
    });
    writeln!(log, "  chain: {}", links.collect::<Vec<_>>().join(" → "))
}

fn compare(name: &str, log: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("TICKLE_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&path, log).expect("the folder can be written");
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = golden.lines().zip(log.lines()).find(|(golden, ours)| golden != ours);
    if let Some((golden, ours)) = differs {
        panic!("{name} differs\ngolden: {golden}\n  ours: {ours}");
    }
    assert_eq!(golden.lines().count(), log.lines().count(), "{name} is longer or shorter");
}

fn preset(slug: &str) -> (&'static Preset, ValidScenario) {
    let preset = Preset::from_slug(slug).expect("a preset");
    (preset, (preset.build)().validate().expect("a preset is valid"))
}

#[test]
fn the_pinned_waker_on_both_sides() {
    let (preset, scenario) = preset("pinned-waker");
    compare("pinned-waker-before.txt", &log(&scenario, preset.patches, 80));
    let after = preset.patches.with(Patch::TicklePreferIdlers);
    compare("pinned-waker-after.txt", &log(&scenario, after, 80));
}

#[test]
fn the_free_waker_and_the_ping_pong() {
    for slug in ["free-waker", "kick-ping-pong"] {
        let (preset, scenario) = preset(slug);
        compare(&format!("{slug}.txt"), &log(&scenario, preset.patches, 120));
    }
}

/// Records of one kind only matter here: accounting, parking and what follows.
#[test]
fn a_capped_domain() {
    let (preset, scenario) = preset("capped-hog");
    compare("capped-hog.txt", &log(&scenario, preset.patches, 160));
}

#[test]
fn the_seed_with_all_patches() {
    let (_, scenario) = preset("seed-10-vms");
    let patches = Revision::from_name("R9").expect("known").patches;
    compare("seed-10-vms-R9.txt", &log(&scenario, patches, 60));
}
