//@ expect E0502
//@ fix /send.push/d
//! MPI reads the list's arrays until the operation is complete, and a list that grows moves them.
use mpi::buffer::{Parts, PartsMut};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let (mine, mut theirs) = (vec![1u8; world.size()], vec![0u8; world.size()]);
    let (mut send, mut recv) = (Parts::of(&mine)?, PartsMut::of(&mut theirs)?);
    world.scope(|s| {
        let request = s.ialltoallw(&send, &mut recv)?;
        send.push(&mine[0])?;
        request.wait().map(drop)
    })
}
