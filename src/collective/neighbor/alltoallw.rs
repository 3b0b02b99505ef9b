//! `MPI_Neighbor_alltoallw` (MPI 4.1 §8.6.2).
#![allow(unsafe_code)]

use super::Neighborly;
use super::routed::{Edge, Routed};
use crate::buffer::{LendSend, OwnedRecv, OwnedSend, Parts, PartsMut, Table};
use crate::collective::forms::Described;
use crate::collective::parted::NeighborParted;
use crate::collective::parted_result::exchanged;
use crate::collective::table::NEIGHBOR_ALLTOALLW;
use crate::comm::Communicator;
use crate::datatype::FromBits;
use crate::error::{Result, Returned};
use crate::request::{Collective, HeldLoan, Pending, Request, SharedLoan};
use crate::scope::Scope;
use crate::topology::Form;
use std::cell::OnceCell;
use std::rc::Rc;

/// A part of `send` to each neighbour, one of `recv` from each.
#[inline]
pub(crate) fn exchange(
    comm: &Communicator,
    form: Form,
    send: &Table,
    recv: &Table,
) -> Result<Neighborly<NeighborParted>> {
    let names = &NEIGHBOR_ALLTOALLW.names;
    let neighbors = comm.neighbors(names.now())?;
    let direct = NeighborParted::new(NEIGHBOR_ALLTOALLW, send, recv, (neighbors.dests, neighbors.sources))?;
    if !neighbors.are_swapped(form) {
        return Ok(Neighborly::Direct(direct));
    }
    let (out, into) = ((send.base(), Edge::parts(send)), (recv.base(), Edge::parts(recv)));
    Routed::new((names, direct.terms()), comm, out, into).map(Neighborly::Routed)
}

