//! What a request holds on behalf of MPI, and what completion gives back.

use super::HasStatus;
use crate::buffer::{BlocksMut, Counts, LendRecv, LendSend, Region};
use crate::datatype::Datatype;
use crate::ffi::MPI_Status;
use crate::p2p::Received;
use crate::status::Status;
use std::fmt;
use std::marker::PhantomData;
use std::ptr::NonNull;

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

/// A buffer that a collective writes: gives the exclusive borrow back.
pub struct WriteLoan<'s, B: LendRecv<'s>> {
    raw: B::Raw,
    _scope: PhantomData<&'s mut ()>,
}
impl<'s, B: LendRecv<'s>> WriteLoan<'s, B> {
    pub(crate) fn new(raw: B::Raw) -> Self {
        WriteLoan { raw, _scope: PhantomData }
    }
}
// SAFETY: `B::Raw` holds no reference (`LendRecv`).
unsafe impl<'s, B: LendRecv<'s>> Loan for WriteLoan<'s, B> {
    type Output = B::Output;
    const STATUS: bool = false;
    #[inline(always)]
    unsafe fn settle(self, _: MPI_Status) -> B::Output {
        // SAFETY: complete, and reclaimed once, since `self` is consumed; nothing was counted as received.
        unsafe { B::reclaim(self.raw, 0) }
    }
}

/// What a collective reads, through a shared borrow: gives it back.
pub struct SharedLoan<B>(B);
impl<B: Copy> SharedLoan<B> {
    /// `B` holds no exclusive reference: it can be copied.
    pub(crate) fn new(shared: B) -> Self {
        SharedLoan(shared)
    }
}
// SAFETY: no exclusive reference, since none can be copied; what a shared one borrows MPI does not write.
unsafe impl<B> Loan for SharedLoan<B> {
    type Output = B;
    const STATUS: bool = false;
    #[inline(always)]
    unsafe fn settle(self, _: MPI_Status) -> B {
        self.0
    }
}

/// What describes a collective's memory, exclusively borrowed: gives the borrow back.
pub struct HeldLoan<'s, B>(NonNull<B>, PhantomData<&'s mut B>);
impl<'s, B> HeldLoan<'s, B> {
    pub(crate) fn new(held: &'s mut B) -> Self {
        HeldLoan(NonNull::from(held), PhantomData)
    }
}
// SAFETY: a pointer, no reference.
unsafe impl<'s, B> Loan for HeldLoan<'s, B> {
    type Output = &'s mut B;
    const STATUS: bool = false;
    #[inline(always)]
    unsafe fn settle(mut self, _: MPI_Status) -> &'s mut B {
        // SAFETY: `new` was given the exclusive borrow for `'s`, and this is the only one again: `self` is consumed.
        unsafe { self.0.as_mut() }
    }
}

/// Blocks that a collective writes: gives them back.
pub struct BlocksLoan<'s, T> {
    raw: NonNull<[T]>,
    counts: &'s Counts,
    _scope: PhantomData<&'s mut [T]>,
}
impl<'s, T: Datatype> BlocksLoan<'s, T> {
    /// What was borrowed. Whoever lets MPI write there sees to it that any bits are a `T`.
    #[inline(always)]
    pub(crate) fn new(blocks: BlocksMut<'s, T>) -> Self {
        BlocksLoan { raw: NonNull::from(blocks.data), counts: blocks.counts, _scope: PhantomData }
    }

    /// In two words and one, which fit into registers.
    #[inline(always)]
    pub(crate) fn into_parts(self) -> (NonNull<[T]>, &'s Counts) {
        (self.raw, self.counts)
    }

    /// Where the elements lie, and which are whose.
    #[inline(always)]
    pub(crate) fn region(&self) -> (Region, &'s Counts) {
        (raw_region(self.raw), self.counts)
    }
}
/// The memory behind a pointer.
#[inline(always)]
pub(crate) fn raw_region<T: Datatype>(raw: NonNull<[T]>) -> Region {
    Region::contiguous(raw.cast::<T>().as_ptr(), raw.len())
}

// SAFETY: a pointer to what MPI writes, and a shared reference to what it reads.
unsafe impl<'s, T> Loan for BlocksLoan<'s, T> {
    type Output = BlocksMut<'s, T>;
    const STATUS: bool = false;
    #[inline(always)]
    unsafe fn settle(mut self, _: MPI_Status) -> BlocksMut<'s, T> {
        // SAFETY: `new` was given the exclusive borrow for `'s`, and this is the only one again: `self` is consumed.
        BlocksMut { data: unsafe { self.raw.as_mut() }, counts: self.counts }
    }
}

// SAFETY: as for its halves.
unsafe impl<A: Loan, B: Loan> Loan for (A, B) {
    type Output = (A::Output, B::Output);
    const STATUS: bool = A::STATUS || B::STATUS;
    #[inline(always)]
    unsafe fn settle(self, status: MPI_Status) -> Self::Output {
        // SAFETY: this function's contract.
        let first = unsafe { self.0.settle(status) };
        // SAFETY: as above.
        (first, unsafe { self.1.settle(status) })
    }
}
// SAFETY: as for what is in it.
unsafe impl<A: Loan> Loan for Option<A> {
    type Output = Option<A::Output>;
    const STATUS: bool = A::STATUS;
    #[inline(always)]
    unsafe fn settle(self, status: MPI_Status) -> Self::Output {
        // SAFETY: this function's contract.
        self.map(|loan| unsafe { loan.settle(status) })
    }
}

/// A collective with a send and a receive buffer: gives both back.
pub type PairLoan<'s, S, R> = (SendLoan<'s, S>, WriteLoan<'s, R>);

/// Both halves of a [`PairLoan`].
#[inline(always)]
pub(crate) fn pair<'s, S: LendSend<'s>, R: LendRecv<'s>>(send: S::Raw, recv: R::Raw) -> PairLoan<'s, S, R> {
    (SendLoan::new(send), WriteLoan::new(recv))
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
impl<'s, B: LendRecv<'s>> fmt::Debug for WriteLoan<'s, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WriteLoan")
    }
}
impl<B> fmt::Debug for SharedLoan<B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedLoan")
    }
}
impl<B> fmt::Debug for HeldLoan<'_, B> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("HeldLoan")
    }
}
impl<T> fmt::Debug for BlocksLoan<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BlocksLoan")
    }
}
