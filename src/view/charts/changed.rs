//! What a change of patches did: the largest gain and the largest loss in a sentence, and all
//! figures side by side. A loss is told as plainly as a gain.

use super::bars::told;
use crate::protocol::Summary;
use crate::protocol::metrics::{Compared, Verdict, compare, extremes};
use yew::prelude::*;

/// A figure's name.
fn name(compared: &Compared) -> String {
    let metric = &compared.metric;
    match metric.key.domain {
        Some(domain) => format!("{}, d{}", metric.name, u32::from(domain) + 1),
        None => metric.name.into(),
    }
}

/// A figure with both values.
fn both(compared: &Compared) -> String {
    let unit = compared.metric.unit;
    let (before, after) = (told(unit, compared.before), told(unit, compared.metric.value));
    format!("{} from {before} to {after}", name(compared))
}

/// One sentence that names the largest gain and the largest loss.
#[must_use]
pub fn sentence(before: &Summary, after: &Summary) -> String {
    if before.digest == after.digest && before.lines == after.lines {
        return "The change made no difference: the run is the same, line by line.".into();
    }
    match extremes(&compare(before, after)) {
        (Some(gain), Some(loss)) => {
            format!("Better: {}. Worse: {}.", both(&gain), both(&loss))
        }
        (Some(gain), None) => format!("Better: {}. Nothing got worse.", both(&gain)),
        (None, Some(loss)) => format!("Worse: {}. Nothing got better.", both(&loss)),
        (None, None) => "The run is another one, but no figure got better or worse.".into(),
    }
}

/// All figures of both runs.
pub fn table(before: &Summary, after: &Summary) -> Html {
    let row = |compared: &Compared| {
        let (metric, verdict) = (&compared.metric, compared.verdict);
        html! {
            <tr key={name(compared)} title={metric.meaning}>
                <th scope="row">{ name(compared) }</th>
                <td>{ told(metric.unit, compared.before) }</td>
                <td>{ told(metric.unit, metric.value) }</td>
                <td class={classes!("verdict", class(verdict))}>{ verdict.word() }</td>
                <td class="meaning">{ metric.meaning }</td>
            </tr>
        }
    };
    html! {
        <div class="chart-table compared" tabindex="0" role="region" aria-label="What this change did">
            <table data-testid="changed-table">
                <thead>
                    <tr>
                        <th scope="col">{ "figure" }</th>
                        <th scope="col">{ "before" }</th>
                        <th scope="col">{ "after" }</th>
                        <th scope="col">{ "is" }</th>
                        <th scope="col" class="meaning">{ "meaning" }</th>
                    </tr>
                </thead>
                <tbody>{ for compare(before, after).iter().map(row) }</tbody>
            </table>
        </div>
    }
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Better => "gain",
        Verdict::Worse => "loss",
        _ => "even",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::PcpuSummary;

    fn run(digest: &str, switches: u64, vain_tries: u64) -> Summary {
        let pcpus = vec![PcpuSummary { switches, vain_tries, ..PcpuSummary::default() }];
        Summary { digest: digest.into(), pcpus, ..Summary::default() }
    }

    /// Goal: the sentence names gain and loss alike, says when there is none, and when nothing
    /// changed at all.
    #[test]
    fn the_sentence_names_gain_and_loss() {
        assert_eq!(
            sentence(&run("a", 100, 0), &run("b", 20, 900)),
            "Better: context switches from 100 to 20. Worse: peers locked in vain from 0 to 900."
        );
        assert_eq!(
            sentence(&run("a", 100, 0), &run("b", 120, 0)),
            "Worse: context switches from 100 to 120. Nothing got better."
        );
        assert!(sentence(&run("a", 1, 1), &run("a", 1, 1)).starts_with("The change made no"));
        assert!(sentence(&run("a", 1, 1), &run("b", 1, 1)).starts_with("The run is another"));
    }
}
