//! The page's entry: puts the application into the document.
//!
//! It must hold nothing else.

fn main() {
    yew::Renderer::<tickle::view::app::App>::new().render();
}
