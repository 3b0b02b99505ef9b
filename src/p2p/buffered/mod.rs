//! The buffer that buffered sends ([`bsend`](crate::Communicator::bsend), [`ibsend`](crate::Scope::ibsend)) copy their
//! messages into (MPI 4.1 §3.6).
//!
//! A process has one, which this crate allocates, owns, and frees when MPI has given it back: by [`detach`], or when MPI
//! ends. Both wait until every message in it is on its way, without limit. A communicator may have one of its own
//! ([`attach_buffer`](crate::Communicator::attach_buffer)), which its sends use instead.
//!
//! With Open MPI, whose own buffered mode loses messages after it has run out of room once, this crate copies and sends
//! the messages itself; the rules are the same.
//!
//! ```no_run
//! use mpi::buffered;
//! # let world = mpi::init()?;
//! buffered::attach(2 * buffered::room_for::<u64>(1000))?; // two messages of 1000 numbers each
//! world.bsend(&[1u64; 1000], 0, 0)?;
//! world.bsend(&[2u64; 1000], 0, 0)?;
//! # Ok::<(), mpi::Error>(())
//! ```
#![allow(unsafe_code)]

mod attached;
mod calls;
mod comm;
mod flushing;
mod own;

pub(crate) use attached::Attached;
pub use flushing::{Flushed, Flushing, PendingFlush};

use crate::buffer::Region;
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::environment::hold;
use crate::error::{Argument, Error, Result};
use crate::ffi::{self, Call, MPI_Comm};
use calls::Owner;
use std::mem::ManuallyDrop;
use std::os::raw::c_int;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many bytes each message takes in the buffer besides its own (`MPI_BSEND_OVERHEAD`).
#[doc(alias = "MPI_BSEND_OVERHEAD")]
pub const OVERHEAD: usize = ffi::MPI_BSEND_OVERHEAD as usize;

/// The owner of the one buffer of the process.
const PROCESS: Owner = Owner::Process;

static BUFFER: Mutex<Option<Attached>> = Mutex::new(None);

/// Never held while MPI waits for messages: the thread that receives them may come here as well.
fn buffer() -> MutexGuard<'static, Option<Attached>> {
    BUFFER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// How many bytes of the buffer a message of `count` values of `T` takes at most. Messages that are in the buffer at
/// the same time take the sum.
///
/// Stands for `MPI_Pack_size` plus `MPI_BSEND_OVERHEAD` (MPI 4.1 §3.6): the values travel as they lie in memory.
/// `usize::MAX`, which [`attach`] refuses, if no memory could hold them.
#[doc(alias = "MPI_Pack_size")]
pub const fn room_for<T: Datatype>(count: usize) -> usize {
    let Some(bytes) = count.checked_mul(size_of::<T>()) else { return usize::MAX };
    // Libraries start each message at an aligned place.
    match bytes.checked_next_multiple_of(attached::ALIGN) {
        Some(bytes) => bytes.saturating_add(OVERHEAD),
        None => usize::MAX,
    }
}

/// Attaches a buffer of `bytes` bytes, which must hold all messages that are in it at the same time:
/// see [`room_for`].
///
/// `MPI_Buffer_attach` (MPI 4.1 §3.6).
///
/// # Errors
/// A buffer is attached already; `bytes` is less than [`OVERHEAD`]; the memory cannot be allocated, or is more than the
/// library takes; MPI is not live, or this thread may not use it; or what MPI reports, such as a buffer that a host
/// program attached.
#[doc(alias = "MPI_Buffer_attach")]
pub fn attach(bytes: usize) -> Result<()> {
    let _live = hold(PROCESS.attach())?;
    let mut buffer = vacant()?;
    *buffer = Some(Attached::memory(PROCESS, bytes)?);
    Ok(())
}

/// Lets MPI allocate what buffered sends need, as they need it.
///
/// `MPI_Buffer_attach` with `MPI_BUFFER_AUTOMATIC` (MPI 4.1 §3.6). With MPICH neither [`flush`] nor [`detach`] waits for
/// the messages in such a buffer (`docs/faults.md`).
///
/// # Errors
/// The library has no such mode (class `UNSUPPORTED_OPERATION`); else as [`attach`].
#[doc(alias = "MPI_BUFFER_AUTOMATIC")]
pub fn attach_automatic() -> Result<()> {
    let _live = hold(PROCESS.attach())?;
    let mut buffer = vacant()?;
    *buffer = Some(Attached::automatic(PROCESS)?);
    Ok(())
}

