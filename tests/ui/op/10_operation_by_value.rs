//@ expect E0277
//@ fix s/1u64, op/1u64, \&op/
//! What is in flight shares the operation: it is passed as a reference.
use mpi::op::from_fn;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let op = from_fn(|a: u64, b| a + b);
    let _ = world.allreduce(&1u64, op)?;
    Ok(())
}
