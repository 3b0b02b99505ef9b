//@ expect: an enum is sent as the integer of its `repr`
//@ fix /mpi(bytes)/d
//! An enum has no padding to leave out.
#[derive(Clone, Copy, mpi::Datatype)]
#[repr(u16)]
#[mpi(bytes)]
enum E { One, Two }
fn main() { let _ = (E::One, E::Two); }
