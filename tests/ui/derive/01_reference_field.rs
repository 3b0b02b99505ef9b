//@ expect E0277
//@ expect: values of type `&'static u8` cannot be sent over MPI
//@ fix s/&'static u8/u8/
//! An address means nothing in another process.
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: &'static u8 }
fn main() { let _ = |s: S| s.a; }
