//! How far a long run has come, on standard error.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// A run that ends sooner says nothing.
const QUIET: Duration = Duration::from_secs(2);
/// Between two lines where they stay, in a file.
const PAUSE: Duration = Duration::from_secs(10);
/// Between two lines where one replaces the other, on a terminal.
const PAUSE_TERMINAL: Duration = Duration::from_millis(200);

/// Tells progress.
pub struct Progress {
    terminal: bool,
    next: Instant,
    told: bool,
}

impl Progress {
    /// Nothing told yet.
    pub fn new() -> Self {
        let terminal = std::io::stderr().is_terminal();
        let quiet = if terminal { PAUSE_TERMINAL } else { QUIET };
        Self { terminal, next: Instant::now() + quiet, told: false }
    }

    /// Tells how much of the whole is done, and what that is in words, if it is time to.
    pub fn tell(&mut self, (done, whole): (u64, u64), words: impl FnOnce() -> String) {
        if Instant::now() < self.next {
            return;
        }
        let percent = u128::from(done) * 100 / u128::from(whole);
        let text = format!("{percent:3} %  {}", words());
        let (start, end) = if self.terminal { ("\r", "") } else { ("", "\n") };
        // Who reads progress is not what the run is for.
        let _ = write!(std::io::stderr(), "{start}{text}{end}");
        self.next = Instant::now() + if self.terminal { PAUSE_TERMINAL } else { PAUSE };
        self.told = true;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.told && self.terminal {
            let _ = write!(std::io::stderr(), "\r{:60}\r", "");
        }
    }
}
