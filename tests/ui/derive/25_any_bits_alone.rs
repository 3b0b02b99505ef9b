//@ expect E0277
//@ expect: values of type `S` cannot be sent over MPI
//@ fix s/mpi::AnyBits/mpi::Datatype, mpi::AnyBits/
//! `AnyBits` says more than `Datatype`, which comes first.
#[derive(Clone, Copy, mpi::AnyBits)]
struct S { a: u8 }
fn main() { let _ = |s: S| s.a; }
