//! Several requests completed by one `MPI_Waitall` (MPI 4.1 §3.7.5): arrays, vectors, tuples.

use super::{Loan, Request};
use crate::error::{Error, Result};
use crate::ffi::{self, Call, MPI_Request, MPI_Status, check, class_of};
use crate::scope::Place;
use crate::status::Status;
use std::array;
use std::os::raw::c_int;

const CALL: Call = &"MPI_Waitall";

/// Requests that one `MPI_Waitall` can complete: an array or `Vec` of one kind, a tuple of several.
pub trait WaitAll {
    /// What each of them gives back.
    type Output;
    /// See [`wait_all`].
    ///
    /// # Errors
    /// What MPI reports; [`Error::index`] says which operation failed, where MPI tells.
    fn wait_all(self) -> Result<Self::Output>;
}

/// Waits until all operations are complete, without limit, and gives back what was lent.
///
/// `MPI_Waitall` (MPI 4.1 §3.7.5).
///
/// # Errors
/// What MPI reports; [`Error::index`] says which operation failed, where MPI tells. The buffers then stay lent
/// until the scope ends.
#[doc(alias = "MPI_Waitall")]
#[inline(always)]
pub fn wait_all<G: WaitAll>(requests: G) -> Result<G::Output> {
    requests.wait_all()
}

/// `MPI_Waitall` on copies of the handles, which are written back: null where complete, so that the scope forgets
/// them, and live where MPI left them pending.
#[inline(always)]
fn complete(slots: &[Place<'_>], handles: &mut [MPI_Request], statuses: *mut MPI_Status) -> Result<()> {
    let n = c_int::try_from(slots.len())
        .map_err(|_| Error::length(CALL, crate::error::Argument::Count, slots.len(), c_int::MAX as usize))?;
    for (handle, slot) in handles.iter_mut().zip(slots) {
        *handle = slot.get();
    }
    // SAFETY: `n` valid handles; `statuses` has room for as many, or says that none is wanted.
    let code = unsafe { ffi::MPI_Waitall(n, handles.as_mut_ptr(), statuses) };
    for (handle, slot) in handles.iter().zip(slots) {
        slot.slot().set(*handle);
    }
    check(CALL, code)
}

/// Turns `MPI_ERR_IN_STATUS` into the error of the operation that failed.
#[cold]
fn which(error: Error, statuses: &[MPI_Status]) -> Error {
    let failed =
        |status: &&MPI_Status| !matches!(Status::error_code(status), ffi::MPI_SUCCESS | ffi::MPI_ERR_PENDING);
    if error.class() != crate::ErrorClass::IN_STATUS {
        return error;
    }
    match statuses.iter().enumerate().find(|(_, status)| failed(status)) {
        Some((index, status)) => {
            let code = Status::error_code(status);
            Error::in_status(CALL, code, class_of(code), index)
        }
        None => error,
    }
}

impl<L: Loan, const N: usize> WaitAll for [Request<'_, L>; N] {
    type Output = [L::Output; N];
    #[inline(always)]
    fn wait_all(self) -> Result<Self::Output> {
        let slots: [Place<'_>; N] = array::from_fn(|i| self[i].slot);
        let mut handles = [ffi::MPI_REQUEST_NULL; N];
        let mut statuses = [Status::empty(); N];
        let out = if L::STATUS { statuses.as_mut_ptr() } else { ffi::MPI_STATUSES_IGNORE.cast() };
        complete(&slots, &mut handles, out).map_err(|e| which(e, &statuses))?;
        let mut i = 0;
        Ok(self.map(|request| {
            let status = statuses[i];
            i += 1;
            // SAFETY: every operation is complete, and the statuses were written if they were asked for.
            unsafe { request.loan.settle(status) }
        }))
    }
}

impl<L: Loan> WaitAll for Vec<Request<'_, L>> {
    type Output = Vec<L::Output>;
    fn wait_all(self) -> Result<Self::Output> {
        let slots: Vec<Place<'_>> = self.iter().map(|request| request.slot).collect();
        let mut handles = vec![ffi::MPI_REQUEST_NULL; self.len()];
        let mut statuses = vec![Status::empty(); self.len()];
        complete(&slots, &mut handles, statuses.as_mut_ptr()).map_err(|e| which(e, &statuses))?;
        // SAFETY: every operation is complete, and its status was written.
        let settle = |(request, status): (Request<'_, L>, MPI_Status)| unsafe { request.loan.settle(status) };
        Ok(self.into_iter().zip(statuses).map(settle).collect())
    }
}

macro_rules! tuples {
    ($($n:literal: $($loan:ident $i:tt),+;)+) => { $(
        impl<$($loan: Loan),+> WaitAll for ($(Request<'_, $loan>,)+) {
            type Output = ($($loan::Output,)+);
            #[inline(always)]
            fn wait_all(self) -> Result<Self::Output> {
                let mut statuses = [Status::empty(); $n];
                complete(&[$(self.$i.slot),+], &mut [ffi::MPI_REQUEST_NULL; $n], statuses.as_mut_ptr())
                    .map_err(|e| which(e, &statuses))?;
                // SAFETY: every operation is complete, and its status was written.
                Ok(($(unsafe { self.$i.loan.settle(statuses[$i]) },)+))
            }
        }
    )+ };
}
tuples! {
    1: A 0;
    2: A 0, B 1;
    3: A 0, B 1, C 2;
    4: A 0, B 1, C 2, D 3;
    5: A 0, B 1, C 2, D 3, E 4;
    6: A 0, B 1, C 2, D 3, E 4, F 5;
}
