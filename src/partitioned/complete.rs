//! How a partitioned message completes: waiting, what a drop leaves behind.
#![allow(unsafe_code)]

use super::channel::Channel;
use super::ready::make_ready;
use crate::environment::live;
use crate::error::{Error, Result};
use crate::ffi::{self, Call, MPI_Status, check};
use crate::persistent::is_inactive;
use crate::request::dropped::{self, InFlight};
use crate::scope::Note;

impl<T> Channel<'_, T> {
    /// Makes ready whatever nobody has, which includes partitions whose tokens were forgotten, then waits. No token is
    /// alive: they borrow what is started, which borrows the message. Says what an earlier drop left unsaid.
    pub(super) fn complete(&self) -> Result<()> {
        if self.active.get() {
            make_ready(self.request(), &self.states)?;
            self.wait()?;
        }
        self.unseen.take().map_or(Ok(()), Err)
    }

    /// `MPI_Wait`. After an error the buffer is MPI's unless the request is found complete.
    fn wait(&self) -> Result<()> {
        const WAIT: Call = &"MPI_Wait";
        live(WAIT)?;
        let ignore: *mut MPI_Status = ffi::MPI_STATUS_IGNORE.cast();
        // SAFETY: a valid handle, or null, which is complete.
        let code = unsafe { ffi::MPI_Wait(self.slots.as_mut_ptr(), ignore) };
        self.active.set(code != ffi::MPI_SUCCESS && !is_inactive(self.slot()));
        check(WAIT, code)
    }

    /// Completes what is dropped in flight. What fails is said by the next use.
    pub(super) fn complete_dropped(&self) {
        if !self.active.get() || std::thread::panicking() {
            return;
        }
        let ready = live(&"MPI_Test").and_then(|()| make_ready(self.request(), &self.states));
        match ready {
            Ok(()) => dropped::finish(&mut &*self, self.errors.get()),
            Err(error) => self.unseen.set(Some(error)),
        }
    }

    pub(super) fn unseen(&self) -> Option<Error> {
        self.unseen.take()
    }
}

impl<T> InFlight for &Channel<'_, T> {
    fn is_over(&mut self) -> bool {
        let mut complete = 0;
        let ignore: *mut MPI_Status = ffi::MPI_STATUS_IGNORE.cast();
        // SAFETY: a valid handle, or null, which is complete; the flag is ours.
        let code = unsafe { ffi::MPI_Test(self.slots.as_mut_ptr(), &raw mut complete, ignore) };
        match check(&"MPI_Test", code) {
            Ok(()) => self.active.set(complete == 0),
            Err(error) => {
                self.active.set(!is_inactive(self.slot()));
                self.unseen.set(Some(error));
            }
        }
        !self.active.get()
    }

    fn note(&self) -> Note {
        self.note
    }

    /// A partitioned operation cannot be cancelled.
    fn cancel(&mut self) {}

    fn wait(&mut self) {
        if let Err(error) = Channel::wait(self) {
            self.unseen.set(Some(error));
        }
    }
}
