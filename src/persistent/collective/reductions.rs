//! Reductions in a plan (MPI 4.1 §6.13).
#![allow(unsafe_code)]

use super::Section;
use crate::buffer::Counts;
use crate::collective::combine::{Reduction, RootedReduction};
use crate::collective::deal::Dealing;
use crate::collective::op::Operation;
use crate::collective::table::{ALLREDUCE, EXSCAN, REDUCE, REDUCE_SCATTER, REDUCE_SCATTER_BLOCK, SCAN};
use crate::comm::Communicator;
use crate::datatype::AnyBits;
use crate::error::Result;
use crate::persistent::Plan;
use std::rc::Rc;

impl<H> Plan<'_, H> {
    /// Adds a reduction of which every rank gets the result.
    ///
    /// `MPI_Allreduce_init` (MPI 4.1 §6.13.8). All ranks add and start the collectives of a communicator in one order.
    ///
    /// # Errors
    /// An id is not of this plan; a block is not inside its array, or overlaps one that is received, or is not in one
    /// piece; the lengths differ; the library has no persistent collectives (class `UNSUPPORTED_OPERATION`): before MPI
    /// 4.0; or what MPI reports.
    ///
    /// ```no_run
    /// use mpi::{op::Sum, persistent::Plan};
    /// # let world = mpi::init()?;
    /// let mut plan = Plan::new(&world);
    /// let (mine, total) = (plan.array([0.0f64; 3]), plan.array([0.0f64; 3]));
    /// plan.allreduce(mine, total, Sum)?;
    /// for step in 0..10 {
    ///     plan.get_mut(mine)?.fill(f64::from(step));
    ///     plan.start()?.wait()?;
    ///     println!("{:?}", plan.get(total)?);
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allreduce_init")]
    pub fn allreduce<T: AnyBits, A, O: Operation<T>>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
        op: O,
    ) -> Result<&mut Self> {
        let names = &ALLREDUCE.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let described = Reduction::new::<T, O>(ALLREDUCE, send.region, recv.region, op);
        // SAFETY: reads and writes these; the operation is kept.
        unsafe { self.add_collective(names, vec![send], vec![recv], op.kept(), described) }
    }

    /// Adds a reduction whose result takes the place of what goes in.
    ///
    /// `MPI_Allreduce_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.8).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce).
    #[doc(alias("MPI_Allreduce_init", "MPI_IN_PLACE"))]
    pub fn allreduce_in_place<T: AnyBits, O: Operation<T>>(
        &mut self,
        both: impl Into<Section<T>>,
        op: O,
    ) -> Result<&mut Self> {
        let describe = |both, _: &Communicator| Reduction::in_place::<T, O>(ALLREDUCE, both, op);
        // SAFETY: reads and writes this; the operation is kept.
        unsafe { self.add_in_place(&ALLREDUCE.names, both.into(), op.kept(), describe) }
    }

    /// Adds a reduction of which the root gets the result, into a section that it alone gives.
    ///
    /// `MPI_Reduce_init` (MPI 4.1 §6.13.7).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); there is no rank `root`; the root gives no section, or another rank gives
    /// one.
    #[doc(alias = "MPI_Reduce_init")]
    pub fn reduce<T: AnyBits, A, R: Into<Section<T>>, O: Operation<T>>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: Option<R>,
        op: O,
        root: usize,
    ) -> Result<&mut Self> {
        let names = &REDUCE.names;
        let send = self.sent(names, send.into())?;
        let recv = recv.map(|recv| self.received(names, recv.into())).transpose()?;
        let room = recv.as_ref().map(|recv| recv.region);
        let described = RootedReduction::new::<T, O>(REDUCE, send.region, room, op, (root, self.comm));
        // SAFETY: reads and writes these; the operation is kept.
        unsafe { self.add_collective(names, vec![send], recv.into_iter().collect(), op.kept(), described) }
    }

    /// Adds a reduction of the ranks up to each one.
    ///
    /// `MPI_Scan_init` (MPI 4.1 §6.13.11).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce).
    #[doc(alias = "MPI_Scan_init")]
    pub fn scan<T: AnyBits, A, O: Operation<T>>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
        op: O,
    ) -> Result<&mut Self> {
        let names = &SCAN.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let described = Reduction::new::<T, O>(SCAN, send.region, recv.region, op);
        // SAFETY: reads and writes these; the operation is kept.
        unsafe { self.add_collective(names, vec![send], vec![recv], op.kept(), described) }
    }

    /// Adds a reduction of the ranks before each one; at rank 0 `recv` is left as it is.
    ///
    /// `MPI_Exscan_init` (MPI 4.1 §6.13.12).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce).
    #[doc(alias = "MPI_Exscan_init")]
    pub fn exscan<T: AnyBits, A, O: Operation<T>>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
        op: O,
    ) -> Result<&mut Self> {
        let names = &EXSCAN.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let described = Reduction::new::<T, O>(EXSCAN, send.region, recv.region, op);
        // SAFETY: reads and writes these; the operation is kept.
        unsafe { self.add_collective(names, vec![send], vec![recv], op.kept(), described) }
    }

    /// Adds a reduction whose result is dealt out by counts, in the order of ranks.
    ///
    /// `MPI_Reduce_scatter_init` (MPI 4.1 §6.13.10). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); the counts do not fit the ranks and the lengths.
    #[doc(alias = "MPI_Reduce_scatter_init")]
    pub fn reduce_scatter<T: AnyBits, A, O: Operation<T>>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
        counts: &Counts,
        op: O,
    ) -> Result<&mut Self> {
        let names = &REDUCE_SCATTER.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let described = Dealing::new::<T, O>(REDUCE_SCATTER, send.region, recv.region, counts, op, self.comm);
        let kept = Rc::new((counts.clone(), op.kept()));
        // SAFETY: reads and writes these; the counts and the operation are kept.
        unsafe { self.add_collective(names, vec![send], vec![recv], Some(kept), described) }
    }

    /// Adds a reduction whose result is dealt out in equal blocks, in the order of ranks.
    ///
    /// `MPI_Reduce_scatter_block_init` (MPI 4.1 §6.13.9).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); `send` has not `size()` times the length of `recv`.
    #[doc(alias = "MPI_Reduce_scatter_block_init")]
    pub fn reduce_scatter_block<T: AnyBits, A, O: Operation<T>>(
        &mut self,
        send: impl Into<Section<T, A>>,
        recv: impl Into<Section<T>>,
        op: O,
    ) -> Result<&mut Self> {
        let names = &REDUCE_SCATTER_BLOCK.names;
        let (send, recv) = (self.sent(names, send.into())?, self.received(names, recv.into())?);
        let ranks = self.comm.size();
        let described =
            Reduction::dealt_out::<T, O>(REDUCE_SCATTER_BLOCK, send.region, recv.region, op, ranks);
        // SAFETY: reads and writes these; the operation is kept.
        unsafe { self.add_collective(names, vec![send], vec![recv], op.kept(), described) }
    }

    /// Adds a reduction whose result takes the place of what the root puts in; the other ranks' sections are not
    /// changed.
    ///
    /// `MPI_Reduce_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.7).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); there is no rank `root`.
    #[doc(alias("MPI_Reduce_init", "MPI_IN_PLACE"))]
    pub fn reduce_in_place<T: AnyBits, O: Operation<T>>(
        &mut self,
        both: impl Into<Section<T>>,
        op: O,
        root: usize,
    ) -> Result<&mut Self> {
        let describe =
            |both, comm: &Communicator| RootedReduction::in_place::<T, O>(REDUCE, both, op, (root, comm));
        // SAFETY: reads and writes this; the operation is kept.
        unsafe { self.add_in_place(&REDUCE.names, both.into(), op.kept(), describe) }
    }

    /// Adds a reduction of the ranks up to each one, which takes the place of what goes in.
    ///
    /// `MPI_Scan_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.11).
    ///
    /// # Errors
    /// As [`scan`](Plan::scan).
    #[doc(alias("MPI_Scan_init", "MPI_IN_PLACE"))]
    pub fn scan_in_place<T: AnyBits, O: Operation<T>>(
        &mut self,
        both: impl Into<Section<T>>,
        op: O,
    ) -> Result<&mut Self> {
        let describe = |both, _: &Communicator| Reduction::in_place::<T, O>(SCAN, both, op);
        // SAFETY: reads and writes this; the operation is kept.
        unsafe { self.add_in_place(&SCAN.names, both.into(), op.kept(), describe) }
    }

    /// Adds a reduction of the ranks before each one, which takes the place of what goes in, but at rank 0, where that
    /// stays.
    ///
    /// `MPI_Exscan_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.12).
    ///
    /// # Errors
    /// As [`exscan`](Plan::exscan).
    #[doc(alias("MPI_Exscan_init", "MPI_IN_PLACE"))]
    pub fn exscan_in_place<T: AnyBits, O: Operation<T>>(
        &mut self,
        both: impl Into<Section<T>>,
        op: O,
    ) -> Result<&mut Self> {
        let describe = |both, _: &Communicator| Reduction::in_place::<T, O>(EXSCAN, both, op);
        // SAFETY: reads and writes this; the operation is kept.
        unsafe { self.add_in_place(&EXSCAN.names, both.into(), op.kept(), describe) }
    }

    /// Adds a reduction whose result is dealt out by counts: this rank's part is then in front of what went in.
    ///
    /// `MPI_Reduce_scatter_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.10). The plan keeps the counts.
    ///
    /// # Errors
    /// As [`reduce_scatter`](Plan::reduce_scatter).
    #[doc(alias("MPI_Reduce_scatter_init", "MPI_IN_PLACE"))]
    pub fn reduce_scatter_in_place<T: AnyBits, O: Operation<T>>(
        &mut self,
        both: impl Into<Section<T>>,
        counts: &Counts,
        op: O,
    ) -> Result<&mut Self> {
        let describe =
            |both, comm: &Communicator| Dealing::in_place::<T, O>(REDUCE_SCATTER, both, counts, op, comm);
        let kept = Rc::new((counts.clone(), op.kept()));
        // SAFETY: reads and writes this; the counts and the operation are kept.
        unsafe { self.add_in_place(&REDUCE_SCATTER.names, both.into(), Some(kept), describe) }
    }

    /// Adds a reduction whose result is dealt out in equal blocks: this rank's is then in front of what went in.
    ///
    /// `MPI_Reduce_scatter_block_init` with `MPI_IN_PLACE` (MPI 4.1 §6.13.9).
    ///
    /// # Errors
    /// As [`allreduce`](Plan::allreduce); the section cannot be cut into `size()` blocks.
    #[doc(alias("MPI_Reduce_scatter_block_init", "MPI_IN_PLACE"))]
    pub fn reduce_scatter_block_in_place<T: AnyBits, O: Operation<T>>(
        &mut self,
        both: impl Into<Section<T>>,
        op: O,
    ) -> Result<&mut Self> {
        let describe = |both, comm: &Communicator| {
            Reduction::dealt_out_in_place::<T, O>(REDUCE_SCATTER_BLOCK, both, op, comm.size())
        };
        // SAFETY: reads and writes this; the operation is kept.
        unsafe { self.add_in_place(&REDUCE_SCATTER_BLOCK.names, both.into(), op.kept(), describe) }
    }
}
