//! What MPI knows of a generalized request: numbers, and three functions that run none of the user's code.
//!
//! # Why this is sound
//!
//! 1. MPI has one count of the [`Control`], from `start` until it calls `free`, whichever of its calls that is in, and on
//!    whichever thread. What is freed then has no destructor of the user's.
//! 2. A handle is valid until the request is freed, which completion alone does: nothing here calls `MPI_Request_free`.
//!    A request is completed once, by whoever [claims](Control::claim) it, while its owner keeps MPI live.
//! 3. What is cancelled is told after `MPI_Cancel` has returned, not from inside it. So the user's function may panic, and
//!    may call MPI.
#![allow(unsafe_code)]

use crate::datatype::Datatype;
use crate::error::Result;
use crate::ffi::{self, Call, MPI_Count, MPI_Datatype, MPI_Request, MPI_Status, check};
use std::os::raw::{c_int, c_void};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

pub(super) const START: Call = &"MPI_Grequest_start";
pub(super) const COMPLETE: Call = &"MPI_Grequest_complete";

/// What both ends and MPI share.
#[derive(Debug, Default)]
pub(super) struct Control {
    stage: AtomicU8,
    cancel: AtomicBool,
    /// Of a request that is complete; empty if it was cancelled.
    report: OnceLock<Report>,
}

const OPEN: u8 = 0;
/// The completer completes it, or has.
const CLAIMED: u8 = 1;
/// The request was dropped before.
const ABANDONED: u8 = 2;

/// What the status says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Report {
    pub source: c_int,
    pub tag: c_int,
    pub count: MPI_Count,
    pub datatype: MPI_Datatype,
}
// SAFETY: a handle names a datatype from every thread; MPI is asked where it may be called.
unsafe impl Send for Report {}
// SAFETY: as above.
unsafe impl Sync for Report {}

impl Report {
    /// As of a null request: no source, no tag, nothing.
    pub(super) fn nothing() -> Self {
        let (source, tag) = (ffi::MPI_ANY_SOURCE, ffi::MPI_ANY_TAG);
        Report { source, tag, count: 0, datatype: u8::unit().0 }
    }
}

impl Control {
    /// Starts a request. MPI is live.
    pub(super) fn start(control: &Arc<Control>, request: *mut MPI_Request) -> Result<()> {
        let state = Arc::into_raw(Arc::clone(control)).cast_mut().cast::<c_void>();
        // SAFETY: three functions that do not unwind, and the count of the control that they take it for; leaked if
        // MPI reports an error: who knows what it has made of it by then.
        check(START, unsafe {
            ffi::MPI_Grequest_start(Some(query), Some(free), Some(cancel), state, request)
        })
    }

    /// The completer's right to complete the request; false if the request was dropped before.
    pub(super) fn claim(&self) -> bool {
        self.leave_open(CLAIMED)
    }

    /// The right of a request that is being dropped; false if the completer has it.
    pub(super) fn abandon(&self) -> bool {
        self.leave_open(ABANDONED)
    }

    fn leave_open(&self, stage: u8) -> bool {
        self.stage.compare_exchange(OPEN, stage, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.stage.load(Ordering::Acquire) == ABANDONED
    }

    pub(super) fn is_cancel_wanted(&self) -> bool {
        self.cancel.load(Ordering::Acquire)
    }

    /// What the status of a completion will say. Before `complete`, once.
    pub(super) fn report(&self, report: Report) {
        let _ = self.report.set(report);
    }
}

/// Completes a request.
///
/// # Safety
/// A generalized request that is not complete: the caller has claimed or abandoned it. MPI is live, and may be called here.
pub(super) unsafe fn complete(request: MPI_Request) -> Result<()> {
    // SAFETY: this function's contract.
    check(COMPLETE, unsafe { ffi::MPI_Grequest_complete(request) })
}

/// Called by MPI where it gives out the status of a request that is complete.
unsafe extern "C" fn query(state: *mut c_void, status: *mut MPI_Status) -> c_int {
    // SAFETY: what `start` gave, and `free` has not taken.
    let control = unsafe { &*state.cast::<Control>() };
    let (report, cancelled) = match control.report.get() {
        Some(report) => (*report, 0),
        None => (Report::nothing(), 1),
    };
    // SAFETY: a status of MPI's.
    let source = unsafe { &raw mut (*status).MPI_SOURCE };
    // SAFETY: as above, to be written.
    unsafe { source.write(report.source) };
    // SAFETY: as above.
    let tag = unsafe { &raw mut (*status).MPI_TAG };
    // SAFETY: as above, to be written.
    unsafe { tag.write(report.tag) };
    // SAFETY: as above, and a committed type; MPI has called this, so it is live.
    let code = unsafe { ffi::MPI_Status_set_elements_x(status, report.datatype, report.count) };
    if code != ffi::MPI_SUCCESS {
        return code;
    }
    // SAFETY: as above.
    unsafe { ffi::MPI_Status_set_cancelled(status, cancelled) }
}

/// Called by MPI once, when the request is complete and its handle is gone.
unsafe extern "C" fn free(state: *mut c_void) -> c_int {
    // SAFETY: the count that `start` gave; MPI does not use it any more.
    drop(unsafe { Arc::from_raw(state.cast_const().cast::<Control>()) });
    ffi::MPI_SUCCESS
}

/// Called by MPI inside `MPI_Cancel`.
unsafe extern "C" fn cancel(state: *mut c_void, complete: c_int) -> c_int {
    // SAFETY: as in `query`.
    let control = unsafe { &*state.cast::<Control>() };
    if complete == 0 {
        control.cancel.store(true, Ordering::Release);
    }
    ffi::MPI_SUCCESS
}
