//! Links: what is put in comes out, whatever happens to the text on its way is noticed.

use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::patches::{PATCHES, PatchSet};
use sim_core::presets::PRESETS;
use sim_core::rng::SplitMix64;
use sim_core::scenario::{Change, DomainSpec, Op, Params, Scenario, VcpuSpec};
use sim_core::topology::{PcpuPlace, Topology};
use sim_core::workload::{RandomWorkload, Stretch, Workload};
use tickle::share::{LINK_MAX, LinkError, Place, ScenarioChoice, ShareState, decode, encode};

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Draws for one random state.
struct Draw(SplitMix64);

impl Draw {
    fn below<T: TryFrom<u64>>(&mut self, limit: u64) -> T {
        let drawn = self.0.next() % limit;
        T::try_from(drawn).unwrap_or_else(|_| panic!("{drawn} does not fit"))
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below::<u64>(n) == 0
    }

    fn time(&mut self) -> u64 {
        let unit = [1, 1_000, 1_000_000, 1_000_000_000][self.below::<usize>(4)];
        1 + self.below::<u64>(3_000) * unit
    }

    fn mask(&mut self, pcpus: usize) -> CpuMask {
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

    fn vcpu(&mut self, pcpus: usize) -> VcpuSpec {
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

    fn state(&mut self) -> ShareState {
        let scenario = if self.one_in(3) {
            ScenarioChoice::Preset(PRESETS[self.below::<usize>(PRESETS.len() as u64)].number)
        } else {
            ScenarioChoice::Own(Box::new(self.scenario()))
        };
        let patches = PATCHES.iter().filter(|_| self.one_in(3));
        let patches = patches.fold(PatchSet::NONE, |set, info| set.with(info.patch)).closed();
        let start = self.0.next() >> 1;
        ShareState {
            scenario,
            patches,
            view: self.one_in(2).then(|| (start, start + self.time())),
            cursor_ns: self.one_in(2).then(|| self.0.next()),
            selection: self.one_in(2).then(|| Place {
                time_ns: self.time(),
                pcpu: self.below(1 << 16),
                kind: self.below(9),
                nth: self.below(256),
            }),
            digest: self.one_in(2).then(|| self.0.next()),
        }
    }
}

fn preset(number: u8) -> ShareState {
    ShareState {
        scenario: ScenarioChoice::Preset(number),
        patches: PatchSet::NONE,
        view: Some((10_512_345, 19_487_655)),
        cursor_ns: Some(13_900_123),
        selection: Some(Place { time_ns: 14_000_000, pcpu: 0, kind: 1, nth: 0 }),
        digest: Some(u64::MAX),
    }
}

/// Ten VMs of two vCPUs each, none like the other.
fn ten_vms() -> ShareState {
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

/// Goal: every state comes back the same, from letters that an address takes as they are.
/// Method: 2,000 seeded random states.
#[test]
fn states_come_back() {
    for seed in 0..2_000 {
        let state = Draw(SplitMix64::new(seed)).state();
        let link = encode(&state);
        assert!(link.chars().all(|letter| LETTERS.contains(letter)), "seed {seed}: {link}");
        assert_eq!(decode(&link).as_ref(), Ok(&state), "seed {seed}: {link}");
    }
}

/// Goal: links that were sent stay what they were: version 1 is written and read the same for ever.
#[test]
fn old_links_still_open() {
    let bare =
        ShareState { view: None, cursor_ns: None, selection: None, digest: None, ..preset(1) };
    let full = ShareState { patches: PatchSet::NONE.with(PATCHES[1].patch), ..preset(0) };
    for (state, link) in
        [(bare, "1-AAEAU-ha5g"), (full, "1-HgAC576GFJ_dlSXvysEaOQABAP__________Z7gSzg")]
    {
        assert_eq!(encode(&state), link);
        assert_eq!(decode(link), Ok(state));
    }
}

/// Goal: links stay short enough for a mail.
#[test]
fn links_are_short() {
    for info in PRESETS {
        let link = encode(&ShareState { patches: info.patches, ..preset(info.number) });
        assert!(link.len() < 200, "{} characters: {link}", link.len());
    }
    let all = PATCHES.iter().fold(PatchSet::NONE, |set, info| set.with(info.patch));
    assert!(encode(&ShareState { patches: all, ..preset(8) }).len() < 200);
    let link = encode(&ten_vms());
    assert!(link.len() < 2_000, "{} characters: {link}", link.len());
}

/// Goal: no changed and no cut link opens as something else.
/// Method: every letter of several links replaced by others (by every other one in short links),
/// every cut, seeded noise.
#[test]
fn damage_is_noticed() {
    let states = [preset(0), preset(8), ten_vms(), Draw(SplitMix64::new(5)).state()];
    for state in &states {
        let link = encode(state);
        for place in 0..link.len() {
            assert!(decode(&link[..place]).is_err(), "cut to {place}: {link}");
            let every = if link.len() < 200 { 1 } else { 9 };
            let letters = LETTERS.chars().chain(['%', ' ', 'ä']).skip(place % every).step_by(every);
            for letter in letters {
                let changed = format!("{}{letter}{}", &link[..place], &link[place + 1..]);
                let same = changed == link;
                assert_eq!(decode(&changed).is_ok(), same, "letter {place}: {changed}");
            }
        }
    }
    let mut draw = Draw(SplitMix64::new(9));
    for _ in 0..20_000 {
        let length = draw.below::<usize>(60);
        let letters = (0..length).map(|_| &LETTERS[draw.below::<usize>(64)..][..1]);
        let noise: String = letters.collect();
        assert!(decode(&format!("1-{noise}")).is_err(), "{noise}");
    }
}

fn sentence(link: &str) -> String {
    decode(link).map(|_| ()).expect_err("a bad link").to_string()
}

/// Goal: each fault has its sentence, with the value.
#[test]
fn faults_have_their_sentence() {
    let long = "A".repeat(1_000_000);
    for (link, expected) in [
        ("", "the link begins with “”, not with a version such as 1-"),
        ("hello", "the link begins with “hello”, not with a version such as 1-"),
        ("01-AAAA", "the link begins with “01-AAAA”, not with a version such as 1-"),
        ("0-AAAA", "the link says version 0; the first version was 1"),
        ("99-AAAA", "this link was made by a newer Tickle (version 99; this page reads up to 1)"),
        ("1-AA%A", "character 5 of the link is “%”; links hold letters, digits, - and _ only"),
        ("1-AAA", "the end of the link is missing"),
        ("1-AAAAAAAA", "the link was cut or changed on its way: its checksum is wrong"),
        (&long, "the link is 1000000 characters long; the most is 131072"),
    ] {
        assert_eq!(sentence(link), expected);
    }
    assert_eq!(LINK_MAX, 131_072);
}

/// Goal: a link with the right checksum but a wrong content is refused with the value.
#[test]
fn forged_contents_are_refused() {
    let state = preset(77);
    assert_eq!(decode(&encode(&state)), Err(LinkError::Preset(77)));
    let last = PRESETS.len() - 1;
    let expected = format!("the link names preset 77; there are 0 to {last}");
    assert_eq!(sentence(&encode(&state)), expected);

    let own = |change: fn(&mut Scenario)| {
        let ScenarioChoice::Own(mut scenario) = ten_vms().scenario else { panic!("an own one") };
        change(&mut scenario);
        sentence(&encode(&ShareState { scenario: ScenarioChoice::Own(scenario), ..preset(0) }))
    };
    let why = "the scenario of the link cannot be run: ";
    for (sentence, expected) in [
        (own(|s| s.domains.clear()), "there is no vCPU; a run needs at least 1"),
        (own(|s| s.duration_ns = 0), "the run is 0 ns long; it must be 1 ns to 600000000000 ns"),
        (
            own(|s| s.domains[0].cap = 1_601),
            "domain 0 has a cap of 1601 %; all pCPUs together are 1600 %",
        ),
        (own(|s| s.domains[3].weight = 0), "domain 3 has weight 0; it must be 1 to 65535"),
        (
            own(|s| s.domains[0].vcpus[0].init_pcpu = PcpuId(16)),
            "vCPU 0 names pCPU 16; the machine has 16 (0 to 15)",
        ),
    ] {
        assert_eq!(sentence, format!("{why}{expected}"));
    }

    let view = ShareState { view: Some((7, 7)), ..preset(0) };
    assert_eq!(
        sentence(&encode(&view)),
        "the link shows 7 ns to 7 ns, which is no stretch of time"
    );
}

/// Goal: a script that thousands of vCPUs repeat does not unpack to more than memory holds.
#[test]
fn repeated_scripts_are_bounded() {
    let script = Workload::Script(vec![Stretch { run_ns: 1, block_ns: 1 }; 10_000]);
    let ScenarioChoice::Own(mut scenario) = ten_vms().scenario else { panic!("an own one") };
    let vcpu = VcpuSpec { workload: script, ..scenario.domains[0].vcpus[0].clone() };
    scenario.domains[0].vcpus = vec![vcpu; 4_000];
    let link = encode(&ShareState { scenario: ScenarioChoice::Own(scenario), ..preset(0) });
    assert!(matches!(decode(&link), Err(LinkError::TooLarge { .. })), "{} letters", link.len());
}
