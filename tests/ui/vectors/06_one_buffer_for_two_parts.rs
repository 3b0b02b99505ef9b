//@ expect E0499
//@ fix 11s/both/other/
//! Two ranks would write to one buffer.
use mpi::buffer::PartsMut;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (mut both, mut other) = ([0u8; 8], [0u8; 8]);
    other[0] = 1;
    let mut recv = PartsMut::new()?;
    recv.push(&mut both)?;
    recv.push(&mut both)?;
    world.alltoallw_in_place(&mut recv)
}
