//! The pictures on buttons. Each is decoration: the button carries the name.

use yew::prelude::*;

/// A picture on a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    /// To the start.
    Start,
    /// Previous.
    Previous,
    /// Next.
    Next,
    /// A small step back.
    Back,
    /// A small step on.
    On,
    /// Play.
    Play,
    /// Pause.
    Pause,
    /// The theme follows the system.
    Auto,
    /// Light.
    Sun,
    /// Dark.
    Moon,
    /// Show to a room.
    Present,
    /// Open a file.
    Open,
    /// Look for.
    Search,
    /// Lanes below the rows.
    Lanes,
    /// Save as a file.
    Save,
    /// Close.
    Close,
    /// Edit.
    Edit,
    /// Take an edit back.
    Undo,
    /// Do it again.
    Redo,
    /// Towards the front.
    Up,
    /// Towards the end.
    Down,
    /// One more.
    Add,
    /// A copy.
    Copy,
}

/// Draws a picture.
pub fn icon(icon: Icon) -> Html {
    let path = match icon {
        Icon::Start => "M4 3v10M13 3 6 8l7 5z",
        Icon::Previous => "M11 3 4 8l7 5z",
        Icon::Next => "M5 3l7 5-7 5z",
        Icon::Back => "M10 3 5 8l5 5",
        Icon::On => "M6 3l5 5-5 5",
        Icon::Play => "M4 2.5l9 5.5-9 5.5z",
        Icon::Pause => "M4.5 3v10M11.5 3v10",
        Icon::Auto => "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
        Icon::Sun => {
            "M8 5a3 3 0 1 0 .01 0M8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1"
        }
        Icon::Moon => "M13 10A6 6 0 0 1 6 3a5.5 5.5 0 1 0 7 7z",
        Icon::Present => "M2 3h12v8H2zM8 11v3M5 14h6",
        Icon::Open => "M2 4h4l1.5 2H14v7H2z",
        Icon::Search => "M7 2.5a4.5 4.5 0 1 0 .01 0M10.5 10.5 14 14",
        Icon::Lanes => "M2 3.5h12M2 9h3V6.5h5V9h4M2 13.5h6V11h3v2.5h3",
        Icon::Save => "M8 2v8M4.5 6.5 8 10l3.5-3.5M3 13.5h10",
        Icon::Close => "M4 4l8 8M12 4l-8 8",
        Icon::Edit => "M3 13l.6-2.8L11 2.8l2.2 2.2-7.4 7.4z",
        Icon::Undo => "M6 3 3 6l3 3M3 6h6a4 3.5 0 0 1 0 7H6",
        Icon::Redo => "M10 3l3 3-3 3M13 6H7a4 3.5 0 0 0 0 7h3",
        Icon::Up => "M3 10l5-5 5 5",
        Icon::Down => "M3 6l5 5 5-5",
        Icon::Add => "M8 3v10M3 8h10",
        Icon::Copy => "M6 6h7v7H6zM4 10H3V3h7v1",
    };
    let solid = matches!(icon, Icon::Start | Icon::Previous | Icon::Next | Icon::Play | Icon::Moon);
    let class = if solid { "icon solid" } else { "icon" };
    html! {
        <svg {class} viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d={path} /></svg>
    }
}
