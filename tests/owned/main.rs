//! Requests that own their buffer, on a real MPI: kept, collected, awaited, dropped.

mod cancel;
mod ends;
mod futures;
mod generalized;
mod posts;
#[path = "../common/sample.rs"]
mod sample;
mod sets;

use mpi::Communicator;

/// The other of two.
fn other(world: &Communicator) -> usize {
    1 - world.rank()
}
