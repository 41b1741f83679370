//! The log as text: one line per entry, fields separated by one blank, as docs/model.md says.

use super::Digest;
use crate::cpumask::CpuMask;
use crate::decision::{LogLine, Sink};
use crate::ids::{PcpuId, VcpuId};
use crate::units::{NS_PER_MS, SimTime};

/// The longest line that is written, a power of two: a wake that tells all of 1,024 pCPUs takes 256
/// digits and few words besides.
const LINE_MAX: usize = 512;
/// Room behind it, so that several bytes can be written at once wherever a line ends.
const ROOM: usize = 16;
/// The digits of 0 to 99, two each.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[b'0'; 2]; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number as usize] = [b'0' + number / 10, b'0' + number % 10];
        number += 1;
    }
    pairs
};

/// 0 to 999 with the blank before them; how many digits count is told by the number.
const SPACED: [[u8; 4]; 1_000] = {
    let mut spaced = [[b' '; 4]; 1_000];
    let mut number = 0;
    while number < 1_000 {
        let [tens, ones] = PAIRS[number % 100];
        let hundreds = PAIRS[number / 100][1];
        spaced[number] = match number {
            0..10 => [b' ', ones, b' ', b' '],
            10..100 => [b' ', tens, ones, b' '],
            _ => [b' ', hundreds, tens, ones],
        };
        number += 1;
    }
    spaced
};

/// Writes log lines. Guests are written by their number, an idle vCPU as -1.
#[derive(Clone, Debug)]
pub struct LogText {
    guests: usize,
    line: [u8; LINE_MAX + ROOM],
    /// The millisecond that the line begins with, and how many digits it takes: it seldom changes
    /// from line to line.
    ms: u64,
    ms_digits: usize,
    /// The slice written last, its text and the length of that: it seldom changes either.
    slice_ns: Option<u64>,
    slice: [u8; ROOM],
    slice_len: usize,
}

impl LogText {
    /// A writer for a machine of so many guests.
    #[must_use]
    pub fn new(guests: usize) -> Self {
        let (line, slice) = ([b'0'; LINE_MAX + ROOM], [b'0'; ROOM]);
        Self { guests, line, ms: 0, ms_digits: 0, slice_ns: None, slice, slice_len: 0 }
    }

    /// The text of a line, its end of line included.
    #[inline]
    pub fn write(&mut self, time: SimTime, pcpu: PcpuId, line: &LogLine<'_>) -> &[u8] {
        let mut pen = self.begin(time.as_ns());
        pen.small(pcpu.0.into());
        pen.byte(b' ');
        pen.byte(match line {
            LogLine::Wake { .. } => b'W',
            LogLine::Block { .. } => b'B',
            LogLine::Yield { .. } => b'Y',
            LogLine::Switch { .. } => b'S',
            LogLine::Continue { .. } => b'C',
            LogLine::Migrate { .. } => b'M',
            LogLine::Tick { .. } => b'T',
            LogLine::Park { .. } => b'P',
            LogLine::Unpark { .. } => b'U',
            LogLine::Account { .. } => b'A',
            LogLine::AccountVcpu { .. } => b'a',
            LogLine::Change { .. } => b'O',
        });
        pen.fields(line);
        pen.byte(b'\n');
        let len = pen.at;
        &self.line[..len]
    }

    /// Begins a line with its time. Behind the millisecond always come six digits.
    #[inline]
    fn begin(&mut self, ns: u64) -> Pen<'_> {
        let (ms, rest) = (ns / NS_PER_MS, ns % NS_PER_MS);
        let old = (self.ms, self.ms_digits);
        let mut pen = Pen { text: self, at: 0 };
        if ms == 0 {
            pen.digits(rest);
            pen.text.ms = 0;
            return pen;
        }
        if ms == old.0 {
            pen.at = old.1;
        } else {
            pen.digits(ms);
            (pen.text.ms, pen.text.ms_digits) = (ms, pen.at);
        }
        let rest = u32::try_from(rest).expect("below a million");
        pen.pair(rest / 10_000);
        pen.pair(rest / 100 % 100);
        pen.pair(rest % 100);
        pen
    }
}

/// A line under way.
struct Pen<'a> {
    text: &'a mut LogText,
    at: usize,
}

