//! Barriers, broadcasts, and collectives of equal blocks in a plan (MPI 4.1 §6.13).
#![allow(unsafe_code)]

use super::Section;
use crate::collective::describe::{Barrier, Blocks, Broadcast, RootedBlocks};
use crate::collective::table::{ALLGATHER, ALLTOALL, BARRIER, BCAST, GATHER, SCATTER};
use crate::comm::Communicator;
use crate::datatype::AnyBits;
use crate::error::Result;
use crate::persistent::Plan;

impl<H> Plan<'_, H> {
    /// Adds a barrier: the plan is complete when all ranks have started theirs.
    ///
    /// `MPI_Barrier_init` (MPI 4.1 §6.13.1).
    ///
    /// # Errors
    /// The library has no persistent collectives; or what MPI reports.
    #[doc(alias = "MPI_Barrier_init")]
    pub fn barrier(&mut self) -> Result<&mut Self> {
        self.complete()?;
        let described = Ok(Barrier { forms: BARRIER });
        // SAFETY: no memory is involved.
        unsafe { self.add_collective(&BARRIER.names, Vec::new(), Vec::new(), None, described) }
    }

    /// Adds a broadcast of the root's section into everybody's.
    ///
    /// `MPI_Bcast_init` (MPI 4.1 §6.13.2).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); there is no rank `root`.
    ///
    /// ```no_run
    /// # let world = mpi::init()?;
    /// let mut plan = mpi::persistent::Plan::new(&world);
    /// let parameters = plan.array([0.0f64; 8]);
    /// plan.bcast((parameters, 0..4), 0)?;
    /// plan.start()?.wait()?;
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Bcast_init")]
    pub fn bcast<T: AnyBits>(&mut self, buf: impl Into<Section<T>>, root: usize) -> Result<&mut Self> {
        let describe = |buf, comm: &Communicator| Broadcast::new(BCAST, buf, root, comm);
        // SAFETY: reads or writes this.
        unsafe { self.add_in_place(&BCAST.names, buf.into(), None, describe) }
    }

    /// Adds the collection of equal blocks from all ranks, in a section that the root alone gives.
    ///
    /// `MPI_Gather_init` (MPI 4.1 §6.13.3).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); there is no rank `root`; the root gives no section, or another rank gives
    /// one.
    #[doc(alias = "MPI_Gather_init")]
    pub fn gather<T: AnyBits, A, R: Into<Section<T>>>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: Option<R>,
        root: usize,
    ) -> Result<&mut Self> {
        let names = &GATHER.names;
        let send = self.sent(names, send.into())?;
        let recv = recv.map(|recv| self.received(names, recv.into())).transpose()?;
        let room = recv.as_ref().map(|recv| recv.region);
        let described = RootedBlocks::gather(GATHER, send.region, room, root, self.comm);
        // SAFETY: reads and writes these.
        unsafe { self.add_collective(names, vec![send], recv.into_iter().collect(), None, described) }
    }

    /// Adds the dealing out of a section, which the root alone gives, in equal blocks.
    ///
    /// `MPI_Scatter_init` (MPI 4.1 §6.13.4).
    ///
    /// # Errors
    /// As [`gather`](Plan::gather).
    #[doc(alias = "MPI_Scatter_init")]
    pub fn scatter<T: AnyBits, A, S: Into<Section<T, A>>>(
        &mut self,
        send: Option<S>,
        recv: impl Into<Section<T>>,
        root: usize,
    ) -> Result<&mut Self> {
        let names = &SCATTER.names;
        let send = send.map(|send| self.sent(names, send.into())).transpose()?;
        let recv = self.received(names, recv.into())?;
        let all = send.as_ref().map(|send| send.region);
        let described = RootedBlocks::scatter(SCATTER, all, recv.region, root, self.comm);
        // SAFETY: reads and writes these.
        unsafe { self.add_collective(names, send.into_iter().collect(), vec![recv], None, described) }
    }

    /// Adds the collection of equal blocks from all ranks, at every rank.
    ///
    /// `MPI_Allgather_init` (MPI 4.1 §6.13.5).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce).
    #[doc(alias = "MPI_Allgather_init")]
    pub fn allgather<T: AnyBits, A>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
    ) -> Result<&mut Self> {
        let names = &ALLGATHER.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let described = Blocks::collect(ALLGATHER, send.region, recv.region, self.comm.size());
        // SAFETY: reads and writes these.
        unsafe { self.add_collective(names, vec![send], vec![recv], None, described) }
    }

    /// Adds an exchange of equal blocks between all ranks.
    ///
    /// `MPI_Alltoall_init` (MPI 4.1 §6.13.6).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); the sections cannot be cut into `size()` blocks.
    #[doc(alias = "MPI_Alltoall_init")]
    pub fn alltoall<T: AnyBits, A>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
    ) -> Result<&mut Self> {
        let names = &ALLTOALL.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let ranks = (self.comm.size(), self.comm.size());
        let described = Blocks::exchange(ALLTOALL, send.region, recv.region, ranks);
        // SAFETY: reads and writes these.
        unsafe { self.add_collective(names, vec![send], vec![recv], None, described) }
    }

    /// Adds the collection of equal blocks from all ranks in the root's section, where its own is in its place; another
    /// rank's section is its block.
    ///
    /// `MPI_Gather_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.3).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); the section cannot be cut into `size()` blocks; there is no rank `root`.
    #[doc(alias("MPI_Gather_init", "MPI_IN_PLACE"))]
    pub fn gather_in_place<T: AnyBits>(
        &mut self,
        both: impl Into<Section<T>>,
        root: usize,
    ) -> Result<&mut Self> {
        let describe = |both, comm: &Communicator| RootedBlocks::gather_in_place(GATHER, both, root, comm);
        // SAFETY: reads and writes this.
        unsafe { self.add_in_place(&GATHER.names, both.into(), None, describe) }
    }

    /// Adds the dealing out of the root's section in equal blocks, of which its own stays in its place; another rank's
    /// section gets its block.
    ///
    /// `MPI_Scatter_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.4).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); the section cannot be cut into `size()` blocks; there is no rank `root`.
    #[doc(alias("MPI_Scatter_init", "MPI_IN_PLACE"))]
    pub fn scatter_in_place<T: AnyBits>(
        &mut self,
        both: impl Into<Section<T>>,
        root: usize,
    ) -> Result<&mut Self> {
        let describe = |both, comm: &Communicator| RootedBlocks::scatter_in_place(SCATTER, both, root, comm);
        // SAFETY: reads and writes this.
        unsafe { self.add_in_place(&SCATTER.names, both.into(), None, describe) }
    }

    /// Adds the collection of equal blocks from all ranks, at every rank, where its own is in its place.
    ///
    /// `MPI_Allgather_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.5).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); the section cannot be cut into `size()` blocks.
    #[doc(alias("MPI_Allgather_init", "MPI_IN_PLACE"))]
    pub fn allgather_in_place<T: AnyBits>(&mut self, both: impl Into<Section<T>>) -> Result<&mut Self> {
        let describe = |both, comm: &Communicator| Blocks::in_place(ALLGATHER, both, comm.size());
        // SAFETY: reads and writes this.
        unsafe { self.add_in_place(&ALLGATHER.names, both.into(), None, describe) }
    }

    /// Adds an exchange of equal blocks between all ranks, where what arrives takes the place of what is sent.
    ///
    /// `MPI_Alltoall_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.6).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); the section cannot be cut into `size()` blocks.
    #[doc(alias("MPI_Alltoall_init", "MPI_IN_PLACE"))]
    pub fn alltoall_in_place<T: AnyBits>(&mut self, both: impl Into<Section<T>>) -> Result<&mut Self> {
        let describe = |both, comm: &Communicator| Blocks::in_place(ALLTOALL, both, comm.size());
        // SAFETY: reads and writes this.
        unsafe { self.add_in_place(&ALLTOALL.names, both.into(), None, describe) }
    }
}
