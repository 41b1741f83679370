//! A scenario of one's own inside a link.
//!
//! The order of the fields is part of all versions and never changes.

use super::LinkError;
use super::pack::{Packer, Unpacker};
use sim_core::ids::PcpuId;
use sim_core::scenario::{Change, DomainSpec, Op, Params, Scenario, VcpuSpec, limits};
use sim_core::topology::{PcpuPlace, Shape, Topology};
use sim_core::workload::{RandomWorkload, Stretch, Workload};

/// The most stretches that all scripts of a link may have together: a script that repeats takes a
/// bit in the link but its full room once it is unpacked.
const STRETCHES_MAX: usize = 1 << 18;

mod flag {
    pub(super) const HARD: u8 = 1;
    pub(super) const SOFT: u8 = 2;
    pub(super) const WAKE_ON: u8 = 4;
    pub(super) const RANDOM: u8 = 8;
    /// The workload is that of the vCPU before.
    pub(super) const SAME_WORKLOAD: u8 = 16;
    pub(super) const START: u8 = 32;
}

pub(super) fn pack(scenario: &Scenario, to: &mut Packer) {
    to.text(&scenario.name);
    to.text(&scenario.note);
    pack_topology(&scenario.topology, to);
    pack_params(&scenario.params, &Params::default(), to);
    to.time(scenario.duration_ns);
    to.number(scenario.seed);
    to.count(scenario.domains.len());
    let mut before = None;
    for domain in &scenario.domains {
        to.number(domain.weight);
        to.number(domain.cap);
        to.count(domain.vcpus.len());
        for vcpu in &domain.vcpus {
            pack_vcpu(vcpu, before, to);
            before = Some(&vcpu.workload);
        }
    }
    to.count(scenario.ops.len());
    scenario.ops.iter().for_each(|op| pack_op(op, to));
}

pub(super) fn unpack(from: &mut Unpacker<'_>) -> Result<Scenario, LinkError> {
    let (name, note) = (from.text("the scenario's name")?, from.text("the scenario's note")?);
    let topology = unpack_topology(from)?;
    let pcpus = topology.pcpu_count();
    let params = unpack_params(from, Params::default())?;
    let (duration_ns, seed) = (from.time("the duration")?, from.number("the seed")?);
    let (mut before, mut stretches) = (None, 0);
    let mut domain = |from: &mut Unpacker<'_>| {
        let (weight, cap) = (from.small("a weight")?, from.small("a cap")?);
        let count = from.count("the number of vCPUs")?;
        let vcpus = (0..count).map(|_| {
            let vcpu = unpack_vcpu(from, pcpus, before.as_ref())?;
            if let Workload::Script(script) = &vcpu.workload {
                stretches += script.len();
            }
            if stretches > STRETCHES_MAX {
                return Err(LinkError::TooLarge { stretches_max: STRETCHES_MAX });
            }
            before = Some(vcpu.workload.clone());
            Ok(vcpu)
        });
        let vcpus = vcpus.collect::<Result<_, _>>()?;
        Ok(DomainSpec { weight, cap, vcpus })
    };
    let count = from.count("the number of domains")?;
    let domains = (0..count).map(|_| domain(from)).collect::<Result<_, _>>()?;
    let count = from.count("the number of changes")?;
    let ops = (0..count).map(|_| unpack_op(from, pcpus)).collect::<Result<_, _>>()?;
    Ok(Scenario { name, note, topology, params, duration_ns, seed, domains, ops })
}

/// The shape of a machine with one NUMA node, or one a socket; other machines are listed.
fn listed_short(topology: &Topology) -> Option<Shape> {
    topology.shape().filter(|shape| shape.nodes == 1 || shape.nodes == shape.sockets)
}

fn pack_topology(topology: &Topology, to: &mut Packer) {
    if let Some(shape) = listed_short(topology) {
        to.byte(1 + u8::from(shape.nodes > 1));
        [shape.sockets, shape.cores, shape.threads]
            .into_iter()
            .for_each(|number| to.number(number));
        return;
    }
    to.byte(0);
    to.count(topology.pcpu_count());
    for place in topology.places() {
        to.mask(&place.sibling);
        to.mask(&place.socket);
        to.number(place.node);
    }
}

