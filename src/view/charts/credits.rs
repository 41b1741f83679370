//! Credit of vCPUs over the stretch of time in view, as stepped lines: each column of pixels holds
//! every value that was taken in it.
//!
//! Must not work out credits, nor whose they are.

use super::figure::{Content, Figure, Pencil, Plot, ink};
use crate::protocol::{LevelLine, LevelPicture, Span};
use crate::state::credits::{GROUP, Whose};
use crate::state::{Action, State, credits};
use crate::timeline::ruler::ticks;
use crate::timeline::scale::{Scale, count_px};
use crate::timeline::shape::MachineShape;
use crate::timeline::steps::corners;
use crate::timeline::theme::{Colour, Palette, Scheme};
use crate::view::names::swatch;
use crate::view::words;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::rc::Rc;
use web_sys::HtmlSelectElement;
use yew::prelude::*;

/// Height of the drawing, in px.
pub const HEIGHT: f64 = 200.0;
/// Room for numbers on the left, for names on the right, above, and for the ruler below, in px.
const ROOMS: (f64, f64, f64, f64) = (46.0, 54.0, 8.0, 22.0);
/// Between two names at least, in px.
const NAME: f64 = 13.0;
/// Accountings are drawn while there are fewer than this many.
const ACCOUNTS_MAX: usize = 60;

const METHOD: &str = "As the scheduler keeps it: a vCPU is charged at ticks and when it is switched out, not in between; \
     an accounting, an upright line where there are few, hands out new credit. No value is left out, however short \
     it held. The start is before anything happens in the stretch.";

/// What the panel shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// The credits, as far as they are there.
    picture: Option<Rc<LevelPicture>>,
    /// The stretch of time in view.
    span: Span,
    cursor_ns: u64,
    /// The row chosen (pCPU).
    row: u16,
    whose: Whose,
    groups: Vec<Whose>,
    /// Whether nobody is to be shown.
    nobody: bool,
    fresh: bool,
}

impl Shown {
    /// What a state shows.
    #[must_use]
    pub fn of(state: &State) -> Self {
        Self {
            picture: credits::picture(state),
            span: state.view,
            cursor_ns: state.cursor_ns,
            row: state.row,
            whose: state.looks.whose,
            groups: credits::groups(&state.scenario),
            nobody: credits::vcpus(state).is_empty(),
            fresh: credits::is_fresh(state),
        }
    }
}

/// What the panel is given.
#[derive(Properties, PartialEq)]
pub struct CreditsProps {
    /// What it shows.
    pub shown: Rc<Shown>,
    /// The machine and its guests.
    pub shape: Rc<MachineShape>,
    /// The colours that show.
    pub scheme: Scheme,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

/// Lines to draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Lines {
    picture: Rc<LevelPicture>,
    span: Span,
    cursor_ns: u64,
    /// Per line its name and colour.
    inks: Vec<(String, Colour)>,
}

/// The chart with the choice of vCPUs.
#[component]
pub fn Credits(props: &CreditsProps) -> Html {
    let shown = &props.shown;
    let busy = (!shown.fresh && !shown.nobody).to_string();
    let palette = Palette::of(props.scheme);
    let key = |(vcpu, _): (u16, &LevelLine)| {
        let of = props.shape.vcpus.get(usize::from(vcpu))?;
        let name = props.shape.vcpu_name(vcpu);
        Some(html! { <li>{ swatch(&palette.vcpu(*of), "swatch", (11, 11)) }{ name }</li> })
    };
    let chart = match &shown.picture {
        _ if shown.nobody => html! {
            <p class="muted">{ format!("Nobody runs or waits on p{} at the cursor.", shown.row) }</p>
        },
        None => html! { <p class="muted">{ "Credits are being worked out." }</p> },
        Some(picture) => html! {
            <>
                <ul class="chart-keys" data-testid="credits-keys">{ for picture.credits().filter_map(key) }</ul>
                <Figure content={Rc::new(content(shown, picture, &props.shape, palette))} scheme={props.scheme} />
            </>
        },
    };
    html! {
        <div class="credits" data-testid="credits" aria-busy={busy}>
            { choice(props) }
            { chart }
        </div>
    }
}

