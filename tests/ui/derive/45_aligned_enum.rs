//@ expect E0080
//@ expect: an enum that is larger than its integer cannot be sent
//@ fix s/u8, align(16)/u8/
//! An alignment makes an enum larger than the integer that travels: the rest is padding.
#![forbid(unsafe_code)]
#[derive(Clone, Copy, mpi::Datatype, mpi::FromBits)]
#[repr(u8, align(16))]
enum E { One, Two }
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.send(&[E::One, E::Two], 0, 0)
}
