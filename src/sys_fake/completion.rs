//! Completion of several requests, and looking at them: `any`, `some`, `all`, `MPI_Request_get_status`.

use super::abi::*;
use super::process::{Process, enter};
use super::requests::report;
use super::traffic::Outcome;
use std::os::raw::c_int;

/// The requests of an array that are not null: index and name.
///
/// # Safety
/// `count` handles.
unsafe fn active(count: c_int, requests: *const MPI_Request) -> Vec<(usize, usize)> {
    let n = usize::try_from(count).expect("fake MPI: a negative count");
    // SAFETY: entries of an array of handles.
    let handle = |i| unsafe { requests.wrapping_add(i).read() };
    (0..n)
        .map(|i| (i, handle(i)))
        .filter(|(_, h)| *h != MPI_REQUEST_NULL)
        .map(|(i, h)| (i, h.addr()))
        .collect()
}

impl Process {
    #[track_caller]
    fn outcome(&self, name: usize) -> Option<Outcome> {
        let request = self.traffic.requests.get(&name);
        request.expect("fake MPI: not a request, or one that is complete").ended()
    }

    /// Waits until one of the requests is complete.
    #[track_caller]
    fn wait_for_one(&mut self, names: &[(usize, usize)], call: &str) {
        while names.iter().all(|(_, name)| self.outcome(*name).is_none()) {
            assert!(self.traffic.step(), "fake MPI: {call} would wait for ever");
        }
    }

    /// Completes request `i` of an array.
    ///
    /// # Safety
    /// The array is as long as `i` says.
    unsafe fn take(&mut self, requests: *mut MPI_Request, i: usize, name: usize) -> Option<Outcome> {
        let outcome = self.reap(name)?;
        // SAFETY: this function's contract.
        unsafe { requests.wrapping_add(i).write(MPI_REQUEST_NULL) };
        Some(outcome)
    }

    /// After an error Open MPI frees every request that has failed, and reports one of them.
    ///
    /// # Safety
    /// `names` are of the array.
    unsafe fn free_failed(&mut self, requests: *mut MPI_Request, names: &[(usize, usize)]) {
        for &(i, name) in names {
            let failed = self.traffic.requests.get(&name).and_then(|request| request.outcome);
            if failed.is_some_and(|outcome| outcome.code != MPI_SUCCESS) {
                // SAFETY: this function's contract.
                unsafe { self.take(requests, i, name) };
            }
        }
    }
}

/// # Safety
/// As `MPI_Testany`.
unsafe fn any(
    mut process: impl std::ops::DerefMut<Target = Process>,
    names: &[(usize, usize)],
    requests: *mut MPI_Request,
    index: *mut c_int,
    status: *mut MPI_Status,
) -> Option<c_int> {
    let Some(&(i, name)) = names.iter().find(|(_, name)| process.outcome(*name).is_some()) else {
        if names.is_empty() {
            // SAFETY: as this function's.
            unsafe { report(status, EMPTY) };
        }
        // SAFETY: an out-argument.
        unsafe { index.write(MPI_UNDEFINED) };
        return names.is_empty().then_some(MPI_SUCCESS);
    };
    // SAFETY: a name of the array.
    let outcome = unsafe { process.take(requests, i, name) }?;
    // SAFETY: an out-argument.
    unsafe { index.write(i as c_int) };
    // SAFETY: as this function's.
    unsafe { report(status, outcome.status) };
    if outcome.code != MPI_SUCCESS {
        // SAFETY: names of the array.
        unsafe { process.free_failed(requests, names) };
    }
    Some(outcome.code)
}

pub unsafe extern "C" fn MPI_Waitany(
    count: c_int,
    requests: *mut MPI_Request,
    index: *mut c_int,
    status: *mut MPI_Status,
) -> c_int {
    let mut process = enter("MPI_Waitany");
    // SAFETY: as this function's.
    let names = unsafe { active(count, requests) };
    if !names.is_empty() {
        process.wait_for_one(&names, "MPI_Waitany");
    }
    // SAFETY: as this function's.
    unsafe { any(process, &names, requests, index, status) }.expect("one is complete, or there is none")
}

pub unsafe extern "C" fn MPI_Testany(
    count: c_int,
    requests: *mut MPI_Request,
    index: *mut c_int,
    flag: *mut c_int,
    status: *mut MPI_Status,
) -> c_int {
    let process = enter("MPI_Testany");
    // SAFETY: as this function's.
    let names = unsafe { active(count, requests) };
    // SAFETY: as this function's.
    let found = unsafe { any(process, &names, requests, index, status) };
    // SAFETY: an out-argument.
    unsafe { flag.write(found.is_some().into()) };
    found.unwrap_or(MPI_SUCCESS)
}

