//! Completing requests of a set: any, some, all.

use super::{Loan, RequestSet};
use crate::ErrorClass;
use crate::error::{Error, Result};
use crate::ffi::{self, Call, MPI_Status, class_of};
use crate::request::all;
use crate::status::Status;
use std::os::raw::c_int;
use std::task::Poll;

impl<L: Loan> RequestSet<'_, L> {
    /// Waits until one request is complete, without limit; gives back its index and what was lent. `None` if
    /// nothing is left.
    ///
    /// `MPI_Waitany` (MPI 4.1 §3.7.5).
    ///
    /// # Errors
    /// What MPI reports of one request, whose index [`Error::index`] names. It is no longer in the set, and its buffer
    /// stays lent until the scope ends; the others are where they were.
    #[doc(alias = "MPI_Waitany")]
    pub fn wait_any(&mut self) -> Result<Option<(usize, L::Output)>> {
        const CALL: Call = &"MPI_Waitany";
        if self.complete.is_empty() {
            let (n, handles) = self.handles(CALL)?;
            let (mut index, mut status) = (ffi::MPI_UNDEFINED, Status::empty());
            // SAFETY: `n` valid handles; the out-arguments are ours.
            let code = unsafe { ffi::MPI_Waitany(n, handles, &raw mut index, &raw mut status) };
            self.one(CALL, code, index, status)?;
        }
        self.next_one()
    }

    /// Asks whether a request is complete: gives back its index and what was lent. `Ready(None)` if nothing is
    /// left.
    ///
    /// `MPI_Testany` (MPI 4.1 §3.7.5). Also drives progress.
    ///
    /// # Errors
    /// As [`wait_any`](RequestSet::wait_any).
    #[doc(alias = "MPI_Testany")]
    #[allow(clippy::type_complexity, reason = "std's words for each of the answers")]
    pub fn test_any(&mut self) -> Result<Poll<Option<(usize, L::Output)>>> {
        const CALL: Call = &"MPI_Testany";
        if self.complete.is_empty() {
            let (n, handles) = self.handles(CALL)?;
            let (mut index, mut flag, mut status) = (ffi::MPI_UNDEFINED, 0, Status::empty());
            // SAFETY: `n` valid handles; the out-arguments are ours.
            let code =
                unsafe { ffi::MPI_Testany(n, handles, &raw mut index, &raw mut flag, &raw mut status) };
            if code == ffi::MPI_SUCCESS && flag == 0 {
                return Ok(Poll::Pending);
            }
            self.one(CALL, code, index, status)?;
        }
        self.next_one().map(Poll::Ready)
    }

    /// Waits until at least one request is complete, without limit, and appends all that are to `done`: index, and
    /// what was lent or why it failed. Returns how many; `None` if nothing is left.
    ///
    /// `MPI_Waitsome` (MPI 4.1 §3.7.5). A request that failed is no longer in the set, and its buffer stays lent until
    /// the scope ends.
    ///
    /// # Errors
    /// What MPI reports of the call as a whole: then nothing was completed.
    #[doc(alias = "MPI_Waitsome")]
    pub fn wait_some(&mut self, done: &mut Vec<(usize, Result<L::Output>)>) -> Result<Option<usize>> {
        const CALL: Call = &"MPI_Waitsome";
        if self.complete.is_empty() {
            let (n, handles) = self.handles(CALL)?;
            let (indices, statuses) = (self.indices.as_mut_ptr(), self.statuses.as_mut_ptr());
            let mut count = 0;
            // SAFETY: `n` valid handles; room for as many indices and statuses.
            let code = unsafe { ffi::MPI_Waitsome(n, handles, &raw mut count, indices, statuses) };
            self.some(CALL, code, count)?;
        }
        Ok(self.drain_to(done))
    }

    /// Appends the requests that are complete to `done`, without waiting. Returns how many; `None` if nothing is left.
    ///
    /// `MPI_Testsome` (MPI 4.1 §3.7.5). Also drives progress. For what failed see [`wait_some`](RequestSet::wait_some).
    ///
    /// # Errors
    /// What MPI reports of the call as a whole: then nothing was completed.
    #[doc(alias = "MPI_Testsome")]
    pub fn test_some(&mut self, done: &mut Vec<(usize, Result<L::Output>)>) -> Result<Option<usize>> {
        const CALL: Call = &"MPI_Testsome";
        if self.complete.is_empty() {
            let (n, handles) = self.handles(CALL)?;
            let (indices, statuses) = (self.indices.as_mut_ptr(), self.statuses.as_mut_ptr());
            let mut count = 0;
            // SAFETY: `n` valid handles; room for as many indices and statuses.
            let code = unsafe { ffi::MPI_Testsome(n, handles, &raw mut count, indices, statuses) };
            self.some(CALL, code, count)?;
        }
        Ok(self.drain_to(done))
    }

    /// Waits until all requests are complete, without limit. Gives back each with its index: what was lent, or why it
    /// failed.
    ///
    /// `MPI_Waitall` (MPI 4.1 §3.7.5). After a failure MPI may leave others pending (`MPI_ERR_PENDING`): those are still
    /// in the set, their buffers are lent, and the next call waits for them. If nothing failed the set is empty.
    ///
    /// # Errors
    /// What MPI reports of the call as a whole: then nothing was completed.
    #[doc(alias = "MPI_Waitall")]
    pub fn wait_all(&mut self) -> Result<Vec<(usize, Result<L::Output>)>> {
        const CALL: Call = &"MPI_Waitall";
        let (n, handles) = self.handles(CALL)?;
        // SAFETY: `n` valid handles; room for as many statuses.
        let code = unsafe { all::wait_all(n, handles, self.statuses.as_mut_ptr()) };
        self.all(CALL, code)?;
        let mut done = Vec::with_capacity(self.complete.len());
        self.drain_to(&mut done);
        Ok(done)
    }

    /// Asks whether all requests are complete, and if so gives all of them back, as [`wait_all`](RequestSet::wait_all).
    ///
    /// `MPI_Testall` (MPI 4.1 §3.7.5). Also drives progress.
    ///
    /// # Errors
    /// What MPI reports of the call as a whole: then nothing was completed.
    #[doc(alias = "MPI_Testall")]
    #[allow(clippy::type_complexity, reason = "std's words for each of the answers")]
    pub fn test_all(&mut self) -> Result<Poll<Vec<(usize, Result<L::Output>)>>> {
        const CALL: Call = &"MPI_Testall";
        let (n, handles) = self.handles(CALL)?;
        let mut flag = 0;
        // SAFETY: `n` valid handles; room for as many statuses; the flag is ours.
        let code = unsafe { ffi::MPI_Testall(n, handles, &raw mut flag, self.statuses.as_mut_ptr()) };
        if code == ffi::MPI_SUCCESS && flag == 0 {
            return Ok(Poll::Pending);
        }
        self.all(CALL, code)?;
        let mut done = Vec::with_capacity(self.complete.len());
        self.drain_to(&mut done);
        Ok(Poll::Ready(done))
    }

    /// Gives back one request, with the error in the `Result` of the call.
    fn next_one(&mut self) -> Result<Option<(usize, L::Output)>> {
        self.next().map(|(index, outcome)| Ok((index, outcome?))).transpose()
    }

    /// Gives back everything that is complete. `None` if there was nothing in the set.
    fn drain_to(&mut self, done: &mut Vec<(usize, Result<L::Output>)>) -> Option<usize> {
        if self.is_empty() {
            return None;
        }
        let before = done.len();
        while let Some(result) = self.next() {
            done.push(result);
        }
        Some(done.len() - before)
    }

    /// What an `any` call reports.
    fn one(&mut self, call: Call, code: c_int, index: c_int, status: MPI_Status) -> Result<()> {
        if code == ffi::MPI_SUCCESS {
            self.report(call, index, code, status);
            return Ok(());
        }
        // The request the error belongs to comes first.
        self.report(call, index, code, status);
        self.sweep(call, code)
    }

    /// What a `some` call reports.
    fn some(&mut self, call: Call, code: c_int, count: c_int) -> Result<()> {
        let is_each = code == ffi::MPI_SUCCESS || is_in_status(code);
        let count = if is_each && count != ffi::MPI_UNDEFINED { count.max(0) as usize } else { 0 };
        for j in 0..count.min(self.indices.len()) {
            let (index, status) = (self.indices[j], self.statuses[j]);
            let own = if code == ffi::MPI_SUCCESS { code } else { Status::error_code(&status) };
            self.report(call, index, own, status);
        }
        if code == ffi::MPI_SUCCESS { Ok(()) } else { self.sweep(call, code) }
    }

    /// What an `all` call reports.
    fn all(&mut self, call: Call, code: c_int) -> Result<()> {
        if code == ffi::MPI_SUCCESS || is_in_status(code) {
            for i in 0..self.entries.len() {
                let status = self.statuses[i];
                let own = if code == ffi::MPI_SUCCESS { code } else { Status::error_code(&status) };
                self.report(call, i as c_int, own, status);
            }
        }
        if code == ffi::MPI_SUCCESS { Ok(()) } else { self.sweep(call, code) }
    }

    /// Queues a request that MPI reports, if it has taken the handle away: what it has not is in flight.
    fn report(&mut self, call: Call, index: c_int, code: c_int, status: MPI_Status) {
        let Ok(index) = usize::try_from(index) else { return }; // `MPI_UNDEFINED`: nothing is left
        if self.is_complete(index) {
            let failed = code != ffi::MPI_SUCCESS;
            let outcome =
                if failed { Err(Error::in_status(call, code, class_of(code), index)) } else { Ok(status) };
            self.queue(index, outcome);
        }
    }

    /// After a failure: an implementation may have freed other requests that failed, without saying which. If it has
    /// completed nothing at all, the call failed as a whole.
    #[cold]
    fn sweep(&mut self, call: Call, code: c_int) -> Result<()> {
        for index in 0..self.entries.len() {
            self.report(call, index as c_int, code, Status::empty());
        }
        if self.complete.is_empty() { Err(Error::from_code(call, code, class_of(code))) } else { Ok(()) }
    }
}

/// Whether each request's own error is in its status.
fn is_in_status(code: c_int) -> bool {
    ErrorClass::from_raw(class_of(code)) == ErrorClass::IN_STATUS
}
