//! Random states, and two that are not random.

use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::patches::{PATCHES, PatchSet};
use sim_core::presets::PRESETS;
use sim_core::rng::SplitMix64;
use sim_core::scenario::{Change, DomainSpec, Op, Params, Scenario, VcpuSpec};
use sim_core::topology::{PcpuPlace, Topology};
use sim_core::workload::{RandomWorkload, Stretch, Workload};
use tickle::share::{CAPTION_MAX, Panels, Place, ScenarioChoice, ShareState, SideB, Stop};

/// Draws for one random state.
pub struct Draw(pub SplitMix64);

impl Draw {
    pub fn below<T: TryFrom<u64>>(&mut self, limit: u64) -> T {
        let drawn = self.0.next() % limit;
        T::try_from(drawn).unwrap_or_else(|_| panic!("{drawn} does not fit"))
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below::<u64>(n) == 0
    }

    pub fn time(&mut self) -> u64 {
        let unit = [1, 1_000, 1_000_000, 1_000_000_000][self.below::<usize>(4)];
        1 + self.below::<u64>(3_000) * unit
    }

    pub fn mask(&mut self, pcpus: usize) -> CpuMask {
        let mut mask = CpuMask::empty(pcpus);
        mask.insert(PcpuId(self.below(pcpus as u64)));
        for _ in 0..self.below::<u64>(4) {
            mask.insert(PcpuId(self.below(pcpus as u64)));
        }
        mask
    }

    fn topology(&mut self) -> Topology {
        let (sockets, cores) = (1 + self.below::<u16>(3), 1 + self.below::<u16>(5));
        let regular = Topology::regular(sockets, cores, 1 + self.below::<u16>(2), self.one_in(2));
        if !self.one_in(3) {
            return regular;
        }
        // Irregular: some pCPU has lost its sibling, and nodes are anywhere.
        let pcpus = regular.pcpu_count();
        let place = |(pcpu, place): (u16, &PcpuPlace)| PcpuPlace {
            sibling: regular.all().only(PcpuId(pcpu)),
            node: self.below(pcpus as u64),
            ..place.clone()
        };
        Topology::new((0u16..).zip(regular.places()).map(place).collect())
    }

    pub fn vcpu(&mut self, pcpus: usize) -> VcpuSpec {
        let workload = if self.one_in(2) {
            let count = 1 + self.below::<usize>(4);
            let stretch = |_| Stretch { run_ns: self.time(), block_ns: self.time() - 1 };
            Workload::Script((0..count).map(stretch).collect())
        } else {
            let (run, block) = (self.time(), self.time());
            Workload::Random(RandomWorkload {
                run_ns: (run, run + self.time()),
                block_ns: (block, block + self.time()),
                yield_permille: self.below(1_001),
            })
        };
        VcpuSpec {
            init_pcpu: PcpuId(self.below(pcpus as u64)),
            start_ns: if self.one_in(2) { 0 } else { self.time() },
            hard: self.one_in(3).then(|| self.mask(pcpus)),
            soft: self.one_in(5).then(|| self.mask(pcpus)),
            wake_on: self.one_in(5).then(|| PcpuId(self.below(pcpus as u64))),
            workload,
        }
    }

    fn change(&mut self, pcpus: usize, domains: u64, vcpus: u64) -> Change {
        match self.below::<u8>(3) {
            0 => Change::Domain {
                domain: self.below(domains),
                weight: self.one_in(2).then(|| 1 + self.below::<u32>(65_535)),
                cap: self.one_in(2).then(|| self.below(100)),
            },
            1 => Change::Affinity {
                vcpu: self.below(vcpus),
                soft: self.one_in(2),
                mask: self.mask(pcpus),
            },
            _ => {
                Change::Params { tslice_ms: self.below(70_000), ratelimit_us: self.below(1 << 32) }
            }
        }
    }

    fn scenario(&mut self) -> Scenario {
        let topology = self.topology();
        let pcpus = topology.pcpu_count();
        let domain = |draw: &mut Self| {
            let count = 1 + draw.below::<usize>(4);
            let mut vcpus: Vec<VcpuSpec> = (0..count).map(|_| draw.vcpu(pcpus)).collect();
            if draw.one_in(2) {
                let first = vcpus[0].workload.clone();
                vcpus.iter_mut().for_each(|vcpu| vcpu.workload = first.clone());
            }
            DomainSpec { weight: 1 + draw.below::<u32>(65_535), cap: draw.below(100), vcpus }
        };
        let domains: Vec<DomainSpec> = (0..=self.below::<usize>(5)).map(|_| domain(self)).collect();
        let vcpus = domains.iter().map(|domain| domain.vcpus.len() as u64).sum();
        let op = |draw: &mut Self| Op {
            time_ns: draw.time(),
            pcpu: PcpuId(draw.below(pcpus as u64)),
            change: draw.change(pcpus, domains.len() as u64, vcpus),
        };
        let ops = (0..self.below::<usize>(3)).map(|_| op(self)).collect();
        Scenario {
            name: ["", "my own", "größer & länger"][self.below::<usize>(3)].to_owned(),
            note: ["", "Two hogs.\n“Quoted”."][self.below::<usize>(2)].to_owned(),
            topology,
            params: Params {
                tslice_ms: 1 + self.below::<u32>(100),
                ratelimit_us: [0, 100, 1_000][self.below::<usize>(3)],
                tickle_one_idle: self.one_in(2),
                smt_power_savings: self.one_in(2),
                migration_delay_us: self.below(1_000_000),
                ipi_latency_ns: self.below(1_000_000),
                ctx_switch_ns: self.below(1_000_000),
                cpu_up_step_ns: self.below(100),
                lb_ratelimit_us: if self.one_in(2) { 0 } else { 1_000 },
            },
            duration_ns: 1 + self.below::<u64>(600_000_000_000),
            seed: self.0.next(),
            domains,
            ops,
        }
    }

