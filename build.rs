//! Passes on what `mpi-sys` found: which optional functions exist, and where the library lives.
//!
//! - `cfg(mpi_has = "MPI_Isendrecv")` for each function and constant of the standard that the installed MPI has;
//! - `cfg(mpi_abi = "openmpi" | "mpich" | "standard" | "unknown")`;
//! - an rpath for this package's own examples, tests and benches;
//! - everything again as `DEP_MPI_SAFE_*`, for the build scripts of dependent crates.

use std::env;

/// What is handed through unchanged.
const FACTS: [&str; 8] =
    ["FAMILY", "ABI", "IMPL_VERSION", "STD_VERSION", "MPIEXEC", "PREFIX", "LIBDIRS", "INCLUDES"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    for fact in FACTS {
        println!("cargo::metadata={fact}={}", found(fact));
    }

    let known = found("KNOWN");
    println!("cargo::rustc-check-cfg=cfg(mpi_has, values({}))", quoted(known.split_whitespace()));
    let known: Vec<&str> = known.split_whitespace().collect();
    for list in ["FUNCTIONS", "CONSTANTS"] {
        let present = found(list);
        // Extensions exist too, but only what check-cfg knows may be named.
        for name in present.split_whitespace().filter(|name| known.contains(name)) {
            println!("cargo::rustc-cfg=mpi_has=\"{name}\"");
        }
        println!("cargo::metadata={list}={present}");
    }

    let abis = ["openmpi", "mpich", "standard", "unknown"];
    println!("cargo::rustc-check-cfg=cfg(mpi_abi, values({}))", quoted(abis));
    println!("cargo::rustc-cfg=mpi_abi=\"{}\"", found("ABI"));

    // What goes another way above `i32::MAX` elements does so above a few: for tests of those ways.
    println!("cargo::rustc-check-cfg=cfg(mpi_low_limit)");
    println!("cargo::rerun-if-env-changed=MPI_TEST_LOW_LIMIT");
    if env::var_os("MPI_TEST_LOW_LIMIT").is_some() {
        println!("cargo::rustc-cfg=mpi_low_limit");
    }

    for dir in found("LIBDIRS").split(':').filter(|dir| !dir.is_empty()) {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{dir}");
    }
}

/// What `mpi-sys`'s build script said under this key; empty if nothing.
fn found(key: &str) -> String {
    env::var(format!("DEP_MPI_{key}")).unwrap_or_default()
}

fn quoted<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    names.into_iter().map(|name| format!("\"{name}\"")).collect::<Vec<_>>().join(", ")
}
