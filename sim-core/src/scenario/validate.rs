//! The one gate between what a person wrote and what a machine is built from.

use super::{Change, Scenario, VcpuSpec};
use crate::cpumask::CpuMask;
use crate::ids::PcpuId;
use crate::workload::Workload;
use alloc::rc::Rc;
use alloc::string::String;
use core::fmt;
use core::ops::Deref;

/// What a scenario may ask for. Beyond these it is refused with a sentence that names the limit.
pub mod limits {
    /// pCPUs of a machine.
    pub const PCPUS: usize = 1_024;
    /// vCPUs of all domains together.
    pub const VCPUS: usize = 8_192;
    /// Length of a run: ten minutes, in ns.
    pub const DURATION_NS: u64 = 600_000_000_000;
    /// Longest single time inside a scenario (a hog's stretch is 10^15 ns), in ns.
    pub const TIME_NS: u64 = 1_000_000_000_000_000;
    /// Latencies of the machine: one second, in ns.
    pub const LATENCY_NS: u64 = 1_000_000_000;
    /// Scripted changes.
    pub const OPS: usize = 10_000;
    /// Stretches of a workload's script.
    pub const STRETCHES: usize = 10_000;
    /// A domain's weight: what the tool stack lets through.
    pub const WEIGHT: u32 = 65_535;
    /// Slice, in ms.
    pub const TSLICE_MS: u32 = 1_000;
    /// Rate limit, in µs, from its least value other than 0.
    pub const RATELIMIT_US: (u32, u32) = (100, 500_000);
    /// Rate limit of searches for work, in µs.
    pub const LB_RATELIMIT_US: u32 = 1_000_000;
}

/// A scenario that a machine can be built from. *Invariant*: every rule of this module holds.
#[derive(Clone, Debug)]
pub struct ValidScenario(Rc<Scenario>);

impl Deref for ValidScenario {
    type Target = Scenario;
    fn deref(&self) -> &Scenario {
        &self.0
    }
}

/// Why a scenario cannot be run; printed as one sentence with the value and the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScenarioError {
    /// No pCPU, or too many.
    Pcpus(usize),
    /// A pCPU is not in its own sibling or socket set.
    Place(usize),
    /// A NUMA node number that is not below the number of pCPUs.
    Node(u16),
    /// No vCPU, or too many.
    Vcpus(usize),
    /// A length of zero or beyond the limit.
    Duration(u64),
    /// A domain's weight.
    Weight {
        /// The domain.
        domain: usize,
        /// Its weight.
        weight: u32,
    },
    /// A domain's cap.
    Cap {
        /// The domain.
        domain: usize,
        /// Its cap in percent.
        cap: u32,
        /// The highest that it can use.
        most: u32,
    },
    /// An affinity without a pCPU.
    EmptyMask(String),
    /// A pCPU that the machine does not have.
    MissingPcpu {
        /// Who names it.
        what: String,
        /// The pCPU named.
        pcpu: u16,
        /// How many there are.
        pcpus: usize,
    },
    /// A vCPU or domain that does not exist.
    MissingTarget {
        /// Index of the scripted change.
        op: usize,
        /// What it names.
        what: &'static str,
        /// The index that it names.
        index: u16,
        /// How many there are.
        count: usize,
    },
    /// A workload without a stretch, or with too many.
    Script {
        /// The vCPU.
        vcpu: usize,
        /// How many stretches.
        stretches: usize,
    },
    /// A time that is zero where it may not be, or beyond the limit, or a range upside down.
    Time {
        /// What it is.
        what: String,
        /// The value in ns.
        ns: u64,
        /// The least allowed, in ns.
        least: u64,
        /// The most allowed, in ns.
        most: u64,
    },
    /// More than 1,000 of 1,000 stretches yield.
    YieldPermille {
        /// The vCPU.
        vcpu: usize,
        /// The value.
        permille: u64,
    },
    /// Slice out of range.
    Tslice(u32),
    /// Rate limit out of range.
    Ratelimit(u32),
    /// Rate limit of searches for work out of range.
    LbRatelimit(u32),
    /// Too many scripted changes.
    Ops(usize),
    /// All pCPUs must be up before the first tick.
    SlowBoot {
        /// When the last pCPU comes up, in ns.
        up_ns: u64,
        /// Tick period, in ns.
        tick_ns: u64,
    },
}