fn choice(props: &CreditsProps) -> Html {
    let (shown, vcpus) = (&props.shown, &props.shape.vcpus);
    let few = vcpus.len() <= usize::from(GROUP);
    let selected = if few { "all vCPUs" } else { "the selected vCPU and its domain" };
    let mut options = vec![
        (Whose::Selected, selected.to_owned()),
        (Whose::Row, "who runs or waits on the chosen row".to_owned()),
        (Whose::Firsts, "the first vCPU of each domain".to_owned()),
    ];
    options.extend(shown.groups.iter().map(|group| (*group, group_name(*group, &props.shape))));
    let onchange = {
        let on = props.on.clone();
        let all: Vec<Whose> = options.iter().map(|(whose, _)| *whose).collect();
        Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            if let Some(whose) = select.value().parse().ok().and_then(|at: usize| all.get(at)) {
                on.emit(Action::Whose(*whose));
            }
        })
    };
    html! {
        <label class="whose">
            { "Credit of " }
            <select class="quiet" data-testid="credits-whose" {onchange}>
                { for options.iter().enumerate().map(|(at, (whose, name))| html! {
                    <option value={at.to_string()} selected={shown.whose == *whose}>{ name }</option>
                }) }
            </select>
        </label>
    }
}

/// What a group is called: its domain, or its first and last vCPU if the domain has more.
fn group_name(group: Whose, shape: &MachineShape) -> String {
    let Whose::Group { domain, first } = group else { return String::new() };
    let count = shape.vcpus.iter().filter(|vcpu| vcpu.domain == domain).count();
    let name = u32::from(domain) + 1;
    if count <= usize::from(GROUP) {
        return format!("d{name}");
    }
    let last = (usize::from(first) + usize::from(GROUP)).min(count) - 1;
    format!("d{name}v{first} to d{name}v{last}")
}

/// The words and numbers of the chart.
fn content(
    shown: &Shown,
    picture: &Rc<LevelPicture>,
    shape: &MachineShape,
    palette: &Palette,
) -> Content {
    let told = picture.span;
    let inside = (told.from_ns..picture.until_ns).contains(&shown.cursor_ns);
    let cut = !picture.is_whole();
    let row = |(vcpu, line): (u16, &LevelLine)| {
        let (least, most) = line.bounds();
        let at_cursor = match line.at(shown.cursor_ns, picture.shift) {
            _ if !inside => "–".into(),
            (low, high) if low == high => words::signed(low),
            (low, high) => format!("{} to {}", words::signed(low), words::signed(high)),
        };
        vec![
            shape.vcpu_name(vcpu),
            words::signed(line.start),
            at_cursor,
            words::signed(line.end()),
            words::signed(least),
            words::signed(most),
            if cut { "–".into() } else { words::count(line.accounted.into()) },
        ]
    };
    let inks = picture.credits().map(|(vcpu, _)| {
        let of = shape.vcpus.get(usize::from(vcpu));
        let colour = of.map_or(palette.text, |of| palette.vcpu(*of).ground);
        (shape.vcpu_name(vcpu), colour)
    });
    let (from, to) = (words::moment(told.from_ns), words::moment(told.to_ns));
    let until = words::moment(picture.until_ns);
    let so_far = if picture.goes_on { format!(", so far up to {until}") } else { String::new() };
    Content {
        title: "Credit",
        note: format!("{from} to {to}{so_far}, in credits: 10 are 1 ms of execution"),
        method: METHOD,
        keys: vec![],
        heads: vec![
            "vCPU",
            "at the start",
            "at the cursor",
            "at the end",
            "lowest",
            "highest",
            "times accounted",
        ],
        rows: picture.credits().map(row).collect(),
        plot: Plot::Credits(Lines {
            picture: Rc::clone(picture),
            span: shown.span,
            cursor_ns: shown.cursor_ns,
            inks: inks.collect(),
        }),
    }
}

/// Where credits lie on the drawing.
struct Axis {
    least: i32,
    most: i32,
    top: f64,
    foot: f64,
}

impl Axis {
    /// An axis that holds all lines, and 0.
    fn of(picture: &LevelPicture) -> Self {
        let bounds = picture.credits().map(|(_, line)| line.bounds());
        let (least, most) =
            bounds.fold((0, 0), |(low, high), (least, most)| (low.min(least), high.max(most)));
        let most = if least == most { most.saturating_add(1) } else { most };
        Self { least, most, top: ROOMS.2, foot: HEIGHT - ROOMS.3 }
    }

    fn y(&self, credit: i32) -> f64 {
        let share = |credit: i32| f64::from(credit) - f64::from(self.least);
        self.foot - share(credit) / share(self.most) * (self.foot - self.top)
    }

