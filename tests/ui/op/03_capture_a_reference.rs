//@ expect E0597
//@ fix s/let weights = &weights;//
//! A reduction in flight outlives what its function refers to.
use mpi::op::from_fn;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    let weights = [1u64, 2];
    let weights = &weights;
    let op = from_fn(move |a: u64, b| a + b * weights[0]);
    world.iallreduce(vec![1u64], vec![0], &op)?.wait()?;
    Ok(())
}
