//! `MPI_Gather` (MPI 4.1 §6.5).
#![allow(unsafe_code)]

use super::describe::RootedBlocks;
use super::result::collected;
use super::table::GATHER;
use crate::buffer::{
    LendRecvSlice, LendSend, OwnedRecv, OwnedSend, RecvSlice, SendBuf, recv_region, send_region,
};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Result, Returned};
use crate::request::{Collective, Pending, Request, SendLoan, WriteLoan};
use crate::scope::Scope;

impl Communicator {
    /// Collects a buffer of equal length from every rank, in the order of ranks; the root gets `Some(result)`.
    ///
    /// `MPI_Gather` (MPI 4.1 §6.5). Every rank makes the same call.
    ///
    /// # Errors
    /// There is no rank `root`; what MPI reports; for `bool`, `char` and `NonZero*`, bytes that are no value.
    #[doc(alias = "MPI_Gather")]
    pub fn gather<S>(&self, send: &S, root: usize) -> Result<Option<Vec<S::Elem>>>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        let call = GATHER.names.now();
        let send = send.region()?;
        let gather = |recv| {
            let described = RootedBlocks::gather(GATHER, send, recv, root, self)?;
            // SAFETY: both memories are borrowed for the call.
            unsafe { self.collective(described) }
        };
        if self.is_root(call, root)? {
            collected::<S::Elem>(call, (send.len, self.size()), |recv| gather(Some(recv))).map(Some)
        } else {
            gather(None).map(|()| None)
        }
    }

    /// As [`gather`](Communicator::gather), into the root's buffer of `size()` times the length, which the root alone
    /// gives. Exactly one MPI call.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no buffer, or another rank gave one; the receive buffer has another
    /// length; or what MPI reports.
    #[doc(alias = "MPI_Gather")]
    #[inline]
    pub fn gather_into<S, R>(&self, send: &S, recv: Option<&mut R>, root: usize) -> Result<()>
    where
        S: SendBuf + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
    {
        let recv = recv.map(|recv| recv.region()).transpose()?;
        let described = RootedBlocks::gather(GATHER, send.region()?, recv, root, self)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`gather`](Communicator::gather), where the root's own block is in its place in the result already.
    ///
    /// `MPI_Gather` with `MPI_IN_PLACE` at the root (MPI 4.1 §6.5). The root's buffer holds a block for each rank;
    /// another rank's buffer is its block, and is not changed.
    ///
    /// # Errors
    /// There is no rank `root`; the root's buffer cannot be cut into `size()` equal blocks; or what MPI reports.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let blocks = if world.rank() == 0 { world.size() } else { 1 };
    /// let mut buf = vec![world.rank(); 10 * blocks];
    /// world.gather_in_place(&mut buf, 0)?; // at the root: ten of each rank
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias("MPI_Gather", "MPI_IN_PLACE"))]
    #[inline]
    pub fn gather_in_place<B: RecvSlice + ?Sized>(&self, buf: &mut B, root: usize) -> Result<()> {
        let described = RootedBlocks::gather_in_place(GATHER, buf.region()?, root, self)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to collect a buffer of equal length from every rank; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Igather` (MPI 4.1 §6.12.3).
    ///
    /// # Errors
    /// As [`gather_into`](Communicator::gather_into). The buffers come back in the error.
    #[doc(alias = "MPI_Igather")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn igather<S, R>(
        &self,
        send: S,
        recv: Option<R>,
        root: usize,
    ) -> Result<Pending<(S, Option<R>), Collective>, Returned<(S, Option<R>)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (S, Option<R>)| {
            RootedBlocks::gather(GATHER, send_region(send), recv.as_mut().map(recv_region), root, self)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`).
        unsafe { self.start_owned(GATHER, (send, recv), None, describe) }
    }

    /// Starts the same where the root's own block is in its place already; the request owns the buffer, and gives it
    /// back.
    ///
    /// `MPI_Igather` with `MPI_IN_PLACE` (MPI 4.1 §6.12.3).
    ///
    /// # Errors
    /// As [`gather_in_place`](Communicator::gather_in_place). The buffer comes back in the error.
    #[doc(alias("MPI_Igather", "MPI_IN_PLACE"))]
    pub fn igather_in_place<B: OwnedRecv>(
        &self,
        buf: B,
        root: usize,
    ) -> Result<Pending<B, Collective>, Returned<B>> {
        let describe = |buf: &mut B| RootedBlocks::gather_in_place(GATHER, recv_region(buf), root, self);
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`).
        unsafe { self.start_owned(GATHER, buf, None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to collect a buffer of equal length from every rank into the root's, which the root alone gives; the
    /// borrows come back from `wait`.
    ///
    /// `MPI_Igather` (MPI 4.1 §6.12.3).
    ///
    /// # Errors
    /// As [`gather_into`](Communicator::gather_into).
    #[doc(alias = "MPI_Igather")]
    #[inline]
    #[expect(clippy::type_complexity, reason = "a send that is lent, and a receive at the root")]
    pub fn igather<S, R>(
        self,
        send: S,
        recv: Option<R>,
        root: usize,
    ) -> Result<Request<'s, (SendLoan<'s, S>, Option<WriteLoan<'s, R>>)>>
    where
        S: LendSend<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
    {
        let (send, send_raw) = send.lend()?;
        let (recv, recv_raw) = recv.map(|recv| recv.lend()).transpose()?.unzip();
        let described = RootedBlocks::gather(GATHER, send, recv, root, self.comm);
        // SAFETY: both memories are borrowed for `'s`, the second exclusively.
        unsafe { self.collective(GATHER, described, (SendLoan::new(send_raw), recv_raw.map(WriteLoan::new))) }
    }

    /// Starts the same where the root's own block is in its place already; the borrow comes back from `wait`.
    ///
    /// `MPI_Igather` with `MPI_IN_PLACE` at the root (MPI 4.1 §6.12.3).
    ///
    /// # Errors
    /// As [`gather_in_place`](Communicator::gather_in_place).
    #[doc(alias("MPI_Igather", "MPI_IN_PLACE"))]
    #[inline]
    pub fn igather_in_place<B: LendRecvSlice<'s>>(
        self,
        buf: B,
        root: usize,
    ) -> Result<Request<'s, WriteLoan<'s, B>>> {
        let (region, raw) = buf.lend()?;
        let described = RootedBlocks::gather_in_place(GATHER, region, root, self.comm);
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized.
        unsafe { self.collective(GATHER, described, WriteLoan::new(raw)) }
    }
}
