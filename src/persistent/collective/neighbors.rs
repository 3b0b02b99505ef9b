//! Neighbourhood collectives in a plan (MPI 4.1 §8.8).
#![allow(unsafe_code)]

use super::Section;
use crate::buffer::Counts;
use crate::collective::neighbor::{allgather, allgatherv, alltoall, alltoallv, alltoallw};
use crate::collective::table::{
    NEIGHBOR_ALLGATHER, NEIGHBOR_ALLGATHERV, NEIGHBOR_ALLTOALL, NEIGHBOR_ALLTOALLV, NEIGHBOR_ALLTOALLW,
};
use crate::datatype::AnyBits;
use crate::error::Result;
use crate::persistent::Plan;
use crate::topology::Form;
use std::rc::Rc;

impl<H> Plan<'_, H> {
    /// Adds an exchange in which every neighbour gets the same block.
    ///
    /// `MPI_Neighbor_allgather_init` (MPI 4.1 §8.8.1). The plan is of a communicator with a topology.
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); the communicator has no topology; `recv` has not a block for each neighbour.
    #[doc(alias = "MPI_Neighbor_allgather_init")]
    pub fn neighbor_allgather<T: AnyBits, A>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
    ) -> Result<&mut Self> {
        let names = &NEIGHBOR_ALLGATHER.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let described = allgather::collect(self.comm, send.region, recv.region);
        // SAFETY: reads and writes these.
        unsafe { self.add_collective(names, vec![send], vec![recv], None, described) }
    }

    /// Adds an exchange in which every neighbour gets the same block, of any length.
    ///
    /// `MPI_Neighbor_allgatherv_init` (MPI 4.1 §8.8.1). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`neighbor_allgather`](Plan::neighbor_allgather); there is not one count for each neighbour.
    #[doc(alias = "MPI_Neighbor_allgatherv_init")]
    pub fn neighbor_allgatherv<T: AnyBits, A>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
        counts: &Counts,
    ) -> Result<&mut Self> {
        let names = &NEIGHBOR_ALLGATHERV.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let described = allgatherv::collect::<T>(self.comm, send.region, recv.region, counts);
        // SAFETY: reads and writes these; the counts are kept.
        unsafe {
            self.add_collective(names, vec![send], vec![recv], Some(Rc::new(counts.clone())), described)
        }
    }

    /// Adds an exchange of equal blocks with every neighbour.
    ///
    /// `MPI_Neighbor_alltoall_init` (MPI 4.1 §8.8.2).
    ///
    /// # Errors
    /// As [`neighbor_allgather`](Plan::neighbor_allgather); a section cannot be cut into a block for each neighbour.
    #[doc(alias = "MPI_Neighbor_alltoall_init")]
    pub fn neighbor_alltoall<T: AnyBits, A>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
    ) -> Result<&mut Self> {
        let names = &NEIGHBOR_ALLTOALL.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let described = alltoall::exchange::<T>(self.comm, Form::Later, send.region, recv.region);
        // SAFETY: reads and writes these.
        unsafe { self.add_collective(names, vec![send], vec![recv], None, described) }
    }

    /// Adds an exchange of blocks of any length with every neighbour.
    ///
    /// `MPI_Neighbor_alltoallv_init` (MPI 4.1 §8.8.2). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`neighbor_allgatherv`](Plan::neighbor_allgatherv).
    #[doc(alias = "MPI_Neighbor_alltoallv_init")]
    pub fn neighbor_alltoallv<T: AnyBits, A>(
        &mut self,
        send: impl Into<Section<T, A>>,
        send_counts: &Counts,
        recv: impl Into<Section<T>>,
        recv_counts: &Counts,
    ) -> Result<&mut Self> {
        let names = &NEIGHBOR_ALLTOALLV.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let counts = Rc::new((send_counts.clone(), recv_counts.clone()));
        let (out, into) = ((send.region, send_counts), (recv.region, recv_counts));
        let described = alltoallv::exchange::<T>(self.comm, Form::Later, out, into);
        // SAFETY: reads and writes these; the counts are kept.
        unsafe { self.add_collective(names, vec![send], vec![recv], Some(counts), described) }
    }

    /// Adds an exchange of a block of any layout with every neighbour: a halo exchange in one line.
    ///
    /// `MPI_Neighbor_alltoallw_init` (MPI 4.1 §8.8.2). One section for each neighbour, all of one element type.
    ///
    /// # Errors
    /// As [`neighbor_allgather`](Plan::neighbor_allgather), but for layouts; there is not one section for each neighbour.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let dims = mpi::topology::dims_create(world.size(), [0, 0])?;
    /// let ranks = world.cartesian(&dims, &[true, true], true)?.expect("every rank has a place");
    /// let (rows, cols) = (100, 80);
    /// let mut plan = mpi::persistent::Plan::new(&ranks);
    /// let field = plan.grid(vec![0.0f64; (rows + 2) * (cols + 2)], rows + 2, cols + 2)?;
    /// plan.neighbor_alltoallw(
    ///     [(field, (1..2, 1..cols + 1)), (field, (rows..rows + 1, 1..cols + 1)), // the first row, the last row
    ///      (field, (1..rows + 1, 1..2)), (field, (1..rows + 1, cols..cols + 1))], // the first column, the last column
    ///     [(field, (0..1, 1..cols + 1)), (field, (rows + 1..rows + 2, 1..cols + 1)),
    ///      (field, (1..rows + 1, 0..1)), (field, (1..rows + 1, cols + 1..cols + 2))],
    /// )?;
    /// for _ in 0..1000 {
    ///     plan.start()?.wait()?;
    ///     // compute …
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Neighbor_alltoallw_init")]
    pub fn neighbor_alltoallw<T: AnyBits, A, S: Into<Section<T, A>>, R: Into<Section<T>>>(
        &mut self,
        send: impl IntoIterator<Item = S>,
        recv: impl IntoIterator<Item = R>,
    ) -> Result<&mut Self> {
        let names = &NEIGHBOR_ALLTOALLW.names;
        let (sent, received, tables) = self.parts(names, send, recv)?;
        let tables = Rc::new(tables);
        let described = alltoallw::exchange(self.comm, Form::Later, &tables.0, &tables.1);
        // SAFETY: reads and writes these; the tables are kept.
        unsafe { self.add_collective(names, sent, received, Some(tables), described) }
    }
}
