//! Which key does what. By what the key means, not where it sits, but for characters of other
//! scripts: works on every layout.

use super::edit::Edit;
use super::key_meaning::meaning;
use super::predict::Choice;
use super::{Action, Format, Guess, Step, StepTo, TalkDo};
use crate::protocol::Direction;

/// A key as the browser names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Key<'a> {
    /// The character or name that it gives, such as `.` or `PageDown`.
    pub key: &'a str,
    /// Where it sits, such as `Period`.
    pub code: &'a str,
    /// Whether a decision is asked about, which digits answer.
    pub asking: bool,
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
    ("[ ]", "the view before, the one after"),
    ("+ −", "zoom in, out at the cursor"),
    ("Home End", "start, end of the run"),
    ("a", "A|B: a second run beside this one, or none"),
    ("d", "A|B: go to the first difference"),
    ("x", "A|B: take the other side in hand"),
    ("s", "make a stop of the talk from what is shown"),
    ("g", "predict: ask before each decision is shown, or no longer"),
    ("0–9, n", "predict: choose a pCPU or candidate; nobody"),
    ("F5", "present: large, on the whole screen; Esc ends it"),
    ("l", "lanes below the rows: idlers, told, run-queue depth, or none"),
    ("m", "magnifier: list what the pixel under the pointer hides, or not"),
    ("/", "search: d1v0, p3, tickle, 12.4ms, 12.3ms..12.9ms"),
    ("p, Shift-p", "save the picture as PNG, as SVG"),
    ("e", "edit the scenario"),
    ("Ctrl+Z Ctrl+Shift+Z", "take an edit back, do it again"),
    ("?", "these keys"),
    ("b", "blank the screen"),
    ("Esc", "close what lies on top"),
    ("Wheel, drag, Shift-drag", "zoom, pan, choose a range on the timeline"),
];

/// The answer that a key gives to a question. Digits go by where they sit: on some layouts they
/// need Shift.
fn guess(key: Key<'_>, means: &str) -> Option<Guess> {
    let pad = key.code.strip_prefix("Numpad").filter(|_| key.key.parse::<u8>().is_ok());
    match key.code.strip_prefix("Digit").or(pad).and_then(|digit| digit.parse().ok()) {
        Some(digit) => Some(Guess::Digit(digit)),
        None if matches!(means, "n" | "N") => Some(Guess::Choose(Choice::Nobody)),
        None => None,
    }
}

fn step(direction: Direction, to: StepTo) -> Action {
    Action::Step(Step { direction, to })
}

