//@ expect: `#[mpi(ignore)]` means nothing here: there is `skip` on a field
//@ fix s/mpi(ignore)/mpi(skip)/
//! On a field as well.
#[derive(Clone, Copy, mpi::Datatype)]
struct S { a: u8, #[mpi(ignore)] b: u8 }
fn main() { let _ = |s: S| (s.a, s.b); }
