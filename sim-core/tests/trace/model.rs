//! A run as plain lists.

use sim_core::decision::{Belief, Facts, LogLine, Row, Sink};
use sim_core::ids::{DecisionId, PcpuId, VcpuId};
use sim_core::machine::Machine;
use sim_core::patches::PatchSet;
use sim_core::run::run_to_end;
use sim_core::scenario::ValidScenario;
use sim_core::trace::{IDLE, MarkKind, SWITCHING};
use sim_core::units::SimTime;

/// What happened on one pCPU.
#[derive(Default)]
pub struct LaneModel {
    /// Start and vCPU.
    pub segments: Vec<(u64, u16)>,
    /// Start and end; none for a span that is still open.
    pub idler: Vec<(u64, Option<u64>)>,
    pub tickled: Vec<(u64, Option<u64>)>,
    pub marks: Vec<(u64, MarkKind, DecisionId)>,
}

pub struct Model {
    pub lanes: Vec<LaneModel>,
    pub rows: Vec<Row>,
    guests: usize,
}

impl Model {
    pub fn of(scenario: &ValidScenario, patches: PatchSet) -> Self {
        let mut machine = Machine::new(scenario, patches);
        let pcpus = machine.system().topology.pcpus();
        let lane = |pcpu| {
            let mut lane = LaneModel { segments: vec![(0, IDLE)], ..LaneModel::default() };
            if machine.policy().idlers.contains(pcpu) {
                lane.idler.push((0, None));
            }
            lane
        };
        let lanes = pcpus.map(lane).collect();
        let guests = machine.system().guests;
        let mut model = Self { lanes, rows: vec![], guests };
        run_to_end(&mut machine, &mut model);
        model
    }

    fn mark(&mut self, pcpu: PcpuId, kind: MarkKind, id: DecisionId) {
        let time = self.rows[id.0 as usize].time.as_ns();
        self.lanes[pcpu.index()].marks.push((time, kind, id));
    }
}

impl Sink for Model {
    fn record(&mut self, id: DecisionId, row: &Row, facts: Facts<'_>) {
        assert_eq!(id.0 as usize, self.rows.len());
        self.rows.push(*row);
        match facts {
            Facts::Wake(_) => self.mark(row.pcpu, MarkKind::Wake, id),
            Facts::Account(_) => self.mark(row.pcpu, MarkKind::Account, id),
            Facts::Balance(_, _, outcome) if outcome.stolen.is_some() => {
                self.mark(row.pcpu, MarkKind::Steal, id);
            }
            Facts::Tickle(inputs, outcome) => {
                outcome.tickled.iter().for_each(|pcpu| self.mark(pcpu, MarkKind::Tickled, id));
                if outcome.kick {
                    self.mark(inputs.cpu, MarkKind::Kick, id);
                }
            }
            _ => {}
        }
    }

    fn log(&mut self, _: SimTime, _: PcpuId, line: &LogLine<'_>) {
        if let LogLine::Migrate { old, new, .. } = *line
            && old != new
        {
            // The move is logged right behind its pick.
            let pick = u32::try_from(self.rows.len() - 1).expect("small");
            self.mark(old, MarkKind::Migrate, DecisionId(pick));
        }
    }

    fn progress(&mut self, time: SimTime, pcpu: PcpuId, vcpu: VcpuId) {
        let vcpu = if vcpu.index() < self.guests { vcpu.0 } else { IDLE };
        self.lanes[pcpu.index()].segments.push((time.as_ns(), vcpu));
    }

    fn switching(&mut self, time: SimTime, pcpu: PcpuId) {
        self.lanes[pcpu.index()].segments.push((time.as_ns(), SWITCHING));
    }

    fn belief(&mut self, time: SimTime, pcpu: PcpuId, belief: Belief, holds: bool) {
        let lane = &mut self.lanes[pcpu.index()];
        let spans = match belief {
            Belief::Idler => &mut lane.idler,
            Belief::Tickled => &mut lane.tickled,
        };
        match spans.last_mut() {
            Some((_, end @ None)) => {
                assert!(!holds, "a belief that holds begins again");
                *end = Some(time.as_ns());
            }
            _ => {
                assert!(holds, "a belief that does not hold ends");
                spans.push((time.as_ns(), None));
            }
        }
    }
}
