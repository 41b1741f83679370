//! Scripted changes of weight, cap, affinity and parameters.

use super::Machine;
use crate::decision::{LogLine, Reason, Sink, TraceRecord};
use crate::ids::{DomainId, VcpuId};
use crate::scenario::Change;

impl Machine {
    pub(super) fn change<S: Sink>(&mut self, index: u16, sink: &mut S) {
        let (now, pcpu) = (self.system.now, self.system.this_pcpu);
        let current = self.system.current[pcpu.index()];
        let why = self.origin(sink, Reason::Change, current, index);
        sink.log(now, pcpu, &LogLine::Change { index });
        let scenario = self.scenario.clone();
        match &scenario.ops[usize::from(index)].change {
            Change::Domain { domain, weight, cap } => {
                let state = &mut self.system.domains[usize::from(*domain)];
                if let Some(new) = *weight {
                    let old = core::mem::replace(&mut state.0, new);
                    self.policy.adjust_weight(DomainId(*domain), old, new);
                }
                state.1 = cap.unwrap_or(state.1);
                self.trace(sink, TraceRecord::AdjustDom { domain: DomainId(*domain) });
            }
            Change::Affinity { vcpu, soft, mask } => {
                self.set_affinity(VcpuId(*vcpu), *soft, mask, Some(why), sink);
            }
            Change::Params { tslice_ms, ratelimit_us } => {
                self.policy.adjust_params(*tslice_ms, *ratelimit_us);
            }
        }
    }
}
