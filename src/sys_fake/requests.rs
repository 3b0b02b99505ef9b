//! Completion: `MPI_Wait`, `MPI_Test`, `MPI_Waitall`, `MPI_Cancel`.

use super::abi::*;
use super::hooks::{self, Pending};
use super::process::{Process, enter};
use super::traffic::Outcome;
use std::os::raw::c_int;

impl Process {
    /// What a request ended with, if it did; its handle is then gone, or inactive if it is persistent.
    #[track_caller]
    pub(super) fn reap(&mut self, name: usize) -> Option<Outcome> {
        let request =
            self.traffic.requests.get_mut(&name).expect("fake MPI: not a request, or one that is complete");
        if request.stuck {
            return None;
        }
        let (comm, outcome, generalized) = (request.comm, request.ended()?, request.generalized);
        match &mut request.persistent {
            Some(persistent) => {
                persistent.started = false;
                request.outcome = Some(Outcome::PLAIN);
            }
            None => drop(self.traffic.requests.remove(&name)),
        }
        if let Some(generalized) = generalized {
            generalized.free();
        }
        self.raise(comm, outcome.code);
        Some(outcome)
    }

    /// Waits for a request.
    #[track_caller]
    pub(super) fn finish(&mut self, name: usize, call: &str) -> Outcome {
        loop {
            if let Some(outcome) = self.reap(name) {
                return outcome;
            }
            assert!(self.traffic.step(), "fake MPI: {call} would wait for ever");
        }
    }

    /// What completion writes over a handle.
    pub(super) fn after_completion(&self, handle: MPI_Request) -> MPI_Request {
        if self.traffic.requests.contains_key(&handle.addr()) { handle } else { MPI_REQUEST_NULL }
    }

    /// Whether completing this request needs no waiting.
    #[track_caller]
    pub(super) fn is_complete(&self, handle: MPI_Request) -> bool {
        let request = self.traffic.requests.get(&handle.addr()).expect("fake MPI: not a request");
        request.outcome.is_some() && !request.stuck
    }

    fn is_stuck(&self, name: usize) -> bool {
        self.traffic.requests.get(&name).is_some_and(|request| request.stuck)
    }
}

/// # Safety
/// `status` is null, or may be written.
pub(super) unsafe fn report(status: *mut MPI_Status, value: MPI_Status) {
    if !status.is_null() {
        // SAFETY: not ignored, so an out-argument.
        unsafe { status.write(value) };
    }
}

pub unsafe extern "C" fn MPI_Wait(request: *mut MPI_Request, status: *mut MPI_Status) -> c_int {
    let mut process = enter("MPI_Wait");
    // SAFETY: an in-out-argument.
    let handle = unsafe { request.read() };
    if handle == MPI_REQUEST_NULL {
        // SAFETY: as this function's.
        unsafe { report(status, EMPTY) };
        return MPI_SUCCESS;
    }
    if process.is_stuck(handle.addr()) {
        return BROKEN;
    }
    let outcome = process.finish(handle.addr(), "MPI_Wait");
    // SAFETY: an in-out-argument.
    unsafe { request.write(process.after_completion(handle)) };
    // SAFETY: as this function's.
    unsafe { report(status, outcome.status) };
    outcome.code
}

pub unsafe extern "C" fn MPI_Test(
    request: *mut MPI_Request,
    flag: *mut c_int,
    status: *mut MPI_Status,
) -> c_int {
    let mut process = enter("MPI_Test");
    // SAFETY: an in-out-argument.
    let handle = unsafe { request.read() };
    let outcome = if handle == MPI_REQUEST_NULL {
        Some(Outcome { code: MPI_SUCCESS, status: EMPTY })
    } else {
        process.reap(handle.addr())
    };
    // SAFETY: an out-argument.
    unsafe { flag.write(outcome.is_some().into()) };
    let Some(outcome) = outcome else { return MPI_SUCCESS };
    // SAFETY: an in-out-argument.
    unsafe { request.write(process.after_completion(handle)) };
    // SAFETY: as this function's.
    unsafe { report(status, outcome.status) };
    outcome.code
}

/// In order, and if a test wants it so, what follows a failed operation is left live (`MPI_ERR_PENDING`), which the
/// standard allows and both libraries do.
pub unsafe extern "C" fn MPI_Waitall(
    count: c_int,
    requests: *mut MPI_Request,
    statuses: *mut MPI_Status,
) -> c_int {
    assert!(count >= 0, "fake MPI: a negative count");
    let leave = hooks::pending();
    let mut failed = false;
    for i in 0..count as usize {
        let request = requests.wrapping_add(i);
        let status = if statuses.is_null() { statuses } else { statuses.wrapping_add(i) };
        // SAFETY: an entry of an array of handles.
        let handle = unsafe { request.read() };
        if failed && leave != Pending::Never && handle != MPI_REQUEST_NULL {
            let mut process = enter("MPI_Waitall");
            let live = process.traffic.requests.get_mut(&handle.addr()).expect("fake MPI: not a request");
            live.stuck = leave == Pending::Forever;
            // SAFETY: null, or an entry of an array of statuses.
            unsafe { report(status, MPI_Status { MPI_ERROR: MPI_ERR_PENDING, ..EMPTY }) };
            continue;
        }
        // SAFETY: an entry of each array.
        let code = unsafe { MPI_Wait(request, status) };
        failed |= code != MPI_SUCCESS;
    }
    if failed { IN_STATUS } else { MPI_SUCCESS }
}

pub unsafe extern "C" fn MPI_Cancel(request: *mut MPI_Request) -> c_int {
    // SAFETY: an in-argument.
    let handle = unsafe { request.read() };
    let mut process = enter("MPI_Cancel");
    let request = process.traffic.requests.get(&handle.addr());
    let request = request.expect("fake MPI: cancels what is not in flight");
    match request.generalized {
        Some(generalized) => generalized.cancel(request.outcome.is_some()),
        None => process.traffic.cancel(handle.addr()),
    }
    MPI_SUCCESS
}
