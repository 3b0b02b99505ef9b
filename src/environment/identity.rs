//! Who this process is, for messages: asked once at `init`, so that saying it needs no MPI.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::OnceLock;

struct Identity {
    rank: usize,
    size: usize,
    host: String,
}

static IDENTITY: OnceLock<Identity> = OnceLock::new();

pub(super) fn set(rank: usize, size: usize, host: String) {
    let _ = IDENTITY.set(Identity { rank, size, host }); // a second attach finds the same process
}

/// Writes a message to standard error, after the name of this process, in one piece: the lines of several ranks do not
/// mix, and a launcher that is about to end the job does not cut one in two.
///
/// Unlike `eprintln!` it does not panic where nobody reads.
pub(crate) fn report(message: impl Display) {
    let line = format!("{}{message}\n", prefix());
    let _ = io::stderr().write_all(line.as_bytes());
}

/// `[rank 1 of 4 on host] `, or `mpi: ` before `init`.
fn prefix() -> String {
    match IDENTITY.get() {
        Some(Identity { rank, size, host }) => format!("[rank {rank} of {size} on {host}] "),
        None => "mpi: ".into(),
    }
}
