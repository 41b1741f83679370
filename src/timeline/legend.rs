//! What the colours and signs of the picture stand for.
//!
//! Must not know where it is shown.

use super::draw::Sign;
use super::paint::{Inks, dash, sign_of};
use super::shape::MachineShape;
use super::theme::{Fill, Texture};
use crate::protocol::{ArrowKind, MarkKind};

/// An entry of the legend.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What is shown.
    pub swatch: Swatch,
    /// What it stands for.
    pub name: String,
    /// The same in a sentence.
    pub meaning: String,
}

/// What an entry shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Swatch {
    /// A surface.
    Surface(Fill),
    /// A lane.
    Lane(Fill),
    /// A sign.
    Sign(Sign),
    /// An arrow; dashed if the length of its dashes is not 0.
    Arrow(f64),
}

/// Domains that are named one by one.
const DOMAINS_MAX: u16 = 12;

/// The legend of a machine's picture.
#[must_use]
pub fn legend(shape: &MachineShape, inks: &Inks) -> Vec<Entry> {
    let palette = inks.palette;
    let domains = shape.domain_count();
    let domain = |domain: u16| Entry {
        swatch: Swatch::Surface(palette.domain(domain)),
        name: format!("d{}", u32::from(domain) + 1),
        meaning: format!("A vCPU of domain {} runs.", u32::from(domain) + 1),
    };
    let mut entries: Vec<Entry> = (0..domains.min(DOMAINS_MAX)).map(domain).collect();
    if let Some(last) = entries.last_mut().filter(|_| domains > DOMAINS_MAX) {
        last.name = format!("{} … d{domains}", last.name);
    }
    let told = Fill {
        ground: palette.told,
        texture: Texture::Stripes,
        ink: palette.panel.with_alpha(150),
    };
    let rest = [
        (Swatch::Surface(Fill::plain(palette.idle)), "idle", "The pCPU has nothing to run."),
        (
            Swatch::Lane(Fill::plain(palette.believed)),
            "scheduler believes idle",
            "The pCPU's bit is set in the mask of idlers.",
        ),
        (
            Swatch::Lane(told),
            "told, not yet there",
            "The pCPU was tickled and has not scheduled since.",
        ),
        (Swatch::Sign(sign_of(MarkKind::Wake)), "wake", "A vCPU's wake-up is handled here."),
        (Swatch::Sign(sign_of(MarkKind::Tickled)), "tickled", "This pCPU is told to schedule."),
        (
            Swatch::Arrow(dash(ArrowKind::Tickle)),
            "tickle",
            "From the pCPU that decides to the one that is told.",
        ),
        (
            Swatch::Arrow(dash(ArrowKind::Steal)),
            "steal",
            "A pCPU takes a waiting vCPU from another's queue.",
        ),
        (Swatch::Arrow(dash(ArrowKind::Migrate)), "move", "A vCPU moves to another pCPU."),
        (Swatch::Sign(sign_of(MarkKind::Steal)), "steal ends", "This pCPU has stolen a vCPU."),
        (
            Swatch::Sign(sign_of(MarkKind::Kick)),
            "kick",
            "The running vCPU is sent away to another pCPU.",
        ),
    ];
    entries.extend(rest.map(|(swatch, name, meaning)| Entry {
        swatch,
        name: name.into(),
        meaning: meaning.into(),
    }));
    entries
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::sample::shape;
    use crate::timeline::theme::{Scheme, Sizes};

    fn names(vcpus: u16) -> Vec<String> {
        let shape = shape(4, vcpus, false);
        let entries = legend(&shape, &Inks::new(&shape, Scheme::default(), Sizes::of(false)));
        entries.into_iter().map(|entry| entry.name).collect()
    }

    /// Goal: every domain is named, or is said to follow.
    #[test]
    fn every_domain_is_named() {
        assert_eq!(names(4)[..3], ["d1", "d2", "idle"]);
        assert_eq!(names(40)[10..13], ["d11", "d12 … d20", "idle"]);
    }
}
