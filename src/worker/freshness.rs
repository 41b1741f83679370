//! Which answers still count: those about the run that was asked for last, and the one beside it.

use crate::protocol::{Request, Response, RunId};

/// The runs that count: one, or two that lie side by side.
#[derive(Clone, Debug, Default)]
pub(super) struct Freshness {
    current: Vec<RunId>,
    /// The ones before, which count again if the newest is refused.
    before: Vec<RunId>,
}

impl Freshness {
    /// Something is asked.
    pub(super) fn asked(&mut self, request: &Request) {
        let (new, stays) = match request {
            Request::Run { run, .. } => (Some(*run), None),
            Request::Beside { run, beside, .. } => (Some(*run), Some(*beside)),
            Request::Alone { run } => (None, Some(*run)),
            _ => return,
        };
        self.before.clone_from(&self.current);
        self.current.retain(|run| Some(*run) == stays);
        self.current.extend(new);
    }

    /// Something is answered; says whether it counts.
    pub(super) fn counts(&mut self, response: &Response) -> bool {
        if let Response::Refused { run, .. } = response {
            let counts = self.current.last() == Some(run);
            if counts {
                self.current = std::mem::take(&mut self.before);
            }
            return counts;
        }
        response.run().is_none_or(|run| self.current.contains(&run))
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

    /// Goal: of two runs that lie side by side both count, until one is left alone.
    #[test]
    fn two_runs_count_side_by_side() {
        let beside = |run: u32, beside: u32| Request::Beside {
            run: RunId(run),
            beside: RunId(beside),
            scenario: String::new(),
            patches: 0,
            select: None,
        };
        let mut fresh = Freshness::default();
        fresh.asked(&run(1));
        fresh.asked(&beside(2, 1));
        assert!(fresh.counts(&progress(1)) && fresh.counts(&progress(2)));
        fresh.asked(&beside(3, 2));
        assert!(!fresh.counts(&progress(1)) && fresh.counts(&progress(2)));
        let refused = Response::Refused { run: RunId(3), sentence: String::new() };
        assert!(fresh.counts(&refused));
        assert!(fresh.counts(&progress(1)) && fresh.counts(&progress(2)));
        fresh.asked(&Request::Alone { run: RunId(1) });
        assert!(fresh.counts(&progress(1)) && !fresh.counts(&progress(2)));
    }
}
