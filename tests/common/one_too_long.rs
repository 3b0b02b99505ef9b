//! Four messages to rank 0, of which one is too long: what a `wait_all` is tested with that fails while others are in
//! flight.

use mpi::environment::{Family, bound_library};
use mpi::{Communicator, Error, ErrorClass, Result};
use std::time::Duration;

/// Of the message that says that `wait_all` has failed.
const FAILED: i32 = 9;

/// Whether `wait_all` returns as soon as one has failed. MPICH's `MPI_Waitall` waits for the others first, and then leaves
/// those behind the failed one to be asked for again.
pub fn returns_early() -> bool {
    bound_library().family == Family::OpenMpi
}

/// Message 1 is too long, and has come before rank 0 waits. Where that can be, messages 2 and 3 are sent only when its
/// `wait_all` has failed.
pub fn send(world: &Communicator) -> Result<()> {
    world.send(&[10u32], 0, 0)?;
    world.send(&[11u32; 3], 0, 1)?;
    world.barrier()?;
    if returns_early() {
        world.recv::<u8>(0, FAILED)?;
    } else {
        std::thread::sleep(Duration::from_millis(50));
    }
    (2..4).try_for_each(|tag| world.send(&[10 + tag as u32], 0, tag))
}

/// Rank 0 has got this error of its `wait_all`.
#[track_caller]
pub fn seen(world: &Communicator, error: Error) -> Result<()> {
    assert_eq!((error.class(), error.index()), (ErrorClass::TRUNCATE, Some(1)), "{error}");
    if returns_early() { world.send(&0u8, 1, FAILED) } else { Ok(()) }
}
