//! Looking at the requests of a set without completing them: MPI 4.1's forms of `MPI_Request_get_status`.

use super::RequestSet;
use crate::error::Result;
use crate::ffi::{self, Call, check};
use crate::request::looks::{
    MPI_Request_get_status_all, MPI_Request_get_status_any, MPI_Request_get_status_some, supported,
};
use crate::request::{HasStatus, Loan};
use crate::status::Status;
use std::task::Poll;

impl<L: Loan + HasStatus> RequestSet<'_, L> {
    /// Index and status of a receive that is complete. `Pending` if none is, `Ready(None)` if nothing is left. The set
    /// stays as it is, and the buffers lent.
    ///
    /// `MPI_Request_get_status_any` (MPI 4.1 §3.7.6). Also drives progress.
    ///
    /// # Errors
    /// What MPI reports; the library is older than MPI 4.1.
    #[doc(alias = "MPI_Request_get_status_any")]
    pub fn get_status_any(&self) -> Result<Poll<Option<(usize, Status)>>> {
        const CALL: Call = &"MPI_Request_get_status_any";
        supported(CALL)?;
        if let Some(&(index, outcome)) = self.complete.front() {
            return Ok(Poll::Ready(Some((index, Status::from_raw(outcome?)))));
        }
        let (n, handles) = self.handles(CALL)?;
        let (mut index, mut flag, mut status) = (ffi::MPI_UNDEFINED, 0, Status::empty());
        // SAFETY: `n` valid handles; the out-arguments are ours.
        let code =
            unsafe { MPI_Request_get_status_any(n, handles, &raw mut index, &raw mut flag, &raw mut status) };
        check(CALL, code)?;
        let found = usize::try_from(index).ok().map(|index| (index, Status::from_raw(status)));
        Ok(if flag == 0 { Poll::Pending } else { Poll::Ready(found) })
    }

    /// Appends index and status of all receives that are complete to `found`. Returns how many; `None` if nothing is
    /// left. The set stays as it is, and the buffers lent.
    ///
    /// `MPI_Request_get_status_some` (MPI 4.1 §3.7.6). Also drives progress.
    ///
    /// # Errors
    /// What MPI reports; the library is older than MPI 4.1.
    #[doc(alias = "MPI_Request_get_status_some")]
    pub fn get_status_some(&mut self, found: &mut Vec<(usize, Status)>) -> Result<Option<usize>> {
        const CALL: Call = &"MPI_Request_get_status_some";
        supported(CALL)?;
        let (n, handles) = self.handles(CALL)?;
        let (indices, statuses) = (self.indices.as_mut_ptr(), self.statuses.as_mut_ptr());
        let mut count = 0;
        // SAFETY: `n` valid handles; room for as many indices and statuses.
        let code = unsafe { MPI_Request_get_status_some(n, handles, &raw mut count, indices, statuses) };
        check(CALL, code)?;
        if self.is_empty() {
            return Ok(None);
        }
        let before = found.len();
        self.known_statuses(found)?;
        let count = if count == ffi::MPI_UNDEFINED { 0 } else { count.max(0) as usize };
        let reported = self.indices.iter().zip(&self.statuses).take(count);
        found.extend(reported.map(|(&index, &status)| (index as usize, Status::from_raw(status))));
        Ok(Some(found.len() - before))
    }

    /// Index and status of all receives, if all are complete. The set stays as it is, and the buffers lent.
    ///
    /// `MPI_Request_get_status_all` (MPI 4.1 §3.7.6). Also drives progress.
    ///
    /// # Errors
    /// What MPI reports; the library is older than MPI 4.1.
    #[doc(alias = "MPI_Request_get_status_all")]
    pub fn get_status_all(&mut self) -> Result<Poll<Vec<(usize, Status)>>> {
        const CALL: Call = &"MPI_Request_get_status_all";
        supported(CALL)?;
        let (n, handles) = self.handles(CALL)?;
        let mut flag = 0;
        // SAFETY: `n` valid handles; room for as many statuses; the flag is ours.
        let code =
            unsafe { MPI_Request_get_status_all(n, handles, &raw mut flag, self.statuses.as_mut_ptr()) };
        check(CALL, code)?;
        if flag == 0 {
            return Ok(Poll::Pending);
        }
        let mut found = Vec::with_capacity(self.len());
        self.known_statuses(&mut found)?;
        let in_flight = self.entries.iter().zip(&self.statuses).enumerate();
        let in_flight = in_flight.filter(|(_, (entry, _))| entry.is_in_flight());
        found.extend(in_flight.map(|(index, (_, &status))| (index, Status::from_raw(status))));
        Ok(Poll::Ready(found))
    }

    /// The statuses of what is complete and has no handle any more.
    fn known_statuses(&self, found: &mut Vec<(usize, Status)>) -> Result<()> {
        for &(index, outcome) in &self.complete {
            found.push((index, Status::from_raw(outcome?)));
        }
        Ok(())
    }
}
