//@ expect E0505
//@ fix /drop(part)/d
//! A list of parts borrows them.
use mpi::buffer::{Parts, PartsMut};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (part, mut into) = (vec![1u8; 8], vec![vec![0u8; 8]; world.size()]);
    let send = Parts::of(vec![&part; world.size()])?;
    drop(part);
    world.alltoallw_into(&send, &mut PartsMut::of(&mut into)?)
}
