//! The buffer that buffered sends ([`bsend`](crate::Communicator::bsend), [`ibsend`](crate::Scope::ibsend)) copy their
//! messages into (MPI 4.1 §3.6).
//!
//! A process has one, which this crate allocates, owns, and frees when MPI has given it back: by [`detach`], or when MPI
//! ends. Both wait until every message in it is on its way, without limit.
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

mod own;

use crate::buffer::Region;
use crate::datatype::Datatype;
use crate::environment::hold;
use crate::error::{Argument, Error, Needs, Result};
use crate::ffi::{self, Call, MPI_Comm, check};
use own::Pool;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::os::raw::{c_int, c_void};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many bytes each message takes in the buffer besides its own (`MPI_BSEND_OVERHEAD`).
#[doc(alias = "MPI_BSEND_OVERHEAD")]
pub const OVERHEAD: usize = ffi::MPI_BSEND_OVERHEAD as usize;

/// As strictly aligned as any library wants its headers.
type Block = MaybeUninit<u128>;

const ATTACH: Call = &"MPI_Buffer_attach";
const DETACH: Call = &"MPI_Buffer_detach";
const FLUSH: Call = &"MPI_Buffer_flush";

/// What was attached.
enum Attached {
    /// Memory that this crate deals out itself, since the library's buffered mode has a fault.
    Own(Pool),
    /// Memory of ours. MPI may write it at any time: nothing here refers to what is in it.
    Memory { blocks: Vec<Block>, bytes: usize },
    /// MPI allocates as it needs (`MPI_BUFFER_AUTOMATIC`).
    #[cfg(all(mpi_has = "MPI_BUFFER_AUTOMATIC", not(miri)))]
    Automatic,
}

/// Whether the library's own buffered mode cannot be used: see [`own`].
#[inline(always)]
pub(crate) fn is_own() -> bool {
    #[cfg(miri)]
    return crate::sys_fake::hooks::bsend_is_faulty();
    #[cfg(not(miri))]
    cfg!(mpi_abi = "openmpi")
}

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
    match bytes.checked_next_multiple_of(align_of::<Block>()) {
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
    let _live = hold(ATTACH)?;
    let mut buffer = vacant()?;
    // Before MPI: MPICH 5.0.2 refuses such a buffer, and takes it for attached all the same.
    if bytes < OVERHEAD {
        return Err(Error::length(ATTACH, Argument::SmallBuffer, bytes, OVERHEAD));
    }
    let mut blocks: Vec<Block> = Vec::new();
    let enough = bytes.div_ceil(size_of::<Block>());
    let too_large = |_| Error::length(ATTACH, Argument::Count, bytes, isize::MAX as usize);
    blocks.try_reserve_exact(enough).map_err(too_large)?;
    if is_own() {
        *buffer = Some(Attached::Own(Pool::new(blocks, bytes)));
        return Ok(());
    }
    // Leaked if MPI reports an error: who knows what it has made of the address by then.
    let mut blocks = ManuallyDrop::new(blocks);
    // SAFETY: `bytes` bytes of memory, which stays where it is until MPI has given it back (`take_back`).
    unsafe { raw_attach(blocks.as_mut_ptr().cast(), bytes) }?;
    *buffer = Some(Attached::Memory { blocks: ManuallyDrop::into_inner(blocks), bytes });
    Ok(())
}

/// Lets MPI allocate what buffered sends need, as they need it.
///
/// `MPI_Buffer_attach` with `MPI_BUFFER_AUTOMATIC` (MPI 4.1 §3.6).
///
/// # Errors
/// The library has no such mode (class `UNSUPPORTED_OPERATION`); else as [`attach`].
#[doc(alias = "MPI_BUFFER_AUTOMATIC")]
pub fn attach_automatic() -> Result<()> {
    let _live = hold(ATTACH)?;
    #[cfg(all(mpi_has = "MPI_BUFFER_AUTOMATIC", not(miri)))]
    if !is_own() {
        let mut buffer = vacant()?;
        // SAFETY: the constant that asks for it; the size is ignored.
        unsafe { raw_attach(ffi::MPI_BUFFER_AUTOMATIC, 0) }?;
        *buffer = Some(Attached::Automatic);
        return Ok(());
    }
    Err(Error::unsupported(ATTACH, Needs::Standard(4, 1)))
}

