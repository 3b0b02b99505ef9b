//! Generalized requests: the program's own operations, which its callbacks describe.

use super::abi::*;
use super::process::enter;
use super::traffic::{Outcome, Request};
use std::os::raw::{c_int, c_void};

pub type MPI_Grequest_query_function = Option<unsafe extern "C" fn(*mut c_void, *mut MPI_Status) -> c_int>;
pub type MPI_Grequest_free_function = Option<unsafe extern "C" fn(*mut c_void) -> c_int>;
pub type MPI_Grequest_cancel_function = Option<unsafe extern "C" fn(*mut c_void, c_int) -> c_int>;

/// What the program gave. Its functions run while the state is locked, so they may call nothing but `MPI_Status_set_*`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Generalized {
    query: MPI_Grequest_query_function,
    free: MPI_Grequest_free_function,
    cancel: MPI_Grequest_cancel_function,
    state: *mut c_void,
}

impl Generalized {
    /// What completion reports.
    pub(super) fn outcome(&self) -> Outcome {
        let mut status = EMPTY;
        let query = self.query.expect("fake MPI: a generalized request without a query function");
        // SAFETY: the program's function, with its state, which it has not freed.
        let code = unsafe { query(self.state, &raw mut status) };
        Outcome { code, status }
    }

    pub(super) fn free(&self) {
        let free = self.free.expect("fake MPI: a generalized request without a free function");
        // SAFETY: as above; called once, since the request is gone.
        unsafe { free(self.state) };
    }

    pub(super) fn cancel(&self, complete: bool) {
        let cancel = self.cancel.expect("fake MPI: a generalized request without a cancel function");
        // SAFETY: as above.
        unsafe { cancel(self.state, complete.into()) };
    }
}

impl Request {
    /// What it ended with, if it did.
    pub(super) fn ended(&self) -> Option<Outcome> {
        self.outcome.map(|plain| self.generalized.map_or(plain, |generalized| generalized.outcome()))
    }
}

pub unsafe extern "C" fn MPI_Grequest_start(
    query: MPI_Grequest_query_function,
    free: MPI_Grequest_free_function,
    cancel: MPI_Grequest_cancel_function,
    state: *mut c_void,
    request: *mut MPI_Request,
) -> c_int {
    let mut process = enter("MPI_Grequest_start");
    let name = process.traffic.request(MPI_COMM_WORLD.addr());
    let made = process.traffic.requests.get_mut(&name).expect("fake MPI: made a line above");
    made.generalized = Some(Generalized { query, free, cancel, state });
    // SAFETY: an out-argument.
    unsafe { request.write(handle(name)) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Grequest_complete(request: MPI_Request) -> c_int {
    let mut process = enter("MPI_Grequest_complete");
    let live = process.traffic.requests.get_mut(&request.addr());
    let live = live.expect("fake MPI: MPI_Grequest_complete of what is no request");
    assert!(live.generalized.is_some(), "fake MPI: MPI_Grequest_complete of a message");
    assert!(live.outcome.is_none(), "fake MPI: MPI_Grequest_complete twice");
    live.outcome = Some(Outcome::PLAIN);
    MPI_SUCCESS
}

/// Of a predefined type.
pub unsafe extern "C" fn MPI_Status_set_elements_x(
    status: *mut MPI_Status,
    datatype: MPI_Datatype,
    count: MPI_Count,
) -> c_int {
    let size = basic_size(datatype.addr()).expect("fake MPI: MPI_Status_set_elements_x of a derived type");
    let bytes = usize::try_from(count).ok().and_then(|count| count.checked_mul(size));
    // SAFETY: an in-out-argument.
    unsafe { (&raw mut (*status).bytes).write(bytes.expect("fake MPI: a count that overflows")) };
    MPI_SUCCESS
}

pub unsafe extern "C" fn MPI_Status_set_cancelled(status: *mut MPI_Status, cancelled: c_int) -> c_int {
    if cancelled != 0 {
        // SAFETY: an in-out-argument.
        unsafe { (&raw mut (*status).bytes).write(GARBAGE) };
    }
    MPI_SUCCESS
}
