//! What an action makes of the state, and what should follow outside.
//!
//! Pure: the same state and action always give the same. Each file holds one sort of action.

mod ab;
mod answer;
mod editing;
mod history;
mod open;
mod playing;
mod predict;
mod settle;
mod stepping;
mod talk;
mod turn;

use super::edit::Edit;
use super::{Action, Effect, Notice, State, Theme, select, views};
use crate::protocol::Request;
use history::Entry;

/// What an action makes of the state, and what should follow outside.
#[must_use]
pub fn reduce(state: State, action: Action) -> (State, Vec<Effect>) {
    let (link_before, entry_before) = (link_of(&state), Entry::of(&state));
    let frames_before = state.wants_frames();
    // A link has its entry already, made by whoever opened it.
    let has_entry = matches!(action, Action::OpenLink(_));
    let (moves, view_before) = (views::kind(&action), state.view);
    let what_before = (state.preset, state.run.duration_ns);
    let mut cx = Cx { state, effects: Vec::new() };
    cx.apply(action);
    if (cx.state.preset, cx.state.run.duration_ns) != what_before {
        cx.state.views = views::Views::default();
    } else if let Some(kind) = moves {
        cx.state.remember_view(kind, view_before);
    }
    cx.settle_question();
    cx.settle();
    if !has_entry && Entry::of(&cx.state) != entry_before {
        cx.effects.push(Effect::PushAddress);
    }
    if link_of(&cx.state) != link_before {
        cx.effects.push(Effect::WriteAddress);
    }
    let frames = cx.state.wants_frames();
    if frames != frames_before {
        cx.effects.push(Effect::Frames(frames));
    }
    (cx.state, cx.effects)
}

/// What decides the link, cheap to compare: a scenario of one's own changes only with the run.
fn link_of(state: &State) -> impl PartialEq + use<> {
    let view = state.view_to_be();
    let view = (view.from_ns, view.to_ns);
    let range = state.range.map(|range| (range.from_ns, range.to_ns));
    let digest = select::digest(&state.run);
    let run = (state.run.id, state.patches, digest);
    let other =
        state.ab.as_ref().map(|ab| (ab.side, ab.other.run.id, select::digest(&ab.other.run)));
    let place = (view, state.cursor_ns, select::place(state), state.row, range);
    let modes = (state.panels, state.looks.presenting, state.predict.on);
    (run, other, place, modes, state.talk.stops.clone())
}

/// A state on its way to the next, with what should follow.
struct Cx {
    state: State,
    effects: Vec<Effect>,
}

impl Cx {
    fn send(&mut self, request: Request) {
        self.effects.push(Effect::Send(request));
    }

    /// Puts a bar up. The same sentence is not said twice, and not more than four at a time.
    fn notice(&mut self, problem: bool, text: String, link: Option<String>) {
        let notices = &mut self.state.notices;
        notices.retain(|old| old.text != text);
        if notices.len() >= 4 {
            notices.remove(0);
        }
        let id = notices.last().map_or(0, |last| last.id + 1);
        notices.push(Notice { id, problem, text, link });
    }

    fn problem(&mut self, text: impl Into<String>) {
        self.notice(true, text.into(), None);
    }

    fn apply(&mut self, action: Action) {
        if !talk::lets_fly(&action) {
            self.land();
        }
        let Some(action) = self.heard(action) else { return };
        match action {
            Action::OpenLink(text) => self.open_link(&text),
            Action::OpenPreset(number) => self.open_preset(number),
            Action::OpenFile { name, text } => self.open_file(&name, &text),
            Action::FileFailed(why) => self.problem(why),
            Action::Flip(patch) => {
                self.state.flipped = Some(patch);
                self.patches(self.state.patches.flipped(patch));
            }
            Action::Patches(patches) => self.patches(patches),
            Action::ToggleAb => self.toggle_ab(),
            Action::Hand(side) => self.hand(side.unwrap_or(self.state.side().other())),
            Action::VaryB { seed, params } => self.vary(seed, *params),
            Action::Sweep(seeds) => self.sweep(seeds),
            Action::StopSweep => self.stop_sweep(),
            Action::CopyFigures => self.copy_figures(),
            Action::FiguresCopied(true) => {
                self.notice(
                    false,
                    "The figures are copied, with the link below them.".into(),
                    None,
                );
            }
            Action::FiguresCopied(false) => {
                self.problem("The browser does not let the page copy the figures.");
            }
            Action::GoParting => self.go_parting(),
            Action::Cancel => self.cancel(),
            Action::Step(step) => self.step(step),
            Action::First(wanted) => self.first(wanted),
            Action::Go(record) => self.go(record),
            Action::GoNumber(record) => self.go_number(record),
            Action::GoMark { pcpu, time_ns, kind } => self.go_mark(pcpu, time_ns, kind),
            Action::OtherView(direction) => {
                if let Some(view) = self.state.other_view(direction) {
                    self.look_at(view);
                }
            }
            Action::CopyRange => self.copy_range(),
            Action::RestOn(place) => self.state.rest_on(place),
            Action::ToggleMagnifier => self.toggle_magnifier(),
            Action::Cursor { time_ns, pcpu } => self.point(time_ns, pcpu),
            Action::Row(row) => self.row(row),
            Action::RowBy(by) => self.row_by(by),
            Action::View(span) => self.look_at(span),
            Action::Zoom { closer } => self.zoom(closer),
            Action::Fit => self.fit(),
            Action::Whole => self.whole(),
            Action::Range(range) => self.range(range),
            Action::ToStart => self.jump(0),
            Action::ToEnd => self.jump(self.state.run.duration_ns),
            Action::TogglePlay => self.toggle_play(),
            Action::Speed(speed) => self.speed(speed),
            Action::Frame { elapsed_us } => {
                self.fly(elapsed_us);
                self.frame(elapsed_us);
            }
            Action::Talk(what) => self.talk(what),
            Action::Guess(guess) => self.guess(guess),
            Action::Page(direction) => self.page(direction),
            Action::Sized { width_px, rows } => {
                self.state.pictures.width_px = width_px;
                self.state.pictures.rows = rows;
            }
            Action::Search(direction) => self.search(direction),
            Action::Edit(edit) => self.edit(edit),
            Action::Share => self.share(),
            Action::Save(format) => {
                let link = crate::share::encode(&select::share_state(&self.state));
                self.effects.push(Effect::SavePicture(format, link));
            }
            Action::SaveFailed(why) => self.problem(why),
            Action::Copied(true) => self.notice(
                false,
                "The link is copied: it opens this picture anywhere.".into(),
                None,
            ),
            Action::Copied(false) => {
                self.problem(
                    "The browser does not let the page copy; the link is in the address bar.",
                );
            }
            Action::CopiedText(true) => {
                self.notice(false, "The scenario is copied as JSON.".into(), None);
            }
            Action::CopiedText(false) => {
                self.problem("The browser does not let the page copy; the text is in the editor.");
            }
            Action::CloseNotice(id) => self.state.notices.retain(|notice| notice.id != id),
            Action::Answer(response) => self.answer(*response),
            look => self.look(look),
        }
    }