    pub fn state(&mut self) -> ShareState {
        let scenario = if self.one_in(3) {
            ScenarioChoice::Preset(PRESETS[self.below::<usize>(PRESETS.len() as u64)].number)
        } else {
            ScenarioChoice::Own(Box::new(self.scenario()))
        };
        let patches = PATCHES.iter().filter(|_| self.one_in(3));
        let patches = patches.fold(PatchSet::NONE, |set, info| set.with(info.patch)).closed();
        let start = self.0.next() >> 1;
        ShareState {
            view: self.one_in(2).then(|| (start, start + self.time())),
            cursor_ns: self.one_in(2).then(|| self.0.next()),
            selection: self.one_in(2).then(|| Place {
                time_ns: self.time(),
                pcpu: self.below(1 << 16),
                kind: self.below(9),
                nth: self.below(256),
            }),
            digest: self.one_in(2).then(|| self.0.next()),
            ..ShareState::bare(scenario, patches)
        }
    }

    fn patches(&mut self) -> PatchSet {
        let patches = PATCHES.iter().filter(|_| self.one_in(4));
        patches.fold(PatchSet::NONE, |set, info| set.with(info.patch)).closed()
    }

    fn stop(&mut self) -> Stop {
        let start = self.time();
        let selection = self.one_in(2).then(|| Place {
            time_ns: self.time(),
            pcpu: self.below(64),
            kind: self.below(9),
            nth: self.below(3),
        });
        let implied = selection.map_or(0, |place| place.pcpu);
        Stop {
            view: (start, start + self.time()),
            cursor_ns: self.time(),
            row: if self.one_in(2) { implied } else { self.below(1_024) },
            selection,
            range: self.one_in(4).then(|| (start, start + self.time())),
            caption: match self.below::<u8>(4) {
                0 => String::new(),
                1 => "Nobody is told.".into(),
                2 => "„Größe“ — 漢字 🙂".into(),
                _ => "ä".repeat(CAPTION_MAX),
            },
            patches: self.one_in(4).then(|| self.patches()),
        }
    }

    fn side_b(&mut self) -> SideB {
        SideB {
            patches: self.patches(),
            seed: self.one_in(2).then(|| self.0.next()),
            params: self.one_in(2).then(|| Params {
                tslice_ms: 1 + self.below::<u32>(1_000),
                ratelimit_us: [0, 100, 1_000][self.below::<usize>(3)],
                ipi_latency_ns: self.below(1_000_000),
                ..Params::default()
            }),
            digest: self.one_in(2).then(|| self.0.next()),
        }
    }

    /// A state with everything that a link can hold.
    pub fn everything(&mut self) -> ShareState {
        let start = self.time();
        let state = ten_vms();
        let ScenarioChoice::Own(mut own) = state.scenario else { panic!("an own one") };
        own.domains.iter_mut().flat_map(|domain| &mut domain.vcpus).for_each(|vcpu| {
            vcpu.soft = Some(self.mask(16));
        });
        own.ops = (0..4)
            .map(|_| Op { time_ns: self.time(), pcpu: PcpuId(1), change: self.change(16, 10, 20) })
            .collect();
        ShareState {
            scenario: ScenarioChoice::Own(own),
            row: Some(3),
            range: Some((start, start + self.time())),
            panels: Panels::from_bits(self.0.next()),
            stops: (0..12).map(|_| self.stop()).collect(),
            b: Some(self.side_b()),
            ..state
        }
    }

    /// A state with some of what came in with version 2.
    pub fn state_2(&mut self) -> ShareState {
        let start = self.time();
        ShareState {
            row: self.one_in(2).then(|| self.below(1_024)),
            range: self.one_in(2).then(|| (start, start + self.time())),
            panels: Panels::from_bits(if self.one_in(2) { 0 } else { self.0.next() }),
            stops: (0..self.below::<usize>(5)).map(|_| self.stop()).collect(),
            b: self.one_in(2).then(|| self.side_b()),
            ..self.state()
        }
    }
}

/// A preset with everything that a link of version 1 can say of it.
pub fn preset(number: u8) -> ShareState {
    ShareState {
        view: Some((10_512_345, 19_487_655)),
        cursor_ns: Some(13_900_123),
        selection: Some(Place { time_ns: 14_000_000, pcpu: 0, kind: 1, nth: 0 }),
        digest: Some(u64::MAX),
        ..ShareState::bare(ScenarioChoice::Preset(number), PatchSet::NONE)
    }
}

/// Ten VMs of two vCPUs each, none like the other.
pub fn ten_vms() -> ShareState {
    let mut draw = Draw(SplitMix64::new(10));
    let topology = Topology::regular(2, 4, 2, true);
    let vcpu = |draw: &mut Draw| VcpuSpec { hard: Some(draw.mask(16)), ..draw.vcpu(16) };
    let mut domain = || DomainSpec {
        weight: 256 + draw.below::<u32>(1_000),
        cap: 0,
        vcpus: vec![vcpu(&mut draw), vcpu(&mut draw)],
    };
    let scenario = Scenario {
        name: "ten by hand".into(),
        note: "Ten machines of two vCPUs each, every one with a pin and a script of its own."
            .into(),
        topology,
        params: Params { ratelimit_us: 0, ctx_switch_ns: 1_500, ..Params::default() },
        duration_ns: 2_000_000_000,
        seed: 20_121_218,
        domains: (0..10).map(|_| domain()).collect(),
        ops: vec![],
    };
    ShareState { scenario: ScenarioChoice::Own(Box::new(scenario)), ..preset(0) }
}
