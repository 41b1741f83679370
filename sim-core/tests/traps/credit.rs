//! Traps 22 to 30: handing out credit, charging it, parameters.

use crate::bench::{HOG, MS, US, revision, scenario, vcpu};
use crate::stage::{lines, machine, until, until_softirq};
use sim_core::decision::{
    AccountFacts, Charge, DomainShare, ParkFate, Priority as P, Purse, ScheduleFacts,
};
use sim_core::ids::{DomainId, VcpuId};
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{Credit1, Tslice, Vcpu, burn, rate_limit, share_out};
use sim_core::scenario::Params;
use sim_core::units::SimTime;

/// Weight, cap, and credit of each vCPU.
type Domain<'a> = (u32, u32, &'a [i32]);

/// What an accounting makes of these domains on so many pCPUs.
fn shared(pcpus: u32, balance: i32, domains: &[Domain<'_>]) -> AccountFacts {
    let weights =
        domains.iter().map(|(weight, _, own)| weight * u32::try_from(own.len()).expect("few"));
    let purse =
        Purse { weight_sum: weights.sum(), credit_pool: 300 * pcpus, balance, slice_credits: 300 };
    let domains = (0u16..).zip(domains).map(|(id, (weight, cap, own))| {
        let vcpus = (0u16..).zip(*own).map(|(vcpu, credit)| (VcpuId(vcpu), *credit, false));
        (DomainId(id), (*weight, *cap), vcpus)
    });
    share_out(purse, domains)
}

/// Trap 22: sums are unsigned, of 32 bits, and wrap; divisions round up; halving truncates; the
/// comparisons with a slice's worth and with the cap are strict.
#[test]
fn t22_arithmetic() {
    // 64 pCPUs, 16 vCPUs of weight 65,535: 19,200 × 1,048,560 is 2,952,482,816 above 4 × 2^32.
    let wrapped = &shared(64, 0, &[(65_535, 0, &[0; 16])]).domains[0];
    assert_eq!((wrapped.fair, wrapped.peak, wrapped.given), (2_816, 4_800, 176));
    // A debt of 80: 300 + 80 shared by 256 of 768 and 512 of 768, each rounded up.
    let debt = shared(1, -80, &[(256, 0, &[0]), (512, 0, &[0])]);
    let fair = debt.domains.iter().map(|share| (share.fair, share.peak));
    assert_eq!(fair.collect::<Vec<_>>(), [(127, 327), (254, 354)]);
    // One vCPU alone gets 300: at 301 it stops and halves, at 300 it goes on.
    let after = |credit| shared(1, 0, &[(256, 0, &[credit])]).vcpus[0];
    assert_eq!((after(1).after, after(1).stops_earning()), (150, true));
    assert_eq!((after(0).after, after(0).stops_earning()), (300, false));
    assert_eq!((after(-600).after, after(-600).is_clipped()), (-300, false));
    assert_eq!((after(-601).after, after(-601).is_clipped()), (-300, true));
    // A cap of 50 % gives 150 and parks below −150.
    let capped = |credit| shared(1, 0, &[(256, 50, &[credit])]).vcpus[0].fate;
    assert_eq!(capped(-300), ParkFate::Stays);
    assert_eq!(capped(-301), ParkFate::Parked);
    // A cap of 33 % of 300 is 99; three vCPUs are parked below −33 each; 10 % of 7 rounds up.
    let thirds = &shared(1, 0, &[(256, 33, &[0, 0, 0])]).domains[0];
    assert_eq!((thirds.peak, thirds.threshold), (99, Some(33)));
    let uneven = &shared(1, 0, &[(256, 50, &[0; 7])]).domains[0];
    assert_eq!((uneven.peak, uneven.threshold, uneven.given), (150, Some(22), 22));
}

/// Trap 23: surplus and reordering go by the order of the list, and who begins to earn goes to the
/// head of it.
#[test]
fn t23_the_order_of_the_lists() {
    let (capped, free): (Domain<'_>, Domain<'_>) = ((256, 20, &[-100]), (256, 0, &[-400, -290]));
    let moved = |domains: &[Domain<'_>]| {
        let of = |share: &DomainShare| (share.given, share.offered, share.reordered);
        shared(2, 0, domains).domains.iter().map(of).collect::<Vec<_>>()
    };
    assert_eq!(moved(&[capped, free]), [(60, Some(210), false), (270, None, false)]);
    assert_eq!(moved(&[free, capped]), [(200, None, false), (60, None, true)]);

    let mut guests = scenario(3, 11 * MS, vec![vcpu(0, 0, HOG), vcpu(2, 0, HOG)]);
    guests.domains[0].vcpus.push(vcpu(1, 0, HOG));
    let mut machine = machine(guests, revision("R2"));
    until(&mut machine, |machine| machine.next_time().is_none());
    // The ticks of p0, p1 and p2 found vCPUs 0, 1 and 2 in this order.
    let policy = machine.policy();
    assert_eq!(policy.active_domains, [DomainId(1), DomainId(0)]);
    assert_eq!(policy.domains[0].active, [VcpuId(1), VcpuId(0)]);
}

/// Trap 24: the sum of weights counts active vCPUs, not domains. Who sleeps at every tick is never
/// accounted, however much it runs, and keeps UNDER.
#[test]
fn t24_who_dodges_the_ticks() {
    // The first two run for ever; the third runs 8 of every 10 ms, from 1 ms after each tick on.
    let dodger = vcpu(2, MS, &[(8 * MS, 2 * MS)]);
    let mut guests = scenario(3, 95 * MS, vec![vcpu(0, 0, HOG), dodger]);
    guests.domains[0].vcpus.push(vcpu(1, 0, HOG));
    let accounts = lines(guests.clone(), revision("R2"), "A", 60 * MS);
    assert_eq!(accounts[0].split(' ').nth(4), Some("512"), "two vCPUs of one domain of 256");
    let mut machine = machine(guests, revision("R2"));
    until(&mut machine, |machine| machine.next_time().is_none());
    let sched = machine.policy().vcpu(VcpuId(2));
    assert_eq!((sched.credit, sched.active), (-720, false), "nine times 8 ms");
    assert!(sched.pri >= P::UNDER);
}

/// Trap 25: without an active vCPU an accounting begins no new epoch, but the next one comes.
#[test]
fn t25_no_work_no_epoch() {
    let late = scenario(1, 121 * MS, vec![vcpu(0, 95 * MS, HOG)]);
    let epochs = [30, 60, 90, 120].map(|ms| {
        let epoch = if ms == 120 { 1 } else { 0 };
        (format!("{}", ms * MS), epoch.to_string())
    });
    let lines = lines(late, revision("R2"), "A", 0);
    let seen = lines.iter().map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        (words[0].to_owned(), words[5].to_owned())
    });
    assert_eq!(seen.collect::<Vec<_>>(), epochs);
}

