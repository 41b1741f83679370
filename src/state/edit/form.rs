//! What the editor shows: the fields of a part, in order, each with all that is to be said of it.
//!
//! The page draws these; nothing else decides which fields there are.

use super::field::{ALL, At, Field, Form, Seen, Spec};
use super::work::Kind;
use super::{Editor, access, text};
use sim_core::scenario::Change;

/// A field as it is to be drawn.
#[derive(Clone)]
pub struct Shown {
    /// Where.
    pub at: At,
    /// Its entry.
    pub spec: &'static Spec,
    /// What stands in it.
    pub text: String,
    /// Whether the vCPUs differ.
    pub mixed: bool,
    /// What is wrong with it.
    pub problem: Option<String>,
    /// Unit, range and default in a line.
    pub hint: String,
}

/// Fields of the machine.
pub const MACHINE: &[Field] = &[
    Field::Sockets,
    Field::Cores,
    Field::Threads,
    Field::Nodes,
    Field::IpiLatency,
    Field::CtxSwitch,
    Field::BootStep,
];
/// Fields of the run and of the scheduler.
pub const PARAMETERS: &[Field] = &[
    Field::Name,
    Field::Note,
    Field::Duration,
    Field::Seed,
    Field::Tslice,
    Field::Ratelimit,
    Field::TickleOneIdle,
    Field::SmtPowerSavings,
    Field::MigrationDelay,
    Field::LbRatelimit,
];
/// Fields of a domain.
pub const DOMAIN: &[Field] = &[Field::Weight, Field::Cap, Field::Vcpus];
/// Fields of a vCPU before its workload.
pub const VCPU: &[Field] = &[Field::InitPcpu, Field::Start, Field::WakeOn];

impl Editor {
    /// A field as it is to be drawn; nothing if there is no such field here.
    #[must_use]
    pub fn show(&self, at: At, problems: &[super::check::Problem]) -> Option<Shown> {
        let scenario = &*self.draft.scenario;
        let text = self.draft.shown(at)?;
        let mixed = access::read(scenario, at) == Seen::Mixed;
        let problem = problems.iter().find(|problem| is_about(problem.at, at));
        let problem = problem.map(|problem| problem.sentence.clone());
        Some(Shown { at, spec: at.field.spec(), text, mixed, problem, hint: hint(self, at) })
    }

    /// The kind that the workload of the shown vCPU is shown as; none if the vCPUs differ.
    #[must_use]
    pub fn kind(&self) -> Option<Kind> {
        let at = At::vcpu(Field::Kind, self.domain, self.vcpu);
        let Seen::Value(super::field::Value::Number(kind)) = access::read(&self.draft.scenario, at)
        else {
            return None;
        };
        let kind = *Kind::ALL.get(usize::try_from(kind).ok()?)?;
        Some(if self.steps && kind != Kind::Random { Kind::Script } else { kind })
    }

    /// The fields of a workload shown as this kind, but for its kind and its stretches.
    #[must_use]
    pub fn work_fields(&self) -> Vec<At> {
        let fields = self.kind().filter(|kind| *kind != Kind::Script).map_or(&[][..], Kind::fields);
        fields.iter().map(|field| At::vcpu(*field, self.domain, self.vcpu)).collect()
    }

    /// The fields of a scripted change.
    #[must_use]
    pub fn change_fields(&self, change: u16) -> Vec<At> {
        let mut fields = vec![Field::ChangeTime, Field::ChangePcpu, Field::ChangeKind];
        match self.draft.scenario.ops.get(usize::from(change)).map(|op| &op.change) {
            Some(Change::Domain { .. }) => {
                fields.extend([Field::ChangeDomain, Field::ChangeWeight, Field::ChangeCap]);
            }
            Some(Change::Affinity { .. }) => fields.extend([Field::ChangeVcpu, Field::ChangeMask]),
            Some(Change::Params { .. }) => {
                fields.extend([Field::ChangeTslice, Field::ChangeRatelimit]);
            }
            None => fields.clear(),
        }
        fields.into_iter().map(|field| At::of(field, change)).collect()
    }
}

/// Whether a problem is to be said at a field: also that of one vCPU where all are shown.
fn is_about(problem: At, at: At) -> bool {
    let of_all = at.index[1] == ALL && problem.index[0] == at.index[0];
    problem == at || (of_all && problem.field == at.field && problem.index[2] == at.index[2])
}

/// Unit, range and default in a line.
fn hint(editor: &Editor, at: At) -> String {
    let spec = at.field.spec();
    let mut hint = match spec.form {
        Form::Length(_) => "with its unit, such as 30 ms; ".to_owned(),
        Form::Cpus => "such as 0-3,7; ".to_owned(),
        _ => String::new(),
    };
    hint.push_str(&text::range_words(&editor.draft.scenario, at));
    if !spec.default.is_empty() && spec.form != Form::Lines {
        if !hint.is_empty() {
            hint.push_str("; ");
        }
        hint.push_str("default ");
        hint.push_str(spec.default);
    }
    hint
}
