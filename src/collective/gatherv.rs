//! `MPI_Gatherv` (MPI 4.1 §6.5).
#![allow(unsafe_code)]

use super::large::{self, Share};
use super::lengths::counts;
use super::result::filled;
use super::table::GATHERV;
use super::vector::{Gatherv, Side};
use crate::buffer::{
    BlocksMut, Counted, Counts, FARTHEST, LendRecvSlice, LendSend, OwnedRecv, OwnedSend, RecvSlice, Region,
    SendBuf, recv_region, send_region,
};
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype, FromBits};
use crate::error::{Result, Returned};
use crate::request::{BlocksLoan, Collective, Pending, Request, SendLoan, WriteLoan};
use crate::scope::Scope;
use std::rc::Rc;

/// The root, and it alone, has `recv`: a block from each rank, from this one as long as `send`.
#[inline(always)]
fn described<T: Datatype>(
    send: Region,
    recv: Option<(Region, &Counts)>,
    root: usize,
    comm: &Communicator,
) -> Result<Gatherv> {
    let recv = match recv {
        Some((recv, counts)) => {
            let side = Side::received::<T>(GATHERV.names.now(), recv, counts, comm.size())?;
            Some((side, counts.get(comm.rank())))
        }
        None => None,
    };
    Gatherv::new(GATHERV, send, recv, (root, comm))
}

/// The root, and it alone, has `counts`: of a block from each rank, its own in its place in `buf`.
#[inline(always)]
fn collected_in_place<T: Datatype>(
    buf: Region,
    counts: Option<&Counts>,
    root: usize,
    comm: &Communicator,
) -> Result<Gatherv> {
    let side = |counts| Side::received::<T>(GATHERV.names.now(), buf, counts, comm.size());
    Gatherv::in_place(GATHERV, buf, counts.map(side).transpose()?, (root, comm))
}

