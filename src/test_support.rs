//! What `#[mpi::test]` and the workspace's own benches need of this crate. Not part of its interface.

use crate::comm::Communicator;
use crate::ffi;

/// What tests on the fake MPI see of it.
#[cfg(miri)]
pub use crate::sys_fake::hooks;
/// How many requests of a scope have a place without an allocation.
#[cfg(miri)]
pub const PLACES: usize = crate::scope::INLINE;

/// V forms by `MPI_Alltoallw`, as large counts go with some libraries.
pub use crate::collective::large::{allgatherv_by_parts, alltoallv_by_parts};
pub use crate::ffi::{FAMILY, IMPL_VERSION, LIBDIRS, MPICC, MPIEXEC, PREFIX, STD_VERSION};

/// A world of a test's own: on the ranks that `mpi-test` starts, many tests share a process, and a rank that runs
/// ahead into the next one must not have its messages taken for this one's. There, collectives look whether all ranks
/// agree ([`Communicator::checked`]).
///
/// # Panics
/// If MPI cannot be initialized or the world not be duplicated: the test has failed.
pub fn world() -> Communicator {
    let world = crate::init().unwrap_or_else(|e| panic!("{e}"));
    if std::env::var_os("MPI_TEST_RANK_DIR").is_none() {
        return world;
    }
    world.dup().unwrap_or_else(|e| panic!("{e}")).checked()
}

/// Ends the job.
pub fn abort(code: i32) -> ! {
    if crate::environment::usable_here() { ffi::abort(code) } else { std::process::exit(code) }
}

/// How many handles keep MPI live.
pub fn handles() -> usize {
    crate::environment::handles()
}
