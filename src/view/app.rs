//! The application: owns the state, runs its effects, lays out the panels.
//!
//! It decides nothing: what an action means is the reducer's.

use super::names::{Names, ink_sheet};
use super::toolbar::{Toolbar, file_action};
use super::{
    bars, editor::Editor, help::Help, machine::Machine, now::NowPanel, patches::Patches, picture,
    range, talk, why, why::Why,
};
use crate::protocol::{Explanation, Response, Tile, Tone};
use crate::share;
use crate::state::edit::Edit;
use crate::state::keys::{self, Key};
use crate::state::levels;
use crate::state::predict::Veil;
use crate::state::stretches;
use crate::state::{Action, Effect, Looks, State, SystemLooks, Tab, Theme, reduce, select};
use crate::timeline::scale::pixels;
use crate::timeline::shape::MachineShape;
use crate::timeline::theme::{Scheme, Sizes};
use crate::timeline::veil::veiled;
use crate::view::ab;
use crate::view::charts::{Charts, credits::Shown};
use crate::view::stage::{Beside, Stage, StageEvent, StageProps};
use crate::web::frames::Frames;
use crate::web::offline::Offline;
use crate::web::screen::{self, Wish};
use crate::web::{address, clipboard, files, storage, style};
use crate::worker::WorkerClient;
use gloo::events::EventListener;
use gloo::timers::callback::Timeout;
use sim_core::presets::Preset;
use sim_core::scenario::Scenario;
use std::rc::Rc;
use yew::html::Scope;
use yew::prelude::*;

/// How long the state must be still before its link is written, in ms: browsers refuse addresses
/// that change too often.
const ADDRESS_MS: u32 = 400;
/// What the stage leaves of the window's height for what stands around its rows, in px: before a
/// room, and inside another page.
const AROUND_PX: (u32, u32) = (270, 220);
/// The same for what a second run adds.
const BESIDE_PX: u32 = 110;
/// The least height of the rows there, in px.
const ROOM_PX: u32 = 160;
/// How long nothing must be edited before the scenario runs, in ms.
const EDIT_MS: u32 = 300;
/// The name that the theme is remembered under.
const THEME: &str = "tickle-theme";

/// The page.
pub struct App {
    state: Rc<State>,
    /// Made for the scenario beside it, anew whenever that changes.
    shape: (Rc<Scenario>, Rc<MachineShape>),
    on: Callback<Action>,
    on_stage: Callback<StageEvent>,
    worker: WorkerClient,
    frames: Option<Frames>,
    address: Option<Timeout>,
    offline: Option<Offline>,
    run_soon: Option<Timeout>,
    _listeners: Vec<EventListener>,
}

impl Component for App {
    type Message = Action;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> Self {
        let link = ctx.link();
        let state = State::default();
        let shape = Rc::new(MachineShape::of(&state.scenario));
        style::adopt(&ink_sheet(scheme(&state.looks)));
        link.send_message(Action::System(wishes()));
        link.send_message(Action::Theme(theme_named(storage::read(THEME).as_deref())));
        link.send_message(window_size());
        if address::embeds() {
            screen::set_root("data-embed", Some("true"));
            link.send_message(Action::Embed);
        }
        link.send_message(Action::OpenLink(address::read()));
        Self {
            shape: (state.scenario.clone(), shape),
            state: Rc::new(state),
            on: link.callback(|action| action),
            on_stage: link.callback(stage_action),
            worker: WorkerClient::spawn({
                let link = link.clone();
                move |response| link.send_message(answer(response))
            }),
            frames: None,
            address: None,
            offline: None,
            run_soon: None,
            _listeners: listeners(link),
        }
    }

    fn update(&mut self, ctx: &Context<Self>, action: Action) -> bool {
        let before = self.state.clone();
        let (state, effects) = reduce((*before).clone(), action);
        if scheme(&state.looks) != scheme(&self.state.looks) {
            style::adopt(&ink_sheet(scheme(&state.looks)));
        }
        self.state = Rc::new(state);
        if !Rc::ptr_eq(&self.shape.0, &self.state.scenario) {
            let shape = Rc::new(MachineShape::of(&self.state.scenario));
            self.shape = (self.state.scenario.clone(), shape);
        }
        for effect in effects {
            if effect == Effect::PushAddress {
                self.push_address(&before);
            } else {
                self.run(ctx.link(), effect);
            }
        }
        true
    }

