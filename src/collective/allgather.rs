//! `MPI_Allgather` (MPI 4.1 §6.7).
#![allow(unsafe_code)]

use super::describe::Blocks;
use super::result::collected;
use super::table::ALLGATHER;
use crate::buffer::{
    LendRecvSlice, LendSend, OwnedRecv, OwnedSend, RecvSlice, SendBuf, recv_region, send_region,
};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Result, Returned};
use crate::request::{Collective, PairLoan, Pending, Request, WriteLoan, pair};
use crate::scope::Scope;

impl Communicator {
    /// Collects a buffer of equal length from every rank, in the order of ranks; every rank gets the result.
    ///
    /// `MPI_Allgather` (MPI 4.1 §6.7).
    ///
    /// # Errors
    /// What MPI reports; for `bool`, `char` and `NonZero*`, bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let ranks: Vec<usize> = world.allgather(&world.rank())?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allgather")]
    pub fn allgather<S>(&self, send: &S) -> Result<Vec<S::Elem>>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        let send = send.region()?;
        collected(ALLGATHER.names.now(), (send.len, self.size()), |recv| {
            let described = Blocks::collect(ALLGATHER, send, recv, self.size())?;
            // SAFETY: both memories are borrowed for the call.
            unsafe { self.collective(described) }
        })
    }

    /// As [`allgather`](Communicator::allgather), into a buffer of `size()` times the length. Exactly one MPI call.
    ///
    /// # Errors
    /// The receive buffer has another length; or what MPI reports.
    #[doc(alias = "MPI_Allgather")]
    #[inline]
    pub fn allgather_into<S, R>(&self, send: &S, recv: &mut R) -> Result<()>
    where
        S: SendBuf + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
    {
        let described = Blocks::collect(ALLGATHER, send.region()?, recv.region()?, self.size())?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`allgather`](Communicator::allgather), where each rank's own block is in its place in the result already.
    ///
    /// `MPI_Allgather` with `MPI_IN_PLACE` (MPI 4.1 §6.7).
    ///
    /// # Errors
    /// The buffer cannot be cut into `size()` equal blocks; or what MPI reports.
    #[doc(alias("MPI_Allgather", "MPI_IN_PLACE"))]
    #[inline]
    pub fn allgather_in_place<B: RecvSlice + ?Sized>(&self, buf: &mut B) -> Result<()> {
        let described = Blocks::in_place(ALLGATHER, buf.region()?, self.size())?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to collect a buffer of equal length from every rank; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Iallgather` (MPI 4.1 §6.12.5).
    ///
    /// # Errors
    /// As [`allgather_into`](Communicator::allgather_into). The buffers come back in the error.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let pending = world.iallgather(vec![1.5; 4], vec![0.0; 4 * world.size()])?;
    /// // work …
    /// let (mine, all) = pending.wait()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Iallgather")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn iallgather<S, R>(&self, send: S, recv: R) -> Result<Pending<(S, R), Collective>, Returned<(S, R)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (S, R)| {
            Blocks::collect(ALLGATHER, send_region(send), recv_region(recv), self.size())
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`).
        unsafe { self.start_owned(ALLGATHER, (send, recv), None, describe) }
    }

    /// Starts the same where each rank's own block is in its place already; the request owns the buffer, and gives it
    /// back.
    ///
    /// `MPI_Iallgather` with `MPI_IN_PLACE` (MPI 4.1 §6.12.5).
    ///
    /// # Errors
    /// As [`allgather_in_place`](Communicator::allgather_in_place). The buffer comes back in the error.
    #[doc(alias("MPI_Iallgather", "MPI_IN_PLACE"))]
    pub fn iallgather_in_place<B: OwnedRecv>(&self, buf: B) -> Result<Pending<B, Collective>, Returned<B>> {
        let describe = |buf: &mut B| Blocks::in_place(ALLGATHER, recv_region(buf), self.size());
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`).
        unsafe { self.start_owned(ALLGATHER, buf, None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to collect a buffer of equal length from every rank; both borrows come back from `wait`.
    ///
    /// `MPI_Iallgather` (MPI 4.1 §6.12.5).
    ///
    /// # Errors
    /// As [`allgather_into`](Communicator::allgather_into).
    #[doc(alias = "MPI_Iallgather")]
    #[inline]
    pub fn iallgather<S, R>(self, send: S, recv: R) -> Result<Request<'s, PairLoan<'s, S, R>>>
    where
        S: LendSend<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
    {
        let ((send, send_raw), (recv, recv_raw)) = (send.lend()?, recv.lend()?);
        let described = Blocks::collect(ALLGATHER, send, recv, self.comm.size());
        // SAFETY: both memories are borrowed for `'s`, the second exclusively.
        unsafe { self.collective(ALLGATHER, described, pair(send_raw, recv_raw)) }
    }

    /// Starts the same where each rank's own block is in its place already; the borrow comes back from `wait`.
    ///
    /// `MPI_Iallgather` with `MPI_IN_PLACE` (MPI 4.1 §6.12.5).
    ///
    /// # Errors
    /// As [`allgather_in_place`](Communicator::allgather_in_place).
    #[doc(alias("MPI_Iallgather", "MPI_IN_PLACE"))]
    #[inline]
    pub fn iallgather_in_place<B: LendRecvSlice<'s>>(self, buf: B) -> Result<Request<'s, WriteLoan<'s, B>>> {
        let (region, raw) = buf.lend()?;
        let described = Blocks::in_place(ALLGATHER, region, self.comm.size());
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized.
        unsafe { self.collective(ALLGATHER, described, WriteLoan::new(raw)) }
    }
}
