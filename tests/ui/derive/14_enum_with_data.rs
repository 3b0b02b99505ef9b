//@ expect: a variant with fields cannot be sent
//@ fix s/Two(u8)/Two/
//! Variants differ in size.
#[derive(Clone, Copy, mpi::Datatype)]
#[repr(u8)]
enum E { One, Two(u8) }
fn main() { let _ = E::One; }