impl Communicator {
    /// Collects a buffer of any length from every rank, one rank's after the other's; the root gets `Some(result)`.
    ///
    /// `MPI_Gatherv` (MPI 4.1 §6.5), after an `MPI_Gather` of the lengths; an `MPI_Allgather` with a library that has
    /// no large-count functions, so that all ranks know whether `MPI_Alltoallw` stands in. Where the lengths are known,
    /// [`gatherv_into`](Communicator::gatherv_into) does without.
    ///
    /// # Errors
    /// There is no rank `root`; what MPI reports; for `bool`, `char` and `NonZero*`, bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mine = vec![world.rank(); world.rank()];
    /// if let Some(all) = world.gatherv(&mine, 0)? {
    ///     println!("{all:?}"); // 1, 2, 2, 3, 3, 3, …
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Gatherv")]
    pub fn gatherv<S>(&self, send: &S, root: usize) -> Result<Option<Vec<S::Elem>>>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        Ok(self.gatherv_with_counts(send, root)?.map(|(all, _)| all))
    }

    /// As [`gatherv`](Communicator::gatherv), with how many elements came from each rank.
    ///
    /// # Errors
    /// As [`gatherv`](Communicator::gatherv).
    #[doc(alias = "MPI_Gatherv")]
    pub fn gatherv_with_counts<S>(&self, send: &S, root: usize) -> Result<Option<(Vec<S::Elem>, Counts)>>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        let (call, is_root) = (GATHERV.names.now(), self.is_root(GATHERV.names.now(), root)?);
        let send = send.region()?;
        let (counts, by_parts) = self.gather_lengths::<S::Elem>(send.len, root)?;
        let gather = |recv: Option<(Region, &Counts)>| {
            let described = described::<S::Elem>(send, recv, root, self)?;
            if by_parts {
                let recv = recv.map_or(Share::Nothing, |(all, counts)| Share::Blocks(all, counts));
                // SAFETY: both memories are borrowed for the call; checked by the description.
                return unsafe {
                    large::exchange::<S::Elem>(self, Share::One(send, root), recv, None, FARTHEST)
                };
            }
            // SAFETY: both memories are borrowed for the call.
            unsafe { self.collective(described) }
        };
        match counts.filter(|_| is_root) {
            Some(counts) => {
                let all = filled::<S::Elem>(call, counts.total(), |recv| gather(Some((recv, &counts))))?;
                Ok(Some((all, counts)))
            }
            None => gather(None).map(|()| None),
        }
    }

    /// How long each rank's buffer is, at the root at least, and whether all ranks take `MPI_Alltoallw`.
    fn gather_lengths<T: Datatype>(&self, mine: usize, root: usize) -> Result<(Option<Counts>, bool)> {
        if GATHERV.wide.is_some() {
            let lengths = self.gather(&(mine as u64), root)?;
            return Ok((lengths.map(|lengths| counts(lengths.iter().copied())).transpose()?, false));
        }
        let counts = self.lengths(mine)?;
        let by_parts = large::is_due::<T, _>(GATHERV.wide, counts.total());
        Ok((Some(counts), by_parts))
    }

    /// As [`gatherv`](Communicator::gatherv), into the blocks of the root's buffer, which the root alone gives. Exactly
    /// one MPI call.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no buffer, or another rank gave one; there is not one count for each
    /// rank; the root's own is not the length of its `send`; a block reaches past the buffer, or two share elements;
    /// more than `i32::MAX` elements in all where the library has no large-count functions; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::buffer::{Counts, WithCounts};
    /// # let world = mpi::init()?;
    /// let counts = Counts::even(1000, world.size())?;
    /// let mine = vec![0.5; counts.get(world.rank())];
    /// let mut all = vec![0.0; if world.rank() == 0 { 1000 } else { 0 }];
    /// let at_root = (world.rank() == 0).then(|| all.with_counts_mut(&counts));
    /// world.gatherv_into(&mine, at_root, 0)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Gatherv")]
    #[inline(always)]
    pub fn gatherv_into<S>(&self, send: &S, recv: Option<BlocksMut<'_, S::Elem>>, root: usize) -> Result<()>
    where
        S: SendBuf + ?Sized,
        S::Elem: AnyBits,
    {
        let recv = recv.map(|recv| BlocksLoan::new(recv).region());
        let described = described::<S::Elem>(send.region()?, recv, root, self)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`gatherv_into`](Communicator::gatherv_into), where the root's own block is in its place in the result
    /// already.
    ///
    /// `MPI_Gatherv` with `MPI_IN_PLACE` at the root (MPI 4.1 §6.5). The root's buffer holds a block for each rank, by
    /// the counts, which the root alone gives; another rank's buffer is its block, and is not changed.
    ///
    /// # Errors
    /// As [`gatherv_into`](Communicator::gatherv_into), with the counts for the buffer.
    ///
    /// ```no_run
    /// # use mpi::buffer::Counts;
    /// # let world = mpi::init()?;
    /// let counts = Counts::even(1000, world.size())?;
    /// let is_root = world.rank() == 0;
    /// let mut buf = vec![0.5; if is_root { 1000 } else { counts.get(world.rank()) }];
    /// world.gatherv_in_place(&mut buf, is_root.then_some(&counts), 0)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias("MPI_Gatherv", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn gatherv_in_place<B>(&self, buf: &mut B, counts: Option<&Counts>, root: usize) -> Result<()>
    where
        B: RecvSlice + ?Sized,
    {
        let described = collected_in_place::<B::Elem>(buf.region()?, counts, root, self)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to collect a buffer of any length from every rank; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Igatherv` (MPI 4.1 §6.12.3).
    ///
    /// # Errors
    /// As [`gatherv_into`](Communicator::gatherv_into). The buffers come back in the error.
    #[doc(alias = "MPI_Igatherv")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn igatherv<S, R>(
        &self,
        send: S,
        recv: Option<Counted<R>>,
        root: usize,
    ) -> Result<Pending<(S, Option<Counted<R>>), Collective>, Returned<(S, Option<Counted<R>>)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (S, Option<Counted<R>>)| {
            let recv = recv.as_mut().map(|recv| BlocksLoan::new(recv.blocks_mut()).region());
            described::<S::Elem>(send_region(send), recv, root, self)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`); the counts stay in place with them (`Counted`).
        unsafe { self.start_owned(GATHERV, (send, recv), None, describe) }
    }

    /// Starts the same where the root's own block is in its place already; the request owns the buffer, and gives it
    /// back. It keeps the counts.
    ///
    /// `MPI_Igatherv` with `MPI_IN_PLACE` (MPI 4.1 §6.12.3).
    ///
    /// # Errors
    /// As [`gatherv_in_place`](Communicator::gatherv_in_place). The buffer comes back in the error.
    #[doc(alias("MPI_Igatherv", "MPI_IN_PLACE"))]
    pub fn igatherv_in_place<B: OwnedRecv>(
        &self,
        buf: B,
        counts: Option<&Counts>,
        root: usize,
    ) -> Result<Pending<B, Collective>, Returned<B>> {
        let describe = |buf: &mut B| collected_in_place::<B::Elem>(recv_region(buf), counts, root, self);
        let kept = Rc::new(counts.cloned());
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`); the arrays are those of the counts that are kept.
        unsafe { self.start_owned(GATHERV, buf, Some(kept), describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to collect a buffer of any length from every rank into the root's, which the root alone gives; the
    /// borrows come back from `wait`.
    ///
    /// `MPI_Igatherv` (MPI 4.1 §6.12.3).
    ///
    /// # Errors
    /// As [`gatherv_into`](Communicator::gatherv_into).
    #[doc(alias = "MPI_Igatherv")]
    #[inline]
    #[expect(clippy::type_complexity, reason = "a send, and a receive at the root")]
    pub fn igatherv<S>(
        self,
        send: S,
        recv: Option<BlocksMut<'s, S::Elem>>,
        root: usize,
    ) -> Result<Request<'s, (SendLoan<'s, S>, Option<BlocksLoan<'s, S::Elem>>)>>
    where
        S: LendSend<'s>,
        S::Elem: AnyBits,
    {
        let ((send, send_raw), blocks) = (send.lend()?, recv.map(BlocksLoan::new));
        let recv = blocks.as_ref().map(BlocksLoan::region);
        let described = described::<S::Elem>(send, recv, root, self.comm);
        // SAFETY: both memories are borrowed for `'s`, the second exclusively, and so are the counts.
        unsafe { self.collective(GATHERV, described, (SendLoan::new(send_raw), blocks)) }
    }

    /// Starts the same where the root's own block is in its place already; the borrow comes back from `wait`.
    ///
    /// `MPI_Igatherv` with `MPI_IN_PLACE` at the root (MPI 4.1 §6.12.3).
    ///
    /// # Errors
    /// As [`gatherv_in_place`](Communicator::gatherv_in_place).
    #[doc(alias("MPI_Igatherv", "MPI_IN_PLACE"))]
    pub fn igatherv_in_place<B: LendRecvSlice<'s>>(
        self,
        buf: B,
        counts: Option<&'s Counts>,
        root: usize,
    ) -> Result<Request<'s, WriteLoan<'s, B>>> {
        let (region, raw) = buf.lend()?;
        let described = collected_in_place::<B::Elem>(region, counts, root, self.comm);
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized; the counts are borrowed for `'s`.
        unsafe { self.collective(GATHERV, described, WriteLoan::new(raw)) }
    }
}
