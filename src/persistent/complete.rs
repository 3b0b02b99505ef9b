//! How a plan completes: waiting, testing, what is left after an error.
#![allow(unsafe_code)]

use super::plan::{Plan, State};
use crate::environment::{live, report};
use crate::error::{Error, Result};
use crate::ffi::{self, Call, MPI_Status, check};
use crate::scope::Slot;

const WAITALL: Call = &"MPI_Waitall";
const TESTALL: Call = &"MPI_Testall";

/// Open MPI 4 has no call on several persistent requests that returns and tells the truth: `MPI_Waitall` spins for ever if
/// one has failed before (fault `waitall-spins`), and `MPI_Testall` does not say that one failed (fault `testall-silent`).
const ONE_BY_ONE: bool = cfg!(mpi_abi = "openmpi");

impl Plan<'_> {
    /// Waits until MPI uses no array. Says what an earlier flight left unsaid.
    #[inline(always)]
    pub(super) fn complete(&self) -> Result<()> {
        match self.state.get() {
            State::Idle => Ok(()),
            State::Active => self.wait_all(ffi::MPI_STATUSES_IGNORE.cast()),
            State::Failed => self.say(),
        }
    }

    #[cold]
    fn say(&self) -> Result<()> {
        self.state.set(State::Idle);
        self.unseen.take().map_or(Ok(()), Err)
    }

    /// `MPI_Waitall`. After an error the plan is idle, unless MPI did not let go of an operation.
    #[inline(always)]
    pub(super) fn wait_all(&self, statuses: *mut MPI_Status) -> Result<()> {
        live(WAITALL)?;
        let result = if ONE_BY_ONE {
            self.wait_each(statuses)
        } else {
            // SAFETY: valid handles, active or not; `statuses` has room for as many, or says that none is wanted.
            check(WAITALL, unsafe { ffi::MPI_Waitall(self.count(), self.handles(), statuses) })
        };
        result.map_err(|failed| self.settle(failed))?;
        self.state.set(State::Idle);
        Ok(())
    }

    /// `MPI_Testall`. After an error the plan is idle, unless an operation is not complete.
    #[inline(always)]
    pub(super) fn test_all(&self, statuses: *mut MPI_Status) -> Result<bool> {
        live(TESTALL)?;
        let result = if ONE_BY_ONE {
            self.test_each(statuses)
        } else {
            let mut complete = 0;
            // SAFETY: as in `wait_all`; the out-argument is ours.
            let code = unsafe { ffi::MPI_Testall(self.count(), self.handles(), &raw mut complete, statuses) };
            check(TESTALL, code).map(|()| complete != 0)
        };
        let complete = result.inspect_err(|_| self.look())?;
        if complete {
            self.state.set(State::Idle);
        }
        Ok(complete)
    }

    /// Waits for each operation. The first failure, after all of them. A status is wanted of a single operation alone.
    #[inline(always)]
    fn wait_each(&self, status: *mut MPI_Status) -> Result<()> {
        let mut result = Ok(());
        for slot in &self.slots {
            // SAFETY: a valid handle; returns at once if it is inactive. Room for one status, or none is wanted.
            let code = unsafe { ffi::MPI_Wait(slot.as_ptr(), status) };
            result = result.and(check(WAITALL, code));
        }
        result
    }

    /// Tests the operations in order, up to one that is in flight or has failed.
    #[inline(always)]
    fn test_each(&self, status: *mut MPI_Status) -> Result<bool> {
        for slot in &self.slots {
            let mut complete = 0;
            // SAFETY: as in `wait_each`; the out-argument is ours.
            check(TESTALL, unsafe { ffi::MPI_Test(slot.as_ptr(), &raw mut complete, status) })?;
            if complete == 0 {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A wait has failed, and `MPI_Waitall` may leave operations active then (`MPI_ERR_PENDING`): waits for each of them.
    #[cold]
    fn settle(&self, failed: Error) -> Error {
        let cause = self.wait_each(ffi::MPI_STATUS_IGNORE.cast()).err();
        self.look();
        // `MPI_ERR_IN_STATUS` says no more than that there is a cause.
        cause.filter(|_| failed.class() == crate::ErrorClass::IN_STATUS).unwrap_or(failed)
    }

    /// After an error: the plan is idle if every operation is found complete.
    ///
    /// Open MPI frees the request of an operation that failed, though it is persistent: it is made anew.
    fn look(&self) {
        let idle = self.slots.iter().all(is_inactive);
        self.state.set(if idle { State::Idle } else { State::Active });
        for (slot, operation) in self.slots.iter().zip(&self.operations) {
            if slot.get() == ffi::MPI_REQUEST_NULL
                && let Ok(handle) = self.init(operation)
            {
                slot.set(handle); // if it cannot be made, `MPI_Startall` will say so
            }
        }
    }

    /// Completes what a flight that is dropped leaves in flight.
    pub(super) fn complete_dropped(&self) {
        if std::thread::panicking() {
            return; // whoever uses the plan next waits
        }
        if let Err(error) = self.complete() {
            self.unseen.set(Some(error));
            if self.state.get() == State::Idle {
                self.state.set(State::Failed);
            }
        }
    }

    /// Whether MPI has let go of the arrays. Does not wait while the thread panics.
    pub(super) fn is_over(&self) -> bool {
        if live(WAITALL).is_err() {
            return self.state.get() != State::Active; // the host program ended MPI under the plan
        }
        if std::thread::panicking() && self.state.get() == State::Active {
            return matches!(self.test_all(ffi::MPI_STATUSES_IGNORE.cast()), Ok(true));
        }
        if let Err(error) = self.complete() {
            report(format_args!("a plan was dropped before anybody saw its last error: {error}"));
        }
        self.state.get() != State::Active
    }
}

/// Whether MPI is done with a persistent request: asking leaves it as it is.
#[cold]
pub(crate) fn is_inactive(slot: &Slot) -> bool {
    if slot.get() == ffi::MPI_REQUEST_NULL {
        return true;
    }
    let mut complete = 0;
    let status = ffi::MPI_STATUS_IGNORE.cast();
    // SAFETY: a valid handle; the out-argument is ours.
    let code = unsafe { ffi::MPI_Request_get_status(slot.get(), &raw mut complete, status) };
    code == ffi::MPI_SUCCESS && complete != 0
}
