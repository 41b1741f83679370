//! Which key does what. By what the key means, not where it sits: works on every layout.

use super::edit::Edit;
use super::{Action, Format, Step, StepTo, TalkDo};
use crate::protocol::Direction;

/// A key as the browser names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// Its meaning, such as `.` or `PageDown`.
    pub key: &'a str,
    /// Whether Shift is held.
    pub shift: bool,
    /// Whether it was pressed in a field or on something that uses keys itself.
    pub in_field: bool,
    /// Whether Ctrl (or Command) is held, and nothing else but Shift.
    pub ctrl: bool,
    /// Whether it was pressed in the scenario editor.
    pub in_editor: bool,
    /// Whether it was pressed on a button or link, which Space and Enter belong to.
    pub on_button: bool,
}

/// The keys for the list of keys: key, with Shift, what it does.
pub const HELP: &[(&str, &str)] = &[
    ("Space", "play, pause"),
    (". or Page Down", "next decision; Page Down: next stop, if the talk has any"),
    (", or Page Up", "previous decision; Page Up: previous stop"),
    ("Shift with these", "next, previous of the same kind"),
    ("← →", "previous, next event on the row"),
    ("↑ ↓", "row above, below"),
    ("f", "fit the range or the selection"),
    ("0", "the whole run"),
    ("+ −", "zoom in, out at the cursor"),
    ("Home End", "start, end of the run"),
    ("a", "A|B: a second run beside this one, or none"),
    ("d", "A|B: go to the first difference"),
    ("x", "A|B: take the other side in hand"),
    ("s", "make a stop of the talk from what is shown"),
    ("F5", "present: large, on the whole screen; Esc ends it"),
    ("/", "search: d1v0, p3, tickle, 12.4ms"),
    ("p, Shift-p", "save the picture as PNG, as SVG"),
    ("e", "edit the scenario"),
    ("Ctrl+Z Ctrl+Shift+Z", "take an edit back, do it again"),
    ("?", "these keys"),
    ("b", "blank the screen"),
    ("Esc", "close what lies on top"),
    ("Wheel, drag, Shift-drag", "zoom, pan, choose a range on the timeline"),
];

fn step(direction: Direction, to: StepTo) -> Action {
    Action::Step(Step { direction, to })
}

