//! Packages of a Debian machine.

use crate::shell::{self, Failure};
use std::process::{Command, Stdio};

/// Installs those of the packages that are missing.
pub fn ensure(packages: &[&str]) -> Result<(), Failure> {
    let missing: Vec<&str> = packages.iter().copied().filter(|name| !is_installed(name)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    let list = missing.join(" ");
    if !shell::answers(&mut Command::new("apt-get")) {
        return Err(Failure::new(&format!("there is no apt-get: install by hand: {list}")));
    }
    shell::say(&format!("installing packages: {list}"));
    let cant = |failure: Failure| {
        failure.because(&format!("packages can't be had (as root: apt-get install {list})"))
    };
    shell::run_quietly(&mut apt(&["update"])).map_err(cant)?;
    let mut install = apt(&["install", "-y", "--no-install-recommends"]);
    shell::run_quietly(install.args(&missing)).map_err(cant)
}

fn apt(arguments: &[&str]) -> Command {
    let mut command = Command::new("apt-get");
    command.args(["-qq", "-o", "DPkg::Lock::Timeout=300"]).args(arguments);
    command.env("DEBIAN_FRONTEND", "noninteractive");
    command
}

fn is_installed(package: &str) -> bool {
    let output = Command::new("dpkg-query")
        .args(["-W", "-f=${Status}", package])
        .stderr(Stdio::null())
        .output();
    output.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains("ok installed"))
}
