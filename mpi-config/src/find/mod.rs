//! Finds an MPI installation and learns everything a build needs from its wrapper and its header.
//!
//! The order: `MPICC`; a prefix named by `MPI_HOME`, `MPI_ROOT`, `I_MPI_ROOT` or `CRAY_MPICH_DIR`; `mpicc` on
//! `PATH`; pkg-config; the usual folders. What the user named must work: it is never silently passed over.

pub mod advice;
mod candidate;
mod environment;
mod examine;
mod failure;
mod flags;
mod header;
mod launcher;
mod probe;
mod wrapper;

use std::path::PathBuf;

pub use environment::{Environment, VARIABLES};
pub use flags::Flags;
pub use header::Names;
pub use probe::{Handles, Probe};

use failure::Failure;

use crate::Error;

/// An MPI that programs can be built with.
#[derive(Debug, Clone)]
pub struct Installation {
    /// Why this one: `MPICC=mpicc.mpich`, `mpicc on PATH`, `pkg-config ompi-c`, …
    pub source: String,
    /// The compiler wrapper, if one answered.
    pub mpicc: Option<PathBuf>,
    /// What it takes to compile and link.
    pub flags: Flags,
    /// What the header says.
    pub probe: Probe,
    /// The launcher that belongs to it, if installed.
    pub mpiexec: Option<PathBuf>,
    /// The folder of a self-contained installation; `None` for one spread over `/usr`.
    pub prefix: Option<PathBuf>,
    /// What came earlier in the order and could not be used, with the reason.
    pub passed_over: Vec<String>,
}

/// The MPI a build should use.
pub fn find(env: &Environment) -> Result<Installation, Error> {
    let mut failures = Vec::new();
    for candidate in candidate::for_build(env) {
        match (candidate.examine(env), candidate.required()) {
            (Ok(found), _) => return Ok(Installation { passed_over: failure::unusable(&failures), ..found }),
            (Err(Failure::Machine(error)), _) => return Err(error),
            (Err(failure), Some(wanted)) => return Err(failure.of_named(&candidate.source(), wanted)),
            (Err(failure), None) => failures.push((candidate.source(), failure)),
        }
    }
    Err(failure::of_search(&failures))
}

/// Every MPI of the machine, the one [`find`] chooses first, each once.
pub fn find_all(env: &Environment) -> Vec<Installation> {
    let mut all: Vec<Installation> = Vec::new();
    for candidate in candidate::for_build(env).into_iter().chain(candidate::SIDE_BY_SIDE) {
        if let Ok(found) = candidate.examine(env)
            && !all.iter().any(|known| known.probe.header == found.probe.header)
        {
            all.push(found);
        }
    }
    all
}

/// The first line a program complained with.
fn first_line(stderr: &[u8]) -> String {
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().find(|line| !line.trim().is_empty());
    line.unwrap_or("it said nothing").trim().to_owned()
}
