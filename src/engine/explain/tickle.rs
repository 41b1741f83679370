//! Why these pCPUs were told about a woken vCPU.

use super::sides::{SideOutcome, sides};
use super::words::{Words, bits};
use super::{Answer, Context, fact};
use crate::protocol::{MaskRole, MaskRow};
use sim_core::cpumask::CpuMask;
use sim_core::decision::{Priority, Reason, TickleInputs, TickleOutcome};
use sim_core::ids::VcpuId;
use sim_core::machine::Snapshot;
use sim_core::patches::{Patch, PatchSet};
use sim_core::policy::credit1::{tickle_counters, tickle_side};

/// Patches on whose two sides the same state can be tickled differently, the telling one first.
const PATCHES: &[Patch] = &[
    Patch::TicklePreferIdlers,
    Patch::TickledIsBusy,
    Patch::KickOnlyIfUseful,
    Patch::TickleUnfilteredMask,
    Patch::TwoStepBalance,
    Patch::SoftAffinity,
    Patch::SoftSubsetChecks,
    Patch::ExclPinning,
];

pub(super) fn explain(
    cx: &Context<'_>,
    woken: VcpuId,
    inputs: &TickleInputs<'_>,
    outcome: &TickleOutcome,
    snapshot: &Snapshot,
) -> Answer {
    let current = snapshot.pcpus[inputs.cpu.index()].current.map(|entry| entry.vcpu);
    let story = Story { cx, woken, current, inputs };
    let opening = story.opening();
    Answer {
        sentence: story.told_twice_over(story.verdict(opening, outcome), outcome).done(),
        facts: story.facts(),
        masks: story.masks(outcome),
        counters: tickle_counters(outcome).map(super::counter_name).collect(),
        sides: sides(cx, PATCHES, |_, there| story.side(there, outcome)),
        source: source(cx.patches),
        ..Answer::titled(table_title(cx.patches))
    }
}

/// The name of the rule table that these patches go by.
fn table_title(patches: PatchSet) -> &'static str {
    if patches.has(Patch::TicklePreferIdlers) {
        "with “prefer idlers”"
    } else {
        "before the patch"
    }
}

fn source(patches: PatchSet) -> String {
    let commit = if patches.has(Patch::TicklePreferIdlers) { "ebce2d836c" } else { "750ec2271d" };
    format!("xen/common/sched_credit.c:__runq_tickle @ {commit}")
}

struct Story<'a> {
    cx: &'a Context<'a>,
    woken: VcpuId,
    current: Option<VcpuId>,
    inputs: &'a TickleInputs<'a>,
}

