//! A draw list as an SVG that stands alone: no script, no style sheet, no font or file from
//! elsewhere; text stays text.
//!
//! Pure. Must not know what a picture means.

use super::draw::{Align, Area, DrawList, DrawOp, Pen, Point, Type};
use super::scale::count_px;
use super::theme::{Colour, Fill, Texture};
use std::collections::BTreeMap;
use std::fmt::{self, Display, Write};

/// Fonts that figures stand in with equal widths; whoever shows the file has one of them.
const FONTS: &str = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace";
/// Side of a pattern's tile, in px.
const PATTERN_SIDE: f64 = 6.0;
/// From the middle of letters to the line that they stand on, in sizes of their type. Programs for
/// slides know no other way to say where text stands.
const BASELINE: f64 = 0.35;

/// What a file says of itself.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// Its name, for those who listen.
    pub title: &'a str,
    /// The address that opens the same.
    pub link: &'a str,
    /// Behind everything.
    pub ground: Colour,
}

/// Writes a picture.
#[must_use]
pub fn svg(list: &DrawList, about: About) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = document(&mut out, list, about);
    out
}

fn document(out: &mut String, list: &DrawList, about: About) -> fmt::Result {
    let (w, h) = (Px(list.width), Px(list.height));
    write!(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\"")?;
    writeln!(out, " viewBox=\"0 0 {w} {h}\" font-family=\"{FONTS}\" role=\"img\">")?;
    writeln!(out, "<title>{}</title>", Escaped(about.title))?;
    writeln!(out, "<desc>{}</desc>", Escaped(about.link))?;
    let mut patterns = Vec::new();
    let textured = list.ops.iter().filter_map(|op| match op {
        DrawOp::Rect { fill, .. } if fill.texture != Texture::Plain => Some(fill),
        _ => None,
    });
    for fill in textured {
        let pattern = (fill.texture, fill.ink);
        if !patterns.contains(&pattern) {
            define(out, patterns.len(), pattern)?;
            patterns.push(pattern);
        }
    }
    writeln!(out, "<rect width=\"{w}\" height=\"{h}\"{}/>", Ink("fill", about.ground))?;
    for op in &list.ops {
        draw(out, op, &patterns)?;
    }
    out.push_str("</svg>\n");
    Ok(())
}

fn define(out: &mut String, number: usize, (texture, ink): (Texture, Colour)) -> fmt::Result {
    let side = PATTERN_SIDE;
    write!(out, "<pattern id=\"p{number}\" width=\"{side}\" height=\"{side}\"")?;
    write!(out, " patternUnits=\"userSpaceOnUse\"><path d=\"")?;
    // Each line is drawn thrice, so that the tile's corners fit their neighbours.
    for shift in [-side, 0.0, side] {
        write!(out, "M{shift} {side}L{} 0", shift + side)?;
        if texture == Texture::Cross {
            write!(out, "M{shift} 0L{} {side}", shift + side)?;
        }
    }
    writeln!(out, "\" stroke-width=\"1.2\"{}/></pattern>", Ink("stroke", ink))
}

fn draw(out: &mut String, op: &DrawOp, patterns: &[(Texture, Colour)]) -> fmt::Result {
    match op {
        DrawOp::Rect { area, radius, fill } => rect(out, area, *radius, fill, patterns),
        DrawOp::Line { ends: [from, to], pen } => {
            write!(out, "<path d=\"M{}L{}\" shape-rendering=\"crispEdges\"", At(*from), At(*to))?;
            writeln!(out, "{}/>", Stroke(pen))
        }
        DrawOp::Arrow { points, pen, head } => {
            let ([a, b, c, d], tip) = DrawOp::arrow_shape(points, *head);
            write!(out, "<path d=\"M{}C{} {} {}\"", At(a), At(b), At(c), At(d))?;
            writeln!(out, " fill=\"none\"{}/>", Stroke(pen))?;
            polygon(out, &tip)?;
            writeln!(out, "{}/>", Ink("fill", pen.colour))
        }
        DrawOp::Glyph { sign, at, size, colour, rim } => {
            polygon(out, &sign.outline(*at, *size))?;
            write!(out, "{} stroke-width=\"2\" paint-order=\"stroke\"", Ink("fill", *colour))?;
            writeln!(out, "{}/>", Ink("stroke", *rim))
        }
        DrawOp::Text { text, at, type_, colour } => write_text(out, text, *at, *type_, *colour),
        DrawOp::Path { points, filled: true, pen } => {
            polygon(out, points)?;
            writeln!(out, "{}/>", Ink("fill", pen.colour))
        }
        DrawOp::Path { points, filled: false, pen } => {
            through(out, points)?;
            writeln!(out, "\" fill=\"none\"{}/>", Stroke(pen))
        }
        DrawOp::ImageRow { area, rgba } => image_row(out, area, rgba),
    }
}