/// What a key does; nothing if it is not one of ours. Keys with Alt are not ours, nor with
/// Ctrl but for taking edits back.
#[must_use]
pub fn action(key: Key<'_>) -> Option<Action> {
    let means = meaning(key.key, key.code, key.shift);
    if key.ctrl {
        // Other fields take back their own letters.
        let ours = key.in_editor || !key.in_field;
        let edit = match means {
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
    if let Some(guess) = guess(key, means).filter(|_| key.asking) {
        return Some(Action::Guess(guess));
    }
    let to = if key.shift { StepTo::SameKind } else { StepTo::Decision };
    Some(match means {
        " " if key.on_button => return None,
        " " => Action::TogglePlay,
        // With Shift some layouts give another character on the same key.
        "PageDown" if !key.shift => Action::Page(Direction::Next),
        "PageUp" if !key.shift => Action::Page(Direction::Previous),
        // Where these characters need Shift, it is no wish for the same kind.
        "." => step(Direction::Next, StepTo::Decision),
        "," => step(Direction::Previous, StepTo::Decision),
        "PageDown" => step(Direction::Next, to),
        "PageUp" => step(Direction::Previous, to),
        ">" | ":" => step(Direction::Next, StepTo::SameKind),
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
        "l" | "L" => Action::Lanes,
        "a" | "A" => Action::ToggleAb,
        "d" | "D" => Action::GoParting,
        "x" | "X" => Action::Hand(None),
        "g" | "G" => Action::Guess(Guess::Toggle),
        "m" | "M" => Action::ToggleMagnifier,
        "s" | "S" => Action::Talk(TalkDo::Add),
        "[" => Action::OtherView(Direction::Previous),
        "]" => Action::OtherView(Direction::Next),
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
        Key {
            key,
            code: "",
            asking: false,
            shift,
            ctrl,
            in_field: false,
            in_editor: false,
            on_button: false,
        }
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
        let shifted = |key| action(Key { shift: true, ..plain(key) });
        assert_eq!(shifted("PageDown"), next(StepTo::SameKind));
        assert_eq!(shifted("."), next(StepTo::Decision), "French: a point needs Shift");
        for key in [">", ":"] {
            assert_eq!(pressed(key), next(StepTo::SameKind));
        }
        assert_eq!(pressed("ArrowRight"), next(StepTo::Event));
    }

    /// Goal: on the layouts of four countries the keys that one presses for what the help names do
    /// just that. Method: what browsers give for them (character, place, Shift).
    #[test]
    fn keys_work_on_every_layout() {
        let next = || Some(step(Direction::Next, StepTo::Decision));
        let previous = || Some(step(Direction::Previous, StepTo::Decision));
        let kind = |direction| Some(step(direction, StepTo::SameKind));
        let cases = [
            ("US", ".", "Period", false, next()),
            ("US", ">", "Period", true, kind(Direction::Next)),
            ("US", "<", "Comma", true, kind(Direction::Previous)),
            ("US", "?", "Slash", true, Some(Action::Help(true))),
            ("US", "+", "Equal", true, Some(Action::Zoom { closer: true })),
            ("DE", ":", "Period", true, kind(Direction::Next)),
            ("DE", ";", "Comma", true, kind(Direction::Previous)),
            ("DE", "/", "Digit7", true, Some(Action::OpenSearch)),
            ("DE", "?", "Minus", true, Some(Action::Help(true))),
            ("DE", "+", "BracketRight", false, Some(Action::Zoom { closer: true })),
            ("DE", "-", "Slash", false, Some(Action::Zoom { closer: false })),
            ("FR", ".", "Comma", true, next()),
            ("FR", ",", "KeyM", false, previous()),
            ("FR", "a", "KeyQ", false, Some(Action::ToggleAb)),
            ("FR", "/", "Period", true, Some(Action::OpenSearch)),
            ("FR", "?", "KeyM", true, Some(Action::Help(true))),
            ("FR", "à", "Digit0", false, Some(Action::Whole)),
            ("FR", "-", "Digit6", false, Some(Action::Zoom { closer: false })),
            ("RU", "ю", "Period", false, next()),
            ("RU", ".", "Slash", false, next()),
            ("RU", "б", "Comma", false, previous()),
            ("RU", ",", "Slash", true, previous()),
            ("RU", "Ю", "Period", true, kind(Direction::Next)),
            ("RU", "а", "KeyF", false, Some(Action::Fit)),
            ("RU", "ф", "KeyA", false, Some(Action::ToggleAb)),
            ("RU", "З", "KeyP", true, Some(Action::Save(Format::Svg))),
            ("RU", "/", "Backslash", true, Some(Action::OpenSearch)),
            ("RU", "0", "Digit0", false, Some(Action::Whole)),
        ];
        for (layout, key, code, shift, does) in cases {
            let pressed = action(Key { code, shift, ..plain(key) });
            assert_eq!(pressed, does, "{layout}: {key} on {code}");
        }
        let undo = action(Key { code: "KeyZ", ctrl: true, ..plain("я") });
        assert_eq!(undo, Some(Action::Edit(Edit::Undo)));
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

    /// Goal: while a decision is asked about, digits answer by where they sit, on layouts too where
    /// they need Shift; otherwise 0 shows the whole run.
    #[test]
    fn digits_answer_while_asked() {
        let digit = |key, code, asking| action(Key { code, asking, ..plain(key) });
        assert_eq!(digit("0", "Digit0", false), Some(Action::Whole));
        assert_eq!(digit("0", "Digit0", true), Some(Action::Guess(Guess::Digit(0))));
        assert_eq!(digit("à", "Digit0", true), Some(Action::Guess(Guess::Digit(0))));
        assert_eq!(digit("7", "Numpad7", true), Some(Action::Guess(Guess::Digit(7))));
        assert_eq!(digit("Home", "Numpad7", true), Some(Action::ToStart));
        let nobody = Action::Guess(Guess::Choose(Choice::Nobody));
        assert_eq!(digit("n", "KeyN", true), Some(nobody));
        assert_eq!(digit("n", "KeyN", false), None);
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
