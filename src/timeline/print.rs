//! A picture as it leaves the page: below its title, above its legend and its link.
//!
//! Pure. Must not know into which format.

use super::draw::{Align, Area, DrawList, DrawOp, Pen, Point, Sign, Type};
use super::legend::{Entry, Swatch};
use super::paint::Inks;
use super::scale::{count_px, to_index};

/// What stands around a picture.
#[derive(Clone, Debug, PartialEq)]
pub struct Caption {
    /// What is shown.
    pub title: String,
    /// Under which circumstances, a line or more each.
    pub facts: Vec<String>,
    /// The address that opens the same.
    pub link: String,
}

/// From the edge to what is shown, in px.
const MARGIN: f64 = 16.0;
/// Width of a sample in the legend with the room behind it, in px.
const SAMPLE: f64 = 26.0;
/// Between two entries of the legend, in px.
const GAP: f64 = 16.0;
/// A link that needs more lines is cut: it can be copied, not typed.
const LINK_LINES: usize = 3;

/// Puts a picture between its captions.
#[must_use]
pub fn print(picture: DrawList, caption: &Caption, entries: &[Entry], inks: &Inks) -> DrawList {
    let mut sheet = DrawList::new(picture.width + 2.0 * MARGIN, MARGIN);
    let text = inks.sizes.text;
    let letter = inks.sizes.letter;
    let fitting = |letter: f64| to_index(picture.width / letter).max(8);
    let plain = Type { size: text, bold: false, align: Align::Start, turned: false };
    let title = Type { size: text * 1.4, bold: true, ..plain };
    for line in words(&caption.title, fitting(letter * 1.4)) {
        sheet.line_of(&line, title, inks.palette.text);
    }
    for line in caption.facts.iter().flat_map(|fact| words(fact, fitting(letter))) {
        sheet.line_of(&line, plain, inks.palette.muted);
    }
    sheet.height += 8.0;
    let at = Point { x: MARGIN, y: sheet.height };
    sheet.height += picture.height + 12.0;
    sheet.ops.extend(picture.ops.into_iter().map(|op| op.moved(at)));
    legend(&mut sheet, entries, inks, picture.width);
    for line in letters(&caption.link, fitting(letter)) {
        sheet.line_of(&line, plain, inks.palette.muted);
    }
    sheet.height += MARGIN;
    sheet
}

impl DrawList {
    /// Adds a line of text at its foot and grows by it.
    fn line_of(&mut self, text: &str, type_: Type, colour: super::theme::Colour) {
        let line = type_.size * 1.5;
        self.text(text, Point { x: MARGIN, y: self.height + line / 2.0 }, type_, colour);
        self.height += line;
    }
}

fn legend(sheet: &mut DrawList, entries: &[Entry], inks: &Inks, width: f64) {
    let (mut x, line) = (0.0, inks.sizes.text * 1.6);
    let plain = Type { size: inks.sizes.text, bold: false, align: Align::Start, turned: false };
    for entry in entries {
        let wide = SAMPLE + count_px(entry.name.chars().count()) * inks.sizes.letter;
        if x > 0.0 && x + wide > width {
            x = 0.0;
            sheet.height += line;
        }
        let at = Point { x: MARGIN + x, y: sheet.height + line / 2.0 };
        sheet.ops.push(sample(entry.swatch, at, inks));
        let name = Point { x: at.x + SAMPLE, ..at };
        sheet.text(entry.name.as_str(), name, plain, inks.palette.muted);
        x += wide + GAP;
    }
    sheet.height += line + 6.0;
}

