//! From JSON to a scenario. What the text means is checked here, what may be run in `sim-core`.

use crate::{
    ChangeFile, DomainFile, KEEP_CAP, KindFile, OpFile, ParamsFile, ScenarioFile, VcpuFile,
};
use core::fmt;
use sim_core::cpumask::{CpuMask, CpuMaskError};
use sim_core::ids::PcpuId;
use sim_core::scenario::{
    Change, DomainSpec, Op, Params, Scenario, ScenarioError, ValidScenario, VcpuSpec, limits,
};
use sim_core::topology::{PcpuPlace, Topology};
use sim_core::workload::{RandomWorkload, Stretch, Workload};

/// Why a text is not a scenario; printed as one sentence with the value.
#[derive(Debug)]
pub enum JsonError {
    /// The text is not JSON of the right form.
    Form(serde_json::Error),
    /// The object is of another type.
    Type(String),
    /// A mask cannot be read.
    Mask {
        /// Whose mask.
        what: String,
        /// Its text, cut to 40 characters.
        text: String,
        /// What is wrong.
        error: CpuMaskError,
    },
    /// A vCPU has neither a script nor random bounds, or both.
    Workload {
        /// Index of the domain.
        domain: usize,
        /// Index of the vCPU in it.
        vcpu: usize,
    },
    /// `wake_on` is neither -1 nor a pCPU.
    WakeOn(i32),
    /// A switch is neither 0 nor 1.
    Switch {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: u8,
    },
    /// More pCPUs than any machine may have.
    Pcpus(usize),
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Form(error) => write!(f, "the text is no scenario: {error}"),
            Self::Type(kind) => write!(f, "the text is of type “{kind}”, not “scenario”"),
            Self::Mask { what, text, error: CpuMaskError::NotHex(_) } => {
                write!(f, "{what} is “{text}”; it must be hexadecimal digits without prefix")
            }
            Self::Mask { what, text, error: CpuMaskError::MissingPcpu { pcpu, pcpus } } => write!(
                f,
                "{what} is “{text}”, which names pCPU {pcpu}; the machine has {pcpus} (0 to {})",
                pcpus.saturating_sub(1)
            ),
            Self::Workload { domain, vcpu } => {
                write!(f, "vCPU {vcpu} of domain {domain} needs either “script” or “rand”")
            }
            Self::WakeOn(pcpu) => write!(f, "wake_on is {pcpu}; it must be -1 or a pCPU"),
            Self::Switch { name, value } => write!(f, "{name} is {value}; it must be 0 or 1"),
            Self::Pcpus(n) => {
                write!(f, "the machine has {n} pCPUs; the most is {}", limits::PCPUS)
            }
        }
    }
}

impl core::error::Error for JsonError {}

