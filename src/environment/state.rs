//! Whether MPI may be called: the process-wide state, and the count of handles that keeps it live.
//!
//! Every handle owns an [`Instance`]. `MPI_Finalize` runs when the last one drops, so no check of the state is
//! needed where a handle is at hand: that it exists proves that MPI is live. The exception is an MPI that a host
//! program started (see [`attach`](super::attach)): it may end under our handles, and then [`TAG_UB`] is −1 and
//! [`live`] fails, which every call tests one or the other of.
#![allow(unsafe_code)]

use super::callback::in_callback;
use super::{ThreadLevel, identity};
use crate::error::{Error, Result, State};
use crate::ffi::{self, Call};
use std::cell::Cell;
use std::marker::PhantomData;
use std::os::raw::c_int;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

const UNINITIALIZED: u8 = 0;
const LIVE: u8 = 1;
const FINALIZING: u8 = 2;
const FINALIZED: u8 = 3;
/// Live at [`ThreadLevel::Multiple`]: whether this thread may call MPI is for the slow way of [`live`].
const SHARED: u8 = 4;
/// Live, while MPI calls a function of the user on the one thread that may call MPI.
const CLOSED: u8 = 5;

static PHASE: AtomicU8 = AtomicU8::new(UNINITIALIZED);
static HANDLES: AtomicUsize = AtomicUsize::new(0);
/// False if a host program initialized MPI and will finalize it.
static OURS: AtomicBool = AtomicBool::new(false);
static OWNER: AtomicUsize = AtomicUsize::new(0);
static LEVEL: AtomicU8 = AtomicU8::new(0);
/// The largest tag, or −1 when MPI is not live: one comparison answers both questions on a hot path. Also −1 where
/// [`live`] goes its slow way.
pub(crate) static TAG_UB: AtomicI32 = AtomicI32::new(-1);
/// The largest tag, or −1 when MPI is not live.
static TAG_BOUND: AtomicI32 = AtomicI32::new(-1);

/// Held while the phase changes, so that a second `init` cannot meet a finalize half way.
static TRANSITION: Mutex<()> = Mutex::new(());

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Phase {
    Uninitialized,
    Live,
    Ending,
    /// Live, but this thread runs a function that MPI has called.
    Callback,
}

pub(super) fn transition() -> MutexGuard<'static, ()> {
    TRANSITION.lock().unwrap_or_else(PoisonError::into_inner)
}

pub(crate) fn phase() -> Phase {
    if in_callback() {
        return Phase::Callback;
    }
    match PHASE.load(Ordering::Acquire) {
        UNINITIALIZED => Phase::Uninitialized,
        phase if is_live(phase) => Phase::Live,
        _ => Phase::Ending,
    }
}

fn is_live(phase: u8) -> bool {
    matches!(phase, LIVE | SHARED | CLOSED)
}

/// A value that no other thread has, before or after, and that can be asked for while a thread ends. Not the address of
/// something of the thread's own: the next thread may get it.
fn this_thread() -> usize {
    static NUMBERS: AtomicUsize = AtomicUsize::new(1);
    thread_local!(static NUMBER: Cell<usize> = const { Cell::new(0) });
    NUMBER.with(|number| {
        if number.get() == 0 {
            number.set(NUMBERS.fetch_add(1, Ordering::Relaxed));
        }
        number.get()
    })
}

pub(crate) fn level() -> ThreadLevel {
    ThreadLevel::from_index(LEVEL.load(Ordering::Relaxed))
}

/// Whether this thread may call MPI now.
pub(crate) fn usable_here() -> bool {
    phase() == Phase::Live && thread_allowed()
}

pub(super) fn thread_allowed() -> bool {
    level() == ThreadLevel::Multiple || OWNER.load(Ordering::Relaxed) == this_thread()
}

/// Leave to call MPI without a handle, which would keep it live. Where several threads may, another could drop the
/// last handle meanwhile; so this holds finalize off. Owned by the one thread that may otherwise.
#[must_use]
pub(crate) struct Entered {
    _lock: Option<MutexGuard<'static, ()>>,
}

/// `Err` unless this thread may call MPI now: for calls that need no handle.
///
/// No handle may be dropped while the leave is held: the last one waits for it.
pub(crate) fn enter(call: Call) -> Result<Entered> {
    if in_callback() {
        return Err(Error::state(call, State::Callback)); // who called back may hold the lock
    }
    let lock = (level() == ThreadLevel::Multiple).then(transition);
    match phase() {
        Phase::Uninitialized => Err(Error::state(call, State::NotInitialized)),
        Phase::Ending => Err(Error::state(call, State::Finalized)),
        Phase::Callback => Err(Error::state(call, State::Callback)),
        Phase::Live if thread_allowed() => Ok(Entered { _lock: lock }),
        Phase::Live => Err(Error::state(call, State::OtherThread)),
    }
}

/// As [`enter`], and keeps MPI live as long as the result exists, whatever other threads drop meanwhile.
pub(crate) fn hold(call: Call) -> Result<Instance> {
    enter(call).map(|_entered| Instance::new())
}

/// `Err` if the host program has finalized MPI under a handle, or if MPI has called the function that asks. One load and
/// one branch, unless several threads may call MPI.
// Always inline, so that the compiler sees before all else that the cold path does not come back: who has a scope would
// otherwise look again at what a call might have changed in it (7 instructions).
#[inline(always)]
pub(crate) fn live(call: Call) -> Result<()> {
    if is_open() { Ok(()) } else { Err(not_live(call)) }
}

