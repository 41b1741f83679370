//! What CPU time each vCPU is entitled to, worked out beside the run.
//!
//! For each stretch between two accountings: the pCPUs' time is shared out over the domains that
//! want it, in proportion to weight × vCPUs that want to run (the accounting adds a domain's weight
//! once per active vCPU), no domain above its cap or above what its vCPUs want, and what one cannot
//! use goes to the others by the same rule. Within a domain its vCPUs are equal. A vCPU wants a
//! pCPU while it runs, waits for one, or is parked. Affinity is not looked at.
//! Must not follow the scheduler's own sums: it is what they are measured against.

use crate::ids::VcpuId;
use crate::machine::Machine;
use crate::policy::cx::pause;
use crate::units::SimTime;
use alloc::vec;
use alloc::vec::Vec;

/// A claim on something that is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its weight.
    pub weight: u64,
    /// The most that it can take.
    pub most: u64,
}

/// Shares `whole` out by weight; nobody gets more than their most, and what is left over by them
/// goes to the others by weight. Rounded down: at most one unit a claim is lost.
#[must_use]
pub fn fill(whole: u64, claims: &[Claim]) -> Vec<u64> {
    let mut shares = vec![0; claims.len()];
    // Who is filled with the least per weight is filled first.
    let mut order: Vec<usize> = (0..claims.len()).filter(|at| claims[*at].weight > 0).collect();
    let cross = |a: Claim, b: Claim| u128::from(a.most) * u128::from(b.weight);
    order.sort_by(|a, b| {
        let (a, b) = (claims[*a], claims[*b]);
        cross(a, b).cmp(&cross(b, a))
    });
    let mut weights: u128 = order.iter().map(|at| u128::from(claims[*at].weight)).sum();
    let mut left = whole;
    for at in order {
        let claim = claims[at];
        let fair = u128::from(left) * u128::from(claim.weight) / weights;
        let share = u64::try_from(fair).expect("a part of the whole").min(claim.most);
        shares[at] = share;
        left -= share;
        weights -= u128::from(claim.weight);
    }
    shares
}

/// What has been seen of a vCPU.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    /// Time that it wanted a pCPU up to the last accounting, in ns.
    wanted_ns: u64,
    /// Time offline before it was started, in ns: it wanted nothing. None until then.
    unborn_ns: Option<u64>,
}

/// The sums under way.
#[derive(Clone, Debug)]
pub(super) struct Shares {
    seen: Vec<Seen>,
    since: SimTime,
    entitled_ns: Vec<u64>,
}

impl Shares {
    pub(super) fn new(guests: usize) -> Self {
        Self {
            seen: vec![Seen::default(); guests],
            since: SimTime::ZERO,
            entitled_ns: vec![0; guests],
        }
    }

    /// A vCPU may have been started in the step that the machine has just taken.
    pub(super) fn look(&mut self, machine: &Machine, vcpu: VcpuId) {
        let seen = &mut self.seen[vcpu.index()];
        if seen.unborn_ns.is_none() && machine.system().vcpu(vcpu).pause & pause::DOWN == 0 {
            let [.., offline] = machine.vcpu_tally(vcpu, machine.now().as_ns()).spent_ns;
            seen.unborn_ns = Some(offline);
        }
    }

    /// An accounting is over: what was wanted since the last one is shared out.
    pub(super) fn settle(&mut self, machine: &Machine, at: SimTime) {
        let length_ns = (at - self.since).as_ns();
        self.since = at;
        let system = machine.system();
        let mut wants = Vec::with_capacity(self.seen.len());
        for (number, seen) in (0u16..).zip(&mut self.seen) {
            let [running, runnable, _, offline] =
                machine.vcpu_tally(VcpuId(number), at.as_ns()).spent_ns;
            let unborn = seen.unborn_ns.unwrap_or(offline);
            let wanted_ns = running + runnable + (offline - unborn);
            wants.push(wanted_ns - seen.wanted_ns);
            seen.wanted_ns = wanted_ns;
        }
        let whole = length_ns * system.topology.pcpu_count() as u64;
        let mut guests = wants.as_slice();
        let mut claims = Vec::with_capacity(system.domains.len());
        let mut members = Vec::with_capacity(system.domains.len());
        for (domain, (weight, cap)) in machine.scenario().domains.iter().zip(&system.domains) {
            let (own, others) = guests.split_at(domain.vcpus.len());
            guests = others;
            let wanting = own.iter().filter(|want| **want > 0).count() as u64;
            let capped = if *cap == 0 { u64::MAX } else { length_ns * u64::from(*cap) / 100 };
            let most = own.iter().sum::<u64>().min(capped);
            claims.push(Claim { weight: u64::from(*weight) * wanting, most });
            members.push(own);
        }
        let mut sums = self.entitled_ns.iter_mut();
        for (share, own) in fill(whole, &claims).into_iter().zip(members) {
            let own: Vec<Claim> = own.iter().map(|want| Claim { weight: 1, most: *want }).collect();
            for part in fill(share, &own) {
                *sums.next().expect("as many as guests") += part;
            }
        }
    }

    /// Per guest, up to the last accounting, in ns.
    pub(super) fn entitled_ns(&self) -> &[u64] {
        &self.entitled_ns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(whole: u64, claims: &[(u64, u64)]) -> Vec<u64> {
        let claims = claims.iter().map(|(weight, most)| Claim { weight: *weight, most: *most });
        fill(whole, &claims.collect::<Vec<_>>())
    }

    /// Goal: by weight; a cap or too few vCPUs bound a share, and the rest flows to the others by
    /// weight again and again.
    #[test]
    fn water_filling() {
        assert_eq!(shares(900, &[(512, 900), (256, 900)]), [600, 300]);
        assert_eq!(shares(900, &[(256, 300), (256, 900), (512, 900)]), [225, 225, 450]);
        // The heavy one has one vCPU on three pCPUs: it takes 300, the others share 600.
        assert_eq!(shares(900, &[(2_048, 300), (256, 900), (256, 900)]), [300, 300, 300]);
        // Filling one fills the next: 100, then half of 800 bounded by 250, then the rest.
        assert_eq!(shares(900, &[(256, 100), (256, 250), (256, 900)]), [100, 250, 550]);
        // All are served and something is left over.
        assert_eq!(shares(900, &[(256, 100), (1, 200)]), [100, 200]);
        assert_eq!(shares(900, &[]), [0; 0]);
        assert_eq!(shares(900, &[(0, 0), (256, 900)]), [0, 900]);
    }

    /// Goal: nobody is above their most, nothing is handed out twice, and what is not handed out
    /// is rounding unless all are served.
    #[test]
    fn nothing_is_lost_or_given_twice() {
        let mut random = crate::rng::SplitMix64::new(7);
        let mut below = |most: u64| random.next() % most;
        for _ in 0..500 {
            let whole = below(1_000_000);
            let claims: Vec<Claim> = (0..below(9))
                .map(|_| Claim { weight: 1 + below(65_535), most: below(400_000) })
                .collect();
            let given = fill(whole, &claims);
            let sum: u64 = given.iter().sum();
            assert!(given.iter().zip(&claims).all(|(share, claim)| *share <= claim.most));
            assert!(sum <= whole, "{claims:?}");
            let served = given.iter().zip(&claims).all(|(share, claim)| *share == claim.most);
            assert!(served || whole - sum <= claims.len() as u64, "{whole} {claims:?} {given:?}");
        }
    }
}
