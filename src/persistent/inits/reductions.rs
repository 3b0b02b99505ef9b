//! Reductions (MPI 4.1 §6.13).

use crate::buffer::Counts;
use crate::collective::op::Operation;
use crate::comm::Communicator;
use crate::datatype::AnyBits;
use crate::error::{Result, Returned};
use crate::persistent::{Buffers, PersistentCollective};

impl Communicator {
    /// Makes a reduction that can be started again and again, of which every rank gets the result.
    ///
    /// `MPI_Allreduce_init` (MPI 4.1 §6.13.8).
    ///
    /// # Errors
    /// The lengths differ; the library has no persistent collectives (class `UNSUPPORTED_OPERATION`): before MPI 4.0; or what
    /// MPI reports. The buffers come back in the error.
    ///
    /// ```no_run
    /// use mpi::op::Sum;
    /// # let world = mpi::init()?;
    /// let mut total = world.allreduce_init([0.0f64; 3], [0.0; 3], Sum)?;
    /// for step in 0..10 {
    ///     total.input_mut()?.fill(f64::from(step));
    ///     total.start()?.wait()?;
    ///     println!("{:?}", total.result()?);
    /// }
    /// # Ok::<(), mpi::Error>(())
    /// ```
    #[doc(alias = "MPI_Allreduce_init")]
    pub fn allreduce_init<T: AnyBits, O: Operation<T>>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
        op: O,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.allreduce(send, recv, op).map(drop)
        })
    }

    /// Makes a reduction that can be started again and again, of which the root gets the result, in a buffer that it alone
    /// gives.
    ///
    /// `MPI_Reduce_init` (MPI 4.1 §6.13.7).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); there is no rank `root`; the root gives no buffer, or another rank gives one.
    #[doc(alias = "MPI_Reduce_init")]
    pub fn reduce_init<T: AnyBits, O: Operation<T>>(
        &self,
        input: impl Into<Vec<T>>,
        result: Option<Vec<T>>,
        op: O,
        root: usize,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        let is_root = result.is_some(); // whether it may be is checked by the plan
        self.plan_of_collective(input.into(), result.unwrap_or_default(), |plan, send, recv| {
            plan.reduce(send, is_root.then_some(recv), op, root).map(drop)
        })
    }

    /// Makes a reduction of the ranks up to each one that can be started again and again.
    ///
    /// `MPI_Scan_init` (MPI 4.1 §6.13.11).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init).
    #[doc(alias = "MPI_Scan_init")]
    pub fn scan_init<T: AnyBits, O: Operation<T>>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
        op: O,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.scan(send, recv, op).map(drop)
        })
    }

    /// Makes a reduction of the ranks before each one that can be started again and again; at rank 0 the result is left as it
    /// is.
    ///
    /// `MPI_Exscan_init` (MPI 4.1 §6.13.12).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init).
    #[doc(alias = "MPI_Exscan_init")]
    pub fn exscan_init<T: AnyBits, O: Operation<T>>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
        op: O,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.exscan(send, recv, op).map(drop)
        })
    }

    /// Makes a reduction that can be started again and again, whose result is dealt out by counts.
    ///
    /// `MPI_Reduce_scatter_init` (MPI 4.1 §6.13.10).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); the counts do not fit the ranks and the buffers.
    #[doc(alias = "MPI_Reduce_scatter_init")]
    pub fn reduce_scatter_init<T: AnyBits, O: Operation<T>>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
        counts: &Counts,
        op: O,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.reduce_scatter(send, recv, counts, op).map(drop)
        })
    }

    /// Makes a reduction that can be started again and again, whose result is dealt out in equal blocks.
    ///
    /// `MPI_Reduce_scatter_block_init` (MPI 4.1 §6.13.9).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init).
    #[doc(alias = "MPI_Reduce_scatter_block_init")]
    pub fn reduce_scatter_block_init<T: AnyBits, O: Operation<T>>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
        op: O,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.reduce_scatter_block(send, recv, op).map(drop)
        })
    }
}