/// Trap 26: a new slice at run time changes only slice and accounting period at first, then tick
/// and credits as well, then the pool too.
#[test]
fn t26_a_new_slice() {
    let changed = |patches: PatchSet| {
        let mut machine = machine(scenario(2, MS, vec![vcpu(0, 0, HOG)]), patches);
        machine.edit(|policy, _| policy.adjust_params(10, 1_000));
        let Credit1 { tslice: Tslice { ms, tick_ns, credits }, credit_pool, .. } = machine.policy();
        (*ms, *tick_ns / US, *credits, *credit_pool)
    };
    let derives = revision("R2").with(Patch::TsliceDerives);
    assert_eq!(changed(revision("R2")), (10, 10_000, 300, 600));
    assert_eq!(changed(derives), (10, 3_333, 100, 600));
    assert_eq!(changed(derives.with(Patch::TsliceRepool)), (10, 3_333, 100, 200));
}

/// What the rate limit of 1 ms grants after so many ns.
fn granted(runtime_ns: u64, patches: PatchSet) -> Option<u64> {
    let facts = ScheduleFacts {
        cur: VcpuId(0),
        cur_pri: P::UNDER,
        cur_idle: false,
        cur_runnable: true,
        cur_credit: 0,
        charge: Charge::default(),
        runtime_ns,
        ratelimit_ns: MS,
        yielded: false,
        head: None,
        stolen: None,
        next: VcpuId(0),
        next_idle: false,
        slice_ns: None,
    };
    rate_limit(&facts, patches)
}

