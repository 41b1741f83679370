//! The three pure decisions, one call a vector.

use crate::vectors::{Tally, int, list, mask, named, objects, outputs, pcpu, topology};
use serde_json::{Value, json};
use sim_core::cpumask::CpuMask;
use sim_core::decision::{
    BalanceInputs, Counter, PeerSnapshot, PickInputs, Priority, QueuedVcpu, RunqHead, TickleInputs,
};
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::patches::Patch;
use sim_core::policy::credit1::{balance, balance_counters, pick, tickle, tickle_counters};
use sim_core::units::SimTime;
use std::borrow::Cow;

fn owned(value: &Value, pcpus: usize) -> Cow<'static, CpuMask> {
    Cow::Owned(mask(value, pcpus))
}

fn name(counter: Counter) -> &'static str {
    counter.name()
}

pub fn tickles() -> Tally {
    let mut tally = Tally::default();
    for vector in objects("tickle") {
        let pcpus = topology(vector["topology"].as_str().expect("a name")).pcpu_count();
        let inputs = TickleInputs {
            cpu: pcpu(&vector["cpu"]),
            this_cpu: pcpu(&vector["this_cpu"]),
            cur: VcpuId(0),
            cur_pri: Priority(int(&vector["cur_pri"])),
            new_pri: Priority(int(&vector["new_pri"])),
            idlers: owned(&vector["idlers"], pcpus),
            pool: owned(&vector["online"], pcpus),
            new_hard: owned(&vector["new_hard"], pcpus),
            new_soft: owned(&vector["new_soft"], pcpus),
            cur_hard: owned(&vector["cur_hard"], pcpus),
            tickle_one_idle: int::<u8>(&vector["tickle_one_idle"]) == 1,
            cursor: pcpu(&vector["cursor"]),
            told: Cow::Owned(CpuMask::empty(pcpus)),
        };
        for (revision, theirs) in outputs(&vector) {
            let outcome = tickle_call(&inputs, revision.patches);
            let what = || format!("tickle {} {}", vector["id"], revision.name);
            tally.compare(what, &outcome, &theirs);
        }
    }
    tally
}

fn tickle_call(inputs: &TickleInputs<'_>, patches: sim_core::patches::PatchSet) -> Value {
    let outcome = tickle(inputs, patches);
    let mut idlers = inputs.idlers.as_ref().clone();
    if patches.has(Patch::TickledIsBusy) {
        idlers.remove_all(&outcome.tickled);
    }
    let counts = named(tickle_counters(&outcome).map(|counter| (name(counter), 1)));
    json!([
        outcome.tickled.to_string(),
        u8::from(outcome.kick),
        outcome.cursor.0,
        idlers.to_string(),
        counts
    ])
}

pub fn picks() -> Tally {
    let mut tally = Tally::default();
    for vector in objects("pick") {
        let topology = topology(vector["topology"].as_str().expect("a name"));
        let pcpus = topology.pcpu_count();
        let bias: Vec<PcpuId> = list(&vector["idle_bias"]).iter().map(pcpu).collect();
        let inputs = PickInputs {
            processor: pcpu(&vector["processor"]),
            hard: owned(&vector["hard"], pcpus),
            soft: owned(&vector["soft"], pcpus),
            idlers: owned(&vector["idlers"], pcpus),
            pool: owned(&vector["online"], pcpus),
            smt_power_savings: int::<u8>(&vector["smt_power_savings"]) == 1,
            runq_head: match int::<u8>(&vector["runq"]) {
                2 => RunqHead::Guest,
                _ => RunqHead::Idle,
            },
            idle_bias: Cow::Owned(bias.clone()),
            told: Cow::Owned(CpuMask::empty(pcpus)),
        };
        let commit = int::<u8>(&vector["commit"]) == 1;
        for (revision, theirs) in outputs(&vector) {
            let outcome = pick(&inputs, &topology, revision.patches, |_| ());
            let changed = outcome.bias_of.filter(|of| commit && bias[of.index()] != outcome.cpu);
            let changes: Vec<_> = changed.map(|of| [of.0, outcome.cpu.0]).into_iter().collect();
            let what = || format!("pick {} {}", vector["id"], revision.name);
            tally.compare(what, &json!([outcome.cpu.0, changes]), &theirs);
        }
    }
    tally
}

pub fn steals() -> Tally {
    let mut tally = Tally::default();
    for vector in objects("steal") {
        let topology = topology(vector["topology"].as_str().expect("a name"));
        let peers = peers(&vector, topology.pcpu_count());
        let inputs = BalanceInputs {
            cpu: pcpu(&vector["cpu"]),
            snext_pri: Priority(int(&vector["snext_pri"])),
            now: SimTime::from_ns(int(&vector["now"])),
            migration_delay_ns: int::<u64>(&vector["migration_delay_us"]) * 1_000,
            idlers: owned(&vector["idlers"], topology.pcpu_count()),
            pool: owned(&vector["online"], topology.pcpu_count()),
            balance_bias: list(&vector["balance_bias"]).iter().map(pcpu).collect(),
            told: Cow::Owned(CpuMask::empty(topology.pcpu_count())),
            since_last_ns: 1,
            limit_ns: 0,
        };
        for (revision, theirs) in outputs(&vector) {
            let patches = revision.patches;
            let outcome = balance(&inputs, &peers, &topology, patches, |_| ());
            let mut bias: Vec<u16> = vec![];
            if patches.has(Patch::StealBias) {
                bias = inputs.balance_bias.iter().map(|pcpu| pcpu.0).collect();
                if let Some((_, victim)) = outcome.stolen {
                    bias[usize::from(topology.place(victim).node)] = victim.0;
                }
            }
            let mut runnable: Vec<u32> = vec![];
            if patches.has(Patch::StealSkipSingle) {
                runnable = peers.pcpus.iter().map(|(_, count, _)| *count).collect();
                if let Some((_, victim)) = outcome.stolen {
                    runnable[victim.index()] -= 1;
                    runnable[inputs.cpu.index()] += 1;
                }
            }
            let (gid, victim) = outcome
                .stolen
                .map_or((-1, -1), |(vcpu, victim)| (i32::from(vcpu.0), i32::from(victim.0)));
            let counts = balance_counters(inputs.snext_pri, &outcome, patches);
            let counts = named(counts.map(|(counter, count)| (name(counter), count)));
            let ours = json!([gid, victim, outcome.tries, bias, runnable, counts]);
            let what = || format!("steal {} {}", vector["id"], revision.name);
            tally.compare(what, &ours, &theirs);
        }
    }
    tally
}

fn peers(vector: &Value, pcpus: usize) -> PeerSnapshot {
    let queued = |entry: &Value| QueuedVcpu {
        yielded: false,
        vcpu: VcpuId(int(&entry["gid"])),
        pri: Priority(int(&entry["pri"])),
        hard: owned(&entry["hard"], pcpus),
        soft: owned(&entry["soft"], pcpus),
        is_running: int::<u8>(&entry["is_running"]) == 1,
        last_run: SimTime::from_ns(int(&entry["last_run"])),
    };
    let pcpu = |pcpu: &Value| {
        let idle = Priority(int(&pcpu["cur_pri"])) == Priority::IDLE;
        let queue: Vec<_> = list(&pcpu["runq"]).iter().map(queued).collect();
        let runnable = u32::try_from(queue.len()).expect("small") + u32::from(!idle);
        (idle, runnable, queue)
    };
    PeerSnapshot { pcpus: list(&vector["pcpus"]).iter().map(pcpu).collect() }
}
