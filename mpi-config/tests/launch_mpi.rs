//! Jobs of real MPI programs, on every MPI of this machine: those a search finds, and those whose compiler wrappers
//! `MPI_TEST_MPICCS` names (separated by `:`).
#![cfg(all(feature = "find", feature = "launch"))]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mpi_config::find::{Environment, Installation, find, find_all};
use mpi_config::launch::{Ending, Launcher, Options, Output};

const PROGRAM: &str = r#"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const char *variable = getenv("LAUNCH_TEST");
    printf("%d of %d %s\n", rank, size, variable ? variable : "");
    fflush(stdout);
    if (!strcmp(argv[1], "abort") && rank == 1) MPI_Abort(MPI_COMM_WORLD, 5);
    if (!strcmp(argv[1], "exit") && rank == 1) _exit(3);
    if (!strcmp(argv[1], "ok")) return MPI_Finalize();
    MPI_Recv(&size, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* for ever */
    return 0;
}
"#;

/// Installed MPIs that have a launcher, each once.
fn installations() -> Vec<Installation> {
    let env = Environment::of_process();
    let named = std::env::var_os("MPI_TEST_MPICCS").unwrap_or_default();
    let named =
        std::env::split_paths(&named).filter_map(|mpicc| find(&env.clone().with("MPICC", mpicc)).ok());
    let all = find_all(&env).into_iter().chain(named).filter(|found| found.mpiexec.is_some());
    let key = |found: &Installation| (found.probe.header.clone(), found.probe.family.name());
    let distinct: BTreeMap<_, _> = all.map(|found| (key(&found), found)).collect();
    distinct.into_values().collect()
}

fn compile(found: &Installation, folder: &Path) -> PathBuf {
    let (source, program) = (folder.join("program.c"), folder.join("program"));
    fs::write(&source, PROGRAM).unwrap();
    let [driver, arguments @ ..] = &found.probe.compiler[..] else { panic!("no compiler") };
    let mut command = std::process::Command::new(driver);
    command.args(arguments).args(found.flags.preprocessor_args()).arg(&source).arg("-o").arg(&program);
    command.args(found.flags.libdirs.iter().map(|dir| format!("-L{}", dir.display())));
    command.args(&found.flags.files).args(found.flags.libs.iter().map(|name| format!("-l{name}")));
    assert!(command.status().unwrap().success(), "{command:?}");
    program
}

/// Runs the program on each MPI, and checks how it ends.
fn on_each(ranks: usize, argument: &str, limit: u64, check: impl Fn(&Installation, &Ending, Duration)) {
    for found in installations() {
        let folder = tempfile::tempdir().unwrap();
        let program = compile(&found, folder.path());
        let options = Options {
            ranks,
            genv: vec![("LAUNCH_TEST".into(), "with a space".into())],
            timeout: Some(Duration::from_secs(limit)),
            ..Options::default()
        };
        let launcher = Launcher::of(&found).unwrap();
        let started = Instant::now();
        let mut job = launcher.start(&options, &program, &[argument.into()], Output::Capture).unwrap();
        let ending = job.wait().unwrap();
        println!("{} {}: {argument}, {:?}", found.probe.family, found.probe.version, started.elapsed());
        check(&found, &ending, started.elapsed());
        assert!(job.processes().is_empty());
        assert!(!is_running(&program), "{:?}", found.mpiexec);
    }
}

/// Whether any process, whoever started it, runs this program.
fn is_running(program: &Path) -> bool {
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes.filter_map(|process| fs::read_link(process.path().join("exe")).ok()).any(|file| file == program)
}

#[test]
fn four_ranks_find_each_other_as_root_and_on_fewer_cores() {
    on_each(4, "ok", 30, |found, ending, _| {
        let output = String::from_utf8_lossy(&ending.stdout);
        let mut lines: Vec<_> = output.lines().collect();
        lines.sort_unstable();
        let expected: Vec<_> = (0..4).map(|rank| format!("{rank} of 4 with a space")).collect();
        assert_eq!(lines, expected, "{:?}\n{}", found.mpiexec, String::from_utf8_lossy(&ending.stderr));
        assert_eq!(ending.exit_code(), 0);
    });
}

#[test]
fn the_code_of_an_abort_is_the_jobs() {
    on_each(2, "abort", 30, |found, ending, _| assert_eq!(ending.exit_code(), 5, "{:?}", found.mpiexec));
}

#[test]
fn a_rank_that_exits_ends_the_job_with_an_error() {
    on_each(2, "exit", 30, |found, ending, _| {
        assert!(!ending.timed_out && ending.exit_code() != 0, "{:?}: {ending:?}", found.mpiexec);
    });
}

#[test]
fn no_rank_survives_a_time_out() {
    on_each(2, "hang", 6, |found, ending, elapsed| {
        assert!(ending.timed_out, "{:?}", found.mpiexec);
        assert!(elapsed < Duration::from_secs(25), "{:?}: {elapsed:?}", found.mpiexec);
        let output = String::from_utf8_lossy(&ending.stdout);
        assert_eq!(output.matches(" of 2 ").count(), 2, "output until then is kept");
    });
}
