//@ expect: a peer's bytes may be no variant
//@ fix s/mpi::AnyBits/mpi::FromBits/
//! Two of 256 bytes are values.
#[derive(Clone, Copy, mpi::Datatype, mpi::AnyBits)]
#[repr(u8)]
enum E { One, Two }
fn main() { let _ = (E::One, E::Two); }
