//! The parameter lists that collectives have, and a table of functions for each.

use super::forms::Forms;
use crate::ffi::{MPI_Aint, MPI_Comm, MPI_Count, MPI_Datatype, MPI_Info, MPI_Op, MPI_Request};
use std::os::raw::{c_int, c_void};

type In = *const c_void;
type Out = *mut c_void;
type Ints = *const c_int;
type Counts = *const MPI_Count;
type Displs = *const MPI_Aint;
type Types = *const MPI_Datatype;

/// A blocking form ends in the communicator, a nonblocking one in the request as well, a persistent one has an info
/// between them. `or` names the shape with large counts.
macro_rules! shapes {
    ($($(#[$doc:meta])* $shape:ident($($parameter:ty),*) $(or $wide:ident)?;)+) => { $(
        $(#[$doc])*
        pub(crate) type $shape = Forms<
            unsafe extern "C" fn($($parameter,)* MPI_Comm) -> c_int,
            unsafe extern "C" fn($($parameter,)* MPI_Comm, *mut MPI_Request) -> c_int,
            unsafe extern "C" fn($($parameter,)* MPI_Comm, MPI_Info, *mut MPI_Request) -> c_int,
            $($wide,)?
        >;
    )+ };
}

shapes! {
    /// `MPI_Barrier`.
    BarrierForms();
    /// `MPI_Bcast`.
    BcastForms(Out, c_int, MPI_Datatype, c_int) or WideBcastForms;
    /// `MPI_Bcast_c`.
    WideBcastForms(Out, MPI_Count, MPI_Datatype, c_int);
    /// Equal blocks: `MPI_Allgather`, `MPI_Alltoall` and their neighbourhood forms.
    BlockForms(In, c_int, MPI_Datatype, Out, c_int, MPI_Datatype) or WideBlockForms;
    /// The same with large counts.
    WideBlockForms(In, MPI_Count, MPI_Datatype, Out, MPI_Count, MPI_Datatype);
    /// Equal blocks from or to a root: `MPI_Gather`, `MPI_Scatter`.
    RootedBlockForms(In, c_int, MPI_Datatype, Out, c_int, MPI_Datatype, c_int) or WideRootedBlockForms;
    /// The same with large counts.
    WideRootedBlockForms(In, MPI_Count, MPI_Datatype, Out, MPI_Count, MPI_Datatype, c_int);
    /// `MPI_Gatherv`.
    GathervForms(In, c_int, MPI_Datatype, Out, Ints, Ints, MPI_Datatype, c_int) or WideGathervForms;
    /// `MPI_Gatherv_c`.
    WideGathervForms(In, MPI_Count, MPI_Datatype, Out, Counts, Displs, MPI_Datatype, c_int);
    /// `MPI_Scatterv`.
    ScattervForms(In, Ints, Ints, MPI_Datatype, Out, c_int, MPI_Datatype, c_int) or WideScattervForms;
    /// `MPI_Scatterv_c`.
    WideScattervForms(In, Counts, Displs, MPI_Datatype, Out, MPI_Count, MPI_Datatype, c_int);
    /// `MPI_Allgatherv` and its neighbourhood form.
    AllgathervForms(In, c_int, MPI_Datatype, Out, Ints, Ints, MPI_Datatype) or WideAllgathervForms;
    /// `MPI_Allgatherv_c` and its neighbourhood form.
    WideAllgathervForms(In, MPI_Count, MPI_Datatype, Out, Counts, Displs, MPI_Datatype);
    /// `MPI_Alltoallv` and its neighbourhood form.
    AlltoallvForms(In, Ints, Ints, MPI_Datatype, Out, Ints, Ints, MPI_Datatype) or WideAlltoallvForms;
    /// `MPI_Alltoallv_c` and its neighbourhood form.
    WideAlltoallvForms(In, Counts, Displs, MPI_Datatype, Out, Counts, Displs, MPI_Datatype);
    /// `MPI_Alltoallw`: displacements in bytes.
    AlltoallwForms(In, Ints, Ints, Types, Out, Ints, Ints, Types);
    /// `MPI_Neighbor_alltoallw`: displacements in bytes.
    NeighborAlltoallwForms(In, Ints, Displs, Types, Out, Ints, Displs, Types);
    /// `MPI_Allreduce`, `MPI_Scan`, `MPI_Exscan`, `MPI_Reduce_scatter_block`.
    ReduceForms(In, Out, c_int, MPI_Datatype, MPI_Op) or WideReduceForms;
    /// The same with large counts.
    WideReduceForms(In, Out, MPI_Count, MPI_Datatype, MPI_Op);
    /// `MPI_Reduce`.
    RootedReduceForms(In, Out, c_int, MPI_Datatype, MPI_Op, c_int) or WideRootedReduceForms;
    /// `MPI_Reduce_c`.
    WideRootedReduceForms(In, Out, MPI_Count, MPI_Datatype, MPI_Op, c_int);
    /// `MPI_Reduce_scatter`.
    ReduceScatterForms(In, Out, Ints, MPI_Datatype, MPI_Op) or WideReduceScatterForms;
    /// `MPI_Reduce_scatter_c`.
    WideReduceScatterForms(In, Out, Counts, MPI_Datatype, MPI_Op);
}
