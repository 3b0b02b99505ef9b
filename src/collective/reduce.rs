//! `MPI_Reduce` (MPI 4.1 §6.9.1).
#![allow(unsafe_code)]

use super::combine::RootedReduction;
use super::op::Operation;
use super::table::REDUCE;
use crate::buffer::{
    LendRecvSlice, LendSendSlice, OwnedRecv, OwnedSend, RecvSlice, Region, SameShape, SendSlice, recv_region,
    send_region,
};
use crate::comm::Communicator;
use crate::datatype::Datatype;
use crate::error::{Error, Result, Returned};
use crate::quirks;
use crate::request::{Collective, Pending, Request, SendLoan, WriteLoan};
use crate::scope::Scope;
use std::slice;

impl Communicator {
    /// Combines the elements of all ranks with `op`; the root gets `Some(result)`, of the shape of `send`.
    ///
    /// `MPI_Reduce` (MPI 4.1 §6.9.1). Every rank makes the same call.
    ///
    /// # Errors
    /// There is no rank `root`; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::op::Sum;
    /// # let world = mpi::init()?;
    /// if let Some(total) = world.reduce(&1.5, Sum, 0)? {
    ///     println!("the root's result: {total}");
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Reduce")]
    #[inline(always)]
    pub fn reduce<S, O>(&self, send: &S, op: O, root: usize) -> Result<Option<S::Owned>>
    where
        S: SameShape + ?Sized,
        O: Operation<S::Elem>,
    {
        let call = REDUCE.names.now();
        let mut result = self.is_root(call, root)?.then(|| send.zeroed());
        let recv = result.as_mut().map(S::bits_region);
        let described = RootedReduction::new::<S::Elem, O>(REDUCE, send.region()?, recv, op, (root, self))?;
        // SAFETY: both memories are borrowed for the call.
        unsafe { self.collective(described) }?;
        result.map(S::check).transpose().map_err(|index| Error::invalid(call, index))
    }

