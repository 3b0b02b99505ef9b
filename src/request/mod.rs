//! Requests: typed tickets for operations in flight, which a scope owns, or which own their buffer ([`Pending`]).
//!
//! A request of a scope is a *loan*. Completing it gives back what was lent, at once, inside the scope. Dropping or
//! forgetting it leaves completion to the end of the scope. Requests that complete in an order nobody knows, of several
//! kinds, or of which one may fail without the others, go into a [`RequestSet`].
//!
//! Standard: MPI 4.1, section 3.7 "Nonblocking Communication".
#![allow(unsafe_code)]

pub(crate) mod all;
mod cancel;
pub(crate) mod dropped;
mod exchange;
mod flight;
mod future;
mod generalized;
mod group;
mod loan;
mod looks;
mod mapped;
mod pending;
mod pending_mapped;
mod pending_set;
mod pending_vec;
mod set;
mod way;

pub use crate::error::Failed;
pub use cancel::Cancelled;
pub use exchange::{Exchange, ExchangeLoan};
pub(crate) use flight::Kept;
pub use generalized::{Anywhere, Completer, Delivery, Generalized, Here, PendingGeneralized};
pub use group::{TestAll, WaitAll, test_all, wait_all};
pub use loan::{BlocksLoan, HeldLoan, Loan, PairLoan, RecvLoan, SendLoan, SharedLoan, WriteLoan};
pub(crate) use loan::{pair, raw_region};
pub use mapped::{BoxedLoan, BoxedRequest, MapLoan};
pub use pending::{Pending, PendingRecv, PendingSend};
pub use pending_mapped::{Boxed, BoxedBuffer, BoxedPending, Mapped, MappedBuffer};
pub use pending_set::{Indexed, Looked, PendingSet};
pub use pending_vec::PendingVec;
pub use set::RequestSet;
pub(crate) use way::sealed::Sealed;
pub use way::{Collective, HasStatus, Incoming, Outgoing, Way};

use crate::error::Result;
use crate::ffi::{self, MPI_Status, check};
use crate::scope::Place;
use crate::status::Status;
use std::fmt;
use std::marker::PhantomData;

/// An operation in flight, which lends memory to MPI for `'s`.
#[must_use = "dropping a request leaves its completion to the end of the scope: say so with `.defer()`, or `wait()`"]
#[doc(alias = "MPI_Request")]
pub struct Request<'s, L> {
    slot: Place<'s>,
    loan: L,
    /// `MPI_Request` is an `int` with one library and a pointer with another; ours never changes threads.
    _thread: PhantomData<*const ()>,
}

/// A send in flight: gives back the borrow that went in.
pub type SendRequest<'s, B> = Request<'s, SendLoan<'s, B>>;
/// A receive in flight: gives back [`Received`](crate::Received).
pub type RecvRequest<'s, B> = Request<'s, RecvLoan<'s, B>>;

/// What [`Request::test`] found.
#[derive(Debug)]
pub enum Test<O, R> {
    /// The operation is complete: what it gives back.
    Done(O),
    /// The operation is in flight: the request.
    Pending(R),
}

impl<'s, L> Request<'s, L> {
    #[inline(always)]
    pub(crate) fn new(slot: Place<'s>, loan: L) -> Self {
        Request { slot, loan, _thread: PhantomData }
    }
    /// Leaves completion to the end of the scope, and says so.
    #[inline(always)]
    pub fn defer(self) {}
}

impl<'s, L: Loan> Request<'s, L> {
    /// Waits until the operation is complete, without limit, and gives back what was lent.
    ///
    /// `MPI_Wait` (MPI 4.1 §3.7.3).
    ///
    /// # Errors
    /// What MPI reports, such as a truncated message. The buffer then stays lent until the scope ends.
    #[doc(alias = "MPI_Wait")]
    #[inline(always)]
    pub fn wait(self) -> Result<L::Output> {
        let mut status = Status::empty();
        // SAFETY: the slot holds this request's handle, or null if it is complete; it is ours for `'s`.
        check(&"MPI_Wait", unsafe { ffi::MPI_Wait(self.slot.as_ptr(), status_out::<L>(&raw mut status)) })?;
        // SAFETY: the operation is complete, and its status was written if it has one.
        Ok(unsafe { self.loan.settle(status) })
    }

    /// Asks whether the operation is complete: gives back what was lent, or the request.
    ///
    /// `MPI_Test` (MPI 4.1 §3.7.3). Also drives progress.
    ///
    /// # Errors
    /// As [`wait`](Request::wait).
    #[doc(alias = "MPI_Test")]
    #[inline(always)]
    pub fn test(self) -> Result<Test<L::Output, Self>> {
        let mut status = Status::empty();
        let mut complete = 0;
        let out = status_out::<L>(&raw mut status);
        // SAFETY: as in `wait`.
        check(&"MPI_Test", unsafe { ffi::MPI_Test(self.slot.as_ptr(), &raw mut complete, out) })?;
        if complete == 0 {
            return Ok(Test::Pending(self));
        }
        // SAFETY: the operation is complete, and its status was written if it has one.
        Ok(Test::Done(unsafe { self.loan.settle(status) }))
    }
}

/// Where MPI writes the status, or nowhere if nobody can ask for it.
#[inline(always)]
fn status_out<L: Loan>(status: *mut MPI_Status) -> *mut MPI_Status {
    if L::STATUS { status } else { ffi::MPI_STATUS_IGNORE.cast() }
}

impl<L> fmt::Debug for Request<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let complete = self.slot.get() == ffi::MPI_REQUEST_NULL;
        f.debug_struct("Request").field("complete", &complete).finish_non_exhaustive()
    }
}
