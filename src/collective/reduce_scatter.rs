//! `MPI_Reduce_scatter` (MPI 4.1 §6.10.2).
#![allow(unsafe_code)]

use super::deal::Dealing;
use super::op::Operation;
use super::result::filled;
use super::table::REDUCE_SCATTER;
use crate::buffer::{
    Counts, LendRecvSlice, LendSendSlice, OwnedRecv, OwnedSend, RecvSlice, SendSlice, front, recv_region,
    send_region,
};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Result, Returned};
use crate::request::{Collective, PairLoan, Pending, Request, WriteLoan, pair};
use crate::scope::Scope;
use std::rc::Rc;

impl Communicator {
    /// Combines the elements of all ranks with `op`, and deals the result out: each rank gets as many elements as its
    /// count says, in the order of ranks.
    ///
    /// `MPI_Reduce_scatter` (MPI 4.1 §6.10.2). All ranks give the same counts.
    ///
    /// # Errors
    /// There is not one count for each rank; the counts do not deal the buffer out, all of it and without gaps; what
    /// MPI reports; for `bool`, a result that is none.
    ///
    /// ```no_run
    /// use mpi::{buffer::Counts, op::Sum};
    /// # let world = mpi::init()?;
    /// let contributions = [1.0; 100];
    /// let counts = Counts::even(contributions.len(), world.size())?;
    /// let mine: Vec<f64> = world.reduce_scatter(&contributions, &counts, Sum)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Reduce_scatter")]
    pub fn reduce_scatter<S, O>(&self, send: &S, counts: &Counts, op: O) -> Result<Vec<S::Elem>>
    where
        S: SendSlice + ?Sized,
        S::Elem: FromBits,
        O: Operation<S::Elem>,
    {
        let send = send.region()?;
        // If there are too few counts, no memory is made for the result, and the check below says so.
        let own = if self.rank() < counts.len() { counts.get(self.rank()) } else { 0 };
        filled::<S::Elem>(REDUCE_SCATTER.names.now(), own.min(send.len), |recv| {
            let described = Dealing::new::<S::Elem, O>(REDUCE_SCATTER, send, recv, counts, op, self)?;
            // SAFETY: both memories are borrowed for the call, and so are the counts.
            unsafe { self.collective(described) }
        })
    }

    /// As [`reduce_scatter`](Communicator::reduce_scatter), into a buffer of as many elements as this rank's count
    /// says. Exactly one MPI call.
    ///
    /// # Errors
    /// As [`reduce_scatter`](Communicator::reduce_scatter); `recv` has another length; more than `i32::MAX` elements
    /// where the library has no large-count functions.
    #[doc(alias = "MPI_Reduce_scatter")]
    #[inline]
    pub fn reduce_scatter_into<S, R, O>(&self, send: &S, recv: &mut R, counts: &Counts, op: O) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
        O: Operation<S::Elem>,
    {
        let (send, recv) = (send.region()?, recv.region()?);
        let described = Dealing::new::<S::Elem, O>(REDUCE_SCATTER, send, recv, counts, op, self)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively, and so are the counts.
        unsafe { self.collective(described) }
    }