    /// As [`reduce`](Communicator::reduce), into the root's buffer, which the root alone gives. Exactly one MPI call.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no buffer, or another rank gave one; the lengths differ; or what MPI
    /// reports.
    #[doc(alias = "MPI_Reduce")]
    #[inline(always)]
    pub fn reduce_into<S, R, O>(&self, send: &S, recv: Option<&mut R>, op: O, root: usize) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
        O: Operation<S::Elem>,
    {
        let recv = recv.map(|recv| recv.region()).transpose()?;
        let described = RootedReduction::new::<S::Elem, O>(REDUCE, send.region()?, recv, op, (root, self))?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`reduce`](Communicator::reduce), where the result takes the place of the root's input (`MPI_IN_PLACE`). The
    /// buffers of the other ranks are not changed.
    ///
    /// # Errors
    /// There is no rank `root`; or what MPI reports.
    #[doc(alias("MPI_Reduce", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn reduce_in_place<B, O>(&self, buf: &mut B, op: O, root: usize) -> Result<()>
    where
        B: RecvSlice + ?Sized,
        O: Operation<B::Elem>,
    {
        let buf = buf.region()?;
        if quirks::reduce_in_place() && root > 0 && self.is_root(REDUCE.names.now(), root)? && buf.count > 0 {
            // SAFETY: contiguous and initialized (`RecvSlice`), exclusively borrowed for the call.
            return unsafe { self.reduce_copied::<B::Elem, O>(buf, op, root) };
        }
        let described = RootedReduction::in_place::<B::Elem, O>(REDUCE, buf, op, (root, self))?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// The same at the root, which passes a copy of its part: MPICH before 4.1.3 crashes in `MPI_Reduce` with
    /// `MPI_IN_PLACE` (fault `reduce-in-place`).
    ///
    /// # Safety
    /// The region is contiguous and has elements, which are initialized and exclusively borrowed for the call.
    #[cold]
    unsafe fn reduce_copied<T, O>(&self, buf: Region, op: O, root: usize) -> Result<()>
    where
        T: Datatype,
        O: Operation<T>,
    {
        // SAFETY: this function's contract.
        let part = unsafe { slice::from_raw_parts(buf.ptr.cast::<T>(), buf.len) }.to_vec();
        let send = Region::contiguous(part.as_ptr(), part.len());
        let described = RootedReduction::new::<T, O>(REDUCE, send, Some(buf), op, (root, self))?;
        // SAFETY: the copy is ours; the other memory is this function's contract.
        unsafe { self.collective(described) }
    }

    /// Starts to combine the elements of all ranks with `op`; the request owns both buffers, of which the root alone
    /// gives the second, and gives them back.
    ///
    /// `MPI_Ireduce` (MPI 4.1 §6.12.7).
    ///
    /// # Errors
    /// As [`reduce_into`](Communicator::reduce_into); more than `i32::MAX` elements where the library has no
    /// large-count functions. The buffers come back in the error.
    #[doc(alias = "MPI_Ireduce")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn ireduce<S, R, O>(
        &self,
        send: S,
        recv: Option<R>,
        op: O,
        root: usize,
    ) -> Result<Pending<(S, Option<R>), Collective>, Returned<(S, Option<R>)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
        O: Operation<S::Elem>,
    {
        let describe = |(send, recv): &mut (S, Option<R>)| {
            let recv = recv.as_mut().map(recv_region);
            RootedReduction::new::<S::Elem, O>(REDUCE, send_region(send), recv, op, (root, self))
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`).
        unsafe { self.start_owned(REDUCE, (send, recv), op.kept(), describe) }
    }

    /// Starts the same where the result takes the place of the input; the request owns the buffer, and gives it back.
    /// The buffers of other ranks than the root are not changed.
    ///
    /// `MPI_Ireduce` with `MPI_IN_PLACE` (MPI 4.1 §6.12.7).
    ///
    /// # Errors
    /// As [`ireduce`](Communicator::ireduce). The buffer comes back in the error.
    #[doc(alias("MPI_Ireduce", "MPI_IN_PLACE"))]
    pub fn ireduce_in_place<B, O>(
        &self,
        buf: B,
        op: O,
        root: usize,
    ) -> Result<Pending<B, Collective>, Returned<B>>
    where
        B: OwnedRecv,
        O: Operation<B::Elem>,
    {
        let describe =
            |buf: &mut B| RootedReduction::in_place::<B::Elem, O>(REDUCE, recv_region(buf), op, (root, self));
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`).
        unsafe { self.start_owned(REDUCE, buf, op.kept(), describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to combine the elements of all ranks with `op` into the root's buffer, which the root alone gives; the
    /// borrows come back from `wait`.
    ///
    /// `MPI_Ireduce` (MPI 4.1 §6.12.7).
    ///
    /// # Errors
    /// As [`reduce_into`](Communicator::reduce_into); more than `i32::MAX` elements where the library has no
    /// large-count functions.
    #[doc(alias = "MPI_Ireduce")]
    #[inline]
    #[expect(clippy::type_complexity, reason = "a send that is lent, and a receive at the root")]
    pub fn ireduce<S, R, O>(
        self,
        send: S,
        recv: Option<R>,
        op: O,
        root: usize,
    ) -> Result<Request<'s, (SendLoan<'s, S>, Option<WriteLoan<'s, R>>)>>
    where
        S: LendSendSlice<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
        O: Operation<S::Elem>,
    {
        let (send, send_raw) = send.lend()?;
        let (recv, recv_raw) = recv.map(|recv| recv.lend()).transpose()?.unzip();
        let described = RootedReduction::new::<S::Elem, O>(REDUCE, send, recv, op, (root, self.comm));
        self.keep_operation(op.kept());
        // SAFETY: both memories are borrowed for `'s`, the second exclusively; the operation is kept.
        unsafe { self.collective(REDUCE, described, (SendLoan::new(send_raw), recv_raw.map(WriteLoan::new))) }
    }

    /// Starts the same where the result takes the place of the root's input; the borrow comes back from `wait`.
    ///
    /// `MPI_Ireduce` with `MPI_IN_PLACE` at the root (MPI 4.1 §6.12.7). The buffers of the other ranks are not changed.
    ///
    /// # Errors
    /// As [`ireduce`](Scope::ireduce).
    #[doc(alias("MPI_Ireduce", "MPI_IN_PLACE"))]
    #[inline]
    pub fn ireduce_in_place<B, O>(self, buf: B, op: O, root: usize) -> Result<Request<'s, WriteLoan<'s, B>>>
    where
        B: LendRecvSlice<'s>,
        O: Operation<B::Elem>,
    {
        let (region, raw) = buf.lend()?;
        let described = RootedReduction::in_place::<B::Elem, O>(REDUCE, region, op, (root, self.comm));
        self.keep_operation(op.kept());
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized; the operation is kept.
        unsafe { self.collective(REDUCE, described, WriteLoan::new(raw)) }
    }
}
