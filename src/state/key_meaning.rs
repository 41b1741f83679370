//! What a key means on whatever layout: by the character that it gives, or by where it sits if that
//! character is of another script.

/// Letters by where they sit on a keyboard, `KeyA` to `KeyZ`.
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz";
const LETTERS_SHIFTED: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const DIGITS: &str = "0123456789";

/// The meaning of a key: `key` itself where that is a name or an ASCII character, else what the
/// place `code` gives on the layout of the United States; so `ю` steps on, and `à` is a 0.
#[must_use]
pub fn meaning<'a>(key: &'a str, code: &str, shift: bool) -> &'a str {
    let foreign = key.chars().count() == 1 && !key.is_ascii();
    if !foreign {
        return key;
    }
    let at = |all: &'static str, first: char| {
        let sign = code.chars().next_back()?;
        let place = usize::try_from(u32::from(sign).checked_sub(first.into())?).ok()?;
        all.get(place..=place)
    };
    let letters = if shift { LETTERS_SHIFTED } else { LETTERS };
    let found = match code {
        "Comma" => Some(if shift { "<" } else { "," }),
        "Period" => Some(if shift { ">" } else { "." }),
        "Slash" => Some(if shift { "?" } else { "/" }),
        "BracketLeft" => Some("["),
        "BracketRight" => Some("]"),
        _ if code.starts_with("Key") => at(letters, 'A'),
        _ if code.starts_with("Digit") => at(DIGITS, '0'),
        _ => None,
    };
    found.unwrap_or(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: names of keys and ASCII characters mean themselves, wherever they sit.
    #[test]
    fn characters_mean_themselves() {
        for (key, code) in [
            ("PageDown", "PageDown"),
            (".", "Period"),
            (".", "Slash"),
            (",", "KeyM"),
            ("a", "KeyQ"),
            ("-", "Digit6"),
            ("z", "KeyY"),
        ] {
            assert_eq!(meaning(key, code, false), key);
        }
    }

    /// Goal: characters of other scripts mean what their place does; places without a meaning stay
    /// what they are.
    #[test]
    fn other_scripts_go_by_place() {
        for (key, code, shift, means) in [
            ("ф", "KeyA", false, "a"),
            ("Я", "KeyZ", true, "Z"),
            ("ю", "Period", false, "."),
            ("Ю", "Period", true, ">"),
            ("б", "Comma", false, ","),
            ("х", "BracketLeft", false, "["),
            ("ü", "BracketLeft", false, "["),
            ("à", "Digit0", false, "0"),
            ("ç", "Digit9", false, "9"),
            ("ö", "Semicolon", false, "ö"),
            ("ß", "Minus", false, "ß"),
            ("é", "", false, "é"),
            ("é", "Keyé", false, "é"),
        ] {
            assert_eq!(meaning(key, code, shift), means, "{key} on {code}");
        }
    }
}