    fn copy_range(&mut self) {
        let Some(stretch) = self.state.range_stretch() else { return };
        let name = |vcpu| super::search::vcpu_name(vcpu, &self.state.scenario);
        let text = super::stretches::text(stretch, name);
        let link = crate::share::encode(&select::share_state(&self.state));
        self.effects.push(Effect::CopyText { text, link });
    }

    fn toggle_magnifier(&mut self) {
        let magnifier = &mut self.state.magnifier;
        magnifier.on = !magnifier.on;
        let text = if magnifier.on {
            "The magnifier lists what the pixel under the pointer hides."
        } else {
            "The magnifier is off; m brings it back."
        };
        self.notice(false, text.into(), None);
    }

    /// Copies the link, unless it is one that could not be opened again.
    fn share(&mut self) {
        let link = crate::share::encode(&select::share_state(&self.state));
        match crate::share::decode(&link) {
            Ok(_) => self.effects.push(Effect::CopyLink(link)),
            Err(error) => self.problem(format!("This cannot be shared as a link: {error}.")),
        }
    }

    /// Actions that change only how the page looks.
    fn look(&mut self, action: Action) {
        let looks = &mut self.state.looks;
        match action {
            Action::Theme(theme) => self.theme(theme),
            Action::System(system) => looks.system = system,
            Action::Embed => looks.embed = true,
            Action::Window(width, height) => looks.window_px = (width, height),
            Action::Help(open) => looks.help = open,
            Action::ToggleBlank => looks.blank = !looks.blank,
            // Inside another page the screen is not ours.
            Action::TogglePresenting if !looks.embed => {
                let presenting = !looks.presenting;
                self.present(presenting);
                self.effects.push(Effect::FullScreen(presenting));
            }
            Action::LeftFullScreen => self.present(false),
            Action::OpenSearch => looks.search = Some(looks.search.take().unwrap_or_default()),
            // A field that is about to go may still say something.
            Action::SearchText(text) if looks.search.is_some() => looks.search = Some(text),
            Action::Newer(newer) => looks.newer = newer,
            Action::TakeNewer => self.effects.push(Effect::TakeNewer),
            Action::Tab(tab) => looks.tab = Some(tab),
            Action::Whose(whose) => looks.whose = whose,
            Action::Lane(bit) => {
                let panels = self.state.panels;
                self.state.panels = panels.with(bit, !panels.has(bit));
            }
            Action::Lanes => self.state.panels = super::levels::toggled(self.state.panels),
            Action::CloseStory => looks.story = false,
            Action::Escape => self.escape(),
            _ => {}
        }
    }

    /// Shows the page to a room, or no longer.
    fn present(&mut self, presenting: bool) {
        if self.state.looks.presenting != presenting {
            self.state.looks.presenting = presenting;
            self.effects.push(Effect::Presenting(presenting));
        }
    }

    fn theme(&mut self, theme: Theme) {
        self.state.looks.theme = theme;
        self.effects.push(Effect::StoreTheme(theme));
    }

    /// Closes whatever lies on top; the lowest is playing.
    fn escape(&mut self) {
        let bare = self.state.bare();
        let looks = &mut self.state.looks;
        if looks.blank {
            looks.blank = false;
        } else if looks.help {
            looks.help = false;
        } else if looks.search.is_some() {
            looks.search = None;
        } else if self.state.range.is_some() {
            self.state.range = None;
        } else if self.state.edit.open && !bare {
            self.edit(Edit::Open(false));
        } else if looks.presenting {
            self.present(false);
            self.effects.push(Effect::FullScreen(false));
        } else if self.state.notices.pop().is_none() {
            self.pause();
        }
    }
}
