//! `MPI_Exscan` (MPI 4.1 §6.11.2).
#![allow(unsafe_code)]

use super::combine::Reduction;
use super::op::Operation;
use super::table::EXSCAN;
use crate::buffer::{
    LendRecvSlice, LendSendSlice, OwnedRecv, OwnedSend, RecvSlice, SameShape, SendSlice, recv_region,
    send_region,
};
use crate::comm::Communicator;
use crate::error::{Error, Result, Returned};
use crate::request::{Collective, PairLoan, Pending, Request, WriteLoan, pair};
use crate::scope::Scope;

impl Communicator {
    /// Combines the elements of the ranks before this one with `op`; the result is of the shape of `send`, and `None`
    /// at rank 0, which has nobody before it.
    ///
    /// `MPI_Exscan` (MPI 4.1 §6.11.2). Zero-filled memory is allocated for the result if `send` is a slice.
    ///
    /// # Errors
    /// What MPI reports; for `bool`, a result that is none.
    ///
    /// ```no_run
    /// use mpi::op::Sum;
    /// # let world = mpi::init()?;
    /// let mine = vec![1.5; world.rank() + 1];
    /// let first = world.exscan(&mine.len(), Sum)?.unwrap_or(0); // where this rank's part of the whole starts
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Exscan")]
    #[inline(always)]
    pub fn exscan<S, O>(&self, send: &S, op: O) -> Result<Option<S::Owned>>
    where
        S: SameShape + ?Sized,
        O: Operation<S::Elem>,
    {
        let mut result = send.zeroed();
        let recv = S::bits_region(&mut result);
        let described = Reduction::new::<S::Elem, O>(EXSCAN, send.region()?, recv, op)?;
        // SAFETY: both memories are borrowed for the call.
        unsafe { self.collective(described) }?;
        let result = (self.rank() > 0).then_some(result);
        result.map(S::check).transpose().map_err(|index| Error::invalid(EXSCAN.names.now(), index))
    }

    /// As [`exscan`](Communicator::exscan), into a buffer of the same length, which stays as it was at rank 0.
    /// Exactly one MPI call.
    ///
    /// # Errors
    /// The lengths differ; or what MPI reports.
    #[doc(alias = "MPI_Exscan")]
    #[inline(always)]
    pub fn exscan_into<S, R, O>(&self, send: &S, recv: &mut R, op: O) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
        O: Operation<S::Elem>,
    {
        let described = Reduction::new::<S::Elem, O>(EXSCAN, send.region()?, recv.region()?, op)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`exscan`](Communicator::exscan), where the result takes the place of the input (`MPI_IN_PLACE`), but
    /// at rank 0, where that stays.
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias("MPI_Exscan", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn exscan_in_place<B, O>(&self, buf: &mut B, op: O) -> Result<()>
    where
        B: RecvSlice + ?Sized,
        O: Operation<B::Elem>,
    {
        let described = Reduction::in_place::<B::Elem, O>(EXSCAN, buf.region()?, op)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to combine the elements of the ranks before this one; the request owns both buffers, of which the second
    /// stays as it was at rank 0, and gives them back.
    ///
    /// `MPI_Iexscan` (MPI 4.1 §6.12.12).
    ///
    /// # Errors
    /// As [`exscan_into`](Communicator::exscan_into); more than `i32::MAX` elements where the library has no
    /// large-count functions. The buffers come back in the error.
    ///
    /// ```no_run
    /// use mpi::op::Sum;
    /// # let world = mpi::init()?;
    /// let pending = world.iexscan(vec![1.5; 4], vec![0.0; 4], Sum)?;
    /// // work …
    /// let (mine, before) = pending.wait()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Iexscan")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn iexscan<S, R, O>(
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
            Reduction::new::<S::Elem, O>(EXSCAN, send_region(send), recv_region(recv), op)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`).
        unsafe { self.start_owned(EXSCAN, (send, recv), op.kept(), describe) }
    }

    /// Starts the same where the result takes the place of the input; the request owns the buffer, and gives it back.
    ///
    /// `MPI_Iexscan` with `MPI_IN_PLACE` (MPI 4.1 §6.12.12).
    ///
    /// # Errors
    /// As [`iexscan`](Communicator::iexscan). The buffer comes back in the error.
    #[doc(alias("MPI_Iexscan", "MPI_IN_PLACE"))]
    pub fn iexscan_in_place<B, O>(&self, buf: B, op: O) -> Result<Pending<B, Collective>, Returned<B>>
    where
        B: OwnedRecv,
        O: Operation<B::Elem>,
    {
        let describe = |buf: &mut B| Reduction::in_place::<B::Elem, O>(EXSCAN, recv_region(buf), op);
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`).
        unsafe { self.start_owned(EXSCAN, buf, op.kept(), describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to combine the elements of the ranks before this one; both borrows come back from `wait`, the second as
    /// it was at rank 0.
    ///
    /// `MPI_Iexscan` (MPI 4.1 §6.12.12).
    ///
    /// # Errors
    /// The lengths differ; more than `i32::MAX` elements where the library has no large-count functions; or what MPI
    /// reports.
    ///
    /// ```no_run
    /// use mpi::op::Max;
    /// # let world = mpi::init()?;
    /// let (mine, mut largest) = ([0.5], [f64::NEG_INFINITY]);
    /// world.scope(|s| {
    ///     let scan = s.iexscan(&mine, &mut largest, Max)?;
    ///     // work that needs neither …
    ///     let (_, largest) = scan.wait()?;
    ///     println!("{} before this rank", largest[0]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Iexscan")]
    #[inline(always)]
    pub fn iexscan<S, R, O>(self, send: S, recv: R, op: O) -> Result<Request<'s, PairLoan<'s, S, R>>>
    where
        S: LendSendSlice<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
        O: Operation<S::Elem>,
    {
        let ((send, send_raw), (recv, recv_raw)) = (send.lend()?, recv.lend()?);
        let described = Reduction::new::<S::Elem, O>(EXSCAN, send, recv, op);
        self.keep_operation(op.kept());
        // SAFETY: both memories are borrowed for `'s`, the second exclusively; the operation is kept.
        unsafe { self.collective(EXSCAN, described, pair(send_raw, recv_raw)) }
    }

    /// Starts the same where the result takes the place of the input, but at rank 0, where that stays; the borrow comes
    /// back from `wait`.
    ///
    /// `MPI_Iexscan` with `MPI_IN_PLACE` (MPI 4.1 §6.12.12).
    ///
    /// # Errors
    /// As [`iexscan`](Scope::iexscan).
    #[doc(alias("MPI_Iexscan", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn iexscan_in_place<B, O>(self, buf: B, op: O) -> Result<Request<'s, WriteLoan<'s, B>>>
    where
        B: LendRecvSlice<'s>,
        O: Operation<B::Elem>,
    {
        let (region, raw) = buf.lend()?;
        let described = Reduction::in_place::<B::Elem, O>(EXSCAN, region, op);
        self.keep_operation(op.kept());
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized; the operation is kept.
        unsafe { self.collective(EXSCAN, described, WriteLoan::new(raw)) }
    }
}
