//! `MPI_Neighbor_allgatherv` (MPI 4.1 §8.6.1).
#![allow(unsafe_code)]

use crate::buffer::{
    BlocksMut, Counted, Counts, LendSend, OwnedRecv, OwnedSend, Region, SendBuf, send_region,
};
use crate::collective::lengths::counts;
use crate::collective::result::filled;
use crate::collective::table::NEIGHBOR_ALLGATHERV;
use crate::collective::vector::{Allgatherv, Side};
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype, FromBits};
use crate::error::{Result, Returned};
use crate::request::{BlocksLoan, Collective, Pending, Request, SendLoan};
use crate::scope::Scope;

/// `send` to every neighbour, a block of `recv` from each.
#[inline(always)]
pub(crate) fn collect<T: Datatype>(
    comm: &Communicator,
    send: Region,
    recv: Region,
    counts: &Counts,
) -> Result<Allgatherv> {
    let call = NEIGHBOR_ALLGATHERV.names.now();
    let recv = Side::received::<T>(call, recv, counts, comm.neighbors(call)?.sources)?;
    Allgatherv::new::<T>(NEIGHBOR_ALLGATHERV, send, recv, None)
}

impl Communicator {
    /// Sends a buffer of any length to every neighbour, and collects theirs, one after the other.
    ///
    /// `MPI_Neighbor_allgatherv` (MPI 4.1 §8.6.1), after an `MPI_Neighbor_allgather` of the lengths. The order of neighbours
    /// is that of [`neighbor_allgather`](Communicator::neighbor_allgather). From beyond an edge nothing comes.
    ///
    /// # Errors
    /// The communicator has no topology; what MPI reports; for `bool`, `char` and `NonZero*`, bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let line = world.cartesian(&[world.size()], &[false], false)?.expect("every rank has a place");
    /// let mine = vec![line.rank(); line.rank()];
    /// let (theirs, counts) = line.neighbor_allgatherv_with_counts(&mine)?;
    /// let mut sides = counts.split(&theirs); // of the left neighbour, of the right one
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Neighbor_allgatherv")]
    pub fn neighbor_allgatherv<S>(&self, send: &S) -> Result<Vec<S::Elem>>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        self.neighbor_allgatherv_with_counts(send).map(|(result, _)| result)
    }

    /// As [`neighbor_allgatherv`](Communicator::neighbor_allgatherv), with how many elements came from each neighbour.
    ///
    /// # Errors
    /// As [`neighbor_allgatherv`](Communicator::neighbor_allgatherv).
    #[doc(alias = "MPI_Neighbor_allgatherv")]
    pub fn neighbor_allgatherv_with_counts<S>(&self, send: &S) -> Result<(Vec<S::Elem>, Counts)>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        let call = NEIGHBOR_ALLGATHERV.names.now();
        self.neighbors(call)?;
        let send = send.region()?;
        let counts = counts(self.neighbor_allgather(&(send.len as u64))?.iter().copied())?;
        let result = filled::<S::Elem>(call, counts.total(), |recv| {
            let described = collect::<S::Elem>(self, send, recv, &counts)?;
            // SAFETY: both memories are borrowed for the call, and so are the counts.
            unsafe { self.collective(described) }
        })?;
        Ok((result, counts))
    }

    /// As [`neighbor_allgatherv`](Communicator::neighbor_allgatherv), where the lengths are known: into a buffer
    /// [`with counts`](crate::buffer::WithCounts) for each neighbour. Exactly one MPI call.
    ///
    /// # Errors
    /// The communicator has no topology; there is not one count for each neighbour; the buffer is too short, or blocks of
    /// it overlap; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::buffer::{Counts, WithCounts};
    /// # let world = mpi::init()?;
    /// let ring = world.cartesian(&[world.size()], &[true], false)?.expect("every rank has a place");
    /// let (mine, mut theirs) = ([0.5; 3], [0.0; 6]);
    /// ring.neighbor_allgatherv_into(&mine, theirs.with_counts_mut(&Counts::new(&[3, 3])?))?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Neighbor_allgatherv")]
    #[inline]
    pub fn neighbor_allgatherv_into<S>(&self, send: &S, recv: BlocksMut<'_, S::Elem>) -> Result<()>
    where
        S: SendBuf + ?Sized,
        S::Elem: AnyBits,
    {
        let (recv, counts) = BlocksLoan::new(recv).region();
        let described = collect::<S::Elem>(self, send.region()?, recv, counts)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively, and so are the counts.
        unsafe { self.collective(described) }
    }

    /// Starts to exchange buffers of any length with every neighbour; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Ineighbor_allgatherv` (MPI 4.1 §8.7.2).
    ///
    /// # Errors
    /// As [`neighbor_allgatherv_into`](Communicator::neighbor_allgatherv_into). The buffers come back in the error.
    #[doc(alias = "MPI_Ineighbor_allgatherv")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn ineighbor_allgatherv<S, R>(
        &self,
        send: S,
        recv: Counted<R>,
    ) -> Result<Pending<(S, Counted<R>), Collective>, Returned<(S, Counted<R>)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (S, Counted<R>)| {
            let (recv, counts) = BlocksLoan::new(recv.blocks_mut()).region();
            collect::<S::Elem>(self, send_region(send), recv, counts)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`); the counts stay in place with it (`Counted`).
        unsafe { self.start_owned(NEIGHBOR_ALLGATHERV, (send, recv), None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to exchange buffers of any length with every neighbour; both borrows come back from `wait`.
    ///
    /// `MPI_Ineighbor_allgatherv` (MPI 4.1 §8.7.2).
    ///
    /// # Errors
    /// As [`neighbor_allgatherv_into`](Communicator::neighbor_allgatherv_into).
    #[doc(alias = "MPI_Ineighbor_allgatherv")]
    #[inline]
    #[expect(clippy::type_complexity, reason = "two borrows that come back")]
    pub fn ineighbor_allgatherv<S>(
        self,
        send: S,
        recv: BlocksMut<'s, S::Elem>,
    ) -> Result<Request<'s, (SendLoan<'s, S>, BlocksLoan<'s, S::Elem>)>>
    where
        S: LendSend<'s, Elem: AnyBits>,
    {
        let ((send, send_raw), blocks) = (send.lend()?, BlocksLoan::new(recv));
        let (recv, counts) = blocks.region();
        let described = collect::<S::Elem>(self.comm, send, recv, counts);
        // SAFETY: both memories are borrowed for `'s`, the second exclusively, and so are the counts.
        unsafe { self.collective(NEIGHBOR_ALLGATHERV, described, (SendLoan::new(send_raw), blocks)) }
    }
}