    /// Round values, at most seven.
    fn ticks(&self) -> impl Iterator<Item = i32> {
        let (least, most) = (i64::from(self.least), i64::from(self.most));
        let mut step = 1;
        let mut times = [2, 5, 10].into_iter().cycle();
        let mut power = 1;
        while (most - least) / step > 5 {
            let time = times.next().unwrap_or(10);
            step = power * time;
            if time == 10 {
                power *= 10;
            }
        }
        let first = least.div_euclid(step) + i64::from(least.rem_euclid(step) > 0);
        (first..=most.div_euclid(step)).filter_map(move |nth| i32::try_from(nth * step).ok())
    }
}

/// Draws the lines.
pub fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    pencil: &Pencil,
    lines: &Lines,
) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    let axis = Axis::of(&lines.picture);
    let width = (pencil.width - ROOMS.0 - ROOMS.1).max(1.0);
    let scale = Scale { span: lines.span, left: ROOMS.0, width };
    let palette = pencil.palette;
    let upright = |x: f64, (top, foot): (f64, f64), colour: Colour, px: f64| {
        let ends = vec![(pencil.at(x), pencil.at(top)), (pencil.at(x), pencil.at(foot))];
        PathElement::new(ends, ink(colour).stroke_width(stroke(pencil, px)))
    };
    for credit in axis.ticks() {
        let y = pencil.at(axis.y(credit));
        let rule = vec![(pencil.at(ROOMS.0), y), (pencil.at(scale.right()), y)];
        let colour = if credit == 0 { palette.muted } else { palette.line };
        area.draw(&PathElement::new(rule, ink(colour).stroke_width(stroke(pencil, 1.0))))?;
        let style = pencil.text(palette.muted, HPos::Right);
        area.draw(&Text::new(words::signed(credit), (pencil.at(ROOMS.0 - 6.0), y), style))?;
    }
    let accounts = &lines.picture.accounts_ns;
    let seen = |time_ns: &&u64| (lines.span.from_ns..lines.span.to_ns).contains(*time_ns);
    if accounts.iter().filter(seen).count() <= ACCOUNTS_MAX {
        for time_ns in accounts.iter().filter(seen) {
            let x = scale.x_of(*time_ns);
            area.draw(&upright(x, (axis.top, axis.foot), palette.line, 1.0))?;
        }
    }
    for tick in ticks(&scale, 7.3) {
        let half = count_px(tick.label.chars().count()) * 3.65;
        area.draw(&upright(tick.x, (axis.foot, axis.foot + 4.0), palette.muted, 1.0))?;
        if tick.x - half >= 0.0 && tick.x + half <= pencil.width {
            let place = (pencil.at(tick.x), pencil.at(axis.foot + 13.0));
            let style = pencil.text(palette.muted, HPos::Center);
            area.draw(&Text::new(tick.label, place, style))?;
        }
    }
    for ((_, line), (_, colour)) in lines.picture.credits().zip(&lines.inks) {
        let corners = corners(&lines.picture, line, &scale, |credit| axis.y(credit)).into_iter();
        let path: Vec<_> =
            corners.map(|corner| (pencil.at(corner.x), pencil.at(corner.y))).collect();
        area.draw(&PathElement::new(path, ink(*colour).stroke_width(stroke(pencil, 1.8))))?;
    }
    names(area, pencil, lines, &axis)?;
    if (lines.span.from_ns..=lines.span.to_ns).contains(&lines.cursor_ns) {
        let x = scale.x_of(lines.cursor_ns);
        area.draw(&upright(x, (0.0, axis.foot + 4.0), palette.hot, 1.5))?;
    }
    area.present()?;
    Ok(())
}

/// Whole screen pixels of a line's width, at least one.
fn stroke(pencil: &Pencil, px: f64) -> u32 {
    u32::try_from(pencil.at(px)).unwrap_or(1).max(1)
}

/// Each line's name beside its end, as far as there is room.
fn names<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    pencil: &Pencil,
    lines: &Lines,
    axis: &Axis,
) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    if lines.picture.goes_on || lines.picture.span != lines.span {
        return Ok(());
    }
    let all = lines.picture.credits().zip(&lines.inks);
    let mut ends: Vec<_> = all.map(|((_, line), ink)| (axis.y(line.end()), ink)).collect();
    ends.sort_by(|one, other| one.0.total_cmp(&other.0));
    let right = pencil.width - ROOMS.1;
    for ((end, (name, colour)), y) in ends.iter().zip(places(&ends, axis)) {
        let leader = [(right, *end), (right + 6.0, y)];
        let leader: Vec<_> = leader.map(|(x, y)| (pencil.at(x), pencil.at(y))).into();
        area.draw(&PathElement::new(leader, ink(*colour).stroke_width(stroke(pencil, 1.0))))?;
        let style = pencil.text(pencil.palette.text, HPos::Left);
        let place = (pencil.at(right + 9.0), pencil.at(y));
        area.draw(&Text::new(name.clone(), place, style))?;
    }
    Ok(())
}

