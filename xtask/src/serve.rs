//! Builds the page and serves it on this machine only.

use crate::page_environment;
use crate::shell::{self, Failure};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

/// How long between two looks whether the server answers.
const LOOK: Duration = Duration::from_millis(200);

/// Serves the page until it is stopped, anew after each change of a file.
pub fn serve(port: &str) -> Result<(), Failure> {
    let wrong = || Failure::new(&format!("“{port}” is no port; it must be 1 to 65535"));
    let number: u16 = port.parse().map_err(|_| wrong())?;
    if number == 0 {
        return Err(wrong());
    }
    let place = (Ipv4Addr::LOCALHOST, number);
    // Told before the minutes of a build, not after them.
    TcpListener::bind(place).map_err(|error| {
        Failure::new(&format!("port {port} can't be used ({error}): take another with --port"))
    })?;
    let environment = page_environment()?;
    shell::say("building the page");
    // Ends with the program.
    thread::spawn(move || {
        while TcpStream::connect(place).is_err() {
            thread::park_timeout(LOOK);
        }
        shell::say(&format!("the page is at http://127.0.0.1:{number}/ until Ctrl-C"));
    });
    let mut trunk = environment.command("trunk");
    trunk.args(["serve", "--release", "--offline", "--no-autoreload", "--port", port]);
    shell::run(&mut trunk).map_err(|failure| failure.because("the page can't be served"))
}
