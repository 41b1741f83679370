//! The table of all fields: labels, units, ranges, defaults, meanings.
//!
//! Form, help, checks, schema and `docs/scenario.md` are made from it or tested against it.

use super::field::{Field, Form, Range, Scope, Spec};
use sim_core::scenario::limits;

const MS: Form = Form::Length(1_000_000);
const US: Form = Form::Length(1_000);
const NS: Form = Form::Length(1);
const COUNT: Form = Form::Number("");
const PERCENT: Form = Form::Number("%");
const TIME: u64 = limits::TIME_NS;
const U32: u64 = u32::MAX as u64;
const VCPUS: u64 = limits::VCPUS as u64;
const STRETCHES: u64 = limits::STRETCHES as u64;

/// What a vCPU may do, in the order of [`super::work::Kind`].
pub const KINDS: &[&str] = &["hog", "periodic", "random", "bursty", "yielder", "script"];
/// What a scripted change may be about.
pub const CHANGES: &[&str] = &["weight, cap", "hard affinity", "soft affinity", "parameters"];

/// A field of the scenario as a whole, to be completed.
const fn of(field: Field, id: &'static str, label: &'static str, form: Form) -> Spec {
    let (range, scope) = (Range::Free, Scope::Scenario);
    Spec { field, id, scope, label, form, range, word: "", default: "", meaning: "", schema: "" }
}

const fn domain(field: Field, id: &'static str, label: &'static str, form: Form) -> Spec {
    Spec { scope: Scope::Domain, ..of(field, id, label, form) }
}

const fn vcpu(field: Field, id: &'static str, label: &'static str, form: Form) -> Spec {
    Spec { scope: Scope::Vcpu, ..of(field, id, label, form) }
}

const fn step(field: Field, id: &'static str, label: &'static str, form: Form) -> Spec {
    Spec { scope: Scope::Step, ..of(field, id, label, form) }
}

const fn change(field: Field, id: &'static str, label: &'static str, form: Form) -> Spec {
    Spec { scope: Scope::Change, ..of(field, id, label, form) }
}

