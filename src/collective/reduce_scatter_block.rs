//! `MPI_Reduce_scatter_block` (MPI 4.1 §6.10.1).
#![allow(unsafe_code)]

use super::combine::Reduction;
use super::op::Operation;
use super::result::filled;
use super::table::REDUCE_SCATTER_BLOCK;
use crate::buffer::{
    LendRecvSlice, LendSendSlice, OwnedRecv, OwnedSend, RecvSlice, SendSlice, front, recv_region, send_region,
};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Result, Returned};
use crate::request::{Collective, PairLoan, Pending, Request, WriteLoan, pair};
use crate::scope::Scope;

impl Communicator {
    /// Combines the elements of all ranks with `op`, and deals the result out in equal blocks, in the order of ranks.
    ///
    /// `MPI_Reduce_scatter_block` (MPI 4.1 §6.10.1).
    ///
    /// # Errors
    /// The buffer cannot be cut into `size()` equal blocks; what MPI reports; for `bool`, a result that is none.
    ///
    /// ```no_run
    /// use mpi::op::Sum;
    /// # let world = mpi::init()?;
    /// let contributions = vec![1.0; 3 * world.size()];
    /// let mine: Vec<f64> = world.reduce_scatter_block(&contributions, Sum)?; // 3 values
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Reduce_scatter_block")]
    pub fn reduce_scatter_block<S, O>(&self, send: &S, op: O) -> Result<Vec<S::Elem>>
    where
        S: SendSlice + ?Sized,
        S::Elem: FromBits,
        O: Operation<S::Elem>,
    {
        let (send, ranks) = (send.region()?, self.size());
        filled::<S::Elem>(REDUCE_SCATTER_BLOCK.names.now(), send.len / ranks, |recv| {
            let described = Reduction::dealt_out::<S::Elem, O>(REDUCE_SCATTER_BLOCK, send, recv, op, ranks)?;
            // SAFETY: both memories are borrowed for the call.
            unsafe { self.collective(described) }
        })
    }

