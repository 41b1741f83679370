//! Links that were changed on their way: noticed or opened, never a panic, never much work.

use crate::draw::{Draw, preset, ten_vms};
use sim_core::rng::SplitMix64;
use sim_core::workload::Workload;
use std::time::Instant;
use tickle::share::{ScenarioChoice, ShareState, decode, encode};

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The bytes of a link without their checksum, by the words of docs/link-format.md.
fn bytes_of(link: &str) -> (u8, Vec<u8>) {
    let (version, letters) = link.split_once('-').expect("a version");
    let six = |letter: u8| LETTERS.iter().position(|other| *other == letter).expect("a letter");
    let bits =
        letters.bytes().flat_map(|letter| (0..6).rev().map(move |bit| six(letter) >> bit & 1));
    let bits: Vec<usize> = bits.collect();
    let byte = |bits: &[usize]| bits.iter().fold(0, |byte, bit| byte << 1 | bit);
    let mut bytes: Vec<u8> =
        bits.chunks_exact(8).map(|bits| u8::try_from(byte(bits)).expect("eight bits")).collect();
    bytes.truncate(bytes.len() - 4);
    (version.parse().expect("a number"), bytes)
}

/// A link of any bytes whose checksum is right.
fn forged(version: u8, bytes: &[u8]) -> String {
    let front = (version > 1).then_some(version);
    let mut sum = u32::MAX;
    for byte in front.iter().chain(bytes) {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = sum >> 1 ^ if sum & 1 == 0 { 0 } else { 0xEDB8_8320 };
        }
    }
    let all = [bytes, &(!sum).to_le_bytes()].concat();
    let mut bits: Vec<u8> =
        all.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1)).collect();
    bits.resize(bits.len().next_multiple_of(6), 0);
    let letter = |six: &[u8]| LETTERS[six.iter().fold(0, |all, bit| all << 1 | usize::from(*bit))];
    let letters: Vec<u8> = bits.chunks(6).map(letter).collect();
    format!("{version}-{}", String::from_utf8(letters).expect("letters"))
}

/// One change: a bit flipped, a byte set, a piece cut out, put in, doubled, swapped with another.
fn change(draw: &mut Draw, text: &mut Vec<u8>, byte: fn(&mut Draw) -> u8) {
    let length = text.len() as u64;
    if length < 2 {
        return text.push(byte(draw));
    }
    let at = draw.below::<usize>(length);
    let end = (at + 1 + draw.below::<usize>(12)).min(text.len());
    match draw.below::<u8>(8) {
        0 | 1 => text[at] ^= 1 << draw.below::<u8>(8),
        2 => text[at] = byte(draw),
        3 => drop(text.drain(at..end)),
        4 => {
            let new: Vec<u8> = (at..end).map(|_| byte(draw)).collect();
            text.splice(at..at, new).for_each(drop);
        }
        5 => {
            let twice = text[at..end].to_vec();
            text.splice(at..at, twice).for_each(drop);
        }
        6 => {
            let other = draw.below::<usize>(length);
            text.swap(at, other);
        }
        _ => text.truncate(at),
    }
}

/// How much a state holds, in things that take room: what reading it may have cost.
fn size(state: &ShareState) -> usize {
    let own = match &state.scenario {
        ScenarioChoice::Preset(_) => 0,
        ScenarioChoice::Own(own) => {
            let words = own.topology.pcpu_count() / 64 + 1;
            let vcpus = own.vcpus().map(|(_, vcpu)| {
                let masks = vcpu.hard.iter().count() + vcpu.soft.iter().count();
                let script = match &vcpu.workload {
                    Workload::Script(script) => script.len(),
                    Workload::Random(_) => 1,
                };
                1 + masks * words + script
            });
            let texts = own.name.len() + own.note.len();
            own.topology.pcpu_count() * words * 2
                + vcpus.sum::<usize>()
                + own.ops.len() * words
                + texts
        }
    };
    let captions: usize = state.stops.iter().map(|stop| 1 + stop.caption.len()).sum();
    own + captions + state.skipped.len()
}

/// The most that any link may unpack to: what docs/link-format.md says of scripts, the limits of a
/// scenario, and the link's own length.
const SIZE_MAX: usize = 262_144 + 1_024 * 17 * 2 + 8_192 * 40 + 131_072;

