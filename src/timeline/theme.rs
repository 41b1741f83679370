//! Colours and sizes of the picture, light and dark.
//!
//! Colour is for domains and for the one thing to look at; everything else is grey. Must not know
//! what is drawn.

use super::shape::VcpuShape;

/// A colour with its opacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour {
    /// Red, green, blue.
    pub rgb: [u8; 3],
    /// Opacity, in 255ths.
    pub alpha: u8,
}

/// A surface: its ground, and the lines drawn over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fill {
    /// The ground.
    pub ground: Colour,
    /// The lines' pattern.
    pub texture: Texture,
    /// The lines' colour.
    pub ink: Colour,
}

/// Patterns that tell surfaces of one colour apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Texture {
    /// None.
    Plain,
    /// Lines that rise to the right.
    Stripes,
    /// Lines both ways.
    Cross,
}

/// Which colours show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scheme {
    /// The dark theme.
    pub dark: bool,
    /// Stronger contrasts: the system asks for them, or forces colours of its own on all pages.
    pub strong: bool,
}

/// The colours of a theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Behind the picture.
    pub panel: Colour,
    /// Rules and borders.
    pub line: Colour,
    /// Text and marks.
    pub text: Colour,
    /// Text of second rank.
    pub muted: Colour,
    /// What can be acted on; tickles.
    pub accent: Colour,
    /// The one thing to look at: the selected decision, the cursor.
    pub hot: Colour,
    /// A pCPU with nothing to run.
    pub idle: Colour,
    /// The chosen row.
    pub lit: Colour,
    /// Believed idle.
    pub believed: Colour,
    /// Told to schedule and not yet done so.
    pub told: Colour,
    /// Text on dark surfaces.
    pub white: Colour,
    /// Text on light surfaces.
    pub black: Colour,
    domains: [Colour; 6],
}

/// Sizes, in px.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// All text.
    pub text: f64,
    /// A letter of the type that times and names are set in.
    pub letter: f64,
    /// Lines that stand for something.
    pub line: f64,
    /// Marks, from side to side.
    pub mark: f64,
}

impl Colour {
    /// An opaque colour, as in `0x4477aa`.
    #[must_use]
    pub const fn hex(rgb: u32) -> Self {
        let [_, r, g, b] = rgb.to_be_bytes();
        Self { rgb: [r, g, b], alpha: 255 }
    }

    /// The same colour with another opacity, in 255ths.
    #[must_use]
    pub const fn with_alpha(self, alpha: u8) -> Self {
        Self { rgb: self.rgb, alpha }
    }

    /// This colour with `share` 255ths of the other, both opaque.
    #[must_use]
    pub fn mixed(self, other: Self, share: u8) -> Self {
        let mix = |a: u8, b: u8| {
            let sum = u32::from(a) * u32::from(255 - share) + u32::from(b) * u32::from(share);
            u8::try_from((sum + 127) / 255).expect("a mean of two bytes is a byte")
        };
        let [r, g, b] = self.rgb;
        let [or, og, ob] = other.rgb;
        Self { rgb: [mix(r, or), mix(g, og), mix(b, ob)], alpha: 255 }
    }

    /// As style sheets write it: `#4477aa`, or `#4477aa80` if it is not opaque.
    #[must_use]
    pub fn css(self) -> String {
        let [r, g, b] = self.rgb;
        match self.alpha {
            255 => format!("#{r:02x}{g:02x}{b:02x}"),
            alpha => format!("#{r:02x}{g:02x}{b:02x}{alpha:02x}"),
        }
    }

    /// Relative luminance as the WCAG defines it, 0 to 1.
    #[must_use]
    pub fn luminance(self) -> f64 {
        let linear = |byte: u8| {
            let c = f64::from(byte) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        };
        let [r, g, b] = self.rgb.map(linear);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Contrast with another colour as the WCAG defines it, 1 to 21.
    #[must_use]
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance() + 0.05, other.luminance() + 0.05);
        if a > b { a / b } else { b / a }
    }
}

impl Fill {
    /// A surface without lines.
    #[must_use]
    pub const fn plain(ground: Colour) -> Self {
        Self { ground, texture: Texture::Plain, ink: ground }
    }
}

