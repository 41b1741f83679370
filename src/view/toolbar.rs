//! The bar on top: what runs, moving in time, and what is done with the page.

use super::icons::{Icon, icon};
use crate::protocol::Direction;
use crate::share::Panels;
use crate::state::levels::{self, LANES};
use crate::state::{Action, Format, SPEEDS, Step, StepTo, Theme};
use crate::web::files;
use sim_core::presets::PRESETS;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// What the bar shows.
#[derive(Properties, PartialEq)]
pub struct ToolbarProps {
    /// The preset that runs; none for a scenario of one's own.
    pub preset: Option<u8>,
    /// The name of a scenario of one's own.
    pub own_name: AttrValue,
    /// Whether it plays.
    pub playing: bool,
    /// Which speed.
    pub speed: usize,
    /// Whether two runs are compared.
    pub compared: bool,
    /// What is open beside the timeline.
    pub panels: Panels,
    /// Light or dark.
    pub theme: Theme,
    /// Where to tell what people do.
    pub on: Callback<Action>,
}

/// A button with a picture: its name is read out and shown on hover with its key.
struct Button {
    id: &'static str,
    class: &'static str,
    name: &'static str,
    key: &'static str,
    face: Html,
}

fn button(on: &Callback<Action>, button: Button, action: Action) -> Html {
    let onclick = {
        let on = on.clone();
        Callback::from(move |_| on.emit(action.clone()))
    };
    let title = if button.key.is_empty() {
        button.name.to_string()
    } else {
        format!("{}  [{}]", button.name, button.key)
    };
    html! {
        <button type="button" class={button.class} data-testid={button.id} aria-label={button.name} {title} {onclick}>
            { button.face }
        </button>
    }
}

fn step(direction: Direction, to: StepTo) -> Action {
    Action::Step(Step { direction, to })
}

/// The bar on top.
#[component]
pub fn Toolbar(props: &ToolbarProps) -> Html {
    html! {
        <header class="toolbar">
            <div class="group what">
                <h1 class="brand">{ "Tickle" }</h1>
                { scenarios(props) }
                { open_file(&props.on) }
            </div>
            { transport(props.playing, props.speed, &props.on) }
            { tools(props) }
        </header>
    }
}

fn scenarios(props: &ToolbarProps) -> Html {
    let onchange = {
        let on = props.on.clone();
        Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            if let Ok(number) = select.value().parse() {
                on.emit(Action::OpenPreset(number));
            }
        })
    };
    let own = props.preset.is_none().then(|| {
        html! { <option value="own" selected=true>{ props.own_name.clone() }</option> }
    });
    html! {
        <label class="field">
            <span class="hidden">{ "Scenario" }</span>
            <select class="pick" data-testid="scenario" {onchange} title="Scenario">
                { own }
                { for PRESETS.iter().map(|preset| html! {
                    <option value={preset.number.to_string()} selected={props.preset == Some(preset.number)}>
                        { preset.title }
                    </option>
                }) }
            </select>
        </label>
    }
}

fn open_file(on: &Callback<Action>) -> Html {
    let onchange = {
        let on = on.clone();
        Callback::from(move |event: Event| {
            let on = on.clone();
            let input: HtmlInputElement = event.target_unchecked_into();
            files::read_chosen(&input, move |opened| on.emit(file_action(opened)));
        })
    };
    html! {
        <label class="button file" title="Open a scenario file (JSON); dropping it on the page does the same">
            { icon(Icon::Open) }
            <span class="hidden">{ "Open a scenario file" }</span>
            <input type="file" accept=".json,.jsonl,.txt,application/json" data-testid="open-file" {onchange} />
        </label>
    }
}

/// What opening a file comes to.
#[must_use]
pub fn file_action(opened: files::Opened) -> Action {
    match opened {
        Ok((name, text)) => Action::OpenFile { name, text },
        Err(why) => Action::FileFailed(why),
    }
}

/// What moves in time.
pub fn transport(playing: bool, speed: usize, on: &Callback<Action>) -> Html {
    let with = |id, class, name, key, face| Button { id, class, name, key, face };
    let (play_name, play_face) =
        if playing { ("Pause", icon(Icon::Pause)) } else { ("Play", icon(Icon::Play)) };
    let previous = html! { <>{ icon(Icon::Previous) }<span>{ "decision" }</span></> };
    let next = html! { <><span>{ "decision" }</span>{ icon(Icon::Next) }</> };
    html! {
        <div class="group transport" role="group" aria-label="Move in time">
            { button(on, with("to-start", "", "To the start", "Home", icon(Icon::Start)), Action::ToStart) }
            { button(on, with("prev-decision", "wide", "Previous decision", ",", previous),
                step(Direction::Previous, StepTo::Decision)) }
            { button(on, with("prev-event", "", "Previous event on the row", "←", icon(Icon::Back)),
                step(Direction::Previous, StepTo::Event)) }
            { button(on, with("play", "play", play_name, "Space", play_face), Action::TogglePlay) }
            { button(on, with("next-event", "", "Next event on the row", "→", icon(Icon::On)),
                step(Direction::Next, StepTo::Event)) }
            { button(on, with("next-decision", "wide", "Next decision", ".", next),
                step(Direction::Next, StepTo::Decision)) }
            { speeds(speed, on) }
        </div>
    }
}