impl Pen<'_> {
    /// Writes these bytes, of which the first `len` count.
    #[inline]
    fn bytes<const N: usize>(&mut self, bytes: &[u8; N], len: usize) {
        const { assert!(N <= ROOM) };
        // No line is longer: the mask only spares a check for each byte.
        self.at &= LINE_MAX - 1;
        self.text.line[self.at..self.at + N].copy_from_slice(bytes);
        self.at += len;
    }

    #[inline]
    fn byte(&mut self, byte: u8) {
        self.bytes(&[byte], 1);
    }

    #[inline]
    fn pair(&mut self, number: u32) {
        self.bytes(&PAIRS[number as usize], 2);
    }

    #[inline]
    fn fields(&mut self, line: &LogLine<'_>) {
        match *line {
            LogLine::Wake { vcpu, source, processor, pri, outcome, tickled, kick } => {
                self.vcpu(vcpu);
                self.small(source.into());
                self.small(processor.0.into());
                self.number(pri.into());
                self.small(outcome.into());
                self.mask(tickled);
                match kick {
                    Some(kick) => self.vcpu(kick),
                    None => self.number(-1),
                }
            }
            LogLine::Block { vcpu }
            | LogLine::Yield { vcpu }
            | LogLine::Park { vcpu }
            | LogLine::Unpark { vcpu } => self.vcpu(vcpu),
            LogLine::Switch { prev, next, from, slice_ns, credit } => {
                self.vcpu(prev);
                self.vcpu(next);
                self.number(from.map_or(-1, |from| from.0.into()));
                self.slice(slice_ns);
                self.number(credit);
            }
            LogLine::Continue { vcpu, slice_ns, ratelimited } => {
                self.vcpu(vcpu);
                self.slice(slice_ns);
                self.small(ratelimited.into());
            }
            LogLine::Migrate { vcpu, old, new } => {
                self.vcpu(vcpu);
                self.small(old.0.into());
                self.small(new.0.into());
            }
            LogLine::Tick { vcpu, credit, pri, migrate } => {
                self.vcpu(vcpu);
                self.number(credit);
                self.number(pri.into());
                self.small(migrate.into());
            }
            LogLine::Account { balance, weight_sum, epoch } => {
                self.number(balance);
                self.small(weight_sum);
                self.small(epoch);
            }
            LogLine::AccountVcpu { vcpu, credit, pri, parked, active } => {
                self.vcpu(vcpu);
                self.number(credit);
                self.number(pri.into());
                self.small(parked.into());
                self.small(active.into());
            }
            LogLine::Change { index } => self.small(index.into()),
        }
    }

    #[inline]
    fn vcpu(&mut self, vcpu: VcpuId) {
        if vcpu.index() < self.text.guests {
            self.small(vcpu.0.into());
        } else {
            self.number(-1);
        }
    }

    #[inline]
    fn slice(&mut self, slice_ns: Option<u64>) {
        let Some(ns) = slice_ns else { return self.number(-1) };
        if slice_ns != self.text.slice_ns {
            return self.new_slice(ns);
        }
        let (text, len) = (self.text.slice, self.text.slice_len);
        self.bytes(&text, len);
    }

    fn new_slice(&mut self, ns: u64) {
        let from = self.at;
        self.byte(b' ');
        self.digits(ns);
        let text = &self.text.line[from..self.at];
        // A longer one than the room is written anew each time.
        if let Some(slice) = self.text.slice.get_mut(..text.len()) {
            slice.copy_from_slice(text);
            (self.text.slice_ns, self.text.slice_len) = (Some(ns), self.at - from);
        }
    }

    fn mask(&mut self, mask: &CpuMask) {
        self.byte(b' ');
        let mut leading = true;
        for word in mask.words().rev() {
            // Of the word that begins the number, only the digits from the highest one on.
            let digits = if leading { 16 - word.leading_zeros() / 4 } else { 16 };
            for nibble in (0..digits).rev() {
                let digit = usize::try_from(word >> (nibble * 4) & 0xF).expect("4 bits");
                self.byte(b"0123456789abcdef"[digit]);
            }
            leading &= word == 0;
        }
        if leading {
            self.byte(b'0');
        }
    }

    #[inline]
    fn number(&mut self, number: i32) {
        if let Ok(number) = u32::try_from(number) {
            return self.small(number);
        }
        self.bytes(b" -", 2);
        match number.unsigned_abs() {
            // The digits alone.
            below @ 0..1_000 => {
                let [_, digits @ ..] = SPACED[below as usize];
                self.bytes(&digits, digits_below_thousand(below));
            }
            more => self.digits(more.into()),
        }
    }

    #[inline]
    fn small(&mut self, number: u32) {
        match SPACED.get(number as usize) {
            Some(spaced) => self.bytes(spaced, 1 + digits_below_thousand(number)),
            None => {
                self.byte(b' ');
                self.digits(number.into());
            }
        }
    }

    fn digits(&mut self, mut number: u64) {
        let mut digits = [0; 20];
        let mut place = digits.len();
        while number >= 10 {
            place -= 2;
            let rest = usize::try_from(number % 100).expect("below 100");
            digits[place..place + 2].copy_from_slice(&PAIRS[rest]);
            number /= 100;
        }
        if number > 0 || place == digits.len() {
            place -= 1;
            digits[place] = PAIRS[usize::try_from(number).expect("a digit")][1];
        }
        for digit in &digits[place..] {
            self.byte(*digit);
        }
    }
}