fn rect(
    out: &mut String,
    area: &Area,
    radius: f64,
    fill: &Fill,
    patterns: &[(Texture, Colour)],
) -> fmt::Result {
    let Area { x, y, w, h } = *area;
    if w <= 0.0 || h <= 0.0 {
        return Ok(());
    }
    let mut shape =
        format!("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", Px(x), Px(y), Px(w), Px(h));
    if radius > 0.0 {
        write!(shape, " rx=\"{}\"", Px(radius))?;
    }
    writeln!(out, "{shape}{}/>", Ink("fill", fill.ground))?;
    match patterns.iter().position(|pattern| *pattern == (fill.texture, fill.ink)) {
        Some(number) => writeln!(out, "{shape} fill=\"url(#p{number})\"/>"),
        None => Ok(()),
    }
}

fn polygon(out: &mut String, corners: &[Point]) -> fmt::Result {
    through(out, corners)?;
    out.push_str("Z\"");
    Ok(())
}

/// A path through points, not yet ended.
fn through(out: &mut String, points: &[Point]) -> fmt::Result {
    out.push_str("<path d=\"");
    for (at, point) in points.iter().enumerate() {
        write!(out, "{}{}", if at == 0 { 'M' } else { 'L' }, At(*point))?;
    }
    Ok(())
}

fn write_text(out: &mut String, text: &str, at: Point, type_: Type, colour: Colour) -> fmt::Result {
    let down = type_.size * BASELINE;
    if type_.turned {
        write!(out, "<text transform=\"translate({} {}) rotate(-90)\"", Px(at.x), Px(at.y))?;
        write!(out, " y=\"{}\"", Px(down))?;
    } else {
        write!(out, "<text x=\"{}\" y=\"{}\"", Px(at.x), Px(at.y + down))?;
    }
    write!(out, " font-size=\"{}\"", Px(type_.size))?;
    if type_.bold {
        out.push_str(" font-weight=\"600\"");
    }
    match type_.align {
        Align::Start => {}
        Align::Middle => out.push_str(" text-anchor=\"middle\""),
        Align::End => out.push_str(" text-anchor=\"end\""),
    }
    writeln!(out, "{}>{}</text>", Ink("fill", colour), Escaped(text))
}

/// A row of colours as rectangles: neighbours of one colour are one, all of a colour one shape.
fn image_row(out: &mut String, area: &Area, rgba: &[u8]) -> fmt::Result {
    let columns: Vec<Colour> =
        rgba.chunks_exact(4).map(|c| Colour { rgb: [c[0], c[1], c[2]], alpha: c[3] }).collect();
    let width = area.w / count_px(columns.len().max(1));
    let mut shapes: BTreeMap<([u8; 3], u8), String> = BTreeMap::new();
    let mut from = 0;
    for run in columns.chunk_by(|a, b| a == b) {
        let (x, w) = (area.x + count_px(from) * width, count_px(run.len()) * width);
        from += run.len();
        if run[0].alpha > 0 {
            let shape = shapes.entry((run[0].rgb, run[0].alpha)).or_default();
            write!(shape, "M{} {}h{}v{}h-{}z", Px(x), Px(area.y), Px(w), Px(area.h), Px(w))?;
        }
    }
    for ((rgb, alpha), shape) in shapes {
        let ink = Ink("fill", Colour { rgb, alpha });
        writeln!(out, "<path d=\"{shape}\" shape-rendering=\"crispEdges\"{ink}/>")?;
    }
    Ok(())
}

/// A length to a hundredth of a px.
struct Px(f64);

impl Display for Px {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (self.0 * 100.0).round() / 100.0)
    }
}

struct At(Point);

impl Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", Px(self.0.x), Px(self.0.y))
    }
}

/// A colour as an attribute; programs for slides know no opacity within a colour.
struct Ink(&'static str, Colour);

impl Display for Ink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(what, colour) = self;
        write!(f, " {what}=\"{}\"", colour.with_alpha(255).css())?;
        match colour.alpha {
            255 => Ok(()),
            alpha => write!(f, " {what}-opacity=\"{}\"", Px(f64::from(alpha) / 255.0)),
        }
    }
}

struct Stroke<'a>(&'a Pen);

impl Display for Stroke<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Pen { width, colour, dash } = *self.0;
        write!(f, "{} stroke-width=\"{}\"", Ink("stroke", colour), Px(width))?;
        if dash > 0.0 { write!(f, " stroke-dasharray=\"{}\"", Px(dash)) } else { Ok(()) }
    }
}

