//@ expect E0277
//@ expect: values of type `S` cannot be sent over MPI
//@ fix s/mpi::FromBits/mpi::Datatype, mpi::FromBits/
//! So does `FromBits`.
#[derive(Clone, Copy, mpi::FromBits)]
struct S { a: bool }
fn main() { let _ = |s: S| s.a; }
