//! The functions of each collective: one row for all its forms, and one for its large counts where it has some.

use super::forms::{Forms, Names};
use super::shapes::*;
use crate::ffi;
use crate::scope::Operation;

/// `TABLE = blocking, nonblocking, persistent "its name", or WIDE;`, where `WIDE` is the table for large counts. (A `cfg`
/// takes no macro variable but a literal.)
macro_rules! forms {
    ($([$shape:ident] $(
        $table:ident = $now:ident, $start:ident, $init:ident $init_name:literal $(, or $wide:ident)?;
    )+)+) => { $($(
        pub(crate) const $table: &$shape = &Forms {
            names: Names {
                now: stringify!($now),
                start: Operation { call: stringify!($start), receives: false },
                init: Operation { call: $init_name, receives: false },
            },
            now: ffi::$now,
            start: ffi::$start,
            #[cfg(mpi_has = $init_name)]
            init: Some(ffi::$init),
            #[cfg(not(mpi_has = $init_name))]
            init: None,
            wide: forms!(@wide $($wide)?),
        };
    )+)+
    /// All of them, in the same order on all ranks.
    pub(super) const NAMES: &[&Names] = &[$($(&$table.names),+),+];
    };
    (@wide) => { None };
    (@wide $wide:ident) => { $wide };
}

/// The same for large counts, where the library has them: MPI 4 brought all three forms at once.
macro_rules! wide_forms {
    ($([$shape:ident] $($table:ident = $now:ident $now_name:literal, $start:ident, $init:ident;)+)+) => { $($(
        #[cfg(mpi_has = $now_name)]
        const $table: Option<&$shape> = Some(&Forms {
            names: Names {
                now: stringify!($now),
                start: Operation { call: stringify!($start), receives: false },
                init: Operation { call: stringify!($init), receives: false },
            },
            now: ffi::$now,
            start: ffi::$start,
            init: Some(ffi::$init),
            wide: None,
        });
        #[cfg(not(mpi_has = $now_name))]
        const $table: Option<&$shape> = None;
    )+)+ };
}

forms! {
    [BarrierForms]
        BARRIER = MPI_Barrier, MPI_Ibarrier, MPI_Barrier_init "MPI_Barrier_init";
    [BcastForms]
        BCAST = MPI_Bcast, MPI_Ibcast, MPI_Bcast_init "MPI_Bcast_init", or BCAST_C;
    [BlockForms]
        ALLGATHER = MPI_Allgather, MPI_Iallgather, MPI_Allgather_init "MPI_Allgather_init", or ALLGATHER_C;
        ALLTOALL = MPI_Alltoall, MPI_Ialltoall, MPI_Alltoall_init "MPI_Alltoall_init", or ALLTOALL_C;
        NEIGHBOR_ALLGATHER = MPI_Neighbor_allgather, MPI_Ineighbor_allgather,
            MPI_Neighbor_allgather_init "MPI_Neighbor_allgather_init", or NEIGHBOR_ALLGATHER_C;
        NEIGHBOR_ALLTOALL = MPI_Neighbor_alltoall, MPI_Ineighbor_alltoall,
            MPI_Neighbor_alltoall_init "MPI_Neighbor_alltoall_init", or NEIGHBOR_ALLTOALL_C;
    [RootedBlockForms]
        GATHER = MPI_Gather, MPI_Igather, MPI_Gather_init "MPI_Gather_init", or GATHER_C;
        SCATTER = MPI_Scatter, MPI_Iscatter, MPI_Scatter_init "MPI_Scatter_init", or SCATTER_C;
    [GathervForms]
        GATHERV = MPI_Gatherv, MPI_Igatherv, MPI_Gatherv_init "MPI_Gatherv_init", or GATHERV_C;
    [ScattervForms]
        SCATTERV = MPI_Scatterv, MPI_Iscatterv, MPI_Scatterv_init "MPI_Scatterv_init", or SCATTERV_C;
    [AllgathervForms]
        ALLGATHERV = MPI_Allgatherv, MPI_Iallgatherv, MPI_Allgatherv_init "MPI_Allgatherv_init", or ALLGATHERV_C;
        NEIGHBOR_ALLGATHERV = MPI_Neighbor_allgatherv, MPI_Ineighbor_allgatherv,
            MPI_Neighbor_allgatherv_init "MPI_Neighbor_allgatherv_init", or NEIGHBOR_ALLGATHERV_C;
    [AlltoallvForms]
        ALLTOALLV = MPI_Alltoallv, MPI_Ialltoallv, MPI_Alltoallv_init "MPI_Alltoallv_init", or ALLTOALLV_C;
        NEIGHBOR_ALLTOALLV = MPI_Neighbor_alltoallv, MPI_Ineighbor_alltoallv,
            MPI_Neighbor_alltoallv_init "MPI_Neighbor_alltoallv_init", or NEIGHBOR_ALLTOALLV_C;
    [AlltoallwForms]
        ALLTOALLW = MPI_Alltoallw, MPI_Ialltoallw, MPI_Alltoallw_init "MPI_Alltoallw_init";
    [NeighborAlltoallwForms]
        NEIGHBOR_ALLTOALLW = MPI_Neighbor_alltoallw, MPI_Ineighbor_alltoallw,
            MPI_Neighbor_alltoallw_init "MPI_Neighbor_alltoallw_init";
    [ReduceForms]
        ALLREDUCE = MPI_Allreduce, MPI_Iallreduce, MPI_Allreduce_init "MPI_Allreduce_init", or ALLREDUCE_C;
        SCAN = MPI_Scan, MPI_Iscan, MPI_Scan_init "MPI_Scan_init", or SCAN_C;
        EXSCAN = MPI_Exscan, MPI_Iexscan, MPI_Exscan_init "MPI_Exscan_init", or EXSCAN_C;
        REDUCE_SCATTER_BLOCK = MPI_Reduce_scatter_block, MPI_Ireduce_scatter_block,
            MPI_Reduce_scatter_block_init "MPI_Reduce_scatter_block_init", or REDUCE_SCATTER_BLOCK_C;
    [RootedReduceForms]
        REDUCE = MPI_Reduce, MPI_Ireduce, MPI_Reduce_init "MPI_Reduce_init", or REDUCE_C;
    [ReduceScatterForms]
        REDUCE_SCATTER = MPI_Reduce_scatter, MPI_Ireduce_scatter, MPI_Reduce_scatter_init "MPI_Reduce_scatter_init",
            or REDUCE_SCATTER_C;
}

