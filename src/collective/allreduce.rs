//! `MPI_Allreduce` (MPI 4.1 §6.9.6).
#![allow(unsafe_code)]

use super::combine::Reduction;
use super::op::Operation;
use super::table::ALLREDUCE;
use crate::buffer::{
    LendRecvSlice, LendSendSlice, OwnedRecv, OwnedSend, RecvSlice, SameShape, SendSlice, recv_region,
    send_region,
};
use crate::comm::Communicator;
use crate::error::{Error, Result, Returned};
use crate::request::{Collective, PairLoan, Pending, Request, WriteLoan, pair};
use crate::scope::Scope;

impl Communicator {
    /// Combines the elements of all ranks with `op`; every rank gets the result, of the shape of `send`.
    ///
    /// `MPI_Allreduce` (MPI 4.1 §6.9.6). Zero-filled memory is allocated for the result if `send` is a slice.
    ///
    /// # Errors
    /// What MPI reports; for `bool`, a result that is none.
    ///
    /// ```no_run
    /// use mpi::op::{Max, Sum};
    /// # let world = mpi::init()?;
    /// let total = world.allreduce(&(world.rank() as u64), Sum)?; // u64
    /// let largest = world.allreduce(&vec![1.0, 2.0], Max)?; // Vec<f64>
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allreduce")]
    #[inline(always)]
    pub fn allreduce<S, O>(&self, send: &S, op: O) -> Result<S::Owned>
    where
        S: SameShape + ?Sized,
        O: Operation<S::Elem>,
    {
        let mut result = send.zeroed();
        let recv = S::bits_region(&mut result);
        let described = Reduction::new::<S::Elem, O>(ALLREDUCE, send.region()?, recv, op)?;
        // SAFETY: both memories are borrowed for the call.
        unsafe { self.collective(described) }?;
        S::check(result).map_err(|index| Error::invalid(ALLREDUCE.names.now(), index))
    }

    /// As [`allreduce`](Communicator::allreduce), into a buffer of the same length. Exactly one MPI call.
    ///
    /// # Errors
    /// The lengths differ; or what MPI reports.
    #[doc(alias = "MPI_Allreduce")]
    #[inline(always)]
    pub fn allreduce_into<S, R, O>(&self, send: &S, recv: &mut R, op: O) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
        O: Operation<S::Elem>,
    {
        let described = Reduction::new::<S::Elem, O>(ALLREDUCE, send.region()?, recv.region()?, op)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`allreduce`](Communicator::allreduce), where the result takes the place of the input (`MPI_IN_PLACE`).
    ///
    /// # Errors
    /// What MPI reports.
    #[doc(alias("MPI_Allreduce", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn allreduce_in_place<B, O>(&self, buf: &mut B, op: O) -> Result<()>
    where
        B: RecvSlice + ?Sized,
        O: Operation<B::Elem>,
    {
        let described = Reduction::in_place::<B::Elem, O>(ALLREDUCE, buf.region()?, op)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to combine the elements of all ranks with `op`; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Iallreduce` (MPI 4.1 §6.12.8).
    ///
    /// # Errors
    /// As [`allreduce_into`](Communicator::allreduce_into); more than `i32::MAX` elements where the library has no
    /// large-count functions. The buffers come back in the error.
    ///
    /// ```no_run
    /// use mpi::op::Sum;
    /// # let world = mpi::init()?;
    /// let pending = world.iallreduce(vec![1.5; 4], vec![0.0; 4], Sum)?;
    /// // work …
    /// let (mine, total) = pending.wait()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Iallreduce")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn iallreduce<S, R, O>(
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
            Reduction::new::<S::Elem, O>(ALLREDUCE, send_region(send), recv_region(recv), op)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`).
        unsafe { self.start_owned(ALLREDUCE, (send, recv), op.kept(), describe) }
    }

    /// Starts the same where the result takes the place of the input; the request owns the buffer, and gives it back.
    ///
    /// `MPI_Iallreduce` with `MPI_IN_PLACE` (MPI 4.1 §6.12.8).
    ///
    /// # Errors
    /// As [`iallreduce`](Communicator::iallreduce). The buffer comes back in the error.
    ///
    /// ```no_run
    /// use mpi::op::Sum;
    /// # let world = mpi::init()?;
    /// let pending = world.iallreduce_in_place(vec![1.5; 4], Sum)?;
    /// // work …
    /// let total = pending.wait()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias("MPI_Iallreduce", "MPI_IN_PLACE"))]
    pub fn iallreduce_in_place<B, O>(&self, buf: B, op: O) -> Result<Pending<B, Collective>, Returned<B>>
    where
        B: OwnedRecv,
        O: Operation<B::Elem>,
    {
        let describe = |buf: &mut B| Reduction::in_place::<B::Elem, O>(ALLREDUCE, recv_region(buf), op);
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`).
        unsafe { self.start_owned(ALLREDUCE, buf, op.kept(), describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to combine the elements of all ranks with `op`; both borrows come back from `wait`.
    ///
    /// `MPI_Iallreduce` (MPI 4.1 §6.12.8).
    ///
    /// # Errors
    /// The lengths differ; more than `i32::MAX` elements where the library has no large-count functions; or what MPI
    /// reports.
    ///
    /// ```no_run
    /// use mpi::op::Max;
    /// # let world = mpi::init()?;
    /// let (mine, mut largest) = ([0.5], [0.0]);
    /// world.scope(|s| {
    ///     let reduction = s.iallreduce(&mine, &mut largest, Max)?;
    ///     // work that needs neither …
    ///     let (_, largest) = reduction.wait()?;
    ///     println!("{}", largest[0]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Iallreduce")]
    #[inline(always)]
    pub fn iallreduce<S, R, O>(self, send: S, recv: R, op: O) -> Result<Request<'s, PairLoan<'s, S, R>>>
    where
        S: LendSendSlice<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
        O: Operation<S::Elem>,
    {
        let ((send, send_raw), (recv, recv_raw)) = (send.lend()?, recv.lend()?);
        let described = Reduction::new::<S::Elem, O>(ALLREDUCE, send, recv, op);
        self.keep_operation(op.kept());
        // SAFETY: both memories are borrowed for `'s`, the second exclusively; the operation is kept.
        unsafe { self.collective(ALLREDUCE, described, pair(send_raw, recv_raw)) }
    }

    /// Starts the same where the result takes the place of the input; the borrow comes back from `wait`.
    ///
    /// `MPI_Iallreduce` with `MPI_IN_PLACE` (MPI 4.1 §6.12.8).
    ///
    /// # Errors
    /// As [`iallreduce`](Scope::iallreduce).
    #[doc(alias("MPI_Iallreduce", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn iallreduce_in_place<B, O>(self, buf: B, op: O) -> Result<Request<'s, WriteLoan<'s, B>>>
    where
        B: LendRecvSlice<'s>,
        O: Operation<B::Elem>,
    {
        let (region, raw) = buf.lend()?;
        let described = Reduction::in_place::<B::Elem, O>(ALLREDUCE, region, op);
        self.keep_operation(op.kept());
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized; the operation is kept.
        unsafe { self.collective(ALLREDUCE, described, WriteLoan::new(raw)) }
    }
}
