//! Receives that can be looked at before they are completed, and cancelled (MPI 4.1 §3.7.6 and §3.8.4).

use super::{HasStatus, Incoming, Pending, RecvLoan, Request, Way};
use crate::buffer::LendRecv;
use crate::error::{Failed, Result, Returned};
use crate::ffi::{self, MPI_Request, check};
use crate::p2p::Received;
use crate::status::Status;

/// How a receive ended that [`Request::cancel`] was called for.
#[derive(Debug)]
pub enum Cancelled<B, R> {
    /// Nothing was received, and no message was lost: the buffer.
    Cancelled(B),
    /// The message came first: it is received.
    Received(R),
}

impl<L: super::Loan> Request<'_, L> {
    /// Whether the operation is complete. The request stays as it is: [`wait`](Request::wait) will not block.
    ///
    /// `MPI_Request_get_status` (MPI 4.1 §3.7.6). Also drives progress.
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Request_get_status")]
    pub fn is_complete(&self) -> Result<bool> {
        self.peek().map(|status| status.is_some())
    }

    fn peek(&self) -> Result<Option<Status>> {
        peek(self.slot.get())
    }
}

/// The status of a request that is complete. A valid handle, or null; MPI is live.
pub(super) fn peek(handle: MPI_Request) -> Result<Option<Status>> {
    let (mut flag, mut status) = (0, Status::empty());
    // SAFETY: a handle of ours, or null; the out-arguments are ours.
    let code = unsafe { ffi::MPI_Request_get_status(handle, &raw mut flag, &raw mut status) };
    check(&"MPI_Request_get_status", code)?;
    Ok((flag != 0).then(|| Status::from_raw(status)))
}

impl<L: super::Loan + HasStatus> Request<'_, L> {
    /// The status of the message, if it was received. The request stays as it is, and the buffer lent.
    ///
    /// `MPI_Request_get_status` (MPI 4.1 §3.7.6). Also drives progress. For a send, which has no status, there is
    /// [`is_complete`](Request::is_complete).
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias = "MPI_Request_get_status")]
    pub fn get_status(&self) -> Result<Option<Status>> {
        self.peek()
    }
}

impl<'s, B: LendRecv<'s>> Request<'s, RecvLoan<'s, B>> {
    /// Takes a receive back, unless its message came first; says which. Does not wait for other processes.
    ///
    /// `MPI_Cancel` and `MPI_Wait` (MPI 4.1 §3.8.4). Only receives can be cancelled: cancelling sends is deprecated since
    /// MPI 4.0, and not offered.
    ///
    /// # Errors
    /// What MPI reports, such as a truncated message. The buffer then stays lent until the scope ends.
    ///
    /// ```no_run
    /// use mpi::request::Cancelled;
    /// # let world = mpi::init()?;
    /// let mut order = [0u32; 4];
    /// world.scope(|s| {
    ///     let request = s.irecv(&mut order, 0, 0)?;
    ///     match request.cancel()? {
    ///         Cancelled::Cancelled(_) => println!("no order came"),
    ///         Cancelled::Received(order) => println!("a late order: {:?}", order.data),
    ///     }
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Cancel")]
    pub fn cancel(self) -> Result<Cancelled<B::Output, Received<B::Output>>> {
        // A request without a handle is complete, and null may not be cancelled.
        if self.slot.get() != ffi::MPI_REQUEST_NULL {
            // SAFETY: the slot holds this request's handle, which is completed below or by the scope.
            check(&"MPI_Cancel", unsafe { ffi::MPI_Cancel(self.slot.as_ptr()) })?;
        }
        let mut status = Status::empty();
        // SAFETY: as in `Request::wait`.
        check(&"MPI_Wait", unsafe { ffi::MPI_Wait(self.slot.as_ptr(), &raw mut status) })?;
        if Status::from_raw(status).is_cancelled() {
            // SAFETY: complete. Nothing was received, whatever the length in the status of a cancelled message says.
            return Ok(Cancelled::Cancelled(unsafe { self.loan.reclaim(0) }));
        }
        // SAFETY: complete, and its status was written.
        Ok(Cancelled::Received(unsafe { super::Loan::settle(self.loan, status) }))
    }
}

impl<B, W: Way<B>> Pending<B, W> {
    /// Whether the operation is complete. The request stays as it is: [`wait`](Pending::wait) will not block.
    ///
    /// `MPI_Request_get_status` (MPI 4.1 §3.7.6). Also drives progress.
    ///
    /// # Errors
    /// What MPI reports; or MPI has ended.
    ///
    /// # Panics
    /// If the request was completed before, by a future.
    #[doc(alias = "MPI_Request_get_status")]
    pub fn is_complete(&self) -> Result<bool> {
        self.flight.peek().map(|status| status.is_some())
    }

    /// The status of the message, if it was received. The request stays as it is, and owns its buffer.
    ///
    /// `MPI_Request_get_status` (MPI 4.1 §3.7.6). Also drives progress. For a send, which has no status, there is
    /// [`is_complete`](Pending::is_complete).
    ///
    /// # Errors
    /// What MPI reports; or MPI has ended.
    ///
    /// # Panics
    /// If the request was completed before, by a future.
    #[doc(alias = "MPI_Request_get_status")]
    pub fn get_status(&self) -> Result<Option<Status>>
    where
        W: HasStatus,
    {
        self.flight.peek()
    }
}

impl<B> Pending<B, Incoming> {
    /// Takes a receive back, unless its message came first; says which. Does not wait for other processes.
    ///
    /// `MPI_Cancel` and `MPI_Wait` (MPI 4.1 §3.8.4). Only receives can be cancelled: cancelling sends is deprecated since
    /// MPI 4.0, and not offered.
    ///
    /// # Errors
    /// As [`wait`](Pending::wait).
    ///
    /// # Panics
    /// If the request was completed before, by a future.
    ///
    /// ```no_run
    /// use mpi::request::Cancelled;
    /// # let world = mpi::init()?;
    /// let order = world.irecv(vec![0u32; 4], 0, 0)?;
    /// match order.cancel()? {
    ///     Cancelled::Cancelled(buffer) => println!("no order came; {} places are free", buffer.len()),
    ///     Cancelled::Received(order) => println!("a late order: {:?}", order.data),
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Cancel")]
    pub fn cancel(mut self) -> Result<Cancelled<B, Received<B>>, Failed<B>> {
        // If that fails, dropping the request completes it, by the rule for errors.
        self.flight.cancel().map_err(|error| Returned { error, data: None })?;
        let got = self.wait()?;
        Ok(if got.status.is_cancelled() { Cancelled::Cancelled(got.data) } else { Cancelled::Received(got) })
    }
}