/// Goal: no mutation panics, unpacks to more than the documented most, or opens as something that
/// cannot be written again.
/// Method: 10,000 seeded mutations of letters (the checksum notices them) and 10,000 of bytes with
/// the checksum made right again, so that the readers themselves meet them; one to four changes
/// each, on links of both versions, small ones and one with everything. The slowest is printed.
#[test]
fn mutations_are_survived() {
    let everything = Draw(SplitMix64::new(1)).everything();
    let links: Vec<String> = [preset(0), ten_vms(), everything]
        .into_iter()
        .chain((0..13).map(|seed| Draw(SplitMix64::new(seed)).state_2()))
        .map(|state| encode(&state))
        .collect();
    let (mut slowest_us, mut opened, mut largest) = (0, [0; 2], 0);
    for seed in 0..20_000 {
        let mut draw = Draw(SplitMix64::new(seed));
        let link = &links[draw.below::<usize>(links.len() as u64)];
        let forging = seed % 2 == 1;
        let changes = 1 + draw.below::<u8>(4);
        let mutated = if forging {
            let (version, mut bytes) = bytes_of(link);
            (0..changes).for_each(|_| change(&mut draw, &mut bytes, |draw| draw.below(256)));
            forged(version, &bytes)
        } else {
            let mut letters = link.clone().into_bytes();
            let letter = |draw: &mut Draw| LETTERS[draw.below::<usize>(64)];
            (0..changes).for_each(|_| change(&mut draw, &mut letters, letter));
            String::from_utf8_lossy(&letters).into_owned()
        };
        let start = Instant::now();
        let result = decode(&mutated);
        slowest_us = slowest_us.max(start.elapsed().as_micros());
        match result {
            Ok(state) => {
                opened[usize::from(forging)] += usize::from(mutated != *link);
                largest = largest.max(size(&state));
                assert!(size(&state) <= SIZE_MAX, "seed {seed}: {mutated}");
                let again = ShareState { skipped: vec![], ..state };
                assert_eq!(decode(&encode(&again)), Ok(again), "seed {seed}: {mutated}");
            }
            Err(error) => {
                let sentence = error.to_string();
                assert!(sentence.len() < 400, "seed {seed}: a sentence of {}", sentence.len());
            }
        }
    }
    println!("slowest {slowest_us} µs; opened {opened:?}; largest {largest}");
    assert_eq!(opened[0], 0, "the checksum notices what happens to letters");
    assert!(opened[1] > 500, "the readers are reached: {opened:?}");
}

/// Goal: forging is what encoding does, or else the readers would not be reached.
#[test]
fn forging_is_sound() {
    for state in [preset(0), Draw(SplitMix64::new(3)).everything()] {
        let link = encode(&state);
        let (version, bytes) = bytes_of(&link);
        assert_eq!(forged(version, &bytes), link);
    }
}

/// The link of preset 1 with sections behind it.
fn with_sections(sections: &[u8]) -> Result<ShareState, String> {
    let bytes = [&[0, 1, 0], sections].concat();
    decode(&forged(2, &bytes)).map_err(|error| error.to_string())
}

/// Goal: a section of a later Tickle is skipped and named, or the link is refused, by its number;
/// whatever else is wrong with sections has its sentence.
#[test]
fn sections_are_extensible() {
    let state = with_sections(&[1, 1, 3, 9, 2, 77, 78, 0x81, 1, 0]).expect("it opens");
    assert_eq!((state.row, state.skipped.as_slice()), (Some(3), &[9, 129][..]));
    for (sections, expected) in [
        (
            &[8, 1, 0][..],
            "the link was made by a newer Tickle: it has a section 8, which this page does not know",
        ),
        (&[3, 2, 4, 8, 1, 1, 0], "section 1 of the link comes twice or too late"),
        (&[1, 1, 0, 1, 1, 0], "section 1 of the link comes twice or too late"),
        (&[1, 2, 0, 0], "the link has 1 bytes too many at its end"),
        (&[1, 5, 0], "the link ends before a section is complete"),
        (&[1, 0], "the link ends before the row is complete"),
        (&[3, 2, 8, 8], "the range is 2000000000 ns to 2000000000 ns, which is no stretch of time"),
        (&[2, 2, 8, 0], "the content of side B is 8 in the link, which is too much"),
        (&[2, 4, 2, 0, 1, 0], "the scenario of the link cannot be run: the time slice is 0 ms"),
        (&[7, 1, 100], "the link ends before the number of stops is complete"),
        (&[7, 2, 1, 16], "the content of a stop is 16 in the link, which is too much"),
    ] {
        let sentence = with_sections(sections).expect_err("a fault");
        assert!(sentence.starts_with(expected), "{sections:?}: {sentence}");
    }
    let many = [vec![7, 0xC2, 3], vec![65], [0, 0, 4, 0, 0].repeat(90)].concat();
    let many = with_sections(&many[..]).expect_err("too many");
    assert!(many.starts_with("the number of stops is 65 in the link"), "{many}");
    let long = [vec![7, 0xD0, 1], vec![1, 0, 0, 4, 0, 0xC9, 1], vec![b'a'; 201]].concat();
    let long = with_sections(&long).expect_err("too long");
    assert!(long.starts_with("the length of a caption is 201 in the link"), "{long}");
}