impl fmt::Display for ScenarioError {
    #[allow(clippy::too_many_lines)] // one arm a sentence
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pcpus(0) => write!(f, "the machine has no pCPU; it needs at least 1"),
            Self::Pcpus(n) => write!(f, "the machine has {n} pCPUs; the most is {}", limits::PCPUS),
            Self::Place(pcpu) => {
                write!(f, "pCPU {pcpu} is missing in its own sibling or socket mask")
            }
            Self::Node(node) => write!(f, "NUMA node {node} is not below the number of pCPUs"),
            Self::Vcpus(0) => write!(f, "there is no vCPU; a run needs at least 1"),
            Self::Vcpus(n) => write!(f, "there are {n} vCPUs; the most is {}", limits::VCPUS),
            Self::Duration(ns) => {
                write!(f, "the run is {ns} ns long; it must be 1 ns to {} ns", limits::DURATION_NS)
            }
            Self::Weight { domain, weight } => {
                write!(f, "domain {domain} has weight {weight}; it must be 1 to {}", limits::WEIGHT)
            }
            Self::Cap { domain, cap, most } => {
                write!(f, "domain {domain} has a cap of {cap} %; all pCPUs together are {most} %")
            }
            Self::EmptyMask(what) => write!(f, "{what} is empty; it needs at least one pCPU"),
            Self::MissingPcpu { what, pcpu, pcpus } => write!(
                f,
                "{what} names pCPU {pcpu}; the machine has {pcpus} (0 to {})",
                pcpus.saturating_sub(1) // saturating: a machine of none is refused earlier
            ),
            Self::MissingTarget { op, what, index, count } => {
                write!(f, "change {op} names {what} {index}; there are {count}")
            }
            Self::Script { vcpu, stretches: 0 } => {
                write!(f, "vCPU {vcpu} has an empty script; it needs at least one stretch")
            }
            Self::Script { vcpu, stretches } => write!(
                f,
                "vCPU {vcpu} has a script of {stretches} stretches; the most is {}",
                limits::STRETCHES
            ),
            Self::Time { what, ns, least, most } => {
                write!(f, "{what} is {ns} ns; it must be {least} ns to {most} ns")
            }
            Self::YieldPermille { vcpu, permille } => {
                write!(f, "vCPU {vcpu} yields {permille} times in 1000; the most is 1000")
            }
            Self::Tslice(ms) => {
                write!(f, "the time slice is {ms} ms; it must be 1 ms to {} ms", limits::TSLICE_MS)
            }
            Self::Ratelimit(us) => write!(
                f,
                "the rate limit is {us} µs; it must be 0 (off) or {} µs to {} µs",
                limits::RATELIMIT_US.0,
                limits::RATELIMIT_US.1
            ),
            Self::LbRatelimit(us) => write!(
                f,
                "the rate limit of load balancing is {us} µs; the most is {} µs",
                limits::LB_RATELIMIT_US
            ),
            Self::Ops(n) => write!(f, "there are {n} changes; the most is {}", limits::OPS),
            Self::SlowBoot { up_ns, tick_ns } => write!(
                f,
                "the last pCPU comes up at {up_ns} ns, after the first tick at {tick_ns} ns"
            ),
        }
    }
}

impl core::error::Error for ScenarioError {}

impl Scenario {
    /// Checks every rule once.
    ///
    /// # Errors
    /// The first rule that does not hold, with the offending value.
    pub fn validate(self) -> Result<ValidScenario, ScenarioError> {
        let scenario = self.validate_recorded()?;
        scenario.check_caps()?;
        Ok(scenario)
    }

