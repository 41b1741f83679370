//! A set of pCPUs as a grid that is clicked: sockets, cores in them, threads in these.

use super::{Cx, id_of};
use crate::state::edit::Edit;
use crate::state::edit::field::At;
use crate::state::edit::form::Shown;
use crate::state::edit::text;
use crate::web::screen;
use sim_core::cpumask::CpuMask;
use sim_core::ids::PcpuId;
use sim_core::scenario::Scenario;
use sim_core::topology::Topology;
use std::rc::Rc;
use web_sys::Element;
use yew::prelude::*;

/// What a grid shows.
#[derive(Properties)]
struct GridProps {
    at: At,
    scenario: Rc<Scenario>,
    set: CpuMask,
    on: Callback<Edit>,
}

impl PartialEq for GridProps {
    fn eq(&self, other: &Self) -> bool {
        let same = self.at == other.at && self.set == other.set && self.on == other.on;
        same && self.scenario.topology == other.scenario.topology
    }
}

pub(super) fn grid(cx: &Cx, shown: &Shown) -> Html {
    let draft = &cx.edit.draft;
    html! {
        <Grid at={shown.at} scenario={draft.scenario.clone()} set={draft.set(shown.at)} on={cx.on.clone()} />
    }
}

/// Writes a set into the field.
fn writes(props: &GridProps, set: &CpuMask) -> Callback<MouseEvent> {
    let (on, at) = (props.on.clone(), props.at);
    let all = set == props.scenario.topology.all() && !at.field.spec().word.is_empty();
    let text = if all { at.field.spec().word.to_owned() } else { text::print_cpus(set) };
    Callback::from(move |_| {
        on.emit(Edit::Type(at, text.clone()));
        on.emit(Edit::Done(at));
    })
}

/// A socket as it is drawn: its pCPUs, and the threads of each core.
struct Socket<'a> {
    set: &'a CpuMask,
    cores: Vec<Vec<PcpuId>>,
}

fn sockets(topology: &Topology) -> Vec<Socket<'_>> {
    let mut sockets: Vec<Socket<'_>> = Vec::new();
    for pcpu in topology.pcpus() {
        let place = topology.place(pcpu);
        let at = sockets.iter().position(|socket| *socket.set == place.socket);
        let at = at.unwrap_or_else(|| {
            sockets.push(Socket { set: &place.socket, cores: Vec::new() });
            sockets.len() - 1
        });
        let cores = &mut sockets[at].cores;
        let same = |core: &&mut Vec<PcpuId>| core.iter().all(|one| place.sibling.contains(*one));
        match cores.last_mut().filter(same) {
            Some(threads) => threads.push(pcpu),
            None => cores.push(vec![pcpu]),
        }
    }
    sockets
}

#[component]
fn Grid(props: &GridProps) -> Html {
    let topology = &props.scenario.topology;
    let sockets = sockets(topology);
    let label = format!("{}: pCPUs", props.at.field.spec().label);
    let threads = topology.places().iter().map(|place| place.sibling.len()).max().unwrap_or(1);
    html! {
        <div class={classes!("ed-grid", (threads == 1).then_some("single"))} role="group" aria-label={label}
            onkeydown={keys(props)}>
            { for sockets.iter().enumerate().map(|(number, Socket { set, cores })| html! {
                <div class="ed-socket">
                    { whole(props, number, set) }
                    <div class="ed-cores">
                        { for cores.iter().map(|threads| html! {
                            <span class="ed-core">{ for threads.iter().map(|pcpu| cell(props, *pcpu)) }</span>
                        }) }
                    </div>
                </div>
            }) }
        </div>
    }
}

/// A button for a whole socket: takes it out if all of it is in.
fn whole(props: &GridProps, number: usize, socket: &CpuMask) -> Html {
    let mut set = props.set.clone();
    if socket.is_subset(&set) {
        set.remove_all(socket);
    } else {
        set.add_all(socket);
    }
    html! {
        <button type="button" class="link" onclick={writes(props, &set)} title="All of the socket, or none of it">
            { format!("socket {number}") }
        </button>
    }
}

fn cell_id(at: At, pcpu: u16) -> String {
    format!("{}-p{pcpu}", id_of(at))
}

fn cell(props: &GridProps, pcpu: PcpuId) -> Html {
    let pressed = props.set.contains(pcpu);
    let id = cell_id(props.at, pcpu.0);
    let onclick = {
        let (on, at) = (props.on.clone(), props.at);
        Callback::from(move |_| on.emit(Edit::Toggle(at, pcpu.0)))
    };
    // The grid is one stop for Tab; arrows move inside it.
    let tabindex = if pcpu.0 == 0 { "0" } else { "-1" };
    html! {
        <button type="button" id={id.clone()} data-testid={id} class="bit" aria-pressed={pressed.to_string()}
            aria-label={format!("pCPU {}", pcpu.0)} {tabindex} {onclick}>{ pcpu.0 }</button>
    }
}

fn keys(props: &GridProps) -> Callback<KeyboardEvent> {
    let (at, count) = (props.at, props.scenario.topology.pcpu_count());
    let per_socket = props.scenario.topology.places().first().map_or(1, |place| place.socket.len());
    Callback::from(move |event: KeyboardEvent| {
        let by = match event.key().as_str() {
            "ArrowRight" => 1,
            "ArrowLeft" => -1,
            "ArrowDown" => i64::from(per_socket),
            "ArrowUp" => -i64::from(per_socket),
            _ => return,
        };
        let cell: Element = event.target_unchecked_into();
        let pcpu = cell.get_attribute("aria-label").unwrap_or_default();
        let pcpu: Option<i64> = pcpu.strip_prefix("pCPU ").and_then(|number| number.parse().ok());
        let next = pcpu.and_then(|pcpu| u16::try_from(pcpu + by).ok());
        if let Some(next) = next.filter(|next| usize::from(*next) < count) {
            screen::focus(&cell_id(at, next));
        }
        event.prevent_default();
    })
}
