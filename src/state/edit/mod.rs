//! The scenario editor: a draft, what is done with it, what can be undone.
//!
//! Pure: knows the scenario and its fields, not runs, links or the page's other state.

pub mod access;
pub mod check;
pub mod draft;
pub mod field;
pub mod form;
pub mod lists;
pub mod machine;
pub mod table;
pub mod text;
pub mod work;

use check::Problem;
use draft::Draft;
use field::{ALL, At, Field, Scope};
use lists::{List, ListOp};
use sim_core::patches::PatchSet;
use sim_core::presets::PRESETS;
use sim_core::scenario::Scenario;
use std::rc::Rc;

/// So many edits can be undone.
const PAST: usize = 200;
/// And at most as many as have this many vCPUs together, so that large scenarios stay small.
const PAST_VCPUS: usize = 200_000;

/// A part of the editor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// Domains, their vCPUs, what they do.
    #[default]
    Guests,
    /// The machine.
    Machine,
    /// Scheduler parameters, length, seed.
    Parameters,
    /// Scripted changes.
    Changes,
    /// The scenario as a file.
    File,
}

impl Tab {
    /// All, in order, with their names.
    pub const ALL: [(Self, &'static str); 5] = [
        (Self::Guests, "Guests"),
        (Self::Machine, "Machine"),
        (Self::Parameters, "Parameters"),
        (Self::Changes, "Changes"),
        (Self::File, "File"),
    ];

    /// Where a field stands.
    #[must_use]
    pub fn of(field: Field) -> Self {
        match (field.spec().scope, field) {
            (Scope::Domain | Scope::Vcpu | Scope::Step, _) => Self::Guests,
            (Scope::Change, _) => Self::Changes,
            (_, Field::Json) => Self::File,
            (_, Field::Sockets | Field::Cores | Field::Threads | Field::Nodes)
            | (_, Field::IpiLatency | Field::CtxSwitch | Field::BootStep) => Self::Machine,
            _ => Self::Parameters,
        }
    }
}

/// What a person does in the editor.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Open or close it.
    Open(bool),
    /// Show a part.
    Tab(Tab),
    /// Show a domain.
    Domain(u16),
    /// Show a vCPU of it, or all.
    Vcpu(u16),
    /// Show the stretches of a workload in place of its kind's fields.
    Steps(bool),
    /// Show a field.
    GoTo(At),
    /// Type into a field, switch it, choose.
    Type(At, String),
    /// Leave a field.
    Done(At),
    /// Put a pCPU into a set, or take it out.
    Toggle(At, u16),
    /// Do something with an entry of a list.
    List(List, ListOp, u16),
    /// Move whoever names a missing pCPU onto the machine.
    Fit,
    /// Take the last edit back.
    Undo,
    /// Do it again.
    Redo,
    /// Run what has been edited.
    Run,
    /// Save the scenario as a file.
    Save,
    /// Copy the scenario as JSON.
    Copy,
}

/// What follows from an edit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// Nothing has to run anew.
    Nothing,
    /// What runs is no longer what stands here.
    Changed,
    /// The same, and these patches come back with it.
    Patches(PatchSet),
}

/// A state to go back to, or forward to.
#[derive(Clone, Debug)]
struct Step {
    draft: Draft,
    /// The patches of that time, if another scenario was opened in between.
    patches: Option<PatchSet>,
}

/// The editor.
#[derive(Clone, Debug)]
pub struct Editor {
    /// Whether it shows.
    pub open: bool,
    /// What is edited.
    pub draft: Draft,
    /// The part that shows.
    pub tab: Tab,
    /// The domain that shows. *Invariant*: one that is there, or 0.
    pub domain: u16,
    /// The vCPU that shows, or [`ALL`].
    pub vcpu: u16,
    /// Whether the workload shows as stretches.
    pub steps: bool,
    /// The field to go to, and how often one went: the page moves there when this changes.
    pub wanted: Option<(At, u32)>,
    past: Vec<Step>,
    future: Vec<Step>,
    /// The field typed into last: what is typed there on is the same edit.
    typing: Option<At>,
}

impl Default for Editor {
    fn default() -> Self {
        let preset = &PRESETS[0];
        Self {
            open: false,
            draft: Draft::new(Rc::new((preset.build)()), Some(preset.number)),
            tab: Tab::default(),
            domain: 0,
            vcpu: ALL,
            steps: false,
            wanted: None,
            past: Vec::new(),
            future: Vec::new(),
            typing: None,
        }
    }
}

impl Editor {
    /// Whether there is something to take back.
    #[must_use]
    pub fn can_undo(&self) -> bool {
        !self.past.is_empty()
    }

    /// Whether there is something to do again.
    #[must_use]
    pub fn can_redo(&self) -> bool {
        !self.future.is_empty()
    }

    /// Everything that keeps the draft from being run.
    #[must_use]
    pub fn problems(&self) -> Vec<Problem> {
        check::problems(&self.draft)
    }