fn speeds(chosen: usize, on: &Callback<Action>) -> Html {
    let onchange = {
        let on = on.clone();
        Callback::from(move |event: Event| {
            let select: HtmlSelectElement = event.target_unchecked_into();
            if let Ok(speed) = select.value().parse() {
                on.emit(Action::Speed(speed));
            }
        })
    };
    html! {
        <label class="field">
            <span class="hidden">{ "Speed: simulated time per real second" }</span>
            <select class="quiet" data-testid="speed" {onchange} title="Speed: simulated time per real second">
                { for SPEEDS.iter().enumerate().map(|(index, speed)| html! {
                    <option value={index.to_string()} selected={chosen == index}>{ speed.name }</option>
                }) }
            </select>
        </label>
    }
}

/// The formats that the picture can be saved in, behind a button.
fn save(on: &Callback<Action>) -> Html {
    let item = |id: &'static str, format: Format, words: &'static str| {
        let on = on.clone();
        let onclick = Callback::from(move |_: MouseEvent| on.emit(Action::Save(format)));
        html! {
            <button type="button" data-testid={id} popovertarget="save-menu" popovertargetaction="hide" {onclick}>
                { words }
            </button>
        }
    };
    html! {
        <>
            <button type="button" class="quiet-tool" data-testid="save" popovertarget="save-menu"
                aria-label="Save the picture" title="Save the picture  [p]">{ icon(Icon::Save) }</button>
            <div id="save-menu" class="menu" popover="auto" role="group" aria-label="Save the picture">
                { item("save-png", Format::Png, "PNG, twice the pixels") }
                { item("save-svg", Format::Svg, "SVG for slides") }
            </div>
        </>
    }
}

/// The lanes below the rows, each to be switched on, behind a button.
fn lanes(props: &ToolbarProps) -> Html {
    let lane = |lane: &levels::Lane| {
        let (on, bit) = (props.on.clone(), lane.bit);
        let onclick = Callback::from(move |_: MouseEvent| on.emit(Action::Lane(bit)));
        let pressed = props.panels.has(bit);
        html! {
            <button type="button" class="check" data-testid={format!("lane-{}", bit.ilog2())}
                aria-pressed={pressed.to_string()} {onclick}>{ lane.name }</button>
        }
    };
    html! {
        <>
            <button type="button" class="quiet-tool" data-testid="lanes" popovertarget="lanes-menu"
                aria-label="Lanes below the rows" title="Lanes below the rows  [l]">{ icon(Icon::Lanes) }</button>
            <div id="lanes-menu" class="menu" popover="auto" role="group" aria-label="Lanes below the rows">
                { for LANES.iter().map(lane) }
            </div>
        </>
    }
}

fn tools(props: &ToolbarProps) -> Html {
    let on = &props.on;
    let with = |id, class, name, key, face| Button { id, class, name, key, face };
    let (theme_name, theme_icon, theme_next) = match props.theme {
        Theme::Auto => ("Theme: as the system", Icon::Auto, Theme::Light),
        Theme::Light => ("Theme: light", Icon::Sun, Theme::Dark),
        Theme::Dark => ("Theme: dark", Icon::Moon, Theme::Auto),
    };
    let present = "Present: large, on the whole screen";
    let share = html! { { "Share" } };
    let ab = {
        let on = on.clone();
        let onclick = Callback::from(move |_| on.emit(Action::ToggleAb));
        let name = "A|B: a second run beside this one";
        html! {
            <button type="button" class="pair" data-testid="ab" aria-pressed={props.compared.to_string()}
                aria-label={name} title={format!("{name}  [a]")} {onclick}>{ "A|B" }</button>
        }
    };
    html! {
        <div class="group tools">
            { ab }
            { button(on, with("search-open", "quiet-tool", "Search", "/", icon(Icon::Search)), Action::OpenSearch) }
            { button(on, with("theme", "quiet-tool", theme_name, "", icon(theme_icon)), Action::Theme(theme_next)) }
            { button(on, with("present", "", present, "F5", icon(Icon::Present)), Action::TogglePresenting) }
            { lanes(props) }
            { save(on) }
            { button(on, with("help-open", "quiet-tool", "Keys", "?", html! { { "?" } }), Action::Help(true)) }
            { button(on, with("share", "primary", "Share: copy the link", "", share), Action::Share) }
        </div>
    }
}
