//! Why a place holds no MPI that can be used.

use super::advice;
use crate::Error;

/// What became of one candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// Nothing is there.
    Absent(String),
    /// Something is there, but it does not do what an MPI compiler wrapper does.
    Unusable(String),
    /// An MPI is there whose header cannot be read: most often the development package is missing.
    NoHeader(String),
    /// It is the machine's fault, and would be with every other MPI too.
    Machine(Error),
}

impl Failure {
    /// The reason in one line.
    pub(super) fn reason(&self) -> &str {
        match self {
            Failure::Absent(reason) | Failure::Unusable(reason) | Failure::NoHeader(reason) => reason,
            Failure::Machine(error) => error.problem(),
        }
    }

    /// The message for a place that the user named in a variable: `MPICC=gcc` and what a value should be.
    pub(super) fn of_named(self, setting: &str, wanted: &str) -> Error {
        let variable = setting.split('=').next().unwrap_or(setting);
        let advice = format!("Set {variable} to {wanted}, or unset it.");
        match self {
            Failure::Machine(error) => error,
            Failure::NoHeader(reason) => {
                Error::new(format!("{setting}: {reason}")).advice(format!("{advice}\n{}", advice::mpi()))
            }
            Failure::Absent(reason) | Failure::Unusable(reason) => {
                Error::new(format!("{setting}: {reason}")).advice(advice)
            }
        }
    }
}

/// The message after everything was tried in vain.
pub(super) fn of_search(failures: &[(String, Failure)]) -> Error {
    let absent = |failure: &Failure| matches!(failure, Failure::Absent(_));
    let present = failures.iter().filter(|(_, failure)| !absent(failure));
    let mut tried: Vec<String> =
        present.map(|(source, failure)| format!("{source}: {}", failure.reason())).collect();
    let missing = failures.iter().filter(|(_, failure)| absent(failure)).map(|(source, _)| source.as_str());
    let missing: Vec<&str> = missing.collect();
    if !missing.is_empty() {
        tried.push(format!("{}: no MPI there", missing.join(", ")));
    }
    Error::new("no usable MPI found").tried(tried).advice(advice::mpi())
}
