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

use super::dropped::{self, InFlight};
use crate::buffer::Region;
use crate::comm::Users;
use crate::environment::live;
use crate::error::{Failed, Result, Returned, errors_seen};
use crate::ffi::{self, Call, MPI_Request, MPI_Status, check};
use crate::scope::{Note, Operation, end_job};
use crate::status::Status;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::os::raw::c_int;
use std::ptr;

pub(super) struct Flight<B> {
    handle: MPI_Request,
    /// Initialized unless `taken`.
    buffer: MaybeUninit<B>,
    taken: bool,
    /// What `errors_seen` said when the operation was posted.
    errors: u32,
    note: Note,
    /// Dropped by `end` and `wait_to_the_end`: its own drop glue would take the address of the flight.
    user: ManuallyDrop<Users>,
    /// `MPI_Request` is an `int` with one library and a pointer with another; ours never changes threads.
    _thread: PhantomData<*const ()>,
}

/// What a completed operation gives back.
pub(super) type Landed<B> = (B, MPI_Status);
/// How it ended.
pub(super) type Landing<B> = Result<Landed<B>, Failed<B>>;

impl<B> Flight<B> {
    /// Posts an operation on the memory that `region` finds in the buffer, once the buffer is where moves assert nothing.
    ///
    /// `post` leaves the handle null if it fails.
    #[inline(always)]
    pub(super) fn start(
        user: Users,
        operation: &'static Operation,
        (peer, tag): (c_int, c_int),
        buffer: B,
        region: impl FnOnce(&mut B) -> Region,
        post: impl FnOnce(Region, *mut MPI_Request) -> Result<()>,
    ) -> Result<Self, Returned<B>> {
        let (errors, mut handle) = (errors_seen(), ffi::MPI_REQUEST_NULL);
        let mut buffer = MaybeUninit::new(buffer);
        // SAFETY: initialized a line above.
        let region = region(unsafe { buffer.assume_init_mut() });
        let result = post(region, &raw mut handle);
        let (user, note) = (ManuallyDrop::new(user), Note { operation, peer, tag });
        let flight = Flight { handle, buffer, taken: false, errors, note, user, _thread: PhantomData };
        match result {
            Ok(()) => Ok(flight),
            Err(error) => {
                Err(Returned { error: error.opaque(), data: not_posted(ManuallyDrop::new(flight)) })
            }
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
        assert!(!self.taken, "{USED_TWICE}");
        live(call)
    }

    /// Makes a call that completes the operation, or does not. It gets a copy of the handle, so that the flight itself
    /// has no address, and can be in registers.
    #[inline(always)]
    fn ask(&mut self, call: Call, f: impl FnOnce(*mut MPI_Request) -> c_int) -> Result<()> {
        self.enter(call)?;
        let mut handle = self.handle;
        let code = f(&raw mut handle);
        self.handle = handle;
        check(call, code)
    }

    /// Waits, without limit. `wants_status` is whether anybody can ask for the status.
    ///
    /// Not by value: the flight may be what keeps MPI live, and its status may have to be read yet.
    #[inline(always)]
    pub(super) fn wait(&mut self, wants_status: bool) -> Landing<B> {
        let mut status = Status::empty();
        let out = status_out(wants_status, &raw mut status);
        // SAFETY: a valid handle, or null; MPI is live.
        let result = self.ask(&"MPI_Wait", |handle| unsafe { ffi::MPI_Wait(handle, out) });
        self.land(result, status)
    }

    /// As `wait`, for those who need no MPI afterwards. What is rare takes the flight over, and is known to be an error
    /// where this returns.
    #[inline(always)]
    pub(super) fn wait_to_the_end(self, wants_status: bool) -> Landing<B> {
        let mut flight = ManuallyDrop::new(self);
        if flight.taken {
            used_twice(flight);
        }
        let mut status = Status::empty();
        let out = status_out(wants_status, &raw mut status);
        // SAFETY: as in `wait`.
        match flight.ask(&"MPI_Wait", |handle| unsafe { ffi::MPI_Wait(handle, out) }) {
            Ok(()) => {
                let buffer = flight.take();
                // SAFETY: taken once: the flight is not dropped. Not dropped in place, which would take its address.
                drop(unsafe { ManuallyDrop::take(&mut flight.user) });
                Ok((buffer, status))
            }
            Err(error) => Err(Returned { error: error.opaque(), data: fail(flight) }),
        }
    }

    /// Asks once. `None` if the operation is in flight.
    #[inline(always)]
    pub(super) fn poll(&mut self, wants_status: bool) -> Option<Landing<B>> {
        let (mut complete, mut status) = (0, Status::empty());
        let out = status_out(wants_status, &raw mut status);
        // SAFETY: as in `wait`.
        let result = self.ask(&"MPI_Test", |handle| unsafe { ffi::MPI_Test(handle, &raw mut complete, out) });
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

    /// The buffer of an operation that failed, if MPI has given it up.
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
            mem::forget(Users::clone(&self.user));
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
        dropped::finish(self, self.errors);
        self.handle == ffi::MPI_REQUEST_NULL
    }
}

impl<B> InFlight for Flight<B> {
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

