//! Operations that only one-sided communication has: they take one operand and leave the other.

/// What is sent takes the place of what is there (`MPI_REPLACE`, MPI 4.1 §12.3.4). Not a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "MPI_REPLACE")]
pub struct Replace;

/// What is there stays (`MPI_NO_OP`, MPI 4.1 §12.3.4). Not a reduction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias = "MPI_NO_OP")]
pub struct NoOp;
