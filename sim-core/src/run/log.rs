//! The log as text: one line per entry, fields separated by one blank, as docs/model.md says.

use super::Digest;
use crate::cpumask::CpuMask;
use crate::decision::{LogLine, Sink};
use crate::ids::{PcpuId, VcpuId};
use crate::units::{NS_PER_MS, SimTime};

/// The longest line that is written, a power of two: a wake that tells all of 1,024 pCPUs takes 256
/// digits and few words besides.
const LINE_MAX: usize = 512;
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

/// Writes log lines. Guests are written by their number, an idle vCPU as -1.
#[derive(Clone, Debug)]
pub struct LogText {
    guests: usize,
    line: [u8; LINE_MAX],
    /// The millisecond that the line begins with, and how many digits it takes: it seldom changes
    /// from line to line.
    ms: u64,
    ms_digits: usize,
}

impl LogText {
    /// A writer for a machine of so many guests.
    #[must_use]
    pub fn new(guests: usize) -> Self {
        Self { guests, line: [b'0'; LINE_MAX], ms: 0, ms_digits: 0 }
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
        if ms != self.ms || ms == 0 {
            let mut pen = Pen { guests: self.guests, line: &mut self.line, at: 0 };
            if ms == 0 {
                pen.digits(rest);
                self.ms = 0;
                return Pen { at: pen.at, line: &mut self.line, guests: self.guests };
            }
            pen.digits(ms);
            (self.ms, self.ms_digits) = (ms, pen.at);
        }
        let mut pen = Pen { guests: self.guests, line: &mut self.line, at: self.ms_digits };
        let rest = u32::try_from(rest).expect("below a million");
        pen.pair(rest / 10_000);
        pen.pair(rest / 100 % 100);
        pen.pair(rest % 100);
        pen
    }
}

/// A line under way.
struct Pen<'a> {
    guests: usize,
    line: &'a mut [u8; LINE_MAX],
    at: usize,
}

impl Pen<'_> {
    #[inline]
    fn byte(&mut self, byte: u8) {
        // No line is longer: the mask only spares a check for each byte.
        self.at &= LINE_MAX - 1;
        self.line[self.at] = byte;
        self.at += 1;
    }

    #[inline]
    fn pair(&mut self, number: u32) {
        let [tens, ones] = PAIRS[number as usize];
        self.byte(tens);
        self.byte(ones);
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
        if vcpu.index() < self.guests {
            self.small(vcpu.0.into());
        } else {
            self.number(-1);
        }
    }

    fn slice(&mut self, slice_ns: Option<u64>) {
        match slice_ns {
            None => self.number(-1),
            Some(ns) => {
                self.byte(b' ');
                self.digits(ns);
            }
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
        self.byte(b' ');
        if number < 0 {
            self.byte(b'-');
        }
        self.up_to_thousand(number.unsigned_abs());
    }

    #[inline]
    fn small(&mut self, number: u32) {
        self.byte(b' ');
        self.up_to_thousand(number);
    }

    #[inline]
    fn up_to_thousand(&mut self, number: u32) {
        match number {
            0..10 => self.byte(PAIRS[number as usize][1]),
            10..100 => self.pair(number),
            100..1_000 => {
                self.byte(PAIRS[(number / 100) as usize][1]);
                self.pair(number % 100);
            }
            _ => self.digits(number.into()),
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
