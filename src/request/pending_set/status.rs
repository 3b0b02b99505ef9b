//! Looking at the requests of a set without completing them: MPI 4.1's forms of `MPI_Request_get_status`.
#![allow(unsafe_code)]

use super::PendingSet;
use crate::error::Result;
use crate::ffi::{self, Call, check};
use crate::request::flight::Landing;
use crate::request::looks::{
    MPI_Request_get_status_all, MPI_Request_get_status_any, MPI_Request_get_status_some, supported,
};
use crate::request::{HasStatus, Way};
use crate::status::Status;
use std::task::Poll;

impl<B, W: Way<B> + HasStatus> PendingSet<B, W> {
    /// Index and status of a request that is complete. `Pending` if none is, `Ready(None)` if the set is empty. All
    /// stay in the set.
    ///
    /// `MPI_Request_get_status_any` (MPI 4.1 §3.7.6). Also drives progress.
    ///
    /// # Errors
    /// What MPI reports; the library is older than MPI 4.1.
    #[doc(alias = "MPI_Request_get_status_any")]
    pub fn get_status_any(&mut self) -> Result<Poll<Option<(usize, Status)>>> {
        const CALL: Call = &"MPI_Request_get_status_any";
        supported(CALL)?;
        self.stage();
        if let Some(one) = self.landed.front() {
            return known(one).map(|one| Poll::Ready(Some(one)));
        }
        let n = self.gather(CALL)?;
        let (mut place, mut flag, mut status) = (ffi::MPI_UNDEFINED, 0, Status::empty());
        let handles = self.handles.as_ptr().cast_mut();
        // SAFETY: `n` valid handles of ours; the out-arguments are ours; MPI is live.
        let code =
            unsafe { MPI_Request_get_status_any(n, handles, &raw mut place, &raw mut flag, &raw mut status) };
        check(CALL, code)?;
        let found = usize::try_from(place).ok().and_then(|place| self.flying.get(place));
        let found = found.map(|&(index, _)| (index, Status::from_raw(status)));
        Ok(if flag == 0 { Poll::Pending } else { Poll::Ready(found) })
    }

    /// Index and status of all requests that are complete, in the order of their indices; `None` if the set is empty.
    /// All stay in the set.
    ///
    /// `MPI_Request_get_status_some` (MPI 4.1 §3.7.6). Also drives progress.
    ///
    /// # Errors
    /// What MPI reports; the library is older than MPI 4.1.
    #[doc(alias = "MPI_Request_get_status_some")]
    pub fn get_status_some(&mut self) -> Result<Option<Vec<(usize, Status)>>> {
        const CALL: Call = &"MPI_Request_get_status_some";
        supported(CALL)?;
        self.stage();
        let n = self.gather(CALL)?;
        let (handles, indices) = (self.handles.as_ptr().cast_mut(), self.indices.as_mut_ptr());
        let mut count = 0;
        // SAFETY: `n` valid handles of ours, and room for as many indices and statuses; MPI is live.
        let code = unsafe {
            MPI_Request_get_status_some(n, handles, &raw mut count, indices, self.statuses.as_mut_ptr())
        };
        check(CALL, code)?;
        if self.is_empty() {
            return Ok(None);
        }
        let reported = self.indices.iter().zip(&self.statuses).take(usize::try_from(count).unwrap_or(0));
        let reported = reported.filter_map(|(&place, &status)| {
            let (index, _) = self.flying.get(usize::try_from(place).ok()?)?;
            Some(Ok((*index, Status::from_raw(status))))
        });
        in_order(self.landed.iter().map(known).chain(reported)).map(Some)
    }

    /// Index and status of all requests, in the order of their indices, if all are complete. All stay in the set.
    ///
    /// `MPI_Request_get_status_all` (MPI 4.1 §3.7.6). Also drives progress.
    ///
    /// # Errors
    /// What MPI reports; the library is older than MPI 4.1.
    #[doc(alias = "MPI_Request_get_status_all")]
    pub fn get_status_all(&mut self) -> Result<Poll<Vec<(usize, Status)>>> {
        const CALL: Call = &"MPI_Request_get_status_all";
        supported(CALL)?;
        self.stage();
        let n = self.gather(CALL)?;
        let handles = self.handles.as_ptr().cast_mut();
        let mut flag = 0;
        // SAFETY: `n` valid handles of ours, and room for as many statuses; the flag is ours; MPI is live.
        let code =
            unsafe { MPI_Request_get_status_all(n, handles, &raw mut flag, self.statuses.as_mut_ptr()) };
        check(CALL, code)?;
        if flag == 0 {
            return Ok(Poll::Pending);
        }
        let flying = self.flying.iter().zip(&self.statuses);
        let flying = flying.map(|(&(index, _), &status)| Ok((index, Status::from_raw(status))));
        in_order(self.landed.iter().map(known).chain(flying)).map(Poll::Ready)
    }
}

/// Index and status of what a call has completed that has not been given out.
fn known<B>((index, landing): &(usize, Landing<B>)) -> Result<(usize, Status)> {
    match landing {
        Ok((_, status)) => Ok((*index, Status::from_raw(*status))),
        Err(failed) => Err(failed.error),
    }
}

fn in_order(found: impl Iterator<Item = Result<(usize, Status)>>) -> Result<Vec<(usize, Status)>> {
    let mut found = found.collect::<Result<Vec<_>>>()?;
    found.sort_unstable_by_key(|&(index, _)| index);
    Ok(found)
}
