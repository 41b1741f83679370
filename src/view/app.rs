//! The application: owns the state, runs its effects.

use yew::prelude::*;

/// The page.
#[component]
pub fn App() -> Html {
    html! { <main></main> }
}