/// Why a text cannot be run; printed as one sentence.
#[derive(Debug)]
pub enum LoadError {
    /// It is no scenario.
    Json(JsonError),
    /// It is one that cannot be run.
    Scenario(ScenarioError),
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Json(error) => error.fmt(f),
            Self::Scenario(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for LoadError {}

/// Reads a scenario that can be run. One that was recorded with the conformance vectors
/// (`full_until_ns` says so) may have caps above what exists, as those do.
///
/// # Errors
/// When the text is no scenario, or one that cannot be run.
pub fn load(text: &str) -> Result<ValidScenario, LoadError> {
    let file = read(text).map_err(LoadError::Json)?;
    let recorded = file.full_until_ns.is_some();
    let scenario = scenario(file).map_err(LoadError::Json)?;
    let valid = if recorded { scenario.validate_recorded() } else { scenario.validate() };
    valid.map_err(LoadError::Scenario)
}

/// Reads the scenario of a text: a JSON object, or JSON lines of which the first is the scenario.
///
/// # Errors
/// When the text is not a scenario; what it asks for is only checked by its validation.
pub fn parse(text: &str) -> Result<Scenario, JsonError> {
    scenario(read(text)?)
}

fn read(text: &str) -> Result<ScenarioFile, JsonError> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<ScenarioFile>();
    let first = values.next().unwrap_or_else(|| serde_json::from_str(""));
    let file = first.map_err(JsonError::Form)?;
    if file.kind != "scenario" {
        return Err(JsonError::Type(file.kind.chars().take(40).collect()));
    }
    Ok(file)
}

fn scenario(file: ScenarioFile) -> Result<Scenario, JsonError> {
    let pcpus = file.cpus.len();
    if pcpus > limits::PCPUS {
        return Err(JsonError::Pcpus(pcpus));
    }
    Ok(Scenario {
        topology: topology(&file.cpus)?,
        params: params(&file.params)?,
        domains: (file.domains.into_iter().enumerate())
            .map(|(index, spec)| domain(index, spec, pcpus))
            .collect::<Result<_, _>>()?,
        ops: (file.ops.into_iter().enumerate())
            .map(|(index, spec)| op(index, spec, pcpus))
            .collect::<Result<_, _>>()?,
        name: file.name,
        note: file.note,
        duration_ns: file.duration_ns,
        seed: file.seed,
    })
}

fn mask(what: impl FnOnce() -> String, text: &str, pcpus: usize) -> Result<CpuMask, JsonError> {
    CpuMask::from_hex(text, pcpus).map_err(|error| {
        let text = text.chars().take(40).collect();
        JsonError::Mask { what: what(), text, error }
    })
}

fn topology(cpus: &[(String, String, u16)]) -> Result<Topology, JsonError> {
    let pcpus = cpus.len();
    let place = |(index, (sibling, socket, node)): (usize, &(String, String, u16))| {
        Ok(PcpuPlace {
            sibling: mask(|| format!("the sibling mask of pCPU {index}"), sibling, pcpus)?,
            socket: mask(|| format!("the socket mask of pCPU {index}"), socket, pcpus)?,
            node: *node,
        })
    };
    Ok(Topology::new(cpus.iter().enumerate().map(place).collect::<Result<_, _>>()?))
}

fn params(file: &ParamsFile) -> Result<Params, JsonError> {
    let switch = |name, value: Option<u8>, default| match value {
        None => Ok(default),
        Some(value @ (0 | 1)) => Ok(value == 1),
        Some(value) => Err(JsonError::Switch { name, value }),
    };
    let default = Params::default();
    Ok(Params {
        tslice_ms: file.tslice_ms.unwrap_or(default.tslice_ms),
        ratelimit_us: file.ratelimit_us.unwrap_or(default.ratelimit_us),
        tickle_one_idle: switch("tickle_one_idle", file.tickle_one_idle, true)?,
        smt_power_savings: switch("smt_power_savings", file.smt_power_savings, false)?,
        lb_ratelimit_us: file.lb_ratelimit_us.unwrap_or(default.lb_ratelimit_us),
        migration_delay_us: file.migration_delay_us.unwrap_or(default.migration_delay_us),
        ipi_latency_ns: file.ipi_latency_ns.unwrap_or(default.ipi_latency_ns),
        ctx_switch_ns: file.ctx_switch_ns.unwrap_or(default.ctx_switch_ns),
        cpu_up_step_ns: file.cpu_up_step_ns.unwrap_or(default.cpu_up_step_ns),
    })
}

fn domain(index: usize, file: DomainFile, pcpus: usize) -> Result<DomainSpec, JsonError> {
    let vcpus = file.vcpus.into_iter().enumerate();
    let vcpus = vcpus.map(|(place, spec)| vcpu((index, place), spec, pcpus));
    Ok(DomainSpec { weight: file.weight, cap: file.cap, vcpus: vcpus.collect::<Result<_, _>>()? })
}

fn vcpu(
    (domain, vcpu): (usize, usize),
    file: VcpuFile,
    pcpus: usize,
) -> Result<VcpuSpec, JsonError> {
    let affinity = |kind: &str, text: Option<&String>| {
        let what = || format!("the {kind} affinity of vCPU {vcpu} of domain {domain}");
        text.map(|text| mask(what, text, pcpus)).transpose()
    };
    let stretch = |(run_ns, block_ns)| Stretch { run_ns, block_ns };
    let workload = match (file.script, file.rand) {
        (Some(script), None) => Workload::Script(script.into_iter().map(stretch).collect()),
        (None, Some(rand)) => Workload::Random(RandomWorkload {
            run_ns: rand.run,
            block_ns: rand.block,
            yield_permille: rand.yield_permille,
        }),
        _ => return Err(JsonError::Workload { domain, vcpu }),
    };
    let wake_on = match file.wake_on {
        None | Some(-1) => None,
        Some(pcpu) => Some(u16::try_from(pcpu).map_err(|_| JsonError::WakeOn(pcpu))?),
    };
    Ok(VcpuSpec {
        init_pcpu: PcpuId(file.init_cpu),
        start_ns: file.start_ns,
        hard: affinity("hard", file.hard.as_ref())?,
        soft: affinity("soft", file.soft.as_ref())?,
        wake_on: wake_on.map(PcpuId),
        workload,
    })
}

fn op(index: usize, file: OpFile, pcpus: usize) -> Result<Op, JsonError> {
    let change = match file.change {
        ChangeFile::Dom { dom, weight, cap } => Change::Domain {
            domain: dom,
            weight: (weight != 0).then_some(weight),
            cap: (cap != KEEP_CAP).then_some(cap),
        },
        ChangeFile::Affinity { vcpu, kind, mask: text } => Change::Affinity {
            vcpu,
            soft: matches!(kind, KindFile::Soft),
            mask: mask(|| format!("the affinity of change {index}"), &text, pcpus)?,
        },
        ChangeFile::Params { tslice_ms, ratelimit_us } => {
            Change::Params { tslice_ms, ratelimit_us }
        }
    };
    Ok(Op { time_ns: file.t, pcpu: PcpuId(file.cpu), change })
}
