//! `MPI_Neighbor_alltoall` (MPI 4.1 §8.6.2).
#![allow(unsafe_code)]

use super::Neighborly;
use super::routed::{Edge, Routed};
use crate::buffer::{
    LendRecvSlice, LendSendSlice, OwnedRecv, OwnedSend, RecvSlice, Region, SendSlice, recv_region,
    send_region,
};
use crate::collective::describe::Blocks;
use crate::collective::forms::Described;
use crate::collective::result::collected;
use crate::collective::table::NEIGHBOR_ALLTOALL;
use crate::comm::Communicator;
use crate::datatype::{Datatype, FromBits};
use crate::error::{Result, Returned};
use crate::request::{Collective, PairLoan, Pending, Request, pair};
use crate::scope::Scope;
use crate::topology::Form;

/// A block of `send` to each neighbour, one of `recv` from each.
#[inline(always)]
pub(crate) fn exchange<T: Datatype>(
    comm: &Communicator,
    form: Form,
    send: Region,
    recv: Region,
) -> Result<Neighborly<Blocks>> {
    let names = &NEIGHBOR_ALLTOALL.names;
    let neighbors = comm.neighbors(names.now())?;
    let blocks = Blocks::exchange(NEIGHBOR_ALLTOALL, send, recv, (neighbors.dests, neighbors.sources))?;
    if !neighbors.are_swapped(form) {
        return Ok(Neighborly::Direct(blocks));
    }
    let edges = |all: Region, n: usize| Edge::equal::<T>(names.now(), all.len / n.max(1), n);
    let (out, into) = (edges(send, neighbors.dests)?, edges(recv, neighbors.sources)?);
    Routed::new((names, blocks.terms()), comm, (send.ptr, out), (recv.ptr, into)).map(Neighborly::Routed)
}

impl Communicator {
    /// Sends a block of equal length to every neighbour, and collects one from every neighbour.
    ///
    /// `MPI_Neighbor_alltoall` (MPI 4.1 §8.6.2), on a communicator with a topology such as a
    /// [`Cartesian`](crate::topology::Cartesian) grid. There `send` holds two blocks for each dimension: first for the rank at the lower
    /// coordinate, then for the one at the higher; the result is as long, in the same order. From beyond an edge come zeros.
    ///
    /// # Errors
    /// The communicator has no topology; `send` cannot be cut into a block for each neighbour; what MPI reports; for
    /// `bool`, `char` and `NonZero*`, bytes that are no value, as the zeros from beyond an edge are to `NonZero*`.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let ring = world.cartesian(&[world.size()], &[true], false)?.expect("every rank has a place");
    /// let field = vec![0.5; 100];
    /// let ghosts = ring.neighbor_alltoall(&[field[0], field[99]])?; // from the left, from the right
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Neighbor_alltoall")]
    pub fn neighbor_alltoall<S>(&self, send: &S) -> Result<Vec<S::Elem>>
    where
        S: SendSlice + ?Sized,
        S::Elem: FromBits,
    {
        let call = NEIGHBOR_ALLTOALL.names.now();
        let (send, neighbors) = (send.region()?, self.neighbors(call)?);
        // What cannot be cut into blocks is refused by `exchange`.
        let block = send.len / neighbors.dests.max(1);
        collected::<S::Elem>(call, (block, neighbors.sources), |recv| {
            let described = exchange::<S::Elem>(self, Form::Blocking, send, recv)?;
            // SAFETY: both memories are borrowed for the call.
            unsafe { self.collective(described) }
        })
    }

    /// As [`neighbor_alltoall`](Communicator::neighbor_alltoall), into a buffer with a block for each neighbour, of which
    /// those from beyond an edge are left as they are. Exactly one MPI call.
    ///
    /// # Errors
    /// The communicator has no topology; a buffer cannot be cut into a block for each neighbour, or the blocks differ in
    /// length; or what MPI reports.
    #[doc(alias = "MPI_Neighbor_alltoall")]
    #[inline]
    pub fn neighbor_alltoall_into<S, R>(&self, send: &S, recv: &mut R) -> Result<()>
    where
        S: SendSlice + ?Sized,
        R: RecvSlice<Elem = S::Elem> + ?Sized,
    {
        let described = exchange::<S::Elem>(self, Form::Blocking, send.region()?, recv.region()?)?;
        // SAFETY: both memories are borrowed for the call, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// Starts to exchange blocks of equal length with every neighbour; the request owns both buffers, and gives them back.
    ///
    /// `MPI_Ineighbor_alltoall` (MPI 4.1 §8.7.3).
    ///
    /// # Errors
    /// As [`neighbor_alltoall_into`](Communicator::neighbor_alltoall_into). The buffers come back in the error.
    #[doc(alias = "MPI_Ineighbor_alltoall")]
    #[expect(clippy::type_complexity, reason = "two buffers that come back")]
    pub fn ineighbor_alltoall<S, R>(
        &self,
        send: S,
        recv: R,
    ) -> Result<Pending<(S, R), Collective>, Returned<(S, R)>>
    where
        S: OwnedSend,
        R: OwnedRecv<Elem = S::Elem>,
    {
        let describe = |(send, recv): &mut (S, R)| {
            exchange::<S::Elem>(self, Form::Later, send_region(send), recv_region(recv))
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`).
        unsafe { self.start_owned(NEIGHBOR_ALLTOALL, (send, recv), None, describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to exchange blocks of equal length with every neighbour; both borrows come back from `wait`.
    ///
    /// `MPI_Ineighbor_alltoall` (MPI 4.1 §8.7.3). The scope talks on a communicator with a topology: it is the grid's
    /// own, or [`on`](Scope::on) the grid.
    ///
    /// # Errors
    /// As [`neighbor_alltoall_into`](Communicator::neighbor_alltoall_into).
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let ring = world.cartesian(&[world.size()], &[true], false)?.expect("every rank has a place");
    /// let (edges, mut ghosts) = ([0.5, 1.5], [0.0; 2]);
    /// ring.scope(|s| {
    ///     let exchange = s.ineighbor_alltoall(&edges, &mut ghosts)?;
    ///     // work that needs neither …
    ///     let (_, ghosts) = exchange.wait()?;
    ///     println!("{} from the left, {} from the right", ghosts[0], ghosts[1]);
    ///     Ok(())
    /// })?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Ineighbor_alltoall")]
    #[inline]
    pub fn ineighbor_alltoall<S, R>(self, send: S, recv: R) -> Result<Request<'s, PairLoan<'s, S, R>>>
    where
        S: LendSendSlice<'s>,
        R: LendRecvSlice<'s, Elem = S::Elem>,
    {
        let ((send, send_raw), (recv, recv_raw)) = (send.lend()?, recv.lend()?);
        let described = exchange::<S::Elem>(self.comm, Form::Later, send, recv);
        // SAFETY: both memories are borrowed for `'s`, the second exclusively.
        unsafe { self.collective(NEIGHBOR_ALLTOALL, described, pair(send_raw, recv_raw)) }
    }
}
