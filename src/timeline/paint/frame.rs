//! What stands around the rows and over them: ruler, names, groups, range, cursor, the rest that
//! is still to come.

use super::{Align, DrawList, Picture};
use crate::protocol::{Side, Span};
use crate::timeline::draw::{Area, DrawOp, Pen, Point, Sign};
use crate::timeline::label::{MomentUnit, duration};
use crate::timeline::ruler::ticks;
use crate::timeline::scale::count_px;
use crate::timeline::theme::{Colour, Fill, Texture};

/// Ruler and grid lines.
pub fn grid(picture: &Picture, list: &mut DrawList) {
    let inks = picture.inks;
    let plot = picture.layout.plot;
    let ticks = ticks(&picture.scale(), inks.sizes.letter);
    let chips: Vec<Area> =
        chip(picture).into_iter().chain(bubble(picture)).map(|(a, _)| a).collect();
    for tick in ticks {
        let x = picture.snap(tick.x.min(plot.right() - 1.0));
        let (from, to) = (Point { x, y: plot.y }, Point { x, y: plot.bottom() });
        list.line(from, to, Pen::solid(1.0, inks.palette.line));
        let width = count_px(tick.label.chars().count()) * inks.sizes.letter;
        let label = label_area(picture, tick.x, width);
        let covered = chips.iter().any(|area| overlap(area, &label));
        let fits =
            tick.x - width / 2.0 >= 2.0 && tick.x + width / 2.0 <= picture.layout.width - 2.0;
        if !covered && fits {
            let at = Point { x: tick.x, y: plot.y / 2.0 };
            list.text(tick.label, at, inks.type_(Align::Middle), inks.palette.muted);
        }
    }
}

/// Names of rows and groups.
pub fn names(picture: &Picture, list: &mut DrawList) {
    let inks = picture.inks;
    let layout = picture.layout;
    let letter = if layout.doubled { inks.sizes.letter + 8.0 } else { 0.0 };
    let x = layout.plot.x - 12.0 - letter;
    if layout.doubled {
        letters(picture, list);
    }
    for row in &layout.rows {
        let chosen = row.pcpu == picture.row;
        if !row.named && !chosen {
            continue;
        }
        let name = format!("p{}", row.pcpu);
        let height = inks.sizes.text + 6.0;
        if chosen {
            let width = count_px(name.len()) * (inks.sizes.letter + 0.6) + 10.0;
            let y = row.bar.middle() - height / 2.0;
            let area = Area { x: x + 5.0 - width, y, w: width, h: height };
            let fill = Fill::plain(inks.palette.lit);
            list.ops.push(DrawOp::Rect { area, radius: 4.0, fill });
        }
        let at = Point { x, y: row.bar.middle() };
        list.text(name, at, inks.bold(Align::End), inks.palette.text);
    }
    for (from, to) in &layout.cores {
        let x = layout.plot.x - 6.5;
        let (top, bottom) = (layout.rows[*from].bar.y, layout.rows[*to].belief.bottom());
        let (from, to) = (Point { x, y: top }, Point { x, y: bottom });
        list.line(from, to, Pen::solid(2.0, inks.palette.muted.with_alpha(110)));
    }
    for group in &layout.groups {
        let (top, bottom) = group.edges;
        let x = inks.sizes.text + 8.5;
        let (from, to) = (Point { x, y: top }, Point { x, y: bottom });
        list.line(from, to, Pen::solid(1.0, inks.palette.muted));
        if !group.label.is_empty() {
            let at = Point { x: inks.sizes.text / 2.0 + 4.0, y: f64::midpoint(top, bottom) };
            let turned = super::Type { turned: true, ..inks.type_(Align::Middle) };
            list.text(group.label.clone(), at, turned, inks.palette.muted);
        }
    }
}

/// Which half of a doubled row is whose.
fn letters(picture: &Picture, list: &mut DrawList) {
    let inks = picture.inks;
    for side in Side::BOTH {
        for row in &picture.layout.side(side).rows {
            if row.bar.h >= inks.sizes.text * 0.85 {
                let at = Point { x: picture.layout.plot.x - 12.0, y: row.bar.middle() };
                list.text(side.name(), at, inks.type_(Align::End), inks.palette.muted);
            }
        }
    }
}

/// Where two runs part.
pub fn parting(picture: &Picture, time_ns: u64, list: &mut DrawList) {
    if !(picture.span.from_ns..=picture.span.to_ns).contains(&time_ns) {
        return;
    }
    let inks = picture.inks;
    let plot = picture.layout.plot;
    let x = picture.snap(picture.scale().x_of(time_ns).min(plot.right() - 1.0));
    let (from, to) = (Point { x, y: plot.y - 4.0 }, Point { x, y: plot.bottom() });
    list.line(from, to, Pen::solid(inks.sizes.line, inks.palette.text));
    list.ops.push(DrawOp::Glyph {
        sign: Sign::Down,
        at: Point { x, y: plot.y - 4.0 },
        size: inks.sizes.mark * 1.2,
        colour: inks.palette.text,
        rim: inks.palette.panel,
    });
}