    /// Checks every rule but that of the caps: the conformance vectors hold caps above what exists,
    /// which the scheduler takes for no cap that is ever reached.
    ///
    /// # Errors
    /// The first rule that does not hold, with the offending value.
    pub fn validate_recorded(self) -> Result<ValidScenario, ScenarioError> {
        self.check_machine()?;
        self.check_params()?;
        self.check_domains()?;
        self.check_ops()?;
        Ok(ValidScenario(Rc::new(self)))
    }

    fn check_machine(&self) -> Result<(), ScenarioError> {
        let pcpus = self.topology.pcpu_count();
        if pcpus == 0 || pcpus > limits::PCPUS {
            return Err(ScenarioError::Pcpus(pcpus));
        }
        for pcpu in self.topology.pcpus() {
            let place = self.topology.place(pcpu);
            if !place.sibling.contains(pcpu) || !place.socket.contains(pcpu) {
                return Err(ScenarioError::Place(pcpu.index()));
            }
            if usize::from(place.node) >= pcpus {
                return Err(ScenarioError::Node(place.node));
            }
        }
        if self.duration_ns == 0 || self.duration_ns > limits::DURATION_NS {
            return Err(ScenarioError::Duration(self.duration_ns));
        }
        Ok(())
    }

    fn check_params(&self) -> Result<(), ScenarioError> {
        let params = &self.params;
        if params.tslice_ms == 0 || params.tslice_ms > limits::TSLICE_MS {
            return Err(ScenarioError::Tslice(params.tslice_ms));
        }
        let (least, most) = limits::RATELIMIT_US;
        if params.ratelimit_us != 0 && !(least..=most).contains(&params.ratelimit_us) {
            return Err(ScenarioError::Ratelimit(params.ratelimit_us));
        }
        if params.lb_ratelimit_us > limits::LB_RATELIMIT_US {
            return Err(ScenarioError::LbRatelimit(params.lb_ratelimit_us));
        }
        let latency = |what: &str, ns| time(what.into(), ns, 0, limits::LATENCY_NS);
        latency("the IPI latency", params.ipi_latency_ns)?;
        latency("the context switch", params.ctx_switch_ns)?;
        latency("the boot step", params.cpu_up_step_ns)?;
        let up_ns = params.cpu_up_step_ns * (self.topology.pcpu_count() as u64 - 1);
        let tick_ns = super::tick_period_ns(params.tslice_ms);
        if up_ns >= tick_ns {
            return Err(ScenarioError::SlowBoot { up_ns, tick_ns });
        }
        Ok(())
    }

    fn check_domains(&self) -> Result<(), ScenarioError> {
        let vcpus = self.domains.iter().map(|domain| domain.vcpus.len()).sum();
        if vcpus == 0 || vcpus > limits::VCPUS || self.domains.len() > limits::VCPUS {
            return Err(ScenarioError::Vcpus(vcpus));
        }
        for (domain, spec) in self.domains.iter().enumerate() {
            check_weight(domain, spec.weight)?;
        }
        self.vcpus().enumerate().try_for_each(|(index, (_, vcpu))| self.check_vcpu(index, vcpu))
    }

    fn check_caps(&self) -> Result<(), ScenarioError> {
        let most = u32::try_from(self.topology.pcpu_count() * 100).unwrap_or(u32::MAX);
        let given = self.domains.iter().map(|spec| spec.cap).enumerate();
        let changed = self.ops.iter().filter_map(|op| match op.change {
            Change::Domain { domain, cap: Some(cap), .. } => Some((usize::from(domain), cap)),
            _ => None,
        });
        match given.chain(changed).find(|(_, cap)| *cap > most) {
            Some((domain, cap)) => Err(ScenarioError::Cap { domain, cap, most }),
            None => Ok(()),
        }
    }

