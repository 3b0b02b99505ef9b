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
use super::dropped::{self, InFlight};
use super::{Incoming, Way};
use crate::comm::Users;
use crate::environment::{in_callback, live};
use crate::error::{Failed, Result, Returned, errors_seen};
use crate::ffi::{self, Call, MPI_Request, MPI_Status, check};
use crate::scope::{Note, Operation, end_job};
use crate::status::Status;
use std::any::Any;
use std::marker::PhantomData;
use std::mem::{self, ManuallyDrop, MaybeUninit};
use std::os::raw::c_int;
use std::ptr;
use std::rc::Rc;

pub(super) struct Flight<B, W: Way<B> = Incoming> {
    handle: MPI_Request,
    /// Initialized unless `taken`.
    buffer: MaybeUninit<B>,
    taken: bool,
    /// What `errors_seen` said when the operation was posted.
    errors: u32,
    note: Note,
    /// Dropped by `end` and `wait_to_the_end`: its own drop glue would take the address of the flight.
    user: ManuallyDrop<Users>,
    /// What MPI uses besides the buffer: an operation, counts. Dropped with `user`.
    kept: ManuallyDrop<Kept>,
    /// `MPI_Request` is an `int` with one library and a pointer with another; ours never changes threads.
    _thread: PhantomData<*const ()>,
    way: PhantomData<W>,
}

/// What must exist as long as an operation is in flight, if anything.
pub(crate) type Kept = Option<Rc<dyn Any>>;

/// What a completed operation gives back.
pub(super) type Landed<B> = (B, MPI_Status);
/// How it ended.
pub(super) type Landing<B> = Result<Landed<B>, Failed<B>>;

