//@ expect E0277
//@ expect: `bool` cannot be lent to MPI for receiving
//@ fix s/mpi::AnyBits/mpi::FromBits/
//! A peer may send a 2.
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
struct S { a: u8, b: bool }
fn main() { let _ = |s: S| (s.a, s.b); }
