//! The machine as rows are drawn for it: where each pCPU sits and what each vCPU is called.
//!
//! Must not know what runs.

use crate::protocol::{IDLE, SWITCHING};
use sim_core::scenario::Scenario;

/// The machine of a scenario, as far as a picture needs it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MachineShape {
    /// Per pCPU, where it sits.
    pub pcpus: Vec<PcpuShape>,
    /// Per vCPU, counted over all domains.
    pub vcpus: Vec<VcpuShape>,
}

/// Where a pCPU sits. Cores, sockets and nodes are counted over the machine, from 0, in the order
/// of their first pCPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PcpuShape {
    /// Its core.
    pub core: u16,
    /// Its socket.
    pub socket: u16,
    /// Its NUMA node.
    pub node: u16,
}

/// Which vCPU of which domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VcpuShape {
    /// Index of its domain.
    pub domain: u16,
    /// Its index within the domain.
    pub index: u16,
}

impl MachineShape {
    /// The shape of a scenario's machine and guests.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Self {
        let places = scenario.topology.places();
        let (mut cores, mut sockets) = (Vec::new(), Vec::new());
        let pcpus = places.iter().map(|place| PcpuShape {
            core: number_of(&mut cores, place.sibling.first()),
            socket: number_of(&mut sockets, place.socket.first()),
            node: place.node,
        });
        let domains = (0u16..).zip(&scenario.domains);
        let vcpus = domains.flat_map(|(domain, spec)| {
            (0u16..).zip(&spec.vcpus).map(move |(index, _)| VcpuShape { domain, index })
        });
        Self { pcpus: pcpus.collect(), vcpus: vcpus.collect() }
    }

    /// Number of domains.
    #[must_use]
    pub fn domain_count(&self) -> u16 {
        self.vcpus.last().map_or(0, |vcpu| vcpu.domain + 1)
    }

    /// What a vCPU is called: `d1v0`; `idle` and `switching` for what is none.
    #[must_use]
    pub fn vcpu_name(&self, vcpu: u16) -> String {
        match vcpu {
            IDLE => "idle".into(),
            SWITCHING => "switching".into(),
            _ => self.vcpus.get(usize::from(vcpu)).map_or_else(
                || format!("v{vcpu}"),
                |of| format!("d{}v{}", u32::from(of.domain) + 1, of.index),
            ),
        }
    }
}

/// Whether the number is a guest's vCPU, and neither idle nor a context switch.
#[must_use]
pub const fn is_guest(vcpu: u16) -> bool {
    vcpu != IDLE && vcpu != SWITCHING
}

/// The place of `key` in `seen`, where it is put if it is new.
fn number_of<K: PartialEq>(seen: &mut Vec<K>, key: K) -> u16 {
    let at = seen.iter().position(|old| *old == key).unwrap_or_else(|| {
        seen.push(key);
        seen.len() - 1
    });
    u16::try_from(at).expect("there are no more cores than pCPUs")
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::presets::PRESETS;
    use sim_core::topology::Topology;

    /// Goal: cores and sockets are counted over the machine, whatever mask names them.
    #[test]
    fn cores_and_sockets_are_counted_over_the_machine() {
        let mut scenario = (PRESETS[0].build)();
        scenario.topology = Topology::regular(2, 2, 2, true);
        let shape = MachineShape::of(&scenario);
        let cores: Vec<_> = shape.pcpus.iter().map(|p| (p.core, p.socket, p.node)).collect();
        assert_eq!(cores[..4], [(0, 0, 0), (0, 0, 0), (1, 0, 0), (1, 0, 0)]);
        assert_eq!(cores[4..], [(2, 1, 1), (2, 1, 1), (3, 1, 1), (3, 1, 1)]);
    }

    /// Goal: people count domains from 1 and vCPUs of a domain from 0.
    #[test]
    fn vcpus_are_called_by_domain_and_index() {
        let shape = MachineShape::of(&(PRESETS[0].build)());
        let first_of_second = shape.vcpus.iter().position(|v| v.domain == 1).expect("two domains");
        let number = u16::try_from(first_of_second).expect("small");
        assert_eq!(shape.vcpu_name(number), "d2v0");
        assert_eq!(shape.vcpu_name(IDLE), "idle");
    }
}
