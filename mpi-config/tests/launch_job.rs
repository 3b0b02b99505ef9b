//! No process of a job survives it, whatever the job does. The launcher here is a shell script.
#![cfg(feature = "launch")]

use std::fs;
use std::process::Command;
use std::time::{Duration, Instant};

use mpi_config::launch::{Job, Output};

/// Sooner than what sleeps wakes up, with room for a busy machine.
const SOON: Duration = Duration::from_secs(25);

/// Ignores SIGTERM, and so do its grandchildren, one of which leaves the session.
const STUBBORN: &str = "trap '' TERM
(trap '' TERM; sh -c 'sleep 60; :' ) &
setsid sh -c 'trap \"\" TERM; sleep 60; :' &
echo started
sleep 60; sleep 60";

fn script(text: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", text]);
    command
}

fn is_alive(id: i32) -> bool {
    fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

/// The processes of a job, once there are at least `count`.
fn processes(job: &Job, count: usize) -> Vec<i32> {
    let start = Instant::now();
    loop {
        let found = job.processes();
        if found.len() >= count || start.elapsed() > SOON {
            assert!(found.len() >= count, "only {} processes started", found.len());
            return found;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn nothing_survives_a_time_out() {
    let limit = Duration::from_millis(500);
    let mut job = Job::spawn(script(STUBBORN), Output::Capture, Some(limit)).unwrap();
    let started = processes(&job, 5);
    let clock = Instant::now();
    let ending = job.wait().unwrap();
    assert!(ending.timed_out);
    assert_eq!(ending.exit_code(), 124);
    assert_eq!(ending.stdout, b"started\n");
    assert!(clock.elapsed() < SOON, "took {:?}", clock.elapsed());
    let alive: Vec<_> = started.into_iter().filter(|&id| is_alive(id)).collect();
    assert!(alive.is_empty(), "still alive: {alive:?}");
}

#[test]
fn nothing_survives_a_dropped_job() {
    let job = Job::spawn(script(STUBBORN), Output::Capture, None).unwrap();
    let started = processes(&job, 5);
    drop(job);
    assert!(!started.into_iter().any(is_alive));
}

#[test]
fn nothing_survives_a_launcher_that_ends_first() {
    let text = "setsid sleep 60 & sleep 60 & echo $!; exit 3";
    let ending = Job::spawn(script(text), Output::Capture, None).unwrap().wait().unwrap();
    assert_eq!(ending.exit_code(), 3);
    let id = String::from_utf8(ending.stdout).unwrap().trim().parse().unwrap();
    assert!(!is_alive(id));
}

#[test]
fn a_polite_launcher_is_asked_before_it_is_killed() {
    let text = "trap 'echo goodbye; exit 0' TERM; while :; do sleep 0.05; done";
    let limit = Some(Duration::from_secs(2));
    let ending = Job::spawn(script(text), Output::Capture, limit).unwrap().wait().unwrap();
    assert!(ending.timed_out);
    assert_eq!(ending.stdout, b"goodbye\n");
}

#[test]
fn output_and_exit_code_come_back() {
    let mut job = Job::spawn(script("echo out; echo err >&2; kill -9 $$"), Output::Capture, None).unwrap();
    let ending = job.wait().unwrap();
    assert_eq!((&ending.stdout[..], &ending.stderr[..]), (&b"out\n"[..], &b"err\n"[..]));
    assert_eq!(ending.exit_code(), 137);
    assert!(job.has_ended().unwrap());
    assert!(job.processes().is_empty());
}

#[test]
fn a_missing_launcher_is_named() {
    let error = Job::spawn(Command::new("/nowhere/mpiexec"), Output::Capture, None).unwrap_err();
    assert!(error.to_string().contains("/nowhere/mpiexec"), "{error}");
}
