//! How a scope gets rid of what is in flight when it ends.

use super::arena::Arena;
use super::chunk::{Kind, Place, Slot};
use super::note::Note;
use crate::environment::{report, stall_limit};
use crate::error::Result;
use crate::ffi::{self, MPI_Status, check};
use crate::partitioned::make_ready;
use crate::persistent::is_inactive;
use crate::request::all::wait_all;
use std::os::raw::c_int;
use std::time::{Duration, Instant};

impl Arena<'_> {
    /// Blocks until MPI owns nothing. The first error is returned after that.
    #[cold]
    pub(super) fn finish(&self) -> Result<()> {
        self.make_ready();
        let mut result = wait_for(self.inline());
        for chunk in self.chunks() {
            result = result.and(match chunk.kind() {
                Kind::Persistent => wait_for_each(chunk.slots()),
                Kind::Shared | Kind::Requests => wait_for(chunk.slots()),
            });
        }
        if result.is_err() {
            result = result.and(self.settle());
        }
        for (_, place, _) in self.live().filter(|(kind, ..)| *kind == Kind::Persistent) {
            free(place);
        }
        result
    }

    /// Makes the partitions ready that nobody has, of messages that were forgotten in flight: nobody else will, since
    /// their tokens cannot outlive the body.
    fn make_ready(&self) {
        for chunk in self.chunks().filter(|chunk| chunk.kind() == Kind::Persistent) {
            let (states, slot) = (chunk.partitions(), chunk.slots().first());
            if let Some(slot) = slot.filter(|slot| !states.is_empty() && !is_inactive(slot))
                && make_ready(Some(slot.get()), states).is_err()
            {
                end_job(chunk.note(0), "could not be completed");
            }
        }
    }

    /// After a failed `Waitall` some handles may still be live (`MPI_ERR_PENDING`): waits for each of them.
    #[cold]
    fn settle(&self) -> Result<()> {
        let mut result = Ok(());
        for (kind, place, note) in self.live() {
            // SAFETY: a valid handle in a slot of the arena.
            let code = unsafe { ffi::MPI_Wait(place.as_ptr(), IGNORE) };
            result = result.and(check(&"MPI_Wait", code));
            let is_complete = match kind {
                Kind::Persistent => test(place),
                Kind::Shared | Kind::Requests => place.get() == ffi::MPI_REQUEST_NULL,
            };
            if !is_complete {
                end_job(note, "could not be completed");
            }
        }
        result
    }

    /// The body returned an error: its peers may never send what we receive for, nor receive what we send.
    #[cold]
    pub(super) fn finish_after_error(&self) {
        self.make_ready();
        for (kind, place, _) in self.live().filter(|(.., note)| note.operation.receives) {
            // Only what is active may be cancelled.
            if kind != Kind::Persistent || !test(place) {
                // SAFETY: a valid handle; a receive may be cancelled, and is completed below.
                unsafe { ffi::MPI_Cancel(place.as_ptr()) };
            }
        }
        let (start, limit) = (Instant::now(), stall_limit());
        while let Some(note) = self.poll() {
            if start.elapsed() >= limit {
                end_job(note, &format!("is still in flight {limit:?} after its scope ended with an error"));
            }
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    /// The body panicked.
    #[cold]
    pub(super) fn finish_unwinding(&self) {
        if let Some(note) = self.poll() {
            end_job(note, "is in flight while its scope panics");
        }
    }

    /// Tests everything once; returns one of the operations that are still in flight.
    fn poll(&self) -> Option<Note> {
        self.live()
            .filter(|&(kind, place, _)| {
                if test(place) && kind == Kind::Persistent {
                    free(place);
                }
                place.get() != ffi::MPI_REQUEST_NULL
            })
            .last()
            .map(|(.., note)| note)
    }
}

const IGNORE: *mut MPI_Status = ffi::MPI_STATUS_IGNORE.cast();

/// Whether MPI says that the operation is complete, or inactive. An error completes it too, or leaves it pending: so
/// after an error MPI is asked once more.
fn test(place: Place<'_>) -> bool {
    let mut flag = 0;
    let mut ask = || {
        // SAFETY: a valid handle, or null, in a slot of the arena.
        unsafe { ffi::MPI_Test(place.as_ptr(), &raw mut flag, IGNORE) }
    };
    let complete = ask() == ffi::MPI_SUCCESS || ask() == ffi::MPI_SUCCESS;
    complete && flag != 0
}

/// Frees a persistent request.
fn free(place: Place<'_>) {
    // SAFETY: a valid handle that is inactive: every caller has completed it.
    unsafe { ffi::MPI_Request_free(place.as_ptr()) };
}

/// Waits for all of `slots`, without limit.
fn wait_for(slots: &[Slot]) -> Result<()> {
    if slots.iter().all(|slot| slot.get() == ffi::MPI_REQUEST_NULL) {
        return Ok(());
    }
    // A chunk has as many slots as fit into memory: no `int` overflows before that.
    let n = slots.len() as c_int;
    // SAFETY: `n` valid handles; `Cell<MPI_Request>` has the layout of `MPI_Request` and may be written through.
    let code = unsafe { wait_all(n, slots.as_ptr().cast_mut().cast(), ffi::MPI_STATUSES_IGNORE.cast()) };
    check(&"MPI_Waitall", code)
}

/// Waits for one after the other: of persistent requests the calls for several hide errors (fault `testall-persistent`).
fn wait_for_each(slots: &[Slot]) -> Result<()> {
    let mut result = Ok(());
    for slot in slots {
        // SAFETY: a valid handle; returns at once if it is null or inactive.
        let code = unsafe { ffi::MPI_Wait(slot.as_ptr(), IGNORE) };
        result = result.and(check(&"MPI_Wait", code));
    }
    result
}

/// The memory cannot be taken back from MPI, so no code may run that believes it was.
#[cold]
pub(crate) fn end_job(note: Note, why: &str) -> ! {
    report(format_args!("{note} {why}; ending the job"));
    ffi::abort(1)
}
