//@ expect E0277
//@ expect: values of type `Inner` cannot be sent over MPI
//@ expect: derive(Clone, Copy, mpi::Datatype)
//@ fix s/^#\[derive(Clone, Copy)\]/#[derive(Clone, Copy, mpi::Datatype)]/
//! A struct inside needs the derive as well.
#[derive(Clone, Copy)]
struct Inner(u8);
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: Inner }
fn main() { let _ = |s: S| s.a.0; }
