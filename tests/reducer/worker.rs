//! A worker that knows five records and answers by the protocol.

use tickle::protocol::comparison::Sweep;
use tickle::protocol::{
    Belief, Direction, Explanation, From, LevelLine, LevelPicture, Now, Outcome, Overview, Parting,
    Place, Record, Request, Response, RunId, Span, Stretch, Summary, Thing, Tile, Under, Wanted,
};

/// Time, pCPU and kind of each record; kinds: 1 tickle, 4 schedule, 8 event.
pub const RECORDS: [(u64, u16, u8); 5] = [
    (12_000_000, 1, 8),
    (14_000_000, 0, 1),
    (14_000_000, 0, 4),
    (14_600_000, 0, 4),
    (18_000_000, 3, 1),
];

/// Stands in every explanation.
pub const REASON: &str = "because of this";

/// The fake worker.
#[derive(Default)]
pub struct Worker {
    duration_ns: u64,
}

/// A record as the page gets it.
pub fn record(number: usize) -> Record {
    let (time_ns, pcpu, kind) = RECORDS[number];
    let same = |other: &(u64, u16, u8)| *other == RECORDS[number];
    let nth = u8::try_from(RECORDS[..number].iter().filter(|other| same(other)).count());
    let place = Place { time_ns, pcpu, kind, nth: nth.expect("five records") };
    Record { record: u32::try_from(number).expect("five records"), place, vcpu: 0 }
}

fn wanted(number: usize, wanted: Wanted) -> bool {
    let (_, pcpu, kind) = RECORDS[number];
    let decision = kind < 8;
    match wanted {
        Wanted::Decision => decision,
        Wanted::Kind(other) => kind == other,
        Wanted::Event(row) => pcpu == row,
        Wanted::DecisionOn(row) => decision && pcpu == row,
        Wanted::Vcpu(vcpu) => vcpu == 0,
        Wanted::Changed(_) => kind == 1,
    }
}

fn find(from: From, direction: Direction, what: Wanted) -> Option<usize> {
    let mut all = (0..RECORDS.len()).filter(|number| wanted(*number, what));
    let at = |number: usize| RECORDS[number].0;
    match (from, direction) {
        (From::Record(from), Direction::Next) => all.find(|n| *n > from as usize),
        (From::Record(from), _) => all.rfind(|n| *n < from as usize),
        (From::Time(from), Direction::Next) => all.find(|n| at(*n) >= from),
        (From::Time(from), Direction::Previous) => all.rfind(|n| at(*n) <= from),
        (From::Time(from), Direction::Nearest) => all.min_by_key(|n| at(*n).abs_diff(from)),
    }
}

fn explanation(record: Record) -> Explanation {
    Explanation {
        record,
        function: String::new(),
        code: String::new(),
        ordinal: (1, 1),
        sentence: vec![],
        facts: vec![],
        masks: vec![],
        table_title: String::new(),
        table: vec![],
        candidates: vec![],
        counters: vec![],
        shares: None,
        sides: vec![],
        unasked: vec![],
        chain: vec![],
        source: REASON.into(),
        outcome: Outcome::Pcpus(vec![1]),
    }
}

