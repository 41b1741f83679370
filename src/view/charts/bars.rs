//! Bars that lie, one or more lines to a name, over an axis with numbers.
//!
//! Must not know what they count.

use super::figure::{Pencil, ink};
use crate::protocol::metrics::Unit;
use crate::timeline::label::{count, duration, percent};
use crate::timeline::scale::{count_px, to_px};
use crate::timeline::theme::Colour;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// Height of a line of a bar, in px.
const LINE: f64 = 11.0;
/// Room between two bars, in px.
const GAP: f64 = 7.0;
/// Room for the axis, in px.
const AXIS: f64 = 22.0;

/// A line of a bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Parts from left to right, each with its colour.
    pub parts: Vec<(u64, Colour)>,
    /// Where a mark stands, if one does.
    pub mark: Option<u64>,
}

/// A bar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bar {
    /// Its name, on the left.
    pub name: String,
    /// Its lines, from the top.
    pub lines: Vec<Line>,
    /// What stands on the right.
    pub text: String,
}

/// What the axis counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// Times that something happened.
    Count,
    /// Nanoseconds, told as percent of the whole.
    Percent(u64),
}

/// Bars over one axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Bars {
    /// The bars, from the top.
    pub bars: Vec<Bar>,
    /// What the axis counts in.
    pub axis: Axis,
    /// Where the axis ends; none for the longest line.
    pub end: Option<u64>,
    /// Room for names and for the texts on the right, in px.
    pub rooms: (f64, f64),
}

impl Bars {
    /// Height of the drawing, in px.
    pub fn height(&self) -> f64 {
        self.bars.iter().map(tall).sum::<f64>() + AXIS
    }

    fn end(&self) -> u64 {
        let line = |line: &Line| {
            let sum = line.parts.iter().map(|(part, _)| part).sum::<u64>();
            sum.max(line.mark.unwrap_or(0))
        };
        let longest = self.bars.iter().flat_map(|bar| &bar.lines).map(line).max();
        self.end.or(longest).unwrap_or(0).max(1)
    }

    /// Values on the axis, at most six, with what stands there.
    fn ticks(&self) -> Vec<(u64, String)> {
        let end = self.end();
        match self.axis {
            Axis::Count => {
                let step = step(end);
                (0..=end / step).map(|at| (at * step, count(at * step))).collect()
            }
            Axis::Percent(whole) => {
                let whole = u128::from(whole.max(1));
                let percents = u128::from(end) * 100 / whole;
                let step = u128::from(step(u64::try_from(percents).unwrap_or(100).max(1)));
                let ns = |percent: u128| u64::try_from(whole * percent / 100).unwrap_or(u64::MAX);
                (0..=percents / step)
                    .map(|at| (ns(at * step), format!("{} %", at * step)))
                    .collect()
            }
        }
    }
}

/// Height of a bar with the room below it, in px.
fn tall(bar: &Bar) -> f64 {
    count_px(bar.lines.len()) * LINE + GAP
}

/// A round step that fits at most five times.
fn step(end: u64) -> u64 {
    let mut step = 1u64;
    loop {
        for times in [1, 2, 5] {
            if end / (step * times) <= 5 {
                return step * times;
            }
        }
        step *= 10;
    }
}

/// Draws the bars.
pub fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    pencil: &Pencil,
    bars: &Bars,
) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    let palette = pencil.palette;
    let (names, texts) = bars.rooms;
    let room = (pencil.width - names - texts).max(1.0);
    let end = bars.end();
    let x = |value: u64| names + to_px(value.into()) / to_px(end.into()) * room;
    let foot = bars.height() - AXIS;
    let mut free_from = 0.0;
    for (value, text) in bars.ticks() {
        let at = pencil.at(x(value));
        let rule = vec![(at, 0), (at, pencil.at(foot + 4.0))];
        area.draw(&PathElement::new(rule, ink(palette.line).stroke_width(1)))?;
        let half = count_px(text.chars().count()) * 3.5;
        if x(value) - half >= free_from {
            free_from = x(value) + half + 8.0;
            let style = pencil.text(palette.muted, HPos::Center);
            area.draw(&Text::new(text, (at, pencil.at(foot + 13.0)), style))?;
        }
    }
    let mut y = 0.0;
    for bar in &bars.bars {
        let middle = pencil.at(y + (tall(bar) - GAP) / 2.0);
        let name = pencil.text(palette.text, HPos::Left);
        area.draw(&Text::new(bar.name.clone(), (pencil.at(2.0), middle), name))?;
        for (at, line) in bar.lines.iter().enumerate() {
            let (top, low) = (y + count_px(at) * LINE, y + count_px(at + 1) * LINE - 1.0);
            let mut from = 0;
            for (part, colour) in line.parts.iter().filter(|(part, _)| *part > 0) {
                // What happened once is still seen.
                let right = x(from + part).max(x(from) + 1.0);
                let corners =
                    [(pencil.at(x(from)), pencil.at(top)), (pencil.at(right), pencil.at(low))];
                area.draw(&Rectangle::new(corners, ink(*colour).filled()))?;
                from += part;
            }
            if let Some(mark) = line.mark {
                let corners = [
                    (pencil.at(x(mark) - 1.0), pencil.at(top - 1.0)),
                    (pencil.at(x(mark) + 1.0), pencil.at(low + 1.0)),
                ];
                area.draw(&Rectangle::new(corners, ink(palette.text).filled()))?;
            }
        }
        let text = pencil.text(palette.muted, HPos::Right);
        area.draw(&Text::new(bar.text.clone(), (pencil.at(pencil.width - 2.0), middle), text))?;
        y += tall(bar);
    }
    area.present()?;
    Ok(())
}

/// A value with its unit, as tables tell it.
pub fn told(unit: Unit, value: Option<u64>) -> String {
    let Some(value) = value else { return "–".into() };
    match unit {
        Unit::Time => duration(value),
        Unit::Count => count(value),
        Unit::Share => percent(value, 1_000_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bars(values: &[u64], axis: Axis) -> Bars {
        let line = |value: &u64| Line { parts: vec![(*value, Colour::hex(0))], mark: None };
        let bar =
            |value| Bar { name: String::new(), lines: vec![line(value)], text: String::new() };
        Bars { bars: values.iter().map(bar).collect(), axis, end: None, rooms: (0.0, 0.0) }
    }

    /// Goal: the axis has round numbers, never more than six, and ends behind none of the bars.
    #[test]
    fn the_axis_has_round_numbers() {
        let texts =
            |bars: &Bars| bars.ticks().into_iter().map(|(_, text)| text).collect::<Vec<_>>();
        assert_eq!(texts(&bars(&[140, 25], Axis::Count)), ["0", "50", "100"]);
        assert_eq!(texts(&bars(&[0], Axis::Count)), ["0", "1"]);
        assert_eq!(texts(&bars(&[5], Axis::Count)), ["0", "1", "2", "3", "4", "5"]);
        assert_eq!(
            texts(&bars(&[90], Axis::Percent(100))),
            ["0 %", "20 %", "40 %", "60 %", "80 %"]
        );
        for end in 1..3_000 {
            assert!(end / step(end) <= 5, "{end}");
        }
    }
}
