//! How a plan completes: waiting, testing, what is left after an error.
#![allow(unsafe_code)]

use super::operation::Operation;
use super::plan::{Plan, State};
use crate::environment::{live, report};
use crate::error::{Error, Result, State as Because};
use crate::ffi::{self, Call, MPI_Status, class_of};
use crate::request::all::wait_all;
use crate::request::dropped::{self, InFlight};
use crate::scope::{Note, Slot};
use crate::status::Status;
use std::os::raw::c_int;

const WAITALL: Call = &"MPI_Waitall";
const TESTALL: Call = &"MPI_Testall";

impl<H> Plan<'_, H> {
    /// Whether MPI may be using the arrays.
    pub(super) fn is_busy(&self) -> bool {
        matches!(self.state.get(), State::Active | State::Stuck)
    }

    /// Waits until MPI uses no array. Says what an earlier flight left unsaid.
    #[inline(always)]
    pub(super) fn complete(&self) -> Result<()> {
        if self.state.get() == State::Idle { Ok(()) } else { self.complete_forgotten() }
    }

    #[cold]
    fn complete_forgotten(&self) -> Result<()> {
        if self.is_busy() {
            return self.wait_all();
        }
        self.state.set(State::Idle);
        self.unseen.take().map_or(Ok(()), Err)
    }

    /// `MPI_Waitall`. After an error the plan is idle, unless MPI did not let go of an operation.
    #[inline(always)]
    pub(super) fn wait_all(&self) -> Result<()> {
        // SAFETY: so many there are.
        unsafe { self.wait_for_these(self.count()) }
    }

    /// The same of operations whose number the caller may know without a look.
    ///
    /// # Safety
    /// The plan has `n` operations.
    #[inline(always)]
    pub(super) unsafe fn wait_for_these(&self, n: c_int) -> Result<()> {
        live(WAITALL)?;
        let handles = self.slots.as_mut_ptr();
        let code = if n == 1 {
            // SAFETY: a valid handle, active or not, and a status.
            unsafe { ffi::MPI_Wait(handles, self.statuses()) }
        } else {
            // SAFETY: valid handles, active or not, and as many statuses.
            self.with_hidden(unsafe { wait_all(n, handles, self.statuses()) })
        };
        if code != ffi::MPI_SUCCESS {
            return Err(self.settle(code));
        }
        self.state.set(State::Idle);
        Ok(())
    }

    /// `MPI_Testall`. After an error the plan is idle, unless an operation is not complete.
    #[inline(always)]
    pub(super) fn test_all(&self) -> Result<bool> {
        live(TESTALL)?;
        let mut complete = 0;
        // SAFETY: as in `wait_all`; the out-argument is ours.
        let code = unsafe {
            ffi::MPI_Testall(self.count(), self.slots.as_mut_ptr(), &raw mut complete, self.statuses())
        };
        let code = if complete == 0 { code } else { self.with_hidden(code) };
        if code != ffi::MPI_SUCCESS {
            let error = self.which(TESTALL, code);
            self.look(State::Active);
            return Err(error);
        }
        if complete != 0 {
            self.state.set(State::Idle);
        }
        Ok(complete != 0)
    }

    /// What was started and is complete needs no wait before the next use, which would only say once more what is said
    /// already: MPICH keeps the error of a start in its request.
    #[cold]
    pub(super) fn after_failed_start(&self) {
        let _ = self.test_all();
    }

    /// Where MPI writes how each operation ended: only so can it be said which has failed.
    fn statuses(&self) -> *mut MPI_Status {
        self.statuses.as_ptr().cast_mut().cast()
    }

    /// What the library should have said: Open MPI's `MPI_Testall`, which stands in for its `MPI_Waitall` too, reports no
    /// error of a persistent request, but in its status (fault `testall-persistent`).
    #[inline(always)]
    fn with_hidden(&self, code: i32) -> i32 {
        if !cfg!(mpi_abi = "openmpi") || code != ffi::MPI_SUCCESS {
            return code;
        }
        // One look at all of them together costs less than a branch for each.
        let errors = self.statuses.iter().fold(0, |all, status| all | Status::error_code(&status.get()));
        if errors == ffi::MPI_SUCCESS { code } else { ffi::MPI_ERR_IN_STATUS }
    }

    /// `MPI_Waitall` failed, which may leave operations active (`MPI_ERR_PENDING`): waits for each of them.
    #[cold]
    fn settle(&self, code: i32) -> Error {
        let failed = self.which(WAITALL, code);
        let mut cause = None;
        for (i, slot) in self.slots.all().iter().enumerate() {
            // SAFETY: a valid handle; returns at once if it is inactive.
            let code = unsafe { ffi::MPI_Wait(slot.as_ptr(), ffi::MPI_STATUS_IGNORE.cast()) };
            if code != ffi::MPI_SUCCESS {
                cause = cause.or(Some(self.of_operation(i, code)));
            }
        }
        self.look(State::Stuck);
        cause.filter(|_| failed.index().is_none()).unwrap_or(failed)
    }

    /// What an error of several operations is about: the first that failed.
    #[cold]
    fn which(&self, call: Call, code: i32) -> Error {
        if class_of(code) != ffi::MPI_ERR_IN_STATUS {
            return match self.operations.len() {
                1 => self.of_operation(0, code),
                _ => Error::from_code(call, code, class_of(code)),
            };
        }
        let codes = self.statuses.iter().map(|status| Status::error_code(&status.get()));
        let failed = |code: &i32| !matches!(*code, ffi::MPI_SUCCESS | ffi::MPI_ERR_PENDING);
        match codes.enumerate().find(|(_, code)| failed(code)) {
            Some((i, code)) => self.of_operation(i, code),
            None => Error::from_code(call, code, class_of(code)),
        }
    }

    fn of_operation(&self, i: usize, code: i32) -> Error {
        Error::in_status(self.operations[i].call(), code, class_of(code), i)
    }

    /// After an error: the plan is idle if every operation is found complete, else `otherwise`.
    ///
    /// Open MPI frees the request of an operation that failed, though it is persistent: that of a message is made anew. That
    /// of a collective would have to be made by all ranks: starting the plan is then an error.
    fn look(&self, otherwise: State) {
        let active = self.slots.all().iter().filter(|slot| !deactivate(slot)).count();
        self.state.set(if active == 0 { State::Idle } else { otherwise });
        for (slot, operation) in self.slots.all().iter().zip(&self.operations) {
            let Operation::Message(message) = operation else { continue };
            // SAFETY: as when it was made the first time (`add`).
            let remade = || unsafe { self.make(message) };
            if slot.get() == ffi::MPI_REQUEST_NULL
                && let Ok(handle) = remade()
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
        if self.state.get() == State::Active && live(WAITALL).is_ok() {
            dropped::finish(&mut Landing { plan: self, cancelled: false }, self.errors.get());
        } else if let Err(error) = self.complete() {
            self.unseen.set(Some(error));
        }
        if self.state.get() == State::Idle && self.unseen.get().is_some() {
            self.state.set(State::Failed);
        }
    }

    /// Whether MPI has let go of the arrays. Does not wait while the thread panics.
    pub(super) fn is_over(&self) -> bool {
        if live(WAITALL).is_err() {
            return !self.is_busy(); // the host program ended MPI under the plan
        }
        if std::thread::panicking() && self.is_busy() {
            return matches!(self.test_all(), Ok(true));
        }
        self.complete_dropped();
        if let Some(error) = self.unseen.take() {
            report(format_args!("a plan was dropped before anybody saw its last error: {error}"));
        }
        !self.is_busy()
    }
}