/// Trap 27: the least rest of a rate limit is 100 of the wrong unit, and it is the time run that is
/// compared with it: a rest of 50 ns is granted as it is.
#[test]
fn t27_the_least_rest() {
    let remaining = revision("R2").with(Patch::RatelimitRemaining);
    let rests = [99, 100, MS - 50, MS].map(|ran_ns| granted(ran_ns, remaining));
    assert_eq!(rests, [Some(100), Some(MS - 100), Some(50), None]);
    assert_eq!(granted(MS - 1, revision("R2")), Some(MS));
}

/// Trap 28: the scheduler of the boot takes a rate limit out of range as it is, but for the slice's
/// length; a change at run time is checked.
#[test]
fn t28_the_rate_limit_at_boot() {
    let machine = machine(scenario(1, MS, vec![vcpu(0, 0, HOG)]), revision("R9"));
    let boot = |ratelimit_us| {
        let params = Params { ratelimit_us, tslice_ms: 5, ..Params::default() };
        Credit1::new(machine.system(), &params, revision("R9"))
    };
    let limits = [0, 50, 600_000].map(|us| boot(us).ratelimit_ns);
    assert_eq!(limits, [0, 50 * US, 5 * MS]);
    let mut policy = boot(1_000);
    policy.adjust_params(5, 50);
    assert_eq!(policy.ratelimit_ns, MS, "refused as a whole");
}

/// Trap 29: a charge that lies ahead of now changes nothing, not even the remainder.
#[test]
fn t29_charged_in_advance() {
    for patches in [revision("R2"), revision("R9")] {
        let mut vcpu = Vcpu::new(P::UNDER);
        (vcpu.credit, vcpu.start_time, vcpu.residual) = (7, 300_000, 777);
        for now in [299_999, 300_000] {
            let charge = burn(&mut vcpu, SimTime::from_ns(now), patches);
            assert_eq!(charge.credits, 0);
            assert_eq!((vcpu.credit, vcpu.start_time, vcpu.residual), (7, 300_000, 777));
        }
    }
}

/// Trap 30: up to when execution is charged is relative while a vCPU does not run: what it waits is
/// not charged, and what is still owed is not lost.
#[test]
fn t30_waiting_is_not_charged() {
    // The first runs 5.07 ms and yields; the second runs 2 ms and yields; then the first again.
    let first = vcpu(0, 0, &[(5_070 * US, 0), (900 * MS, 1)]);
    let second = vcpu(0, 0, &[(2 * MS, 0), (900 * MS, 1)]);
    let both = || scenario(1, 10 * MS + 1, vec![first.clone(), second.clone()]);
    let carried = revision("R2").with(Patch::BurnResidual);
    let waiting = |patches| {
        let mut machine = machine(both(), patches);
        until_softirq(&mut machine, 5_070 * US);
        until(&mut machine, |machine| !machine.softirq_is_due());
        let sched = machine.policy().vcpu(VcpuId(0));
        (sched.credit, sched.start_time)
    };
    // 5.07 ms: 51 credits and 30 µs ahead, or 50 credits and 70 µs behind.
    assert_eq!(waiting(revision("R2")), (-51, 30_000));
    assert_eq!(waiting(carried), (-50, -70_000));
    for patches in [revision("R2"), carried] {
        let tick = &lines(both(), patches, "T", 0)[0];
        // 8 ms of its own until 10 ms.
        assert_eq!(tick, "10000000 0 T 0 -80 -1 0");
    }
}