wide_forms! {
    [WideBcastForms]
        BCAST_C = MPI_Bcast_c "MPI_Bcast_c", MPI_Ibcast_c, MPI_Bcast_init_c;
    [WideBlockForms]
        ALLGATHER_C = MPI_Allgather_c "MPI_Allgather_c", MPI_Iallgather_c, MPI_Allgather_init_c;
        ALLTOALL_C = MPI_Alltoall_c "MPI_Alltoall_c", MPI_Ialltoall_c, MPI_Alltoall_init_c;
        NEIGHBOR_ALLGATHER_C = MPI_Neighbor_allgather_c "MPI_Neighbor_allgather_c",
            MPI_Ineighbor_allgather_c, MPI_Neighbor_allgather_init_c;
        NEIGHBOR_ALLTOALL_C = MPI_Neighbor_alltoall_c "MPI_Neighbor_alltoall_c",
            MPI_Ineighbor_alltoall_c, MPI_Neighbor_alltoall_init_c;
    [WideRootedBlockForms]
        GATHER_C = MPI_Gather_c "MPI_Gather_c", MPI_Igather_c, MPI_Gather_init_c;
        SCATTER_C = MPI_Scatter_c "MPI_Scatter_c", MPI_Iscatter_c, MPI_Scatter_init_c;
    [WideGathervForms]
        GATHERV_C = MPI_Gatherv_c "MPI_Gatherv_c", MPI_Igatherv_c, MPI_Gatherv_init_c;
    [WideScattervForms]
        SCATTERV_C = MPI_Scatterv_c "MPI_Scatterv_c", MPI_Iscatterv_c, MPI_Scatterv_init_c;
    [WideAllgathervForms]
        ALLGATHERV_C = MPI_Allgatherv_c "MPI_Allgatherv_c", MPI_Iallgatherv_c, MPI_Allgatherv_init_c;
        NEIGHBOR_ALLGATHERV_C = MPI_Neighbor_allgatherv_c "MPI_Neighbor_allgatherv_c",
            MPI_Ineighbor_allgatherv_c, MPI_Neighbor_allgatherv_init_c;
    [WideAlltoallvForms]
        ALLTOALLV_C = MPI_Alltoallv_c "MPI_Alltoallv_c", MPI_Ialltoallv_c, MPI_Alltoallv_init_c;
        NEIGHBOR_ALLTOALLV_C = MPI_Neighbor_alltoallv_c "MPI_Neighbor_alltoallv_c",
            MPI_Ineighbor_alltoallv_c, MPI_Neighbor_alltoallv_init_c;
    [WideReduceForms]
        ALLREDUCE_C = MPI_Allreduce_c "MPI_Allreduce_c", MPI_Iallreduce_c, MPI_Allreduce_init_c;
        SCAN_C = MPI_Scan_c "MPI_Scan_c", MPI_Iscan_c, MPI_Scan_init_c;
        EXSCAN_C = MPI_Exscan_c "MPI_Exscan_c", MPI_Iexscan_c, MPI_Exscan_init_c;
        REDUCE_SCATTER_BLOCK_C = MPI_Reduce_scatter_block_c "MPI_Reduce_scatter_block_c",
            MPI_Ireduce_scatter_block_c, MPI_Reduce_scatter_block_init_c;
    [WideRootedReduceForms]
        REDUCE_C = MPI_Reduce_c "MPI_Reduce_c", MPI_Ireduce_c, MPI_Reduce_init_c;
    [WideReduceScatterForms]
        REDUCE_SCATTER_C = MPI_Reduce_scatter_c "MPI_Reduce_scatter_c",
            MPI_Ireduce_scatter_c, MPI_Reduce_scatter_init_c;
}
