//! E8, E8b, E9, E13: credit.

use crate::bench::{HOG, MS, revision, scenario, vcpu};
use sim_core::decision::{AccountFacts, Counter, Facts, NoSink, ParkFate, Priority, Row, Sink};
use sim_core::ids::{DecisionId, DomainId, VcpuId};
use sim_core::machine::Machine;
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{Vcpu, burn};
use sim_core::run::{Totals, run_to_end};
use sim_core::units::SimTime;

/// Domains as weight, cap and credits, in the order of the active list.
type Domain = (u32, u32, &'static [i32]);

/// A machine of two pCPUs on which these domains are active.
fn active(domains: &[Domain]) -> Machine {
    let specs = domains.iter().map(|_| vcpu(0, 0, HOG)).collect();
    let mut scenario = scenario(2, MS, specs);
    for (spec, (weight, _, credits)) in scenario.domains.iter_mut().zip(domains) {
        spec.weight = *weight;
        spec.vcpus = vec![spec.vcpus[0].clone(); credits.len()];
    }
    let mut machine = Machine::new(&scenario.validate().expect("valid"), revision("R2"));
    machine.edit(|policy, system| {
        let mut next = 0u16;
        for (index, (weight, cap, credits)) in (0u16..).zip(domains) {
            system.domains[usize::from(index)] = (*weight, *cap);
            policy.active_domains.push(DomainId(index));
            for credit in *credits {
                let sched = &mut policy.vcpus[usize::from(next)];
                (sched.credit, sched.active) = (*credit, true);
                policy.domains[usize::from(index)].active.push(VcpuId(next));
                policy.weight_sum += weight;
                next += 1;
            }
        }
    });
    machine
}

fn credits(machine: &Machine) -> Vec<i32> {
    let guests = machine.system().guests;
    machine.policy().vcpus[..guests].iter().map(|vcpu| vcpu.credit).collect()
}

/// Keeps the facts of an accounting.
#[derive(Default)]
struct Catch(Option<AccountFacts>);

impl Sink for Catch {
    fn record(&mut self, _: DecisionId, _: &Row, facts: Facts<'_>) {
        if let Facts::Account(facts) = facts {
            self.0 = Some(facts.clone());
        }
    }
}

/// E8, E8b: the facts of the record hold every number of the examples.
#[test]
fn e8_the_facts_explain_each_share() {
    let shares = |domains| {
        let mut catch = Catch::default();
        active(domains).account_now(&mut catch);
        let facts = catch.0.expect("an accounting leaves its record");
        let of = facts.domains.iter().map(|share| (share.fair, share.peak, share.given));
        (of.collect::<Vec<_>>(), facts)
    };
    let (given, facts) = shares(&[(512, 0, &[-200, -300]), (256, 0, &[-180])]);
    assert_eq!(given, [(480, 600, 240), (120, 300, 120)]);
    assert_eq!((facts.credit_total, facts.balance_after), (600, -80));
    let changes: Vec<_> = facts.vcpus.iter().map(|share| (share.before, share.after)).collect();
    assert_eq!(changes, [(-200, 40), (-300, -60), (-180, -60)]);
    assert!(facts.vcpus.iter().all(|share| share.fate == ParkFate::Stays));

    let (given, facts) = shares(&[(256, 20, &[-100]), (256, 0, &[-400, -290])]);
    assert_eq!(given, [(200, 60, 60), (540, 600, 270)]);
    assert_eq!((facts.domains[0].offered, facts.domains[0].threshold), (Some(210), Some(60)));
    assert_eq!((facts.domains[1].credit_total, facts.domains[1].offered), (810, None));
    let (given, facts) = shares(&[(256, 0, &[-400, -290]), (256, 20, &[-100])]);
    assert_eq!(given, [(400, 600, 200), (200, 60, 60)]);
    assert!(facts.domains[1].reordered && !facts.domains[0].reordered);
}

/// E8: two rounds in which nobody runs.
#[test]
fn e8_two_rounds() {
    let mut machine = active(&[(512, 0, &[-200, -300]), (256, 0, &[-180])]);
    assert_eq!(machine.policy().weight_sum, 1_280);
    machine.account_now(&mut NoSink);
    assert_eq!(credits(&machine), [40, -60, -60]);
    assert_eq!(machine.policy().balance, -80);
    let priorities: Vec<_> = machine.policy().vcpus[..3].iter().map(|vcpu| vcpu.pri).collect();
    assert_eq!(priorities, [Priority::UNDER, Priority::OVER, Priority::OVER]);
    machine.account_now(&mut NoSink);
    assert_eq!(credits(&machine), [156, 212, 76]);
    assert_eq!((machine.policy().balance, machine.policy().weight_sum), (444, 768));
    assert_eq!(machine.counters().get(Counter::AcctBalance), 1);
}

/// E8b: what a capped domain leaves goes only to domains behind it in the list.
#[test]
fn e8b_surplus_flows_forward() {
    let mut machine = active(&[(256, 20, &[-100]), (256, 0, &[-400, -290])]);
    machine.account_now(&mut NoSink);
    assert_eq!(credits(&machine), [-40, -130, -20]);
    let mut machine = active(&[(256, 0, &[-400, -290]), (256, 20, &[-100])]);
    machine.account_now(&mut NoSink);
    assert_eq!(credits(&machine), [-200, -90, -40]);
    assert_eq!(machine.counters().get(Counter::AcctReorder), 1);
    assert_eq!(machine.policy().active_domains, [DomainId(1), DomainId(0)]);
}

/// E9: a cap of 50 % on one pCPU is 60 ms on and 60 ms off.
#[test]
fn e9_a_cap_halves() {
    let run = |patches: PatchSet| {
        let mut capped = scenario(1, 1_200 * MS, vec![vcpu(0, 0, HOG)]);
        capped.domains[0].cap = 50;
        let mut machine = Machine::new(&capped.validate().expect("valid"), patches);
        run_to_end(&mut machine, &mut NoSink);
        let boosts = machine.counters().get(Counter::VcpuBoost);
        (Totals::of(&machine, 1_200 * MS).vcpus[0].tally.spent_ns[0], boosts)
    };
    let traced = revision("R2").with(Patch::TraceBoost);
    assert_eq!(run(traced), (600 * MS, 1), "boosted at its first start only");
    let (ran, boosts) = run(traced.with(Patch::UnparkBoosts));
    assert_eq!(ran, 600 * MS);
    assert!(boosts > 5, "every unpark boosts, {boosts} in all");
}

/// E13: rounding and keeping the remainder charge the same in the end.
#[test]
fn e13_burning() {
    let charge = |patches: PatchSet| {
        let mut vcpu = Vcpu::new(Priority::UNDER);
        burn(&mut vcpu, SimTime::from_ns(250_000), patches);
        let first = (vcpu.credit, vcpu.start_time, vcpu.residual);
        burn(&mut vcpu, SimTime::from_ns(300_000), patches);
        (first, (vcpu.credit, vcpu.start_time, vcpu.residual))
    };
    assert_eq!(charge(revision("R2")), ((-3, 300_000, 0), (-3, 300_000, 0)));
    let carried = revision("R2").with(Patch::BurnResidual);
    assert_eq!(charge(carried), ((-2, 200_000, 500_000), (-3, 300_000, 500_000)));
}
