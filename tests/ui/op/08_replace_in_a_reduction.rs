//@ expect E0277
//@ expect: the operation `Replace` is not defined
//@ fix s/Replace/Sum/g
//! Only one-sided communication replaces.
use mpi::op::Replace;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let _ = world.allreduce(&1u8, Replace)?;
    Ok(())
}
