//! What asks this process to end reaches the job. One test: signals belong to the whole process.
#![cfg(feature = "launch")]

use std::os::unix::process::CommandExt;
use std::process::Command;

use mpi_config::launch::{Ending, Job, Output, forward_signals};

fn sh(script: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    command
}

fn run(command: Command) -> Ending {
    Job::spawn(command, Output::Capture, None).unwrap().wait().unwrap()
}

#[test]
fn signals_are_passed_on_however_early_they_come_unless_they_are_ignored() {
    let myself = std::process::id();
    // Whatever this test has inherited.
    for (signal, action) in
        [(libc::SIGHUP, libc::SIG_IGN), (libc::SIGINT, libc::SIG_DFL), (libc::SIGTERM, libc::SIG_DFL)]
    {
        // SAFETY: neither action runs code of this process.
        unsafe { libc::signal(signal, action) };
    }
    let forwarding = forward_signals().unwrap();

    // Before there is a launcher.
    // SAFETY: the signal is caught.
    unsafe { libc::raise(libc::SIGTERM) };
    assert_eq!(run(sh("sleep 60")).exit_code(), 128 + libc::SIGTERM);

    // Two are one more than a launcher may ignore.
    // SAFETY: the signal is caught.
    unsafe { libc::raise(libc::SIGTERM) };
    let mut stubborn = sh("trap '' INT; kill -INT $PPID; exec sleep 60");
    let deaf = || {
        // SAFETY: the action runs no code.
        unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
        Ok(())
    };
    // SAFETY: one system call.
    unsafe { stubborn.pre_exec(deaf) };
    assert_eq!(run(stubborn).exit_code(), 128 + libc::SIGKILL);

    // It was passed on once; the next comes from the job itself.
    assert_eq!(run(sh("exit 3")).exit_code(), 3);
    assert_eq!(run(sh(&format!("kill -INT {myself}; exec sleep 60"))).exit_code(), 128 + libc::SIGINT);

    assert_eq!(run(sh(&format!("kill -HUP {myself}; kill -HUP $$; exit 4"))).exit_code(), 4);

    drop(forwarding);
    // SAFETY: as above.
    let previous = unsafe { libc::signal(libc::SIGHUP, libc::SIG_DFL) };
    assert_eq!(previous, libc::SIG_IGN);
}
