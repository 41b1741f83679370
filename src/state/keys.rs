//! Which key does what. By what the key means, not where it sits: works on every layout.

use super::{Action, Format, Step, StepTo};
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
    /// Whether it was pressed on a button or link, which Space and Enter belong to.
    pub on_button: bool,
}

/// The keys for the list of keys: key, with Shift, what it does.
pub const HELP: [(&str, &str); 19] = [
    ("Space", "play, pause"),
    (". or Page Down", "next decision"),
    (", or Page Up", "previous decision"),
    ("Shift with these", "next, previous of the same kind"),
    ("← →", "previous, next event on the row"),
    ("↑ ↓", "row above, below"),
    ("f", "fit the range or the selection"),
    ("0", "the whole run"),
    ("+ −", "zoom in, out at the cursor"),
    ("Home End", "start, end of the run"),
    ("a", "A|B: a second run beside this one, or none"),
    ("d", "A|B: go to the first difference"),
    ("s", "A|B: take the other side in hand"),
    ("/", "search: d1v0, p3, tickle, 12.4ms"),
    ("p, Shift-p", "save the picture as PNG, as SVG"),
    ("?", "these keys"),
    ("b", "blank the screen"),
    ("Esc", "close what lies on top"),
    ("Wheel, drag, Shift-drag", "zoom, pan, choose a range on the timeline"),
];

fn step(direction: Direction, to: StepTo) -> Action {
    Action::Step(Step { direction, to })
}

/// What a key does; nothing if it is not one of ours. Keys with Ctrl, Alt or Meta are not ours.
#[must_use]
pub fn action(key: Key<'_>) -> Option<Action> {
    if key.in_field {
        return (key.key == "Escape").then_some(Action::Escape);
    }
    let to = if key.shift { StepTo::SameKind } else { StepTo::Decision };
    Some(match key.key {
        " " if key.on_button => return None,
        " " => Action::TogglePlay,
        // With Shift some layouts give another character on the same key.
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
        "?" => Action::Help(true),
        "p" => Action::Save(Format::Png),
        "P" => Action::Save(Format::Svg),
        "b" | "B" => Action::ToggleBlank,
        "a" | "A" => Action::ToggleAb,
        "d" | "D" => Action::GoParting,
        "s" | "S" => Action::Hand(None),
        "Home" => Action::ToStart,
        "End" => Action::ToEnd,
        "Escape" => Action::Escape,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pressed(key: &str) -> Option<Action> {
        action(Key { key, shift: false, in_field: false, on_button: false })
    }

    /// Goal: stepping works by the key's meaning, with and without Shift, on layouts where Shift
    /// gives another character.
    #[test]
    fn steps_go_by_meaning() {
        let next = |to| Some(step(Direction::Next, to));
        assert_eq!(pressed("."), next(StepTo::Decision));
        assert_eq!(pressed("PageDown"), next(StepTo::Decision));
        for key in ["PageDown", "."] {
            let key = Key { key, shift: true, in_field: false, on_button: false };
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
            let in_field = Key { key, shift: false, in_field: true, on_button: false };
            assert_eq!(action(in_field), None, "{key}");
        }
        let key = Key { key: "Escape", shift: false, in_field: true, on_button: false };
        assert_eq!(action(key), Some(Action::Escape));
        let space = Key { key: " ", shift: false, in_field: false, on_button: true };
        assert_eq!(action(space), None);
        let dot = Key { key: ".", shift: false, in_field: false, on_button: true };
        assert!(action(dot).is_some());
        assert_eq!(pressed("x"), None);
    }
}
