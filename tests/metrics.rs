//! Goal: a patch's gain is told as plainly as its loss. Method: presets are run by the engine with
//! the patch off and on, and the figures compared.

use sim_core::patches::{Patch, PatchSet};
use sim_core::presets::Preset;
use tickle::engine::Engine;
use tickle::protocol::metrics::{Compared, Verdict, compare, extremes, metrics};
use tickle::protocol::{Request, Response, RunId, Summary};

fn run(preset: &Preset, patches: PatchSet) -> Summary {
    let mut engine = Engine::new();
    let scenario = scenario_json::to_json(&(preset.build)());
    let patches = patches.bits();
    engine.handle(Request::Run { run: RunId(1), scenario, patches, select: None });
    let mut ended = None;
    while engine.is_working() {
        for response in engine.work(100_000) {
            if let Response::Ended { summary, cut: None, .. } = response {
                ended = Some(*summary);
            }
        }
    }
    ended.expect("the run ends")
}

/// A preset without and with a patch.
fn compared(slug: &str, patch: Patch) -> Vec<Compared> {
    let preset = Preset::from_slug(slug).expect("it exists");
    let without = PatchSet::from_bits(preset.patches.bits() & !(1 << patch as u8));
    let before = run(preset, without.expect("nothing needs it"));
    compare(&before, &run(preset, preset.patches.with(patch)))
}

fn of(compared: &[Compared], slug: &str) -> (Option<u64>, Option<u64>, Verdict) {
    let found = compared.iter().find(|row| row.metric.key.slug == slug).expect("it exists");
    (found.before, found.metric.value, found.verdict)
}

fn told(compared: &[Compared]) -> String {
    let row = |row: &Compared| {
        let (key, unit) = (row.metric.key, row.metric.unit);
        let (before, after) = (row.before, row.metric.value);
        format!("{key:?} {unit:?} {before:?} -> {after:?} {:?}\n", row.verdict)
    };
    compared.iter().map(row).collect()
}

/// Goal: the pinned waker shows what the patch of 2012 was made for: no vCPU waits beside an idle
/// pCPU any more.
#[test]
fn the_pinned_waker_shows_the_gain() {
    let rows = compared("pinned-waker", Patch::TicklePreferIdlers);
    let (before, after, verdict) = of(&rows, "stranded");
    assert_eq!(verdict, Verdict::Better);
    assert!(before > after.map(|ns| ns * 10), "{}", told(&rows));
    let (gain, _) = extremes(&rows);
    assert!(gain.is_some(), "{}", told(&rows));
}

/// Goal: the ping-pong shows what the same patch costs, as plainly.
#[test]
fn the_ping_pong_shows_the_loss() {
    let rows = compared("kick-ping-pong", Patch::TicklePreferIdlers);
    let (_, loss) = extremes(&rows);
    assert!(loss.is_some(), "{}", told(&rows));
    let (before, after, verdict) = of(&rows, "share-error");
    assert_eq!(verdict, Verdict::Worse);
    assert!(before.map(|part| part * 2) < after, "{}", told(&rows));
    assert_eq!(of(&rows, "kicks").2, Verdict::Worse);
    assert_eq!(of(&rows, "boosts").2, Verdict::More);
}

/// Goal: skipping peers with one runnable vCPU saves the queues that were locked in vain; telling
/// each idler once saves duplicates.
#[test]
fn the_patches_of_2017_show_what_they_save() {
    let rows = compared("steal-victims", Patch::StealSkipSingle);
    assert_eq!(of(&rows, "vain-tries").2, Verdict::Better);
    let rows = compared("same-idler-twice", Patch::TickledIsBusy);
    assert_eq!(of(&rows, "tickles-duplicate").2, Verdict::Better);
}

/// Goal: every figure says its name and meaning, and no two share a key.
#[test]
fn every_figure_says_what_it_means() {
    let preset = Preset::from_slug("pinned-waker").expect("it exists");
    let all = metrics(&run(preset, preset.patches));
    for (at, metric) in all.iter().enumerate() {
        assert!(metric.meaning.ends_with('.') && !metric.name.is_empty(), "{metric:?}");
        assert!(all[..at].iter().all(|other| other.key != metric.key), "{metric:?}");
    }
}