    /// Another scenario was opened, with these patches before it; none if it is the first.
    pub fn opened(&mut self, scenario: Rc<Scenario>, preset: Option<u8>, before: Option<PatchSet>) {
        let old = std::mem::replace(&mut self.draft, Draft::new(scenario, preset));
        self.typing = None;
        if before.is_some() && old != self.draft {
            self.remember(Step { draft: old, patches: before });
        }
        self.tidy();
    }

    /// Does what a person does. `patches` are those that run.
    pub fn apply(&mut self, edit: Edit, patches: PatchSet) -> Follows {
        match edit {
            Edit::Open(open) => self.open = open,
            Edit::Tab(tab) => self.tab = tab,
            Edit::Domain(domain) => (self.domain, self.vcpu, self.steps) = (domain, ALL, false),
            Edit::Vcpu(vcpu) => (self.vcpu, self.steps) = (vcpu, false),
            Edit::Steps(steps) => self.steps = steps,
            Edit::GoTo(at) => self.go_to(at),
            Edit::Done(at) => {
                self.typing = None;
                self.draft.done(at);
                return Follows::Changed;
            }
            Edit::Undo => return self.undo(patches),
            Edit::Redo => return self.redo(patches),
            Edit::Run | Edit::Save | Edit::Copy => {}
            edit => return self.change(edit),
        }
        self.tidy();
        Follows::Nothing
    }

    fn change(&mut self, edit: Edit) -> Follows {
        let before = self.draft.clone();
        let typing = match &edit {
            Edit::Type(at, _) => Some(*at),
            _ => None,
        };
        match edit {
            Edit::Type(at, text) => {
                if at.field == Field::Kind {
                    self.steps = text == table::KINDS[work::Kind::Script as usize];
                }
                self.draft.type_text(at, text);
                if !is_typed(at.field) {
                    self.draft.done(at);
                }
            }
            Edit::Toggle(at, pcpu) => self.draft.toggle(at, pcpu),
            Edit::List(list, op, index) => {
                if let Some(to) = self.draft.list(list, op, index)
                    && list == List::Domains
                {
                    (self.domain, self.vcpu, self.steps) = (to, ALL, false);
                }
            }
            _ => self.draft.fit(),
        }
        self.tidy();
        if before == self.draft {
            return Follows::Nothing;
        }
        let same = typing.is_some_and(|at| is_typed(at.field)) && typing == self.typing;
        if same && !self.past.is_empty() {
            self.future.clear();
        } else {
            self.remember(Step { draft: before, patches: None });
        }
        self.typing = typing;
        Follows::Changed
    }

    fn remember(&mut self, step: Step) {
        self.future.clear();
        self.past.push(step);
        let size = |step: &Step| step.draft.scenario.vcpus().count();
        let mut room = PAST_VCPUS;
        let kept = self.past.iter().rev().take(PAST).take_while(|step| {
            let fits = room > 0;
            room = room.saturating_sub(size(step)); // saturating: the last one may be larger
            fits
        });
        let kept = kept.count();
        self.past.drain(..self.past.len() - kept);
    }

    fn undo(&mut self, patches: PatchSet) -> Follows {
        let Some(step) = self.past.pop() else { return Follows::Nothing };
        let (now, follows) = self.go(step, patches);
        self.future.push(now);
        follows
    }

    fn redo(&mut self, patches: PatchSet) -> Follows {
        let Some(step) = self.future.pop() else { return Follows::Nothing };
        let (now, follows) = self.go(step, patches);
        self.past.push(now);
        follows
    }

    /// Goes to a step; gives what was there, and what follows.
    fn go(&mut self, step: Step, patches: PatchSet) -> (Step, Follows) {
        let draft = std::mem::replace(&mut self.draft, step.draft);
        self.typing = None;
        self.tidy();
        let now = Step { draft, patches: step.patches.map(|_| patches) };
        (now, step.patches.map_or(Follows::Changed, Follows::Patches))
    }

    fn go_to(&mut self, at: At) {
        self.tab = Tab::of(at.field);
        let scope = at.field.spec().scope;
        if matches!(scope, Scope::Domain | Scope::Vcpu | Scope::Step) {
            self.domain = at.index[0];
            self.vcpu = if scope == Scope::Domain { ALL } else { at.index[1] };
            self.steps = scope == Scope::Step || at.field == Field::Steps;
        }
        let times = self.wanted.map_or(0, |(_, times)| times);
        self.wanted = Some((at, times.wrapping_add(1))); // wrapping: only its change counts
    }

    /// Shows only what is there.
    fn tidy(&mut self) {
        let domains = &self.draft.scenario.domains;
        let last = u16::try_from(domains.len().saturating_sub(1)).unwrap_or(u16::MAX);
        self.domain = self.domain.min(last);
        let vcpus = domains.get(usize::from(self.domain)).map_or(0, |domain| domain.vcpus.len());
        if usize::from(self.vcpu) >= vcpus {
            self.vcpu = ALL;
        }
    }
}

/// Whether a field is typed into letter by letter, not switched or chosen.
const fn is_typed(field: Field) -> bool {
    !matches!(
        field,
        Field::Kind | Field::ChangeKind | Field::TickleOneIdle | Field::SmtPowerSavings
    )
}
