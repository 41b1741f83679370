//! The log as text: one line per entry, fields separated by one blank, as docs/model.md says.

use super::Digest;
use crate::decision::{LogLine, Sink};
use crate::ids::{PcpuId, VcpuId};
use crate::units::SimTime;
use alloc::vec::Vec;

/// Writes log lines. Guests are written by their number, an idle vCPU as -1.
#[derive(Clone, Debug)]
pub struct LogText {
    guests: usize,
    line: Vec<u8>,
}

impl LogText {
    /// A writer for a machine of so many guests.
    #[must_use]
    pub fn new(guests: usize) -> Self {
        Self { guests, line: Vec::with_capacity(128) }
    }

    /// The text of a line, its end of line included.
    pub fn write(&mut self, time: SimTime, pcpu: PcpuId, line: &LogLine<'_>) -> &[u8] {
        self.line.clear();
        self.digits(time.as_ns());
        self.number(pcpu.0.into());
        self.letter(match line {
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
        self.fields(line);
        self.line.push(b'\n');
        &self.line
    }

    fn fields(&mut self, line: &LogLine<'_>) {
        match *line {
            LogLine::Wake { vcpu, source, processor, pri, outcome, tickled, kick } => {
                self.vcpu(vcpu);
                self.number(source.into());
                self.number(processor.0.into());
                self.number(pri.into());
                self.number(outcome.into());
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
                self.number(credit.into());
            }
            LogLine::Continue { vcpu, slice_ns, ratelimited } => {
                self.vcpu(vcpu);
                self.slice(slice_ns);
                self.number(ratelimited.into());
            }
            LogLine::Migrate { vcpu, old, new } => {
                self.vcpu(vcpu);
                self.number(old.0.into());
                self.number(new.0.into());
            }
            LogLine::Tick { vcpu, credit, pri, migrate } => {
                self.vcpu(vcpu);
                self.number(credit.into());
                self.number(pri.into());
                self.number(migrate.into());
            }
            LogLine::Account { balance, weight_sum, epoch } => {
                self.number(balance.into());
                self.number(weight_sum.into());
                self.number(epoch.into());
            }
            LogLine::AccountVcpu { vcpu, credit, pri, parked, active } => {
                self.vcpu(vcpu);
                self.number(credit.into());
                self.number(pri.into());
                self.number(parked.into());
                self.number(active.into());
            }
            LogLine::Change { index } => self.number(index.into()),
        }
    }

    fn letter(&mut self, letter: u8) {
        self.line.push(b' ');
        self.line.push(letter);
    }

    fn vcpu(&mut self, vcpu: VcpuId) {
        self.number(if vcpu.index() < self.guests { vcpu.0.into() } else { -1 });
    }

    fn slice(&mut self, slice_ns: Option<u64>) {
        match slice_ns {
            None => self.number(-1),
            Some(ns) => {
                self.line.push(b' ');
                self.digits(ns);
            }
        }
    }

    fn mask(&mut self, mask: &crate::cpumask::CpuMask) {
        self.line.push(b' ');
        let mut leading = true;
        let words: Vec<u64> = mask.words().collect();
        for (index, word) in words.iter().enumerate().rev() {
            for nibble in (0..16).rev() {
                let digit = usize::try_from(word >> (nibble * 4) & 0xF).expect("4 bits");
                leading &= digit == 0 && (nibble > 0 || index > 0);
                if !leading {
                    self.line.push(b"0123456789abcdef"[digit]);
                }
            }
        }
    }

    fn number(&mut self, number: i64) {
        self.line.push(b' ');
        if number < 0 {
            self.line.push(b'-');
        }
        self.digits(number.unsigned_abs());
    }

    fn digits(&mut self, mut number: u64) {
        let mut digits = [0; 20];
        let mut place = digits.len();
        loop {
            place -= 1;
            digits[place] = b'0' + u8::try_from(number % 10).expect("a digit");
            number /= 10;
            if number == 0 {
                break;
            }
        }
        self.line.extend_from_slice(&digits[place..]);
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
