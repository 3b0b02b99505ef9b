//@ expect E0277
//@ fix s/\[MaybeUninit::<u8>::uninit(); 4\]/[0u8; 4]/;/use std/d
//! The root's memory is read, so it must be initialized.
use std::mem::MaybeUninit;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let mut buf = [MaybeUninit::<u8>::uninit(); 4];
    world.bcast(&mut buf[..], 0)
}
