//! A send and a receive behind one request.

use super::{Loan, RecvLoan, Request, SendLoan, Test};
use crate::buffer::{LendRecv, LendSend};
use crate::error::Result;
use crate::ffi::MPI_Status;
use crate::p2p::Received;
use std::fmt;

/// A send and a receive in flight, which [`isendrecv`](crate::Scope::isendrecv) or
/// [`isendrecv_replace`](crate::Scope::isendrecv_replace) has started. Complete when both are.
#[must_use = "dropping a request leaves its completion to the end of the scope: say so with `.defer()`, or `wait()`"]
pub struct Exchange<'s, L> {
    /// The receive, with what was lent for both.
    recv: Request<'s, L>,
    /// The send; `None` when it is complete, since its slot may then be another operation's.
    send: Option<Request<'s, ()>>,
}

impl<'s, L: Loan> Exchange<'s, L> {
    pub(crate) fn new(recv: Request<'s, L>, send: Request<'s, ()>) -> Self {
        Exchange { recv, send: Some(send) }
    }

    /// Leaves completion to the end of the scope, and says so.
    pub fn defer(self) {}

    /// Waits until both have completed, without limit, and gives back what was lent, with the status of the receive.
    ///
    /// `MPI_Wait` (MPI 4.1 §3.7.3).
    ///
    /// # Errors
    /// What MPI reports, such as a truncated message. The buffers then stay lent until the scope ends.
    #[doc(alias = "MPI_Wait")]
    pub fn wait(self) -> Result<L::Output> {
        let sent = self.send.map_or(Ok(()), Request::wait);
        let received = self.recv.wait();
        sent.and(received)
    }

    /// Asks whether both have completed: gives back what was lent, or the request.
    ///
    /// `MPI_Test` (MPI 4.1 §3.7.3). Also drives progress.
    ///
    /// # Errors
    /// As [`wait`](Exchange::wait).
    #[doc(alias = "MPI_Test")]
    pub fn test(self) -> Result<Test<L::Output, Self>> {
        if let Some(Test::Pending(send)) = self.send.map(Request::test).transpose()? {
            return Ok(Test::Pending(Exchange { recv: self.recv, send: Some(send) }));
        }
        Ok(match self.recv.test()? {
            Test::Done(output) => Test::Done(output),
            Test::Pending(recv) => Test::Pending(Exchange { recv, send: None }),
        })
    }
}

/// A send and a receive: gives both borrows back, the second with the status of its message.
pub struct ExchangeLoan<'s, S: LendSend<'s>, R: LendRecv<'s>> {
    send: SendLoan<'s, S>,
    recv: RecvLoan<'s, R>,
}
impl<'s, S: LendSend<'s>, R: LendRecv<'s>> ExchangeLoan<'s, S, R> {
    pub(crate) fn new(send: S::Raw, recv: R::Raw) -> Self {
        ExchangeLoan { send: SendLoan::new(send), recv: RecvLoan::new(recv) }
    }
}
// SAFETY: as for its halves.
unsafe impl<'s, S: LendSend<'s>, R: LendRecv<'s>> Loan for ExchangeLoan<'s, S, R> {
    type Output = (S, Received<R::Output>);
    const STATUS: bool = true;
    unsafe fn settle(self, status: MPI_Status) -> Self::Output {
        // SAFETY: both operations are complete, by this function's contract; a send has no status.
        let send = unsafe { self.send.settle(status) };
        // SAFETY: as above, and the status is the receive's.
        (send, unsafe { self.recv.settle(status) })
    }
}

impl<L> fmt::Debug for Exchange<'_, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Exchange").field("recv", &self.recv).field("send", &self.send).finish()
    }
}
impl<'s, S: LendSend<'s>, R: LendRecv<'s>> fmt::Debug for ExchangeLoan<'s, S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ExchangeLoan")
    }
}