/// # Safety
/// As `MPI_Testsome`.
unsafe fn some(
    mut process: impl std::ops::DerefMut<Target = Process>,
    names: &[(usize, usize)],
    requests: *mut MPI_Request,
    out: (*mut c_int, *mut c_int, *mut MPI_Status),
) -> c_int {
    let (outcount, indices, statuses) = out;
    let (mut n, mut failed) = (0, false);
    for &(i, name) in names {
        // SAFETY: a name of the array.
        let Some(outcome) = (unsafe { process.take(requests, i, name) }) else { continue };
        // SAFETY: room for as many as there are requests.
        unsafe { indices.wrapping_add(n).write(i as c_int) };
        // SAFETY: as above.
        unsafe { statuses.wrapping_add(n).write(outcome.status) };
        n += 1;
        failed |= outcome.code != MPI_SUCCESS;
    }
    // SAFETY: an out-argument.
    unsafe { outcount.write(if names.is_empty() { MPI_UNDEFINED } else { n as c_int }) };
    if failed { IN_STATUS } else { MPI_SUCCESS }
}

pub unsafe extern "C" fn MPI_Waitsome(
    count: c_int,
    requests: *mut MPI_Request,
    outcount: *mut c_int,
    indices: *mut c_int,
    statuses: *mut MPI_Status,
) -> c_int {
    let mut process = enter("MPI_Waitsome");
    // SAFETY: as this function's.
    let names = unsafe { active(count, requests) };
    if !names.is_empty() {
        process.wait_for_one(&names, "MPI_Waitsome");
    }
    // SAFETY: as this function's.
    unsafe { some(process, &names, requests, (outcount, indices, statuses)) }
}

pub unsafe extern "C" fn MPI_Testsome(
    count: c_int,
    requests: *mut MPI_Request,
    outcount: *mut c_int,
    indices: *mut c_int,
    statuses: *mut MPI_Status,
) -> c_int {
    let process = enter("MPI_Testsome");
    // SAFETY: as this function's.
    let names = unsafe { active(count, requests) };
    // SAFETY: as this function's.
    unsafe { some(process, &names, requests, (outcount, indices, statuses)) }
}

pub unsafe extern "C" fn MPI_Request_get_status_any(
    count: c_int,
    requests: *const MPI_Request,
    index: *mut c_int,
    flag: *mut c_int,
    status: *mut MPI_Status,
) -> c_int {
    let process = enter("MPI_Request_get_status_any");
    // SAFETY: as this function's.
    let names = unsafe { active(count, requests) };
    let found = names.iter().find_map(|&(i, name)| Some((i as c_int, process.outcome(name)?.status)));
    let found = found.or(names.is_empty().then_some((MPI_UNDEFINED, EMPTY)));
    // SAFETY: an out-argument.
    unsafe { flag.write(found.is_some().into()) };
    let Some((i, value)) = found else { return MPI_SUCCESS };
    // SAFETY: an out-argument.
    unsafe { index.write(i) };
    // SAFETY: as this function's.
    unsafe { report(status, value) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Request_get_status_some(
    count: c_int,
    requests: *const MPI_Request,
    outcount: *mut c_int,
    indices: *mut c_int,
    statuses: *mut MPI_Status,
) -> c_int {
    let process = enter("MPI_Request_get_status_some");
    // SAFETY: as this function's.
    let names = unsafe { active(count, requests) };
    let mut n = 0;
    for &(i, name) in &names {
        let Some(outcome) = process.outcome(name) else { continue };
        // SAFETY: room for as many as there are requests.
        unsafe { indices.wrapping_add(n).write(i as c_int) };
        // SAFETY: as above.
        unsafe { statuses.wrapping_add(n).write(outcome.status) };
        n += 1;
    }
    // SAFETY: an out-argument.
    unsafe { outcount.write(if names.is_empty() { MPI_UNDEFINED } else { n as c_int }) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Request_get_status_all(
    count: c_int,
    requests: *const MPI_Request,
    flag: *mut c_int,
    statuses: *mut MPI_Status,
) -> c_int {
    let process = enter("MPI_Request_get_status_all");
    // SAFETY: as this function's.
    let names = unsafe { active(count, requests) };
    let complete = names.iter().all(|(_, name)| process.outcome(*name).is_some());
    // SAFETY: an out-argument.
    unsafe { flag.write(complete.into()) };
    for (i, name) in names.into_iter().filter(|_| complete) {
        if let Some(outcome) = process.outcome(name) {
            // SAFETY: room for as many as there are requests.
            unsafe { statuses.wrapping_add(i).write(outcome.status) };
        }
    }
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Test_cancelled(status: *const MPI_Status, flag: *mut c_int) -> c_int {
    // SAFETY: a status that a call has written.
    let cancelled = unsafe { status.read() }.bytes == GARBAGE;
    // SAFETY: an out-argument.
    unsafe { flag.write(cancelled.into()) };
    MPI_SUCCESS
}
