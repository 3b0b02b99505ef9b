//@ expect E0277
//@ expect: `E` cannot be lent to MPI for receiving
//@ fix s/mpi::AnyBits/mpi::FromBits/
//! Nor is a struct of it all bits.
#[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
#[repr(u8)]
enum E { One, Two }
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
struct S(u8, E);
fn main() { let _ = |s: S| (s.0, s.1, E::One, E::Two); }
