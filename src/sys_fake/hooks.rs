//! What tests can see of the fake, and make it do.

use super::abi::*;
use super::environment::{MPI_Finalize, MPI_Init_thread};
use super::process::any_time;
use std::ptr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// How many operations hold memory of the program.
pub fn in_flight() -> usize {
    any_time().traffic.in_flight()
}

/// How many requests nobody has completed yet.
pub fn requests() -> usize {
    any_time().traffic.requests.len()
}

/// How many messages were matched by a probe and not received yet.
pub fn messages() -> usize {
    any_time().traffic.messages.len()
}

/// Whether a buffer is attached.
pub fn has_buffer() -> bool {
    any_time().buffer.is_some()
}

static BSEND_IS_FAULTY: AtomicBool = AtomicBool::new(false);

/// Makes the fake a library whose buffered mode has Open MPI's fault. Not while a buffer is attached.
pub fn set_bsend_faulty(faulty: bool) {
    BSEND_IS_FAULTY.store(faulty, Ordering::Relaxed);
}

pub(crate) fn bsend_is_faulty() -> bool {
    BSEND_IS_FAULTY.load(Ordering::Relaxed)
}

static SHORT_RINGS_ARE_FAULTY: AtomicBool = AtomicBool::new(false);

/// Makes the fake a library that is not to be trusted with short rings: of grids that are made afterwards.
pub fn set_short_rings_faulty(faulty: bool) {
    SHORT_RINGS_ARE_FAULTY.store(faulty, Ordering::Relaxed);
}

pub(crate) fn short_rings_are_faulty() -> bool {
    SHORT_RINGS_ARE_FAULTY.load(Ordering::Relaxed)
}

/// Forgets requests that are complete, after a test that has leaked them.
pub fn forget_completed() {
    any_time().traffic.requests.retain(|_, request| request.outcome.is_none());
}

/// Whether an `MPI_Waitall` that fails leaves what follows the failed operation live (`MPI_ERR_PENDING`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pending {
    /// Everything is completed.
    Never,
    /// What follows is live, and can be completed later.
    Live,
    /// What follows is live, and `MPI_Wait` cannot complete it either.
    Forever,
}

static PENDING: Mutex<Pending> = Mutex::new(Pending::Never);

/// See [`Pending`].
pub fn leave_pending(pending: Pending) {
    *PENDING.lock().unwrap_or_else(PoisonError::into_inner) = pending;
}

pub(super) fn pending() -> Pending {
    *PENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

static STARTS: Mutex<Option<usize>> = Mutex::new(None);

/// The next `MPI_Startall` starts so many of its operations, and then fails.
pub fn fail_start_after(started: usize) {
    *STARTS.lock().unwrap_or_else(PoisonError::into_inner) = Some(started);
}

pub(super) fn starts() -> Option<usize> {
    STARTS.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// Initializes MPI as a host program would that `mpi` attaches to.
pub fn host_initializes() {
    let mut provided = 0;
    // SAFETY: null arguments are allowed; the out-argument is ours. A second call ends the process.
    unsafe { MPI_Init_thread(ptr::null_mut(), ptr::null_mut(), MPI_THREAD_FUNNELED, &raw mut provided) };
}

static CARELESS: AtomicBool = AtomicBool::new(false);

/// Finalizes it with requests in flight, which only a host can do.
pub fn host_finalizes_carelessly() {
    CARELESS.store(true, Ordering::Relaxed);
    host_finalizes();
}

pub(super) fn host_is_careless() -> bool {
    CARELESS.load(Ordering::Relaxed)
}

/// Finalizes it.
pub fn host_finalizes() {
    // SAFETY: MPI is live; otherwise the process ends.
    unsafe { MPI_Finalize() };
}