/// Domains that look different; the next ones look like the first.
pub const DOMAIN_LOOKS: u16 = 18;

/// vCPUs of a domain that are shaded differently; the next ones look like the first.
pub const VCPU_SHADES: u16 = 4;

const TEXTURES: [Texture; 3] = [Texture::Plain, Texture::Stripes, Texture::Cross];

/// Chosen so that any two are at least 14 apart (CIE 1976) for normal sight and for the three
/// dichromacies, and all stand out from the panel by 3 to 1.
const LIGHT: Palette = Palette {
    panel: Colour::hex(0xff_ff_ff),
    line: Colour::hex(0xdc_dc_d6),
    text: Colour::hex(0x17_19_1c),
    muted: Colour::hex(0x5b_61_68),
    accent: Colour::hex(0x1d_4f_d7),
    hot: Colour::hex(0xb3_26_1e),
    idle: Colour::hex(0xec_ec_e7),
    lit: Colour::hex(0xff_f4_cf),
    believed: Colour::hex(0x6f_8f_e6),
    told: Colour::hex(0xb0_2a_6f),
    white: Colour::hex(0xff_ff_ff),
    black: Colour::hex(0x10_12_15),
    domains: [
        Colour::hex(0x44_77_aa),
        Colour::hex(0xcc_6f_00),
        Colour::hex(0x2f_9e_7e),
        Colour::hex(0x7a_1f_4f),
        Colour::hex(0x2b_25_73),
        Colour::hex(0x6b_5b_2e),
    ],
};

const DARK: Palette = Palette {
    panel: Colour::hex(0x18_1b_1f),
    line: Colour::hex(0x2b_30_37),
    text: Colour::hex(0xe9_eb_ee),
    muted: Colour::hex(0x9a_a3_ad),
    accent: Colour::hex(0x8a_b0_ff),
    hot: Colour::hex(0xff_8a_80),
    idle: Colour::hex(0x22_26_2b),
    lit: Colour::hex(0x3a_32_13),
    believed: Colour::hex(0x55_71_b8),
    told: Colour::hex(0xf0_7f_b8),
    white: Colour::hex(0xff_ff_ff),
    black: Colour::hex(0x10_12_15),
    domains: [
        Colour::hex(0x6f_a3_d8),
        Colour::hex(0xf0_a1_3c),
        Colour::hex(0x8d_e8_cb),
        Colour::hex(0xca_5f_99),
        Colour::hex(0x84_74_e8),
        Colour::hex(0xff_f3_b0),
    ],
};

/// For those who need contrast: any two domains are at least 35 apart for every sight, all stand
/// out from the panel by 4.5 to 1, text by 7 to 1.
const LIGHT_STRONG: Palette = Palette {
    panel: Colour::hex(0xff_ff_ff),
    line: Colour::hex(0x60_60_60),
    text: Colour::hex(0x00_00_00),
    muted: Colour::hex(0x1c_1c_1c),
    accent: Colour::hex(0x00_2a_a8),
    hot: Colour::hex(0x9c_00_00),
    idle: Colour::hex(0xec_ec_ec),
    lit: Colour::hex(0xff_f0_b0),
    believed: Colour::hex(0x1f_4f_d0),
    told: Colour::hex(0x8f_00_5c),
    white: Colour::hex(0xff_ff_ff),
    black: Colour::hex(0x00_00_00),
    domains: [
        Colour::hex(0x50_73_aa),
        Colour::hex(0xd0_3c_05),
        Colour::hex(0x3f_05_8b),
        Colour::hex(0x6e_00_00),
        Colour::hex(0xa0_11_ff),
        Colour::hex(0x52_1d_40),
    ],
};

