//! How near CPU time comes to what weights and caps entitle to, over a minute.

use super::print;
use sim_core::patches::PatchSet;
use sim_core::presets::hosts::hogs;
use sim_core::run::{Recording, RunEnd, Totals};
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
        let totals = Totals::of(recording.machine(), MINUTE_NS);
        let ran = totals.vcpus.iter().map(|vcpu| vcpu.tally.spent_ns[0]);
        let ran: Vec<u64> = ran.collect();
        let _ = writeln!(
            text,
            "{title}: hogs on {PCPUS} pCPUs for 60 s, percent of one pCPU\n{:>8} {:>6} {:>4} {:>9} \
             {:>9} {:>7}",
            "domain", "weight", "cap", "entitled", "ran", "error"
        );
        let each = usize::from(PCPUS);
        let sums = entitled.chunks(each).zip(ran.chunks(each));
        for ((number, (weight, cap)), (entitled, ran)) in (1..).zip(domains).zip(sums) {
            let percent = |ns: &[u64]| {
                let hundredths = ns.iter().sum::<u64>() * 10_000 / MINUTE_NS;
                i64::try_from(hundredths).expect("at most 100 % a pCPU")
            };
            let (entitled, ran) = (percent(entitled), percent(ran));
            let _ = writeln!(
                text,
                "{:>8} {weight:>6} {cap:>4} {:>9} {:>9} {:>7}",
                format!("d{number}"),
                hundredths(entitled),
                hundredths(ran),
                hundredths(ran - entitled)
            );
        }
    }
    print(&text)
}

/// A number of hundredths with its point.
fn hundredths(number: i64) -> String {
    let sign = if number < 0 { "-" } else { "" };
    let number = number.unsigned_abs();
    format!("{sign}{}.{:02}", number / 100, number % 100)
}
