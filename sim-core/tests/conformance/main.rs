//! Goal: every decision and every run equals what the real scheduler answered, bit for bit.
//! Method: the vectors in `tests/vectors/xen-credit1` (gzip; `TICKLE_VECTORS` names another folder
//! of the same layout, plain or gzip) are replayed at each revision that the project knows.

mod acct;
mod functions;
mod misc;
mod records;
mod runs;
mod traced;
mod vectors;

use std::io::Write;
use vectors::Tally;

/// Says how many of how many agree, also when all do: the handle is not captured by the test runner
/// as the macro's output is.
fn report(file: &str, tally: &Tally) {
    let all = tally.agreed + tally.differences.len();
    writeln!(std::io::stdout(), "{file}: {} of {all} agree", tally.agreed).expect("a terminal");
}

/// Fails with the first differences when anything did not agree.
fn conclude(file: &str, tally: &Tally) {
    report(file, tally);
    assert!(tally.agreed > 0, "{file}: nothing was compared");
    let first: Vec<_> = tally.differences.iter().take(5).map(String::as_str).collect();
    assert!(first.is_empty(), "{file} differs:\n{}", first.join("\n"));
}

#[test]
fn tickle_decisions_agree() {
    conclude("tickle", &functions::tickles());
}

#[test]
fn picks_agree() {
    conclude("pick", &functions::picks());
}

#[test]
fn steals_agree() {
    conclude("steal", &functions::steals());
}

#[test]
fn accountings_agree() {
    conclude("acct", &acct::check());
}

#[test]
fn burning_and_queue_order_agree() {
    conclude("misc", &misc::check());
}

#[test]
fn whole_runs_agree() {
    let mut total = Tally::default();
    for name in vectors::run_names() {
        let tally = runs::check(&name);
        report(&format!("runs/{name}"), &tally);
        total.agreed += tally.agreed;
        total.differences.extend(tally.differences);
    }
    conclude("runs", &total);
}

#[test]
fn records_are_true_and_leaves_are_reached() {
    let (tally, reached) = records::check();
    conclude("records", &tally);
    let never: Vec<_> = (sim_core::decision::REASONS.iter().zip(reached))
        .filter_map(|(info, count)| (count == 0).then_some(info.code))
        .collect();
    // A handler is atomic and a guest's sleep is served at once, so that no wake ever finds its
    // vCPU current or queued: the scheduler's tests for that have nothing to catch in this machine.
    // Other vectors may be too few to reach all.
    if vectors::are_own() {
        assert_eq!(never, ["W=", "Wq"], "leaves never reached");
    }
}
