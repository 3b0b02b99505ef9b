//! `MPI_Scatterv` (MPI 4.1 §6.6).
#![allow(unsafe_code)]

use super::large::{self, Share};
use super::lengths::lengths;
use super::result::filled;
use super::table::SCATTERV;
use super::vector::{Scatterv, Side};
use crate::buffer::{
    Blocks, Counted, Counts, FARTHEST, LendRecv, LendRecvSlice, LendSend, OwnedRecv, OwnedSend, PerRank,
    RecvBuf, RecvSlice, Region, SendBuf, blocks, recv_region,
};
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype, FromBits};
use crate::error::{Argument, Error, Result, Returned};
use crate::request::{Collective, Pending, Request, SharedLoan, WriteLoan};
use crate::scope::Scope;
use std::rc::Rc;

/// The root, and it alone, has `send`: a block for each rank, for this one as long as `recv`.
#[inline(always)]
fn described<T: Datatype>(
    send: Option<Blocks<'_, T>>,
    recv: Region,
    root: usize,
    comm: &Communicator,
) -> Result<Scatterv> {
    let send = match send {
        Some(send) => {
            let side = Side::sent::<T>(SCATTERV.names.now(), region(send), send.counts, comm.size())?;
            Some((side, send.counts.get(comm.rank())))
        }
        None => None,
    };
    Scatterv::new(SCATTERV, send, recv, (root, comm))
}

/// The root, and it alone, has `counts`: of a block for each rank in `buf`, where its own stays.
#[inline(always)]
fn dealt_in_place<T: Datatype>(
    buf: Region,
    counts: Option<&Counts>,
    root: usize,
    comm: &Communicator,
) -> Result<Scatterv> {
    let side = |counts| Side::sent::<T>(SCATTERV.names.now(), buf, counts, comm.size());
    Scatterv::in_place(SCATTERV, counts.map(side).transpose()?, buf, (root, comm))
}

#[inline(always)]
fn region<T: Datatype>(send: Blocks<'_, T>) -> Region {
    Region::contiguous(send.data.as_ptr(), send.data.len())
}

/// What the root tells each rank before the blocks: what is to be done, how long the rank's block is, and 0. If the
/// root was given something wrong nothing follows, and every rank gets the error, so that nobody waits for a block:
/// what is wrong, its value, and the bound.
type Notice = [u64; 3];
/// The blocks follow, by `MPI_Scatterv`.
const AS_USUAL: u64 = 0;
/// The blocks follow, by `MPI_Alltoallw`.
const BY_PARTS: u64 = 1;
/// There is not a message for each rank.
const WRONG_NUMBER: u64 = 2;
/// A block reaches past the buffer.
const TOO_SHORT: u64 = 3;

fn notices<T: Datatype>(send: Blocks<'_, T>, ranks: usize) -> Vec<Notice> {
    let (len, counts) = (send.data.len(), send.counts);
    if counts.len() != ranks {
        return vec![[WRONG_NUMBER, counts.len() as u64, ranks as u64]; ranks];
    }
    if counts.span() > len {
        return vec![[TOO_SHORT, len as u64, counts.span() as u64]; ranks];
    }
    let is_due = large::is_due::<T, _>(SCATTERV.wide, counts.total().max(counts.span()));
    lengths(counts).map(|length| [if is_due { BY_PARTS } else { AS_USUAL }, length, 0]).collect()
}

