//! Collective communication: every rank of a communicator makes the same call.
//!
//! | form | returns | allocates |
//! |---|---|---|
//! | `allreduce(&x, op)` | the result, of the shape of `x` | if the shape is a slice |
//! | `allreduce_into(&x, &mut y, op)` | nothing: exactly one MPI call | never |
//! | `allreduce_in_place(&mut x, op)` | nothing (`MPI_IN_PLACE`) | never |
//! | `s.iallreduce(&x, &mut y, op)` | a [request](crate::request::Request) | never |
//!
//! What a library gets wrong may have to be put right in a copy (`docs/faults.md`), which is allocated; so are the parts of what
//! no `int` counts, and what a [checked](crate::Communicator::checked) communicator compares.
//!
//! Blocks of any length (`…v`) are given as nested vectors or a slice with [counts](crate::buffer::Counts), buffers of any type
//! and layout (`…w`) as [`Parts`](crate::buffer::Parts), or, of one type, as they are. Counts that nobody gave are exchanged first.
//!
//! Rooted calls need no branch on the rank: the root gets `Some(result)`, and gives its buffer as `Some`.
//!
//! A result starts as zeros (or as the caller's own values in the `_into` forms): nobody knows what a peer sent,
//! and a peer that brings less than agreed leaves a tail that no library reports.
//!
//! Standard: MPI 4.1, chapter 6 (Collective Communication).

mod agree;
mod allgather;
mod allgatherv;
mod allreduce;
mod alltoall;
mod alltoallv;
mod alltoallw;
mod barrier;
mod bcast;
pub(crate) mod combine;
pub(crate) mod copied;
pub(crate) mod deal;
pub(crate) mod describe;
mod exscan;
pub(crate) mod forms;
mod gather;
mod gatherv;
pub(crate) mod large;
mod lengths;
pub(crate) mod neighbor;
pub mod op;
mod pairs;
pub(crate) mod parted;
mod parted_result;
mod reduce;
mod reduce_scatter;
mod reduce_scatter_block;
mod reproducible;
mod result;
mod root;
mod scan;
mod scatter;
mod scatterv;
mod shapes;
pub(crate) mod table;
pub(crate) mod vector;