    fn rendered(&mut self, ctx: &Context<Self>, _first: bool) {
        // What is kept for later must not hold up the first picture.
        if self.offline.is_none() && self.state.run.summary.is_some() {
            let link = ctx.link().clone();
            let told = move || link.send_message(Action::Newer(true));
            self.offline = Some(Offline::start(told));
        }
    }

    fn view(&self, _ctx: &Context<Self>) -> Html {
        let looks = &self.state.looks;
        let names = Names { shape: self.shape.1.clone(), scheme: scheme(looks) };
        let on = &self.on;
        html! {
            <ContextProvider<Names> context={names.clone()}>
                if !self.state.bare() {
                    <Toolbar preset={self.state.preset} own_name={own_name(&self.state)} playing={self.state.play.on}
                        speed={self.state.play.speed} compared={self.state.ab.is_some()} theme={looks.theme} on={on.clone()} panels={self.state.panels} />
                }
                { looks.newer.then(|| bars::newer(on)) }
                { bars::notices(&self.state.notices, on) }
                { looks.search.clone().map(|text| html! { <bars::Search {text} on={on.clone()} /> }) }
                if self.state.bare() {
                    <main class="bare">
                        { ab::bar(&self.state, on) }
                        { self.framed_stage() }
                        { talk::bar(&self.state, &names, on) }
                    </main>
                } else {
                    <main class={self.state.edit.open.then_some("editing")}>
                        { self.left() }
                        { self.centre(&names) }
                        <aside class="right" aria-label="Why">{ self.why(&names) }</aside>
                    </main>
                }
                { self.live(&names) }
                <Help open={looks.help} on={on.clone()} />
                { looks.blank.then(|| self.blank()) }
            </ContextProvider<Names>>
        }
    }
}

/// The state's link; none if it is too large to be opened again.
fn openable(state: &State) -> Option<String> {
    let link = share::encode(&select::share_state(state));
    share::decode(&link).is_ok().then_some(link)
}

fn own_name(state: &State) -> AttrValue {
    let name = &state.scenario.name;
    if name.is_empty() { "Own scenario".into() } else { name.clone().into() }
}

/// The window's size, as an action.
fn window_size() -> Action {
    let (width, height) = screen::size_px();
    Action::Window(width, height)
}

/// What the system wishes for all pages.
fn wishes() -> SystemLooks {
    SystemLooks {
        dark: screen::wishes(Wish::Dark),
        contrast: screen::wishes(Wish::Contrast),
        forced: screen::wishes(Wish::ForcedColours),
        still: screen::wishes(Wish::Still),
    }
}

/// The colours of the picture.
fn scheme(looks: &Looks) -> Scheme {
    Scheme { dark: looks.dark(), strong: looks.strong() }
}

fn theme_named(name: Option<&str>) -> Theme {
    match name {
        Some("light") => Theme::Light,
        Some("dark") => Theme::Dark,
        _ => Theme::Auto,
    }
}

fn listeners(link: &Scope<App>) -> Vec<EventListener> {
    let mut all = Vec::from(files::on_drop({
        let link = link.clone();
        move |opened| link.send_message(file_action(opened))
    }));
    all.push(address::on_change({
        let link = link.clone();
        move |text| link.send_message(Action::OpenLink(text))
    }));
    all.extend(screen::release_focus());
    all.extend(screen::on_wishes({
        let link = link.clone();
        move || link.send_message(Action::System(wishes()))
    }));
    all.push(screen::on_resized({
        let link = link.clone();
        move || link.send_message(window_size())
    }));
    all.push(screen::on_left_full_screen({
        let link = link.clone();
        move || link.send_message(Action::LeftFullScreen)
    }));
    let link = link.clone();
    all.push(screen::on_key(move |pressed| {
        let (name, code) = (pressed.key(), pressed.code());
        let app = link.get_component();
        let asking = app.is_some_and(|app| app.state.predict.open().is_some());
        let key = Key {
            key: &name,
            code: &code,
            asking,
            shift: pressed.shift(),
            ctrl: pressed.ctrl(),
            in_editor: pressed.in_editor(),
            in_field: pressed.in_field(),
            on_button: pressed.on_button(),
        };
        if let Some(action) = keys::action(key) {
            pressed.take();
            link.send_message(action);
        }
    }));
    all
}

