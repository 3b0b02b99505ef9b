//! A C program and a Rust program in one job, which must agree on every byte of what they send each other.

#[path = "common/example.rs"]
mod example;

use mpi::test_support::{FAMILY, IMPL_VERSION, LIBDIRS, MPICC, MPIEXEC, PREFIX};
use mpi_config::launch::{Launcher, Options, Output};
use std::path::Path;
use std::process::Command;
use std::time::Duration;

#[test]
fn layouts_and_types_of_c_and_of_rust() {
    if MPICC.is_empty() || MPIEXEC.is_empty() {
        return; // stub mode: there is nothing to run
    }
    let folder = tempfile::tempdir().unwrap();
    let half = folder.path().join("half");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/interop");
    let mut mpicc = Command::new(MPICC);
    mpicc
        .args(["-std=c11", "-Wall", "-Werror", "-O1"])
        .args(["half.c", "structs.c", "others.c"].map(|name| sources.join(name)))
        .arg("-o")
        .arg(&half);
    if FAMILY == "intel" {
        mpicc.env("I_MPI_ROOT", PREFIX); // without it the wrapper prints a placeholder
    }
    assert!(mpicc.status().unwrap().success(), "{mpicc:?}");

    let launcher = Launcher::from_parts(FAMILY, IMPL_VERSION, MPIEXEC, LIBDIRS, PREFIX).unwrap();
    let options = Options { timeout: Some(Duration::from_secs(60)), ..Options::default() };
    let rust = example::build("interop");
    let second = [":".into(), "-n".into(), "1".into(), half.into_os_string()];
    let ending = launcher.start(&options, &rust, &second, Output::Capture).unwrap().wait().unwrap();
    let stdout = String::from_utf8_lossy(&ending.stdout);
    assert_eq!(ending.exit_code(), 0, "{ending:?}");
    for line in [
        "C: 0 of 18 layouts differ",
        "Rust: 0 of 18 layouts differ",
        "C: 0 of 32 structs differ",
        "Rust: 0 of 16 structs differ",
        "C: 0 of 10 others differ",
        "Rust: 0 of 5 others differ",
    ] {
        assert!(stdout.contains(line), "{ending:?}");
    }
}
