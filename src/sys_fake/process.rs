//! The one process's state, and the door through which every call comes.

use super::abi::*;
use super::attributes::Attributes;
use super::buffered::Buffer;
use super::comm::Comm;
use super::layout::Layout;
use super::op::UserOp;
use super::traffic::Traffic;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::os::raw::c_int;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, ThreadId};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Phase {
    Before,
    Live { level: c_int, owner: ThreadId },
    After,
}

pub(super) struct Process {
    pub phase: Phase,
    pub comms: BTreeMap<usize, Comm>,
    /// Derived types; predefined ones have no entry.
    pub types: BTreeMap<usize, Layout>,
    pub keyvals: BTreeMap<c_int, MPI_Comm_delete_attr_function>,
    /// Of derived types.
    pub attributes: Attributes,
    pub traffic: Traffic,
    pub ops: BTreeMap<usize, UserOp>,
    /// What buffered sends copy into.
    pub buffer: Option<Buffer>,
}
// SAFETY: the pointers inside are followed under the lock alone, for the calls that lent them.
unsafe impl Send for Process {}

static PROCESS: Mutex<Process> = Mutex::new(Process {
    phase: Phase::Before,
    comms: BTreeMap::new(),
    types: BTreeMap::new(),
    keyvals: BTreeMap::new(),
    attributes: Attributes::new(),
    traffic: Traffic::new(),
    ops: BTreeMap::new(),
    buffer: None,
});

thread_local!(static IN_CALLBACK: Cell<bool> = const { Cell::new(false) });

/// Calls the user's code, which may not call MPI.
pub(super) fn in_callback(call: impl FnOnce()) {
    IN_CALLBACK.set(true);
    call();
    IN_CALLBACK.set(false);
}

/// The state, whatever the phase: for what may be asked at any time, and for hooks.
pub(super) fn any_time() -> MutexGuard<'static, Process> {
    assert!(!IN_CALLBACK.get(), "fake MPI: called by the function of an operation");
    PROCESS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The state, for a call that MPI allows now and here. Whatever is in flight moves on by one word.
#[track_caller]
pub(super) fn enter(call: &str) -> MutexGuard<'static, Process> {
    let mut process = any_time();
    match process.phase {
        Phase::Before => panic!("fake MPI: {call} before MPI_Init"),
        Phase::After => panic!("fake MPI: {call} after MPI_Finalize"),
        Phase::Live { level, owner } => assert!(
            level >= MPI_THREAD_SERIALIZED || owner == thread::current().id(),
            "fake MPI: {call} on a thread that may not call MPI"
        ),
    }
    process.traffic.step();
    process
}

/// A name for a new object. No name is given twice, so a stale handle is always recognized.
pub(super) fn fresh_name() -> usize {
    static NEXT: AtomicUsize = AtomicUsize::new(0x1_0000);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl Process {
    #[track_caller]
    pub(super) fn comm(&mut self, comm: MPI_Comm) -> &mut Comm {
        self.comms.get_mut(&comm.addr()).expect("fake MPI: not a communicator, or one that was freed")
    }

    #[track_caller]
    pub(super) fn layout(&self, datatype: MPI_Datatype) -> Layout {
        let name = datatype.addr();
        match basic_size(name) {
            Some(size) => Layout::basic(size),
            None => self.types.get(&name).expect("fake MPI: not a datatype, or one that was freed").clone(),
        }
    }

    /// What a failed call returns, if the communicator's errors are returned at all.
    #[track_caller]
    pub(super) fn raise(&mut self, comm: usize, code: c_int) -> c_int {
        let comm = self.comms.get(&comm).expect("fake MPI: an error on a communicator that was freed");
        assert!(
            code == MPI_SUCCESS || comm.returns_errors,
            "fake MPI: error {code} on a communicator whose errors are fatal"
        );
        code
    }
}
