//@ expect E0277 E0204
//@ fix s/std::cell::Cell<u8>/u8/
//! A shared borrow of a `Cell` may write while MPI reads.
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: std::cell::Cell<u8> }
fn main() { let _ = |s: S| s.a; }