    fn note(&self) -> Note {
        self.note
    }

    fn cancel(&mut self) {
        if self.note.operation.receives {
            // SAFETY: a valid handle of a receive, which is completed by `dropped::finish`; MPI is live.
            unsafe { ffi::MPI_Cancel(&raw mut self.handle) };
        }
    }

    fn wait(&mut self) {
        // SAFETY: a valid handle; MPI is live (`finish`).
        unsafe { ffi::MPI_Wait(&raw mut self.handle, ffi::MPI_STATUS_IGNORE.cast()) };
    }
}

/// Where MPI writes the status, or nowhere.
#[inline(always)]
fn status_out(wanted: bool, status: *mut MPI_Status) -> *mut MPI_Status {
    if wanted { status } else { ffi::MPI_STATUS_IGNORE.cast() }
}

impl<B> Drop for Flight<B> {
    /// So little that it is inlined wherever a request may be dropped, and a copy, so that the request has no address.
    #[inline(always)]
    fn drop(&mut self) {
        // SAFETY: nothing of the original is used or dropped after this.
        end(ManuallyDrop::new(unsafe { ptr::read(self) }));
    }
}

/// Drops a flight, wherever it is.
#[cold]
#[inline(never)]
fn end<B>(mut flight: ManuallyDrop<Flight<B>>) {
    let mut buffer = None;
    if !flight.taken {
        if flight.finish() {
            buffer = Some(flight.take());
        } else {
            flight.leak();
        }
    }
    // SAFETY: taken once: the flight is not dropped.
    let _user = unsafe { ManuallyDrop::take(&mut flight.user) };
    drop(buffer);
}

/// Drops a flight that never took off, but for the buffer.
#[cold]
#[inline(never)]
fn not_posted<B>(flight: ManuallyDrop<Flight<B>>) -> B {
    let mut flight = ManuallyDrop::into_inner(flight);
    if flight.handle != ffi::MPI_REQUEST_NULL {
        end_job(flight.note, "failed when it was posted, and is in flight all the same");
    }
    flight.take()
}

/// Drops a flight that failed, but for the buffer, if MPI has given it up.
#[cold]
#[inline(never)]
fn fail<B>(flight: ManuallyDrop<Flight<B>>) -> Option<B> {
    ManuallyDrop::into_inner(flight).after_failure()
}

#[cold]
#[inline(never)]
fn used_twice<B>(flight: ManuallyDrop<Flight<B>>) -> ! {
    drop(ManuallyDrop::into_inner(flight));
    panic!("{USED_TWICE}");
}

const USED_TWICE: &str = "a request that was completed cannot be completed again";

impl<B> std::fmt::Debug for Flight<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.note)?;
        f.write_str(if self.handle == ffi::MPI_REQUEST_NULL { ", complete" } else { "" })
    }
}
