//! Hosts to measure and test with; no presets, so that no link names them.
//!
//! Made by rule, of any size: what is asked of them must not depend on luck.

use super::small::FOR_EVER;
use crate::ids::PcpuId;
use crate::scenario::{DomainSpec, Params, Scenario, VcpuSpec};
use crate::topology::Topology;
use crate::workload::{RandomWorkload, Stretch, Workload};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

/// pCPUs of a socket of [`host`]: eight cores of two threads.
pub const SOCKET_PCPUS: u16 = 16;
/// vCPUs per pCPU of [`host`].
pub const VCPUS_PER_PCPU: u16 = 8;
/// vCPUs of a domain of [`host`].
const DOMAIN_VCPUS: u16 = 4;

fn guest(pcpu: u16, workload: Workload) -> VcpuSpec {
    let init_pcpu = PcpuId(pcpu);
    VcpuSpec { init_pcpu, start_ns: 0, hard: None, soft: None, wake_on: None, workload }
}

/// A host of so many sockets, each a NUMA node, with eight vCPUs per pCPU in domains of four. They
/// run for 0.2 to 1.2 ms and sleep for 4 to 12 ms, which loads every host alike, by about 70 %.
#[must_use]
pub fn host(sockets: u16, duration_ns: u64) -> Scenario {
    let topology = Topology::regular(sockets, SOCKET_PCPUS / 2, 2, true);
    let pcpus = sockets * SOCKET_PCPUS;
    let random = RandomWorkload {
        run_ns: (200_000, 1_200_000),
        block_ns: (4_000_000, 12_000_000),
        yield_permille: 10,
    };
    let vcpu = |number: u16| guest(number % pcpus, Workload::Random(random.clone()));
    let domain = |first: u16| DomainSpec {
        weight: 256,
        cap: 0,
        vcpus: (first..first + DOMAIN_VCPUS).map(vcpu).collect(),
    };
    let firsts = (0..pcpus * VCPUS_PER_PCPU).step_by(DOMAIN_VCPUS.into());
    Scenario {
        name: alloc::format!("host-{pcpus}"),
        note: String::new(),
        topology,
        params: Params { ctx_switch_ns: 1_000, ..Params::default() },
        duration_ns,
        seed: 1,
        domains: firsts.map(domain).collect(),
        ops: vec![],
    }
}

/// Hogs on `pcpus` cores: one domain for each weight and cap (percent, 0 = none), each with a vCPU
/// per pCPU.
#[must_use]
pub fn hogs(pcpus: u16, duration_ns: u64, domains: &[(u32, u32)]) -> Scenario {
    let forever = || Workload::Script(vec![Stretch { run_ns: FOR_EVER, block_ns: 1 }]);
    let vcpus: Vec<VcpuSpec> = (0..pcpus).map(|pcpu| guest(pcpu, forever())).collect();
    let domain = |&(weight, cap): &(u32, u32)| DomainSpec { weight, cap, vcpus: vcpus.clone() };
    Scenario {
        name: String::from("hogs"),
        note: String::new(),
        topology: Topology::regular(1, pcpus, 1, false),
        params: Params::default(),
        duration_ns,
        seed: 0,
        domains: domains.iter().map(domain).collect(),
        ops: vec![],
    }
}
