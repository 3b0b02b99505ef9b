//@ expect E0277
//@ expect: values of type `*const u8` cannot be sent over MPI
//@ fix s/\*const u8/u64/
//! Nor does a pointer.
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: *const u8 }
fn main() { let _ = |s: S| s.a; }
