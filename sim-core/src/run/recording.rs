//! A run with everything that is kept of it, done a piece at a time.

use super::{Digest, Keyframes, LogText, Measures, RunEnd, TraceCounts};
use crate::decision::{Belief, Facts, LogLine, Row, Sink, TraceRecord};
use crate::ids::{DecisionId, PcpuId, VcpuId};
use crate::machine::{Machine, Step};
use crate::patches::PatchSet;
use crate::scenario::ValidScenario;
use crate::trace::Trace;
use crate::units::{SimDuration, SimTime};

/// A run and what is kept of it.
pub struct Recording {
    machine: Machine,
    keyframes: Keyframes,
    kept: Kept,
}

/// What a run leaves behind while it goes on.
struct Kept {
    trace: Trace,
    text: LogText,
    digest: Digest,
    measures: Measures,
    traced: TraceCounts,
    /// The pick made last: the move that follows it belongs to it.
    pick: DecisionId,
}

impl Recording {
    /// A run before its first step.
    #[must_use]
    pub fn new(scenario: &ValidScenario, patches: PatchSet) -> Self {
        let machine = Machine::new(scenario, patches);
        let (system, policy) = (machine.system(), machine.policy());
        let guests = system.guests;
        let latency = SimDuration::from_ns(scenario.params.ipi_latency_ns);
        let pcpus = system.topology.pcpu_count();
        let kept = Kept {
            trace: Trace::new(guests, &policy.idlers, pcpus, latency),
            text: LogText::new(guests),
            digest: Digest::new(scenario.duration_ns),
            measures: Measures::new(&machine),
            traced: TraceCounts::new(patches),
            pick: DecisionId(0),
        };
        Self { keyframes: Keyframes::new(&machine), machine, kept }
    }

    /// Goes on for at most `steps` steps, up to `records` records in all.
    pub fn run(&mut self, steps: u32, records: u32) -> RunEnd {
        for _ in 0..steps {
            if self.machine.advance(&mut self.kept) == Step::End {
                return RunEnd::Horizon;
            }
            self.kept.measures.step(&self.machine);
            if self.machine.records() >= records {
                return RunEnd::Budget { reached: self.machine.now(), records };
            }
            self.keyframes.offer(&self.machine);
        }
        RunEnd::Unfinished
    }

    /// The machine as it stands.
    #[must_use]
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// What is kept of records and lanes.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.kept.trace
    }

    /// The digest so far.
    #[must_use]
    pub fn digest(&self) -> &Digest {
        &self.kept.digest
    }

    /// What people judge the run by, so far.
    #[must_use]
    pub fn measures(&self) -> &Measures {
        &self.kept.measures
    }

    /// How many records of each kind Xen's trace buffer would hold so far.
    #[must_use]
    pub fn traced(&self) -> &TraceCounts {
        &self.kept.traced
    }

    /// Copies of the machine to replay from.
    #[must_use]
    pub fn keyframes(&self) -> &Keyframes {
        &self.keyframes
    }

    /// Memory held, about, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.kept.trace.bytes() + self.keyframes.bytes()
    }
}

impl Sink for Kept {
    const TRACES: bool = true;

    fn record(&mut self, id: DecisionId, row: &Row, facts: Facts<'_>) {
        self.measures.record(row, &facts);
        match facts {
            Facts::Tickle(inputs, outcome) => {
                let kicked = outcome.kick.then_some(inputs.cpu);
                self.trace.record(row);
                self.trace.tickle((id, row.time), &outcome.tickled, kicked);
                return;
            }
            Facts::Pick(..) => self.pick = id,
            _ => {}
        }
        self.trace.record(row);
    }

    fn log(&mut self, time: SimTime, pcpu: PcpuId, line: &LogLine<'_>) {
        let text = self.text.write(time, pcpu, line);
        self.digest.line(time, text);
        self.measures.log(time, pcpu, line);
        if let LogLine::Migrate { old, new, .. } = *line
            && old != new
        {
            self.trace.migrate((self.pick, time), old);
        }
    }

    fn trace(&mut self, _time: SimTime, _pcpu: PcpuId, record: &TraceRecord) {
        self.traced.count(record);
    }

    fn progress(&mut self, time: SimTime, pcpu: PcpuId, vcpu: VcpuId) {
        self.trace.progress(time, pcpu, vcpu);
    }

    fn switching(&mut self, time: SimTime, pcpu: PcpuId) {
        self.trace.switching(time, pcpu);
    }

    fn belief(&mut self, time: SimTime, pcpu: PcpuId, belief: Belief, holds: bool) {
        self.measures.belief(pcpu, belief, holds);
        self.trace.belief(time, pcpu, belief, holds);
    }
}
