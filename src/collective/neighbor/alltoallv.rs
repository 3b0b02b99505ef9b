//! `MPI_Neighbor_alltoallv` (MPI 4.1 §8.6.2).
#![allow(unsafe_code)]

use super::Neighborly;
use super::routed::{Edge, Routed};
use crate::buffer::{Blocks, BlocksMut, Counted, Counts, OwnedRecv, OwnedSend, PerRank, Region, blocks};
use crate::collective::forms::Described;
use crate::collective::lengths::{counts, lengths};
use crate::collective::result::filled;
use crate::collective::table::NEIGHBOR_ALLTOALLV;
use crate::collective::vector::{Alltoallv, Side};
use crate::comm::Communicator;
use crate::datatype::{AnyBits, Datatype, FromBits};
use crate::error::{Argument, Result, Returned};
use crate::request::{BlocksLoan, Collective, Pending, Request, SharedLoan};
use crate::scope::Scope;
use crate::topology::Form;

/// Memory, and which elements are whose.
type Counting<'a> = (Region, &'a Counts);

#[inline(always)]
fn sent<'a, T: Datatype>(blocks: Blocks<'a, T>) -> Counting<'a> {
    (Region::contiguous(blocks.data.as_ptr(), blocks.data.len()), blocks.counts)
}

/// A block of `send` to each neighbour, one of `recv` from each.
#[inline(always)]
pub(crate) fn exchange<T: Datatype>(
    comm: &Communicator,
    form: Form,
    (send, send_counts): Counting<'_>,
    (recv, recv_counts): Counting<'_>,
) -> Result<Neighborly<Alltoallv>> {
    let call = NEIGHBOR_ALLTOALLV.names.now();
    let neighbors = comm.neighbors(call)?;
    let out = Side::sent::<T>(call, send, send_counts, neighbors.dests)?;
    let into = Side::received::<T>(call, recv, recv_counts, neighbors.sources)?;
    let direct = Alltoallv::new(NEIGHBOR_ALLTOALLV, (out, send_counts), (into, recv_counts), None)?;
    if !neighbors.are_swapped(form) {
        return Ok(Neighborly::Direct(direct));
    }
    let out = (send.ptr, Edge::varied::<T>(call, send_counts)?);
    let into = (recv.ptr, Edge::varied::<T>(call, recv_counts)?);
    Routed::new((&NEIGHBOR_ALLTOALLV.names, direct.terms()), comm, out, into).map(Neighborly::Routed)
}

impl Communicator {
    /// Sends a message of any length to every neighbour; gives what came from every neighbour, one after the other.
    ///
    /// `MPI_Neighbor_alltoallv` (MPI 4.1 §8.6.2), after an `MPI_Neighbor_alltoall` of the lengths. The messages are in the
    /// order of [`neighbor_alltoall`](Communicator::neighbor_alltoall), as
    /// [`alltoallv`](Communicator::alltoallv) takes them: nested, or a slice [with counts](crate::buffer::WithCounts), which is
    /// not copied. From beyond an edge nothing comes.
    ///
    /// # Errors
    /// The communicator has no topology; there is not one message for each neighbour; what MPI reports; for `bool`, `char`
    /// and `NonZero*`, bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let ring = world.cartesian(&[world.size()], &[true], false)?.expect("every rank has a place");
    /// let particles = [vec![1.5], vec![2.5, 3.5]]; // one leaves to the left, two to the right
    /// let arrived = ring.neighbor_alltoallv(&particles)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Neighbor_alltoallv")]
    pub fn neighbor_alltoallv<P>(&self, per_neighbor: &P) -> Result<Vec<P::Elem>>
    where
        P: PerRank<Elem: FromBits> + ?Sized,
    {
        self.neighbor_alltoallv_with_counts(per_neighbor).map(|(all, _)| all)
    }

