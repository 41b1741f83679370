//! How vCPUs, pCPUs, sentences and masks are shown, the same everywhere on the page.
//!
//! Must not know what a sentence says.

use crate::protocol::{IDLE, Piece};
use crate::timeline::shape::MachineShape;
use crate::timeline::theme::{Palette, Texture};
use std::rc::Rc;
use yew::prelude::*;

/// What names need: the machine and the theme. Given to all panels as a context.
#[derive(Clone, Debug, PartialEq)]
pub struct Names {
    /// The machine and its guests.
    pub shape: Rc<MachineShape>,
    /// Whether the dark theme shows.
    pub dark: bool,
}

impl Names {
    /// The name of a vCPU in the colour that it has in the timeline.
    pub fn vcpu(&self, vcpu: u16) -> Html {
        let name = self.shape.vcpu_name(vcpu);
        match self.shape.vcpus.get(usize::from(vcpu)) {
            None if vcpu == IDLE => html! { <span class="muted">{ "idle" }</span> },
            None => html! { <b>{ name }</b> },
            Some(shape) => {
                let palette = Palette::of(self.dark);
                let ground = palette.vcpu(*shape).ground;
                let style =
                    format!("background:{};color:{}", ground.css(), palette.label_on(ground).css());
                html! { <b class="vcpu" {style}>{ name }</b> }
            }
        }
    }

    /// A small square in a domain's colour and pattern.
    pub fn swatch(&self, domain: u16) -> Html {
        let fill = Palette::of(self.dark).domain(domain);
        let class = match fill.texture {
            Texture::Plain => "swatch",
            Texture::Stripes => "swatch stripes",
            Texture::Cross => "swatch cross",
        };
        html! { <i {class} style={format!("background-color:{}", fill.ground.css())}></i> }
    }

    /// A sentence.
    pub fn sentence(&self, pieces: &[Piece]) -> Html {
        pieces.iter().map(|piece| self.piece(piece)).collect()
    }

    fn piece(&self, piece: &Piece) -> Html {
        match piece {
            Piece::Text(text) => html! { { text } },
            Piece::Vcpu(vcpu) => self.vcpu(*vcpu),
            Piece::Pcpu(pcpu) => html! { <span class="pcpu">{ format!("p{pcpu}") }</span> },
            Piece::Strong(text) => html! { <strong>{ text }</strong> },
            Piece::Lit(text) => html! { <em class="lit">{ text }</em> },
        }
    }

    /// A sentence as plain text, for those who listen.
    #[must_use]
    pub fn plain(&self, pieces: &[Piece]) -> String {
        let word = |piece: &Piece| match piece {
            Piece::Text(text) | Piece::Strong(text) | Piece::Lit(text) => text.clone(),
            Piece::Vcpu(vcpu) => self.shape.vcpu_name(*vcpu),
            Piece::Pcpu(pcpu) => format!("p{pcpu}"),
        };
        pieces.iter().map(word).collect()
    }
}

/// A row of bits, pCPU 0 first; `hot` lights the ones that are set as the thing to look at.
pub fn bits(bits: &[bool], hot: bool, what: &str) -> Html {
    let set: Vec<String> = (bits.iter().enumerate())
        .filter(|(_, on)| **on)
        .map(|(pcpu, _)| format!("p{pcpu}"))
        .collect();
    let said = if set.is_empty() { "none".into() } else { set.join(", ") };
    let label = format!("{what}: {said}");
    html! {
        <span class={classes!("bits", density(bits.len()))}
            role="img" aria-label={label}>
            { for bits.iter().enumerate().map(|(pcpu, on)| bit(pcpu, *on, hot)) }
        </span>
    }
}

/// How tightly so many bits are set.
const fn density(count: usize) -> &'static str {
    match count {
        0..=8 => "wide",
        9..=16 => "small",
        _ => "many",
    }
}

fn bit(pcpu: usize, on: bool, hot: bool) -> Html {
    let class = classes!("bit", on.then_some("on"), (on && hot).then_some("hot"));
    html! { <span {class} title={format!("p{pcpu}")}>{ u8::from(on) }</span> }
}

/// The names of the pCPUs above rows of bits.
pub fn bit_heads(count: usize) -> Html {
    html! {
        <span class={classes!("bits", "heads", density(count))} aria-hidden="true">
            { for (0..count).map(|pcpu| html! { <span>{ if count > 8 { pcpu.to_string() } else { format!("p{pcpu}") } }</span> }) }
        </span>
    }
}

/// A word of the field with its explanation on hover and focus.
pub fn term(word: &'static str, tip: &'static str) -> Html {
    html! { <abbr class="term" tabindex="0" title={tip}>{ word }</abbr> }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_core::presets::PRESETS;

    /// Goal: a sentence can be listened to: names stand in it as text.
    #[test]
    fn sentences_have_plain_text() {
        let shape = Rc::new(MachineShape::of(&(PRESETS[0].build)()));
        let names = Names { shape, dark: false };
        let pieces = [
            Piece::Vcpu(2),
            Piece::Text(" woke on ".into()),
            Piece::Pcpu(0),
            Piece::Text(" with ".into()),
            Piece::Strong("BOOST".into()),
        ];
        assert_eq!(names.plain(&pieces), "d2v0 woke on p0 with BOOST");
    }
}