/// All fields, in the order of [`Field`].
pub static FIELDS: &[Spec] = &[
    Spec {
        range: Range::Characters(200),
        meaning: "Short name, for people.",
        schema: "/properties/name",
        ..of(Field::Name, "name", "Name", Form::Line)
    },
    Spec {
        range: Range::Characters(2_000),
        meaning: "What there is to see, for people; it stands beside the run.",
        schema: "/properties/note",
        ..of(Field::Note, "note", "Note", Form::Lines)
    },
    Spec {
        range: Range::Between(1, limits::DURATION_NS),
        default: "300 ms",
        meaning: "Simulated time at which the run ends.",
        schema: "/properties/duration_ns",
        ..of(Field::Duration, "duration", "Length", NS)
    },
    Spec {
        default: "0",
        meaning: "Where the random guests start to draw: another seed, another run; the same seed, \
                  the same run.",
        schema: "/properties/seed",
        ..of(Field::Seed, "seed", "Seed", COUNT)
    },
    Spec {
        range: Range::Shape,
        default: "1",
        meaning: "Sockets of the machine.",
        ..of(Field::Sockets, "sockets", "Sockets", COUNT)
    },
    Spec {
        range: Range::Shape,
        default: "4",
        meaning: "Cores of each socket.",
        ..of(Field::Cores, "cores", "Cores a socket", COUNT)
    },
    Spec {
        range: Range::Shape,
        default: "1",
        meaning: "Hardware threads of each core; each is a pCPU. pCPUs are numbered socket by \
                  socket, core by core, thread by thread.",
        ..of(Field::Threads, "threads", "Threads a core", COUNT)
    },
    Spec {
        range: Range::UpToCores,
        default: "1",
        meaning: "NUMA nodes, over which the cores are spread evenly and in order.",
        ..of(Field::Nodes, "nodes", "NUMA nodes", COUNT)
    },
    Spec {
        range: Range::Between(0, limits::LATENCY_NS),
        default: "1 µs",
        meaning: "From raising a softirq on another pCPU until its interrupt arrives there.",
        schema: "/properties/params/properties/ipi_latency_ns",
        ..of(Field::IpiLatency, "ipi-latency", "IPI latency", NS)
    },
    Spec {
        range: Range::Between(0, limits::LATENCY_NS),
        default: "0 ms",
        meaning: "How long a context switch takes; events for the pCPU wait for its end.",
        schema: "/properties/params/properties/ctx_switch_ns",
        ..of(Field::CtxSwitch, "ctx-switch", "Context switch", NS)
    },
    Spec {
        range: Range::Between(0, limits::LATENCY_NS),
        default: "0 ms",
        meaning: "Time between the boots of neighbouring pCPUs, which their ticks follow. All must \
                  be up before the first tick.",
        schema: "/properties/params/properties/cpu_up_step_ns",
        ..of(Field::BootStep, "boot-step", "Boot step", NS)
    },
    Spec {
        range: Range::Between(1, limits::TSLICE_MS as u64),
        default: "30 ms",
        meaning: "How long a vCPU runs before the scheduler looks for another (sched_credit_tslice_ms); \
                  the tick is a third of it, the accounting as long.",
        schema: "/properties/params/properties/tslice_ms",
        ..of(Field::Tslice, "tslice", "Time slice", MS)
    },
    Spec {
        range: Range::ZeroOr(limits::RATELIMIT_US.0 as u64, limits::RATELIMIT_US.1 as u64),
        word: "off",
        default: "1 ms",
        meaning: "Shortest time that a vCPU runs before it is preempted (sched_ratelimit_us).",
        schema: "/properties/params/properties/ratelimit_us",
        ..of(Field::Ratelimit, "ratelimit", "Rate limit", US)
    },
    Spec {
        default: "on",
        meaning: "A wake-up tickles one suitable idle pCPU (on) or all of them (off): \
                  tickle_one_idle_cpu.",
        schema: "/properties/params/properties/tickle_one_idle",
        ..of(Field::TickleOneIdle, "tickle-one-idle", "Tickle one idler", Form::Switch)
    },
    Spec {
        default: "off",
        meaning: "Fill all threads of a core before the next core gets work \
                  (sched_smt_power_savings).",
        schema: "/properties/params/properties/smt_power_savings",
        ..of(Field::SmtPowerSavings, "smt-power-savings", "Fill cores first", Form::Switch)
    },
    Spec {
        range: Range::Between(0, U32),
        word: "off",
        default: "off",
        meaning: "A vCPU that ran less than this ago is cache-hot and not stolen \
                  (vcpu_migration_delay).",
        schema: "/properties/params/properties/migration_delay_us",
        ..of(Field::MigrationDelay, "migration-delay", "Migration delay", US)
    },
    Spec {
        range: Range::Between(0, limits::LB_RATELIMIT_US as u64),
        word: "off",
        default: "1 ms",
        meaning: "Shortest time between two searches of a pCPU for work to steal. It counts only \
                  with the patch lb_ratelimit.",
        schema: "/properties/params/properties/lb_ratelimit_us",
        ..of(Field::LbRatelimit, "lb-ratelimit", "Balance rate limit", US)
    },
    Spec {
        range: Range::Between(1, limits::WEIGHT as u64),
        default: "256",
        meaning: "Share of CPU time relative to the other domains.",
        schema: "/$defs/domain/properties/weight",
        ..domain(Field::Weight, "weight", "Weight", COUNT)
    },
    Spec {
        range: Range::UpToMachine,
        word: "none",
        default: "none",
        meaning: "Most CPU time that the domain may get, in percent of one pCPU.",
        schema: "/$defs/domain/properties/cap",
        ..domain(Field::Cap, "cap", "Cap", PERCENT)
    },
    Spec {
        range: Range::Between(0, VCPUS),
        default: "1",
        meaning: "How many vCPUs the domain has. A new one does what the last one does.",
        ..domain(Field::Vcpus, "vcpus", "vCPUs", COUNT)
    },
    Spec {
        range: Range::OfPcpus,
        default: "p0",
        meaning: "The pCPU that the vCPU is created on.",
        schema: "/$defs/vcpu/properties/init_cpu",
        ..vcpu(Field::InitPcpu, "init-pcpu", "Created on", Form::Pcpu)
    },
    Spec {
        range: Range::Between(0, TIME),
        default: "0 ms",
        meaning: "When it is woken for the first time.",
        schema: "/$defs/vcpu/properties/start_ns",
        ..vcpu(Field::Start, "start", "First wake-up", NS)
    },
    Spec {
        range: Range::OfPcpus,
        word: "last pCPU",
        default: "last pCPU",
        meaning: "The pCPU on which its wake-ups are handled, as if an interrupt were routed there, or the \
                  last one that it ran on.",
        ..vcpu(Field::WakeOn, "wake-on", "Wake-ups on", Form::Pcpu)
    },
    Spec {
        range: Range::OfPcpus,
        word: "all",
        default: "all",
        meaning: "Hard affinity: the pCPUs that it may use.",
        schema: "/$defs/vcpu/properties/hard",
        ..vcpu(Field::Hard, "hard", "May use", Form::Cpus)
    },
    Spec {
        range: Range::OfPcpus,
        word: "all",
        default: "all",
        meaning: "Soft affinity: the pCPUs that it prefers.",
        schema: "/$defs/vcpu/properties/soft",
        ..vcpu(Field::Soft, "soft", "Prefers", Form::Cpus)
    },
    Spec {
        default: "hog",
        meaning: "What the guest does: hog (never stops), periodic (runs, sleeps), random (both drawn), \
                  bursty (some short runs, then a pause), yielder (runs, yields), script (any steps).",
        ..vcpu(Field::Kind, "kind", "Workload", Form::Choice(KINDS))
    },
    Spec {
        range: Range::Between(1, TIME),
        default: "1 ms",
        meaning: "Execution time of each run. Time that the vCPU waits for a pCPU does not count.",
        ..vcpu(Field::Run, "run", "Runs", NS)
    },
    Spec {
        range: Range::Between(1, TIME),
        default: "4 ms",
        meaning: "Sleep after each run; it begins when the run is done, so waiting makes the period \
                  longer.",
        ..vcpu(Field::Sleep, "sleep", "Sleeps", NS)
    },
    Spec {
        range: Range::Between(2, STRETCHES),
        default: "5",
        meaning: "Runs of a burst.",
        ..vcpu(Field::Bursts, "bursts", "Runs a burst", COUNT)
    },
    Spec {
        range: Range::Between(1, TIME),
        default: "300 µs",
        meaning: "Sleep between two runs of a burst.",
        ..vcpu(Field::Gap, "gap", "Between them", NS)
    },
    Spec {
        range: Range::Between(1, TIME),
        default: "20 ms",
        meaning: "Sleep after the last run of a burst.",
        ..vcpu(Field::Pause, "pause", "Then sleeps", NS)
    },
    Spec {
        range: Range::Between(1, TIME),
        default: "200 µs",
        meaning: "Shortest run; all lengths up to the longest are equally likely.",
        schema: "/$defs/vcpu/properties/rand/properties/run/prefixItems/0",
        ..vcpu(Field::RunLeast, "run-least", "Runs at least", NS)
    },
    Spec {
        range: Range::From(Field::RunLeast, TIME),
        default: "5 ms",
        meaning: "Longest run.",
        ..vcpu(Field::RunMost, "run-most", "Runs at most", NS)
    },
    Spec {
        range: Range::Between(1, TIME),
        default: "100 µs",
        meaning: "Shortest sleep; all lengths up to the longest are equally likely.",
        schema: "/$defs/vcpu/properties/rand/properties/block/prefixItems/0",
        ..vcpu(Field::SleepLeast, "sleep-least", "Sleeps at least", NS)
    },
    Spec {
        range: Range::From(Field::SleepLeast, TIME),
        default: "3 ms",
        meaning: "Longest sleep.",
        ..vcpu(Field::SleepMost, "sleep-most", "Sleeps at most", NS)
    },
    Spec {
        range: Range::Between(0, 1_000),
        default: "0 ‰",
        meaning: "How many of 1,000 runs end with a yield in place of a sleep.",
        schema: "/$defs/vcpu/properties/rand/properties/yield_permille",
        ..vcpu(Field::Yields, "yields", "Yields", Form::Number("‰"))
    },
    Spec {
        range: Range::Between(1, TIME),
        default: "1 ms",
        meaning: "Execution time of this step.",
        schema: "/$defs/stretch/prefixItems/0",
        ..step(Field::StepRun, "step-run", "Computes", NS)
    },
    Spec {
        range: Range::Between(0, TIME),
        word: "yields",
        default: "4 ms",
        meaning: "Sleep after it, or “yields”: back into the queue at once.",
        schema: "/$defs/stretch/prefixItems/1",
        ..step(Field::StepSleep, "step-sleep", "Then sleeps", NS)
    },
    Spec {
        default: "compute 5 ms\nsleep 5 ms\ncompute 1 ms\nyield",
        meaning: "The steps in turn, for ever: “compute 5 ms”, then “sleep 3 ms” or “yield”, one a \
                  line or with commas between.",
        ..vcpu(Field::Steps, "steps", "Steps as text", Form::Lines)
    },
    Spec {
        range: Range::Between(0, TIME),
        default: "0 ms",
        meaning: "When the change is made.",
        schema: "/$defs/change/properties/t",
        ..change(Field::ChangeTime, "change-time", "At", NS)
    },
    Spec {
        range: Range::OfPcpus,
        default: "p0",
        meaning: "The pCPU that makes the change.",
        schema: "/$defs/change/properties/cpu",
        ..change(Field::ChangePcpu, "change-pcpu", "Made on", Form::Pcpu)
    },
    Spec {
        default: "weight, cap",
        meaning: "What is changed.",
        ..change(Field::ChangeKind, "change-kind", "Changes", Form::Choice(CHANGES))
    },
    Spec {
        range: Range::OfDomains,
        default: "d1",
        meaning: "The domain that gets another weight or cap.",
        ..change(Field::ChangeDomain, "change-domain", "Domain", Form::Domain)
    },
    Spec {
        range: Range::Between(1, limits::WEIGHT as u64),
        word: "keep",
        default: "keep",
        meaning: "The domain's new weight.",
        ..change(Field::ChangeWeight, "change-weight", "New weight", COUNT)
    },
    Spec {
        range: Range::UpToMachine,
        word: "keep",
        default: "keep",
        meaning: "The domain's new cap in percent of one pCPU; 0 % is none.",
        ..change(Field::ChangeCap, "change-cap", "New cap", PERCENT)
    },
    Spec {
        range: Range::OfVcpus,
        default: "d1v0",
        meaning: "The vCPU that gets another affinity.",
        ..change(Field::ChangeVcpu, "change-vcpu", "vCPU", Form::Vcpu)
    },
    Spec {
        range: Range::OfPcpus,
        default: "0",
        meaning: "The vCPU's new affinity.",
        ..change(Field::ChangeMask, "change-mask", "New affinity", Form::Cpus)
    },
    Spec {
        range: Range::Between(0, U32),
        default: "30 ms",
        meaning: "The new time slice; the scheduler refuses one that is not 1 ms to 1 s.",
        ..change(Field::ChangeTslice, "change-tslice", "New time slice", MS)
    },
    Spec {
        range: Range::Between(0, U32),
        word: "off",
        default: "1 ms",
        meaning: "The new rate limit; the scheduler refuses one that is neither off nor 100 µs to \
                  500 ms, or that is longer than the slice.",
        ..change(Field::ChangeRatelimit, "change-ratelimit", "New rate limit", US)
    },
    Spec {
        meaning: "The whole scenario in the form of a scenario file. What stands here is taken as \
                  soon as it can be run.",
        ..of(Field::Json, "json", "Scenario file", Form::Lines)
    },
];

impl Field {
    /// Its entry.
    #[must_use]
    pub fn spec(self) -> &'static Spec {
        &FIELDS[self as usize]
    }
}
