//! Reading vector files, and what their fields mean in the words of `sim-core`.

use serde_json::{Map, Value};
use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::patches::{REVISIONS, Revision};
use sim_core::topology::Topology;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

/// How many comparisons agreed, and a sentence for each that did not.
#[derive(Default)]
pub struct Tally {
    pub agreed: usize,
    pub differences: Vec<String>,
}

impl Tally {
    /// Counts one comparison.
    pub fn compare<T: PartialEq + std::fmt::Debug>(
        &mut self,
        what: impl FnOnce() -> String,
        ours: &T,
        theirs: &T,
    ) {
        if ours == theirs {
            self.agreed += 1;
        } else {
            self.differences.push(format!("{}: {ours:?}, the vector says {theirs:?}", what()));
        }
    }
}

fn folder() -> PathBuf {
    match std::env::var_os("TICKLE_VECTORS") {
        Some(folder) => folder.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors/xen-credit1"),
    }
}

/// Whether the vectors are those of the project.
pub fn are_own() -> bool {
    std::env::var_os("TICKLE_VECTORS").is_none()
}

/// The text of a vector file, plain or compressed.
fn text(name: &str) -> String {
    let plain = folder().join(format!("{name}.jsonl"));
    if let Ok(text) = std::fs::read_to_string(&plain) {
        return text;
    }
    let packed = folder().join(format!("{name}.jsonl.gz"));
    let file = std::fs::File::open(&packed).unwrap_or_else(|error| panic!("{packed:?}: {error}"));
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(file).read_to_string(&mut text).expect("gzip text");
    text
}

/// The lines of a vector file.
pub fn lines(name: &str) -> Vec<String> {
    text(name).lines().map(str::to_owned).collect()
}

/// The objects of a vector file.
pub fn objects(name: &str) -> Vec<Value> {
    lines(name).iter().map(|line| serde_json::from_str(line).expect("JSON lines")).collect()
}

/// Names of all runs, without folder and ending.
pub fn run_names() -> Vec<String> {
    let entries = std::fs::read_dir(folder().join("runs")).expect("a folder of runs");
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.split_once(".jsonl")?.0.to_owned()))
        .collect();
    names.sort();
    names
}

/// Each revision that a vector and the project both know, with the output there.
pub fn outputs(vector: &Value) -> Vec<(&'static Revision, Value)> {
    let outputs = vector["out"].as_object().expect("outputs by revision");
    let resolve = |name: &str| match &outputs[name] {
        Value::String(same) => outputs[same.as_str()].clone(),
        output => output.clone(),
    };
    let known = REVISIONS.iter().filter(|revision| outputs.contains_key(revision.name));
    known.map(|revision| (revision, resolve(revision.name))).collect()
}

/// The topology of a name of the vectors.
pub fn topology(name: &str) -> Topology {
    let numbers = |text: &str| -> Vec<u16> {
        text.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
    };
    let shape = numbers(name);
    match (name.trim_start_matches(char::is_numeric).chars().next(), shape.as_slice()) {
        (Some('u'), [cores]) => Topology::regular(1, *cores, 1, false),
        (Some('n'), [sockets, cores]) => Topology::regular(*sockets, *cores, 1, true),
        (Some('s'), [cores, threads]) => Topology::regular(1, *cores, *threads, false),
        (Some('s'), [sockets, cores, threads]) => {
            Topology::regular(*sockets, *cores, *threads, false)
        }
        (Some('s'), [sockets, cores, threads, _]) => {
            Topology::regular(*sockets, *cores, *threads, true)
        }
        _ => panic!("unknown topology {name}"),
    }
}

/// A number of a vector.
pub fn int<T: TryFrom<i64>>(value: &Value) -> T {
    let number = value.as_i64().unwrap_or_else(|| panic!("{value} is no number"));
    T::try_from(number).unwrap_or_else(|_| panic!("{number} does not fit"))
}

/// A pCPU of a vector.
pub fn pcpu(value: &Value) -> PcpuId {
    PcpuId(int(value))
}

/// A mask of a vector.
pub fn mask(value: &Value, pcpus: usize) -> CpuMask {
    CpuMask::from_hex(value.as_str().expect("a mask is a string"), pcpus).expect("a mask")
}

/// A list of a vector.
pub fn list(value: &Value) -> &Vec<Value> {
    value.as_array().expect("a list")
}

/// Counters of a vector.
pub fn counters(value: &Value) -> BTreeMap<String, u64> {
    let map: &Map<String, Value> = value.as_object().expect("counters");
    map.iter().map(|(name, count)| (name.clone(), count.as_u64().expect("a count"))).collect()
}

/// Counters of ours in the same form.
pub fn named<'a>(counts: impl IntoIterator<Item = (&'a str, u64)>) -> BTreeMap<String, u64> {
    let nonzero = counts.into_iter().filter(|(_, count)| *count != 0);
    nonzero.map(|(name, count)| (name.to_owned(), count)).collect()
}
