//@ expect E0499
//@ fix /recv.push/d
//! A list of parts stays as it is while it is received into.
use mpi::buffer::{Parts, PartsMut};
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let ring = world.cartesian(&[world.size()], &[true], false)?.expect("a place");
    let (mine, mut theirs, mut more) = ([1u8; 3], [[0u8; 3]; 2], [0u8; 3]);
    let send = Parts::of([&mine, &mine])?;
    let mut recv = PartsMut::of(&mut theirs)?;
    ring.scope(|s| {
        let exchange = s.ineighbor_alltoallw(&send, &mut recv)?;
        recv.push(&mut more)?;
        exchange.wait().map(drop)
    })
}