/// Text as XML holds it; characters that XML cannot hold are left out.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\t' | '\n' | '\r' => f.write_char(' ')?,
                letter if letter.is_control() || matches!(letter, '\u{fffe}' | '\u{ffff}') => {}
                letter => f.write_char(letter)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::paint::paint;
    use crate::timeline::sample::{crowded, known, known_record};

    fn about(title: &str) -> About<'_> {
        About { title, link: "http://127.0.0.1/#a&b", ground: Colour::hex(0xff_ff_ff) }
    }

    /// Checks that tags are closed in turn and that text and attributes hold no bare sign; gives
    /// how many elements there are.
    fn well_formed(xml: &str) -> usize {
        let (mut open, mut count) = (vec![], 0);
        for part in xml.split('<').skip(1) {
            let (tag, text) = part.split_once('>').expect("every tag ends");
            assert!(!text.contains('>'), "a bare > after <{tag}>");
            assert_eq!(tag.matches('"').count() % 2, 0, "quotes in <{tag}>");
            for rest in part.split('&').skip(1) {
                let name = rest.split(';').next().expect("a part");
                assert!(["amp", "lt", "gt", "quot"].contains(&name), "&{name}");
            }
            if let Some(name) = tag.strip_prefix('/') {
                assert_eq!(open.pop(), Some(name), "tags are closed in turn");
                continue;
            }
            count += 1;
            if !tag.ends_with('/') {
                open.push(tag.split(' ').next().expect("a name"));
            }
        }
        assert!(open.is_empty(), "left open: {open:?}");
        count
    }

    /// Goal: the picture of a known tile is the known file, to the last letter.
    #[test]
    fn a_known_tile_gives_the_known_file() {
        let mut sample = known();
        sample.lit = vec![7];
        sample.selected = Some(known_record());
        let span = sample.tile.span;
        let mut picture = sample.picture(span);
        picture.cursor_ns = 10_400_000;
        let file = svg(&paint(&picture), about("known"));
        well_formed(&file);
        assert!(file.contains(">d1v0</text>"), "names stay text");
        let golden = include_str!("known_tile.svg");
        assert!(file == golden, "the file is now:\n{file}");
    }

    /// Goal: whatever is painted, the file is well-formed, complete and takes nothing from
    /// elsewhere. Method: crowded tiles of 20 seeds; some hold rows of colours.
    #[test]
    fn every_picture_is_well_formed() {
        let mut rows = 0;
        for seed in 0..20 {
            let sample = crowded(seed);
            let list = paint(&sample.picture(sample.tile.span));
            let file = svg(&list, about("crowded"));
            let drawn = list.ops.iter().filter(|op| match op {
                DrawOp::Rect { area, .. } => area.w > 0.0 && area.h > 0.0,
                DrawOp::ImageRow { .. } => false,
                _ => true,
            });
            assert!(well_formed(&file) > drawn.count(), "seed {seed}: something is missing");
            for word in ["href", "<image", "<style", "<script", "url(h", "@", "NaN", "inf"] {
                assert!(!file.contains(word), "seed {seed}: {word}");
            }
            rows += list.ops.iter().filter(|op| matches!(op, DrawOp::ImageRow { .. })).count();
        }
        assert!(rows > 0, "some seed is drawn as rows of colours");
    }

    /// Goal: signs of XML in names stay text; what XML cannot hold is left out.
    #[test]
    fn names_cannot_break_the_file() {
        let mut list = DrawList::new(10.0, 10.0);
        let type_ = Type { size: 12.0, bold: false, align: Align::Start, turned: false };
        list.text("a<b>\"&\u{0}c", Point { x: 0.0, y: 0.0 }, type_, Colour::hex(0));
        let file = svg(&list, about("<&>"));
        well_formed(&file);
        assert!(file.contains(">a&lt;b&gt;&quot;&amp;c</text>"), "{file}");
        assert!(file.contains("<title>&lt;&amp;&gt;</title>"), "{file}");
    }

    /// Goal: a row of colours covers its area once: equal neighbours are one rectangle.
    #[test]
    fn rows_become_rectangles() {
        let mut list = DrawList::new(40.0, 10.0);
        let area = Area { x: 0.0, y: 2.0, w: 40.0, h: 6.0 };
        let red = [200, 0, 0, 255];
        let blue = [0, 0, 200, 128];
        let rgba = [red, red, blue, red].concat().into();
        list.ops.push(DrawOp::ImageRow { area, rgba });
        let file = svg(&list, about("row"));
        assert!(file.contains("M0 2h20v6h-20zM30 2h10v6h-10z"), "{file}");
        assert!(file.contains("M20 2h10v6h-10z\" shape-rendering=\"crispEdges\" fill=\"#0000c8\" fill-opacity=\"0.5\""), "{file}");
    }
}
