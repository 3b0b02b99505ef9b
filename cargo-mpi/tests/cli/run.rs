//! `cargo mpi run` on a small project, with the machine's own launcher.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::project::{Project, text};

/// Sooner than what sleeps wakes up, with room for a busy machine.
const SOON: Duration = Duration::from_secs(25);

#[test]
fn ranks_arguments_and_exit_code_are_passed_on() {
    let project = Project::new(true);
    let output = project.run("run -n 3 -- args -n 1 --x");
    let mut lines: Vec<_> = text(&output.stdout).lines().map(str::to_owned).collect();
    lines.sort_unstable();
    let expected: Vec<_> = (0..3).map(|rank| format!(r#"rank {rank} got ["-n", "1", "--x"]"#)).collect();
    assert_eq!(lines, expected, "{}", text(&output.stderr));
    assert_eq!(output.status.code(), Some(0));

    assert_eq!(project.run("run -n 2 -- exit").status.code(), Some(7));
}

#[test]
fn the_program_sees_its_mpi_and_the_users_variables_but_not_this_tools() {
    let project = Project::new(true);
    let of_program =
        |line: &str| text(&project.command(line).env("CARGO_PKG_NAME", "cargo-mpi").output().unwrap().stdout);
    assert_eq!(of_program("run --env A=b -- env A"), "Some(\"b\") None\n");
    assert!(of_program("run -- env LD_LIBRARY_PATH").contains("/opt/stand-in/lib"));
}

#[test]
fn nothing_survives_the_time_limit() {
    let project = Project::new(true);
    assert!(project.run("run -- args").status.success());
    let started = Instant::now();
    let output = project.run("run -n 2 --timeout 1 -- sleep");
    assert_eq!(output.status.code(), Some(124));
    assert!(text(&output.stderr).contains("longer than 1 s"), "{}", text(&output.stderr));
    assert!(started.elapsed() < SOON);
    assert_eq!(project.running(), 0);
}

/// Starts two sleeping ranks and waits until both run.
fn start_sleeping(project: &Project, line: &str) -> Child {
    let mut child = project.command(line).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut ready = BufReader::new(child.stdout.take().unwrap()).lines().take(2);
    assert!(ready.all(|line| line.unwrap() == "ready"));
    assert_eq!(project.running(), 2);
    child
}

#[test]
fn signals_end_the_job() {
    let project = Project::new(true);
    for signal in ["INT", "TERM"] {
        let mut child = start_sleeping(&project, "run -n 2 -- sleep");
        let started = Instant::now();
        kill(signal, &child);
        let status = child.wait().unwrap();
        assert!(!status.success(), "{signal}: {status}");
        assert!(started.elapsed() < SOON, "{signal}");
        assert_eq!(project.running(), 0, "{signal}");
    }
}

#[test]
fn a_second_signal_ends_a_launcher_that_ignores_the_first() {
    let project = Project::new(false);
    project.write_program("stubborn", "trap '' INT\necho ready\nsleep 60 & wait $!\nsleep 60");
    let mut command = project.command("run --launcher ./stubborn");
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    assert!(BufReader::new(child.stdout.take().unwrap()).lines().next().is_some());
    kill("INT", &child);
    std::thread::sleep(Duration::from_millis(300));
    assert!(child.try_wait().unwrap().is_none(), "the first one is the launcher's to answer");
    kill("INT", &child);
    let started = Instant::now();
    assert!(!child.wait().unwrap().success());
    assert!(started.elapsed() < SOON);
}

#[test]
fn the_job_ends_with_a_tool_that_is_killed() {
    let project = Project::new(true);
    let mut child = start_sleeping(&project, "run -n 2 -- sleep");
    kill("KILL", &child);
    child.wait().unwrap();
    assert!(project.comes_to_run(0));
}

#[test]
fn nothing_survives_a_killed_tool_and_a_launcher_that_leaves_its_ranks() {
    let project = Project::new(true);
    assert!(project.run("run -- args").status.success());
    let rank = "OMPI_COMM_WORLD_RANK=0 target/debug/program sleep &";
    project.write_program("careless", &format!("trap 'exit 1' TERM\n{rank}\n{rank}\nwait"));
    let mut child = start_sleeping(&project, "run --launcher ./careless");
    kill("KILL", &child);
    child.wait().unwrap();
    assert!(project.comes_to_run(0));
}

fn kill(signal: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-s", signal, &id]).status().unwrap().success());
}

#[test]
fn a_program_without_mpi_is_started_all_the_same() {
    let output = Project::new(false).run("run -n 2 -- args");
    assert!(text(&output.stderr).contains("does not link MPI through mpi-sys"), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout).lines().count(), 2);
}

#[test]
fn what_cannot_be_started_is_explained() {
    let project = Project::new(true);
    let error = |line: &str| {
        let output = project.run(line);
        (output.status.code(), text(&output.stderr))
    };
    let (code, message) = error("run --launcher /nowhere/mpiexec -- args");
    assert!(code == Some(1) && message.contains("/nowhere/mpiexec"), "{message}");
    project.write("src/bin/other.rs", "fn main() {}");
    let (code, message) = error("run");
    assert!(code == Some(1) && message.contains("--bin other"), "{message}");
    project.write("src/bin/other.rs", "fn main() {");
    assert_eq!(error("run --bin other").0, Some(101));
}

#[test]
fn each_mpi_has_a_target_directory_of_its_own() {
    let project = Project::new(true);
    // Any executable will do: the stand-in asks no wrapper.
    assert!(project.run("run --mpi /bin/true -- args").status.success());
    assert!(project.path().join("target/mpi-true/debug/program").exists());
    assert!(!project.path().join("target/debug/program").exists());
}
