//@ expect: say which integer it is
//@ fix s/repr(C)/repr(i32)/
//! C's own enums have the size that the platform chooses.
#[derive(Clone, Copy, mpi::Datatype)]
#[repr(C)]
enum E { One, Two }
fn main() { let _ = (E::One, E::Two); }
