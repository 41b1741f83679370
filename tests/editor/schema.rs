//! The published schema and the documentation say what the table of fields says.

use serde_json::{Value, json};
use sim_core::presets::PRESETS;
use std::fs;
use std::path::{Path, PathBuf};
use tickle::state::edit::field::{At, Field, Form, Range, Value as Held};
use tickle::state::edit::table::FIELDS;
use tickle::state::edit::{Tab, text};

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn schema() -> Value {
    let text = fs::read_to_string(root("docs/scenario.schema.json")).expect("the schema");
    serde_json::from_str(&text).expect("JSON")
}

/// Goal: description, range and default of a field in the schema are those of the table.
#[test]
fn the_schema_says_what_the_table_says() {
    let schema = schema();
    let scenario = (PRESETS[0].build)();
    let mut compared = 0;
    for spec in FIELDS.iter().filter(|spec| !spec.schema.is_empty()) {
        let entry = schema.pointer(spec.schema).unwrap_or_else(|| panic!("{}", spec.schema));
        assert_eq!(entry["description"], spec.meaning, "{}", spec.id);
        let range = match spec.range {
            Range::Between(least, most) => Some((least, most)),
            Range::UpToMachine => Some((0, 102_400)),
            Range::OfPcpus if spec.form == Form::Pcpu => Some((0, 1_023)),
            Range::ZeroOr(least, most) => {
                let one_of = json!([{"const": 0}, {"minimum": least, "maximum": most}]);
                assert_eq!(entry["anyOf"], one_of, "{}", spec.id);
                None
            }
            _ => None,
        };
        if let Some((least, most)) = range {
            assert_eq!(
                (&entry["minimum"], &entry["maximum"]),
                (&json!(least), &json!(most)),
                "{}",
                spec.id
            );
        }
        if let Some(default) = entry.get("default") {
            let at = At::scenario(spec.field);
            let value = text::parse(&scenario, at, spec.default).expect(spec.id);
            assert_eq!(value, Held::Number(default.as_u64().expect("a number")), "{}", spec.id);
        }
        compared += 1;
    }
    assert!(compared > 20, "{compared} fields");
}

/// The table of all fields as `docs/scenario.md` shows it.
fn documented() -> String {
    let scenario = crate::fields::everything().scenario;
    let mut text = String::new();
    for (tab, name) in Tab::ALL.iter().filter(|(tab, _)| *tab != Tab::File) {
        text.push_str(&format!(
            "\n### {name}\n\n| field | range | default | meaning |\n|---|---|---|---|\n"
        ));
        for spec in FIELDS.iter().filter(|spec| Tab::of(spec.field) == *tab) {
            let at = crate::fields::places(&scenario, spec.field)[0];
            // Ranges that depend on the scenario are put into words.
            let range = match spec.range {
                Range::Shape => "1 to 1024 pCPUs in all".into(),
                Range::UpToCores => "1 to as many as cores".into(),
                Range::UpToMachine => format!("{} or up to 100 % for each pCPU", spec.word),
                Range::OfPcpus if spec.form == Form::Cpus => "some of the machine's".into(),
                Range::OfPcpus => "one of the machine's".into(),
                Range::OfDomains | Range::OfVcpus => "one of the scenario's".into(),
                Range::From(field, _) => format!("from “{}” on", field.spec().label),
                _ => text::range_words(&scenario, at),
            };
            let default = spec.default.replace('\n', ", ");
            text.push_str(&format!(
                "| {} | {range} | {default} | {} |\n",
                spec.label, spec.meaning
            ));
        }
    }
    text
}

/// Goal: the documentation lists every field as the table has it. With `TICKLE_GOLDEN=write` it is
/// written.
#[test]
fn the_documentation_says_what_the_table_says() {
    let path = root("docs/scenario.md");
    let text = fs::read_to_string(&path).expect("the documentation");
    let (before, rest) = text.split_once("<!-- fields -->\n").expect("a start");
    let (_, after) = rest.split_once("\n<!-- end of fields -->").expect("an end");
    let wanted =
        format!("{before}<!-- fields -->\n{}\n<!-- end of fields -->{after}", documented());
    if std::env::var("TICKLE_GOLDEN").is_ok_and(|value| value == "write") {
        fs::write(&path, &wanted).expect("it can be written");
    }
    let text = fs::read_to_string(&path).expect("the documentation");
    assert!(text == wanted, "docs/scenario.md differs; TICKLE_GOLDEN=write writes it");
    assert!(wanted.contains(Field::Hard.spec().meaning));
}