    /// As [`neighbor_alltoallv`](Communicator::neighbor_alltoallv), with how many elements came from each neighbour.
    ///
    /// # Errors
    /// As [`neighbor_alltoallv`](Communicator::neighbor_alltoallv).
    #[doc(alias = "MPI_Neighbor_alltoallv")]
    pub fn neighbor_alltoallv_with_counts<P>(&self, per_neighbor: &P) -> Result<(Vec<P::Elem>, Counts)>
    where
        P: PerRank<Elem: FromBits> + ?Sized,
    {
        let call = NEIGHBOR_ALLTOALLV.names.now();
        let dests = self.neighbors(call)?.dests;
        let flat = per_neighbor.flatten()?;
        let send = blocks(&flat);
        send.counts.fits(call, Argument::SendLength, send.data.len(), dests)?;
        let recv_counts =
            counts(self.neighbor_alltoall(&lengths(send.counts).collect::<Vec<_>>())?.iter().copied())?;
        let got = filled::<P::Elem>(call, recv_counts.total(), |recv| {
            let described = exchange::<P::Elem>(self, Form::Blocking, sent(send), (recv, &recv_counts))?;
            // SAFETY: both memories are borrowed for the call, and so are the counts.
            unsafe { self.collective(described) }
        })?;
        Ok((got, recv_counts))
    }

    /// As [`neighbor_alltoallv`](Communicator::neighbor_alltoallv), where the lengths are known: into a buffer
    /// [with counts](crate::buffer::WithCounts) for each neighbour. Exactly one MPI call.
    ///
    /// # Errors
    /// The communicator has no topology; there is not one count for each neighbour; a buffer is too short, or blocks that
    /// are received into overlap; or what MPI reports.
    #[doc(alias = "MPI_Neighbor_alltoallv")]
    #[inline]
    pub fn neighbor_alltoallv_into<T: AnyBits>(
        &self,
        send: Blocks<'_, T>,
        recv: BlocksMut<'_, T>,
    ) -> Result<()> {
        let described = exchange::<T>(self, Form::Blocking, sent(send), BlocksLoan::new(recv).region())?;
        // SAFETY: both memories are borrowed for the call, the second exclusively, and so are the counts.
        unsafe { self.collective(described) }
    }

    /// Starts to exchange blocks of any length with every neighbour; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Ineighbor_alltoallv` (MPI 4.1 §8.7.4).
    ///
    /// # Errors
    /// As [`neighbor_alltoallv_into`](Communicator::neighbor_alltoallv_into). The buffers come back in the error.
    #[doc(alias = "MPI_Ineighbor_alltoallv")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn ineighbor_alltoallv<S, R>(
        &self,
        send: Counted<S>,
        recv: Counted<R>,
    ) -> Result<Pending<(Counted<S>, Counted<R>), Collective>, Returned<(Counted<S>, Counted<R>)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (Counted<S>, Counted<R>)| {
            let into = BlocksLoan::new(recv.blocks_mut()).region();
            exchange::<S::Elem>(self, Form::Later, sent(send.blocks()), into)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`); the counts stay in place with them (`Counted`).
        unsafe { self.start_owned(NEIGHBOR_ALLTOALLV, (send, recv), None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to exchange blocks of any length with every neighbour; both borrows come back from `wait`.
    ///
    /// `MPI_Ineighbor_alltoallv` (MPI 4.1 §8.7.4).
    ///
    /// # Errors
    /// As [`neighbor_alltoallv_into`](Communicator::neighbor_alltoallv_into).
    #[doc(alias = "MPI_Ineighbor_alltoallv")]
    #[inline]
    #[expect(clippy::type_complexity, reason = "two borrows that come back")]
    pub fn ineighbor_alltoallv<T: AnyBits>(
        self,
        send: Blocks<'s, T>,
        recv: BlocksMut<'s, T>,
    ) -> Result<Request<'s, (SharedLoan<Blocks<'s, T>>, BlocksLoan<'s, T>)>> {
        let recv = BlocksLoan::new(recv);
        let described = exchange::<T>(self.comm, Form::Later, sent(send), recv.region());
        // SAFETY: both memories are borrowed for `'s`, the second exclusively, and so are the counts.
        unsafe { self.collective(NEIGHBOR_ALLTOALLV, described, (SharedLoan::new(send), recv)) }
    }
}