/// A picture as far as it may go.
fn held_back(tile: Option<&Rc<Tile>>, veil: Option<Veil>) -> Option<Rc<Tile>> {
    let tile = tile?;
    Some(match veil {
        Some(Veil { until_ns, records }) => Rc::new(veiled(tile, until_ns, records)),
        None => tile.clone(),
    })
}

/// What the stage shows of the run that is not in hand.
fn beside(state: &State) -> Option<Beside> {
    let ab = state.ab.as_ref()?;
    let other = &ab.other;
    let veil = state.veil().map(|veil| {
        let shown = other.selection.record.filter(|_| state.predict.open().is_none());
        Veil { records: shown.map_or(0, |record| record.record + 1), ..veil }
    });
    Some(Beside {
        in_hand: ab.side,
        tile: held_back(other.tile.as_ref(), veil),
        overview: other.overview.clone(),
        stretch: stretches::of_view(other, state).cloned(),
        selected: other.selection.record,
        lit: Rc::new(select::lit_of(&other.selection, other.run.id)),
        parting_ns: ab.parting_ns(),
    })
}

/// An explanation without what followed, which would tell the next decisions to whoever is to guess
/// them.
fn untold(state: &State, why: Rc<Explanation>) -> Rc<Explanation> {
    if !state.predict.on {
        return why;
    }
    let mut told = (*why).clone();
    told.chain.retain(|link| link.tone != Tone::Effect);
    Rc::new(told)
}

/// What people do on the stage, as an action.
fn stage_action(event: StageEvent) -> Action {
    match event {
        StageEvent::Size { width_px, rows } => Action::Sized { width_px, rows },
        StageEvent::Span(span) => Action::View(span),
        StageEvent::Cursor { time_ns, pcpu } => Action::Cursor { time_ns, pcpu },
        StageEvent::Mark { pcpu, time_ns, kind } => Action::GoMark { pcpu, time_ns, kind },
        StageEvent::RestOn(place) => Action::RestOn(place),
        StageEvent::Record(record) => Action::GoNumber(record),
        StageEvent::Range(range) => Action::Range(range),
        StageEvent::Row(row) => Action::Row(row),
        StageEvent::Hand(side) => Action::Hand(Some(side)),
    }
}

impl App {
    fn run(&mut self, link: &Scope<Self>, effect: Effect) {
        match effect {
            Effect::Send(request) => self.worker.send(&request),
            Effect::WriteAddress => {
                let scope = link.clone();
                self.address = Some(Timeout::new(ADDRESS_MS, move || {
                    if let Some(app) = scope.get_component() {
                        app.write_address();
                    }
                }));
            }
            Effect::CopyLink(text) => {
                address::replace(&text);
                let link = link.clone();
                clipboard::copy(&address::with(&text), move |done| {
                    link.send_message(Action::Copied(done));
                });
            }
            Effect::CopyText { text, link: hash } => {
                let link = link.clone();
                clipboard::copy(&format!("{text}\n{}\n", address::with(&hash)), move |done| {
                    link.send_message(Action::FiguresCopied(done));
                });
            }
            Effect::CopyScenario(text) => {
                let link = link.clone();
                clipboard::copy(&text, move |done| link.send_message(Action::CopiedText(done)));
            }
            Effect::SaveFile { name, text } => {
                let saved = files::text(&text, "application/json");
                if let Err(why) = saved.and_then(|content| files::save(&name, &content)) {
                    link.send_message(Action::SaveFailed(why));
                }
            }
            Effect::RunSoon => {
                let link = link.clone();
                self.run_soon =
                    Some(Timeout::new(EDIT_MS, move || link.send_message(Action::Edit(Edit::Run))));
            }
            Effect::StoreTheme(theme) => {
                let (name, root) = match theme {
                    Theme::Auto => ("auto", None),
                    Theme::Light => ("light", Some("light")),
                    Theme::Dark => ("dark", Some("dark")),
                };
                storage::write(THEME, name);
                screen::set_root("data-theme", root);
            }
            Effect::Frames(on) => {
                let link = link.clone();
                self.frames = on.then(|| {
                    Frames::start(move |elapsed_us| {
                        link.send_message(Action::Frame { elapsed_us });
                    })
                });
            }
            // Is of two states, and done where both are at hand.
            Effect::PushAddress => {}
            Effect::Presenting(on) => {
                screen::blur();
                screen::set_root("data-presenting", on.then_some("true"));
            }
            Effect::FullScreen(on) => screen::full_screen(on),
            Effect::SavePicture(format, text) => {
                let caption = picture::caption(&self.state, address::with(&text));
                let link = link.clone();
                picture::save(&self.state, &self.stage(), (format, &caption), move |why| {
                    link.send_message(Action::SaveFailed(why));
                });
            }
            Effect::TakeNewer => {
                if let Some(offline) = &self.offline {
                    offline.take();
                }
            }
            Effect::Mark(name) => screen::mark(name),
        }
    }