impl Communicator {
    /// Deals the root's messages, of any lengths, out to the ranks: every rank gets its own.
    ///
    /// `MPI_Scatterv` (MPI 4.1 §6.6), after an `MPI_Scatter` of the lengths, which only the root knows. Where a rank
    /// knows its own, [`scatterv_into`](Communicator::scatterv_into) does without. Messages in nested vectors are
    /// copied into one buffer; blocks of a slice (`data.with_counts(&counts)`) are not copied.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no messages, or another rank gave some; there is not one for each rank,
    /// or a block reaches past the buffer (then every rank gets this error); what MPI reports; bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let per_rank: Option<Vec<Vec<f64>>> =
    ///     (world.rank() == 0).then(|| (0..world.size()).map(|to| vec![0.5; to]).collect());
    /// let mine = world.scatterv(per_rank.as_ref(), 0)?; // as many as this rank's number
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Scatterv")]
    pub fn scatterv<P>(&self, per_rank: Option<&P>, root: usize) -> Result<Vec<P::Elem>>
    where
        P: PerRank<Elem: FromBits> + ?Sized,
    {
        let call = SCATTERV.names.now();
        let flat = self.for_root(call, per_rank, root)?.map(PerRank::flatten).transpose()?;
        let send = flat.as_ref().map(blocks);
        let notices = send.map(|send| notices(send, self.size()));
        let mut notice: Notice = [0; 3];
        self.scatter_into(notices.as_ref(), std::slice::from_mut(&mut notice), root)?;
        let [what, value, bound] = notice;
        let wrong = |argument| Err(Error::length(call, argument, value as usize, bound as usize));
        match what {
            WRONG_NUMBER => return wrong(Argument::Counts),
            TOO_SHORT => return wrong(Argument::SendLength),
            _ => {}
        }
        filled::<P::Elem>(call, value as usize, |recv| {
            let described = described(send, recv, root, self)?;
            if what == BY_PARTS {
                let send = send.map_or(Share::Nothing, |send| Share::Blocks(region(send), send.counts));
                // SAFETY: both memories are borrowed for the call; checked by the description.
                return unsafe {
                    large::exchange::<P::Elem>(self, send, Share::One(recv, root), None, FARTHEST)
                };
            }
            // SAFETY: both memories are borrowed for the call.
            unsafe { self.collective(described) }
        })
    }

