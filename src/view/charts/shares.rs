//! How each vCPU spent the run, and what it got against what weights and caps entitle it to.

use super::bars::{Axis, Bar, Bars, Line};
use super::figure::{Content, Plot};
use crate::protocol::{Summary, VcpuSummary};
use crate::timeline::label::{duration, percent};
use crate::timeline::shape::{MachineShape, VcpuShape};
use crate::timeline::theme::Palette;

/// Room for names and for shares, in px.
const ROOMS: (f64, f64) = (54.0, 60.0);
/// With more vCPUs than this a bar stands for a domain.
const BARS_MAX: usize = 40;
const METHOD: &str = "Between two accountings the pCPUs’ time is shared out by weight, counted once per vCPU that \
     wants to run, as the accounting does. No domain is given more than its cap or than its vCPUs want (they run, \
     wait or are parked), and what one cannot use goes to the others. Affinity is not looked at.";

/// A vCPU, or a domain if there are many.
struct Part {
    name: String,
    of: VcpuShape,
    /// Running, waiting, sleeping, offline, in ns.
    spent_ns: [u64; 4],
    entitled_ns: u64,
}

fn domain_name(domain: u16) -> String {
    format!("d{}", u32::from(domain) + 1)
}

fn sum(name: String, of: VcpuShape, vcpus: &[VcpuSummary]) -> Part {
    let mut part = Part { name, of, spent_ns: [0; 4], entitled_ns: 0 };
    for vcpu in vcpus {
        for (sum, spent) in part.spent_ns.iter_mut().zip(vcpu.spent_ns) {
            *sum += spent;
        }
        part.entitled_ns += vcpu.entitled_ns;
    }
    part
}

fn by_domain(summary: &Summary) -> Vec<Part> {
    let domain = |(domain, (_, vcpus)): (u16, (_, &[VcpuSummary]))| {
        sum(domain_name(domain), VcpuShape { domain, index: 0 }, vcpus)
    };
    (0u16..).zip(summary.by_domain()).map(domain).collect()
}

fn by_vcpu(summary: &Summary, shape: &MachineShape) -> Vec<Part> {
    let vcpus = (0u16..).zip(&shape.vcpus).zip(&summary.vcpus);
    vcpus
        .map(|((number, of), vcpu)| sum(shape.vcpu_name(number), *of, std::slice::from_ref(vcpu)))
        .collect()
}

fn parts(summary: &Summary, shape: &MachineShape) -> Vec<Part> {
    if shape.vcpus.len() > BARS_MAX { by_domain(summary) } else { by_vcpu(summary, shape) }
}

/// How each vCPU spent the run.
pub fn time(summary: &Summary, shape: &MachineShape, palette: &Palette) -> Content {
    let parts = parts(summary, shape);
    let row = |part: &Part| {
        let whole = part.spent_ns.iter().sum();
        let cells = part.spent_ns.iter().flat_map(|ns| [percent(*ns, whole), duration(*ns)]);
        std::iter::once(part.name.clone()).chain(cells).collect()
    };
    let bar = |part: &Part| {
        let whole: u64 = part.spent_ns.iter().sum();
        let colours = [palette.vcpu(part.of).ground, palette.told, palette.idle, palette.line];
        // A domain's vCPUs together take as long as one.
        let scaled = part.spent_ns.map(|ns| {
            let ns = u128::from(ns) * u128::from(summary.end_ns) / u128::from(whole.max(1));
            u64::try_from(ns).unwrap_or(u64::MAX)
        });
        let line = Line { parts: scaled.into_iter().zip(colours).collect(), mark: None };
        let text = percent(part.spent_ns[0], whole);
        Bar { name: part.name.clone(), lines: vec![line], text }
    };
    let mut heads = vec!["vCPU", "runs", "run time", "waits", "wait time"];
    heads.extend(["sleeps", "sleep time", "offline", "offline time"]);
    Content {
        title: "Share of time",
        note: format!("over {}", duration(summary.end_ns)),
        method: "",
        keys: vec![
            (palette.domain(0).ground, "runs (its domain’s colour)"),
            (palette.told, "waits for a pCPU"),
            (palette.idle, "sleeps"),
            (palette.line, "offline: not started, parked or being moved"),
        ],
        heads,
        rows: parts.iter().map(row).collect(),
        plot: Plot::Bars(Bars {
            bars: parts.iter().map(bar).collect(),
            axis: Axis::Percent(summary.end_ns),
            end: Some(summary.end_ns.max(1)),
            rooms: ROOMS,
        }),
    }
}

