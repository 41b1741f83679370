//! Reads and writes a field of a scenario.
//!
//! Must not check ranges or read texts. Writing where there is nothing changes nothing.

use super::field::{ALL, At, Field, Scope, Seen, Value};
use super::{machine, work};
use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::scenario::{Change, DomainSpec, Op, Params, Scenario, VcpuSpec};
use sim_core::workload::{RandomWorkload, Stretch, Workload};

/// What stands at a place; of several vCPUs, what all of them have.
#[must_use]
pub fn read(scenario: &Scenario, at: At) -> Seen {
    let [first, second, third] = at.index.map(usize::from);
    let value = match at.field.spec().scope {
        Scope::Scenario => of_scenario(scenario, at.field),
        Scope::Domain => scenario.domains.get(first).and_then(|spec| of_domain(spec, at.field)),
        Scope::Change => scenario.ops.get(first).and_then(|op| of_change(op, at.field)),
        Scope::Vcpu | Scope::Step => {
            let Some(domain) = scenario.domains.get(first) else { return Seen::Absent };
            let vcpus = if at.index[1] == ALL {
                domain.vcpus.as_slice()
            } else {
                domain.vcpus.get(second..=second).unwrap_or_default()
            };
            let mut values = vcpus.iter().map(|vcpu| of_vcpu(vcpu, at.field, third));
            let first = values.next().flatten();
            if values.any(|other| other != first) {
                return Seen::Mixed;
            }
            first
        }
    };
    value.map_or(Seen::Absent, Seen::Value)
}

fn number(number: impl Into<u64>) -> Option<Value> {
    Some(Value::Number(number.into()))
}

fn number_or(value: Option<impl Into<u64>>) -> Option<Value> {
    Some(value.map_or(Value::Nothing, |value| Value::Number(value.into())))
}

fn of_scenario(scenario: &Scenario, field: Field) -> Option<Value> {
    let params = &scenario.params;
    let shape = || machine::shape(&scenario.topology);
    match field {
        Field::Name => Some(Value::Text(scenario.name.clone())),
        Field::Note => Some(Value::Text(scenario.note.clone())),
        Field::Duration => number(scenario.duration_ns),
        Field::Seed => number(scenario.seed),
        Field::Sockets => number(shape().sockets),
        Field::Cores => number(shape().cores),
        Field::Threads => number(shape().threads),
        Field::Nodes => number(shape().nodes),
        Field::IpiLatency => number(params.ipi_latency_ns),
        Field::CtxSwitch => number(params.ctx_switch_ns),
        Field::BootStep => number(params.cpu_up_step_ns),
        Field::Tslice => number(params.tslice_ms),
        Field::Ratelimit => number(params.ratelimit_us),
        Field::TickleOneIdle => number(params.tickle_one_idle),
        Field::SmtPowerSavings => number(params.smt_power_savings),
        Field::MigrationDelay => number(params.migration_delay_us),
        Field::LbRatelimit => number(params.lb_ratelimit_us),
        Field::Json => Some(Value::Text(scenario_json::to_json_lines(scenario))),
        _ => None,
    }
}

fn of_domain(domain: &DomainSpec, field: Field) -> Option<Value> {
    match field {
        Field::Weight => number(domain.weight),
        Field::Cap => number(domain.cap),
        Field::Vcpus => number(domain.vcpus.len() as u64),
        _ => None,
    }
}

fn of_vcpu(vcpu: &VcpuSpec, field: Field, step: usize) -> Option<Value> {
    let cpus = |mask: &Option<CpuMask>| Some(mask.clone().map_or(Value::Nothing, Value::Cpus));
    match field {
        Field::InitPcpu => number(vcpu.init_pcpu.0),
        Field::Start => number(vcpu.start_ns),
        Field::WakeOn => number_or(vcpu.wake_on.map(|pcpu| pcpu.0)),
        Field::Hard => cpus(&vcpu.hard),
        Field::Soft => cpus(&vcpu.soft),
        Field::Kind => number(work::kind(&vcpu.workload) as u64),
        _ => of_workload(&vcpu.workload, field, step),
    }
}

