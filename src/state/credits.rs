//! Whose credit is charted.

use super::State;
use crate::protocol::{IDLE, LevelPicture};
use sim_core::scenario::Scenario;
use std::rc::Rc;

/// vCPUs of a domain that are charted together.
pub const GROUP: u16 = 8;
/// The most vCPUs that are charted at once.
const SHOWN_MAX: usize = 16;

/// Whose credit is charted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whose {
    /// Everybody's if they are few, or else that of the selected vCPU and its domain.
    #[default]
    Selected,
    /// Who runs or waits on the chosen row at the cursor.
    Row,
    /// The first vCPU of each domain.
    Firsts,
    /// Up to [`GROUP`] vCPUs of a domain, from this one on.
    Group {
        /// The domain.
        domain: u16,
        /// The first vCPU, counted in its domain.
        first: u16,
    },
}

/// The domains' vCPUs: the number of the first over all domains, and how many there are.
fn domains(scenario: &Scenario) -> Vec<(u16, u16)> {
    let mut first = 0;
    let domain = |domain: &sim_core::scenario::DomainSpec| {
        let count = u16::try_from(domain.vcpus.len()).unwrap_or(u16::MAX);
        first += count;
        (first - count, count)
    };
    scenario.domains.iter().map(domain).collect()
}

/// All groups of vCPUs that can be charted, in order.
#[must_use]
pub fn groups(scenario: &Scenario) -> Vec<Whose> {
    let groups = |(domain, (_, count)): (u16, (u16, u16))| {
        (0..count.div_ceil(GROUP)).map(move |nth| Whose::Group { domain, first: nth * GROUP })
    };
    (0u16..).zip(domains(scenario)).flat_map(groups).collect()
}

/// The vCPUs of a group, numbered over all domains; none if the scenario has no such group.
#[must_use]
pub fn members(scenario: &Scenario, domain: u16, first: u16) -> Vec<u16> {
    let Some((start, count)) = domains(scenario).get(usize::from(domain)).copied() else {
        return Vec::new();
    };
    (first.min(count)..first.saturating_add(GROUP).min(count)).map(|at| start + at).collect()
}

/// The vCPUs whose credit is charted, numbered over all domains.
#[must_use]
pub fn vcpus(state: &State) -> Vec<u16> {
    let all = domains(&state.scenario);
    let mut chosen = match state.looks.whose {
        Whose::Selected => Vec::new(),
        Whose::Row => on_row(state),
        Whose::Firsts => {
            let firsts = all.iter().filter(|(_, count)| *count > 0).map(|(first, _)| *first);
            firsts.collect()
        }
        Whose::Group { domain, first } => members(&state.scenario, domain, first),
    };
    if chosen.is_empty() && state.looks.whose != Whose::Row {
        chosen = by_selection(state, &all);
    }
    chosen.truncate(SHOWN_MAX);
    chosen
}

/// Everybody if they are few, or else the group of the selected vCPU, or the first.
fn by_selection(state: &State, all: &[(u16, u16)]) -> Vec<u16> {
    let count = all.iter().map(|(_, count)| count).sum();
    if count <= GROUP {
        return (0..count).collect();
    }
    let selected = state.selection.record.map(|record| record.vcpu);
    let vcpu = selected.filter(|vcpu| *vcpu != IDLE).unwrap_or(0);
    let own = (0u16..).zip(all).find(|(_, (first, count))| (*first..first + count).contains(&vcpu));
    own.map_or_else(Vec::new, |(domain, (first, _))| {
        members(&state.scenario, domain, (vcpu - first) / GROUP * GROUP)
    })
}

/// Who runs or waits on the chosen row at the cursor, in order of their numbers.
fn on_row(state: &State) -> Vec<u16> {
    let now = state.now.as_ref().and_then(|now| now.pcpus.get(usize::from(state.row)));
    let all = now.into_iter().flat_map(|pcpu| pcpu.current.iter().chain(&pcpu.queue));
    let mut vcpus: Vec<u16> = all.map(|vcpu| vcpu.vcpu).collect();
    vcpus.sort_unstable();
    vcpus
}

/// The credits to show: of this run and of those vCPUs, or none. While decisions are guessed they
/// go as far as they may.
#[must_use]
pub fn picture(state: &State) -> Option<Rc<LevelPicture>> {
    let own = vcpus(state);
    let picture = super::levels::picture(state)?;
    let same = picture.credits().map(|(vcpu, _)| vcpu).eq(own);
    same.then_some(picture)
}

/// Whether the credits that are shown are those of the stretch in view, all of it.
#[must_use]
pub fn is_fresh(state: &State) -> bool {
    picture(state).is_some_and(|picture| picture.span == state.view && !picture.goes_on)
}