#[inline]
fn is_open() -> bool {
    PHASE.load(Ordering::Relaxed) == LIVE || is_open_here()
}

/// Where several threads may call MPI: whether this one may, since MPI has not called it.
#[inline]
fn is_open_here() -> bool {
    PHASE.load(Ordering::Relaxed) == SHARED && !in_callback()
}

/// Why [`live`] says no.
#[cold]
fn not_live(call: Call) -> Error {
    Error::state(call, if in_callback() { State::Callback } else { State::Finalized })
}

/// The largest tag, if MPI is live.
pub(crate) fn tag_bound() -> Option<c_int> {
    Some(TAG_BOUND.load(Ordering::Relaxed)).filter(|&bound| bound >= 0)
}

/// Closes MPI if this is the one thread that may call it. Says whether it did.
pub(super) fn close() -> bool {
    let closes = PHASE.load(Ordering::Relaxed) == LIVE && OWNER.load(Ordering::Relaxed) == this_thread();
    if closes {
        TAG_UB.store(-1, Ordering::Relaxed);
        PHASE.store(CLOSED, Ordering::Release);
    }
    closes
}

/// Opens it again.
pub(super) fn reopen() {
    TAG_UB.store(TAG_BOUND.load(Ordering::Relaxed), Ordering::Relaxed);
    PHASE.store(LIVE, Ordering::Release);
}

/// Whether MPI stays live as long as a handle exists: it does not where a host program started it.
pub(crate) fn ends_with_us() -> bool {
    OURS.load(Ordering::Relaxed)
}

/// Marks MPI live on this thread. The caller holds the transition lock.
pub(super) fn begin(ours: bool, level: ThreadLevel, tag_ub: c_int) {
    OURS.store(ours, Ordering::Relaxed);
    OWNER.store(this_thread(), Ordering::Relaxed);
    LEVEL.store(level.index(), Ordering::Relaxed);
    TAG_BOUND.store(tag_ub, Ordering::Relaxed);
    let shared = level == ThreadLevel::Multiple;
    TAG_UB.store(if shared { -1 } else { tag_ub }, Ordering::Relaxed);
    PHASE.store(if shared { SHARED } else { LIVE }, Ordering::Release);
    // Miri has no `atexit`.
    if ours && !cfg!(miri) {
        static AT_EXIT: Once = Once::new();
        AT_EXIT.call_once(|| {
            // SAFETY: `report_at_exit` is a plain C function that does not unwind: it writes one line.
            unsafe { libc::atexit(report_at_exit) };
        });
    }
}

/// The host program ends MPI: from now on drops do nothing and calls return `Err`.
pub(super) fn host_ends() {
    leave(FINALIZED);
}

/// MPI may not be called any more.
fn leave(phase: u8) {
    TAG_UB.store(-1, Ordering::Relaxed);
    TAG_BOUND.store(-1, Ordering::Relaxed);
    PHASE.store(phase, Ordering::Release);
}

extern "C" fn report_at_exit() {
    if is_live(PHASE.load(Ordering::Acquire)) && OURS.load(Ordering::Relaxed) {
        let n = HANDLES.load(Ordering::Relaxed);
        identity::report(format_args!(
            "MPI was not finalized: {n} handle(s) were still alive when the process ended (leaked, kept in a static, or dropped while panicking)"
        ));
    }
}

/// One counted use of MPI. While one exists, MPI is live (or was ended by the host program).
#[derive(Debug)]
pub(crate) struct Instance {
    /// MPI's handles differ in their auto traits by library; ours do not.
    _thread: PhantomData<*const ()>,
}

impl Instance {
    /// Counts one more use. The caller holds another instance, or the transition lock while MPI is live.
    pub(crate) fn new() -> Self {
        if HANDLES.fetch_add(1, Ordering::Relaxed) > isize::MAX as usize {
            std::process::abort(); // only leaking 2^63 handles gets here; a wrapped count would finalize too early
        }
        Instance { _thread: PhantomData }
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        if HANDLES.fetch_sub(1, Ordering::AcqRel) == 1 {
            last_handle_dropped();
        }
    }
}

#[cold]
fn last_handle_dropped() {
    // Finalize is collective: a rank that unwinds must not wait in it for the others.
    if std::thread::panicking() {
        return;
    }
    let _lock = transition();
    // Another thread's `init` may have come first.
    if HANDLES.load(Ordering::Acquire) == 0 && phase() == Phase::Live {
        end();
    }
}

/// Finalizes, or detaches from a host's MPI. No handle exists, MPI is live, and the caller holds the lock.
pub(super) fn end() {
    if !OURS.load(Ordering::Relaxed) {
        crate::p2p::buffered::release();
        super::attach::detach();
        leave(UNINITIALIZED); // the host goes on; we may attach again
    } else if OWNER.load(Ordering::Relaxed) == this_thread() {
        leave(FINALIZING);
        crate::datatype::clear();
        crate::datatype::slot::clear();
        crate::collective::op::clear();
        crate::p2p::buffered::release();
        // SAFETY: live until this line, on the thread that initialized MPI, and no handle is left.
        let code = unsafe { ffi::MPI_Finalize() };
        PHASE.store(FINALIZED, Ordering::Release);
        if code != ffi::MPI_SUCCESS {
            identity::report(format_args!("MPI_Finalize failed with code {code}"));
        }
    }
    // Else: the standard wants the main thread to finalize; the line at exit says that nobody did.
}

/// How many handles keep MPI live; for tests and diagnostics.
pub(crate) fn handles() -> usize {
    HANDLES.load(Ordering::Relaxed)
}
