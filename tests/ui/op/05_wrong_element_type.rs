//@ expect E0277
//@ expect: is not defined for elements of type `f64`
//@ fix s/1\.5f64/1u64/
//! An operation is for one element type.
use mpi::op::from_fn;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let op = from_fn(|a: u64, b| a ^ b);
    let _ = world.allreduce(&1.5f64, &op)?;
    Ok(())
}
