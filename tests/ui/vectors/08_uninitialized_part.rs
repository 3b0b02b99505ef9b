//@ expect E0277
//@ fix s/MaybeUninit::<u8>::uninit()/0u8/
//! A peer may send less than agreed: the rest of a part would be uninitialized.
use mpi::buffer::{Parts, PartsMut};
use std::mem::MaybeUninit;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _: MaybeUninit<u8>;
    let (mine, mut rest) = (vec![7u8; world.size()], [MaybeUninit::<u8>::uninit(); 8]);
    let mut recv = PartsMut::new()?;
    recv.push(&mut rest[..])?;
    world.alltoallw_into(&Parts::of(&mine)?, &mut recv)
}
