//! What the tests share: a world of one rank on the fake MPI, for one test at a time.
//!
//! Everything here is safe Rust: what these tests cannot break, a user's program cannot.

use mpi::environment::{Builder, ThreadLevel};
use mpi::test_support::{PLACES, hooks};
use mpi::{Communicator, ErrorClass};
use std::mem;
use std::ops::Deref;
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

/// The world, and the turn of the test that holds it.
#[derive(Debug)]
pub struct World {
    comm: Communicator,
    _turn: MutexGuard<'static, ()>,
}

impl Deref for World {
    type Target = Communicator;
    fn deref(&self) -> &Communicator {
        &self.comm
    }
}

impl Drop for World {
    /// Nothing a test does may leave an operation behind.
    fn drop(&mut self) {
        if !std::thread::panicking() {
            assert_eq!(
                (hooks::in_flight(), hooks::requests()),
                (0, 0),
                "operations and requests left in flight"
            );
        }
    }
}

/// The world, when no other test uses it. Each test has a thread of its own, so MPI is started for all of them.
pub fn world() -> World {
    static TURN: Mutex<()> = Mutex::new(());
    static KEEP: Once = Once::new();
    let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let init = || Builder::new().threads(ThreadLevel::Multiple).init().expect("the fake MPI starts");
    KEEP.call_once(|| mem::forget(init())); // or the first test would finalize MPI for all
    World { comm: init(), _turn: turn }
}

/// More operations than a scope has places for without an allocation.
pub const MANY: usize = PLACES + PLACES / 4;

/// The class of an error that had to come.
#[track_caller]
pub fn class<T: std::fmt::Debug, E: Into<mpi::Error>>(result: Result<T, E>) -> ErrorClass {
    result.map_err(E::into).expect_err("an error").class()
}