fn unpack_topology(from: &mut Unpacker<'_>) -> Result<Topology, LinkError> {
    let too_many = |value: u64| LinkError::Range { what: "the number of pCPUs", value };
    let form = from.byte("the machine")?;
    if form > 2 {
        return Err(LinkError::Range { what: "the form of the machine", value: form.into() });
    }
    if form > 0 {
        let mut number = || from.small::<u16>("the shape of the machine");
        let (sockets, cores, threads) = (number()?, number()?, number()?);
        let pcpus = u64::from(sockets) * u64::from(cores) * u64::from(threads);
        if pcpus > limits::PCPUS as u64 {
            return Err(too_many(pcpus));
        }
        // No pCPU at all is left to the validation to refuse.
        if pcpus == 0 {
            return Ok(Topology::new(Vec::new()));
        }
        return Ok(Topology::regular(sockets, cores, threads, form == 2));
    }
    let pcpus = from.count("the number of pCPUs")?;
    if pcpus > limits::PCPUS {
        return Err(too_many(pcpus as u64));
    }
    let place = |from: &mut Unpacker<'_>| {
        Ok(PcpuPlace {
            sibling: from.mask("a sibling mask", pcpus)?,
            socket: from.mask("a socket mask", pcpus)?,
            // A node number sizes a table, so it is bounded before it is used.
            node: match from.small::<u16>("a NUMA node")? {
                node if usize::from(node) < pcpus => node,
                node => return Err(LinkError::Range { what: "a NUMA node", value: node.into() }),
            },
        })
    };
    Ok(Topology::new((0..pcpus).map(|_| place(from)).collect::<Result<_, _>>()?))
}

/// A bit for each parameter that differs from `base`, then these.
pub(super) fn pack_params(params: &Params, base: &Params, to: &mut Packer) {
    let numbers = |params: &Params| {
        [
            u64::from(params.tslice_ms),
            params.ratelimit_us.into(),
            params.tickle_one_idle.into(),
            params.smt_power_savings.into(),
            params.migration_delay_us.into(),
            params.ipi_latency_ns,
            params.ctx_switch_ns,
            params.cpu_up_step_ns,
            params.lb_ratelimit_us.into(),
        ]
    };
    let (ours, base) = (numbers(params), numbers(base));
    let differs = |index: &usize| ours[*index] != base[*index];
    let differing = || (0..ours.len()).filter(differs);
    to.number(differing().fold(0u64, |bits, index| bits | 1 << index));
    differing().for_each(|index| to.number(ours[index]));
}

pub(super) fn unpack_params(from: &mut Unpacker<'_>, base: Params) -> Result<Params, LinkError> {
    let bits = from.number("the parameters")?;
    let mut params = base;
    for index in (0..64).filter(|index| bits >> index & 1 != 0) {
        match index {
            0 => params.tslice_ms = from.small("the time slice")?,
            1 => params.ratelimit_us = from.small("the rate limit")?,
            2 => params.tickle_one_idle = from.number("tickle_one_idle")? != 0,
            3 => params.smt_power_savings = from.number("smt_power_savings")? != 0,
            4 => params.migration_delay_us = from.small("the migration delay")?,
            5 => params.ipi_latency_ns = from.number("the IPI latency")?,
            6 => params.ctx_switch_ns = from.number("the context switch")?,
            7 => params.cpu_up_step_ns = from.number("the boot step")?,
            8 => params.lb_ratelimit_us = from.small("the balance's rate limit")?,
            _ => return Err(LinkError::Range { what: "the parameters", value: bits }),
        }
    }
    Ok(params)
}

fn pack_vcpu(vcpu: &VcpuSpec, before: Option<&Workload>, to: &mut Packer) {
    let bit = |set: bool, bit: u8| if set { bit } else { 0 };
    let same = before == Some(&vcpu.workload);
    to.byte(
        bit(vcpu.hard.is_some(), flag::HARD)
            | bit(vcpu.soft.is_some(), flag::SOFT)
            | bit(vcpu.wake_on.is_some(), flag::WAKE_ON)
            | bit(matches!(vcpu.workload, Workload::Random(_)), flag::RANDOM)
            | bit(same, flag::SAME_WORKLOAD)
            | bit(vcpu.start_ns != 0, flag::START),
    );
    to.number(vcpu.init_pcpu.0);
    if vcpu.start_ns != 0 {
        to.time(vcpu.start_ns);
    }
    [&vcpu.hard, &vcpu.soft].into_iter().flatten().for_each(|mask| to.mask(mask));
    if let Some(pcpu) = vcpu.wake_on {
        to.number(pcpu.0);
    }
    match &vcpu.workload {
        _ if same => {}
        Workload::Script(stretches) => {
            to.count(stretches.len());
            for stretch in stretches {
                to.time(stretch.run_ns);
                to.time(stretch.block_ns);
            }
        }
        Workload::Random(RandomWorkload { run_ns, block_ns, yield_permille }) => {
            [run_ns.0, run_ns.1, block_ns.0, block_ns.1].into_iter().for_each(|ns| to.time(ns));
            to.number(*yield_permille);
        }
    }
}

