//! How each vCPU spent the run: running, waiting for a pCPU, sleeping.

use super::figure::{Content, Pencil, ink};
use crate::protocol::Summary;
use crate::timeline::label::{duration, percent};
use crate::timeline::scale::{count_px, to_px};
use crate::timeline::shape::MachineShape;
use crate::timeline::theme::Palette;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// Height of a vCPU's bar with the room below it, in px.
const PITCH: f64 = 18.0;
/// Room for names, in px.
const NAMES: f64 = 54.0;
/// Room for the share behind the bar, in px.
const SHARE: f64 = 60.0;
/// With more vCPUs than this a bar stands for a domain.
const BARS_MAX: usize = 40;

/// A bar: a vCPU, or a domain if there are many.
struct Bar {
    name: String,
    domain: u16,
    index: u16,
    /// Running, waiting, sleeping, offline, in ns.
    spent_ns: [u64; 4],
}

fn bars(summary: &Summary, shape: &MachineShape) -> Vec<Bar> {
    let by_domain = shape.vcpus.len() > BARS_MAX;
    let mut bars: Vec<Bar> = Vec::new();
    for ((number, vcpu), of) in (0u16..).zip(&shape.vcpus).zip(&summary.vcpus) {
        match bars.last_mut() {
            Some(bar) if by_domain && bar.domain == vcpu.domain => {
                for (sum, spent) in bar.spent_ns.iter_mut().zip(of.spent_ns) {
                    *sum += spent;
                }
            }
            _ => bars.push(Bar {
                name: if by_domain {
                    format!("d{}", u32::from(vcpu.domain) + 1)
                } else {
                    shape.vcpu_name(number)
                },
                domain: vcpu.domain,
                index: if by_domain { 0 } else { vcpu.index },
                spent_ns: of.spent_ns,
            }),
        }
    }
    bars
}

/// The words and numbers of the chart.
pub fn content(summary: &Summary, shape: &MachineShape, palette: &Palette) -> Content {
    let bars = bars(summary, shape);
    let row = |bar: &Bar| {
        let whole = bar.spent_ns.iter().sum();
        let [run, wait, sleep, _] = bar.spent_ns;
        vec![
            bar.name.clone(),
            percent(run, whole),
            duration(run),
            percent(wait, whole),
            duration(wait),
            percent(sleep, whole),
            duration(sleep),
        ]
    };
    Content {
        title: "Share of time",
        note: format!("over {}", duration(summary.end_ns)),
        keys: vec![
            (palette.domain(0).ground, "runs (its domain’s colour)"),
            (palette.told, "waits for a pCPU"),
            (palette.idle, "sleeps"),
        ],
        heads: vec!["vCPU", "runs", "run time", "waits", "wait time", "sleeps", "sleep time"],
        rows: bars.iter().map(row).collect(),
        height: (count_px(bars.len()) * PITCH + 4.0).max(PITCH),
    }
}

/// Draws the bars.
pub fn draw<B: DrawingBackend>(
    area: &DrawingArea<B, Shift>,
    pencil: &Pencil,
    summary: &Summary,
    shape: &MachineShape,
) -> Result<(), Box<dyn std::error::Error>>
where
    B::ErrorType: 'static,
{
    let palette = pencil.palette;
    let room = (pencil.width - NAMES - SHARE).max(1.0);
    for (at, bar) in bars(summary, shape).iter().enumerate() {
        let y = count_px(at) * PITCH + 2.0;
        let middle = pencil.at(y + PITCH / 2.0 - 2.0);
        let name = pencil.text(palette.text, HPos::Left);
        area.draw(&Text::new(bar.name.clone(), (pencil.at(2.0), middle), name))?;
        let whole: u64 = bar.spent_ns.iter().sum();
        let vcpu = crate::timeline::shape::VcpuShape { domain: bar.domain, index: bar.index };
        let colours = [palette.vcpu(vcpu).ground, palette.told, palette.idle, palette.panel];
        let mut from = 0;
        for (spent, colour) in bar.spent_ns.iter().zip(colours) {
            let x = |ns: u64| NAMES + to_px(ns.into()) / to_px(whole.max(1).into()) * room;
            let corners = [
                (pencil.at(x(from)), pencil.at(y)),
                (pencil.at(x(from + spent)), pencil.at(y + PITCH - 5.0)),
            ];
            area.draw(&Rectangle::new(corners, ink(colour).filled()))?;
            from += spent;
        }
        let share = pencil.text(palette.muted, HPos::Right);
        let text = percent(bar.spent_ns[0], whole);
        area.draw(&Text::new(text, (pencil.at(pencil.width - 2.0), middle), share))?;
    }
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::VcpuSummary;
    use crate::timeline::shape::VcpuShape;

    fn run(vcpus: u16) -> (Summary, MachineShape) {
        let of = |n| VcpuShape { domain: n / 2, index: n % 2 };
        let spent = VcpuSummary { spent_ns: [600, 300, 100, 0], ..VcpuSummary::default() };
        let summary = Summary { vcpus: vec![spent; vcpus.into()], ..Summary::default() };
        (summary, MachineShape { pcpus: vec![], vcpus: (0..vcpus).map(of).collect() })
    }

    /// Goal: each vCPU has its row with shares and times.
    #[test]
    fn each_vcpu_has_its_row() {
        let (summary, shape) = run(4);
        let rows = content(&summary, &shape, Palette::of(false)).rows;
        assert_eq!(rows.len(), 4);
        assert_eq!(rows[2], ["d2v0", "60.0 %", "600 ns", "30.0 %", "300 ns", "10.0 %", "100 ns"]);
    }

    /// Goal: many vCPUs are added up by domain.
    #[test]
    fn many_vcpus_are_added_up_by_domain() {
        let (summary, shape) = run(42);
        let rows = content(&summary, &shape, Palette::of(false)).rows;
        assert_eq!(rows.len(), 21);
        assert_eq!(rows[20][..3], ["d21", "60.0 %", "1.20 µs"]);
    }
}