impl<B, W: Way<B>> Flight<B, W> {
    /// Posts an operation on the memory that `describe` finds in the buffer, once the buffer is where moves assert nothing.
    ///
    /// `post` leaves the handle null if it fails.
    #[inline(always)]
    pub(super) fn start<D>(
        user: Users,
        operation: &'static Operation,
        (peer, tag): (c_int, c_int),
        buffer: B,
        describe: impl FnOnce(&mut B) -> D,
        post: impl FnOnce(D, *mut MPI_Request) -> Result<()>,
    ) -> Result<Self, Returned<B>> {
        let (errors, mut handle) = (errors_seen(), ffi::MPI_REQUEST_NULL);
        let mut buffer = MaybeUninit::new(buffer);
        // SAFETY: initialized a line above.
        let described = describe(unsafe { buffer.assume_init_mut() });
        let result = post(described, &raw mut handle);
        let (user, note) = (ManuallyDrop::new(user), Note { operation, peer, tag });
        let (kept, way) = (ManuallyDrop::new(None), PhantomData);
        let flight =
            Flight { handle, buffer, taken: false, errors, note, user, kept, _thread: PhantomData, way };
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

    /// Waits, without limit.
    ///
    /// Not by value: the flight may be what keeps MPI live, and its status may have to be read yet.
    #[inline(always)]
    pub(super) fn wait(&mut self) -> Landing<B> {
        let mut status = Status::empty();
        let out = status_out(W::STATUS, &raw mut status);
        // SAFETY: a valid handle, or null; MPI is live.
        let result = self.ask(&"MPI_Wait", |handle| unsafe { ffi::MPI_Wait(handle, out) });
        self.land(result, status)
    }

    /// As `wait`, and what `output` makes of it, which may still need MPI. What is rare takes the flight over, and is known to
    /// be an error where this returns.
    #[inline(always)]
    pub(super) fn wait_to_the_end<O>(self, output: impl FnOnce(Landed<B>) -> O) -> Result<O, Failed<B>> {
        let mut flight = ManuallyDrop::new(self);
        if flight.taken {
            used_twice(flight);
        }
        let mut status = Status::empty();
        let out = status_out(W::STATUS, &raw mut status);
        // SAFETY: as in `wait`.
        match flight.ask(&"MPI_Wait", |handle| unsafe { ffi::MPI_Wait(handle, out) }) {
            Ok(()) => {
                let output = output((flight.take(), status));
                // SAFETY: taken once: the flight is not dropped. Not dropped in place, which would take its address.
                drop(unsafe { ManuallyDrop::take(&mut flight.kept) });
                // SAFETY: as above.
                drop(unsafe { ManuallyDrop::take(&mut flight.user) });
                Ok(output)
            }
            Err(error) => Err(Returned { error: error.opaque(), data: fail(flight) }),
        }
    }

    /// Asks once. `None` if the operation is in flight.
    #[inline(always)]
    pub(super) fn poll(&mut self) -> Option<Landing<B>> {
        let (mut complete, mut status) = (0, Status::empty());
        let out = status_out(W::STATUS, &raw mut status);
        // SAFETY: as in `wait`.
        let result = self.ask(&"MPI_Test", |handle| unsafe { ffi::MPI_Test(handle, &raw mut complete, out) });
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
        assert!(!self.taken, "{USED_TWICE}");
        // SAFETY: initialized, since not taken.
        unsafe { self.buffer.assume_init_mut() }
    }

    /// The same flight, of a buffer that holds the old one, which `wrap` moves without a word about its memory.
    pub(super) fn rehouse<C, V: Way<C>>(
        self,
        wrap: impl FnOnce(MaybeUninit<B>) -> MaybeUninit<C>,
    ) -> Flight<C, V> {
        assert!(!self.taken, "{USED_TWICE}");
        let old = ManuallyDrop::new(self);
        let Flight { handle, errors, note, .. } = *old;
        // SAFETY: moved out once: `old` is not dropped, and not used again.
        let user = unsafe { ptr::read(&raw const old.user) };
        // SAFETY: as above.
        let kept = unsafe { ptr::read(&raw const old.kept) };
        // SAFETY: as above.
        let buffer = wrap(unsafe { ptr::read(&raw const old.buffer) });
        let way = PhantomData;
        Flight { handle, buffer, taken: false, errors, note, user, kept, _thread: PhantomData, way }
    }

    /// Keeps something until the operation is complete.
    #[inline(always)]
    pub(super) fn keep(&mut self, kept: Kept) {
        self.kept = ManuallyDrop::new(kept);
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
        if live(&"MPI_Wait").is_ok() || in_callback() {
            mem::forget(Users::clone(&self.user));
        }
        mem::forget(self.kept.take());
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
        // SAFETY: initialized, since not taken (`end`); the handle is not null, and MPI is live.
        unsafe { W::abandon(self.buffer.as_ptr(), self.handle) };
        if std::thread::panicking() {
            return self.is_over();
        }
        dropped::finish(self, self.errors);
        self.handle == ffi::MPI_REQUEST_NULL
    }
}

impl<B, W: Way<B>> InFlight for Flight<B, W> {
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

/// Where MPI writes the status, or nowhere if nobody can ask for it.
#[inline(always)]
fn status_out(wanted: bool, status: *mut MPI_Status) -> *mut MPI_Status {
    if wanted { status } else { ffi::MPI_STATUS_IGNORE.cast() }
}

impl<B, W: Way<B>> Drop for Flight<B, W> {
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
fn end<B, W: Way<B>>(mut flight: ManuallyDrop<Flight<B, W>>) {
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
    // SAFETY: as above.
    let kept = unsafe { ManuallyDrop::take(&mut flight.kept) };
    drop((kept, buffer));
}

/// Drops a flight that never took off, but for the buffer.
#[cold]
#[inline(never)]
fn not_posted<B, W: Way<B>>(flight: ManuallyDrop<Flight<B, W>>) -> B {
    let mut flight = ManuallyDrop::into_inner(flight);
    if flight.handle != ffi::MPI_REQUEST_NULL {
        end_job(flight.note, "failed when it was posted, and is in flight all the same");
    }
    flight.take()
}

/// Drops a flight that failed, but for the buffer, if MPI has given it up.
#[cold]
#[inline(never)]
fn fail<B, W: Way<B>>(flight: ManuallyDrop<Flight<B, W>>) -> Option<B> {
    ManuallyDrop::into_inner(flight).after_failure()
}

#[cold]
#[inline(never)]
fn used_twice<B, W: Way<B>>(flight: ManuallyDrop<Flight<B, W>>) -> ! {
    drop(ManuallyDrop::into_inner(flight));
    panic!("{USED_TWICE}");
}

const USED_TWICE: &str = "a request that was completed cannot be completed again";

impl<B, W: Way<B>> std::fmt::Debug for Flight<B, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.note)?;
        f.write_str(if self.handle == ffi::MPI_REQUEST_NULL { ", complete" } else { "" })
    }
}
