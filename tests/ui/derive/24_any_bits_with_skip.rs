//@ expect: derive `mpi::FromBits` instead of `mpi::AnyBits`
//@ fix s/mpi::AnyBits/mpi::FromBits/
//! A receive buffer that was not initialized would stay so in a skipped field.
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
struct S { a: u8, #[mpi(skip)] b: u32 }
fn main() { let _ = |s: S| (s.a, s.b); }