/// What is not simulated yet, or must not be shown yet.
pub fn rest(picture: &Picture, list: &mut DrawList) {
    let Some(tile) = picture.tile.filter(|tile| tile.reached_ns < picture.span.to_ns) else {
        return;
    };
    let (Some(first), Some(last)) = (picture.layout.rows.first(), picture.layout.rows.last())
    else {
        return;
    };
    let band = Area { h: last.bar.bottom() - first.bar.y, ..first.bar };
    let span = (tile.reached_ns, picture.span.to_ns);
    let area = picture.stretch(&picture.scale(), span, &band, 0.0);
    let palette = picture.inks.palette;
    let fill = Fill {
        ground: palette.panel,
        texture: Texture::Stripes,
        ink: palette.muted.with_alpha(70),
    };
    list.ops.push(DrawOp::Rect { area, radius: 0.0, fill });
    let text = "still to come";
    let width = (count_px(text.len()) + 2.0) * picture.inks.sizes.letter;
    if area.w > width {
        let at = Point { x: area.x + area.w / 2.0, y: area.middle() };
        let height = picture.inks.sizes.text + 8.0;
        let plate = Area { x: at.x - width / 2.0, y: at.y - height / 2.0, w: width, h: height };
        list.rect(plate, palette.panel);
        list.text(text, at, picture.inks.type_(Align::Middle), palette.muted);
    }
}

/// The chosen range with its length.
pub fn range(picture: &Picture, list: &mut DrawList) {
    let Some(area) = range_area(picture) else { return };
    let palette = picture.inks.palette;
    list.rect(area, palette.accent.with_alpha(38));
    for x in [area.x, area.right()] {
        let (from, to) = (Point { x, y: area.y }, Point { x, y: area.bottom() });
        list.line(from, to, Pen::solid(picture.inks.sizes.line, palette.accent));
    }
    if let Some((area, text)) = chip(picture) {
        push_chip(picture, list, area, text, palette.accent);
    }
}

fn range_area(picture: &Picture) -> Option<Area> {
    let seen =
        |range: &Span| range.to_ns >= picture.span.from_ns && range.from_ns <= picture.span.to_ns;
    let range = picture.range.filter(seen)?;
    let span = (range.from_ns, range.to_ns);
    Some(picture.stretch(&picture.scale(), span, &picture.layout.plot, 1.0))
}

/// Where the range's length stands and what it says; none if the cursor's time is in the way.
fn chip(picture: &Picture) -> Option<(Area, String)> {
    let area = range_area(picture)?;
    let range = picture.range?;
    let text = duration(range.to_ns.saturating_sub(range.from_ns));
    let width = (count_px(text.chars().count()) + 1.5) * picture.inks.sizes.letter;
    let chip = label_area(picture, area.x + area.w / 2.0, width);
    let free = bubble(picture).is_none_or(|(bubble, _)| !overlap(&bubble, &chip));
    free.then_some((chip, text))
}

/// The cursor with its time.
pub fn cursor(picture: &Picture, list: &mut DrawList) {
    let Some((area, text)) = bubble(picture) else { return };
    let plot = picture.layout.plot;
    let hot = picture.inks.palette.hot;
    let x = picture.snap(picture.scale().x_of(picture.cursor_ns).min(plot.right() - 1.0));
    let (from, to) = (Point { x, y: area.bottom() }, Point { x, y: plot.bottom() });
    list.line(from, to, Pen::solid(picture.inks.sizes.line, hot));
    push_chip(picture, list, area, text, hot);
}

/// Where the cursor's time stands and what it says; none if the cursor is out of view.
fn bubble(picture: &Picture) -> Option<(Area, String)> {
    let inside = (picture.span.from_ns..=picture.span.to_ns).contains(&picture.cursor_ns);
    let scale = picture.scale();
    let unit = MomentUnit::for_end(picture.span.to_ns);
    let text = inside.then(|| unit.precise(picture.cursor_ns, scale.ns_per_px()))?;
    let width = (count_px(text.chars().count()) + 1.5) * picture.inks.sizes.letter;
    Some((label_area(picture, scale.x_of(picture.cursor_ns), width), text))
}

/// The place for a label of the ruler around `x`, held within the picture.
fn label_area(picture: &Picture, x: f64, width: f64) -> Area {
    let height = picture.inks.sizes.text + 6.0;
    let layout = picture.layout;
    let x = (x - width / 2.0).min(layout.width - width - 2.0).max(2.0);
    Area { x, y: (layout.plot.y - height) / 2.0, w: width, h: height }
}

fn push_chip(picture: &Picture, list: &mut DrawList, area: Area, text: String, ground: Colour) {
    let radius = area.h / 2.0;
    list.ops.push(DrawOp::Rect { area, radius, fill: Fill::plain(ground) });
    let at = Point { x: area.x + area.w / 2.0, y: area.middle() };
    let colour = picture.inks.palette.label_on(ground);
    list.text(text, at, picture.inks.bold(Align::Middle), colour);
}

fn overlap(a: &Area, b: &Area) -> bool {
    a.x < b.right() + 4.0 && b.x < a.right() + 4.0
}
