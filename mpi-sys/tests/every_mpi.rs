//! Builds this crate against each MPI that is installed, in turn and in one target folder: that another `MPICC`
//! rebuilds, and that what was built links, loads and agrees with the header.
//!
//! `MPI_SYS_TEST_MPICCS` (wrappers, joined by `:`) adds to Debian's two.

use std::path::Path;
use std::process::{Command, Output};

const DEBIAN: [&str; 2] = ["mpicc.openmpi", "mpicc.mpich"];

/// Runs this package's other tests with that wrapper. The folder is kept between runs: bindgen is slow to compile.
fn test(mpicc: &str) -> Output {
    Command::new(env!("CARGO"))
        .args(["test", "--offline", "--manifest-path", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")])
        .arg("--target-dir")
        .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("every-mpi"))
        .args(["--test", "library", "--test", "layout", "--", "--nocapture", "--test-threads=1"])
        .env("MPICC", mpicc)
        .env_remove("MPI_SYS_STUB")
        .output()
        .expect("cargo starts")
}

/// The version text of the library that the tests, built with this wrapper, have loaded.
fn loaded(mpicc: &str) -> String {
    let output = test(mpicc);
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "MPICC={mpicc}: {text}");
    text.lines()
        .find_map(|line| line.split_once("loaded: "))
        .map(|(_, text)| text)
        .expect("a line of tests/library.rs")
        .to_owned()
}

fn is_installed(mpicc: &str) -> bool {
    Command::new(mpicc).arg("-show").output().is_ok_and(|output| output.status.success())
}

#[test]
fn each_is_bound_in_turn() {
    let given = std::env::var("MPI_SYS_TEST_MPICCS").unwrap_or_default();
    let mut texts = Vec::new();
    for mpicc in DEBIAN.into_iter().chain(given.split(':').filter(|mpicc| !mpicc.is_empty())) {
        if !is_installed(mpicc) {
            println!("skipped: {mpicc} is not installed");
            continue;
        }
        let text = loaded(mpicc);
        println!("{mpicc}: {text}");
        assert!(!texts.contains(&text), "MPICC={mpicc} did not rebuild: {text} is loaded again");
        texts.push(text);
    }
}
