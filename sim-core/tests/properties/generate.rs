//! Random scenarios: every one valid, all shapes of machine, guest and change.

use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::patches::{PATCHES, PatchSet};
use sim_core::rng::SplitMix64;
use sim_core::scenario::{Change, DomainSpec, Op, Params, Scenario, VcpuSpec};
use sim_core::topology::Topology;
use sim_core::workload::{RandomWorkload, Stretch, Workload};

const US: u64 = 1_000;
const MS: u64 = 1_000_000;

pub struct Draw(SplitMix64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    fn below(&mut self, end: u64) -> u64 {
        self.0.between(0, end - 1)
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn one_of<T: Copy>(&mut self, list: &[T]) -> T {
        let index = self.below(list.len() as u64);
        list[usize::try_from(index).expect("an index")]
    }

    fn small(&mut self, low: u64, high: u64) -> u16 {
        u16::try_from(self.0.between(low, high)).expect("small")
    }

    fn mask(&mut self, pcpus: u16) -> CpuMask {
        let mut mask = CpuMask::empty(pcpus.into());
        (0..pcpus).filter(|_| self.chance(50)).for_each(|pcpu| mask.insert(PcpuId(pcpu)));
        mask.insert(PcpuId(self.small(0, u64::from(pcpus) - 1)));
        mask
    }

    /// Any set of patches that is defined.
    pub fn patches(&mut self) -> PatchSet {
        let share = self.one_of(&[0, 20, 50, 80, 100]);
        let drawn = PATCHES.iter().filter(|_| self.chance(share)).map(|info| info.patch);
        drawn.fold(PatchSet::NONE, PatchSet::with).closed()
    }

    fn workload(&mut self) -> Workload {
        match self.below(4) {
            0 => Workload::Script(vec![Stretch { run_ns: 1_000 * MS, block_ns: 1 }]),
            1 => {
                let count = self.0.between(1, 4);
                let stretch = |draw: &mut Self| Stretch {
                    run_ns: draw.0.between(1, 3 * MS),
                    block_ns: if draw.chance(25) { 0 } else { draw.0.between(1, 4 * MS) },
                };
                Workload::Script((0..count).map(|_| stretch(self)).collect())
            }
            _ => {
                let low = self.0.between(1, 500 * US);
                Workload::Random(RandomWorkload {
                    run_ns: (low, low + self.0.between(0, 8 * MS)),
                    block_ns: (low, low + self.0.between(0, 4 * MS)),
                    yield_permille: self.one_of(&[0, 0, 100, 1_000]),
                })
            }
        }
    }

    fn vcpu(&mut self, pcpus: u16) -> VcpuSpec {
        let last = u64::from(pcpus) - 1;
        VcpuSpec {
            init_pcpu: PcpuId(self.small(0, last)),
            start_ns: self.one_of(&[0, 0, 1, 3 * MS, 11 * MS]),
            hard: self.chance(40).then(|| self.mask(pcpus)),
            soft: self.chance(30).then(|| self.mask(pcpus)),
            wake_on: self.chance(20).then(|| PcpuId(self.small(0, last))),
            workload: self.workload(),
        }
    }

    fn op(&mut self, pcpus: u16, domains: u16, vcpus: u16) -> Op {
        let change = match self.below(3) {
            0 => Change::Domain {
                domain: self.small(0, u64::from(domains) - 1),
                weight: self.chance(50).then(|| self.one_of(&[1, 256, 4_000])),
                cap: self.chance(50).then(|| self.one_of(&[0, 10, 100])),
            },
            1 => Change::Affinity {
                vcpu: self.small(0, u64::from(vcpus) - 1),
                soft: self.chance(40),
                mask: self.mask(pcpus),
            },
            _ => Change::Params {
                tslice_ms: self.one_of(&[1, 5, 30, 2_000]),
                ratelimit_us: self.one_of(&[0, 100, 1_000]),
            },
        };
        let pcpu = PcpuId(self.small(0, u64::from(pcpus) - 1));
        Op { time_ns: self.0.between(0, 60 * MS), pcpu, change }
    }

    pub fn scenario(&mut self) -> Scenario {
        let (sockets, cores, threads) = (self.small(1, 2), self.small(1, 4), self.small(1, 2));
        let pcpus = sockets * cores * threads;
        let domain = |draw: &mut Self| DomainSpec {
            weight: draw.one_of(&[1, 256, 256, 512, 65_535]),
            cap: draw.one_of(&[0, 0, 0, 5, 40, 100]),
            vcpus: (0..draw.0.between(1, 4)).map(|_| draw.vcpu(pcpus)).collect(),
        };
        let domains: Vec<_> = (0..self.0.between(1, 5)).map(|_| domain(self)).collect();
        let vcpus = domains.iter().map(|domain| domain.vcpus.len()).sum::<usize>();
        let (domain_count, vcpu_count) = (domains.len().try_into(), vcpus.try_into());
        let (domain_count, vcpu_count) = (domain_count.expect("few"), vcpu_count.expect("few"));
        let ops = (0..self.below(6)).map(|_| self.op(pcpus, domain_count, vcpu_count)).collect();
        Scenario {
            name: String::new(),
            note: String::new(),
            topology: Topology::regular(sockets, cores, threads, self.chance(50)),
            params: Params {
                tslice_ms: self.one_of(&[1, 2, 5, 30, 30, 100]),
                ratelimit_us: self.one_of(&[0, 100, 1_000, 5_000]),
                tickle_one_idle: self.chance(70),
                smt_power_savings: self.chance(20),
                lb_ratelimit_us: self.one_of(&[0, 50, 1_000]),
                migration_delay_us: self.one_of(&[0, 0, 50, 1_000]),
                ipi_latency_ns: self.one_of(&[0, 1, 1_000, 50_000]),
                ctx_switch_ns: self.one_of(&[0, 0, 1_500, 20_000]),
                cpu_up_step_ns: self.one_of(&[0, 0, 10_000]),
            },
            duration_ns: self.one_of(&[20 * MS, 65 * MS]),
            seed: self.0.next(),
            domains,
            ops,
        }
    }
}
