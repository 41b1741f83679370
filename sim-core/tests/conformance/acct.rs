//! Accounting rounds on a machine that was put into the vector's state.

use crate::vectors::{Tally, int, list, named, objects, outputs};
use serde_json::{Value, json};
use sim_core::decision::{COUNTERS, NoSink, Priority};
use sim_core::ids::{DomainId, PcpuId, VcpuId};
use sim_core::machine::Machine;
use sim_core::patches::PatchSet;
use sim_core::policy::credit1::Credit1;
use sim_core::policy::cx::{Runstate, System};
use sim_core::scenario::{DomainSpec, Params, Scenario, VcpuSpec};
use sim_core::topology::Topology;
use sim_core::workload::{Stretch, Workload};

pub fn check() -> Tally {
    let mut tally = Tally::default();
    for vector in objects("acct") {
        for (revision, theirs) in outputs(&vector) {
            let ours = rounds(&vector, revision.patches);
            let what = || format!("acct {} {}", vector["id"], revision.name);
            tally.compare(what, &ours, &theirs);
        }
    }
    tally
}

fn rounds(vector: &Value, patches: PatchSet) -> Value {
    let mut machine = Machine::new(&scenario(vector).validate().expect("valid"), patches);
    machine.edit(|policy, system| put_into_state(vector, policy, system));
    let round = |burn: &Value| {
        machine.edit(|policy, _| {
            for (vcpu, credit) in policy.vcpus.iter_mut().zip(list(burn)) {
                vcpu.credit -= int::<i32>(credit);
            }
        });
        let before = machine.counters().clone();
        machine.account_now(&mut NoSink);
        let counted = COUNTERS.iter().map(|info| {
            (info.name, machine.counters().get(info.counter) - before.get(info.counter))
        });
        state(machine.policy(), machine.system(), json!(named(counted)))
    };
    Value::Array(list(&vector["burn"]).iter().map(round).collect())
}

/// The vector's domains with harmless weights; `put_into_state` does the rest.
fn scenario(vector: &Value) -> Scenario {
    let stretch = Stretch { run_ns: 1_000_000, block_ns: 1_000_000 };
    let vcpu = VcpuSpec {
        init_pcpu: PcpuId(0),
        start_ns: 0,
        hard: None,
        soft: None,
        wake_on: None,
        workload: Workload::Script(vec![stretch]),
    };
    let domain = |domain: &Value| DomainSpec {
        weight: 256,
        cap: 0,
        vcpus: vec![vcpu.clone(); list(&domain["vcpus"]).len()],
    };
    Scenario {
        name: "acct".into(),
        note: String::new(),
        topology: Topology::regular(1, int(&vector["ncpu"]), 1, false),
        params: Params { tslice_ms: int(&vector["tslice_ms"]), ..Params::default() },
        duration_ns: 1_000_000_000,
        seed: 0,
        domains: list(&vector["domains"]).iter().map(domain).collect(),
        ops: vec![],
    }
}

fn put_into_state(vector: &Value, policy: &mut Credit1, system: &mut System) {
    policy.balance = int(&vector["credit_balance"]);
    let pcpus = system.topology.pcpu_count();
    let mut gid = 0;
    for (index, domain) in (0u16..).zip(list(&vector["domains"])) {
        let weight = int(&domain["weight"]);
        system.domains[usize::from(index)] = (weight, int(&domain["cap"]));
        for vcpu in list(&domain["vcpus"]) {
            let flag = |place: usize| int::<u8>(&vcpu[place]) == 1;
            let (sched, state) = (&mut policy.vcpus[gid], &mut system.vcpus[gid]);
            sched.credit = int(&vcpu[0]);
            sched.pri = Priority(int(&vcpu[1]));
            sched.parked = flag(3);
            sched.migrating = false;
            state.pause = 0;
            state.pause_count = u32::from(sched.parked);
            state.runstate = if sched.parked { Runstate::Offline } else { Runstate::Runnable };
            state.processor = PcpuId(u16::try_from(gid % pcpus).expect("small"));
            if flag(2) {
                sched.active = true;
                policy.weight_sum += weight;
                let active = &mut policy.domains[usize::from(index)].active;
                if active.is_empty() {
                    policy.active_domains.insert(0, DomainId(index));
                }
                active.insert(0, VcpuId(u16::try_from(gid).expect("small")));
            }
            gid += 1;
        }
    }
}

fn state(policy: &Credit1, system: &System, counts: Value) -> Value {
    let vcpus = policy.vcpus[..system.guests]
        .iter()
        .map(|vcpu| json!([vcpu.credit, vcpu.pri.0, u8::from(vcpu.parked), u8::from(vcpu.active)]));
    let order = policy.active_domains.iter().map(|domain| {
        let vcpus = policy.domains[domain.index()].active.iter().map(|vcpu| vcpu.0);
        [domain.0].into_iter().chain(vcpus).collect::<Vec<_>>()
    });
    json!({
        "bal": policy.balance,
        "weight": policy.weight_sum,
        "v": vcpus.collect::<Vec<_>>(),
        "order": order.collect::<Vec<_>>(),
        "c": counts,
    })
}