/// A plan whose flight was dropped.
struct Landing<'a, 'c, H> {
    plan: &'a Plan<'c, H>,
    /// Whether receives were cancelled, if there were any.
    cancelled: bool,
}

impl<H> Landing<'_, '_, H> {
    fn active(&self) -> impl Iterator<Item = usize> {
        let slots = self.plan.slots.all();
        (0..slots.len()).filter(|&i| !is_inactive(&slots[i]))
    }

    /// The next use of the plan must hear that nothing was received.
    fn say_what_was_cancelled(&self) {
        let statuses = self.plan.statuses.iter().map(|status| Status::from_raw(status.get()));
        let cancelled =
            |(i, status): &(usize, Status)| self.plan.operations[*i].receives() && status.is_cancelled();
        if let Some((i, _)) = statuses.enumerate().find(cancelled) {
            let call = self.plan.operations[i].call();
            self.plan.unseen.set(Some(Error::state(call, Because::Cancelled)));
        }
    }
}

impl<H> InFlight for Landing<'_, '_, H> {
    fn is_over(&mut self) -> bool {
        match self.plan.test_all() {
            Ok(true) if self.cancelled => self.say_what_was_cancelled(),
            Ok(_) => {}
            Err(error) => self.plan.unseen.set(Some(error)),
        }
        !self.plan.is_busy()
    }

    fn note(&self) -> Note {
        self.active().next().map_or(Note::UNKNOWN, |i| self.plan.operations[i].note())
    }

    fn cancel(&mut self) {
        for i in self.active().filter(|&i| self.plan.operations[i].receives()) {
            // SAFETY: a valid handle of a receive that is active, and is completed by `dropped::finish`.
            unsafe { ffi::MPI_Cancel(self.plan.slots.all()[i].as_ptr()) };
        }
        self.cancelled = true;
    }

    fn wait(&mut self) {
        if let Err(error) = self.plan.wait_all() {
            self.plan.unseen.set(Some(error));
        }
    }
}

/// Whether a persistent request is inactive, which it becomes here if its operation is complete: a call on several
/// requests that fails may leave it active.
#[cold]
fn deactivate(slot: &Slot) -> bool {
    let (mut complete, status) = (0, ffi::MPI_STATUS_IGNORE.cast());
    // SAFETY: a valid handle, active or not; the out-argument is ours.
    unsafe { ffi::MPI_Test(slot.as_ptr(), &raw mut complete, status) };
    complete != 0 || is_inactive(slot) // the error was said
}

/// Whether MPI is done with the buffer of a persistent request: asking leaves the request as it is.
#[cold]
pub(crate) fn is_inactive(slot: &Slot) -> bool {
    if slot.get() == ffi::MPI_REQUEST_NULL {
        return true;
    }
    let mut complete = 0;
    let status = ffi::MPI_STATUS_IGNORE.cast();
    // SAFETY: a valid handle; the out-argument is ours.
    unsafe { ffi::MPI_Request_get_status(slot.get(), &raw mut complete, status) };
    complete != 0 // MPICH 4.0 keeps the error of a start in the request, and returns it here too
}
