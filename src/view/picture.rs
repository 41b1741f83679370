//! What the timeline shows, as a file: what is written around it, and how it is called.
//!
//! Must not decide what is drawn.

use super::stage::{StageProps, picture};
use crate::state::{Format, State};
use crate::timeline::label::MomentUnit;
use crate::timeline::print::Caption;
use crate::timeline::svg::{About, svg};
use crate::timeline::theme::Palette;
use crate::web::surface::dpr;
use crate::web::{canvas, files};
use sim_core::patches::Standing;
use sim_core::presets::Preset;

/// Pixels of a PNG for each px.
const SCALE: f64 = 2.0;
/// The longest part of a file's name that the scenario gives, in letters.
const NAME: usize = 40;

/// What stands around the picture.
pub fn caption(state: &State, link: String) -> Caption {
    let preset = state.preset.and_then(Preset::from_number);
    let own = || match state.scenario.name.as_str() {
        "" => "Own scenario".to_string(),
        name => name.to_string(),
    };
    let title = preset.map_or_else(own, |preset| preset.title.to_string());
    let unit = MomentUnit::for_end(state.view.to_ns);
    let moment = |ns| unit.exact(ns, 1_000);
    let span = format!("{} to {}", moment(state.view.from_ns), moment(state.view.to_ns));
    Caption { title, facts: vec![Standing::of(state.patches).to_string(), span], link }
}

/// Saves the picture; tells in a sentence if that fails.
pub fn save(
    state: &State,
    props: &StageProps,
    (format, caption): (Format, &Caption),
    failed: impl Fn(String) + 'static,
) {
    let plot = f64::from(state.pictures.width_px) / dpr();
    let list = picture(props, plot, state.pictures.rows.0, caption);
    let ground = Palette::of(props.scheme).panel;
    let name = file_name(&caption.title, state.cursor_ns);
    match format {
        Format::Png => canvas::png(&list, ground, SCALE, move |made| {
            let saved = made.and_then(|blob| files::save(&format!("{name}.png"), &blob));
            if let Err(why) = saved {
                failed(why);
            }
        }),
        Format::Svg => {
            let text = svg(&list, About { title: &caption.title, link: &caption.link, ground });
            let saved = files::text(&text, "image/svg+xml")
                .and_then(|blob| files::save(&format!("{name}.svg"), &blob));
            if let Err(why) = saved {
                failed(why);
            }
        }
    }
}

/// A name that every system of files takes: letters and digits of the title, and the cursor's time
/// in µs.
fn file_name(title: &str, cursor_ns: u64) -> String {
    let words = title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let title: String = words.collect::<Vec<_>>().join("-").to_lowercase();
    let title: String = title.chars().take(NAME).collect();
    format!("tickle-{}-{}us", title.trim_end_matches('-'), cursor_ns / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goal: a file's name holds nothing that a system of files refuses, whatever the title.
    #[test]
    fn file_names_are_plain() {
        assert_eq!(file_name("Pinned waker", 14_000_000), "tickle-pinned-waker-14000us");
        assert_eq!(file_name("../a:b\\c “d”", 0), "tickle-a-b-c-d-0us");
        let long = file_name(&"word ".repeat(40), 1);
        assert!(long.len() < 60 && !long.contains("--"), "{long}");
    }

    /// Goal: the caption says scenario, patches, time and link.
    #[test]
    fn the_caption_says_what_is_shown() {
        let state = State::default();
        let caption = caption(&state, "http://127.0.0.1/#x".into());
        assert_eq!(caption.title, sim_core::presets::PRESETS[0].title);
        let [patches, span] = &caption.facts[..] else { panic!("two facts") };
        assert_eq!(*patches, Standing::of(state.patches).to_string());
        assert!(span.contains("10.500") && span.contains("19.500"), "{span}");
        assert_eq!(caption.link, "http://127.0.0.1/#x");
    }
}
