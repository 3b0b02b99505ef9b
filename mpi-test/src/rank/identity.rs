//! Who this rank is, asked of the environment and the system: MPI may not be up yet, or never.

use crate::record::Record;
use std::{env, fs};

/// Variables by which launchers tell a process its rank, the most specific first.
const VARIABLES: [&str; 4] = ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"];

pub(super) fn from_environment() -> Option<usize> {
    VARIABLES.into_iter().find_map(|name| env::var(name).ok()?.parse().ok())
}

/// The record by which the process can be found.
pub(super) fn hello() -> Record {
    Record::Hello { process: std::process::id().cast_signed(), thread: thread(), host: host() }
}

/// This machine's name; empty where the system does not tell it in a file, as if there were one machine.
pub(crate) fn host() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname").map(|name| name.trim().to_owned()).unwrap_or_default()
}

#[cfg(target_os = "linux")]
fn thread() -> i32 {
    // SAFETY: gettid has no preconditions and cannot fail.
    unsafe { libc::gettid() }
}

/// Without thread ids, signals go to the process.
#[cfg(not(target_os = "linux"))]
fn thread() -> i32 {
    0
}
