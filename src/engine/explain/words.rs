//! Sentences as pieces, so that the page can colour names. Knows nothing of scheduling.

use crate::protocol::Piece;
use sim_core::cpumask::CpuMask;
use sim_core::ids::{PcpuId, VcpuId};
use sim_core::units::SimDuration;

/// How many pCPUs a sentence names before it counts the rest.
const NAMED: usize = 4;

/// A sentence under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    pieces: Vec<Piece>,
    guests: u16,
}

impl Words {
    /// An empty sentence about a machine of so many guests: vCPUs from there on are idle ones.
    pub(super) fn about(guests: usize) -> Self {
        Self { pieces: vec![], guests: u16::try_from(guests).expect("limited vCPUs") }
    }

    pub(super) fn text(mut self, text: impl AsRef<str>) -> Self {
        let text = text.as_ref();
        if let Some(Piece::Text(last)) = self.pieces.last_mut() {
            last.push_str(text);
        } else if !text.is_empty() {
            self.pieces.push(Piece::Text(text.to_owned()));
        }
        self
    }

    pub(super) fn strong(self, text: impl Into<String>) -> Self {
        self.piece(Piece::Strong(text.into()))
    }

    pub(super) fn lit(self, text: impl Into<String>) -> Self {
        self.piece(Piece::Lit(text.into()))
    }

    pub(super) fn vcpu(self, vcpu: VcpuId) -> Self {
        if vcpu.0 < self.guests {
            self.piece(Piece::Vcpu(vcpu.0))
        } else {
            self.text("the idle vCPU")
        }
    }

    pub(super) fn pcpu(self, pcpu: PcpuId) -> Self {
        self.piece(Piece::Pcpu(pcpu.0))
    }

    /// A length of time, with unit.
    pub(super) fn ns(self, ns: u64) -> Self {
        self.text(SimDuration::from_ns(ns).to_string())
    }

    /// The pCPUs of a set by name, as far as that reads well; `nobody` if there is none.
    pub(super) fn pcpus(mut self, mask: &CpuMask, nobody: &str) -> Self {
        let all: Vec<PcpuId> = mask.iter().collect();
        if all.is_empty() {
            return self.text(nobody);
        }
        let shown = if all.len() > NAMED + 1 { NAMED } else { all.len() };
        for (index, pcpu) in all[..shown].iter().enumerate() {
            let last = index + 1 == all.len();
            self = match index {
                0 => self,
                _ if last => self.text(" and "),
                _ => self.text(", "),
            };
            self = self.pcpu(*pcpu);
        }
        if shown < all.len() {
            return self.text(format!(" and {} more", all.len() - shown));
        }
        self
    }

    pub(super) fn done(self) -> Vec<Piece> {
        self.pieces
    }

    fn piece(mut self, piece: Piece) -> Self {
        self.pieces.push(piece);
        self
    }
}

/// A signed number with a true minus sign.
pub(super) fn signed(number: i32) -> String {
    if number < 0 { format!("−{}", number.unsigned_abs()) } else { number.to_string() }
}

/// “1 pCPU”, “2 pCPUs”.
pub(super) fn count(number: u32, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// The bits of a set, pCPU 0 first.
pub(super) fn bits(mask: &CpuMask, pcpus: usize) -> Vec<bool> {
    let pcpus = u16::try_from(pcpus).expect("limited pCPUs");
    (0..pcpus).map(|pcpu| mask.contains(PcpuId(pcpu))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: sets read as people would say them, and long ones are cut.
    #[test]
    fn sets_of_pcpus_read_well() {
        let said = |pcpus: &[u16]| {
            let mut mask = CpuMask::empty(16);
            pcpus.iter().for_each(|pcpu| mask.insert(PcpuId(*pcpu)));
            let words = Words::about(4).pcpus(&mask, "nobody").done();
            words.iter().fold(String::new(), |said, piece| match piece {
                Piece::Pcpu(pcpu) => format!("{said}p{pcpu}"),
                Piece::Text(text) => said + text,
                _ => said,
            })
        };
        assert_eq!(said(&[]), "nobody");
        assert_eq!(said(&[3]), "p3");
        assert_eq!(said(&[1, 3]), "p1 and p3");
        assert_eq!(said(&[1, 2, 3, 4, 5]), "p1, p2, p3, p4 and p5");
        assert_eq!(said(&[1, 2, 3, 4, 5, 6]), "p1, p2, p3, p4 and 2 more");
    }
}