/// What each domain got against what it is entitled to, in percent of one pCPU.
pub fn entitled(summary: &Summary, shape: &MachineShape, palette: &Palette) -> Content {
    let domains = by_domain(summary);
    let end_ns = summary.end_ns;
    let row = |part: &Part, weight: String, cap: String| {
        let (got, entitled) = (part.spent_ns[0], part.entitled_ns);
        let (got_text, entitled_text) = (percent(got, end_ns), percent(entitled, end_ns));
        vec![part.name.clone(), weight, cap, entitled_text, got_text, error(got, entitled, end_ns)]
    };
    let mut rows = Vec::new();
    let mut vcpus = by_vcpu(summary, shape).into_iter();
    for (part, (domain, own)) in domains.iter().zip(summary.by_domain()) {
        let cap = if domain.cap == 0 { "none".into() } else { format!("{} %", domain.cap) };
        rows.push(row(part, domain.weight.to_string(), cap));
        let own = vcpus.by_ref().take(own.len());
        rows.extend(own.map(|part| row(&part, String::new(), String::new())));
    }
    let bar = |part: &Part| {
        let got = part.spent_ns[0];
        let parts = vec![(got, palette.domain(part.of.domain).ground)];
        let line = Line { parts, mark: Some(part.entitled_ns) };
        let text = error(got, part.entitled_ns, end_ns);
        Bar { name: part.name.clone(), lines: vec![line], text }
    };
    Content {
        title: "Share against entitlement",
        note: "CPU time in percent of one pCPU; the mark is what weight and cap entitle to, the \
               number what was got above or below it"
            .into(),
        method: METHOD,
        keys: vec![
            (palette.domain(0).ground, "got (its domain’s colour)"),
            (palette.text, "entitled to"),
        ],
        heads: vec!["domain", "weight", "cap", "entitled", "got", "error"],
        rows,
        plot: Plot::Bars(Bars {
            bars: domains.iter().map(bar).collect(),
            axis: Axis::Percent(end_ns),
            end: None,
            rooms: (ROOMS.0, ROOMS.1 + 8.0),
        }),
    }
}

/// What was got above or below, in percent of one pCPU, with its sign.
fn error(got: u64, entitled: u64, end_ns: u64) -> String {
    let sign = match got.cmp(&entitled) {
        std::cmp::Ordering::Less => "−",
        std::cmp::Ordering::Equal => "",
        std::cmp::Ordering::Greater => "+",
    };
    format!("{sign}{}", percent(got.abs_diff(entitled), end_ns))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::DomainSummary;
    use crate::timeline::theme::Scheme;

    fn run(vcpus: u16) -> (Summary, MachineShape) {
        let of = |n| VcpuShape { domain: n / 2, index: n % 2 };
        let spent_ns = [600, 300, 100, 0];
        let spent = VcpuSummary { spent_ns, entitled_ns: 700, ..VcpuSummary::default() };
        let domain = DomainSummary { weight: 256, cap: 40, vcpus: 2 };
        let summary = Summary {
            end_ns: 1_000,
            domains: vec![domain; usize::from(vcpus) / 2],
            vcpus: vec![spent; vcpus.into()],
            ..Summary::default()
        };
        (summary, MachineShape { pcpus: vec![], vcpus: (0..vcpus).map(of).collect() })
    }

    /// Goal: each vCPU has its row with shares and times.
    #[test]
    fn each_vcpu_has_its_row() {
        let (summary, shape) = run(4);
        let rows = time(&summary, &shape, Palette::of(Scheme::default())).rows;
        assert_eq!(rows.len(), 4);
        let all = ["d2v0", "60.0 %", "600 ns", "30.0 %", "300 ns", "10.0 %", "100 ns"];
        assert_eq!(rows[2][..7], all);
    }

    /// Goal: many vCPUs are added up by domain.
    #[test]
    fn many_vcpus_are_added_up_by_domain() {
        let (summary, shape) = run(42);
        let rows = time(&summary, &shape, Palette::of(Scheme::default())).rows;
        assert_eq!(rows.len(), 21);
        assert_eq!(rows[20][..3], ["d21", "60.0 %", "1.20 µs"]);
    }

    /// Goal: entitlement, share and error stand side by side per domain, and below per vCPU.
    #[test]
    fn shares_stand_against_entitlement() {
        let (summary, shape) = run(4);
        let rows = entitled(&summary, &shape, Palette::of(Scheme::default())).rows;
        assert_eq!(rows.len(), 6);
        assert_eq!(rows[3], ["d2", "256", "40 %", "140.0 %", "120.0 %", "−20.0 %"]);
        assert_eq!(rows[4], ["d2v0", "", "", "70.0 %", "60.0 %", "−10.0 %"]);
    }
}
