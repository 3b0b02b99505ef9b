//! The only file that names `mpi_sys`, and the one function that turns a return code into a `Result`.
//!
//! Under Miri a fake MPI that runs in one process stands in for the library.
#![allow(unsafe_code)]

#[cfg(miri)]
pub use crate::sys_fake::*;
#[cfg(not(miri))]
pub use mpi_sys::*;

use crate::error::{Error, Result};
use std::os::raw::c_int;
use std::time::Duration;

/// The name of an MPI function, kept behind a thin pointer so that an [`Error`] stays small.
pub(crate) type Call = &'static &'static str;

/// `Ok` if `code` is `MPI_SUCCESS`.
#[inline(always)]
pub(crate) fn check(call: Call, code: c_int) -> Result<()> {
    if code == MPI_SUCCESS { Ok(()) } else { Err(Error::from_code(call, code, class_of(code))) }
}

/// The class of an error code. Asked at once, on the thread that got the code, while MPI is live.
#[cold]
#[inline(never)]
pub(crate) fn class_of(code: c_int) -> c_int {
    let mut class = code;
    // SAFETY: `MPI_Error_class` writes one int; a code has just come from MPI, so MPI is live here.
    unsafe { MPI_Error_class(code, &raw mut class) };
    class
}

/// How long the launcher gets to read what was printed last, before it is told to end the job: MPICH's drops what is
/// still in the pipe, and with it the line that says why.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// Ends the job. Never returns, whatever the library does.
pub(crate) fn abort(code: c_int) -> ! {
    std::thread::sleep(LAST_WORDS);
    // SAFETY: a constant communicator; valid between init and finalize, and MPI may not be entered
    // otherwise: every caller holds a handle or has checked the state.
    unsafe { MPI_Abort(MPI_COMM_WORLD, code) };
    std::process::abort()
}