fn unpack_vcpu(
    from: &mut Unpacker<'_>,
    pcpus: usize,
    before: Option<&Workload>,
) -> Result<VcpuSpec, LinkError> {
    let bits = from.byte("a vCPU")?;
    let has = |bit: u8| bits & bit != 0;
    let init_pcpu = PcpuId(from.small("a vCPU's pCPU")?);
    let start_ns = if has(flag::START) { from.time("a start")? } else { 0 };
    let hard = has(flag::HARD).then(|| from.mask("a hard affinity", pcpus)).transpose()?;
    let soft = has(flag::SOFT).then(|| from.mask("a soft affinity", pcpus)).transpose()?;
    let wake_on = has(flag::WAKE_ON).then(|| from.small("a wake-up's pCPU")).transpose()?;
    let workload = match before {
        Some(before) if has(flag::SAME_WORKLOAD) => before.clone(),
        _ if has(flag::RANDOM) => {
            let mut time = || from.time("a random workload");
            Workload::Random(RandomWorkload {
                run_ns: (time()?, time()?),
                block_ns: (time()?, time()?),
                yield_permille: from.number("a share of yields")?,
            })
        }
        _ => {
            let count = from.count("the number of stretches")?;
            let stretch = |from: &mut Unpacker<'_>| {
                Ok(Stretch { run_ns: from.time("a stretch")?, block_ns: from.time("a sleep")? })
            };
            Workload::Script((0..count).map(|_| stretch(from)).collect::<Result<_, _>>()?)
        }
    };
    Ok(VcpuSpec { init_pcpu, start_ns, hard, soft, wake_on: wake_on.map(PcpuId), workload })
}

fn pack_op(op: &Op, to: &mut Packer) {
    // 0 stands for “keep”.
    let option = |value: Option<u32>| value.map_or(0, |value| u64::from(value) + 1);
    to.time(op.time_ns);
    to.number(op.pcpu.0);
    match &op.change {
        Change::Domain { domain, weight, cap } => {
            to.byte(0);
            to.number(*domain);
            to.number(option(*weight));
            to.number(option(*cap));
        }
        Change::Affinity { vcpu, soft, mask } => {
            to.byte(1 + u8::from(*soft));
            to.number(*vcpu);
            to.mask(mask);
        }
        Change::Params { tslice_ms, ratelimit_us } => {
            to.byte(3);
            to.number(*tslice_ms);
            to.number(*ratelimit_us);
        }
    }
}

fn unpack_op(from: &mut Unpacker<'_>, pcpus: usize) -> Result<Op, LinkError> {
    fn option(from: &mut Unpacker<'_>, what: &'static str) -> Result<Option<u32>, LinkError> {
        let value = from.number(what)?;
        let value = value.checked_sub(1).map(u32::try_from).transpose();
        value.map_err(|_| LinkError::Range { what, value: u64::from(u32::MAX) })
    }
    let time_ns = from.time("the time of a change")?;
    let pcpu = PcpuId(from.small("a change's pCPU")?);
    let change = match from.byte("a change")? {
        0 => Change::Domain {
            domain: from.small("a change's domain")?,
            weight: option(from, "a new weight")?,
            cap: option(from, "a new cap")?,
        },
        kind @ (1 | 2) => Change::Affinity {
            vcpu: from.small("a change's vCPU")?,
            soft: kind == 2,
            mask: from.mask("a new affinity", pcpus)?,
        },
        3 => Change::Params {
            tslice_ms: from.small("a new time slice")?,
            ratelimit_us: from.small("a new rate limit")?,
        },
        kind => return Err(LinkError::Range { what: "the kind of a change", value: kind.into() }),
    };
    Ok(Op { time_ns, pcpu, change })
}
