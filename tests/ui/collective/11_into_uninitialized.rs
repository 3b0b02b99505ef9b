//@ expect E0277
//@ expect: a peer may send less than agreed
//@ fix s/MaybeUninit::<u64>::uninit()/0u64/
//! No library says how much of a collective's result has come.
#[allow(unused_imports)]
use std::mem::MaybeUninit;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut all = [MaybeUninit::<u64>::uninit(); 4];
    world.allgather_into(&[1u64], &mut all)
}
