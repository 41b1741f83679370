//! How vCPUs, pCPUs, sentences and masks are shown, the same everywhere on the page.
//!
//! Must not know what a sentence says.

use crate::protocol::{IDLE, Piece};
use crate::timeline::shape::{MachineShape, VcpuShape};
use crate::timeline::theme::{DOMAIN_LOOKS, Fill, Palette, Scheme, Texture, VCPU_SHADES};
use std::fmt::Write;
use std::rc::Rc;
use yew::prelude::*;

/// What names need: the machine and the theme. Given to all panels as a context.
#[derive(Clone, Debug, PartialEq)]
pub struct Names {
    /// The machine and its guests.
    pub shape: Rc<MachineShape>,
    /// Which colours show.
    pub scheme: Scheme,
}

impl Names {
    /// The name of a vCPU in the colour that it has in the timeline.
    pub fn vcpu(&self, vcpu: u16) -> Html {
        let name = self.shape.vcpu_name(vcpu);
        match self.shape.vcpus.get(usize::from(vcpu)) {
            None if vcpu == IDLE => html! { <span class="muted">{ "idle" }</span> },
            None => html! { <b>{ name }</b> },
            Some(shape) => {
                html! { <b class={classes!("vcpu", ink_class(*shape))}>{ name }</b> }
            }
        }
    }

    /// A small square in a domain's colour and pattern.
    pub fn swatch(&self, domain: u16) -> Html {
        swatch(&Palette::of(self.scheme).domain(domain), "swatch", (11, 11))
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

/// The class that gives a vCPU's name its colours.
fn ink_class(vcpu: VcpuShape) -> String {
    format!("ink-{}-{}", vcpu.domain % DOMAIN_LOOKS, vcpu.index % VCPU_SHADES)
}

/// The style sheet of all vCPUs' colours: the page's policy forbids style attributes.
#[must_use]
pub fn ink_sheet(scheme: Scheme) -> String {
    let palette = Palette::of(scheme);
    let all = (0..DOMAIN_LOOKS)
        .flat_map(|domain| (0..VCPU_SHADES).map(move |index| VcpuShape { domain, index }));
    let mut sheet = String::new();
    for vcpu in all {
        let ground = palette.vcpu(vcpu).ground;
        let (class, label) = (ink_class(vcpu), palette.label_on(ground));
        // Writing to a string cannot fail.
        let _ = write!(sheet, ".{class}{{background:{};color:{}}}", ground.css(), label.css());
    }
    sheet
}

/// A sample of a surface, of this width and height in px.
pub fn swatch(fill: &Fill, class: &'static str, (width, height): (i32, i32)) -> Html {
    let lines = (-height..width).step_by(4).fold(String::new(), |mut path, x| {
        let to = x + height;
        let _ = match fill.texture {
            Texture::Plain => Ok(()),
            Texture::Stripes => write!(path, "M{x} {height}L{to} 0"),
            Texture::Cross => write!(path, "M{x} {height}L{to} 0M{x} 0L{to} {height}"),
        };
        path
    });
    html! {
        <svg {class} viewBox={format!("0 0 {width} {height}")} aria-hidden="true">
            <path d={format!("M0 0H{width}V{height}H0Z")} fill={fill.ground.css()} />
            <path d={lines} stroke={fill.ink.css()} />
        </svg>
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
        let names = Names { shape, scheme: Scheme::default() };
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