fn of_workload(workload: &Workload, field: Field, step: usize) -> Option<Value> {
    let stretches = match workload {
        Workload::Random(random) => return of_random(random, field),
        Workload::Script(stretches) => stretches,
    };
    match field {
        Field::Steps => return Some(Value::Text(work::steps_text(stretches))),
        Field::StepRun => return number(stretches.get(step)?.run_ns),
        Field::StepSleep => return number(stretches.get(step)?.block_ns),
        _ if !work::kind(workload).fields().contains(&field) => return None,
        _ => {}
    }
    let (first, last) = (stretches.first()?, stretches.last()?);
    match field {
        Field::Run => number(first.run_ns),
        Field::Sleep | Field::Gap => number(first.block_ns),
        Field::Pause => number(last.block_ns),
        Field::Bursts => number(stretches.len() as u64),
        _ => None,
    }
}

fn of_random(random: &RandomWorkload, field: Field) -> Option<Value> {
    match field {
        Field::RunLeast => number(random.run_ns.0),
        Field::RunMost => number(random.run_ns.1),
        Field::SleepLeast => number(random.block_ns.0),
        Field::SleepMost => number(random.block_ns.1),
        Field::Yields => number(random.yield_permille),
        _ => None,
    }
}

fn of_change(op: &Op, field: Field) -> Option<Value> {
    match (field, &op.change) {
        (Field::ChangeTime, _) => number(op.time_ns),
        (Field::ChangePcpu, _) => number(op.pcpu.0),
        (Field::ChangeKind, Change::Domain { .. }) => number(0u64),
        (Field::ChangeKind, Change::Affinity { soft, .. }) => number(1 + u64::from(*soft)),
        (Field::ChangeKind, Change::Params { .. }) => number(3u64),
        (Field::ChangeDomain, Change::Domain { domain, .. }) => number(*domain),
        (Field::ChangeWeight, Change::Domain { weight, .. }) => number_or(*weight),
        (Field::ChangeCap, Change::Domain { cap, .. }) => number_or(*cap),
        (Field::ChangeVcpu, Change::Affinity { vcpu, .. }) => number(*vcpu),
        (Field::ChangeMask, Change::Affinity { mask, .. }) => Some(Value::Cpus(mask.clone())),
        (Field::ChangeTslice, Change::Params { tslice_ms, .. }) => number(*tslice_ms),
        (Field::ChangeRatelimit, Change::Params { ratelimit_us, .. }) => number(*ratelimit_us),
        _ => None,
    }
}

/// The vCPUs that a place names.
pub fn vcpus_mut(
    scenario: &mut Scenario,
    domain: u16,
    vcpu: u16,
) -> impl Iterator<Item = &mut VcpuSpec> {
    let vcpus = scenario.domains.get_mut(usize::from(domain)).map(|domain| &mut domain.vcpus);
    let named = move |(index, _): &(u16, &mut VcpuSpec)| vcpu == ALL || vcpu == *index;
    let all = vcpus.into_iter().flat_map(|vcpus| (0u16..).zip(vcpus));
    all.filter(named).map(|(_, vcpu)| vcpu)
}

/// The number of a value that is known to fit; a value that does not changes nothing.
fn fits<T: TryFrom<u64>>(value: &Value, to: &mut T) {
    if let Value::Number(number) = value
        && let Ok(number) = T::try_from(*number)
    {
        *to = number;
    }
}

fn fits_or<T: TryFrom<u64>>(value: &Value, to: &mut Option<T>) {
    match value {
        Value::Nothing => *to = None,
        Value::Number(number) => *to = T::try_from(*number).ok().or(to.take()),
        _ => {}
    }
}