impl Communicator {
    /// Sends a buffer of any length and layout to every neighbour; gives what came from every neighbour, each in a vector
    /// of its own.
    ///
    /// `MPI_Neighbor_alltoallw` (MPI 4.1 §8.6.2), after an `MPI_Neighbor_alltoall` of the lengths. The order of the buffers
    /// is that of [`neighbor_alltoall`](Communicator::neighbor_alltoall); from beyond an edge nothing comes. Where lengths are
    /// known or element types differ, [`neighbor_alltoallw_into`](Communicator::neighbor_alltoallw_into) is the one call.
    ///
    /// # Errors
    /// The communicator has no topology; there is not one buffer for each neighbour, which the others wait for; what MPI
    /// reports; for `bool`, `char` and `NonZero*`, bytes that are no value.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let ring = world.cartesian(&[world.size()], &[true], false)?.expect("every rank has a place");
    /// let (one, two) = (vec![1.5], vec![2.5, 3.5]);
    /// let arrived = ring.neighbor_alltoallw([&one, &two])?; // to the left, and to the right
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Neighbor_alltoallw")]
    pub fn neighbor_alltoallw<'a, B>(
        &self,
        per_neighbor: impl IntoIterator<Item = B>,
    ) -> Result<Vec<Vec<B::Elem>>>
    where
        B: LendSend<'a, Elem: FromBits>,
    {
        let call = NEIGHBOR_ALLTOALLW.names.now();
        let dests = self.neighbors(call)?.dests;
        let tell = |lengths: &Vec<u64>| self.neighbor_alltoall(lengths);
        exchanged(call, (per_neighbor, dests), tell, |send, recv| {
            let described = exchange(self, Form::Blocking, send, recv)?;
            // SAFETY: what is sent is borrowed for longer than the call; nobody else has what is received into.
            unsafe { self.collective(described) }
        })
    }

    /// Sends a buffer to every neighbour, and receives one from every neighbour, each of its own element type and layout,
    /// anywhere in memory. Exactly one MPI call.
    ///
    /// `MPI_Neighbor_alltoallw` (MPI 4.1 §8.6.2). The order of the parts is that of
    /// [`neighbor_alltoall`](Communicator::neighbor_alltoall); those from beyond an edge are left as they are. What a rank
    /// sends must have the same types, one after the other, as what its receiver has pushed for it; with another length, the
    /// message is an error or leaves the tail as it was.
    ///
    /// # Errors
    /// The communicator has no topology; there is not one part for each neighbour; or what MPI reports.
    ///
    /// A halo exchange on a grid of ranks, where each has a field with a frame of ghosts one cell wide:
    ///
    /// ```no_run
    /// use mpi::buffer::{Grid, Halo, Parts, PartsMut};
    /// # let world = mpi::init()?;
    /// let dims = mpi::topology::dims_create(world.size(), [0, 0])?;
    /// let ranks = world.cartesian(&dims, &[true, false], true)?.expect("every rank has a place");
    /// let (rows, cols) = (100, 80);
    /// let mut field = Grid::new(rows, cols, 1, 0.0f64)?;
    /// let Halo { north, south, west, east, core, .. } = field.split();
    /// let core = core.shared();
    /// let mut send = Parts::new()?; // rows up and down, columns to the left and to the right
    /// send.push(core.block(0..1, 0..cols))?.push(core.block(rows - 1..rows, 0..cols))?;
    /// send.push(core.block(0..rows, 0..1))?.push(core.block(0..rows, cols - 1..cols))?;
    /// let mut recv = PartsMut::new()?;
    /// recv.push(north)?.push(south)?.push(west)?.push(east)?;
    /// ranks.neighbor_alltoallw_into(&send, &mut recv)?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Neighbor_alltoallw")]
    #[inline]
    pub fn neighbor_alltoallw_into(&self, send: &Parts<'_>, recv: &mut PartsMut<'_>) -> Result<()> {
        let described = exchange(self, Form::Blocking, &send.table, &recv.table)?;
        // SAFETY: the parts borrow their memory, the second exclusively.
        unsafe { self.collective(described) }
    }

    /// Starts to exchange buffers of any lengths with every neighbour, without copying them into one; the request owns the
    /// buffers, and gives them back.
    ///
    /// `MPI_Ineighbor_alltoallw` (MPI 4.1 §8.7.5). Each side has buffers of one kind; a [scope](Scope::ineighbor_alltoallw)
    /// takes any.
    ///
    /// # Errors
    /// As [`neighbor_alltoallw_into`](Communicator::neighbor_alltoallw_into). The buffers come back in the error.
    #[doc(alias = "MPI_Ineighbor_alltoallw")]
    #[expect(clippy::type_complexity, reason = "two lists of buffers that come back")]
    pub fn ineighbor_alltoallw<S, R>(
        &self,
        send: Vec<S>,
        recv: Vec<R>,
    ) -> Result<Pending<(Vec<S>, Vec<R>), Collective>, Returned<(Vec<S>, Vec<R>)>>
    where
        S: OwnedSend,
        R: OwnedRecv,
    {
        let tables = Rc::new(OnceCell::new());
        let kept = tables.clone();
        let describe = |(send, recv): &mut (Vec<S>, Vec<R>)| {
            let made = (Table::of_owned(send)?, Table::of_owned_mut(recv)?);
            let (from, to) = tables.get_or_init(|| made);
            exchange(self, Form::Later, from, to)
        };
        // SAFETY: the buffers' own memory (`OwnedSend`, `OwnedRecv`), which stays in place when the vectors move; the tables
        // are kept.
        unsafe { self.start_owned(NEIGHBOR_ALLTOALLW, (send, recv), Some(kept), describe) }
    }
}

impl<'s> Scope<'s, '_> {
    /// Starts to exchange buffers of any element types and layouts with every neighbour; both lists come back from `wait`.
    ///
    /// `MPI_Ineighbor_alltoallw` (MPI 4.1 §8.7.5).
    ///
    /// # Errors
    /// As [`neighbor_alltoallw_into`](Communicator::neighbor_alltoallw_into).
    #[doc(alias = "MPI_Ineighbor_alltoallw")]
    #[inline]
    pub fn ineighbor_alltoallw<'a, 'b>(
        self,
        send: &'s Parts<'a>,
        recv: &'s mut PartsMut<'b>,
    ) -> Result<Request<'s, (SharedLoan<&'s Parts<'a>>, HeldLoan<'s, PartsMut<'b>>)>> {
        let described = exchange(self.comm, Form::Later, &send.table, &recv.table);
        // SAFETY: both lists are borrowed for `'s`, and so is the memory that they borrow, the second exclusively.
        unsafe {
            self.collective(NEIGHBOR_ALLTOALLW, described, (SharedLoan::new(send), HeldLoan::new(recv)))
        }
    }
}
