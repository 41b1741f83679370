//! Burning credit, inserting into a queue, sorting it.

use crate::vectors::{Tally, int, list, objects, outputs};
use serde_json::{Value, json};
use sim_core::decision::Priority;
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{Vcpu, burn, insert_position, sorted_order};
use sim_core::units::SimTime;

pub fn check() -> Tally {
    let mut tally = Tally::default();
    for vector in objects("misc") {
        for (revision, theirs) in outputs(&vector) {
            let ours = match vector["kind"].as_str() {
                Some("burn") => burns(&vector, revision.patches),
                Some("insert") => insert(&vector),
                Some("sort") => sort(&vector),
                kind => panic!("unknown kind {kind:?}"),
            };
            let what = || format!("misc {} {}", vector["id"], revision.name);
            tally.compare(what, &ours, &theirs);
        }
    }
    tally
}

fn burns(vector: &Value, patches: PatchSet) -> Value {
    let keeps_residual = patches.has(Patch::BurnResidual);
    let mut vcpu = Vcpu {
        credit: int(&vector["credit"]),
        start_time: int(&vector["start_time"]),
        residual: if keeps_residual { int(&vector["residual"]) } else { 0 },
        ..Vcpu::new(Priority::UNDER)
    };
    let burnt = list(&vector["at"]).iter().map(|at| {
        // Time before the machine's start is not of our type: nothing burns then.
        if let Ok(ns) = u64::try_from(int::<i64>(at)) {
            burn(&mut vcpu, SimTime::from_ns(ns), patches);
        }
        json!([vcpu.credit, vcpu.start_time, vcpu.residual])
    });
    Value::Array(burnt.collect())
}

fn queue(vector: &Value) -> Vec<Priority> {
    let guests = list(&vector["queue"]).iter().map(|pri| Priority(int(pri)));
    guests.chain([Priority::IDLE]).collect()
}

fn insert(vector: &Value) -> Value {
    let queue = queue(vector);
    let yields = int::<u8>(&vector["yield_flag"]) == 1;
    json!([insert_position(queue.iter().copied(), Priority(int(&vector["pri"])), yields, true)])
}

fn sort(vector: &Value) -> Value {
    let queue = queue(vector);
    let place = |place: usize| {
        let guest = i64::try_from(place).expect("small");
        if place + 1 == queue.len() { -1 } else { guest }
    };
    json!(sorted_order(&queue).map(place).collect::<Vec<_>>())
}
