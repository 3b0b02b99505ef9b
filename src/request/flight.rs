//! An operation in flight that owns its buffer: the part of owned requests that is about memory.
//!
//! # Why this is sound
//!
//! 1. The buffer stays in place when its owner moves, and is nobody else's (`OwnedSend`, `OwnedRecv`).
//! 2. It sits in a `MaybeUninit`, so that moving the request says nothing about the memory. A `Box` that moves asserts
//!    that nobody else uses what it owns; MPI does.
//! 3. It leaves its place once, and only when MPI has given up the handle. Otherwise it is never dropped: whoever forgets
//!    the request, or drops it while unwinding, leaks the buffer with it, which is safe.
#![allow(unsafe_code)]

use crate::comm::Users;
use crate::environment::{in_callback, live, report, stall_limit};
use crate::error::{Failed, Result, Returned, errors_seen};
use crate::ffi::{self, Call, MPI_Request, MPI_Status, check};
use crate::scope::{Note, end_job};
use crate::status::Status;
use std::any::Any;
use std::marker::PhantomData;
use std::mem::{self, MaybeUninit};
use std::rc::Rc;
use std::time::{Duration, Instant};

pub(super) struct Flight<B> {
    handle: MPI_Request,
    /// Initialized unless `taken`.
    buffer: MaybeUninit<B>,
    taken: bool,
    /// What `errors_seen` said when the operation was posted.
    errors: u32,
    note: Note,
    user: Users,
    /// What MPI uses besides the buffer: an operation, counts.
    kept: Kept,
    /// `MPI_Request` is an `int` with one library and a pointer with another; ours never changes threads.
    _thread: PhantomData<*const ()>,
}

/// What must exist as long as an operation is in flight, if anything.
pub(crate) type Kept = Option<Rc<dyn Any>>;

/// What a completed operation gives back.
pub(super) type Landed<B> = (B, MPI_Status);
/// How it ended.
pub(super) type Landing<B> = Result<Landed<B>, Failed<B>>;

impl<B> Flight<B> {
    /// Posts an operation on the memory that `describe` finds in the buffer, once the buffer is where it will stay.
    ///
    /// `post` leaves the handle null if it fails.
    #[inline(always)]
    pub(super) fn start<D>(
        user: Users,
        note: Note,
        buffer: B,
        describe: impl FnOnce(&mut B) -> D,
        post: impl FnOnce(D, *mut MPI_Request) -> Result<()>,
    ) -> Result<Self, Returned<B>> {
        let mut flight = Flight {
            handle: ffi::MPI_REQUEST_NULL,
            buffer: MaybeUninit::new(buffer),
            taken: false,
            errors: errors_seen(),
            note,
            user,
            kept: None,
            _thread: PhantomData,
        };
        // SAFETY: initialized a few lines above.
        let described = describe(unsafe { flight.buffer.assume_init_mut() });
        match post(described, &raw mut flight.handle) {
            Ok(()) => Ok(flight),
            Err(error) if flight.handle == ffi::MPI_REQUEST_NULL => {
                Err(Returned { error, data: flight.take() })
            }
            Err(_) => end_job(note, "failed when it was posted, and is in flight all the same"),
        }
    }

    /// Keeps something until the operation is complete.
    #[inline(always)]
    pub(super) fn keep(&mut self, kept: Kept) {
        self.kept = kept;
    }

    /// The buffer. MPI has given it up, or never had it.
    #[inline(always)]
    fn take(&mut self) -> B {
        assert!(!mem::replace(&mut self.taken, true), "a request gives its buffer back once");
        // SAFETY: initialized by `start`, and not taken before.
        unsafe { self.buffer.assume_init_read() }
    }

    /// `Err` if the host program has ended MPI.
    ///
    /// # Panics
    /// If the operation was completed before, by a future that said so.
    #[inline(always)]
    fn enter(&self, call: Call) -> Result<()> {
        assert!(!self.taken, "a request that was completed cannot be completed again");
        live(call)
    }

    /// Waits, without limit. `wants_status` is whether anybody can ask for the status.
    ///
    /// Not by value: the flight may be what keeps MPI live, and its status may have to be read yet.
    #[inline(always)]
    pub(super) fn wait(&mut self, wants_status: bool) -> Landing<B> {
        let call: Call = &"MPI_Wait";
        let mut status = Status::empty();
        let result = self.enter(call).and_then(|()| {
            let out = status_out(wants_status, &raw mut status);
            // SAFETY: a valid handle, or null; MPI is live.
            check(call, unsafe { ffi::MPI_Wait(&raw mut self.handle, out) })
        });
        self.land(result, status)
    }

