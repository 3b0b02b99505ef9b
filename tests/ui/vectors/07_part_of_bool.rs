//@ expect E0277
//@ fix s/\[false; 8\]/[0u8; 8]/
//! A part may be written with any bits.
use mpi::buffer::PartsMut;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut flags = vec![[false; 8]; world.size()];
    world.alltoallw_in_place(&mut PartsMut::of(&mut flags)?)
}
