//! Small machines whose log lines are compared from a moment on.

use sim_core::cpumask::CpuMask;
use sim_core::decision::{Facts, PeerStep, PeerVerdict, Row, Sink};
use sim_core::ids::{DecisionId, PcpuId};
use sim_core::machine::Machine;
use sim_core::patches::{PatchSet, Revision};
use sim_core::run::{LogSink, run_to_end};
use sim_core::scenario::{DomainSpec, Params, Scenario, VcpuSpec};
use sim_core::topology::Topology;
use sim_core::workload::{Stretch, Workload};

pub const US: u64 = 1_000;
pub const MS: u64 = 1_000_000;

/// As good as for ever.
pub const HOG: &[(u64, u64)] = &[(1_000_000 * MS, 1)];

pub fn revision(name: &str) -> PatchSet {
    Revision::from_name(name).expect("known").patches
}

pub fn mask(pcpus: usize, members: &[u16]) -> CpuMask {
    let mut mask = CpuMask::empty(pcpus);
    members.iter().for_each(|pcpu| mask.insert(PcpuId(*pcpu)));
    mask
}

/// A vCPU that starts on `pcpu` at `start_ns` and runs `script`.
pub fn vcpu(pcpu: u16, start_ns: u64, script: &[(u64, u64)]) -> VcpuSpec {
    let stretch = |&(run_ns, block_ns): &(u64, u64)| Stretch { run_ns, block_ns };
    VcpuSpec {
        init_pcpu: PcpuId(pcpu),
        start_ns,
        hard: None,
        soft: None,
        wake_on: None,
        workload: Workload::Script(script.iter().map(stretch).collect()),
    }
}

pub fn pinned(pcpus: usize, to: &[u16], spec: VcpuSpec) -> VcpuSpec {
    VcpuSpec { hard: Some(mask(pcpus, to)), ..spec }
}

/// Every vCPU in a domain of its own; pCPUs are cores of one socket.
pub fn scenario(pcpus: u16, duration_ns: u64, vcpus: Vec<VcpuSpec>) -> Scenario {
    let domain = |vcpu| DomainSpec { weight: 256, cap: 0, vcpus: vec![vcpu] };
    Scenario {
        name: String::new(),
        note: String::new(),
        topology: Topology::regular(1, pcpus, 1, false),
        params: Params::default(),
        duration_ns,
        seed: 0,
        domains: vcpus.into_iter().map(domain).collect(),
        ops: vec![],
    }
}

/// The log lines of a run from `from_ns` on, without ticks and accountings; the credit of a switch
/// is cut off.
pub fn log(scenario: Scenario, patches: PatchSet, from_ns: u64) -> Vec<String> {
    let scenario = scenario.validate().expect("valid");
    let mut machine = Machine::new(&scenario, patches);
    let guests = machine.system().guests;
    let mut lines = vec![];
    let mut sink = LogSink::new(scenario.duration_ns, guests, |time, line: &[u8]| {
        let line = std::str::from_utf8(line).expect("ASCII").trim_end().to_owned();
        let letter = line.split(' ').nth(2).expect("a letter").to_owned();
        if time.as_ns() < from_ns || ["T", "A", "a"].contains(&letter.as_str()) {
            return;
        }
        let cut = if letter == "S" { line.rsplit_once(' ').expect("fields").0 } else { &line };
        lines.push(cut.to_owned());
    });
    run_to_end(&mut machine, &mut sink);
    lines
}

/// The codes and vCPUs of all records from `from_ns` on.
pub fn codes(scenario: Scenario, patches: PatchSet, from_ns: u64) -> Vec<(u64, &'static str, u16)> {
    struct Codes(u64, Vec<(u64, &'static str, u16)>);
    impl Sink for Codes {
        fn record(&mut self, _: DecisionId, row: &Row, _: Facts<'_>) {
            if row.time.as_ns() >= self.0 {
                self.1.push((row.time.as_ns(), row.reason.info().code, row.subject.0));
            }
        }
    }
    let scenario = scenario.validate().expect("valid");
    let mut codes = Codes(from_ns, vec![]);
    run_to_end(&mut Machine::new(&scenario, patches), &mut codes);
    codes.1
}

/// A search's peers in order, with 1 for tried and 0 for skipped: what the trace record says.
pub fn checked(steps: &[PeerStep]) -> Vec<(u16, u8)> {
    let check = |step: &PeerStep| match step {
        PeerStep::Peer { peer, verdict, .. } => {
            Some((peer.0, u8::from(*verdict != PeerVerdict::Skipped)))
        }
        PeerStep::Queued { .. } => None,
    };
    steps.iter().filter_map(check).collect()
}
