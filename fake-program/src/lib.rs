//! Scripts that play programs (compiler wrappers, launchers, package managers) in this workspace's tests.

use std::path::Path;
use std::process::Command;

/// Writes `body` as an executable shell script to `path`, in a folder that exists.
///
/// A shell writes it, so that this process never has the script open for writing. If it had, a test on another thread
/// that starts a program in that moment would hand the open file to its child, and until that child had called `exec`,
/// starting the script would fail with `ETXTBSY`.
///
/// # Panics
/// If the script cannot be written.
pub fn write(path: &Path, body: &str) {
    let script = format!("#!/bin/sh\n{body}\n");
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", r#"printf %s "$2" > "$1" && chmod 755 "$1""#, "sh"]).arg(path).arg(script);
    let status = shell.status().expect("a shell");
    assert!(status.success(), "cannot write {}: {status}", path.display());
}
