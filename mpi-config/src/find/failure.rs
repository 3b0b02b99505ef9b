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
    fn is_absent(&self) -> bool {
        matches!(self, Failure::Absent(_))
    }

    /// The reason in one line.
    fn reason(&self) -> &str {
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

/// What holds an MPI that cannot be used, and why: worth a warning even if another one was found.
pub(super) fn unusable(failures: &[(String, Failure)]) -> Vec<String> {
    let present = failures.iter().filter(|(_, failure)| !failure.is_absent());
    present.map(|(source, failure)| format!("{source}: {}", failure.reason())).collect()
}

/// The message after everything was tried in vain.
pub(super) fn of_search(failures: &[(String, Failure)]) -> Error {
    let mut tried = unusable(failures);
    let absent = failures.iter().filter(|(_, failure)| failure.is_absent());
    let absent: Vec<&str> = absent.map(|(source, _)| source.as_str()).collect();
    if !absent.is_empty() {
        tried.push(format!("{}: no MPI there", absent.join(", ")));
    }
    Error::new("no usable MPI found").tried(tried).advice(advice::mpi())
}