/// Puts a value where it belongs. It must be in the field's range.
pub fn write(scenario: &mut Scenario, at: At, value: &Value) {
    let [first, second, third] = at.index;
    match at.field.spec().scope {
        Scope::Scenario => write_scenario(scenario, at.field, value),
        Scope::Domain if at.field == Field::Vcpus => {
            let mut count = usize::MAX;
            fits(value, &mut count);
            machine::set_vcpus(scenario, first, count);
        }
        Scope::Domain => {
            if let Some(domain) = scenario.domains.get_mut(usize::from(first)) {
                let to = if at.field == Field::Cap { &mut domain.cap } else { &mut domain.weight };
                fits(value, to);
            }
        }
        Scope::Vcpu if at.field == Field::Kind => {
            let mut index = usize::MAX;
            fits(value, &mut index);
            if let Some(kind) = work::Kind::ALL.get(index) {
                work::choose(scenario, first, second, *kind);
            }
        }
        Scope::Vcpu | Scope::Step => {
            for vcpu in vcpus_mut(scenario, first, second) {
                write_vcpu(vcpu, at.field, usize::from(third), value);
            }
        }
        Scope::Change => write_change(scenario, usize::from(first), at.field, value),
    }
}

fn write_scenario(scenario: &mut Scenario, field: Field, value: &Value) {
    match (field, value) {
        (Field::Name, Value::Text(text)) => scenario.name.clone_from(text),
        (Field::Note, Value::Text(text)) => scenario.note.clone_from(text),
        (Field::Json, Value::Text(text)) => {
            if let Ok(new) = scenario_json::parse(text) {
                *scenario = new;
            }
        }
        (Field::Duration, _) => fits(value, &mut scenario.duration_ns),
        (Field::Seed, _) => fits(value, &mut scenario.seed),
        (Field::Sockets | Field::Cores | Field::Threads | Field::Nodes, Value::Number(number)) => {
            if let Ok(number) = u16::try_from(*number) {
                machine::set_shape(scenario, field, number);
            }
        }
        _ => write_params(&mut scenario.params, field, value),
    }
}

fn write_params(params: &mut Params, field: Field, value: &Value) {
    match field {
        Field::IpiLatency => fits(value, &mut params.ipi_latency_ns),
        Field::CtxSwitch => fits(value, &mut params.ctx_switch_ns),
        Field::BootStep => fits(value, &mut params.cpu_up_step_ns),
        Field::Tslice => fits(value, &mut params.tslice_ms),
        Field::Ratelimit => fits(value, &mut params.ratelimit_us),
        Field::TickleOneIdle => params.tickle_one_idle = *value == Value::Number(1),
        Field::SmtPowerSavings => params.smt_power_savings = *value == Value::Number(1),
        Field::MigrationDelay => fits(value, &mut params.migration_delay_us),
        Field::LbRatelimit => fits(value, &mut params.lb_ratelimit_us),
        _ => {}
    }
}

fn write_vcpu(vcpu: &mut VcpuSpec, field: Field, step: usize, value: &Value) {
    let cpus = || match value {
        Value::Cpus(mask) => Some(mask.clone()),
        _ => None,
    };
    match field {
        Field::InitPcpu => fits(value, &mut vcpu.init_pcpu.0),
        Field::Start => fits(value, &mut vcpu.start_ns),
        Field::WakeOn => {
            let mut pcpu = vcpu.wake_on.map(|pcpu| pcpu.0);
            fits_or(value, &mut pcpu);
            vcpu.wake_on = pcpu.map(PcpuId);
        }
        Field::Hard => vcpu.hard = cpus(),
        Field::Soft => vcpu.soft = cpus(),
        _ => match &mut vcpu.workload {
            Workload::Script(stretches) => write_script(stretches, field, step, value),
            Workload::Random(random) => write_random(random, field, value),
        },
    }
}