/// Waits until every message in the buffer is on its way, without limit, and frees the buffer. Returns its size in
/// bytes, or 0 if MPI allocated by itself.
///
/// `MPI_Buffer_detach` (MPI 4.1 §3.6).
///
/// # Errors
/// No buffer is attached; MPI is not live, or this thread may not use it; or what MPI reports (the memory is then never
/// used again, and never freed).
#[doc(alias = "MPI_Buffer_detach")]
pub fn detach() -> Result<usize> {
    let _live = hold(DETACH)?;
    let attached = buffer().take().ok_or_else(|| none(DETACH))?;
    take_back(attached).map(|attached| attached.bytes())
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
    let _live = hold(FLUSH)?;
    if buffer().is_none() {
        return Err(none(FLUSH));
    }
    #[cfg(all(mpi_has = "MPI_Buffer_flush", not(miri)))]
    if !is_own() {
        // SAFETY: MPI is live and this thread may use it.
        return check(FLUSH, unsafe { ffi::MPI_Buffer_flush() });
    }
    let attached = buffer().take().ok_or_else(|| none(FLUSH))?;
    let mut attached = ManuallyDrop::new(take_back(attached)?); // leaked on an error, as in `attach`
    let mut buffer = vacant()?;
    if let Some((address, bytes)) = attached.parts() {
        // SAFETY: memory that MPI has just given back, as `attach` gave it.
        unsafe { raw_attach(address, bytes) }?;
    }
    *buffer = Some(ManuallyDrop::into_inner(attached));
    Ok(())
}

/// A buffered send, where [`is_own`].
///
/// # Errors
/// No buffer is attached, or it has no room; more bytes than an `int` counts; or what MPI reports.
///
/// # Safety
/// `region` describes initialized memory that may be read during the call, of `bytes` bytes in all; peer and tag were
/// checked; the communicator is valid.
pub(crate) unsafe fn send_copy(
    call: Call,
    region: Region,
    bytes: usize,
    envelope: (c_int, c_int, MPI_Comm),
) -> Result<()> {
    if envelope.0 == ffi::MPI_PROC_NULL {
        return Ok(());
    }
    match &mut *buffer() {
        // SAFETY: this function's contract.
        Some(Attached::Own(pool)) => unsafe { pool.send(call, region, bytes, envelope) },
        _ => Err(none(call)),
    }
}

/// Detaches what is attached, since MPI ends. Called while it is live, on a thread that may use it.
pub(crate) fn release() {
    let attached = buffer().take();
    if let Some(Err(error)) = attached.map(take_back) {
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
    match *buffer {
        None => Ok(buffer),
        Some(_) => Err(Error::argument(ATTACH, Argument::SecondBuffer, 0, 0)),
    }
}

impl Attached {
    fn bytes(&self) -> usize {
        match self {
            Attached::Own(pool) => pool.bytes(),
            Attached::Memory { bytes, .. } => *bytes,
            #[cfg(all(mpi_has = "MPI_BUFFER_AUTOMATIC", not(miri)))]
            Attached::Automatic => 0,
        }
    }

    /// Where MPI was told the buffer is, and its size; `None` if it was told nothing.
    fn parts(&mut self) -> Option<(*mut c_void, usize)> {
        match self {
            Attached::Own(_) => None,
            Attached::Memory { blocks, bytes } => Some((blocks.as_mut_ptr().cast(), *bytes)),
            #[cfg(all(mpi_has = "MPI_BUFFER_AUTOMATIC", not(miri)))]
            Attached::Automatic => Some((ffi::MPI_BUFFER_AUTOMATIC, 0)),
        }
    }
}

/// Waits until MPI is done with the buffer. If MPI does not say so the memory is leaked: it may be written still.
fn take_back(attached: Attached) -> Result<Attached> {
    if let Attached::Own(pool) = attached {
        return pool.finish().map(Attached::Own);
    }
    let mut attached = ManuallyDrop::new(attached);
    // SAFETY: MPI is live: the callers hold it so, or end it.
    let returned = unsafe { raw_detach() }?;
    if attached.parts().is_none_or(|(address, _)| address != returned) {
        return Err(none(DETACH)); // a host program has taken ours away, and may have attached another
    }
    Ok(ManuallyDrop::into_inner(attached))
}

/// The size of a buffer, as the library's functions take it.
#[cfg(all(mpi_has = "MPI_Buffer_attach_c", not(miri)))]
use ffi::{MPI_Buffer_attach_c as buffer_attach, MPI_Buffer_detach_c as buffer_detach, MPI_Count as Bytes};
#[cfg(not(all(mpi_has = "MPI_Buffer_attach_c", not(miri))))]
use {
    ffi::MPI_Buffer_attach as buffer_attach, ffi::MPI_Buffer_detach as buffer_detach,
    std::os::raw::c_int as Bytes,
};

/// # Safety
/// `bytes` bytes from `address` stay valid, and are left alone, until MPI has given them back; MPI is live.
unsafe fn raw_attach(address: *mut c_void, bytes: usize) -> Result<()> {
    let too_large = |_| Error::length(ATTACH, Argument::Count, bytes, Bytes::MAX as usize);
    let bytes = Bytes::try_from(bytes).map_err(too_large)?;
    // SAFETY: this function's contract.
    check(ATTACH, unsafe { buffer_attach(address, bytes) })
}

/// # Safety
/// MPI is live.
unsafe fn raw_detach() -> Result<*mut c_void> {
    let (mut address, mut bytes) = (std::ptr::null_mut::<c_void>(), 0);
    // SAFETY: both are out-arguments of ours; the first is declared as an address, and written as one.
    check(DETACH, unsafe { buffer_detach((&raw mut address).cast(), &raw mut bytes) })?;
    Ok(address)
}
