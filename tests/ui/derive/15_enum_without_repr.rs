//@ expect: say which integer it is, as in `#[repr(u8)]`
//@ fix s/^enum/#[repr(u8)] enum/
//! Its size is the compiler's choice.
#[derive(Clone, Copy, mpi::Datatype)]
enum E { One, Two }
fn main() { let _ = (E::One, E::Two); }
