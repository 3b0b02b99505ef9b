//@ expect E0277
//@ fix s/, \[0\.0; 4\]/, vec![0.0; 4]/
//! An array moves with its owner, and MPI would write to where it was.
use mpi::op::Sum;
fn main() -> mpi::Result<()> {
    let world = mpi::init()?;
    world.iallreduce(vec![1.5; 4], [0.0; 4], Sum)?.wait()?;
    Ok(())
}
