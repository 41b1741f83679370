//! From a scenario to JSON, such that reading it back gives the same scenario.

use crate::{
    ChangeFile, DomainFile, KEEP_CAP, KindFile, OpFile, ParamsFile, RandFile, ScenarioFile,
    VcpuFile, scenario_type,
};
use sim_core::scenario::{Change, DomainSpec, Op, Params, Scenario, VcpuSpec};
use sim_core::workload::Workload;

/// The scenario as one line of JSON.
#[must_use]
pub fn to_json(scenario: &Scenario) -> String {
    let file = ScenarioFile {
        kind: scenario_type(),
        name: scenario.name.clone(),
        note: scenario.note.clone(),
        topology: None,
        cpus: (scenario.topology.places().iter())
            .map(|place| (place.sibling.to_string(), place.socket.to_string(), place.node))
            .collect(),
        params: params(&scenario.params),
        duration_ns: scenario.duration_ns,
        full_until_ns: None,
        seed: scenario.seed,
        domains: scenario.domains.iter().map(domain).collect(),
        ops: scenario.ops.iter().map(op).collect(),
    };
    serde_json::to_string(&file).expect("a scenario has only strings as keys")
}

/// The scenario as JSON that people read: a line for each field, pCPU, vCPU and change.
#[must_use]
pub fn to_json_lines(scenario: &Scenario) -> String {
    let json = to_json(scenario);
    let mut lines = String::with_capacity(json.len() * 2);
    let (mut depth, mut in_text, mut escaped) = (0usize, false, false);
    // The file, its lists, and the lists of vCPUs inside their domains.
    let broken = |depth: usize| matches!(depth, 1 | 2 | 4);
    let line = |lines: &mut String, depth: usize| {
        lines.push('\n');
        (0..depth).for_each(|_| lines.push_str("  "));
    };
    let mut before = ' ';
    for letter in json.chars() {
        if in_text {
            in_text = escaped || letter != '"';
            escaped = !escaped && letter == '\\';
            lines.push(letter);
            before = letter;
            continue;
        }
        match letter {
            '{' | '[' => {
                lines.push(letter);
                depth += 1;
                if broken(depth) {
                    line(&mut lines, depth);
                }
            }
            '}' | ']' => {
                // An empty list stays in one line.
                if matches!(before, '{' | '[') {
                    lines.truncate(lines.trim_end().len());
                } else if broken(depth) {
                    line(&mut lines, depth - 1);
                }
                depth -= 1;
                lines.push(letter);
            }
            ',' => {
                lines.push(letter);
                if broken(depth) {
                    line(&mut lines, depth);
                } else {
                    lines.push(' ');
                }
            }
            ':' => lines.push_str(": "),
            _ => {
                in_text = letter == '"';
                lines.push(letter);
            }
        }
        before = letter;
    }
    lines.push('\n');
    lines
}

fn params(params: &Params) -> ParamsFile {
    ParamsFile {
        tslice_ms: Some(params.tslice_ms),
        ratelimit_us: Some(params.ratelimit_us),
        tickle_one_idle: Some(params.tickle_one_idle.into()),
        smt_power_savings: Some(params.smt_power_savings.into()),
        migration_delay_us: Some(params.migration_delay_us),
        // Not a field of the vectors: written only where it says something.
        lb_ratelimit_us: Some(params.lb_ratelimit_us)
            .filter(|us| *us != Params::default().lb_ratelimit_us),
        ipi_latency_ns: Some(params.ipi_latency_ns),
        ctx_switch_ns: Some(params.ctx_switch_ns),
        cpu_up_step_ns: Some(params.cpu_up_step_ns),
    }
}

fn domain(domain: &DomainSpec) -> DomainFile {
    let vcpus = domain.vcpus.iter().map(vcpu).collect();
    DomainFile { weight: domain.weight, cap: domain.cap, vcpus }
}

fn vcpu(vcpu: &VcpuSpec) -> VcpuFile {
    let (script, rand) = match &vcpu.workload {
        Workload::Script(stretches) => {
            (Some(stretches.iter().map(|s| (s.run_ns, s.block_ns)).collect()), None)
        }
        Workload::Random(random) => {
            let (run, block) = (random.run_ns, random.block_ns);
            (None, Some(RandFile { run, block, yield_permille: random.yield_permille }))
        }
    };
    VcpuFile {
        init_cpu: vcpu.init_pcpu.0,
        start_ns: vcpu.start_ns,
        hard: vcpu.hard.as_ref().map(ToString::to_string),
        soft: vcpu.soft.as_ref().map(ToString::to_string),
        wake_on: vcpu.wake_on.map(|pcpu| pcpu.0.into()),
        script,
        rand,
    }
}

fn op(op: &Op) -> OpFile {
    let change = match &op.change {
        Change::Domain { domain, weight, cap } => ChangeFile::Dom {
            dom: *domain,
            weight: weight.unwrap_or(0),
            cap: cap.unwrap_or(KEEP_CAP),
        },
        Change::Affinity { vcpu, soft, mask } => ChangeFile::Affinity {
            vcpu: *vcpu,
            kind: if *soft { KindFile::Soft } else { KindFile::Hard },
            mask: mask.to_string(),
        },
        Change::Params { tslice_ms, ratelimit_us } => {
            ChangeFile::Params { tslice_ms: *tslice_ms, ratelimit_us: *ratelimit_us }
        }
    };
    OpFile { t: op.time_ns, cpu: op.pcpu.0, change }
}
