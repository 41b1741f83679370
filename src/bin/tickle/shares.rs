//! How near CPU time comes to what weights and caps entitle to, over a minute, and what of the
//! difference is credit that the scheduler gave too little of or threw away.

use super::print;
use sim_core::decision::{Facts, Row, Sink};
use sim_core::ids::DecisionId;
use sim_core::machine::Machine;
use sim_core::patches::PatchSet;
use sim_core::policy::credit1::CREDITS_PER_MS;
use sim_core::presets::hosts::hogs;
use sim_core::run::{Recording, RunEnd, Totals, run_to_end};
use sim_core::units::SimTime;
use std::fmt::Write;

/// A minute, in ns.
const MINUTE_NS: u64 = 60_000_000_000;
const PCPUS: u16 = 4;
/// Weight and cap of each domain; a domain wants all pCPUs.
const MIXES: [(&str, &[(u32, u32)]); 2] = [
    ("weights", &[(64, 0), (128, 0), (256, 0), (512, 0), (1_024, 0)]),
    ("weights and caps", &[(64, 0), (128, 0), (256, 20), (512, 50), (1_024, 150)]),
];

/// ns of execution that a credit is worth.
const NS_PER_CREDIT: u64 = 1_000_000 / CREDITS_PER_MS as u64;

/// What accountings did with the credit of each guest, in credits.
struct Credit {
    given: Vec<u64>,
    /// Halved away from who had more than a slice's worth.
    thrown: Vec<u64>,
}

impl Sink for Credit {
    fn record(&mut self, _: DecisionId, _: &Row, facts: Facts<'_>) {
        let Facts::Account(facts) = facts else { return };
        for share in &facts.vcpus {
            let vcpu = share.vcpu.index();
            self.given[vcpu] += u64::from(share.earned.abs_diff(share.before));
            if share.stops_earning() {
                self.thrown[vcpu] += u64::from(share.earned.abs_diff(share.after));
            }
        }
    }
}

/// Runs hogs for a minute with these patches and prints each domain's share.
///
/// # Errors
/// One sentence.
pub fn shares(patches: PatchSet) -> Result<(), String> {
    let mut text = String::new();
    for (title, domains) in MIXES {
        let scenario = hogs(PCPUS, MINUTE_NS, domains).validate().map_err(|e| e.to_string())?;
        let mut recording = Recording::new(&scenario, patches);
        while recording.run(1_000_000, u32::MAX) == RunEnd::Unfinished {}
        let at = SimTime::from_ns(MINUTE_NS);
        let entitled = recording.measures().entitled_ns(recording.machine(), at);
        let mut machine = Machine::new(&scenario, patches);
        let guests = machine.system().guests;
        let mut credit = Credit { given: vec![0; guests], thrown: vec![0; guests] };
        run_to_end(&mut machine, &mut credit);
        let totals = Totals::of(&machine, MINUTE_NS);
        let ran: Vec<u64> = totals.vcpus.iter().map(|vcpu| vcpu.tally.spent_ns[0]).collect();
        let _ = writeln!(
            text,
            "{title}: hogs on {PCPUS} pCPUs for 60 s, percent of one pCPU\n{:>8} {:>6} {:>4} {:>9} \
             {:>9} {:>7} {:>9} {:>9}",
            "domain", "weight", "cap", "entitled", "ran", "error", "given", "thrown"
        );
        for (number, (weight, cap)) in domains.iter().enumerate() {
            let each = usize::from(PCPUS);
            let sum = |of: &[u64]| of[number * each..][..each].iter().sum::<u64>();
            let (entitled, ran) = (percent(sum(&entitled)), percent(sum(&ran)));
            let worth = |of: &[u64]| hundredths(percent(sum(of) * NS_PER_CREDIT));
            let _ = writeln!(
                text,
                "{:>8} {weight:>6} {cap:>4} {:>9} {:>9} {:>7} {:>9} {:>9}",
                format!("d{}", number + 1),
                hundredths(entitled),
                hundredths(ran),
                hundredths(ran - entitled),
                worth(&credit.given),
                worth(&credit.thrown),
            );
        }
    }
    print(&text)
}

/// Hundredths of a percent of one pCPU.
fn percent(ns: u64) -> i64 {
    i64::try_from(ns * 10_000 / MINUTE_NS).expect("at most a few hundred percent")
}

/// A number of hundredths with its point.
fn hundredths(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let number = number.unsigned_abs();
    format!("{sign}{}.{:02}", number / 100, number % 100)
}
