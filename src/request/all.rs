//! `MPI_Waitall`, such that it returns.
//!
//! Open MPI 4 spins for ever in `MPI_Waitall` if a request has failed before the call (fault `waitall-spins`): it gives
//! up a wait that it has announced, and then waits for its end. Its `MPI_Testall` looks at failures only when all
//! requests are complete, and its `MPI_Waitany` when it meets one: they stand in for it.

use crate::ffi::{self, MPI_Request, MPI_Status};
use crate::status::Status;
use std::os::raw::c_int;

/// How often all requests are asked for before they are waited for one by one: a few milliseconds, so that a large group
/// of requests that complete soon costs no more than in one call.
const PATIENCE: usize = 10_000;

/// # Safety
/// `n` valid handles; `statuses` has room for as many, or is `MPI_STATUSES_IGNORE`.
#[inline(always)]
pub(crate) unsafe fn wait_all(n: c_int, handles: *mut MPI_Request, statuses: *mut MPI_Status) -> c_int {
    if cfg!(not(mpi_abi = "openmpi")) {
        // SAFETY: this function's contract.
        return unsafe { ffi::MPI_Waitall(n, handles, statuses) };
    }
    let mut flag = 0;
    // SAFETY: this function's contract; the flag is ours.
    let code = unsafe { ffi::MPI_Testall(n, handles, &raw mut flag, statuses) };
    if code != ffi::MPI_SUCCESS || flag != 0 {
        return code;
    }
    // SAFETY: this function's contract.
    unsafe { wait_longer(n, handles, statuses) }
}

/// # Safety
/// As `wait_all`.
#[cold]
#[inline(never)]
unsafe fn wait_longer(n: c_int, handles: *mut MPI_Request, statuses: *mut MPI_Status) -> c_int {
    for _ in 0..PATIENCE {
        let mut flag = 0;
        // SAFETY: this function's contract; the flag is ours.
        let code = unsafe { ffi::MPI_Testall(n, handles, &raw mut flag, statuses) };
        if code != ffi::MPI_SUCCESS || flag != 0 {
            return code;
        }
    }
    // SAFETY: this function's contract.
    unsafe { wait_one_by_one(n, handles, statuses) }
}

/// Waits until all requests are complete, or one has failed; in that case takes along what else is complete.
///
/// # Safety
/// As `wait_all`.
unsafe fn wait_one_by_one(n: c_int, handles: *mut MPI_Request, statuses: *mut MPI_Status) -> c_int {
    let mut pending = Status::empty();
    pending.MPI_ERROR = ffi::MPI_ERR_PENDING;
    let mut results = vec![pending; n as usize];
    let is_null = |i: usize| {
        // SAFETY: one of the `n` handles.
        let handle = unsafe { handles.wrapping_add(i).read() };
        handle == ffi::MPI_REQUEST_NULL
    };
    // Those complete before the call, of which nothing more is said.
    (0..results.len()).filter(|&i| is_null(i)).for_each(|i| results[i] = Status::nothing());

    let mut error = ffi::MPI_SUCCESS;
    loop {
        let (mut i, mut flag, mut status) = (ffi::MPI_UNDEFINED, 1, Status::empty());
        let code = if error == ffi::MPI_SUCCESS {
            // SAFETY: this function's contract; the out-arguments are ours.
            unsafe { ffi::MPI_Waitany(n, handles, &raw mut i, &raw mut status) }
        } else {
            // SAFETY: as above.
            unsafe { ffi::MPI_Testany(n, handles, &raw mut i, &raw mut flag, &raw mut status) }
        };
        if code == ffi::MPI_SUCCESS {
            let found = usize::try_from(i).ok().filter(|_| flag != 0);
            let Some(result) = found.and_then(|i| results.get_mut(i)) else { break };
            *result = status;
            result.MPI_ERROR = code;
            continue;
        }
        // Open MPI 4 frees all requests that have failed, and names one; Open MPI 5 keeps persistent ones.
        let named = usize::try_from(i).ok();
        let failed = |(i, result): &(usize, &mut MPI_Status)| {
            result.MPI_ERROR == ffi::MPI_ERR_PENDING && (is_null(*i) || named == Some(*i))
        };
        results.iter_mut().enumerate().filter(failed).for_each(|(_, result)| result.MPI_ERROR = code);
        if error != ffi::MPI_SUCCESS {
            break;
        }
        error = code;
    }
    if statuses == ffi::MPI_STATUSES_IGNORE.cast() {
        return error;
    }
    for (i, result) in results.into_iter().enumerate() {
        // SAFETY: one of the `n` statuses.
        unsafe { statuses.wrapping_add(i).write(result) };
    }
    if error == ffi::MPI_SUCCESS { error } else { ffi::MPI_ERR_IN_STATUS }
}