/// What a key does; nothing if it is not one of ours. Keys with Alt are not ours, nor with
/// Ctrl but for taking edits back.
#[must_use]
pub fn action(key: Key<'_>) -> Option<Action> {
    if key.ctrl {
        // Other fields take back their own letters.
        let ours = key.in_editor || !key.in_field;
        let edit = match key.key {
            "z" if !key.shift => Edit::Undo,
            "z" | "Z" | "y" => Edit::Redo,
            _ => return None,
        };
        return ours.then_some(Action::Edit(edit));
    }
    // In a field as well: it would load the page anew.
    if key.key == "F5" && !key.shift {
        return Some(Action::TogglePresenting);
    }
    if key.in_field {
        return (key.key == "Escape").then_some(Action::Escape);
    }
    let to = if key.shift { StepTo::SameKind } else { StepTo::Decision };
    Some(match key.key {
        " " if key.on_button => return None,
        " " => Action::TogglePlay,
        // With Shift some layouts give another character on the same key.
        "PageDown" if !key.shift => Action::Page(Direction::Next),
        "PageUp" if !key.shift => Action::Page(Direction::Previous),
        "." | "PageDown" => step(Direction::Next, to),
        ">" | ":" => step(Direction::Next, StepTo::SameKind),
        "," | "PageUp" => step(Direction::Previous, to),
        "<" | ";" => step(Direction::Previous, StepTo::SameKind),
        "ArrowRight" => step(Direction::Next, StepTo::Event),
        "ArrowLeft" => step(Direction::Previous, StepTo::Event),
        "ArrowUp" => Action::RowBy(-1),
        "ArrowDown" => Action::RowBy(1),
        "f" | "F" => Action::Fit,
        "0" => Action::Whole,
        "+" | "=" => Action::Zoom { closer: true },
        "-" | "_" => Action::Zoom { closer: false },
        "/" => Action::OpenSearch,
        "e" | "E" => Action::Edit(Edit::Open(true)),
        "?" => Action::Help(true),
        "p" => Action::Save(Format::Png),
        "P" => Action::Save(Format::Svg),
        "b" | "B" => Action::ToggleBlank,
        "a" | "A" => Action::ToggleAb,
        "d" | "D" => Action::GoParting,
        "x" | "X" => Action::Hand(None),
        "s" | "S" => Action::Talk(TalkDo::Add),
        "Home" => Action::ToStart,
        "End" => Action::ToEnd,
        "Escape" => Action::Escape,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(key: &str) -> Key<'_> {
        let (shift, ctrl) = (false, false);
        Key { key, shift, ctrl, in_field: false, in_editor: false, on_button: false }
    }

    fn pressed(key: &str) -> Option<Action> {
        action(Key { shift: false, in_field: false, on_button: false, ..plain(key) })
    }

    /// Goal: stepping works by the key's meaning, with and without Shift, on layouts where Shift
    /// gives another character.
    #[test]
    fn steps_go_by_meaning() {
        let next = |to| Some(step(Direction::Next, to));
        assert_eq!(pressed("."), next(StepTo::Decision));
        assert_eq!(pressed("PageDown"), Some(Action::Page(Direction::Next)));
        for key in ["PageDown", "."] {
            let key = Key { shift: true, in_field: false, on_button: false, ..plain(key) };
            assert_eq!(action(key), next(StepTo::SameKind));
        }
        for key in [">", ":"] {
            assert_eq!(pressed(key), next(StepTo::SameKind));
        }
        assert_eq!(pressed("ArrowRight"), next(StepTo::Event));
    }

    /// Goal: fields keep their keys but for Escape, and buttons keep Space.
    #[test]
    fn fields_and_buttons_keep_their_keys() {
        for key in [".", " ", "f", "0", "ArrowLeft", "/"] {
            assert!(pressed(key).is_some(), "{key}");
            let in_field = Key { shift: false, in_field: true, on_button: false, ..plain(key) };
            assert_eq!(action(in_field), None, "{key}");
        }
        let key = Key { shift: false, in_field: true, on_button: false, ..plain("Escape") };
        assert_eq!(action(key), Some(Action::Escape));
        let space = Key { shift: false, in_field: false, on_button: true, ..plain(" ") };
        assert_eq!(action(space), None);
        let dot = Key { shift: false, in_field: false, on_button: true, ..plain(".") };
        assert!(action(dot).is_some());
        assert_eq!(pressed("q"), None);
    }

    /// Goal: F5 presents wherever the focus is, so that it never loads the page anew; what a
    /// browser does with it together with Shift or Ctrl stays the browser's.
    #[test]
    fn f5_presents_everywhere() {
        let f5 = plain("F5");
        assert_eq!(action(f5), Some(Action::TogglePresenting));
        assert_eq!(action(Key { in_field: true, ..f5 }), Some(Action::TogglePresenting));
        assert_eq!(action(Key { shift: true, ..f5 }), None);
        assert_eq!(action(Key { ctrl: true, ..f5 }), None);
    }

    /// Goal: edits are taken back with Ctrl in the editor and on the page, never in another field,
    /// and no other key with Ctrl is ours.
    #[test]
    fn ctrl_takes_back_edits() {
        let ctrl = |key| Key { ctrl: true, ..plain(key) };
        assert_eq!(action(ctrl("z")), Some(Action::Edit(Edit::Undo)));
        let shifted = Key { shift: true, ..ctrl("Z") };
        assert_eq!(action(shifted), Some(Action::Edit(Edit::Redo)));
        assert_eq!(action(ctrl("y")), Some(Action::Edit(Edit::Redo)));
        let in_search = Key { in_field: true, ..ctrl("z") };
        assert_eq!(action(in_search), None);
        let in_editor = Key { in_editor: true, ..in_search };
        assert_eq!(action(in_editor), Some(Action::Edit(Edit::Undo)));
        for key in ["f", "b", "0", "e", " "] {
            assert_eq!(action(ctrl(key)), None, "{key}");
        }
        assert_eq!(pressed("e"), Some(Action::Edit(Edit::Open(true))));
    }
}
