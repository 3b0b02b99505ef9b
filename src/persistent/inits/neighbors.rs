//! Exchanges with neighbours (MPI 4.1 §8.8).

use crate::buffer::Counts;
use crate::comm::Communicator;
use crate::datatype::AnyBits;
use crate::error::{Result, Returned};
use crate::persistent::{Buffers, PersistentCollective};

impl Communicator {
    /// Makes an exchange that can be started again and again, in which every neighbour gets the same block.
    ///
    /// `MPI_Neighbor_allgather_init` (MPI 4.1 §8.8.1).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); the communicator has no topology.
    #[doc(alias = "MPI_Neighbor_allgather_init")]
    pub fn neighbor_allgather_init<T: AnyBits>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.neighbor_allgather(send, recv).map(drop)
        })
    }

    /// Makes an exchange that can be started again and again, in which every neighbour gets the same block, of any length.
    ///
    /// `MPI_Neighbor_allgatherv_init` (MPI 4.1 §8.8.1).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); the communicator has no topology.
    #[doc(alias = "MPI_Neighbor_allgatherv_init")]
    pub fn neighbor_allgatherv_init<T: AnyBits>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
        counts: &Counts,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.neighbor_allgatherv(send, recv, counts).map(drop)
        })
    }

    /// Makes an exchange of equal blocks with every neighbour that can be started again and again.
    ///
    /// `MPI_Neighbor_alltoall_init` (MPI 4.1 §8.8.2).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); the communicator has no topology.
    #[doc(alias = "MPI_Neighbor_alltoall_init")]
    pub fn neighbor_alltoall_init<T: AnyBits>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.neighbor_alltoall(send, recv).map(drop)
        })
    }

    /// Makes an exchange of blocks of any length with every neighbour that can be started again and again.
    ///
    /// `MPI_Neighbor_alltoallv_init` (MPI 4.1 §8.8.2).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); the communicator has no topology.
    #[doc(alias = "MPI_Neighbor_alltoallv_init")]
    pub fn neighbor_alltoallv_init<T: AnyBits>(
        &self,
        input: impl Into<Vec<T>>,
        input_counts: &Counts,
        result: impl Into<Vec<T>>,
        result_counts: &Counts,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.neighbor_alltoallv(send, input_counts, recv, result_counts).map(drop)
        })
    }
}
