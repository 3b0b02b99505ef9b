//! Runs functions marked `#[mpi::test]` on several ranks, with a time limit and a report of where each rank stood.
//!
//! ```
//! #[mpi::test(ranks = [1, 2, 4], timeout = 30)]
//! fn everyone_arrives(world: mpi::Communicator) -> mpi::Result<()> {
//!     world.barrier()
//! }
//! ```
//!
//! # How it works
//!
//! Each such function is an ordinary `#[test]` to the test harness, so plain `cargo test`, `cargo nextest` and the
//! buttons of an IDE run it, with their filters. No launcher is needed outside: the test starts one.
//!
//! - The first test that the harness calls starts *this same test binary* under the `mpiexec` of the MPI it was linked
//!   with, once for each rank count, smallest first, for **all** the tests that the harness was asked to run. Starting
//!   MPI costs more than most tests do, so it is paid once per rank count, not once per test. (`cargo nextest` runs each
//!   test in a process of its own, so there each pays for itself; `cargo mpi test` does not.)
//! - On a rank, the same call runs the listed tests in order, on a fresh duplicate of the world each, and records what
//!   happened in a file. The waiting tests read the records, and pass or fail.
//! - The first failure ends that launch, because ranks that wait for one that failed would wait for ever. What had
//!   passed until then stays; the remaining tests get a new launch.
//! - A test that exceeds its time limit is hung: each rank is asked for its stack, then the whole job is killed. The
//!   report says where each rank stood, as in `rank 1 of 4: hung in mpi::Communicator::barrier at tests/halo.rs:31`.
//! - A rank that dies (a signal, `exit`, an abort) fails the test it was in, by name.
//! - Output of the ranks is kept per rank, and shown with prefix `[rank] ` as the harness shows output of any test:
//!   when the test fails, or with `--nocapture`.
//! - Only one launch runs at a time on a machine, whatever number of test binaries run: ranks that share cores spin.
//!
//! # Variables
//!
//! | variable | meaning |
//! |---|---|
//! | `MPI_TEST_TIMEOUT=120` | seconds each test may take on each rank count, instead of what the tests say |
//! | `MPI_TEST_TIMEOUT=x3` | three times what the tests say: for a slow machine, an emulator, Valgrind |
//! | `MPI_TEST_MAX_RANKS=2` | leave out launches with more ranks |
//! | `MPI_TEST_WRAPPER='valgrind -q'` | a program, with arguments, that runs each rank |
//! | `MPI_TEST_VERBOSE=1` | print each launch and how long it took |
//! | `MPI_TEST_DIR=path` | where ranks write their records: a folder that every node sees (default: beside the binary) |
//!
//! `MPI_TEST_RANK_DIR` is how a rank is told that it is one; nobody else should set it.
//!
//! # Limits
//!
//! The order of tests within a launch is that of their names. A test must not leave threads behind that use MPI.
//! Nothing is known about ranks that run on another machine once they hang, except what they recorded before.

mod batch;
mod case;
mod environment;
mod folder;
mod launch;
mod question;
mod queue;
mod rank;
mod record;
mod remedy;
mod report;
mod selection;
mod stack;
mod stage;
mod turn;
mod verdict;

pub use case::{Mpi, Outcome, TestCase};
pub use turn::Turn;

/// What the macros need; not for use by hand.
#[doc(hidden)]
pub mod private {
    pub use inventory;
}

/// Makes a test known to the launches of its binary; `#[mpi::test]` writes this.
#[doc(hidden)]
#[macro_export]
macro_rules! register {
    ($case:expr) => {
        $crate::private::inventory::submit! { $case }
    };
}

/// Runs one test, on a rank or by starting ranks. `#[mpi::test]` calls it from the `#[test]` function.
///
/// # Panics
/// With the report, if the test failed on any rank of any rank count. On a rank it does not return.
#[track_caller]
pub fn run(case: &'static TestCase) {
    if let Some(folder) = folder::Folder::of_this_rank() {
        rank::serve(&folder, case.mpi);
    }
    let reports = queue::run(case);
    assert!(reports.is_empty(), "{}", reports.join("\n"));
}
