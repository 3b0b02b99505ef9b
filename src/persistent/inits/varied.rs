//! Blocks of any length (MPI 4.1 §6.13).

use crate::buffer::Counts;
use crate::comm::Communicator;
use crate::datatype::AnyBits;
use crate::error::{Result, Returned};
use crate::persistent::{Buffers, PersistentCollective};

impl Communicator {
    /// Makes a collection of blocks of any length that can be started again and again, in a buffer that the root alone gives,
    /// with counts.
    ///
    /// `MPI_Gatherv_init` (MPI 4.1 §6.13.3).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); there is no rank `root`; the root gives no buffer, or another rank gives one.
    #[doc(alias = "MPI_Gatherv_init")]
    pub fn gatherv_init<T: AnyBits>(
        &self,
        input: impl Into<Vec<T>>,
        result: Option<(Vec<T>, &Counts)>,
        root: usize,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        let (result, counts) = result.unzip();
        self.plan_of_collective(input.into(), result.unwrap_or_default(), |plan, send, recv| {
            plan.gatherv(send, counts.map(|counts| (recv, counts)), root).map(drop)
        })
    }

    /// Makes a dealing out of blocks of any length that can be started again and again, from a buffer that the root alone
    /// gives, with counts.
    ///
    /// `MPI_Scatterv_init` (MPI 4.1 §6.13.4).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); there is no rank `root`; the root gives no buffer, or another rank gives one.
    #[doc(alias = "MPI_Scatterv_init")]
    pub fn scatterv_init<T: AnyBits>(
        &self,
        input: Option<(Vec<T>, &Counts)>,
        result: impl Into<Vec<T>>,
        root: usize,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        let (input, counts) = input.unzip();
        self.plan_of_collective(input.unwrap_or_default(), result.into(), |plan, send, recv| {
            plan.scatterv(counts.map(|counts| (send, counts)), recv, root).map(drop)
        })
    }

    /// Makes a collection of blocks of any length at every rank that can be started again and again.
    ///
    /// `MPI_Allgatherv_init` (MPI 4.1 §6.13.5).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); the counts do not fit the ranks and the buffers.
    #[doc(alias = "MPI_Allgatherv_init")]
    pub fn allgatherv_init<T: AnyBits>(
        &self,
        input: impl Into<Vec<T>>,
        result: impl Into<Vec<T>>,
        counts: &Counts,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.allgatherv(send, recv, counts).map(drop)
        })
    }

    /// Makes an exchange of blocks of any length between all ranks that can be started again and again.
    ///
    /// `MPI_Alltoallv_init` (MPI 4.1 §6.13.6).
    ///
    /// # Errors
    /// As [`allreduce_init`](Communicator::allreduce_init); the counts do not fit the ranks and the buffers.
    #[doc(alias = "MPI_Alltoallv_init")]
    pub fn alltoallv_init<T: AnyBits>(
        &self,
        input: impl Into<Vec<T>>,
        input_counts: &Counts,
        result: impl Into<Vec<T>>,
        result_counts: &Counts,
    ) -> Result<PersistentCollective<'_, T>, Returned<Buffers<T>>> {
        self.plan_of_collective(input.into(), result.into(), |plan, send, recv| {
            plan.alltoallv(send, input_counts, recv, result_counts).map(drop)
        })
    }
}
