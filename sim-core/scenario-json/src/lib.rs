//! Scenarios as JSON, in the form of the first line of a vector file.
//!
//! This crate is the only place that knows the form; `sim-core` itself serialises nothing.

mod read;
mod write;

pub use read::{JsonError, LoadError, load, parse};
pub use write::{to_json, to_json_lines};

use serde::{Deserialize, Serialize};

/// A scenario as it stands in a file. Field names are those of the vectors.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ScenarioFile {
    #[serde(rename = "type", default = "scenario_type")]
    kind: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    note: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    topology: Option<String>,
    /// Sibling mask, socket mask and node of each pCPU.
    cpus: Vec<(String, String, u16)>,
    #[serde(default)]
    params: ParamsFile,
    duration_ns: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    full_until_ns: Option<u64>,
    #[serde(default)]
    seed: u64,
    domains: Vec<DomainFile>,
    #[serde(default)]
    ops: Vec<OpFile>,
}

fn scenario_type() -> String {
    "scenario".into()
}

/// Parameters; what is missing has its default.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ParamsFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    tslice_ms: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ratelimit_us: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tickle_one_idle: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    smt_power_savings: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    migration_delay_us: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lb_ratelimit_us: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ipi_latency_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ctx_switch_ns: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cpu_up_step_ns: Option<u64>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct DomainFile {
    weight: u32,
    #[serde(default)]
    cap: u32,
    vcpus: Vec<VcpuFile>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VcpuFile {
    init_cpu: u16,
    #[serde(default)]
    start_ns: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hard: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    soft: Option<String>,
    /// -1 stands for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    wake_on: Option<i32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    script: Option<Vec<(u64, u64)>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rand: Option<RandFile>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RandFile {
    run: (u64, u64),
    block: (u64, u64),
    #[serde(default)]
    yield_permille: u64,
}

/// A scripted change; `op` says which fields count.
#[derive(Debug, Serialize, Deserialize)]
struct OpFile {
    t: u64,
    #[serde(default)]
    cpu: u16,
    #[serde(flatten)]
    change: ChangeFile,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum ChangeFile {
    /// A weight of 0 and a cap of 65535 keep what is.
    Dom {
        dom: u16,
        weight: u32,
        cap: u32,
    },
    Affinity {
        vcpu: u16,
        kind: KindFile,
        mask: String,
    },
    Params {
        tslice_ms: u32,
        ratelimit_us: u32,
    },
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KindFile {
    Hard,
    Soft,
}

/// The cap that stands for “keep” in a scripted change.
const KEEP_CAP: u32 = 65_535;