/// How many digits a number below 1,000 takes.
#[inline]
fn digits_below_thousand(number: u32) -> usize {
    1 + usize::from(number > 9) + usize::from(number > 99)
}

/// Keeps the digest of a run and shows each line of it.
pub struct LogSink<F> {
    text: LogText,
    digest: Digest,
    show: F,
}

impl<F: FnMut(SimTime, &[u8])> LogSink<F> {
    /// A sink for a run of this length with so many guests; `show` gets each line as text, its end
    /// of line included.
    pub fn new(duration_ns: u64, guests: usize, show: F) -> Self {
        Self { text: LogText::new(guests), digest: Digest::new(duration_ns), show }
    }

    /// The digest so far.
    pub fn digest(&self) -> &Digest {
        &self.digest
    }
}

impl<F: FnMut(SimTime, &[u8])> Sink for LogSink<F> {
    fn log(&mut self, time: SimTime, pcpu: PcpuId, line: &LogLine<'_>) {
        let text = self.text.write(time, pcpu, line);
        self.digest.line(time, text);
        (self.show)(time, text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::format;
    use alloc::string::String;

    fn text(writer: &mut LogText, ns: u64, line: &LogLine<'_>) -> String {
        let bytes = writer.write(SimTime::from_ns(ns), PcpuId(7), line);
        String::from_utf8(bytes.to_vec()).expect("ASCII")
    }

    /// Goal: numbers of every length and sign, times and slices are written as the language itself
    /// writes them, in whatever order they come.
    #[test]
    fn numbers_are_written_as_they_are() {
        let mut writer = LogText::new(20_000);
        let ends = (0..10).flat_map(|digits| {
            let power = 10i64.pow(digits);
            [power - 1, power, power + 1, 5 * power / 3]
        });
        for number in ends {
            let small = u32::try_from(number).expect("below 2^32");
            for credit in [small.cast_signed(), small.cast_signed().wrapping_neg()] {
                let ns = u64::from(small) * 1_001;
                let line = LogLine::Continue {
                    vcpu: VcpuId(u16::try_from(small % 30_000).expect("16 bits")),
                    slice_ns: Some(ns / 7),
                    ratelimited: false,
                };
                let vcpu = i64::from(small % 30_000);
                let vcpu = if vcpu < 20_000 { vcpu } else { -1 };
                let expected = format!("{ns} 7 C {vcpu} {} 0\n", ns / 7);
                assert_eq!(text(&mut writer, ns, &line), expected);
                let line = LogLine::Account { balance: credit, weight_sum: small, epoch: small };
                let expected = format!("{ns} 7 A {credit} {small} {small}\n");
                assert_eq!(text(&mut writer, ns, &line), expected);
            }
        }
    }

    /// Goal: a slice is written as it is when another one, none or a longer one came before it.
    #[test]
    fn slices_may_change() {
        let mut writer = LogText::new(1);
        let vcpu = VcpuId(0);
        let slices = [Some(0), None, Some(30_000_000), None, Some(30_000_000), Some(u64::MAX)];
        for slice_ns in slices.into_iter().chain(slices) {
            let line = LogLine::Continue { vcpu, slice_ns, ratelimited: true };
            let number = slice_ns.map_or(String::from("-1"), |ns| format!("{ns}"));
            assert_eq!(text(&mut writer, 5, &line), format!("5 7 C 0 {number} 1\n"));
        }
    }
}
