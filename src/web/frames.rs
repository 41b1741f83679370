//! A call a frame, with the time since the last one.

use gloo::render::{AnimationFrame, request_animation_frame};
use std::cell::RefCell;
use std::rc::Rc;

/// Calls every frame until dropped.
pub struct Frames(Rc<RefCell<Option<AnimationFrame>>>);

impl Frames {
    /// Calls with the µs since the last frame; the first frame only takes the time.
    #[must_use]
    pub fn start(tick: impl Fn(u64) + 'static) -> Self {
        let slot = Rc::new(RefCell::new(None));
        schedule(Rc::downgrade(&slot), None, Rc::new(tick));
        Self(slot)
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.0.borrow_mut().take();
    }
}

fn schedule(
    slot: std::rc::Weak<RefCell<Option<AnimationFrame>>>,
    last_ms: Option<f64>,
    tick: Rc<dyn Fn(u64)>,
) {
    let Some(strong) = slot.upgrade() else { return };
    let frame = request_animation_frame(move |now_ms| {
        if let Some(last_ms) = last_ms {
            tick(micros(now_ms - last_ms));
        }
        schedule(slot, Some(now_ms), tick);
    });
    *strong.borrow_mut() = Some(frame);
}

/// Milliseconds as whole µs.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // clamped to what fits
fn micros(ms: f64) -> u64 {
    (ms.clamp(0.0, 60_000.0) * 1_000.0) as u64
}