/// A sample of what an entry stands for, its left end at a point.
fn sample(swatch: Swatch, at: Point, inks: &Inks) -> DrawOp {
    let palette = inks.palette;
    let area = |w: f64, h: f64| Area { x: at.x + 20.0 - w, y: at.y - h / 2.0, w, h };
    match swatch {
        Swatch::Surface(fill) => DrawOp::Rect { area: area(12.0, 12.0), radius: 3.0, fill },
        Swatch::Lane(fill) => DrawOp::Rect { area: area(18.0, 5.0), radius: 0.0, fill },
        Swatch::Sign(sign) => DrawOp::Glyph {
            sign,
            at: Point { x: at.x + 13.0, y: at.y },
            size: inks.sizes.mark,
            colour: if sign == Sign::Down { palette.accent } else { palette.text },
            rim: palette.panel,
        },
        Swatch::Arrow(dash) => {
            let colour = if dash > 0.0 { palette.text } else { palette.accent };
            let to = |x: f64, y: f64| Point { x: at.x + x, y: at.y + y };
            DrawOp::Arrow {
                points: [to(0.0, -4.0), to(8.0, -4.0), to(12.0, 0.0), to(20.0, 5.0)],
                pen: Pen { width: inks.sizes.line, colour, dash },
                head: 7.0,
            }
        }
    }
}

/// A text in lines of at most so many letters, broken between words where there are any.
fn words(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace().flat_map(|word| letters_all(word, most)) {
        let room = |line: &String| line.chars().count() + 1 + word.chars().count() <= most;
        match lines.last_mut().filter(|line| room(line)) {
            Some(line) => {
                line.push(' ');
                line.push_str(&word);
            }
            None => lines.push(word),
        }
    }
    lines
}

/// A text without words in lines of so many letters; cut where it gets long.
fn letters(text: &str, most: usize) -> Vec<String> {
    let mut lines = letters_all(text, most);
    if lines.len() > LINK_LINES {
        lines.truncate(LINK_LINES);
        if let Some(last) = lines.last_mut() {
            last.pop();
            last.push('…');
        }
    }
    lines
}

fn letters_all(text: &str, most: usize) -> Vec<String> {
    let all: Vec<char> = text.chars().collect();
    all.chunks(most).map(|line| line.iter().collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timeline::legend::legend as entries;
    use crate::timeline::paint::paint;
    use crate::timeline::sample::{known, shape};
    use crate::timeline::theme::{Palette, Scheme};

    /// Goal: long texts are broken within the width, nothing of a title is lost, a link is cut.
    #[test]
    fn lines_fit() {
        let text = "tickle an idler where one is allowed to run, averylongwordthatfitsnowhere";
        let lines = words(text, 12);
        assert!(lines.iter().all(|line| line.chars().count() <= 12), "{lines:?}");
        assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        let cut = letters(&"x".repeat(100), 20);
        assert_eq!((cut.len(), cut[2].chars().last()), (3, Some('…')));
        assert_eq!(letters("abc", 20), ["abc"]);
    }

    /// Goal: a sheet holds the title, all of the picture, every entry of the legend and the link,
    /// one below the other and inside its edges.
    #[test]
    fn a_sheet_holds_everything() {
        let sample = known();
        let picture = paint(&sample.picture(sample.tile.span));
        let (count, width) = (picture.ops.len(), picture.width);
        let legend = entries(&shape(2, 3, false), &sample.inks);
        let caption = Caption {
            title: "Pinned waker".into(),
            facts: vec!["10 ms to 11 ms".into()],
            link: "http://127.0.0.1/#abc".into(),
        };
        let sheet = print(picture, &caption, &legend, &sample.inks);
        assert_eq!(sheet.ops.len(), 1 + 1 + count + 2 * legend.len() + 1);
        assert!((sheet.width - width - 2.0 * MARGIN).abs() < 0.01);
        let mut last = 0.0;
        for op in &sheet.ops {
            if let DrawOp::Text { text, at, colour, .. } = op {
                assert!(at.y < sheet.height && at.x >= 0.0, "{text} at {at}");
                let known = [&caption.title, &caption.facts[0], &caption.link];
                if known.contains(&text) {
                    assert!(at.y > last, "{text} stands below what comes before it");
                    last = at.y;
                    assert_ne!(*colour, Palette::of(Scheme::default()).panel);
                }
            }
        }
        assert!(last > 0.0);
    }
}