impl Story<'_> {
    fn words(&self) -> Words {
        self.cx.words()
    }

    fn idlers(&self) -> CpuMask {
        let inputs = self.inputs;
        if self.cx.patches.has(Patch::TicklePoolFilter) {
            inputs.idlers.and(&inputs.pool)
        } else {
            inputs.idlers.as_ref().clone()
        }
    }

    /// Who woke where, and who runs there.
    fn opening(&self) -> Words {
        let inputs = self.inputs;
        let mut words = self.words().vcpu(self.woken).text(" woke on ").pcpu(inputs.cpu);
        words = words.text(" with ").strong(inputs.new_pri.name());
        if inputs.this_cpu != inputs.cpu {
            words = words.text(" (").pcpu(inputs.this_cpu).text(" handles it)");
        }
        words = words.text(". ").pcpu(inputs.cpu);
        match self.current {
            Some(current) => words
                .text(" is running ")
                .vcpu(current)
                .text(format!(" ({})", inputs.cur_pri.name())),
            None => words.text(" is idle"),
        }
    }

    fn preempts(&self, words: Words) -> Words {
        words.text(", which is lower, so ").pcpu(self.inputs.cpu).text(" is interrupted.")
    }

    fn goes_on(&self, words: Words) -> Words {
        words.text(", which is not lower, so it goes on.")
    }

    /// What comes out, and what to make of it.
    fn verdict(&self, words: Words, outcome: &TickleOutcome) -> Words {
        let inputs = self.inputs;
        let idlers = self.idlers();
        let told_others = {
            let mut others = outcome.tickled.clone();
            others.remove(inputs.cpu);
            others
        };
        match outcome.reason {
            Reason::TickleA0 => {
                let words =
                    words.text(". ").vcpu(self.woken).text(" is pinned to ").pcpu(inputs.cpu);
                words.text(", which is believed idle: it is told, and nobody else is looked at.")
            }
            Reason::TickleB1 | Reason::TickleA1 => {
                words.text(": it is told to run it, and nobody else is needed.")
            }
            Reason::TickleB2 | Reason::TickleA2 => {
                self.preempts(words).text(" No pCPU is idle, so nobody else is told.")
            }
            Reason::TickleB5 | Reason::TickleA3 => self
                .goes_on(words)
                .text(" No pCPU is idle: nobody is told, and ")
                .vcpu(self.woken)
                .text(" waits in the queue."),
            Reason::TickleB3 => {
                let words = self.not_allowed(self.preempts(words), &idlers);
                self.left_waiting(words.text(", so nobody else is told."), &idlers)
            }
            Reason::TickleB4 => self.told_twice(self.preempts(words), &told_others),
            Reason::TickleB6 | Reason::TickleA5 => {
                let words = self.not_allowed(self.goes_on(words), &idlers);
                words.text(": nobody is told, and ").vcpu(self.woken).text(" waits in the queue.")
            }
            Reason::TickleB7 => {
                let words = self.goes_on(words).text(" ").pcpus(&outcome.tickled, "nobody");
                words
                    .text(" is idle and allowed: told to come and take ")
                    .vcpu(self.woken)
                    .text(".")
            }
            Reason::TickleA4 => self.kicked(self.not_allowed(self.preempts(words), &idlers)),
            Reason::TickleA4Futile => {
                let words = self.not_allowed(self.preempts(words), &idlers).text(". ");
                self.current(words).text(" may not run there either, so it is not pushed out.")
            }
            Reason::TickleA6 => self.spared(words, outcome, "allowed"),
            _ => self.spared(words, outcome, "preferred"),
        }
    }

    fn current(&self, words: Words) -> Words {
        match self.current {
            Some(current) => words.vcpu(current),
            None => words.text("what runs there"),
        }
    }

    fn not_allowed(&self, words: Words, idlers: &CpuMask) -> Words {
        let verb = if idlers.len() == 1 { " is idle, but " } else { " are idle, but " };
        let words = words.text(" ").pcpus(idlers, "Nobody").text(verb).vcpu(self.woken);
        words.text(" may not run there")
    }

    /// Before the patch nobody looks where the preempted vCPU could go.
    fn left_waiting(&self, words: Words, idlers: &CpuMask) -> Words {
        let room = self.inputs.cur_hard.and(idlers);
        let Some(current) = self.current.filter(|_| !room.is_empty()) else { return words };
        let name = self.cx.vcpu_name(current);
        let verb = if room.len() == 1 { "is" } else { "are" };
        words.text(" ").lit(format!(
            "{name} now waits on p{}, although {} {verb} idle and could run it.",
            self.inputs.cpu.0,
            super::pcpu_names(&room),
        ))
    }

    fn told_twice(&self, words: Words, others: &CpuMask) -> Words {
        if others.is_empty() {
            return words.text(" It is also the idle pCPU that was chosen.");
        }
        let verb = if others.len() == 1 {
            " is idle and allowed, so it is told too. "
        } else {
            " are idle and allowed, so they are told too. "
        };
        let words = words.text(" ").pcpus(others, "nobody").text(verb);
        let told = others.len() + 1;
        let count = match told {
            2 => "Two pCPUs are".to_owned(),
            told => format!("{told} pCPUs are"),
        };
        let names = super::pcpu_names(others);
        let inputs = self.inputs;
        let Some(current) = self.current.filter(|_| inputs.this_cpu == inputs.cpu) else {
            return words.lit(format!("{count} told about one vCPU: the first to come takes it."));
        };
        let ipi = sim_core::units::SimDuration::from_ns(self.cx.scenario.params.ipi_latency_ns);
        let comes = if others.len() == 1 { "comes" } else { "come" };
        let (here, name) = (inputs.cpu.0, self.cx.vcpu_name(current));
        let end = if inputs.cur_hard.intersects(others) {
            format!("{comes} {ipi} later for {name}, which was pushed aside.")
        } else {
            format!("{comes} {ipi} later in vain, for {name} may not run there.")
        };
        words.lit(format!(
            "{count} told about one vCPU: p{here} takes it at once, and {names} {end}"
        ))
    }

    fn kicked(&self, words: Words) -> Words {
        let words = words.text(". ");
        match self.current {
            Some(current) => words.lit(format!(
                "{} is pushed out to find another pCPU instead of waiting behind it.",
                self.cx.vcpu_name(current)
            )),
            None => words,
        }
    }

    fn spared(&self, words: Words, outcome: &TickleOutcome, why: &str) -> Words {
        let verb = if outcome.tickled.len() == 1 { " is idle and " } else { " are idle and " };
        let end =
            if outcome.tickled.len() == 1 { ", so it is told. " } else { ", so they are told. " };
        let words =
            words.text(". ").pcpus(&outcome.tickled, "Nobody").text(verb).text(why).text(end);
        match self.current {
            Some(current) => {
                let name = self.cx.vcpu_name(current);
                words.lit(format!("{name} keeps running on p{}.", self.inputs.cpu.0))
            }
            None => words,
        }
    }

    fn facts(&self) -> Vec<crate::protocol::FactRow> {
        let inputs = self.inputs;
        let words = || self.words();
        let running = match self.current {
            Some(current) => words().vcpu(current),
            None => words().text("idle"),
        };
        let told = if inputs.tickle_one_idle { "one idler, in turn" } else { "all idlers" };
        vec![
            fact("woken", words().vcpu(self.woken)),
            fact("its priority", words().strong(inputs.new_pri.name())),
            fact("its pCPU", words().pcpu(inputs.cpu)),
            fact("decided on", words().pcpu(inputs.this_cpu)),
            fact("running there", running),
            fact("priority there", words().strong(inputs.cur_pri.name())),
            fact("tickle_one_idle", words().text(told)),
            fact("last told from here", words().pcpu(inputs.cursor)),
            fact("an interrupt takes", words().ns(self.cx.scenario.params.ipi_latency_ns)),
        ]
    }

    /// The masks as they combine: idlers ∩ affinity, one of them, and the pCPU preempted.
    fn masks(&self, outcome: &TickleOutcome) -> Vec<MaskRow> {
        let inputs = self.inputs;
        let pcpus = self.cx.pcpus();
        let row = |label: Words, mask: &CpuMask, role| MaskRow {
            label: label.done(),
            bits: bits(mask, pcpus),
            role,
        };
        let idlers = self.idlers();
        let mut rows = vec![row(self.words().text("idlers"), &idlers, MaskRole::Input)];
        let result = row(self.words().text("tickled"), &outcome.tickled, MaskRole::Result);
        if inputs.cur_pri == Priority::IDLE || outcome.reason == Reason::TickleA0 {
            rows.push(row(
                self.words().pcpu(inputs.cpu),
                &inputs.idlers.only(inputs.cpu),
                MaskRole::Or,
            ));
            rows.push(result);
            return rows;
        }
        let may = self.words().vcpu(self.woken).text(" may run on");
        rows.push(row(may, &inputs.new_hard, MaskRole::Input));
        let mut suitable = idlers.and(&inputs.new_hard);
        rows.push(row(self.words().text("both"), &suitable, MaskRole::And));
        if outcome.reason == Reason::TickleA6Soft {
            let prefers = self.words().vcpu(self.woken).text(" prefers");
            rows.push(row(prefers, &inputs.new_soft, MaskRole::Input));
            suitable.keep(&inputs.new_soft);
            rows.push(row(self.words().text("all three"), &suitable, MaskRole::And));
        }
        if inputs.tickle_one_idle && suitable.len() > 1 {
            let mut chosen = outcome.tickled.clone();
            if outcome.reason == Reason::TickleB4 && !suitable.contains(inputs.cpu) {
                chosen.remove(inputs.cpu);
            }
            let label = self.words().text("next after ").pcpu(inputs.cursor);
            rows.push(row(label, &chosen, MaskRole::Input));
        }
        if outcome.tickled.contains(inputs.cpu) {
            let here = inputs.idlers.only(inputs.cpu);
            let label = self.words().text("+ preempt ").pcpu(inputs.cpu);
            rows.push(row(label, &here, MaskRole::Or));
        }
        if matches!(outcome.reason, Reason::TickleA4 | Reason::TickleA4Futile) {
            let label = self.current(self.words()).text(" may run on");
            rows.push(row(label, &inputs.cur_hard, MaskRole::Input));
        }
        rows.push(result);
        rows
    }

    /// Whoever is told by this wake-up has been told by another one, or is passed over for that.
    fn told_twice_over(&self, words: Words, outcome: &TickleOutcome) -> Words {
        let told = &self.inputs.told;
        if self.cx.patches.has(Patch::TickledIsBusy) {
            let others = outcome.tickled.intersects(&self.inputs.idlers) && !told.is_empty();
            if !others {
                return words;
            }
            let verb = if told.len() == 1 { " has" } else { " have" };
            let words = words.text(" ").pcpus(told, "").text(verb);
            return words.text(" been told by another wake-up and no longer counts as idle.");
        }
        let again = outcome.tickled.and(told);
        let Some(pcpu) = again.first() else { return words };
        let mut asleep = self.idlers();
        asleep.keep(&self.inputs.new_hard);
        asleep.remove_all(told);
        let start = format!("p{} has been told by another wake-up already", pcpu.0);
        let words = words.text(" ");
        if asleep.is_empty() {
            return words.lit(format!("{start} and takes only one of them."));
        }
        let verb = if asleep.len() == 1 { "sleeps" } else { "sleep" };
        let names = super::pcpu_names(&asleep);
        words.lit(format!("{start} and takes only one of them, while {names} {verb} on."))
    }

    /// Who counts as idle there and not here, or the other way round.
    fn told_already(&self, there: PatchSet, words: Words) -> Words {
        let told = &self.inputs.told;
        let busy = |patches: PatchSet| patches.has(Patch::TickledIsBusy);
        if busy(there) == busy(self.cx.patches) || told.is_empty() {
            return words;
        }
        let (one, some) = if busy(there) {
            (
                " has been told already and counts as busy: ",
                " have been told already and count as busy: ",
            )
        } else {
            (
                " has been told already but still counts as idle: ",
                " have been told already but still count as idle: ",
            )
        };
        words.pcpus(told, "").text(if told.len() == 1 { one } else { some })
    }

    /// The same state under other patches.
    fn side(&self, patches: PatchSet, here: &TickleOutcome) -> SideOutcome {
        let other = tickle_side(self.inputs, self.cx.patches, patches);
        let mut words = self.told_already(patches, self.words());
        words = match (other.tickled.is_empty(), other.tickled.len()) {
            (true, _) => words.text("nobody is told"),
            (_, 1) => words.text("only ").pcpus(&other.tickled, "").text(" is told"),
            _ => words.pcpus(&other.tickled, "").text(" are told"),
        };
        let preempted = other.tickled.contains(self.inputs.cpu);
        if let Some(current) = self.current {
            words = match (preempted, other.kick) {
                (_, true) => {
                    words.text(", and ").vcpu(current).text(" is pushed out to another pCPU")
                }
                (true, _) => words.text(", and ").vcpu(current).text(" waits behind it"),
                _ => words.text(", and ").vcpu(current).text(" keeps running"),
            };
        }
        SideOutcome {
            differs: other.tickled != here.tickled || other.kick != here.kick,
            code: other.reason.info().code.to_owned(),
            sentence: words.text(".").done(),
            bits: bits(&other.tickled, self.cx.pcpus()),
        }
    }
}
