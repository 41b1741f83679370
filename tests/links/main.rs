//! Links: what is put in comes out, whatever happens to the text on its way is noticed.

mod corpus;
mod draw;
mod mutations;

use draw::{Draw, preset, ten_vms};
use sim_core::ids::PcpuId;
use sim_core::patches::{PATCHES, PatchSet};
use sim_core::presets::PRESETS;
use sim_core::rng::SplitMix64;
use sim_core::scenario::{Scenario, VcpuSpec};
use sim_core::workload::{Stretch, Workload};
use tickle::share::{LINK_MAX, LinkError, ScenarioChoice, ShareState, decode, encode};

const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Goal: every state comes back the same, from letters that an address takes as they are.
/// Method: 2,000 seeded random states.
#[test]
fn states_come_back() {
    for seed in 0..2_000 {
        let mut draw = Draw(SplitMix64::new(seed));
        let state = if seed % 2 == 0 { draw.state() } else { draw.state_2() };
        let link = encode(&state);
        assert!(link.chars().all(|letter| LETTERS.contains(letter)), "seed {seed}: {link}");
        assert_eq!(decode(&link).as_ref(), Ok(&state), "seed {seed}: {link}");
    }
}

/// Goal: what version 1 can say is written as version 1, letter by letter as ever, so that older
/// pages open it; anything more makes it version 2.
#[test]
fn the_oldest_version_that_holds_it_is_written() {
    let bare = ShareState::bare(ScenarioChoice::Preset(1), PatchSet::NONE);
    let full = ShareState { patches: PatchSet::NONE.with(PATCHES[1].patch), ..preset(0) };
    for (state, link) in
        [(&bare, "1-AAEAU-ha5g"), (&full, "1-HgAC576GFJ_dlSXvysEaOQABAP__________Z7gSzg")]
    {
        assert_eq!(encode(state), link);
    }
    let more = ShareState { row: Some(3), ..bare };
    assert_eq!(encode(&more), "2-AAEAAQEDK-1Dtg");
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
    let random = |seed| Draw(SplitMix64::new(seed)).state_2();
    let states = [preset(0), preset(8), ten_vms(), random(5), random(8)];
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
        ("", "the link begins with “”, not with a version such as 2-"),
        ("hello", "the link begins with “hello”, not with a version such as 2-"),
        ("01-AAAA", "the link begins with “01-AAAA”, not with a version such as 2-"),
        ("0-AAAA", "the link says version 0; the first version was 1"),
        ("99-AAAA", "this link was made by a newer Tickle (version 99; this page reads up to 2)"),
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
    assert_eq!(sentence(&encode(&view)), "the view is 7 ns to 7 ns, which is no stretch of time");
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
