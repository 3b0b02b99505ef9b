//! `MPI_Scatter` (MPI 4.1 §6.6).
#![allow(unsafe_code)]

use super::describe::RootedBlocks;
use super::result::filled;
use super::table::SCATTER;
use crate::buffer::{
    LendRecv, LendRecvSlice, LendSend, LendSendSlice, OwnedRecv, OwnedSend, RecvBuf, RecvSlice, SendBuf,
    SendSlice, recv_region, send_region,
};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Argument, Error, Result, Returned};
use crate::request::{Collective, Pending, Request, SendLoan, WriteLoan};
use crate::scope::Scope;

impl Communicator {
    /// Deals the root's buffer out in equal blocks, in the order of ranks; every rank gets its block.
    ///
    /// `MPI_Scatter` (MPI 4.1 §6.6), after an `MPI_Bcast` of the buffer's length, which only the root knows. Where the
    /// length is known, [`scatter_into`](Communicator::scatter_into) does without.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no buffer, or another rank gave one; the root's buffer cannot be dealt
    /// out evenly (then every rank gets this error); what MPI reports; bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let all = (world.rank() == 0).then(|| vec![1.5; 3 * world.size()]);
    /// let mine: Vec<f64> = world.scatter(all.as_deref(), 0)?; // 3 values
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Scatter")]
    pub fn scatter<S>(&self, send: Option<&S>, root: usize) -> Result<Vec<S::Elem>>
    where
        S: SendSlice + ?Sized,
        S::Elem: FromBits,
    {
        let call = SCATTER.names.now();
        let send = self.for_root(call, send, root)?.map(SendBuf::region).transpose()?;
        let ranks = self.size();
        let mut len = send.map_or(0, |all| all.len as u64);
        self.bcast(&mut len, root)?;
        let len = len as usize;
        // Every rank finds this, not the root alone, so that nobody waits for a block.
        if !len.is_multiple_of(ranks) {
            return Err(Error::length(call, Argument::BlockLength, len, ranks));
        }
        filled::<S::Elem>(call, len / ranks, |recv| {
            let described = RootedBlocks::scatter(SCATTER, send, recv, root, self)?;
            // SAFETY: both memories are borrowed for the call.
            unsafe { self.collective(described) }
        })
    }

    /// As [`scatter`](Communicator::scatter), into a buffer of the block's length. Exactly one MPI call.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no buffer, or another rank gave one; the root's buffer has not `size()`
    /// times the length of its block; or what MPI reports.
    #[doc(alias = "MPI_Scatter")]
    #[inline]
    pub fn scatter_into<S, R>(&self, send: Option<&S>, recv: &mut R, root: usize) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvBuf<Elem = S::Elem> + SendBuf + ?Sized,
    {
        let send = send.map(SendBuf::region).transpose()?;
        let described = RootedBlocks::scatter(SCATTER, send, RecvBuf::region(recv)?, root, self)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`scatter`](Communicator::scatter), where the root's own block stays in its place.
    ///
    /// `MPI_Scatter` with `MPI_IN_PLACE` at the root (MPI 4.1 §6.6). The root's buffer holds a block for each rank;
    /// another rank's buffer has room for its block.
    ///
    /// # Errors
    /// There is no rank `root`; the root's buffer cannot be cut into `size()` equal blocks; or what MPI reports.
    #[doc(alias("MPI_Scatter", "MPI_IN_PLACE"))]
    #[inline]
    pub fn scatter_in_place<B: RecvSlice + ?Sized>(&self, buf: &mut B, root: usize) -> Result<()> {
        let described = RootedBlocks::scatter_in_place(SCATTER, buf.region()?, root, self)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to deal the root's buffer out in equal blocks; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Iscatter` (MPI 4.1 §6.12.4).
    ///
    /// # Errors
    /// As [`scatter_into`](Communicator::scatter_into). The buffers come back in the error.
    #[doc(alias = "MPI_Iscatter")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn iscatter<S, R>(
        &self,
        send: Option<S>,
        recv: R,
        root: usize,
    ) -> Result<Pending<(Option<S>, R), Collective>, Returned<(Option<S>, R)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (Option<S>, R)| {
            RootedBlocks::scatter(SCATTER, send.as_ref().map(send_region), recv_region(recv), root, self)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`).
        unsafe { self.start_owned(SCATTER, (send, recv), None, describe) }
    }

    /// Starts the same where the root's own block stays in its place; the request owns the buffer, and gives it back.
    ///
    /// `MPI_Iscatter` with `MPI_IN_PLACE` (MPI 4.1 §6.12.4).
    ///
    /// # Errors
    /// As [`scatter_in_place`](Communicator::scatter_in_place). The buffer comes back in the error.
    #[doc(alias("MPI_Iscatter", "MPI_IN_PLACE"))]
    pub fn iscatter_in_place<B: OwnedRecv>(
        &self,
        buf: B,
        root: usize,
    ) -> Result<Pending<B, Collective>, Returned<B>> {
        let describe = |buf: &mut B| RootedBlocks::scatter_in_place(SCATTER, recv_region(buf), root, self);
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`).
        unsafe { self.start_owned(SCATTER, buf, None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to deal the root's buffer out in equal blocks, which the root alone gives; the borrows come back from
    /// `wait`.
    ///
    /// `MPI_Iscatter` (MPI 4.1 §6.12.4).
    ///
    /// # Errors
    /// As [`scatter_into`](Communicator::scatter_into).
    #[doc(alias = "MPI_Iscatter")]
    #[inline]
    #[expect(clippy::type_complexity, reason = "a send that is lent at the root, and a receive")]
    pub fn iscatter<S, R>(
        self,
        send: Option<S>,
        recv: R,
        root: usize,
    ) -> Result<Request<'s, (Option<SendLoan<'s, S>>, WriteLoan<'s, R>)>>
    where
        S: LendSendSlice<'s>,
        R: LendRecv<'s, Elem = S::Elem> + LendSend<'s>,
    {
        let (send, send_raw) = send.map(|send| send.lend()).transpose()?.unzip();
        let (recv, recv_raw) = LendRecv::lend(recv)?;
        let described = RootedBlocks::scatter(SCATTER, send, recv, root, self.comm);
        // SAFETY: both memories are borrowed for `'s`, the second exclusively.
        unsafe {
            self.collective(SCATTER, described, (send_raw.map(SendLoan::new), WriteLoan::new(recv_raw)))
        }
    }

    /// Starts the same where the root's own block stays in its place; the borrow comes back from `wait`.
    ///
    /// `MPI_Iscatter` with `MPI_IN_PLACE` at the root (MPI 4.1 §6.12.4).
    ///
    /// # Errors
    /// As [`scatter_in_place`](Communicator::scatter_in_place).
    #[doc(alias("MPI_Iscatter", "MPI_IN_PLACE"))]
    #[inline]
    pub fn iscatter_in_place<B: LendRecvSlice<'s>>(
        self,
        buf: B,
        root: usize,
    ) -> Result<Request<'s, WriteLoan<'s, B>>> {
        let (region, raw) = buf.lend()?;
        let described = RootedBlocks::scatter_in_place(SCATTER, region, root, self.comm);
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized.
        unsafe { self.collective(SCATTER, described, WriteLoan::new(raw)) }
    }
}