fn write_script(stretches: &mut Vec<Stretch>, field: Field, step: usize, value: &Value) {
    match (field, value) {
        (Field::Steps, Value::Text(text)) => {
            if let Ok(new) = work::read_steps(text) {
                *stretches = new;
            }
        }
        (Field::StepRun, _) => {
            if let Some(stretch) = stretches.get_mut(step) {
                fits(value, &mut stretch.run_ns);
            }
        }
        (Field::StepSleep, _) => {
            if let Some(stretch) = stretches.get_mut(step) {
                fits(value, &mut stretch.block_ns);
            }
        }
        (Field::Run, _) => {
            stretches.iter_mut().for_each(|stretch| fits(value, &mut stretch.run_ns));
        }
        (Field::Sleep | Field::Gap, _) => {
            let but_last = if field == Field::Gap { stretches.len() - 1 } else { stretches.len() };
            let some = stretches.iter_mut().take(but_last);
            some.for_each(|stretch| fits(value, &mut stretch.block_ns));
        }
        (Field::Pause, _) => {
            if let Some(stretch) = stretches.last_mut() {
                fits(value, &mut stretch.block_ns);
            }
        }
        (Field::Bursts, Value::Number(count)) => {
            if let (Some(first), Some(last), Ok(count)) =
                (stretches.first().copied(), stretches.pop(), usize::try_from(*count))
            {
                stretches.resize(count.saturating_sub(1), first); // saturating: at least 2
                stretches.push(last);
            }
        }
        _ => {}
    }
}

fn write_random(random: &mut RandomWorkload, field: Field, value: &Value) {
    match field {
        Field::RunLeast => fits(value, &mut random.run_ns.0),
        Field::RunMost => fits(value, &mut random.run_ns.1),
        Field::SleepLeast => fits(value, &mut random.block_ns.0),
        Field::SleepMost => fits(value, &mut random.block_ns.1),
        Field::Yields => fits(value, &mut random.yield_permille),
        _ => {}
    }
}

fn write_change(scenario: &mut Scenario, index: usize, field: Field, value: &Value) {
    let all = scenario.topology.all().clone();
    let Some(op) = scenario.ops.get_mut(index) else { return };
    match (field, &mut op.change) {
        (Field::ChangeTime, _) => fits(value, &mut op.time_ns),
        (Field::ChangePcpu, _) => fits(value, &mut op.pcpu.0),
        (Field::ChangeKind, change) => *change = change_of_kind(change, value, all),
        (Field::ChangeDomain, Change::Domain { domain, .. }) => fits(value, domain),
        (Field::ChangeWeight, Change::Domain { weight, .. }) => fits_or(value, weight),
        (Field::ChangeCap, Change::Domain { cap, .. }) => fits_or(value, cap),
        (Field::ChangeVcpu, Change::Affinity { vcpu, .. }) => fits(value, vcpu),
        (Field::ChangeMask, Change::Affinity { mask, .. }) => {
            if let Value::Cpus(new) = value {
                *mask = new.clone();
            }
        }
        (Field::ChangeTslice, Change::Params { tslice_ms, .. }) => fits(value, tslice_ms),
        (Field::ChangeRatelimit, Change::Params { ratelimit_us, .. }) => fits(value, ratelimit_us),
        _ => {}
    }
}

/// A change of another kind; between the affinities, vCPU and set stay.
fn change_of_kind(before: &Change, value: &Value, all: CpuMask) -> Change {
    match (value, before) {
        (Value::Number(0), Change::Domain { .. }) | (Value::Number(3), Change::Params { .. }) => {
            before.clone()
        }
        (Value::Number(0), _) => Change::Domain { domain: 0, weight: None, cap: None },
        (Value::Number(kind @ (1 | 2)), Change::Affinity { vcpu, mask, .. }) => {
            Change::Affinity { vcpu: *vcpu, soft: *kind == 2, mask: mask.clone() }
        }
        (Value::Number(kind @ (1 | 2)), _) => {
            Change::Affinity { vcpu: 0, soft: *kind == 2, mask: all }
        }
        _ => {
            let Params { tslice_ms, ratelimit_us, .. } = Params::default();
            Change::Params { tslice_ms, ratelimit_us }
        }
    }
}