const DARK_STRONG: Palette = Palette {
    panel: Colour::hex(0x00_00_00),
    line: Colour::hex(0x90_90_90),
    text: Colour::hex(0xff_ff_ff),
    muted: Colour::hex(0xe4_e4_e4),
    accent: Colour::hex(0xa8_c8_ff),
    hot: Colour::hex(0xff_b4_ac),
    idle: Colour::hex(0x1c_1c_1c),
    lit: Colour::hex(0x3a_32_00),
    believed: Colour::hex(0x86_a8_ff),
    told: Colour::hex(0xff_9a_d0),
    white: Colour::hex(0xff_ff_ff),
    black: Colour::hex(0x00_00_00),
    domains: [
        Colour::hex(0x1c_ff_ff),
        Colour::hex(0xff_d4_99),
        Colour::hex(0xc8_56_ef),
        Colour::hex(0x07_a0_00),
        Colour::hex(0xf4_43_8a),
        Colour::hex(0xb8_f6_14),
    ],
};

impl Palette {
    /// The colours of a scheme.
    #[must_use]
    pub const fn of(scheme: Scheme) -> &'static Self {
        match (scheme.dark, scheme.strong) {
            (false, false) => &LIGHT,
            (true, false) => &DARK,
            (false, true) => &LIGHT_STRONG,
            (true, true) => &DARK_STRONG,
        }
    }

    /// A domain's surface; more domains than colours are told apart by lines.
    #[must_use]
    pub fn domain(&self, domain: u16) -> Fill {
        let at = usize::from(domain);
        let ground = self.domains[at % self.domains.len()];
        let texture = TEXTURES[at / self.domains.len() % TEXTURES.len()];
        self.with_ink(ground, texture)
    }

    /// A vCPU's surface: its domain's, a little stronger with each vCPU of the domain up to the
    /// fourth. It moves away from its label's colour, so that the label stays readable.
    #[must_use]
    pub fn vcpu(&self, vcpu: VcpuShape) -> Fill {
        let base = self.domain(vcpu.domain);
        let label = self.label_on(base.ground);
        let away = if label == self.white { self.black } else { self.white };
        let share = u8::try_from(vcpu.index % VCPU_SHADES).expect("below 4") * 22;
        self.with_ink(base.ground.mixed(away, share), base.texture)
    }

    /// The colour of text on a surface: whichever is read better.
    #[must_use]
    pub fn label_on(&self, ground: Colour) -> Colour {
        if ground.contrast(self.white) >= ground.contrast(self.black).min(4.5) {
            self.white
        } else {
            self.black
        }
    }

    fn with_ink(&self, ground: Colour, texture: Texture) -> Fill {
        let ink = self.label_on(ground).with_alpha(if texture == Texture::Plain { 0 } else { 90 });
        Fill { ground, texture, ink }
    }
}

impl Sizes {
    /// Sizes for reading at a desk or in a room.
    #[must_use]
    pub const fn of(presenting: bool) -> Self {
        if presenting {
            Self { text: 20.0, letter: 12.1, line: 2.5, mark: 13.0 }
        } else {
            Self { text: 12.0, letter: 7.3, line: 1.6, mark: 8.0 }
        }
    }

    /// The same, so many times as large.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let Self { text, letter, line, mark } = self;
        let [text, letter, line, mark] = [text, letter, line, mark].map(|size| size * factor);
        Self { text, letter, line, mark }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEMES: [Scheme; 4] = [
        Scheme { dark: false, strong: false },
        Scheme { dark: true, strong: false },
        Scheme { dark: false, strong: true },
        Scheme { dark: true, strong: true },
    ];

    type Matrix = [[f64; 3]; 3];
    /// Machado, Oliveira and Fernandes 2009, severity 1: protan, deutan, tritan; and normal sight.
    const SIGHTS: [(&str, Matrix); 4] = [
        ("normal", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protan",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deutan",
            [
                [0.367_322, 0.860_646, -0.227_968],
                [0.280_085, 0.672_501, 0.047_413],
                [-0.011_820, 0.042_940, 0.968_881],
            ],
        ),
        (
            "tritan",
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ),
    ];

    fn dot(row: [f64; 3], v: [f64; 3]) -> f64 {
        row.iter().zip(v).map(|(a, b)| a * b).sum()
    }

