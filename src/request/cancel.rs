//! Receives that can be looked at before they are completed, and cancelled (MPI 4.1 §3.7.6 and §3.8.4).

use super::{RecvLoan, Request};
use crate::buffer::LendRecv;
use crate::error::Result;
use crate::ffi::{self, check};
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
        let (mut flag, mut status) = (0, Status::empty());
        // SAFETY: the slot holds this request's handle, or null; the out-arguments are ours.
        let code = unsafe { ffi::MPI_Request_get_status(self.slot.get(), &raw mut flag, &raw mut status) };
        check(&"MPI_Request_get_status", code)?;
        Ok((flag != 0).then(|| Status::from_raw(status)))
    }
}

impl<'s, B: LendRecv<'s>> Request<'s, RecvLoan<'s, B>> {
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
