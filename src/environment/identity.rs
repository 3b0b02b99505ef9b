//! Who this process is, for messages: asked once at `init`, so that saying it needs no MPI.

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

/// `[rank 1 of 4 on host] `, or `mpi: ` before `init`.
pub(crate) fn prefix() -> String {
    match IDENTITY.get() {
        Some(Identity { rank, size, host }) => format!("[rank {rank} of {size} on {host}] "),
        None => "mpi: ".into(),
    }
}
