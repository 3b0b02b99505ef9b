//@ expect E0277
//@ expect: the trait bound `S: Copy` is not satisfied
//@ fix s/derive(mpi/derive(Clone, Copy, mpi/
//! What arrives is copied by MPI.
#[derive(mpi::Datatype)]
struct S { a: u8 }
fn main() { let _ = |s: S| s.a; }
