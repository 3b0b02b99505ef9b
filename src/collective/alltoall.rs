//! `MPI_Alltoall` (MPI 4.1 §6.8).
#![allow(unsafe_code)]

use super::describe::Blocks;
use super::result::filled;
use super::table::ALLTOALL;
use crate::buffer::{
    LendRecvSlice, LendSendSlice, OwnedRecv, OwnedSend, RecvSlice, SendSlice, recv_region, send_region,
};
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Result, Returned};
use crate::request::{Collective, PairLoan, Pending, Request, WriteLoan, pair};
use crate::scope::Scope;

impl Communicator {
    /// Sends a block of equal length to every rank, and collects one from every rank, in the order of ranks.
    ///
    /// `MPI_Alltoall` (MPI 4.1 §6.8). `send` holds `size()` blocks; the result is as long.
    ///
    /// # Errors
    /// `send` cannot be cut into `size()` equal blocks; what MPI reports; for `bool`, `char` and `NonZero*`, bytes that
    /// are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let shares: Vec<u64> = (0..world.size() as u64).map(|to| 100 + to).collect();
    /// let mine = world.alltoall(&shares)?; // one number from each rank
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Alltoall")]
    pub fn alltoall<S>(&self, send: &S) -> Result<Vec<S::Elem>>
    where
        S: SendSlice + ?Sized,
        S::Elem: FromBits,
    {
        let send = send.region()?;
        filled(ALLTOALL.names.now(), send.len, |recv| {
            let described = Blocks::exchange(ALLTOALL, send, recv, (self.size(), self.size()))?;
            // SAFETY: both memories are borrowed for the call.
            unsafe { self.collective(described) }
        })
    }

    /// As [`alltoall`](Communicator::alltoall), into a buffer of the same length. Exactly one MPI call.
    ///
    /// # Errors
    /// The lengths differ, or cannot be cut into `size()` equal blocks; or what MPI reports.
    #[doc(alias = "MPI_Alltoall")]
    #[inline]
    pub fn alltoall_into<S, R>(&self, send: &S, recv: &mut R) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
    {
        let ranks = (self.size(), self.size());
        let described = Blocks::exchange(ALLTOALL, send.region()?, recv.region()?, ranks)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// As [`alltoall`](Communicator::alltoall), where what arrives takes the place of what is sent.
    ///
    /// `MPI_Alltoall` with `MPI_IN_PLACE` (MPI 4.1 §6.8).
    ///
    /// # Errors
    /// The buffer cannot be cut into `size()` equal blocks; or what MPI reports.
    #[doc(alias("MPI_Alltoall", "MPI_IN_PLACE"))]
    #[inline]
    pub fn alltoall_in_place<B: RecvSlice + ?Sized>(&self, buf: &mut B) -> Result<()> {
        let described = Blocks::in_place(ALLTOALL, buf.region()?, self.size())?;
        // SAFETY: the memory is exclusively borrowed for the call and initialized.
        unsafe { self.collective(described) }
    }

    /// Starts to exchange blocks of equal length; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Ialltoall` (MPI 4.1 §6.12.6).
    ///
    /// # Errors
    /// As [`alltoall_into`](Communicator::alltoall_into). The buffers come back in the error.
    #[doc(alias = "MPI_Ialltoall")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn ialltoall<S, R>(&self, send: S, recv: R) -> Result<Pending<(S, R), Collective>, Returned<(S, R)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let ranks = (self.size(), self.size());
        let describe = |(send, recv): &mut (S, R)| {
            Blocks::exchange(ALLTOALL, send_region(send), recv_region(recv), ranks)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`).
        unsafe { self.start_owned(ALLTOALL, (send, recv), None, describe) }
    }

    /// Starts the same where what arrives takes the place of what is sent; the request owns the buffer, and gives it
    /// back.
    ///
    /// `MPI_Ialltoall` with `MPI_IN_PLACE` (MPI 4.1 §6.12.6).
    ///
    /// # Errors
    /// As [`alltoall_in_place`](Communicator::alltoall_in_place). The buffer comes back in the error.
    #[doc(alias("MPI_Ialltoall", "MPI_IN_PLACE"))]
    pub fn ialltoall_in_place<B: OwnedRecv>(&self, buf: B) -> Result<Pending<B, Collective>, Returned<B>> {
        let describe = |buf: &mut B| Blocks::in_place(ALLTOALL, recv_region(buf), self.size());
        // SAFETY: the buffer's own memory, initialized (`OwnedRecv`).
        unsafe { self.start_owned(ALLTOALL, buf, None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to exchange blocks of equal length; both borrows come back from `wait`.
    ///
    /// `MPI_Ialltoall` (MPI 4.1 §6.12.6).
    ///
    /// # Errors
    /// As [`alltoall_into`](Communicator::alltoall_into).
    #[doc(alias = "MPI_Ialltoall")]
    #[inline]
    pub fn ialltoall<S, R>(self, send: S, recv: R) -> Result<Request<'s, PairLoan<'s, S, R>>>
    where
        S: LendSendSlice<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
    {
        let ((send, send_raw), (recv, recv_raw)) = (send.lend()?, recv.lend()?);
        let ranks = (self.comm.size(), self.comm.size());
        let described = Blocks::exchange(ALLTOALL, send, recv, ranks);
        // SAFETY: both memories are borrowed for `'s`, the second exclusively.
        unsafe { self.collective(ALLTOALL, described, pair(send_raw, recv_raw)) }
    }

    /// Starts the same where what arrives takes the place of what is sent; the borrow comes back from `wait`.
    ///
    /// `MPI_Ialltoall` with `MPI_IN_PLACE` (MPI 4.1 §6.12.6).
    ///
    /// # Errors
    /// As [`alltoall_in_place`](Communicator::alltoall_in_place).
    #[doc(alias("MPI_Ialltoall", "MPI_IN_PLACE"))]
    #[inline]
    pub fn ialltoall_in_place<B: LendRecvSlice<'s>>(self, buf: B) -> Result<Request<'s, WriteLoan<'s, B>>> {
        let (region, raw) = buf.lend()?;
        let described = Blocks::in_place(ALLTOALL, region, self.comm.size());
        // SAFETY: the memory is exclusively borrowed for `'s` and initialized.
        unsafe { self.collective(ALLTOALL, described, WriteLoan::new(raw)) }
    }
}