/// Waits until every message in the buffer is on its way, without limit, and frees the buffer. Returns its size in
/// bytes, or 0 if MPI allocated by itself.
///
/// `MPI_Buffer_detach` (MPI 4.1 §3.6).
///
/// # Errors
/// No buffer is attached; it [is being flushed](iflush); MPI is not live, or this thread may not use it; or what MPI
/// reports (the memory is then never used again, and never freed).
#[doc(alias = "MPI_Buffer_detach")]
pub fn detach() -> Result<usize> {
    const CALL: Call = PROCESS.detach();
    let _live = hold(CALL)?;
    let attached = attached::take(&mut buffer(), CALL)?;
    attached.take_back(PROCESS).map(|attached| attached.bytes())
}

/// Waits until every message in the buffer is on its way, without limit: all of the buffer is free then.
///
/// `MPI_Buffer_flush` (MPI 4.1 §3.6); with an older library, detaching and attaching again, between which a buffered
/// send of another thread finds no buffer.
///
/// # Errors
/// As [`detach`].
#[doc(alias = "MPI_Buffer_flush")]
pub fn flush() -> Result<()> {
    const CALL: Call = PROCESS.flush();
    let _live = hold(CALL)?;
    if buffer().is_none() {
        return Err(none(CALL));
    }
    if PROCESS.flushes() {
        // SAFETY: MPI is live and this thread may use it.
        return unsafe { calls::flush(PROCESS) };
    }
    let attached = attached::take(&mut buffer(), CALL)?;
    let mut attached = ManuallyDrop::new(attached.take_back(PROCESS)?); // leaked on an error
    let mut buffer = vacant()?;
    attached.attach_again(PROCESS)?;
    *buffer = Some(ManuallyDrop::into_inner(attached));
    Ok(())
}

/// Starts to flush the buffer: the request is complete when every message in it is on its way.
///
/// `MPI_Buffer_iflush` (MPI 4.1 §3.6). Until then the buffer cannot be detached.
///
/// # Errors
/// No buffer is attached; the library has no such function, or is Open MPI (class `UNSUPPORTED_OPERATION`); MPI is not
/// live, or this thread may not use it; or what MPI reports.
///
/// ```no_run
/// use mpi::buffered;
/// # let world = mpi::init()?;
/// buffered::attach(buffered::room_for::<u64>(1000))?;
/// world.bsend(&[1u64; 1000], 0, 0)?;
/// let flushed = buffered::iflush()?;
/// let got = world.recv_vec::<u64>(0, 0)?;
/// flushed.wait()?;
/// # Ok::<(), mpi::Error>(())
/// ```
#[doc(alias = "MPI_Buffer_iflush")]
pub fn iflush() -> Result<PendingFlush> {
    let world = Communicator::world()?;
    flushing::start(PROCESS, &world, buffer().as_ref())
}

/// Whether this communicator's buffered sends are this crate's copies: see [`own`].
#[inline(always)]
pub(crate) fn is_own(comm: &Communicator) -> bool {
    PROCESS.is_own() || Owner::Communicator(comm.raw()).is_own() && comm.buffer().borrow().is_some()
}

/// A buffered send, where [`is_own`].
///
/// # Errors
/// No buffer is attached, or it has no room; more bytes than an `int` counts; or what MPI reports.
///
/// # Safety
/// `region` describes initialized memory that may be read during the call, of `bytes` bytes in all; peer and tag were
/// checked for this communicator.
pub(crate) unsafe fn send_copy(
    call: Call,
    region: Region,
    bytes: usize,
    (dest, tag): (c_int, c_int),
    comm: &Communicator,
) -> Result<()> {
    if dest == ffi::MPI_PROC_NULL {
        return Ok(());
    }
    let envelope: (c_int, c_int, MPI_Comm) = (dest, tag, comm.raw());
    if let Some(pool) = comm.buffer().borrow_mut().as_mut().and_then(Attached::pool) {
        // SAFETY: this function's contract; the communicator is valid while its handle exists.
        return unsafe { pool.send(call, region, bytes, envelope) };
    }
    match buffer().as_mut().and_then(Attached::pool) {
        // SAFETY: as above.
        Some(pool) => unsafe { pool.send(call, region, bytes, envelope) },
        None => Err(none(call)),
    }
}

/// Detaches what is attached, since MPI ends. Called while it is live, on a thread that may use it.
pub(crate) fn release() {
    let attached = buffer().take();
    if let Some(Err(error)) = attached.map(|attached| attached.take_back(PROCESS)) {
        crate::environment::report(error);
    }
}

#[cold]
fn none(call: Call) -> Error {
    Error::argument(call, Argument::NoBuffer, 0, 0)
}

#[cold]
fn no_room(call: Call, bytes: usize) -> Error {
    Error::length(call, Argument::Room, bytes, OVERHEAD)
}

/// The place of the buffer, if nothing is attached.
fn vacant() -> Result<MutexGuard<'static, Option<Attached>>> {
    let buffer = buffer();
    attached::require_vacant(&buffer, PROCESS.attach())?;
    Ok(buffer)
}