    /// Puts the state's link into the address, unless it is too large to be opened again.
    fn write_address(&self) {
        if let Some(link) = openable(&self.state) {
            address::replace(&link);
        }
    }

    /// Leaves the picture before in the history as it was last, and makes an entry for the new one.
    fn push_address(&mut self, before: &State) {
        // The pages around a frame have their own history, in which its steps would be in the way.
        if self.state.looks.embed {
            return;
        }
        self.address = None;
        // Browsers count these calls, and refuse too many.
        if let Some(link) = openable(before).filter(|link| *link != address::read()) {
            address::replace(&link);
        }
        if let Some(link) = openable(&self.state) {
            address::push(&link);
        }
    }

    fn preset(&self) -> Option<&'static Preset> {
        self.state.preset.and_then(Preset::from_number)
    }

    fn left(&self) -> Html {
        let state = &self.state;
        if state.edit.open {
            return html! {
                <aside class="left" aria-label="Scenario editor">
                    <Editor edit={state.edit.clone()} on={self.on.clone()} />
                </aside>
            };
        }
        html! {
            <aside class="left" aria-label="Patches and scenario">
                { (!state.talk.stops.is_empty()).then(|| self.stops()) }
                <Patches patches={state.patches} flips={state.run.flips.clone()}
                    counting={select::is_counting(&state.run)}
                    beside={state.ab.as_ref().map(|ab| (ab.side, ab.other.patches))} on={self.on.clone()} />
                <Machine scenario={state.scenario.clone()} on={self.on.clone()} />
                { state.talk.stops.is_empty().then(|| self.stops()) }
            </aside>
        }
    }

    fn stops(&self) -> Html {
        let talk = &self.state.talk;
        html! {
            <talk::Stops stops={talk.stops.clone()} at={talk.at} open={talk.open} predicting={self.state.predict.on} on={self.on.clone()} />
        }
    }

    fn centre(&self, names: &Names) -> Html {
        let state = &self.state;
        let shape = self.shape.1.clone();
        let scheme = scheme(&state.looks);
        let stale = self.is_stale();
        let story = self.preset().filter(|_| state.looks.story);
        let tab = select::tab(state);
        let credits = (tab == Tab::Credits).then(|| Rc::new(Shown::of(state)));
        html! {
            <section class="centre" aria-label="Run">
                { bars::status(state, &self.on) }
                { story.map(|preset| bars::story(preset.story, &self.on)) }
                { state.caption_here().map(bars::caption) }
                { ab::bar(state, &self.on) }
                { self.framed_stage() }
                // Always one node: else the stage above would be made anew.
                { state.range.map_or_else(Html::default, |span| range::panel(names, state, span, &self.on)) }
                { ab::table(state, &self.on) }
                <div class="below">
                    <NowPanel now={state.now.clone()} row={state.row} {stale} />
                    <Charts summary={state.run.summary.clone()} patches={state.patches} {shape} {scheme}
                        before={select::before(state).cloned()} {tab} {credits} on={self.on.clone()} />
                </div>
            </section>
        }
    }

    /// Whether the rows shown are still those of the run before.
    fn is_stale(&self) -> bool {
        let state = &self.state;
        state.pictures.tile.as_ref().is_some_and(|tile| tile.run != state.run.id)
    }

    fn framed_stage(&self) -> Html {
        let waits = self.is_stale() || !self.state.other_is_fresh();
        html! {
            <div class={classes!("stage-frame", waits.then_some("stale"))}>
                <Stage ..self.stage() />
            </div>
        }
    }

    fn stage(&self) -> StageProps {
        let state = &self.state;
        // What stands above and below the rows.
        let around = if state.looks.presenting { AROUND_PX.0 } else { AROUND_PX.1 };
        let around = around + if state.ab.is_some() { BESIDE_PX } else { 0 };
        let around = pixels(f64::from(around) * state.enlarged());
        let veil = state.veil();
        let room_px = state.looks.window_px.1.saturating_sub(around).max(ROOM_PX);
        let lanes = levels::lanes(state);
        let shown = levels::picture(state).filter(|_| !lanes.is_empty());
        StageProps {
            lanes: Rc::new(lanes),
            levels: shown,
            shape: self.shape.1.clone(),
            tile: held_back(state.pictures.tile.as_ref(), veil),
            until_ns: veil.map_or(u64::MAX, |veil| veil.until_ns),
            overview: state.pictures.overview.clone(),
            span: state.view,
            duration_ns: state.run.duration_ns,
            cursor_ns: state.cursor_ns,
            selected: state.selection.record,
            selected_arrow_records: Rc::new(select::lit_records(state)),
            row: state.row,
            range: state.range,
            scheme: scheme(&state.looks),
            sizes: Sizes::of(state.looks.presenting).times(state.enlarged()),
            room_px: state.bare().then_some(room_px),
            stretch: state.view_stretch().cloned(),
            under: state.magnified().cloned(),
            beside: beside(state),
            on: self.on_stage.clone(),
        }
    }

    fn why(&self, names: &Names) -> Html {
        let state = &self.state;
        let selection = &state.selection;
        let wanted = selection.record.is_some() || selection.place.is_some();
        let why = selection.why.clone().filter(|_| wanted).map(|why| untold(state, why));
        let stale = select::why(state).is_none();
        let kinds = state.run.summary.as_ref().zip(why.as_ref());
        let of_kind = kinds.and_then(|(summary, why)| {
            summary.kinds.get(usize::from(why.record.place.kind)).copied()
        });
        let note = &state.scenario.note;
        let story: Option<AttrValue> = match self.preset() {
            Some(preset) => (!state.looks.story).then(|| preset.story.into()),
            None => (!note.is_empty()).then(|| note.clone().into()),
        };
        let passed = if state.play.on { state.play.passed } else { 0 };
        let reading = select::is_reading(state);
        let side = state.ab.as_ref().map(|ab| ab.side);
        let beside = ab::other_reason(state, names, &self.on);
        if let Some(question) = talk::question(state, names, &self.on) {
            return question;
        }
        let answer = talk::answer(state, names);
        html! { <>{ answer }<Why {why} {stale} {reading} {of_kind} {story} {passed} {side} {beside} on={self.on.clone()} /></> }
    }

    /// Says each decision's sentence to those who listen.
    fn live(&self, names: &Names) -> Html {
        let passed = if self.state.play.on { self.state.play.passed } else { 0 };
        let why = select::why(&self.state).map(|why| why::spoken(names, &why.sentence, passed));
        let asked = talk::spoken(&self.state, names);
        let open = self.state.predict.open().is_some();
        let said = self.state.caption_here().map(str::to_owned);
        let all = [said, asked, why.filter(|_| !open)];
        let text: Vec<String> = all.into_iter().flatten().collect();
        let text = text.join(" ");
        html! { <div class="hidden" role="status" aria-live="polite" data-testid="live">{ text }</div> }
    }

    fn blank(&self) -> Html {
        let on = self.on.clone();
        let onclick = Callback::from(move |_| on.emit(Action::ToggleBlank));
        html! {
            <button type="button" class="blank" data-testid="blank" {onclick} aria-label="Show the page again"></button>
        }
    }
}

/// What the worker says, as an action.
fn answer(response: Response) -> Action {
    Action::Answer(Box::new(response))
}
