//! Bytes as letters that an address takes as they are, with a checksum.

use super::LinkError;

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Bytes of the checksum, at the end.
const SUM_BYTES: usize = 4;

/// What a byte does to the checksum.
const STEPS: [u32; 256] = {
    let mut steps = [0; 256];
    let mut byte = 0u32;
    while byte < 256 {
        let mut step = byte;
        let mut bit = 0;
        while bit < 8 {
            step = (step >> 1) ^ if step & 1 != 0 { 0xEDB8_8320 } else { 0 };
            bit += 1;
        }
        steps[byte as usize] = step;
        byte += 1;
    }
    steps
};

/// CRC-32 as in IEEE 802.3: it notices every change of up to 32 neighbouring bits, so any one
/// letter. From version 2 on, the version is the first byte summed up, so that it is noticed, too.
fn checksum(version: u32, bytes: &[u8]) -> u32 {
    let [front, ..] = version.to_le_bytes();
    let front = if version > 1 { &[front][..] } else { &[] };
    let step = |sum: u32, byte: &u8| {
        let [low, ..] = sum.to_le_bytes();
        (sum >> 8) ^ STEPS[usize::from(low ^ byte)]
    };
    !front.iter().chain(bytes).fold(u32::MAX, step)
}

/// The bytes and their checksum as letters, six bits each, the highest first.
pub(super) fn encode(version: u32, bytes: &[u8]) -> String {
    let sum = checksum(version, bytes).to_le_bytes();
    let mut letters = String::with_capacity((bytes.len() + SUM_BYTES) * 4 / 3 + 1);
    let (mut held, mut bits) = (0u32, 0);
    let mut push = |six: u32| letters.push(char::from(LETTERS[(six & 63) as usize]));
    for byte in bytes.iter().chain(&sum) {
        held = held << 8 | u32::from(*byte);
        bits += 8;
        while bits >= 6 {
            bits -= 6;
            push(held >> bits);
        }
        held &= (1 << bits) - 1;
    }
    if bits > 0 {
        push(held << (6 - bits));
    }
    letters
}

/// The bytes that the letters of a link of some version stand for.
pub(super) fn decode(version: u32, letters: &str) -> Result<Vec<u8>, LinkError> {
    // The version and its hyphen stand before.
    let offset = version.to_string().len() + 1;
    let mut bytes = Vec::with_capacity(letters.len() * 3 / 4);
    let (mut held, mut bits) = (0u32, 0);
    for (place, letter) in letters.chars().enumerate() {
        let six = u8::try_from(letter).ok();
        let six = six.and_then(|code| LETTERS.iter().position(|other| *other == code));
        let character = LinkError::Character { place: offset + place + 1, letter };
        let six = u32::try_from(six.ok_or(character)?).expect("six bits");
        held = held << 6 | six;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push(u8::try_from(held >> bits).expect("eight bits"));
            held &= (1 << bits) - 1;
        }
    }
    let Some(end) = bytes.len().checked_sub(SUM_BYTES).filter(|_| bits < 6 && held == 0) else {
        return Err(LinkError::Cut);
    };
    let sum = checksum(version, &bytes[..end]);
    if bytes[end..] != sum.to_le_bytes() {
        return Err(LinkError::Checksum);
    }
    bytes.truncate(end);
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: the checksum is the well-known one.
    #[test]
    fn the_checksum_is_crc_32() {
        assert_eq!(checksum(1, b"123456789"), 0xCBF4_3926);
        assert_eq!(checksum(u32::from(b'1'), b"23456789"), 0xCBF4_3926);
    }

    /// Goal: any bytes come back, whatever their length.
    #[test]
    fn bytes_come_back() {
        for length in 0..70u8 {
            let bytes: Vec<u8> = (0..length).map(|byte| byte.wrapping_mul(89) ^ length).collect();
            for version in [1, 2] {
                assert_eq!(decode(version, &encode(version, &bytes)).as_ref(), Ok(&bytes));
            }
        }
    }
}