    /// As [`reduce_scatter`](Communicator::reduce_scatter), where this rank's part takes the place of the first
    /// elements of the input (`MPI_IN_PLACE`): they are returned. What the others are afterwards is not specified.
    ///
    /// # Errors
    /// As [`reduce_scatter`](Communicator::reduce_scatter); more than `i32::MAX` elements where the library has no
    /// large-count functions.
    #[doc(alias("MPI_Reduce_scatter", "MPI_IN_PLACE"))]
    #[inline]
    pub fn reduce_scatter_in_place<'a, B, O>(
        &self,
        buf: &'a mut B,
        counts: &Counts,
        op: O,
    ) -> Result<&'a mut [B::Elem]>
    where
        B: RecvSlice + ?Sized,
        O: Operation<B::Elem>,
    {
        let described = Dealing::in_place::<B::Elem, O>(REDUCE_SCATTER, buf.region()?, counts, op, self)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized; the counts are borrowed as well.
        unsafe { self.collective(described) }?;
        front(buf, counts.get(self.rank()))
    }

    /// Starts to combine the elements of all ranks and to deal the result out by counts; the request owns both buffers,
    /// and gives them back. It keeps the counts.
    ///
    /// `MPI_Ireduce_scatter` (MPI 4.1 §6.12.10).
    ///
    /// # Errors
    /// As [`reduce_scatter_into`](Communicator::reduce_scatter_into). The buffers come back in the error.
    #[doc(alias = "MPI_Ireduce_scatter")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn ireduce_scatter<S, R, O>(
        &self,
        send: S,
        recv: R,
        counts: &Counts,
        op: O,
    ) -> Result<Pending<(S, R), Collective>, Returned<(S, R)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
        O: Operation<S::Elem>,
    {
        let describe = |(send, recv): &mut (S, R)| {
            let (send, recv) = (send_region(send), recv_region(recv));
            Dealing::new::<S::Elem, O>(REDUCE_SCATTER, send, recv, counts, op, self)
        };
        let kept = Rc::new((counts.clone(), op.kept()));
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`); the arrays are those of the counts that are kept.
        unsafe { self.start_owned(REDUCE_SCATTER, (send, recv), Some(kept), describe) }
    }

    /// Starts the same where this rank's part of the result is then in front of the input; the request owns the buffer,
    /// and gives it back. It keeps the counts.
    ///
    /// `MPI_Ireduce_scatter` with `MPI_IN_PLACE` (MPI 4.1 §6.12.10).
    ///
    /// # Errors
    /// As [`ireduce_scatter`](Communicator::ireduce_scatter). The buffer comes back in the error.
    #[doc(alias("MPI_Ireduce_scatter", "MPI_IN_PLACE"))]
    pub fn ireduce_scatter_in_place<B, O>(
        &self,
        buf: B,
        counts: &Counts,
        op: O,
    ) -> Result<Pending<B, Collective>, Returned<B>>
    where
        B: OwnedRecv,
        O: Operation<B::Elem>,
    {
        let describe =
            |buf: &mut B| Dealing::in_place::<B::Elem, O>(REDUCE_SCATTER, recv_region(buf), counts, op, self);
        let kept = Rc::new((counts.clone(), op.kept()));
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`); the arrays are those of the counts that are kept.
        unsafe { self.start_owned(REDUCE_SCATTER, buf, Some(kept), describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to combine the elements of all ranks and to deal the result out by counts; both borrows come back from
    /// `wait`.
    ///
    /// `MPI_Ireduce_scatter` (MPI 4.1 §6.12.10).
    ///
    /// # Errors
    /// As [`reduce_scatter_into`](Communicator::reduce_scatter_into).
    #[doc(alias = "MPI_Ireduce_scatter")]
    #[inline]
    pub fn ireduce_scatter<S, R, O>(
        self,
        send: S,
        recv: R,
        counts: &'s Counts,
        op: O,
    ) -> Result<Request<'s, PairLoan<'s, S, R>>>
    where
        S: LendSendSlice<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
        O: Operation<S::Elem>,
    {
        let ((send, send_raw), (recv, recv_raw)) = (send.lend()?, recv.lend()?);
        let described = Dealing::new::<S::Elem, O>(REDUCE_SCATTER, send, recv, counts, op, self.comm);
        self.keep_operation(op.kept());
        // SAFETY: both memories are borrowed for `'s`, the second exclusively; so are the counts; the operation is kept.
        unsafe { self.collective(REDUCE_SCATTER, described, pair(send_raw, recv_raw)) }
    }

    /// Starts the same where this rank's part takes the place of the first elements of the input; the borrow of all of
    /// it comes back from `wait`.
    ///
    /// `MPI_Ireduce_scatter` with `MPI_IN_PLACE` (MPI 4.1 §6.12.10).
    ///
    /// # Errors
    /// As [`reduce_scatter_in_place`](Communicator::reduce_scatter_in_place).
    #[doc(alias("MPI_Ireduce_scatter", "MPI_IN_PLACE"))]
    #[inline]
    pub fn ireduce_scatter_in_place<B, O>(
        self,
        buf: B,
        counts: &'s Counts,
        op: O,
    ) -> Result<Request<'s, WriteLoan<'s, B>>>
    where
        B: LendRecvSlice<'s>,
        O: Operation<B::Elem>,
    {
        let (both, raw) = buf.lend()?;
        let described = Dealing::in_place::<B::Elem, O>(REDUCE_SCATTER, both, counts, op, self.comm);
        self.keep_operation(op.kept());
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized; so are the counts; the operation is kept.
        unsafe { self.collective(REDUCE_SCATTER, described, WriteLoan::new(raw)) }
    }
}
