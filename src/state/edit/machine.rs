//! The machine's shape and the number of vCPUs, and what follows for those who name them.

use super::field::Field;
use super::work;
use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::scenario::{Change, Scenario, VcpuSpec};
use sim_core::topology::{Shape, Topology};

/// The shape of a machine; of an irregular one, a regular one of about its size.
#[must_use]
pub fn shape(topology: &Topology) -> Shape {
    topology.shape().unwrap_or_else(|| {
        let distinct = |set: fn(&sim_core::topology::PcpuPlace) -> &CpuMask| {
            let mut firsts: Vec<Option<PcpuId>> =
                topology.places().iter().map(|place| set(place).first()).collect();
            firsts.sort_unstable();
            firsts.dedup();
            firsts.len().max(1)
        };
        let (sockets, cores) = (distinct(|place| &place.socket), distinct(|place| &place.sibling));
        let number = |number: usize| u16::try_from(number.max(1)).unwrap_or(u16::MAX);
        Shape {
            sockets: number(sockets),
            cores: number(cores / sockets),
            threads: number(topology.pcpu_count() / cores),
            nodes: number(topology.nodes().len().min(cores)),
        }
    })
}

/// Gives one number of the shape a new value. Sets keep the pCPUs that are still there; numbers of
/// pCPUs stay as they are.
pub fn set_shape(scenario: &mut Scenario, field: Field, number: u16) {
    let old = shape(&scenario.topology);
    let mut new = old;
    match field {
        Field::Sockets => new.sockets = number,
        Field::Cores => new.cores = number,
        Field::Threads => new.threads = number,
        _ => new.nodes = number,
    }
    if old.nodes == old.sockets && old.nodes > 1 && field != Field::Nodes {
        new.nodes = new.sockets; // a node each stays a node each
    }
    let cores = u32::from(new.sockets) * u32::from(new.cores);
    new.nodes = new.nodes.min(u16::try_from(cores).unwrap_or(u16::MAX));
    let topology = new.topology();
    masks_mut(scenario).for_each(|mask| *mask = resized(mask, topology.pcpu_count()));
    scenario.topology = topology;
}

/// A set on a machine of another size.
#[must_use]
pub fn resized(mask: &CpuMask, pcpus: usize) -> CpuMask {
    let mut new = CpuMask::empty(pcpus);
    mask.iter().filter(|pcpu| pcpu.index() < pcpus).for_each(|pcpu| new.insert(pcpu));
    new
}

/// All sets of pCPUs that guests and changes name.
fn masks_mut(scenario: &mut Scenario) -> impl Iterator<Item = &mut CpuMask> {
    let vcpus = scenario.domains.iter_mut().flat_map(|domain| &mut domain.vcpus);
    let of_vcpus = vcpus.flat_map(|vcpu| [&mut vcpu.hard, &mut vcpu.soft]).flatten();
    let of_changes = scenario.ops.iter_mut().filter_map(|op| match &mut op.change {
        Change::Affinity { mask, .. } => Some(mask),
        _ => None,
    });
    of_vcpus.chain(of_changes)
}

/// Moves whoever names a pCPU that is not there onto those that are, and caps to what they give.
pub fn fit(scenario: &mut Scenario) {
    let pcpus = u16::try_from(scenario.topology.pcpu_count()).unwrap_or(u16::MAX).max(1);
    let most = u32::from(pcpus) * 100;
    let fit = |pcpu: &mut PcpuId| pcpu.0 %= pcpus;
    for domain in &mut scenario.domains {
        domain.cap = domain.cap.min(most);
        for vcpu in &mut domain.vcpus {
            fit(&mut vcpu.init_pcpu);
            vcpu.wake_on.iter_mut().for_each(fit);
            for mask in [&mut vcpu.hard, &mut vcpu.soft] {
                *mask = mask.take().filter(|mask| !mask.is_empty());
            }
        }
    }
    let all = scenario.topology.all().clone();
    for op in &mut scenario.ops {
        fit(&mut op.pcpu);
        match &mut op.change {
            Change::Domain { cap: Some(cap), .. } => *cap = (*cap).min(most),
            Change::Affinity { mask, .. } if mask.is_empty() => mask.clone_from(&all),
            _ => {}
        }
    }
}

/// A vCPU that does nothing but run.
#[must_use]
pub fn new_vcpu(pcpu: u16) -> VcpuSpec {
    VcpuSpec {
        init_pcpu: PcpuId(pcpu),
        start_ns: 0,
        hard: None,
        soft: None,
        wake_on: None,
        workload: work::hog(),
    }
}

/// Gives a domain so many vCPUs: new ones do what its last one does, on the next pCPUs that it may
/// use.
pub fn set_vcpus(scenario: &mut Scenario, domain: u16, count: usize) {
    let index = usize::from(domain);
    if count > sim_core::scenario::limits::VCPUS || index >= scenario.domains.len() {
        return;
    }
    let all = scenario.topology.all().clone();
    with_targets(scenario, |scenario| {
        let vcpus = &mut scenario.domains[index].vcpus;
        vcpus.truncate(count);
        while vcpus.len() < count {
            let mut next = vcpus.last().cloned().unwrap_or_else(|| new_vcpu(0));
            if !vcpus.is_empty() {
                let may = next.hard.as_ref().unwrap_or(&all);
                next.init_pcpu = may.cycle(next.init_pcpu).unwrap_or(next.init_pcpu);
            }
            vcpus.push(next);
        }
        (0..).map(Some).take(scenario.domains.len()).collect()
    });
}

/// Rearranges domains and vCPUs; changes that name them go with them, or go if they are gone.
/// `rearrange` tells for each domain that there was where it is now.
pub fn with_targets(
    scenario: &mut Scenario,
    rearrange: impl FnOnce(&mut Scenario) -> Vec<Option<u16>>,
) {
    let firsts = |scenario: &Scenario| -> Vec<usize> {
        let counts = scenario.domains.iter().map(|domain| domain.vcpus.len());
        let first = |first: &mut usize, count: usize| {
            *first += count;
            Some(*first - count)
        };
        counts.scan(0, first).collect()
    };
    let before = firsts(scenario);
    let counts: Vec<usize> = scenario.domains.iter().map(|domain| domain.vcpus.len()).collect();
    let moved = rearrange(scenario);
    let after = firsts(scenario);
    let new_domain = |domain: usize| moved.get(domain).copied().flatten();
    let new_vcpu = |vcpu: usize| {
        let domain = before.iter().rposition(|first| *first <= vcpu)?;
        // An empty domain begins where the next one does.
        let domain = (0..=domain).rev().find(|domain| counts[*domain] > 0)?;
        let (place, to) = (vcpu - before[domain], usize::from(new_domain(domain)?));
        let there = place < counts[domain] && place < scenario.domains[to].vcpus.len();
        u16::try_from(after[to] + place).ok().filter(|_| there)
    };
    let ops = std::mem::take(&mut scenario.ops);
    let kept = ops.into_iter().filter_map(|mut op| {
        match &mut op.change {
            Change::Domain { domain, .. } => *domain = new_domain(usize::from(*domain))?,
            Change::Affinity { vcpu, .. } => *vcpu = new_vcpu(usize::from(*vcpu))?,
            Change::Params { .. } => {}
        }
        Some(op)
    });
    scenario.ops = kept.collect();
}