    /// As [`reduce_scatter_block`](Communicator::reduce_scatter_block), into a buffer of the block's length. Exactly
    /// one MPI call.
    ///
    /// # Errors
    /// `send` has not `size()` times the length of `recv`; more than `i32::MAX` elements in a block where the library
    /// has no large-count functions; or what MPI reports.
    #[doc(alias = "MPI_Reduce_scatter_block")]
    #[inline]
    pub fn reduce_scatter_block_into<S, R, O>(&self, send: &S, recv: &mut R, op: O) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
        O: Operation<S::Elem>,
    {
        let (send, recv) = (send.region()?, recv.region()?);
        let described =
            Reduction::dealt_out::<S::Elem, O>(REDUCE_SCATTER_BLOCK, send, recv, op, self.size())?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`reduce_scatter_block`](Communicator::reduce_scatter_block), where the block takes the place of the first
    /// elements of the input (`MPI_IN_PLACE`): they are returned. What the others are afterwards is not specified.
    ///
    /// # Errors
    /// The buffer cannot be cut into `size()` equal blocks; more than `i32::MAX` elements in a block where the library
    /// has no large-count functions; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::op::Sum;
    /// # let world = mpi::init()?;
    /// let mut contributions = vec![1.0; 3 * world.size()];
    /// let mine: &mut [f64] = world.reduce_scatter_block_in_place(&mut contributions, Sum)?; // 3 values
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias("MPI_Reduce_scatter_block", "MPI_IN_PLACE"))]
    #[inline]
    pub fn reduce_scatter_block_in_place<'a, B, O>(&self, buf: &'a mut B, op: O) -> Result<&'a mut [B::Elem]>
    where
        B: RecvSlice + ?Sized,
        O: Operation<B::Elem>,
    {
        let (both, ranks) = (buf.region()?, self.size());
        let described = Reduction::dealt_out_in_place::<B::Elem, O>(REDUCE_SCATTER_BLOCK, both, op, ranks)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }?;
        front(buf, both.len / ranks)
    }

    /// Starts to combine the elements of all ranks and to deal the result out in equal blocks; the request owns both
    /// buffers, and gives them back.
    ///
    /// `MPI_Ireduce_scatter_block` (MPI 4.1 §6.12.9).
    ///
    /// # Errors
    /// As [`reduce_scatter_block_into`](Communicator::reduce_scatter_block_into). The buffers come back in the error.
    #[doc(alias = "MPI_Ireduce_scatter_block")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn ireduce_scatter_block<S, R, O>(
        &self,
        send: S,
        recv: R,
        op: O,
    ) -> Result<Pending<(S, R), Collective>, Returned<(S, R)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
        O: Operation<S::Elem>,
    {
        let describe = |(send, recv): &mut (S, R)| {
            let (send, recv) = (send_region(send), recv_region(recv));
            Reduction::dealt_out::<S::Elem, O>(REDUCE_SCATTER_BLOCK, send, recv, op, self.size())
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`).
        unsafe { self.start_owned(REDUCE_SCATTER_BLOCK, (send, recv), op.kept(), describe) }
    }

    /// Starts the same where the result takes the place of the input; the request owns the buffer, and gives it back.
    /// This rank's part is then in front.
    ///
    /// `MPI_Ireduce_scatter_block` with `MPI_IN_PLACE` (MPI 4.1 §6.12.9).
    ///
    /// # Errors
    /// As [`ireduce_scatter_block`](Communicator::ireduce_scatter_block). The buffer comes back in the error.
    #[doc(alias("MPI_Ireduce_scatter_block", "MPI_IN_PLACE"))]
    pub fn ireduce_scatter_block_in_place<B, O>(
        &self,
        buf: B,
        op: O,
    ) -> Result<Pending<B, Collective>, Returned<B>>
    where
        B: OwnedRecv,
        O: Operation<B::Elem>,
    {
        let describe = |buf: &mut B| {
            Reduction::dealt_out_in_place::<B::Elem, O>(
                REDUCE_SCATTER_BLOCK,
                recv_region(buf),
                op,
                self.size(),
            )
        };
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`).
        unsafe { self.start_owned(REDUCE_SCATTER_BLOCK, buf, op.kept(), describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to combine the elements of all ranks and to deal the result out in equal blocks; both borrows come back
    /// from `wait`.
    ///
    /// `MPI_Ireduce_scatter_block` (MPI 4.1 §6.12.9).
    ///
    /// # Errors
    /// As [`reduce_scatter_block_into`](Communicator::reduce_scatter_block_into).
    #[doc(alias = "MPI_Ireduce_scatter_block")]
    #[inline]
    pub fn ireduce_scatter_block<S, R, O>(
        self,
        send: S,
        recv: R,
        op: O,
    ) -> Result<Request<'s, PairLoan<'s, S, R>>>
    where
        S: LendSendSlice<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
        O: Operation<S::Elem>,
    {
        let ((send, send_raw), (recv, recv_raw)) = (send.lend()?, recv.lend()?);
        let ranks = self.comm.size();
        let described = Reduction::dealt_out::<S::Elem, O>(REDUCE_SCATTER_BLOCK, send, recv, op, ranks);
        self.keep_operation(op.kept());
        // SAFETY: both memories are borrowed for `'s`, the second exclusively; the operation is kept.
        unsafe { self.collective(REDUCE_SCATTER_BLOCK, described, pair(send_raw, recv_raw)) }
    }

    /// Starts the same where the block takes the place of the first elements of the input; the borrow of all of it
    /// comes back from `wait`.
    ///
    /// `MPI_Ireduce_scatter_block` with `MPI_IN_PLACE` (MPI 4.1 §6.12.9).
    ///
    /// # Errors
    /// As [`reduce_scatter_block_in_place`](Communicator::reduce_scatter_block_in_place).
    #[doc(alias("MPI_Ireduce_scatter_block", "MPI_IN_PLACE"))]
    #[inline]
    pub fn ireduce_scatter_block_in_place<B, O>(self, buf: B, op: O) -> Result<Request<'s, WriteLoan<'s, B>>>
    where
        B: LendRecvSlice<'s>,
        O: Operation<B::Elem>,
    {
        let (both, raw) = buf.lend()?;
        let ranks = self.comm.size();
        let described = Reduction::dealt_out_in_place::<B::Elem, O>(REDUCE_SCATTER_BLOCK, both, op, ranks);
        self.keep_operation(op.kept());
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized; the operation is kept.
        unsafe { self.collective(REDUCE_SCATTER_BLOCK, described, WriteLoan::new(raw)) }
    }
}
