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

use super::cancel::peek;
use super::{Incoming, Way};
use crate::buffer::Region;
use crate::comm::Users;
use crate::environment::{live, report, stall_limit};
use crate::error::{Failed, Result, Returned, errors_seen};
use crate::ffi::{self, Call, MPI_Request, MPI_Status, check};
use crate::scope::{Note, end_job};
use crate::status::Status;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::ptr;
use std::time::{Duration, Instant};

pub(super) struct Flight<B, W: Way<B> = Incoming> {
    handle: MPI_Request,
    /// Initialized unless `taken`.
    buffer: MaybeUninit<B>,
    taken: bool,
    /// What `errors_seen` said when the operation was posted.
    errors: u32,
    note: Note,
    user: Users,
    /// `MPI_Request` is an `int` with one library and a pointer with another; ours never changes threads.
    _thread: PhantomData<*const ()>,
    way: PhantomData<W>,
}

/// What a completed operation gives back.
pub(super) type Landed<B> = (B, MPI_Status);
/// How it ended.
pub(super) type Landing<B> = Result<Landed<B>, Failed<B>>;

impl<B, W: Way<B>> Flight<B, W> {
    /// Posts an operation on the memory that `region` finds in the buffer, once the buffer is where it will stay.
    ///
    /// `post` leaves the handle null if it fails.
    #[inline(always)]
    pub(super) fn start(
        user: Users,
        note: Note,
        buffer: B,
        region: impl FnOnce(&mut B) -> Region,
        post: impl FnOnce(Region, *mut MPI_Request) -> Result<()>,
    ) -> Result<Self, Returned<B>> {
        let mut flight = Flight {
            handle: ffi::MPI_REQUEST_NULL,
            buffer: MaybeUninit::new(buffer),
            taken: false,
            errors: errors_seen(),
            note,
            user,
            _thread: PhantomData,
            way: PhantomData,
        };
        // SAFETY: initialized a few lines above.
        let region = region(unsafe { flight.buffer.assume_init_mut() });
        match post(region, &raw mut flight.handle) {
            Ok(()) => Ok(flight),
            Err(error) if flight.handle == ffi::MPI_REQUEST_NULL => {
                Err(Returned { error, data: flight.take() })
            }
            Err(_) => end_job(note, "failed when it was posted, and is in flight all the same"),
        }
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

    /// Waits, without limit.
    ///
    /// Not by value: the flight may be what keeps MPI live, and its status may have to be read yet.
    #[inline(always)]
    pub(super) fn wait(&mut self) -> Landing<B> {
        let call: Call = &"MPI_Wait";
        let mut status = Status::empty();
        let result = self.enter(call).and_then(|()| {
            let out = status_out(W::STATUS, &raw mut status);
            // SAFETY: a valid handle, or null; MPI is live.
            check(call, unsafe { ffi::MPI_Wait(&raw mut self.handle, out) })
        });
        self.land(result, status)
    }

    /// Asks once. `None` if the operation is in flight.
    #[inline(always)]
    pub(super) fn poll(&mut self) -> Option<Landing<B>> {
        let call: Call = &"MPI_Test";
        let (mut complete, mut status) = (0, Status::empty());
        let result = self.enter(call).and_then(|()| {
            let out = status_out(W::STATUS, &raw mut status);
            // SAFETY: as in `wait`.
            check(call, unsafe { ffi::MPI_Test(&raw mut self.handle, &raw mut complete, out) })
        });
        if result.is_ok() && complete == 0 { None } else { Some(self.land(result, status)) }
    }

    /// The status, if the operation is complete; it stays as it is.
    pub(super) fn peek(&self) -> Result<Option<Status>> {
        self.enter(&"MPI_Request_get_status")?;
        peek(self.handle)
    }

    /// Marks the operation for cancellation, which completes it in any case.
    pub(super) fn cancel(&mut self) -> Result<()> {
        const CALL: Call = &"MPI_Cancel";
        self.enter(CALL)?;
        // A request without a handle is complete, and null may not be cancelled.
        if self.handle == ffi::MPI_REQUEST_NULL {
            return Ok(());
        }
        // SAFETY: a valid handle; MPI is live.
        check(CALL, unsafe { ffi::MPI_Cancel(&raw mut self.handle) })
    }

    /// What the request owns, of which MPI uses nothing.
    ///
    /// # Panics
    /// If the operation was completed before, by a future.
    pub(super) fn cargo(&mut self) -> &mut B {
        assert!(!self.taken, "a request that was completed cannot be completed again");
        // SAFETY: initialized, since not taken.
        unsafe { self.buffer.assume_init_mut() }
    }

    /// The same flight, of a buffer that holds the old one, which `wrap` moves without a word about its memory.
    pub(super) fn rehouse<C, V: Way<C>>(
        self,
        wrap: impl FnOnce(MaybeUninit<B>) -> MaybeUninit<C>,
    ) -> Flight<C, V> {
        assert!(!self.taken, "a request that was completed cannot be completed again");
        let old = ManuallyDrop::new(self);
        let (handle, errors, note) = (old.handle, old.errors, old.note);
        // SAFETY: moved out once: `old` is not dropped, and not used again.
        let user = unsafe { ptr::read(&raw const old.user) };
        // SAFETY: as above.
        let buffer = wrap(unsafe { ptr::read(&raw const old.buffer) });
        Flight { handle, buffer, taken: false, errors, note, user, _thread: PhantomData, way: PhantomData }
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
        if live(&"MPI_Wait").is_ok() {
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
        // SAFETY: initialized, since not taken (`drop`); the handle is not null, and MPI is live.
        unsafe { W::abandon(self.buffer.as_ptr(), self.handle) };
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

/// Where MPI writes the status, or nowhere if nobody can ask for it.
#[inline(always)]
fn status_out(wanted: bool, status: *mut MPI_Status) -> *mut MPI_Status {
    if wanted { status } else { ffi::MPI_STATUS_IGNORE.cast() }
}

impl<B, W: Way<B>> Drop for Flight<B, W> {
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

impl<B, W: Way<B>> std::fmt::Debug for Flight<B, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.note)?;
        f.write_str(if self.handle == ffi::MPI_REQUEST_NULL { ", complete" } else { "" })
    }
}