    fn check_vcpu(&self, index: usize, vcpu: &VcpuSpec) -> Result<(), ScenarioError> {
        self.check_pcpu(alloc::format!("vCPU {index}"), vcpu.init_pcpu)?;
        if let Some(pcpu) = vcpu.wake_on {
            self.check_pcpu(alloc::format!("the wake-up of vCPU {index}"), pcpu)?;
        }
        for (kind, mask) in [("hard", &vcpu.hard), ("soft", &vcpu.soft)] {
            if let Some(mask) = mask {
                check_mask(alloc::format!("the {kind} affinity of vCPU {index}"), mask)?;
            }
        }
        time(alloc::format!("the start of vCPU {index}"), vcpu.start_ns, 0, limits::TIME_NS)?;
        check_workload(index, &vcpu.workload)
    }

    fn check_pcpu(&self, what: String, pcpu: PcpuId) -> Result<(), ScenarioError> {
        let pcpus = self.topology.pcpu_count();
        if pcpu.index() >= pcpus {
            return Err(ScenarioError::MissingPcpu { what, pcpu: pcpu.0, pcpus });
        }
        Ok(())
    }

    fn check_ops(&self) -> Result<(), ScenarioError> {
        if self.ops.len() > limits::OPS {
            return Err(ScenarioError::Ops(self.ops.len()));
        }
        let vcpus = self.vcpus().count();
        for (op, entry) in self.ops.iter().enumerate() {
            self.check_pcpu(alloc::format!("change {op}"), entry.pcpu)?;
            time(alloc::format!("the time of change {op}"), entry.time_ns, 0, limits::TIME_NS)?;
            match &entry.change {
                Change::Domain { domain, weight, .. } => {
                    let (what, index, count) = ("domain", *domain, self.domains.len());
                    if usize::from(index) >= count {
                        return Err(ScenarioError::MissingTarget { op, what, index, count });
                    }
                    weight.map_or(Ok(()), |weight| check_weight(index.into(), weight))?;
                }
                Change::Affinity { vcpu, mask, .. } => {
                    let (what, index, count) = ("vCPU", *vcpu, vcpus);
                    if usize::from(index) >= count {
                        return Err(ScenarioError::MissingTarget { op, what, index, count });
                    }
                    check_mask(alloc::format!("the affinity of change {op}"), mask)?;
                }
                Change::Params { .. } => {}
            }
        }
        Ok(())
    }
}

fn check_weight(domain: usize, weight: u32) -> Result<(), ScenarioError> {
    if weight == 0 || weight > limits::WEIGHT {
        return Err(ScenarioError::Weight { domain, weight });
    }
    Ok(())
}

fn check_mask(what: String, mask: &CpuMask) -> Result<(), ScenarioError> {
    if mask.is_empty() { Err(ScenarioError::EmptyMask(what)) } else { Ok(()) }
}

fn check_workload(vcpu: usize, workload: &Workload) -> Result<(), ScenarioError> {
    let run = |ns| time(alloc::format!("a stretch of vCPU {vcpu}"), ns, 1, limits::TIME_NS);
    let sleep =
        |ns, least| time(alloc::format!("a sleep of vCPU {vcpu}"), ns, least, limits::TIME_NS);
    match workload {
        Workload::Script(stretches) => {
            if stretches.is_empty() || stretches.len() > limits::STRETCHES {
                return Err(ScenarioError::Script { vcpu, stretches: stretches.len() });
            }
            for stretch in stretches {
                run(stretch.run_ns)?;
                sleep(stretch.block_ns, 0)?;
            }
        }
        Workload::Random(random) => {
            if random.yield_permille > 1_000 {
                let permille = random.yield_permille;
                return Err(ScenarioError::YieldPermille { vcpu, permille });
            }
            run(random.run_ns.0)?;
            time(
                alloc::format!("the longest stretch of vCPU {vcpu}"),
                random.run_ns.1,
                random.run_ns.0,
                limits::TIME_NS,
            )?;
            sleep(random.block_ns.0, 1)?;
            sleep(random.block_ns.1, random.block_ns.0)?;
        }
    }
    Ok(())
}

fn time(what: String, ns: u64, least: u64, most: u64) -> Result<(), ScenarioError> {
    if (least..=most).contains(&ns) {
        Ok(())
    } else {
        Err(ScenarioError::Time { what, ns, least, most })
    }
}
