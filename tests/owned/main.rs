//! Requests that own their buffer, on a real MPI: kept, collected, awaited, dropped.

mod cancel;
mod ends;
mod failures;
mod futures;
mod generalized;
#[path = "../common/one_too_long.rs"]
mod one_too_long;
mod posts;
#[path = "../common/sample.rs"]
mod sample;
mod sets;

use mpi::Communicator;

/// The other of two.
fn other(world: &Communicator) -> usize {
    1 - world.rank()
}
