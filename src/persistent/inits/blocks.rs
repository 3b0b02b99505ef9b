//! Barriers, broadcasts, and equal blocks (MPI 4.1 §6.13).

use crate::comm::Communicator;
use crate::datatype::AnyBits;
use crate::error::{Result, Returned};
use crate::persistent::{Buffers, PersistentCollective};

impl Communicator {
    /// Makes a barrier that can be started again and again.
    ///
    /// `MPI_Barrier_init` (MPI 4.1 §6.13.1).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init).
    #[doc(alias = "MPI_Barrier_init")]
    pub fn barrier_init(&self) -> Result<PersistentCollective<'_, ()>> {
        Ok(self.plan_of_collective(Vec::new(), Vec::new(), |plan, _, _| plan.barrier().map(drop))?)
    }

    /// Makes a broadcast that can be started again and again: of what is the root's
    /// [`result_mut`](PersistentCollective::result_mut).
    ///
    /// `MPI_Bcast_init` (MPI 4.1 §6.13.2).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); there is no rank `root`.
    #[doc(alias = "MPI_Bcast_init")]
    pub fn bcast_init<T: AnyBits>(
        &self,
        buf: impl Into<Vec<T>>,
        root: usize,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(Vec::new(), buf.into(), |plan, _, recv| plan.bcast(recv, root).map(drop))
    }

    /// Makes a collection of equal blocks that can be started again and again, in a buffer that the root alone gives.
    ///
    /// `MPI_Gather_init` (MPI 4.1 §6.13.3).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); there is no rank `root`; the root gives no buffer, or another rank gives one.
    #[doc(alias = "MPI_Gather_init")]
    pub fn gather_init<T: AnyBits>(
        &self,
        input: impl Into<Vec<T>>,
        result: Option<Vec<T>>,
        root: usize,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        let is_root = result.is_some(); // whether it may be is checked by the plan
        self.plan_of_collective(input.into(), result.unwrap_or_default(), |plan, send, recv| {
            plan.gather(send, is_root.then_some(recv), root).map(drop)
        })
    }

    /// Makes a dealing out of equal blocks that can be started again and again, from a buffer that the root alone gives.
    ///
    /// `MPI_Scatter_init` (MPI 4.1 §6.13.4).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); there is no rank `root`; the root gives no buffer, or another rank gives one.
    #[doc(alias = "MPI_Scatter_init")]
    pub fn scatter_init<T: AnyBits>(
        &self,
        input: Option<Vec<T>>,
        result: impl Into<Vec<T>>,
        root: usize,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        let is_root = input.is_some(); // whether it may be is checked by the plan
        self.plan_of_collective(input.unwrap_or_default(), result.into(), |plan, send, recv| {
            plan.scatter(is_root.then_some(send), recv, root).map(drop)
        })
    }

    /// Makes a collection of equal blocks at every rank that can be started again and again.
    ///
    /// `MPI_Allgather_init` (MPI 4.1 §6.13.5).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init).
    #[doc(alias = "MPI_Allgather_init")]
    pub fn allgather_init<T: AnyBits>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.allgather(send, recv).map(drop)
        })
    }

    /// Makes an exchange of equal blocks between all ranks that can be started again and again.
    ///
    /// `MPI_Alltoall_init` (MPI 4.1 §6.13.6).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init).
    #[doc(alias = "MPI_Alltoall_init")]
    pub fn alltoall_init<T: AnyBits>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.alltoall(send, recv).map(drop)
        })
    }
}
