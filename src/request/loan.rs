//! What a request holds on behalf of MPI, and what completion gives back.

use super::HasStatus;
use crate::buffer::{LendRecv, LendSend};
use crate::ffi::MPI_Status;
use crate::p2p::Received;
use crate::status::Status;
use std::fmt;
use std::marker::PhantomData;

/// What was lent.
///
/// # Safety
/// A loan holds no exclusive reference to the lent memory, and no reference at all to memory that MPI writes.
pub unsafe trait Loan: Sized {
    /// What completion gives back.
    type Output;
    /// Whether completion reports anything; if not, MPI is told to skip the status.
    #[doc(hidden)]
    const STATUS: bool;
    /// # Safety
    /// The operation is complete, and `status` is its status if `STATUS`.
    #[doc(hidden)]
    unsafe fn settle(self, status: MPI_Status) -> Self::Output;
}

// SAFETY: holds nothing.
unsafe impl Loan for () {
    type Output = ();
    const STATUS: bool = false;
    #[inline(always)]
    unsafe fn settle(self, _: MPI_Status) {}
}

/// A send: gives the borrow back, and no status, since MPI defines none.
pub struct SendLoan<'s, B: LendSend<'s>> {
    raw: B::Raw,
    _scope: PhantomData<&'s ()>,
}
impl<'s, B: LendSend<'s>> SendLoan<'s, B> {
    pub(crate) fn new(raw: B::Raw) -> Self {
        SendLoan { raw, _scope: PhantomData }
    }
}
// SAFETY: `B::Raw` holds no exclusive reference (`LendSend`).
unsafe impl<'s, B: LendSend<'s>> Loan for SendLoan<'s, B> {
    type Output = B;
    const STATUS: bool = false;
    #[inline(always)]
    unsafe fn settle(self, _: MPI_Status) -> B {
        // SAFETY: complete, and reclaimed once, since `self` is consumed.
        unsafe { B::reclaim(self.raw) }
    }
}

/// A receive: gives the exclusive borrow back, with the message's status.
pub struct RecvLoan<'s, B: LendRecv<'s>> {
    raw: B::Raw,
    _scope: PhantomData<&'s mut ()>,
}
impl<'s, B: LendRecv<'s>> RecvLoan<'s, B> {
    pub(crate) fn new(raw: B::Raw) -> Self {
        RecvLoan { raw, _scope: PhantomData }
    }

    /// Takes the buffer back, of which MPI wrote `received` elements.
    ///
    /// # Safety
    /// The operation is complete, and MPI wrote so many.
    pub(super) unsafe fn reclaim(self, received: usize) -> B::Output {
        // SAFETY: this function's contract; reclaimed once, since `self` is consumed.
        unsafe { B::reclaim(self.raw, received) }
    }
}
// SAFETY: `B::Raw` holds no reference (`LendRecv`).
unsafe impl<'s, B: LendRecv<'s>> Loan for RecvLoan<'s, B> {
    type Output = Received<B::Output>;
    const STATUS: bool = true;
    #[inline(always)]
    unsafe fn settle(self, status: MPI_Status) -> Self::Output {
        let status = Status::from_raw(status);
        let received = if B::COUNTS { status.whole::<B::Elem>() } else { 0 };
        // SAFETY: complete, MPI wrote what its status counts, and reclaimed once, since `self` is consumed.
        Received { data: unsafe { B::reclaim(self.raw, received) }, status }
    }
}

impl<'s, B: LendRecv<'s>> HasStatus for RecvLoan<'s, B> {}

/// A collective with a send and a receive buffer: gives both back.
pub struct PairLoan<'s, S: LendSend<'s>, R: LendRecv<'s>> {
    send: S::Raw,
    recv: R::Raw,
    _scope: PhantomData<&'s mut ()>,
}
impl<'s, S: LendSend<'s>, R: LendRecv<'s>> PairLoan<'s, S, R> {
    pub(crate) fn new(send: S::Raw, recv: R::Raw) -> Self {
        PairLoan { send, recv, _scope: PhantomData }
    }
}
// SAFETY: as for its halves.
unsafe impl<'s, S: LendSend<'s>, R: LendRecv<'s>> Loan for PairLoan<'s, S, R> {
    type Output = (S, R::Output);
    const STATUS: bool = false;
    #[inline(always)]
    unsafe fn settle(self, _: MPI_Status) -> Self::Output {
        // SAFETY: complete, and reclaimed once, since `self` is consumed.
        let send = unsafe { S::reclaim(self.send) };
        // SAFETY: as above; nothing of it was counted as received.
        (send, unsafe { R::reclaim(self.recv, 0) })
    }
}

impl<'s, B: LendSend<'s>> fmt::Debug for SendLoan<'s, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SendLoan")
    }
}
impl<'s, B: LendRecv<'s>> fmt::Debug for RecvLoan<'s, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RecvLoan")
    }
}
impl<'s, S: LendSend<'s>, R: LendRecv<'s>> fmt::Debug for PairLoan<'s, S, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PairLoan")
    }
}