    fn lab(colour: Colour, sight: &Matrix) -> [f64; 3] {
        let linear = colour.rgb.map(|byte| {
            let c = f64::from(byte) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        });
        let seen = sight.map(|row| dot(row, linear).clamp(0.0, 1.0));
        let f = |t: f64| if t > 0.008_856 { t.cbrt() } else { 7.787 * t + 16.0 / 116.0 };
        let x = f(dot([0.4124, 0.3576, 0.1805], seen) / 0.950_47);
        let y = f(dot([0.2126, 0.7152, 0.0722], seen));
        let z = f(dot([0.0193, 0.1192, 0.9505], seen) / 1.088_83);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn apart(a: Colour, b: Colour, sight: &Matrix) -> f64 {
        let (a, b) = (lab(a, sight), lab(b, sight));
        a.iter().zip(b).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
    }

    /// Goal: any two of the first 18 domains differ by pattern or, for every kind of sight, by
    /// colour.
    #[test]
    fn domains_are_told_apart_by_every_sight() {
        for scheme in SCHEMES {
            let palette = Palette::of(scheme);
            for (a, b) in (0..18u16).flat_map(|a| (0..a).map(move |b| (a, b))) {
                let (one, other) = (palette.domain(a), palette.domain(b));
                if one.texture != other.texture {
                    continue;
                }
                for (sight, matrix) in &SIGHTS {
                    let apart = apart(one.ground, other.ground, matrix);
                    let enough = if scheme.strong { 35.0 } else { 14.0 };
                    let said = format!("{scheme:?}: {a} and {b} for {sight}: {apart:.1}");
                    assert!(apart >= enough, "{said}");
                }
            }
        }
    }

    /// Goal: labels can be read on every vCPU's surface, and surfaces are seen on the panel.
    #[test]
    fn labels_are_read_on_every_vcpu() {
        for scheme in SCHEMES {
            let palette = Palette::of(scheme);
            for (domain, index) in (0..18).flat_map(|d| (0..8).map(move |i| (d, i))) {
                let fill = palette.vcpu(VcpuShape { domain, index });
                let contrast = fill.ground.contrast(palette.label_on(fill.ground));
                assert!(contrast >= 4.5, "{scheme:?}, d{domain}v{index}: {contrast:.2}");
                let stands_out = palette.domain(domain).ground.contrast(palette.panel);
                let enough = if scheme.strong { 4.5 } else { 3.0 };
                assert!(stands_out >= enough, "{scheme:?}, d{domain}: {stands_out:.2}");
            }
        }
    }

    /// Goal: text is read on what it stands on (4.5 to 1); lines that stand for something are
    /// seen (3 to 1).
    #[test]
    fn text_and_lines_are_seen() {
        for scheme in SCHEMES {
            let p = Palette::of(scheme);
            for ground in [p.panel, p.idle, p.lit] {
                for (name, ink) in [("text", p.text), ("muted", p.muted), ("hot", p.hot)] {
                    let contrast = ink.contrast(ground);
                    assert!(
                        contrast >= if scheme.strong { 7.0 } else { 4.5 },
                        "{scheme:?}: {name} on {}: {contrast:.2}",
                        ground.css()
                    );
                }
            }
            for (name, ink) in [("believed", p.believed), ("told", p.told), ("accent", p.accent)] {
                let contrast = ink.contrast(p.panel);
                assert!(
                    contrast >= if scheme.strong { 4.5 } else { 3.0 },
                    "{scheme:?}: {name}: {contrast:.2}"
                );
            }
            let bubble = p.hot.contrast(p.label_on(p.hot));
            assert!(bubble >= 4.5, "{scheme:?}: cursor's time: {bubble:.2}");
        }
    }

    /// Goal: no text is smaller than 12 px, or 20 px before a room.
    #[test]
    fn text_is_large_enough() {
        assert!(Sizes::of(false).text >= 12.0);
        assert!(Sizes::of(true).text >= 20.0);
    }

    /// Goal: vCPUs of a domain differ a little, and less than domains do.
    #[test]
    fn vcpus_shade_their_domain() {
        let palette = Palette::of(SCHEMES[0]);
        let first = palette.vcpu(VcpuShape { domain: 0, index: 0 });
        let second = palette.vcpu(VcpuShape { domain: 0, index: 1 });
        assert_ne!(first, second);
        assert!(apart(first.ground, second.ground, &SIGHTS[0].1) < 14.0);
    }
}