    /// Asks once. `None` if the operation is in flight.
    #[inline(always)]
    pub(super) fn poll(&mut self, wants_status: bool) -> Option<Landing<B>> {
        let call: Call = &"MPI_Test";
        let (mut complete, mut status) = (0, Status::empty());
        let result = self.enter(call).and_then(|()| {
            let out = status_out(wants_status, &raw mut status);
            // SAFETY: as in `wait`.
            check(call, unsafe { ffi::MPI_Test(&raw mut self.handle, &raw mut complete, out) })
        });
        if result.is_ok() && complete == 0 { None } else { Some(self.land(result, status)) }
    }

    /// What the caller gets, once MPI has reported that the operation is complete, or has failed.
    #[inline(always)]
    pub(super) fn land(&mut self, result: Result<()>, status: MPI_Status) -> Landing<B> {
        match result {
            Ok(()) => Ok((self.take(), status)),
            Err(error) => Err(Returned { error, data: self.after_failure() }),
        }
    }

    #[cold]
    fn after_failure(&mut self) -> Option<B> {
        if self.handle == ffi::MPI_REQUEST_NULL {
            return Some(self.take());
        }
        self.leak();
        None
    }

    /// Leaves the buffer to MPI for ever, and MPI unfinalized, which could not be finalized with this in flight.
    #[cold]
    fn leak(&mut self) {
        self.taken = true;
        mem::forget(self.kept.take());
        if live(&"MPI_Wait").is_ok() || in_callback() {
            mem::forget(self.user.clone());
        }
    }

    /// The handle, for calls that complete several requests.
    pub(super) fn handle(&self) -> MPI_Request {
        self.handle
    }

    /// What such a call left of it.
    ///
    /// # Safety
    /// The handle that MPI left where it read this request's.
    pub(super) unsafe fn set_handle(&mut self, handle: MPI_Request) {
        self.handle = handle;
    }

    pub(super) fn is_taken(&self) -> bool {
        self.taken
    }

    /// Tests, looks at nothing but the handle, and says whether MPI has given it up. An error gives it up as well.
    fn is_over(&mut self) -> bool {
        let mut complete = 0;
        if self.handle != ffi::MPI_REQUEST_NULL {
            let status = ffi::MPI_STATUS_IGNORE.cast();
            // SAFETY: a valid handle; MPI is live (`finish`).
            unsafe { ffi::MPI_Test(&raw mut self.handle, &raw mut complete, status) };
        }
        self.handle == ffi::MPI_REQUEST_NULL
    }

    /// Tests until MPI has given up the handle, or the limit has passed.
    fn is_over_within(&mut self, limit: Duration) -> bool {
        if self.is_over() {
            return true;
        }
        let start = Instant::now();
        while start.elapsed() < limit {
            std::thread::yield_now();
            if self.is_over() {
                return true;
            }
        }
        false
    }

    /// The drop rule. Whether MPI is done with the buffer.
    fn finish(&mut self) -> bool {
        if self.handle == ffi::MPI_REQUEST_NULL {
            return true;
        }
        if live(&"MPI_Test").is_err() {
            return false;
        }
        if std::thread::panicking() {
            return self.is_over();
        }
        let limit = stall_limit();
        if self.errors != errors_seen() {
            return self.finish_after_error(limit);
        }
        if self.is_over_within(limit) {
            return true;
        }
        report(format_args!("{} was dropped, and has been waited for since {limit:?}", self.note));
        // SAFETY: a valid handle; MPI is live.
        unsafe { ffi::MPI_Wait(&raw mut self.handle, ffi::MPI_STATUS_IGNORE.cast()) };
        self.handle == ffi::MPI_REQUEST_NULL
    }

    /// As for a scope that ends with an error: its peers may never send what is received for, nor receive what is sent.
    #[cold]
    fn finish_after_error(&mut self, limit: Duration) -> bool {
        if self.note.operation.receives {
            // SAFETY: a valid handle of a receive, which is completed below; MPI is live.
            unsafe { ffi::MPI_Cancel(&raw mut self.handle) };
        }
        if !self.is_over_within(limit) {
            end_job(
                self.note,
                &format!("is still in flight {limit:?} after it was dropped because of an error"),
            );
        }
        true
    }
}

/// Where MPI writes the status, or nowhere.
#[inline(always)]
fn status_out(wanted: bool, status: *mut MPI_Status) -> *mut MPI_Status {
    if wanted { status } else { ffi::MPI_STATUS_IGNORE.cast() }
}

impl<B> Drop for Flight<B> {
    #[inline]
    fn drop(&mut self) {
        if self.taken {
            return;
        }
        if self.finish() {
            drop(self.take());
        } else {
            self.leak();
        }
    }
}

impl<B> std::fmt::Debug for Flight<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.note)?;
        f.write_str(if self.handle == ffi::MPI_REQUEST_NULL { ", complete" } else { "" })
    }
}
