//! What a field of a scenario is: where it stands, how it is written, what it may hold.
//!
//! The fields themselves stand in `table.rs`. Nothing here reads or changes a scenario.

use sim_core::cpumask::CpuMask;

/// A field of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)] // each is described by its entry in the table
pub enum Field {
    Name,
    Note,
    Duration,
    Seed,
    Sockets,
    Cores,
    Threads,
    Nodes,
    IpiLatency,
    CtxSwitch,
    BootStep,
    Tslice,
    Ratelimit,
    TickleOneIdle,
    SmtPowerSavings,
    MigrationDelay,
    LbRatelimit,
    Weight,
    Cap,
    Vcpus,
    InitPcpu,
    Start,
    WakeOn,
    Hard,
    Soft,
    Kind,
    Run,
    Sleep,
    Bursts,
    Gap,
    Pause,
    RunLeast,
    RunMost,
    SleepLeast,
    SleepMost,
    Yields,
    StepRun,
    StepSleep,
    Steps,
    ChangeTime,
    ChangePcpu,
    ChangeKind,
    ChangeDomain,
    ChangeWeight,
    ChangeCap,
    ChangeVcpu,
    ChangeMask,
    ChangeTslice,
    ChangeRatelimit,
    Json,
}

/// What a field belongs to, and so which numbers of an [`At`] count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The scenario as a whole.
    Scenario,
    /// A domain: `at.0[0]`.
    Domain,
    /// A vCPU of a domain, or all of them: `at.0[1]`.
    Vcpu,
    /// A stretch of a vCPU's script: `at.0[2]`.
    Step,
    /// A scripted change: `at.0[0]`.
    Change,
}

/// All vCPUs of a domain, in place of the number of one.
pub const ALL: u16 = u16::MAX;

/// A field at its place in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct At {
    /// Which field.
    pub field: Field,
    /// Domain or change, vCPU, stretch; 0 where the field's scope has none.
    pub index: [u16; 3],
}

impl At {
    /// A field of the scenario as a whole.
    #[must_use]
    pub const fn scenario(field: Field) -> Self {
        Self { field, index: [0; 3] }
    }

    /// A field of a domain or a change.
    #[must_use]
    pub const fn of(field: Field, index: u16) -> Self {
        Self { field, index: [index, 0, 0] }
    }

    /// A field of a vCPU of a domain, or of [`ALL`] of them.
    #[must_use]
    pub const fn vcpu(field: Field, domain: u16, vcpu: u16) -> Self {
        Self { field, index: [domain, vcpu, 0] }
    }

    /// A field of a stretch.
    #[must_use]
    pub const fn step(field: Field, domain: u16, vcpu: u16, step: u16) -> Self {
        Self { field, index: [domain, vcpu, step] }
    }
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, in the unit that the scenario keeps it in; also switches, choices and ids.
    Number(u64),
    /// No number: none, all, or as it is.
    Nothing,
    /// pCPUs.
    Cpus(CpuMask),
    /// A text.
    Text(String),
}

/// What is seen at a place.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    /// There is no such field here.
    Absent,
    /// The vCPUs differ.
    Mixed,
    /// This.
    Value(Value),
}

/// How a field is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A line of text.
    Line,
    /// Lines of text.
    Lines,
    /// A number with this unit behind it.
    Number(&'static str),
    /// A length of time, kept in units of so many ns.
    Length(u64),
    /// On or off.
    Switch,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A pCPU: `3` or `p3`.
    Pcpu,
    /// A domain: `d1`.
    Domain,
    /// A vCPU: `d1v0`.
    Vcpu,
    /// pCPUs: `0-3,7`.
    Cpus,
}

/// What a number may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Range {
    /// Anything.
    Free,
    /// From one to another.
    Between(u64, u64),
    /// 0, or from one to another.
    ZeroOr(u64, u64),
    /// From the value of another field to this.
    From(Field, u64),
    /// As many as the most pCPUs leave room for, beside the other numbers of the machine's shape.
    Shape,
    /// At most as many as there are cores.
    UpToCores,
    /// Up to 100 for each pCPU.
    UpToMachine,
    /// A pCPU of the machine.
    OfPcpus,
    /// A domain of the scenario.
    OfDomains,
    /// A vCPU of the scenario.
    OfVcpus,
    /// A text of at most so many characters.
    Characters(usize),
}

/// The entry of a field.
pub struct Spec {
    /// The field.
    pub field: Field,
    /// Its name in tests, in the documentation and on the page's elements.
    pub id: &'static str,
    /// What it belongs to.
    pub scope: Scope,
    /// What people read beside it.
    pub label: &'static str,
    /// How it is written.
    pub form: Form,
    /// What it may be.
    pub range: Range,
    /// What stands for 0 (`off`), or for no value at all (`all`); empty if nothing does.
    pub word: &'static str,
    /// What it is unless one says otherwise, written as in the form.
    pub default: &'static str,
    /// What it means, in one or two sentences.
    pub meaning: &'static str,
    /// Where a scenario file holds it, as a pointer into the file's schema; empty where the file
    /// has it in another form.
    pub schema: &'static str,
}
