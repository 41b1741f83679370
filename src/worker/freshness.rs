//! Which answers still count: those about the run that was asked for last.

use crate::protocol::{Request, Response, RunId};

/// The run that counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Freshness {
    current: Option<RunId>,
    /// The one before, which counts again if the current one is refused.
    before: Option<RunId>,
}

impl Freshness {
    /// Something is asked.
    pub(super) fn asked(&mut self, request: &Request) {
        if let Request::Run { run, .. } = request {
            self.before = self.current.replace(*run);
        }
    }

    /// Something is answered; says whether it counts.
    pub(super) fn counts(&mut self, response: &Response) -> bool {
        if let Response::Refused { run, .. } = response {
            let counts = Some(*run) == self.current;
            if counts {
                self.current = self.before.take();
            }
            return counts;
        }
        response.run().is_none_or(|run| Some(run) == self.current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(run: u32) -> Request {
        Request::Run { run: RunId(run), scenario: String::new(), patches: 0, select: None }
    }

    fn progress(run: u32) -> Response {
        let run = RunId(run);
        Response::Progress { run, reached_ns: 0, duration_ns: 1, records: 0 }
    }

    /// Goal: answers about an older run are dropped, unless the newer run was refused.
    #[test]
    fn only_the_last_run_counts() {
        let mut fresh = Freshness::default();
        assert!(!fresh.counts(&progress(1)));
        fresh.asked(&run(1));
        assert!(fresh.counts(&progress(1)));
        fresh.asked(&run(2));
        assert!(!fresh.counts(&progress(1)) && fresh.counts(&progress(2)));
        fresh.asked(&run(3));
        let refused = |run| Response::Refused { run: RunId(run), sentence: String::new() };
        assert!(!fresh.counts(&refused(2)));
        assert!(fresh.counts(&refused(3)));
        assert!(fresh.counts(&progress(2)) && !fresh.counts(&progress(3)));
        assert!(fresh.counts(&Response::Panicked { message: String::new() }));
    }
}
