//@ expect: `#[mpi(skip)]` belongs on a field
//@ fix /mpi(skip)/d
//! A type cannot be skipped.
#[derive(Clone, Copy, mpi::Datatype)]
#[mpi(skip)]
struct S { a: u8 }
fn main() { let _ = |s: S| s.a; }
