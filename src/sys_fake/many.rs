//! Completion of several requests: any, some, all.

use super::abi::*;
use super::process::enter;
use super::requests::{MPI_Test, MPI_Wait, report};
use std::os::raw::c_int;

/// The places of the handles that are not null.
///
/// # Safety
/// `requests` is an array of `count` handles.
unsafe fn live(count: c_int, requests: *mut MPI_Request) -> Vec<usize> {
    // SAFETY: entries of the array.
    let is_live = |&i: &usize| unsafe { requests.wrapping_add(i).read() } != MPI_REQUEST_NULL;
    (0..count as usize).filter(is_live).collect()
}

/// Whether a request is complete; nothing is completed.
fn is_over(request: MPI_Request) -> bool {
    let process = enter("MPI_Request_get_status");
    process.traffic.requests.get(&request.addr()).expect("fake MPI: not a request").outcome.is_some()
}

/// The places of the requests that are complete. Every look moves what is in flight.
///
/// # Safety
/// As `live`.
unsafe fn over(count: c_int, requests: *mut MPI_Request) -> Vec<usize> {
    // SAFETY: as this function's.
    let live = unsafe { live(count, requests) };
    // SAFETY: entries of the array.
    live.into_iter().filter(|&i| is_over(unsafe { requests.wrapping_add(i).read() })).collect()
}

/// The same, when there is one at least.
///
/// # Safety
/// As `live`.
unsafe fn wait_for_some(call: &str, count: c_int, requests: *mut MPI_Request) -> Vec<usize> {
    loop {
        // SAFETY: as this function's.
        let over = unsafe { over(count, requests) };
        if !over.is_empty() {
            return over;
        }
        assert!(enter(call).traffic.step(), "fake MPI: {call} would wait for ever");
    }
}

pub unsafe extern "C" fn MPI_Waitany(
    count: c_int,
    requests: *mut MPI_Request,
    index: *mut c_int,
    status: *mut MPI_Status,
) -> c_int {
    // SAFETY: as this function's.
    if unsafe { live(count, requests) }.is_empty() {
        // SAFETY: an out-argument.
        unsafe { index.write(MPI_UNDEFINED) };
        // SAFETY: as this function's.
        unsafe { report(status, EMPTY) };
        return MPI_SUCCESS;
    }
    // SAFETY: as this function's. The last one: a caller must not count on the first.
    let i = unsafe { wait_for_some("MPI_Waitany", count, requests) }.pop().expect("one at least");
    // SAFETY: an out-argument.
    unsafe { index.write(i as c_int) };
    // SAFETY: an entry of the array.
    unsafe { MPI_Wait(requests.wrapping_add(i), status) }
}

pub unsafe extern "C" fn MPI_Testany(
    count: c_int,
    requests: *mut MPI_Request,
    index: *mut c_int,
    flag: *mut c_int,
    status: *mut MPI_Status,
) -> c_int {
    // SAFETY: as this function's.
    let idle = unsafe { live(count, requests) }.is_empty();
    // SAFETY: as this function's.
    let found = unsafe { over(count, requests) }.pop();
    // SAFETY: an out-argument.
    unsafe { flag.write((idle || found.is_some()).into()) };
    // SAFETY: an out-argument.
    unsafe { index.write(found.map_or(MPI_UNDEFINED, |i| i as c_int)) };
    match found {
        // SAFETY: an entry of the array.
        Some(i) => unsafe { MPI_Wait(requests.wrapping_add(i), status) },
        None => MPI_SUCCESS,
    }
}

/// Completes those at `places`, and reports on them in this order.
///
/// # Safety
/// Three arrays of as many entries as there are requests; `places` are entries.
unsafe fn complete(
    places: &[usize],
    requests: *mut MPI_Request,
    outcount: *mut c_int,
    indices: *mut c_int,
    statuses: *mut MPI_Status,
) -> c_int {
    // SAFETY: an out-argument.
    unsafe { outcount.write(places.len() as c_int) };
    let mut failed = false;
    for (n, &i) in places.iter().enumerate() {
        // SAFETY: an entry.
        unsafe { indices.wrapping_add(n).write(i as c_int) };
        let mut status = EMPTY;
        // SAFETY: an entry.
        let code = unsafe { MPI_Wait(requests.wrapping_add(i), &raw mut status) };
        failed |= code != MPI_SUCCESS;
        let statuses = if statuses.is_null() { statuses } else { statuses.wrapping_add(n) };
        // SAFETY: null, or an entry.
        unsafe { report(statuses, MPI_Status { MPI_ERROR: code, ..status }) };
    }
    if failed { IN_STATUS } else { MPI_SUCCESS }
}

pub unsafe extern "C" fn MPI_Waitsome(
    incount: c_int,
    requests: *mut MPI_Request,
    outcount: *mut c_int,
    indices: *mut c_int,
    statuses: *mut MPI_Status,
) -> c_int {
    // SAFETY: as this function's.
    if unsafe { live(incount, requests) }.is_empty() {
        // SAFETY: an out-argument.
        unsafe { outcount.write(MPI_UNDEFINED) };
        return MPI_SUCCESS;
    }
    // SAFETY: as this function's.
    let places = unsafe { wait_for_some("MPI_Waitsome", incount, requests) };
    // SAFETY: as this function's.
    unsafe { complete(&places, requests, outcount, indices, statuses) }
}

pub unsafe extern "C" fn MPI_Testsome(
    incount: c_int,
    requests: *mut MPI_Request,
    outcount: *mut c_int,
    indices: *mut c_int,
    statuses: *mut MPI_Status,
) -> c_int {
    // SAFETY: as this function's.
    if unsafe { live(incount, requests) }.is_empty() {
        // SAFETY: an out-argument.
        unsafe { outcount.write(MPI_UNDEFINED) };
        return MPI_SUCCESS;
    }
    // SAFETY: as this function's.
    let places = unsafe { over(incount, requests) };
    // SAFETY: as this function's.
    unsafe { complete(&places, requests, outcount, indices, statuses) }
}

pub unsafe extern "C" fn MPI_Testall(
    count: c_int,
    requests: *mut MPI_Request,
    flag: *mut c_int,
    statuses: *mut MPI_Status,
) -> c_int {
    // SAFETY: as this function's.
    let (live, over) = unsafe { (live(count, requests).len(), over(count, requests).len()) };
    // SAFETY: an out-argument.
    unsafe { flag.write((live == over).into()) };
    if live != over {
        return MPI_SUCCESS;
    }
    let mut failed = false;
    for i in 0..count as usize {
        let (mut status, mut flag) = (EMPTY, 0);
        // SAFETY: an entry of an array of handles.
        let code = unsafe { MPI_Test(requests.wrapping_add(i), &raw mut flag, &raw mut status) };
        failed |= code != MPI_SUCCESS;
        let statuses = if statuses.is_null() { statuses } else { statuses.wrapping_add(i) };
        // SAFETY: null, or an entry.
        unsafe { report(statuses, MPI_Status { MPI_ERROR: code, ..status }) };
    }
    if failed { IN_STATUS } else { MPI_SUCCESS }
}
