//! What must hold of a machine between any two steps.

use sim_core::ids::VcpuId;
use sim_core::machine::{Machine, Step};
use sim_core::patches::Patch;
use sim_core::policy::cx::Runstate;

/// Every guest's vCPU.
pub fn guests(machine: &Machine) -> impl Iterator<Item = VcpuId> + use<> {
    (0..u16::try_from(machine.system().guests).expect("limited vCPUs")).map(VcpuId)
}

/// The first invariant that is broken, if any.
pub fn broken(machine: &Machine, step: Step) -> Option<String> {
    one_place_each(machine)
        .or_else(|| nobody_lost(machine))
        .or_else(|| affinity(machine, step))
        .or_else(|| counts(machine))
}

/// A vCPU is current on one pCPU or queued on one, never both and never twice; a pCPU runs one.
fn one_place_each(machine: &Machine) -> Option<String> {
    let (system, policy) = (machine.system(), machine.policy());
    let mut places = vec![0; system.vcpus.len()];
    for pcpu in system.topology.pcpus() {
        let current = system.current[pcpu.index()];
        places[current.index()] += 1;
        for queued in &policy.pcpus[pcpu.index()].runq {
            places[queued.index()] += 1;
            if system.vcpu(*queued).processor != pcpu {
                return Some(format!("vCPU {} is queued on a pCPU that is not its own", queued.0));
            }
            if !policy.vcpu(*queued).queued {
                return Some(format!("vCPU {} is queued but not marked so", queued.0));
            }
        }
        let idle = system.idle_vcpu(pcpu);
        if current != idle && system.is_idle(current) {
            return Some(format!("pCPU {} runs the idle vCPU of another", pcpu.0));
        }
    }
    let twice = places.iter().position(|count| *count > 1);
    twice.map(|vcpu| format!("vCPU {vcpu} has {} places", places[vcpu]))
}

/// A runnable vCPU is current or queued; one that is not runnable is not queued.
fn nobody_lost(machine: &Machine) -> Option<String> {
    let (system, policy) = (machine.system(), machine.policy());
    guests(machine).find_map(|vcpu| {
        let current = system.current.contains(&vcpu);
        let queued = policy.vcpu(vcpu).queued;
        let runnable = system.runnable(vcpu);
        if runnable && !current && !queued {
            return Some(format!("runnable vCPU {} is lost", vcpu.0));
        }
        if !runnable && queued {
            return Some(format!("vCPU {} is queued but may not run", vcpu.0));
        }
        let runs = system.vcpu(vcpu).runstate == Runstate::Running;
        (runs != current).then(|| format!("vCPU {} is current: {current}, runs: {runs}", vcpu.0))
    })
}

/// Whoever a pCPU just chose may run there, and its pCPU is that one.
fn affinity(machine: &Machine, step: Step) -> Option<String> {
    if step != Step::Softirq {
        return None;
    }
    let system = machine.system();
    let pcpu = system.this_pcpu;
    let chosen = system.current[pcpu.index()];
    if system.is_idle(chosen) {
        return None;
    }
    let state = system.vcpu(chosen);
    if state.processor != pcpu {
        return Some(format!("pCPU {} runs vCPU {} of another", pcpu.0, chosen.0));
    }
    let allowed = state.hard.contains(pcpu);
    (!allowed).then(|| format!("pCPU {} runs vCPU {}, which may not", pcpu.0, chosen.0))
}

/// Sums that the scheduler keeps are those that can be counted.
fn counts(machine: &Machine) -> Option<String> {
    let (system, policy) = (machine.system(), machine.policy());
    let earning = guests(machine).filter(|vcpu| policy.vcpu(*vcpu).active);
    let weights = earning.map(|vcpu| system.domains[system.vcpu(vcpu).domain.index()].0);
    let weight_sum: u32 = weights.sum();
    if weight_sum != policy.weight_sum {
        return Some(format!("the weights are {weight_sum}, kept {}", policy.weight_sum));
    }
    if !policy.patches.has(Patch::StealSkipSingle) {
        return None;
    }
    system.topology.pcpus().find_map(|pcpu| {
        let current = system.current[pcpu.index()];
        // Who may not run any more is counted until its pCPU has scheduled.
        let leaving = !system.is_idle(current) && !system.runnable(current);
        let counted = policy.count_ready(system, pcpu) + u32::from(leaving);
        let kept = policy.nr_runnable(system, pcpu);
        (kept != counted).then(|| format!("pCPU {} has {counted} runnable, kept {kept}", pcpu.0))
    })
}