impl Worker {
    /// What the worker says to a request.
    pub fn answer(&mut self, request: &Request) -> Vec<Response> {
        match *request {
            Request::Run { run, ref scenario, select, .. } => self.run(run, scenario, select),
            Request::Beside { run, beside, ref scenario, select, .. } => {
                let mut said = self.run(run, scenario, select);
                // Their last records differ, by the fake worker's lights.
                let records = [(beside, Some(record(4))), (run, Some(record(3)))];
                let parting = Parting::At(records);
                said.push(Response::Parting { runs: [beside, run], parting });
                said
            }
            Request::Cancel { .. } | Request::Alone { .. } => vec![],
            Request::Sweep { ask, seeds, .. } => {
                let sweep =
                    |done| Sweep { done, of: seeds, goes_on: done < seeds, ..Sweep::default() };
                let told = |done| Response::Swept { ask, sweep: Box::new(sweep(done)) };
                vec![told(0), told(1), told(seeds)]
            }
            Request::StopSweep { ask } => {
                let sweep = Sweep { done: 1, of: 9, ..Sweep::default() };
                vec![Response::Swept { ask, sweep: Box::new(sweep) }]
            }
            Request::At { run, ask, place } => {
                let found = (0..RECORDS.len()).map(record).find(|record| record.place == place);
                vec![Response::Found { run, ask, record: found, decisions: 0 }]
            }
            Request::Tile { run, span, shift, first, count } => {
                let lane = |pcpu| tickle::protocol::LaneTile {
                    pcpu,
                    run: tickle::protocol::RunLane::Segments(vec![]),
                    idler: Belief::Spans(vec![]),
                    tickled: Belief::Spans(vec![]),
                    marks: vec![],
                    counts: vec![],
                };
                let lanes = (first..first + count).map(lane).collect();
                let reached_ns = self.duration_ns;
                vec![Response::Tile(Tile {
                    run,
                    span,
                    shift,
                    first,
                    lanes,
                    arrows: vec![],
                    reached_ns,
                })]
            }
            Request::Levels { run, ask, span, shift, ref levels } => {
                let line = |level| LevelLine { level, start: 3, cells: vec![], accounted: 0 };
                let lines: Vec<LevelLine> = levels.iter().copied().map(line).collect();
                let told = |goes_on| {
                    let until_ns = if goes_on { span.from_ns } else { span.to_ns };
                    let (lines, accounts_ns) = (lines.clone(), vec![]);
                    Response::Levels(LevelPicture {
                        run,
                        ask,
                        span,
                        shift,
                        until_ns,
                        goes_on,
                        lines,
                        accounts_ns,
                    })
                };
                vec![told(true), told(false)]
            }
            Request::Stretch { run, span, each_vcpu } => {
                let (reached_ns, ran_ns) = (self.duration_ns, each_vcpu.then(|| vec![5, 7]));
                let stretch = Stretch { run, span, reached_ns, pcpus: vec![], ran_ns };
                vec![Response::Stretch(stretch)]
            }
            Request::Under(spot) => {
                let span = spot.span;
                let things = vec![Thing::Segment { vcpu: 0, span }];
                let (reached_ns, marks) = (self.duration_ns, vec![]);
                let under = Under { spot, reached_ns, things, segments: 1, marks };
                vec![Response::Under(under)]
            }
            Request::Overview { run, .. } => {
                let reached_ns = self.duration_ns;
                let span = Span { from_ns: 0, to_ns: reached_ns };
                let (shift, lanes) = (18, vec![]);
                vec![Response::Overview(Overview { run, span, shift, reached_ns, lanes })]
            }
            Request::Find { run, ask, from, direction, wanted } => {
                let found = find(from, direction, wanted);
                let decision = |n: &usize| RECORDS[*n].2 < 8;
                let decisions = found.map_or(0, |n| (0..=n).filter(decision).count());
                let decisions = u32::try_from(decisions).expect("five records");
                vec![Response::Found { run, ask, record: found.map(record), decisions }]
            }
            Request::Explain { run, record: number } => {
                let record = record(number as usize);
                let now = Now { time_ns: record.place.time_ns, pcpus: vec![] };
                vec![Response::Explained { run, explanation: Box::new(explanation(record)), now }]
            }
            Request::Mark { run, ask, time_ns, .. } => {
                let found = RECORDS.iter().position(|at| at.0 == time_ns).map(record);
                vec![Response::Found { run, ask, record: found, decisions: 0 }]
            }
            Request::Snapshot { run, time_ns } => {
                vec![Response::Snapshot { run, now: Now { time_ns, pcpus: vec![] } }]
            }
        }
    }

    fn run(&mut self, run: RunId, scenario: &str, select: Option<Place>) -> Vec<Response> {
        let scenario = scenario_json::parse(scenario).expect("the page sends what it can read");
        let duration_ns = scenario.duration_ns;
        self.duration_ns = duration_ns;
        let progress =
            |reached_ns, records| Response::Progress { run, reached_ns, duration_ns, records };
        let summary = Summary {
            end_ns: duration_ns,
            lines: 7,
            digest: "00000000000000ff".into(),
            records: 5,
            ..Summary::default()
        };
        let mut said = vec![progress(0, 0), progress(duration_ns, 5)];
        if let Some(place) = select {
            let found = (0..RECORDS.len()).map(record).find(|record| record.place == place);
            said.push(Response::Found { run, ask: 0, record: found, decisions: 0 });
        }
        said.push(Response::Ended { run, summary: Box::new(summary), cut: None });
        said
    }
}
