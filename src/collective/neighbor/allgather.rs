//! `MPI_Neighbor_allgather` (MPI 4.1 §8.6.1).
#![allow(unsafe_code)]

use crate::buffer::{
    LendRecvSlice, LendSend, OwnedRecv, OwnedSend, RecvSlice, Region, SendBuf, recv_region, send_region,
};
use crate::collective::describe::Blocks;
use crate::collective::result::collected;
use crate::collective::table::NEIGHBOR_ALLGATHER;
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Result, Returned};
use crate::request::{Collective, PairLoan, Pending, Request, pair};
use crate::scope::Scope;

/// `send` to every neighbour, and room in `recv` for such a block from each.
#[inline(always)]
pub(crate) fn collect(comm: &Communicator, send: Region, recv: Region) -> Result<Blocks> {
    let neighbors = comm.neighbors(NEIGHBOR_ALLGATHER.names.now())?;
    Blocks::collect(NEIGHBOR_ALLGATHER, send, recv, neighbors.sources)
}

impl Communicator {
    /// Sends a buffer to every neighbour, and collects one of equal length from every neighbour.
    ///
    /// `MPI_Neighbor_allgather` (MPI 4.1 §8.6.1), on a communicator with a topology such as a
    /// [`Cartesian`](crate::topology::Cartesian) grid. There the result has two blocks for each dimension: first from the rank at the lower
    /// coordinate, then from the one at the higher. From beyond an edge come zeros.
    ///
    /// # Errors
    /// The communicator has no topology; what MPI reports; for `bool`, `char` and `NonZero*`, bytes that are no value, as
    /// the zeros from beyond an edge are to `NonZero*`.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let ring = world.cartesian(&[world.size()], &[true], false)?.expect("every rank has a place");
    /// let sides: Vec<usize> = ring.neighbor_allgather(&ring.rank())?; // the ranks on the left and on the right
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Neighbor_allgather")]
    pub fn neighbor_allgather<S>(&self, send: &S) -> Result<Vec<S::Elem>>
    where
        S: SendBuf + ?Sized,
        S::Elem: FromBits,
    {
        let call = NEIGHBOR_ALLGATHER.names.now();
        let (send, sources) = (send.region()?, self.neighbors(call)?.sources);
        collected::<S::Elem>(call, (send.len, sources), |recv| {
            let described = collect(self, send, recv)?;
            // SAFETY: both memories are borrowed for the call.
            unsafe { self.collective(described) }
        })
    }

    /// As [`neighbor_allgather`](Communicator::neighbor_allgather), into a buffer with a block for each neighbour, of which
    /// those from beyond an edge are left as they are. Exactly one MPI call.
    ///
    /// # Errors
    /// The communicator has no topology; the receive buffer has another length; or what MPI reports.
    #[doc(alias = "MPI_Neighbor_allgather")]
    #[inline]
    pub fn neighbor_allgather_into<S, R>(&self, send: &S, recv: &mut R) -> Result<()>
    where
        S: SendBuf + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
    {
        let described = collect(self, send.region()?, recv.region()?)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// Starts to exchange buffers with every neighbour; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Ineighbor_allgather` (MPI 4.1 §8.7.1).
    ///
    /// # Errors
    /// As [`neighbor_allgather_into`](Communicator::neighbor_allgather_into). The buffers come back in the error.
    #[doc(alias = "MPI_Ineighbor_allgather")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn ineighbor_allgather<S, R>(
        &self,
        send: S,
        recv: R,
    ) -> Result<Pending<(S, R), Collective>, Returned<(S, R)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (S, R)| collect(self, send_region(send), recv_region(recv));
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`).
        unsafe { self.start_owned(NEIGHBOR_ALLGATHER, (send, recv), None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to exchange buffers with every neighbour; both borrows come back from `wait`.
    ///
    /// `MPI_Ineighbor_allgather` (MPI 4.1 §8.7.1). The scope talks on a communicator with a topology: it is the grid's
    /// own, or [`on`](Scope::on) the grid.
    ///
    /// # Errors
    /// As [`neighbor_allgather_into`](Communicator::neighbor_allgather_into).
    #[doc(alias = "MPI_Ineighbor_allgather")]
    #[inline]
    pub fn ineighbor_allgather<S, R>(self, send: S, recv: R) -> Result<Request<'s, PairLoan<'s, S, R>>>
    where
        S: LendSend<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
    {
        let ((send, send_raw), (recv, recv_raw)) = (send.lend()?, recv.lend()?);
        let described = collect(self.comm, send, recv);
        // SAFETY: both memories are borrowed for `'s`, the second exclusively.
        unsafe { self.collective(NEIGHBOR_ALLGATHER, described, pair(send_raw, recv_raw)) }
    }
}
