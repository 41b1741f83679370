//! From a file to a scenario that can be run.

use serde::Deserialize;
use sim_core::scenario::ValidScenario;
use std::io::Read;

/// What tells a recorded scenario from one of one's own.
#[derive(Deserialize)]
struct Recorded {
    full_until_ns: Option<u64>,
}

/// Reads and checks a scenario; `-` is standard input.
///
/// A recorded scenario, which says up to when its log lines stand in the file, may hold caps above
/// what its machine has, as the vectors do.
///
/// # Errors
/// One sentence.
pub fn scenario(file: &str) -> Result<ValidScenario, String> {
    let bytes = read(file)?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("{file} is not text: it stops being UTF-8 at byte {at}")
    })?;
    let scenario = scenario_json::parse(&text).map_err(|error| format!("{file}: {error}"))?;
    let mut values = serde_json::Deserializer::from_str(&text).into_iter::<Recorded>();
    let recorded = matches!(values.next(), Some(Ok(Recorded { full_until_ns: Some(_) })));
    let valid = if recorded { scenario.validate_recorded() } else { scenario.validate() };
    valid.map_err(|error| format!("{file}: {error}"))
}

fn read(file: &str) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let result = if file == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        std::fs::read(file).map(|read| bytes = read)
    };
    result.map_err(|error| format!("{file} cannot be read: {error}"))?;
    Ok(bytes)
}
