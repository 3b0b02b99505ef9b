//@ expect E0277
//@ expect: not an exclusive borrow of a contiguous initialized buffer
//@ fix s/MaybeUninit::<u8>::uninit()/0u8/
//! What is replaced is sent first.
#[allow(unused)]
use std::mem::MaybeUninit;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut room = [const { MaybeUninit::<u8>::uninit() }; 4];
    world.scope(|s| s.isendrecv_replace(&mut room[..], 0, 0, 0, 0)?.wait().map(|_| ()))
}
