//! Browsers, their drivers, and a font for them to draw with.

use crate::packages;
use crate::shell::{self, Failure};
use crate::tools::Environment;

/// Chromium and Firefox with what drives them. Taken as they are where they already answer.
pub fn ensure(environment: &Environment) -> Result<(), Failure> {
    let there = |program| shell::answers(&mut environment.command(program));
    if !(there("chromium") && there("chromedriver")) {
        packages::ensure(&["chromium", "chromium-driver", "fonts-dejavu-core"])?;
    }
    if !there("firefox-esr") {
        packages::ensure(&["firefox-esr"])?;
    }
    Ok(())
}
