//! While MPI calls a function of the user, the function cannot call MPI.
//!
//! It can capture no handle, since none is `Send`; but it could make one, or find one in a thread-local. Making, freeing
//! and finalizing look at a flag of the thread. Calls with a handle at hand are refused by the test that they make anyway,
//! whether MPI is live, because this closes MPI for the one thread that may use it. Where several may, that test always
//! takes its slow way, which looks at the flag.

use super::state;
use std::cell::Cell;

thread_local!(static IN_CALLBACK: Cell<bool> = const { Cell::new(false) });

/// Whether this thread runs a function that MPI has called.
#[inline]
pub(crate) fn in_callback() -> bool {
    IN_CALLBACK.get()
}

/// Exists while MPI calls a function of the user on this thread.
pub(crate) struct Callback {
    was_in: bool,
    has_closed: bool,
}

impl Callback {
    pub(crate) fn begin() -> Self {
        let was_in = IN_CALLBACK.replace(true);
        Callback { was_in, has_closed: state::close() }
    }
}

impl Drop for Callback {
    fn drop(&mut self) {
        if self.has_closed {
            state::reopen();
        }
        IN_CALLBACK.set(self.was_in);
    }
}