    /// As [`scatterv`](Communicator::scatterv), of the blocks of the root's buffer, which the root alone gives, into a
    /// buffer of the block's length. Exactly one MPI call.
    ///
    /// # Errors
    /// There is no rank `root`; the root gave no buffer, or another rank gave one; there is not one count for each
    /// rank; the root's own is not the length of its `recv`; a block reaches past the buffer; more than `i32::MAX`
    /// elements in all where the library has no large-count functions; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::buffer::{Counts, WithCounts};
    /// # let world = mpi::init()?;
    /// let counts = Counts::even(1000, world.size())?;
    /// let all = (world.rank() == 0).then(|| vec![0.5; 1000]);
    /// let mut mine = vec![0.0; counts.get(world.rank())];
    /// world.scatterv_into(all.as_ref().map(|all| all.with_counts(&counts)), &mut mine, 0)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Scatterv")]
    #[inline(always)]
    pub fn scatterv_into<R>(
        &self,
        send: Option<Blocks<'_, <R as RecvBuf>::Elem>>,
        recv: &mut R,
        root: usize,
    ) -> Result<()>
    where
        R: RecvBuf + SendBuf + ?Sized,
    {
        let described = described(send, RecvBuf::region(recv)?, root, self)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`scatterv_into`](Communicator::scatterv_into), where the root's own block stays in its place.
    ///
    /// `MPI_Scatterv` with `MPI_IN_PLACE` at the root (MPI 4.1 §6.6). The root's buffer holds a block for each rank, by
    /// the counts, which the root alone gives; another rank's buffer has room for its block.
    ///
    /// # Errors
    /// As [`scatterv_into`](Communicator::scatterv_into), with the counts for the buffer.
    #[doc(alias("MPI_Scatterv", "MPI_IN_PLACE"))]
    #[inline(always)]
    pub fn scatterv_in_place<B>(&self, buf: &mut B, counts: Option<&Counts>, root: usize) -> Result<()>
    where
        B: RecvSlice + ?Sized,
    {
        let described = dealt_in_place::<B::Elem>(buf.region()?, counts, root, self)?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to deal the blocks of the root's buffer out; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Iscatterv` (MPI 4.1 §6.12.4).
    ///
    /// # Errors
    /// As [`scatterv_into`](Communicator::scatterv_into). The buffers come back in the error.
    #[doc(alias = "MPI_Iscatterv")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn iscatterv<S, R>(
        &self,
        send: Option<Counted<S>>,
        recv: R,
        root: usize,
    ) -> Result<Pending<(Option<Counted<S>>, R), Collective>, Returned<(Option<Counted<S>>, R)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (Option<Counted<S>>, R)| {
            described(send.as_ref().map(Counted::blocks), recv_region(recv), root, self)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`); the counts stay in place with them (`Counted`).
        unsafe { self.start_owned(SCATTERV, (send, recv), None, describe) }
    }

    /// Starts the same where the root's own block stays in its place; the request owns the buffer, and gives it back.
    /// It keeps the counts.
    ///
    /// `MPI_Iscatterv` with `MPI_IN_PLACE` (MPI 4.1 §6.12.4).
    ///
    /// # Errors
    /// As [`scatterv_in_place`](Communicator::scatterv_in_place). The buffer comes back in the error.
    #[doc(alias("MPI_Iscatterv", "MPI_IN_PLACE"))]
    pub fn iscatterv_in_place<B: OwnedRecv>(
        &self,
        buf: B,
        counts: Option<&Counts>,
        root: usize,
    ) -> Result<Pending<B, Collective>, Returned<B>> {
        let describe = |buf: &mut B| dealt_in_place::<B::Elem>(recv_region(buf), counts, root, self);
        let kept = Rc::new(counts.cloned());
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`); the arrays are those of the counts that are kept.
        unsafe { self.start_owned(SCATTERV, buf, Some(kept), describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to deal the blocks of the root's buffer out, which the root alone gives; the borrows come back from
    /// `wait`.
    ///
    /// `MPI_Iscatterv` (MPI 4.1 §6.12.4).
    ///
    /// # Errors
    /// As [`scatterv_into`](Communicator::scatterv_into).
    #[doc(alias = "MPI_Iscatterv")]
    #[inline]
    #[expect(clippy::type_complexity, reason = "a send at the root, and a receive")]
    pub fn iscatterv<T: AnyBits, R>(
        self,
        send: Option<Blocks<'s, T>>,
        recv: R,
        root: usize,
    ) -> Result<Request<'s, (Option<SharedLoan<Blocks<'s, T>>>, WriteLoan<'s, R>)>>
    where
        R: LendRecv<'s, Elem = T> + LendSend<'s>,
    {
        let (recv, recv_raw) = LendRecv::lend(recv)?;
        let described = described(send, recv, root, self.comm);
        // SAFETY: both memories are borrowed for `'s`, the second exclusively, and so are the counts.
        unsafe { self.collective(SCATTERV, described, (send.map(SharedLoan::new), WriteLoan::new(recv_raw))) }
    }

    /// Starts the same where the root's own block stays in its place; the borrow comes back from `wait`.
    ///
    /// `MPI_Iscatterv` with `MPI_IN_PLACE` at the root (MPI 4.1 §6.12.4).
    ///
    /// # Errors
    /// As [`scatterv_in_place`](Communicator::scatterv_in_place).
    #[doc(alias("MPI_Iscatterv", "MPI_IN_PLACE"))]
    pub fn iscatterv_in_place<B: LendRecvSlice<'s>>(
        self,
        buf: B,
        counts: Option<&'s Counts>,
        root: usize,
    ) -> Result<Request<'s, WriteLoan<'s, B>>> {
        let (region, raw) = buf.lend()?;
        let described = dealt_in_place::<B::Elem>(region, counts, root, self.comm);
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized; the counts are borrowed for `'s`.
        unsafe { self.collective(SCATTERV, described, WriteLoan::new(raw)) }
    }
}