/// Where the names of ends in order go: none over another, and none below the drawing. Fewer
/// places than ends if there is no room for all.
fn places<T>(ends: &[(f64, T)], axis: &Axis) -> Vec<f64> {
    let mut places = Vec::new();
    let mut free = axis.top;
    for (end, _) in ends {
        places.push(end.max(free));
        free = places[places.len() - 1] + NAME;
    }
    let mut low = axis.foot;
    for place in places.iter_mut().rev() {
        *place = place.min(low);
        low = *place - NAME;
    }
    places.retain(|place| *place >= axis.top - NAME / 2.0);
    places
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{Level, LevelCell, RunId};
    use crate::timeline::shape::VcpuShape;

    fn picture() -> Rc<LevelPicture> {
        let cell = |last_ns, changes, (least, most, last)| LevelCell {
            last_ns,
            changes,
            least,
            most,
            last,
        };
        let line = LevelLine {
            level: Level::Credit(0),
            start: 0,
            cells: vec![cell(10_000, 1, (-100, -100, -100)), cell(30_000, 2, (-300, 75, 75))],
            accounted: 1,
        };
        Rc::new(LevelPicture {
            run: RunId(1),
            ask: 1,
            span: Span { from_ns: 0, to_ns: 40_000 },
            shift: 6,
            until_ns: 40_000,
            goes_on: false,
            lines: vec![line],
            accounts_ns: vec![30_000],
        })
    }

    fn shape() -> MachineShape {
        MachineShape { pcpus: vec![], vcpus: vec![VcpuShape { domain: 1, index: 0 }] }
    }

    fn shown(cursor_ns: u64) -> Shown {
        Shown {
            picture: None,
            span: Span { from_ns: 0, to_ns: 40_000 },
            cursor_ns,
            row: 0,
            whose: Whose::Selected,
            groups: vec![],
            nobody: false,
            fresh: true,
        }
    }

    /// Goal: the table tells start, cursor, end, lowest, highest and accountings.
    #[test]
    fn the_table_tells_what_the_lines_show() {
        let row = |cursor_ns| {
            let content =
                content(&shown(cursor_ns), &picture(), &shape(), Palette::of(Scheme::default()));
            content.rows[0].clone()
        };
        assert_eq!(row(10_000), ["d2v0", "0", "−100", "75", "−300", "75", "1"]);
        assert_eq!(row(29_990)[2], "−300 to 75");
        assert_eq!(row(40_000)[2], "–");
    }

    /// Goal: the axis has round values, few, and 0 among them.
    #[test]
    fn the_axis_has_round_values() {
        let ticks =
            |least, most| Axis { least, most, top: 0.0, foot: 1.0 }.ticks().collect::<Vec<_>>();
        assert_eq!(ticks(-300, 75), [-300, -200, -100, 0]);
        assert_eq!(ticks(0, 1), [0, 1]);
        assert_eq!(ticks(-19, 300), [0, 100, 200, 300]);
        for (least, most) in (0..40).flat_map(|a| (1..40).map(move |b| (-a * 37, b * 53))) {
            let ticks = ticks(least, most);
            assert!(ticks.contains(&0) && ticks.len() <= 7, "{least} {most}: {ticks:?}");
        }
    }

    /// Goal: names do not lie over each other, and as many as fit have a place.
    #[test]
    fn names_keep_apart() {
        let axis = Axis { least: 0, most: 1, top: 8.0, foot: 178.0 };
        for ends in [vec![8.0; 5], vec![178.0; 5], vec![20.0, 21.0, 90.0], vec![100.0; 40]] {
            let ends: Vec<(f64, ())> = ends.into_iter().map(|end| (end, ())).collect();
            let places = places(&ends, &axis);
            assert!(places.len() >= ends.len().min(13), "{places:?}");
            for pair in places.windows(2) {
                assert!(pair[1] - pair[0] >= NAME - 0.001, "{places:?}");
            }
            assert!(places.iter().all(|place| (1.0..=178.0).contains(place)), "{places:?}");
        }
    }
}
